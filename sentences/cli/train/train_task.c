/* train_task.c - `trapeze train tagger`, `parser`, `compressor`, ... SPDX-License-Identifier: MIT
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "ranks/ranks.h"
#include "sentences/cli/input/treebank.h"
#include "sentences/cli/train/train.h"
#include "sentences/cli/train/train_options.h"
#include "sentences/cli/train/train_text.h"
#include "sentences/cli/train/train_watch.h"
#include "sentences/features/sentence/dictionary.h"
#include "sentences/features/sentence/projective.h"

/* Makes the trees ones that the rules derive: arcs are lifted; sentences that have several root
 * words where one is wanted are left out (their words are taken away). */
static int make_derivable(const tz_train_settings *s, tz_corpus *corpus) {
    uint64_t lost = 0, trees = 0, left_out = 0;
    for (size_t i = 0; i < corpus->count; i++) {
        tz_sentence *sentence = &corpus->sentence[i];
        size_t positions = (size_t)sentence->words + 1, roots = 0, changed = 0;
        int32_t *before = malloc(positions * sizeof *before);
        if (!before)
            return tz_failed(s->command, TZ_NO_MEMORY, NULL);
        memcpy(before, sentence->head, positions * sizeof *before);
        tz_projectivise(sentence->head, sentence->words);
        for (int32_t w = 1; w <= sentence->words; w++) {
            changed += sentence->head[w] != before[w];
            roots += sentence->head[w] == 0;
        }
        free(before);
        lost += changed;
        trees += changed > 0;
        if (s->single_root && roots != 1) {
            corpus->words -= (size_t)sentence->words;
            sentence->words = 0;
            left_out++;
        }
    }
    uint64_t all[] = {lost, trees, left_out};
    tz_error error = {TZ_OK, ""};
    tz_status status = tz_ranks_add(all, 3, &error);
    if (status != TZ_OK)
        return tz_failed(s->command, status, &error);
    if (!s->quiet && all[0] > 0) {
        fprintf(stderr,
                "%s: %" PRIu64 " arcs of %" PRIu64 " trees were lifted to make them projective\n",
                s->command, all[0], all[1]);
    }
    if (!s->quiet && all[2] > 0) {
        fprintf(stderr, "%s: %" PRIu64 " trees without exactly one root word were left out\n",
                s->command, all[2]);
    }
    return 0;
}

/* What a tag dictionary says of the words. */
static int look_up(const tz_train_settings *s, tz_corpus *corpus, tz_corpus *dev) {
    tz_sketch *dictionary;
    tz_error error = {TZ_OK, ""};
    tz_status status = tz_sketch_load(s->dictionary, TZ_SKETCH_DICTIONARY, &dictionary, &error);
    if (status != TZ_OK)
        return tz_failed(s->command, status, &error);
    for (size_t i = 0; i < corpus->count; i++)
        tz_dictionary_look(dictionary, &corpus->sentence[i]);
    for (size_t i = 0; i < dev->count; i++)
        tz_dictionary_look(dictionary, &dev->sentence[i]);
    tz_sketch_free(dictionary);
    return 0;
}

/* The model of all ranks, on rank 0. */
static tz_status finish(tz_train_settings *s, tz_model *model, const tz_corpus *dev,
                        tz_error *error) {
    tz_status status = TZ_OK;
    tz_model_prune(model, s->prune);
    if (s->task == &tz_compressor)
        status = tz_train_pairs_finish(&s->pairs, model, dev, s->quiet, error);
    return status == TZ_OK && s->output ? tz_model_save(model, s->encoding, s->output, error)
                                        : status;
}

/* A table that has room for all labels of each row. 0, or the exit code after a message. */
static int fit_table(tz_train_settings *s, size_t labels) {
    long fits = s->table;
    while (fits > 1 && labels << fits > TZ_MODEL_WEIGHTS)
        fits--;
    if (fits == s->table)
        return 0;
    if (s->table_told) {
        tz_message(s->command, "%zu labels and --table=%ld are more than %d weights; %ld fits",
                   labels, s->table, TZ_MODEL_WEIGHTS, fits);
        return TZ_EXIT_INPUT;
    }
    if (!s->quiet)
        fprintf(stderr, "%zu labels: a table of 2^%ld rows has room for them\n", labels, fits);
    s->table = fits;
    return 0;
}

