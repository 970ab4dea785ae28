/* train_tables.c - `trapeze train grammar`, `bigrams` and `dictionary`: the tables that a
 * compressor, and a joint tagger, look into. SPDX-License-Identifier: MIT */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "sentences/cli/input/arpa.h"
#include "sentences/cli/input/treebank.h"
#include "sentences/cli/train/train.h"
#include "sentences/features/outline/bigrams.h"
#include "sentences/features/outline/grammar.h"
#include "sentences/features/sentence/dictionary.h"

typedef struct settings {
    const char *command, *output;
    const char *const *file;
    size_t files;
} settings;

static const tz_option option_table[] = {
    {"output", 'o', "FILE", "the file to write", TZ_TEXT_AT(settings, output)},
};

static int finish(const settings *s, tz_status status, tz_sketch *sketch, tz_error *error) {
    status = status == TZ_OK ? tz_sketch_save(sketch, s->output, error) : status;
    tz_sketch_free(sketch);
    return status == TZ_OK ? 0 : tz_failed(s->command, status, error);
}

static int make_grammar(const settings *s) {
    tz_corpus_options reading = {.need = 1u << TZ_HEAD | 1u << TZ_UPOS};
    tz_corpus *corpus = calloc(s->files, sizeof *corpus);
    tz_sketch *sketch = NULL;
    tz_error error = {TZ_OK, ""};
    tz_status status = corpus ? TZ_OK : TZ_NO_MEMORY;
    int exit = 0;
    for (size_t f = 0; f < s->files && status == TZ_OK && exit == 0; f++)
        exit = tz_treebank_read(s->command, s->file[f], &reading, &corpus[f]);
    if (exit == 0) {
        status = status == TZ_OK ? tz_grammar_new(corpus, s->files, &sketch) : status;
        exit = finish(s, status, sketch, &error);
    }
    for (size_t f = 0; corpus && f < s->files; f++)
        tz_corpus_free(&corpus[f]);
    free(corpus);
    return exit;
}

static int make_bigrams(const settings *s) {
    tz_lm *lm;
    tz_sketch *sketch = NULL;
    tz_error error = {TZ_OK, ""};
    int exit = tz_arpa_read(s->command, s->file[0], &lm);
    if (exit != 0)
        return exit;
    tz_status status = tz_bigrams_new(lm, &sketch);
    if (status == TZ_BAD_ARGUMENT) {
        status = tz_bad_input(&error, s->file[0], 0,
                              "the model is of order 1: bigrams take order 2 or more");
    }
    tz_lm_free(lm);
    return finish(s, status, sketch, &error);
}

/* Counts a file, some sentences at a time: it may be larger than memory. */
static int count_tags(const settings *s, const char *name, tz_labels *tags, tz_tag_counts *counts) {
    tz_corpus_options reading = {
        .need = 1u << TZ_XPOS, .grow = true, .words = 1 << 16, .labels[TZ_XPOS] = tags};
    tz_treebank treebank;
    tz_corpus corpus;
    tz_error error = {TZ_OK, ""};
    int exit = tz_treebank_open(s->command, name, &treebank);
    tz_status status = TZ_OK;
    for (bool more = exit == 0; more && status == TZ_OK; tz_corpus_free(&corpus)) {
        status = tz_corpus_read(treebank.conllu, &reading, &corpus, &error);
        more = corpus.count > 0;
        if (status == TZ_OK && tags->count > TZ_DICTIONARY_TAGS) {
            status = tz_bad_input(&error, name, 0, "more than %d different fine tags",
                                  (int)TZ_DICTIONARY_TAGS);
        }
        for (size_t i = 0; i < corpus.count && status == TZ_OK; i++)
            status = tz_tag_counts_add(counts, &corpus.sentence[i]);
    }
    if (exit == 0)
        tz_treebank_close(&treebank);
    return status == TZ_OK ? exit : tz_failed(s->command, status, &error);
}

static int make_dictionary(const settings *s) {
    tz_tag_counts counts = {0};
    tz_labels tags = {0};
    tz_sketch *sketch = NULL;
    tz_error error = {TZ_OK, ""};
    int exit = 0;
    for (size_t f = 0; f < s->files && exit == 0; f++)
        exit = count_tags(s, s->file[f], &tags, &counts);
    if (exit == 0) {
        tz_status status = tz_dictionary_new(&counts, tags.count, &sketch);
        exit = finish(s, status, sketch, &error);
    }
    tz_tag_counts_free(&counts);
    tz_labels_free(&tags);
    return exit;
}

static int run(const char *command, int argc, char **argv, const char *synopsis, const char *about,
               int most, int make(const settings *)) {
    tz_options o = {.command = command,
                    .synopsis = synopsis,
                    .about = about,
                    .notes = "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n",
                    .most = most,
                    .wanted = "one FILE",
                    TZ_COMMAND_ROWS(option_table, argc, argv)};
    settings s = {.command = command};
    if (!tz_take_options(&o, NULL, &s))
        return o.status;
    s.file = o.operand;
    s.files = (size_t)o.operands;
    return !s.output      ? tz_usage_error(command, "-o FILE is missing: the file to write")
           : s.files == 0 ? tz_usage_error(command, "FILE is missing: what to learn from")
                          : make(&s);
}

int tz_cli_train_grammar(int argc, char **argv) {
    return run("trapeze train grammar", argc, argv, "-o GRAMMAR FILE...",
               "Estimates a smoothed dependency grammar from treebanks in CoNLL-U: how likely a\n"
               "word and its tag (XPOS) are as a modifier of another. It becomes a table of\n"
               "hashed log probabilities, in which no words stand.\n",
               INT_MAX, make_grammar);
}

int tz_cli_train_bigrams(int argc, char **argv) {
    return run("trapeze train bigrams", argc, argv, "-o BIGRAMS MODEL.arpa",
               "Makes a table of hashed log probabilities, in which no words stand, of the 1- and\n"
               "2-grams of a language model that `trapeze train lm` wrote. The text that it was\n"
               "trained on should be in lower case, and # stand for digits.\n",
               1, make_bigrams);
}

int tz_cli_train_dictionary(int argc, char **argv) {
    return run("trapeze train dictionary", argc, argv, "-o DICTIONARY FILE...",
               "Counts which tags (XPOS) words have in files in CoNLL-U, of which nothing else is\n"
               "read. It becomes a table of hashed words with the kind of tags that each has, in\n"
               "which no words stand: `trapeze train joint-tagger --dictionary` takes it.\n",
               INT_MAX, make_dictionary);
}
