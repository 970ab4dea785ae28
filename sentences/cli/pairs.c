/* pairs.c - `trapeze pairs`: sentences and their compressions, tagged and parsed, for training.
 *
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/text_file.h"
#include "sentences/cli/input/find_model.h"
#include "sentences/eval/record.h"
#include "sentences/learn/analyse.h"

static const char command[] = "trapeze pairs";

enum { PORTION = 64, LINE_LIMIT = 1 << 24 };

typedef struct settings {
    const char *model;
    long threads, words;
    bool retag, tags, keep_going, quiet;
} settings;

/* A sentence and its compression. */
typedef struct pair {
    tz_arena *arena;
    const char *id;
    int32_t *word; /* of the compression's words: which words of the sentence they are */
    tz_analysed source, compression;
} pair;

typedef struct job {
    const settings *settings;
    tz_text_file input;
    tz_analyser *analyser;
    pair pair[PORTION];
    size_t count, empty, longer, wrong; /* left out: nothing kept, too long, with a message */
    tz_text text;
} job;

/* ---- Reading --------------------------------------------------------------------------------- */

/* Words word[0..words-1] as a sentence, with fine tags where they are given. */
static tz_status make(tz_arena *arena, const char *const *word, const char *const *opt_tag,
                      size_t words, tz_analysed *ret) {
    tz_text line = {0};
    tz_token *token = tz_arena_array(arena, words, sizeof *token);
    for (size_t w = 0; w < words && token; w++) {
        token[w].begin = line.size;
        tz_text_put(&line, word[w]);
        token[w].end = line.size;
        tz_text_put(&line, " ");
    }
    const char *text = token && !line.failed ? tz_arena_text(arena, line.data, line.size) : NULL;
    tz_text_free(&line);
    tz_status status = text ? tz_analysed_tokens(arena, text, token, words, ret) : TZ_NO_MEMORY;
    for (size_t w = 0; w < words && opt_tag && status == TZ_OK; w++)
        ret->name[TZ_XPOS][w + 1] = opt_tag[w];
    return status;
}

/* What is to be done: all that is not known. */
static unsigned stages(const settings *s, const tz_analysed *item) {
    unsigned todo = 1u << TZ_STAGE_TAG;
    todo |= s->tags ? 0 : 1u << TZ_STAGE_PARSE | 1u << TZ_STAGE_LABEL;
    return todo | (tz_analysed_lacks(item, TZ_STAGE_FINE) ? 1u << TZ_STAGE_FINE : 0);
}

/* TZ_BAD_ARGUMENT with what is wrong in the line; TZ_NONE: left out. */
static tz_status read_pair(job *j, const char *line, size_t size, pair *pair, tz_error *error) {
    const json_t *record;
    const char *const *word, *const *tag;
    tz_compression *compression;
    size_t words, compressions, kept = 0;
    tz_status status = tz_record_parse(pair->arena, line, size, &record, error);
    status = status == TZ_OK ? tz_record_id(pair->arena, record, &pair->id, error) : status;
    status = status == TZ_OK ? tz_record_words(pair->arena, record, &word, &words, error) : status;
    if (status == TZ_OK && !word) {
        *error = (tz_error){TZ_BAD_ARGUMENT, "there is no \"tokens\": the words of the sentence"};
        return TZ_BAD_ARGUMENT;
    }
    status = status == TZ_OK ? tz_record_tags(pair->arena, record, words, &tag, error) : status;
    if (status == TZ_OK && j->settings->tags && !tag) {
        *error = (tz_error){TZ_BAD_ARGUMENT, "there is no \"pos\": the fine tags of the words"};
        return TZ_BAD_ARGUMENT;
    }
    if (status == TZ_OK) {
        status = tz_record_compressions(pair->arena, record, word, words, &compression,
                                        &compressions, error);
    }
    if (status != TZ_OK)
        return status;
    for (size_t w = 0; w < words; w++)
        kept += compression->keep[w];
    j->longer += words > (size_t)j->settings->words;
    j->empty += words <= (size_t)j->settings->words && kept == 0;
    if (words > (size_t)j->settings->words || kept == 0)
        return TZ_NONE;
    const char **form = tz_arena_array(pair->arena, kept, sizeof *form);
    pair->word = tz_arena_array(pair->arena, kept + 1, sizeof *pair->word);
    if (!form || !pair->word)
        return TZ_NO_MEMORY;
    kept = 0;
    for (size_t w = 0; w < words; w++) {
        if (compression->keep[w]) {
            form[kept++] = word[w];
            pair->word[kept] = (int32_t)w + 1;
        }
    }
    status = make(pair->arena, word, j->settings->retag ? NULL : tag, words, &pair->source);
    pair->source.todo = status == TZ_OK ? stages(j->settings, &pair->source) : 0;
    return status == TZ_OK ? make(pair->arena, form, NULL, kept, &pair->compression) : status;
}

static void clear(job *j) {
    for (size_t p = 0; p < j->count; p++)
        tz_arena_free(j->pair[p].arena);
    j->count = 0;
}