static int train(tz_train_settings *s, tz_labels *tags, tz_corpus *corpus, const tz_corpus *dev) {
    tz_train_watch watch;
    tz_training training = s->training;
    training.seed = (uint64_t)s->seed;
    training.epochs = (unsigned)s->epochs;
    training.patience = dev ? (unsigned)s->patience : 0;
    training.threads = (unsigned)s->threads;
    training.report = tz_train_watch_report;
    training.user = &watch;
    tz_train_watch_begin(&watch, &training, s->task, s->quiet);
    if (s->state)
        tz_train_catch_signals();
    tz_model *model;
    tz_table_use use;
    tz_error error = {TZ_OK, ""};
    tz_labels none = {0};
    tz_labels *labels = s->task->labelled ? tags : &none;
    tz_status status = tz_model_new(s->task, s->rules, (unsigned)s->table, labels, &model);
    if (status == TZ_OK)
        status = tz_train(model, corpus, dev, &training, &use, &error);
    if (status == TZ_OK && !s->quiet) {
        double used = (double)use.used, rows = (double)use.rows;
        fprintf(stderr,
                "table: %zu of %zu rows used (%.1f %%), %zu by more than one feature (%.1f %%)\n",
                use.used, use.rows, 100 * used / rows, use.shared,
                use.used > 0 ? 100 * (double)use.shared / used : 0);
    }
    if (status == TZ_OK)
        status = tz_train_tell_ranks(s->quiet, &error);
    if (status == TZ_OK && tz_rank() == 0)
        status = finish(s, model, dev, &error);
    tz_model_free(model);
    if (status == TZ_NONE) {
        tz_message(s->command, "stopped; no model is written; --resume goes on from %s", s->state);
        return TZ_EXIT_INPUT;
    }
    return status == TZ_OK ? 0 : tz_failed(s->command, status, &error);
}

static int run(tz_train_settings *s, int argc, char **argv, const char *about) {
    int exit;
    if (!tz_train_read_options(s, argc, argv, about, &exit))
        return exit;
    tz_labels names = {0};
    tz_corpus_options reading = {.grow = true, .need = 1u << s->task->column | s->task->needs};
    reading.both = s->task == &tz_joint_tagger;
    reading.labels[s->task->column] = s->task->labelled ? &names : NULL;
    tz_corpus corpus = {0}, dev = {0};
    s->quiet = s->quiet || tz_rank() > 0;
    if (s->task == &tz_compressor) {
        exit = tz_train_pairs_read(&s->pairs, s->command, s->single_root, s->quiet, s->file, s->dev,
                                   &corpus, &dev);
    } else if (s->task == &tz_sentence_splitter || s->task == &tz_word_tokeniser) {
        exit = tz_train_text_read(s->command, s->file, s->task, true, s->words, &names, &corpus);
        if (exit == 0 && s->dev)
            exit = tz_train_text_read(s->command, s->dev, s->task, false, s->words, &names, &dev);
    } else {
        exit = tz_treebank_read_share(s->command, s->file, &reading, &corpus);
        reading.grow = false;
        if (exit == 0 && s->dev)
            exit = tz_treebank_read(s->command, s->dev, &reading, &dev);
    }
    if (exit == 0 && s->dictionary)
        exit = look_up(s, &corpus, &dev);
    if (exit == 0 && s->task == &tz_parser)
        exit = make_derivable(s, &corpus);
    if (exit == 0)
        exit = fit_table(s, names.count > 0 ? names.count : 1);
    if (exit == 0)
        exit = train(s, &names, &corpus, s->dev ? &dev : NULL);
    tz_train_pairs_free(&s->pairs);
    tz_corpus_free(&corpus);
    tz_corpus_free(&dev);
    tz_labels_free(&names);
    return exit;
}

