/* train_task.c - `trapeze train tagger` and `trapeze train parser`. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/train.h"
#include "cli/treebank.h"
#include "learn/projective.h"
#include "learn/train.h"

enum { OUTPUT, DEV, SEED, EPOCHS, PATIENCE, BATCH, THREADS, TABLE, FLOATS, QUIET, COMMON };
enum { SINGLE_ROOT = COMMON, OPTIONS };

static const tz_option option_table[OPTIONS] = {
    [OUTPUT] = {"output", 'o', "MODEL", "the file to write"},
    [DEV] = {"dev", 0, "FILE",
             "measure on this treebank after every epoch; keep the\n"
             "best epoch's weights, and stop when they stay the best"},
    [SEED] = {"seed", 0, "S", "of the order of sentences (1)"},
    [EPOCHS] = {"epochs", 0, "N", "passes over the sentences at most (10)"},
    [PATIENCE] = {"patience", 0, "N", "epochs without a better result on --dev to stop after (3)"},
    [BATCH] = {"batch", 0, "N", "sentences between two changes of the weights (4)"},
    [THREADS] = {"threads", 0, "N", "threads (1); the model is the same for any number"},
    [TABLE] = {"table", 0, "BITS", "2^BITS rows of weights (tagger 18, parser 22)"},
    [FLOATS] = {"floats", 0, NULL, "write weights as floats, 4 bytes each, instead of one"},
    [QUIET] = {"quiet", 0, NULL, "no progress"},
    [SINGLE_ROOT] = {"single-root", 0, NULL, "trees with exactly one word at the root"},
};

typedef struct settings {
    const tz_task *task;
    const char *command, *rules, *file, *output, *dev;
    long seed, epochs, patience, batch, threads, table;
    tz_encoding encoding;
    bool quiet;
} settings;

static int read_options(tz_options *o, settings *s) {
    int which, status = 0;
    while ((which = tz_next_option(o)) != TZ_END && status == 0) {
        switch (which) {
        case TZ_STOP:
            return TZ_STOP;
        case TZ_OPERAND:
            if (s->file) {
                status =
                    tz_usage_error(s->command, "one FILE, not '%s' and '%s'", s->file, o->value);
            }
            s->file = o->value;
            break;
        case OUTPUT:
            s->output = o->value;
            break;
        case DEV:
            s->dev = o->value;
            break;
        case SEED:
            status = tz_option_number(o, which, 0, INT32_MAX, &s->seed);
            break;
        case EPOCHS:
            status = tz_option_number(o, which, 1, 10000, &s->epochs);
            break;
        case PATIENCE:
            status = tz_option_number(o, which, 1, 10000, &s->patience);
            break;
        case BATCH:
            status = tz_option_number(o, which, 1, 4096, &s->batch);
            break;
        case THREADS:
            status = tz_option_number(o, which, 1, 256, &s->threads);
            break;
        case TABLE:
            status = tz_option_number(o, which, 1, TZ_MODEL_BITS, &s->table);
            break;
        case FLOATS:
            s->encoding = TZ_WEIGHTS_FLOAT;
            break;
        case QUIET:
            s->quiet = true;
            break;
        case SINGLE_ROOT:
            s->rules = "eisner-single-root";
            break;
        }
    }
    if (status == 0 && !s->output) {
        status = tz_usage_error(s->command, "-o MODEL is missing: the file to write");
    }
    if (status == 0 && !s->file) {
        status = tz_usage_error(s->command, "the treebank is missing: a CoNLL-U file, or -");
    }
    o->status = status;
    return status == 0 ? 0 : TZ_STOP;
}

/* ---- Progress -------------------------------------------------------------------------------- */

typedef struct watch {
    const settings *settings;
    bool terminal;
    double begun, shown; /* seconds */
} watch;

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool report(void *user, const tz_training_progress *p) {
    watch *watch = user;
    double now = seconds(), spent = now - watch->begun;
    if (!p->epoch_over && (!watch->terminal || now - watch->shown < 0.5)) {
        return true;
    }
    watch->shown = now;
    double done = (double)p->sentences * (p->epoch - 1) + (double)p->done;
    double rate = spent > 0 ? done / spent : 0;
    double left = rate > 0 ? ((double)p->sentences * p->epochs - done) / rate : 0;
    fprintf(stderr, "%sepoch %u of %u, %3.0f %%: loss %.4f, %.0f sentences/s, %d:%02d left%s",
            watch->terminal ? "\r\033[K" : "", p->epoch, p->epochs,
            100 * (double)p->done / (double)p->sentences, p->loss, rate, (int)left / 60,
            (int)left % 60,
            p->epoch_over && !isnan(p->accuracy) ? ""
            : p->epoch_over                      ? "\n"
                                                 : "");
    if (p->epoch_over && !isnan(p->accuracy)) {
        fprintf(stderr, "; dev: %s %.2f %%%s\n", watch->settings->task->measure, 100 * p->accuracy,
                p->accuracy < p->best ? "" : " (best)");
    }
    fflush(stderr);
    return true;
}

/* ---- Training -------------------------------------------------------------------------------- */

/* Makes the trees ones that the rules derive: arcs are lifted; sentences that have several root
 * words where one is wanted are left out (their words are taken away). */