/* Is a line that is wrong passed over, with a message? */
static bool leave_out(job *j, const tz_error *error) {
    if (j->settings->keep_going) {
        tz_message(command, "%s", error->message);
        j->wrong++;
    }
    return j->settings->keep_going;
}

/* The next portion; TZ_NONE where there are no more. */
static tz_status read_portion(job *j, tz_error *error) {
    clear(j);
    while (j->count < PORTION) {
        char *line;
        size_t size;
        tz_status status = tz_lines_next(j->input.lines, &line, &size, error);
        if (status == TZ_IO && leave_out(j, error))
            continue;
        if (status != TZ_OK)
            return status == TZ_NONE && j->count > 0 ? TZ_OK : status;
        if (strspn(line, " \t") == size)
            continue;
        pair *pair = &j->pair[j->count];
        *pair = (struct pair){.arena = tz_arena_new()};
        status = pair->arena ? read_pair(j, line, size, pair, error) : TZ_NO_MEMORY;
        if (status == TZ_OK) {
            j->count++;
            continue;
        }
        tz_arena_free(pair->arena);
        if (status == TZ_BAD_ARGUMENT) {
            tz_error wrong = *error;
            status = tz_bad_input(error, tz_lines_name(j->input.lines),
                                  tz_lines_number(j->input.lines), "%s", wrong.message);
            if (leave_out(j, error))
                continue;
        }
        if (status != TZ_NONE)
            return status;
    }
    return TZ_OK;
}

/* ---- Analysing and writing ------------------------------------------------------------------- */

/* The compression's words keep the tags that they have in the sentence. */
static void copy_tags(pair *pair) {
    tz_analysed *to = &pair->compression, *from = &pair->source;
    static const int columns[] = {TZ_UPOS, TZ_XPOS};
    for (int32_t k = 1; k <= to->sentence.words; k++) {
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
            to->name[columns[c]][k] = from->name[columns[c]][pair->word[k]];
            tz_sentence_column(&to->sentence, k, columns[c], to->name[columns[c]][k]);
        }
    }
    tz_sentence_tagged(&to->sentence);
    to->todo = 1u << TZ_STAGE_PARSE;
}

static tz_status analyse(job *j, tz_error *error) {
    tz_analysed *item[PORTION];
    for (size_t p = 0; p < j->count; p++) {
        tz_analysed *source = item[p] = &j->pair[p].source;
        for (int32_t w = 1; w <= source->sentence.words; w++)
            tz_sentence_column(&source->sentence, w, TZ_XPOS, source->name[TZ_XPOS][w]);
    }
    tz_status status = tz_analyse(j->analyser, item, j->count, error);
    for (size_t p = 0; p < j->count && status == TZ_OK; p++) {
        copy_tags(&j->pair[p]);
        item[p] = &j->pair[p].compression;
    }
    return status == TZ_OK ? tz_analyse(j->analyser, item, j->count, error) : status;
}

/* Columns that are NULL are not known. */
static void write_row(tz_text *text, int32_t word, const char *const *column) {
    char number[16];
    snprintf(number, sizeof number, "%d", (int)word);
    tz_text_put(text, number);
    for (int c = TZ_FORM; c < TZ_COLUMNS; c++) {
        tz_text_put(text, "\t");
        tz_text_put(text, column[c] ? column[c] : "_");
    }
    tz_text_put(text, "\n");
}

static void write_pair(const pair *pair, tz_text *text) {
    const tz_analysed *source = &pair->source;
    const tz_sentence *compressed = &pair->compression.sentence;
    int32_t k = 1;
    if (pair->id && !strpbrk(pair->id, "\r\n")) {
        tz_text_put(text, "# sent_id = ");
        tz_text_put(text, pair->id);
        tz_text_put(text, "\n");
    }
    for (int32_t w = 1; w <= source->sentence.words; w++) {
        const bool keeps = k <= compressed->words && pair->word[k] == w;
        char head[16], kept[32];
        snprintf(head, sizeof head, "%d", (int)source->sentence.head[w]);
        if (keeps)
            snprintf(kept, sizeof kept, "Kept=%d", (int)pair->word[compressed->head[k++]]);
        write_row(text, w,
                  (const char *[TZ_COLUMNS]){[TZ_FORM] = source->sentence.form[w],
                                             [TZ_UPOS] = source->name[TZ_UPOS][w],
                                             [TZ_XPOS] = source->name[TZ_XPOS][w],
                                             [TZ_HEAD] = head,
                                             [TZ_DEPREL] = source->name[TZ_DEPREL][w],
                                             [TZ_MISC] = keeps ? kept : NULL});
    }
    tz_text_put(text, "\n");
}

/* Words and tags. */
static void write_tags(const pair *pair, tz_text *text) {
    const tz_analysed *source = &pair->source;
    for (int32_t w = 1; w <= source->sentence.words; w++) {
        write_row(text, w,
                  (const char *[TZ_COLUMNS]){[TZ_FORM] = source->sentence.form[w],
                                             [TZ_UPOS] = source->name[TZ_UPOS][w],
                                             [TZ_XPOS] = source->name[TZ_XPOS][w]});
    }
    tz_text_put(text, "\n");
}