int tz_cli_train_tagger(int argc, char **argv) {
    tz_train_settings s = {.task = &tz_tagger, .command = "trapeze train tagger", .rules = "chain"};
    tz_train_defaults(&s, 18, 0.2);
    return run(&s, argc, argv,
               "Train a part-of-speech tagger on the words and tags (UPOS) of FILE, in CoNLL-U,\n"
               "over the rule set chain: an averaged structured perceptron, or a conditional\n"
               "random field (--objective likelihood).\n");
}

int tz_cli_train_fine_tagger(int argc, char **argv) {
    tz_train_settings s = {
        .task = &tz_fine_tagger, .command = "trapeze train fine-tagger", .rules = "chain"};
    tz_train_defaults(&s, 18, 0.2);
    return run(&s, argc, argv,
               "Train a tagger on the words and the treebank's own tags (XPOS) of FILE, in\n"
               "CoNLL-U, as 'trapeze train tagger' does on UPOS.\n");
}

int tz_cli_train_joint_tagger(int argc, char **argv) {
    tz_train_settings s = {
        .task = &tz_joint_tagger, .command = "trapeze train joint-tagger", .rules = "chain"};
    tz_train_defaults(&s, 18, 0.2);
    return run(&s, argc, argv,
               "Train a tagger that decides both tags of a word together (UPOS and XPOS), on\n"
               "FILE, in CoNLL-U: of the pairs that come there, as 'trapeze train tagger' does on\n"
               "UPOS. The dictionary that it is trained with belongs to the model.\n");
}

int tz_cli_train_splitter(int argc, char **argv) {
    tz_train_settings s = {
        .task = &tz_sentence_splitter, .command = "trapeze train splitter", .rules = "chain"};
    tz_train_defaults(&s, 16, 0.2);
    return run(
        &s, argc, argv,
        "Train where sentences end, on the sentences of FILE, in CoNLL-U with SpaceAfter=No,\n"
        "and paragraphs begun by # newpar or # newdoc; as 'trapeze train tagger' does. The\n"
        "rules for ends are among what it sees.\n");
}

int tz_cli_train_tokeniser(int argc, char **argv) {
    tz_train_settings s = {
        .task = &tz_word_tokeniser, .command = "trapeze train tokeniser", .rules = "chain"};
    tz_train_defaults(&s, 18, 0.2);
    return run(
        &s, argc, argv,
        "Train where words end in the text of a sentence, on FILE, in CoNLL-U with\n"
        "SpaceAfter=No, and which tokens stand for several words (1-2 im); as 'trapeze train\n"
        "tagger' does. The rules for English words are among what it sees.\n");
}

int tz_cli_train_labeller(int argc, char **argv) {
    tz_train_settings s = {
        .task = &tz_labeller, .command = "trapeze train labeller", .rules = "chain"};
    tz_train_defaults(&s, 16, 0.2);
    return run(&s, argc, argv,
               "Train a labeller of arcs (DEPREL) on the words, tags and trees of FILE, in\n"
               "CoNLL-U, over the rule set chain in the order of the words: an averaged\n"
               "structured perceptron, or a conditional random field (--objective likelihood).\n");
}

int tz_cli_train_parser(int argc, char **argv) {
    tz_train_settings s = {.task = &tz_parser, .command = "trapeze train parser", .order = 1};
    tz_train_defaults(&s, 22, 0.05);
    return run(&s, argc, argv,
               "Train a dependency parser on the words, tags (UPOS and XPOS) and heads of FILE,\n"
               "in CoNLL-U, over the rule set eisner or sibling: an averaged structured\n"
               "perceptron, or by conditional log-likelihood (--objective likelihood). Arcs that\n"
               "cross are lifted until none do (Nivre & Nilsson 2005).\n");
}

int tz_cli_train_compressor(int argc, char **argv) {
    tz_train_settings s = {
        .task = &tz_compressor, .command = "trapeze train compressor", .order = 1};
    tz_train_defaults(&s, 21, 0.05);
    return run(&s, argc, argv,
               "Train a compressor on pairs of a sentence and its compression that are tagged and\n"
               "parsed, as `trapeze pairs` writes them, over the rule set compress or\n"
               "compress-sibling. With --dev, how readily words are kept is set at the end to\n"
               "what gives the best F1 of the kept words there. The grammar and the bigrams that\n"
               "it is trained with belong to the model: it is no good without the same ones.\n");
}