static int make_derivable(const settings *s, tz_corpus *corpus) {
    size_t lost = 0, trees = 0, left_out = 0;
    bool single = strstr(s->rules, "single-root") != NULL;
    for (size_t i = 0; i < corpus->count; i++) {
        tz_sentence *sentence = &corpus->sentence[i];
        size_t positions = (size_t)sentence->words + 1, roots = 0, changed = 0;
        int32_t *before = malloc(positions * sizeof *before);
        if (!before) {
            tz_message(s->command, "%s", tz_status_name(TZ_NO_MEMORY));
            return TZ_EXIT_INPUT;
        }
        memcpy(before, sentence->head, positions * sizeof *before);
        tz_projectivise(sentence->head, sentence->words);
        for (int32_t w = 1; w <= sentence->words; w++) {
            changed += sentence->head[w] != before[w];
            roots += sentence->head[w] == 0;
        }
        free(before);
        lost += changed;
        trees += changed > 0;
        if (single && roots != 1) {
            corpus->words -= (size_t)sentence->words;
            sentence->words = 0;
            left_out++;
        }
    }
    if (!s->quiet && lost > 0) {
        fprintf(stderr, "%s: %zu arcs of %zu trees were lifted to make them projective\n",
                s->command, lost, trees);
    }
    if (!s->quiet && left_out > 0) {
        fprintf(stderr, "%s: %zu trees without exactly one root word were left out\n", s->command,
                left_out);
    }
    return 0;
}

static int train(const settings *s, tz_labels *tags, const tz_corpus *corpus,
                 const tz_corpus *dev) {
    watch watch = {s, !s->quiet && isatty(STDERR_FILENO), seconds(), 0};
    tz_training training = {.seed = (uint64_t)s->seed,
                            .epochs = (unsigned)s->epochs,
                            .patience = dev ? (unsigned)s->patience : 0,
                            .batch = (unsigned)s->batch,
                            .threads = (unsigned)s->threads,
                            .report = s->quiet ? NULL : report,
                            .user = &watch};
    tz_model *model;
    tz_table_use use;
    tz_error error = {TZ_OK, ""};
    tz_labels none = {0};
    tz_labels *labels = s->task->labelled ? tags : &none;
    tz_status status = tz_model_new(s->task, s->rules, (unsigned)s->table, labels, &model);
    if (status == TZ_OK) {
        status = tz_train(model, corpus, dev, &training, &use, &error);
    }
    if (status == TZ_OK && !s->quiet) {
        double used = (double)use.used, rows = (double)use.rows;
        fprintf(stderr,
                "table: %zu of %zu rows used (%.1f %%), %zu by more than one feature (%.1f %%)\n",
                use.used, use.rows, 100 * used / rows, use.shared,
                use.used > 0 ? 100 * (double)use.shared / used : 0);
    }
    if (status == TZ_OK) {
        status = tz_model_save(model, s->encoding, s->output, &error);
    }
    tz_model_free(model);
    return status == TZ_OK ? 0 : tz_treebank_error(s->command, status, &error);
}

static int run(settings *s, int argc, char **argv, const char *about, int options) {
    tz_options o = {.command = s->command,
                    .synopsis = "-o MODEL [OPTION]... FILE",
                    .about = about,
                    .notes = "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n",
                    .option = option_table,
                    .options = options,
                    .argc = argc,
                    .argv = argv,
                    .next = 1};
    if (read_options(&o, s) != 0) {
        return o.status;
    }
    tz_labels names = {0};
    tz_corpus_options reading = {.grow = true, .need = 1u << s->task->column};
    reading.labels[s->task->column] = s->task->labelled ? &names : NULL;
    tz_corpus corpus, dev = {0};
    int exit = tz_treebank_read(s->command, s->file, &reading, &corpus);
    reading.grow = false;
    if (exit == 0 && s->dev) {
        exit = tz_treebank_read(s->command, s->dev, &reading, &dev);
    }
    if (exit == 0 && s->task == &tz_parser) {
        exit = make_derivable(s, &corpus);
    }
    if (exit == 0) {
        exit = train(s, &names, &corpus, s->dev ? &dev : NULL);
    }
    tz_corpus_free(&corpus);
    tz_corpus_free(&dev);
    tz_labels_free(&names);
    return exit;
}

int tz_cli_train_tagger(int argc, char **argv) {
    settings s = {.task = &tz_tagger, .command = "trapeze train tagger", .rules = "chain"};
    s.seed = 1, s.epochs = 10, s.patience = 3, s.batch = 4, s.threads = 1, s.table = 18;
    s.encoding = TZ_WEIGHTS_BYTES;
    return run(&s, argc, argv,
               "Train a part-of-speech tagger on the words and tags (UPOS) of FILE, in CoNLL-U:\n"
               "an averaged structured perceptron over the rule set chain.\n",
               COMMON);
}

int tz_cli_train_parser(int argc, char **argv) {
    settings s = {.task = &tz_parser, .command = "trapeze train parser", .rules = "eisner"};
    s.seed = 1, s.epochs = 10, s.patience = 3, s.batch = 4, s.threads = 1, s.table = 22;
    s.encoding = TZ_WEIGHTS_BYTES;
    return run(&s, argc, argv,
               "Train a dependency parser on the words, tags (UPOS and XPOS) and heads of FILE,\n"
               "in CoNLL-U: an averaged structured perceptron over the rule set eisner. Arcs that\n"
               "cross are lifted until none do (Nivre & Nilsson 2005).\n",
               OPTIONS);
}