static tz_status write_portion(job *j) {
    tz_text_clear(&j->text);
    for (size_t p = 0; p < j->count; p++)
        if (j->settings->tags)
            write_tags(&j->pair[p], &j->text);
        else
            write_pair(&j->pair[p], &j->text);
    tz_text_write(&j->text, stdout); /* the dispatcher sees if it failed */
    return j->text.failed ? TZ_NO_MEMORY : TZ_OK;
}

static int run(job *j) {
    tz_error error = {TZ_OK, ""};
    tz_status status;
    while ((status = read_portion(j, &error)) == TZ_OK) {
        status = j->analyser ? analyse(j, &error) : TZ_OK;
        status = status == TZ_OK ? write_portion(j) : status;
        if (status != TZ_OK)
            break;
    }
    if (status == TZ_NONE && !j->settings->quiet && j->empty + j->longer > 0) {
        fprintf(stderr,
                "%s: left out: %zu pairs of which nothing is kept, %zu of more than %ld "
                "words\n",
                command, j->empty, j->longer, j->settings->words);
    }
    return status != TZ_NONE ? tz_failed(command, status, &error)
           : j->wrong > 0    ? TZ_EXIT_INPUT
                             : 0;
}

/* ---- Command line ---------------------------------------------------------------------------- */

static int load(const settings *s, tz_analyser **ret_analyser) {
    const unsigned tags = 1u << TZ_STAGE_TAG | 1u << TZ_STAGE_FINE;
    const unsigned wanted = s->tags ? tags : tags | 1u << TZ_STAGE_PARSE | 1u << TZ_STAGE_LABEL;
    char *found = NULL;
    int exit = s->model ? 0 : tz_find_model(command, &found);
    if (exit == 0)
        exit = tz_load_models(command, s->model ? s->model : found, 0, wanted, (unsigned)s->threads,
                              ret_analyser);
    free(found);
    return exit;
}

static const tz_option option_table[] = {
    {"model", 'm', "MODEL",
     "model to tag, parse and label with, from `trapeze model pack`\n"
     "(the English model that comes with trapeze)",
     TZ_TEXT_AT(settings, model)},
    {"retag", 0, NULL, "pass over \"pos\": the model finds the fine tags as well",
     TZ_FLAG_AT(settings, retag)},
    {"tags", 0, NULL,
     "print the sentences' words and their \"pos\" alone, to train a\n"
     "tagger, and with -m the UPOS that MODEL finds to go with these",
     TZ_FLAG_AT(settings, tags)},
    {"threads", 0, "N", "threads (1)", TZ_NUMBER_AT(settings, threads, 1, 256)},
    {"max-words", 0, "N", "leave out sentences of more words (200)",
     TZ_NUMBER_AT(settings, words, 1, TZ_CONLLU_WORDS)},
    {"keep-going", 0, NULL, "leave out a pair that is wrong, and go on",
     TZ_FLAG_AT(settings, keep_going)},
    {"quiet", 0, NULL, "do not say what was left out", TZ_FLAG_AT(settings, quiet)},
};

int tz_cli_pairs(int argc, char **argv) {
    tz_options o = {
        .command = command,
        .synopsis = "[OPTION]... [FILE|-]",
        .about =
            "Tag and parse pairs of a sentence and its compression, for `trapeze train\n"
            "compressor`. FILE is JSON Lines: {\"tokens\": \"A B C .\", \"keep\": \"1011\"}, maybe "
            "with\n"
            "\"pos\", fine tags that are used as they are, and \"id\". Prints the sentences in\n"
            "CoNLL-U with tags, tree and labels; MISC says Kept=HEAD of each word that is kept:\n"
            "its head in the tree of the compression, which is parsed by itself.\n",
        .notes =
            "Exit code: 0; 1 if the input was wrong, also with --keep-going; 2 for bad usage.\n",
        .most = 1,
        .usual = "-",
        .wanted = "one FILE at most",
        TZ_COMMAND_ROWS(option_table, argc, argv)};
    settings s = {.threads = 1, .words = 200};
    if (!tz_take_options(&o, NULL, &s))
        return o.status;
    if (s.tags && s.retag)
        return tz_usage_error(command, "--tags prints the \"pos\" that --retag passes over");
    job *j = calloc(1, sizeof *j);
    if (!j)
        return tz_failed(command, TZ_NO_MEMORY, NULL);
    j->settings = &s;
    int exit = s.tags && !s.model ? 0 : load(&s, &j->analyser);
    exit = exit == 0 ? tz_text_file_open(command, *o.operand, LINE_LIMIT, &j->input) : exit;
    exit = exit == 0 ? run(j) : exit;
    clear(j);
    tz_text_file_close(&j->input);
    tz_analyser_free(j->analyser);
    tz_text_free(&j->text);
    free(j);
    return exit;
}
