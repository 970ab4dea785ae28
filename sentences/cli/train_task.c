/* train_task.c - `trapeze train tagger`, `parser` and `compressor`. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "cli/cli.h"
#include "sentences/cli/train.h"
#include "sentences/cli/train_pairs.h"
#include "sentences/cli/train_watch.h"
#include "sentences/cli/treebank.h"
#include "sentences/features/projective.h"
#include "sentences/learn/train.h"

enum {
    OUTPUT,
    DEV,
    OBJECTIVE,
    OPTIMISER,
    MARGIN,
    RATE,
    L2,
    LEAST,
    SEED,
    EPOCHS,
    PATIENCE,
    BATCH,
    THREADS,
    STATE,
    RESUME,
    TABLE,
    PRUNE,
    FLOATS,
    QUIET,
    COMMON
};
enum { ORDER = COMMON, SINGLE_ROOT, PARSER_OPTIONS };
enum { GRAMMAR = PARSER_OPTIONS, BIGRAMS, WITHOUT, TEST, OPTIONS };

static const tz_option option_table[OPTIONS] = {
    [OUTPUT] = {"output", 'o', "MODEL", "the file to write"},
    [DEV] = {"dev", 0, "FILE",
             "measure on this treebank after every epoch; keep the\n"
             "best epoch's weights, and stop when they stay the best"},
    [OBJECTIVE] = {"objective", 0, "NAME", "perceptron (default) or likelihood"},
    [OPTIMISER] = {"optimiser", 0, "NAME",
                   "how likelihood moves weights: adagrad (default), adam, or\n"
                   "lbfgs, on all sentences at once; an epoch is 20 steps then"},
    [MARGIN] = {"margin", 0, "X", "perceptron: by how much a word that is wrong must lose (0)"},
    [RATE] = {"rate", 0, "X", "step size (adagrad: tagger 0.2, parser 0.05; adam 0.01)"},
    [L2] = {"l2", 0, "X", "likelihood: penalty of X/2 |weights|^2 on all sentences (0.1)"},
    [LEAST] = {"least", 0, "X",
               "likelihood: parts whose count is right but for less are\n"
               "left out (0.001; lbfgs 0)"},
    [SEED] = {"seed", 0, "S", "of the order of sentences (1)"},
    [EPOCHS] = {"epochs", 0, "N", "passes over the sentences at most (10)"},
    [PATIENCE] = {"patience", 0, "N", "epochs without a better result on --dev to stop after (3)"},
    [BATCH] = {"batch", 0, "N",
               "sentences between two changes of the weights (perceptron 4,\n"
               "adagrad and adam 16)"},
    [THREADS] = {"threads", 0, "N", "threads (1); the model is the same for any number"},
    [STATE] = {"state", 0, "FILE",
               "write the training's state to FILE after every epoch, and\n"
               "when SIGINT or SIGTERM stops it after the current batch"},
    [RESUME] = {"resume", 0, NULL, "go on from the state in --state FILE"},
    [TABLE] = {"table", 0, "BITS", "2^BITS rows of weights (taggers 18, labeller 16, parser 22)"},
    [PRUNE] = {"prune", 0, "X", "make weights 0 that are below X times the greatest (0)"},
    [FLOATS] = {"floats", 0, NULL, "write weights as floats, 4 bytes each, instead of one"},
    [QUIET] = {"quiet", 0, NULL, "no progress"},
    [ORDER] = {"order", 0, "K", "1: arcs (1); 2: also each modifier's earlier sibling"},
    [SINGLE_ROOT] = {"single-root", 0, NULL, "trees with exactly one word at the root"},
    [GRAMMAR] = {"grammar", 0, "FILE", "dependency grammar, of `trapeze train grammar`"},
    [BIGRAMS] = {"bigrams", 0, "FILE", "language model, of `trapeze train bigrams`"},
    [WITHOUT] = {"without", 0, "LIST",
                 "leave out families of features: word, fidelity, grammar,\n"
                 "chunk, sibling, bigram, lm, gap; outside: arcs that the\n"
                 "input tree lacks are impossible. For experiments: no model\n"
                 "is written"},
    [TEST] = {"test", 0, "FILE", "measure the finished model on these pairs"},
};

typedef struct settings {
    const tz_task *task;
    const char *command, *rules, *file, *output, *dev;
    const char *objective, *optimiser, *state;
    double margin, rate, l2, least; /* below 0: not given */
    double prune;
    double adagrad_rate;                                       /* if it is not */
    long order, seed, epochs, patience, batch, threads, table; /* batch 0: not given */
    bool resume;
    tz_training training; /* method and state, made of these */
    tz_encoding encoding;
    bool quiet, single_root;
    tz_train_pairs pairs; /* of the compressor */
} settings;

/* A number from 0 to 10^6. */
static int read_number(const tz_options *o, int which, double *ret_number) {
    double number;
    if (!tz_number_read(o->value, strlen(o->value), &number) || !(number >= 0 && number <= 1e6)) {
        return tz_usage_error(o->command, "--%s takes a number from 0 to 1000000, not '%s'",
                              o->option[which].name, o->value);
    }
    *ret_number = number;
    return 0;
}

/* The place of a name in a list that ends with NULL, or -1 after a message. */
static int choose(const settings *s, const char *option, const char *name,
                  const char *const *choices) {
    for (int c = 0; choices[c]; c++)
        if (strcmp(choices[c], name) == 0)
            return c;
    tz_usage_error(s->command, "there is no --%s '%s'; --help lists them", option, name);
    return -1;
}

/* What goes with what, and what is not given. */
static int read_method(settings *s) {
    static const char *const objectives[] = {"perceptron", "likelihood", NULL};
    static const char *const optimisers[] = {"adagrad", "adam", "lbfgs", NULL};
    static const tz_optimiser_kind kinds[] = {TZ_ADAGRAD, TZ_ADAM, TZ_LBFGS};
    const double rates[] = {s->adagrad_rate, 0.01, 1};
    int objective = choose(s, "objective", s->objective ? s->objective : "perceptron", objectives);
    int optimiser = choose(s, "optimiser", s->optimiser ? s->optimiser : "adagrad", optimisers);
    if (objective < 0 || optimiser < 0)
        return TZ_EXIT_USAGE;
    s->training.objective = objective == 0 ? TZ_PERCEPTRON : TZ_LIKELIHOOD;
    bool likelihood = s->training.objective == TZ_LIKELIHOOD;
    if (!likelihood && (s->optimiser || s->rate >= 0 || s->l2 >= 0 || s->least >= 0)) {
        return tz_usage_error(s->command,
                              "--optimiser, --rate, --l2 and --least go with --objective "
                              "likelihood");
    }
    if (likelihood && s->margin >= 0)
        return tz_usage_error(s->command, "--margin goes with --objective perceptron");
    s->training.optimiser = likelihood ? kinds[optimiser] : TZ_AVERAGE;
    if (s->training.optimiser == TZ_LBFGS && (s->rate >= 0 || s->batch > 0))
        return tz_usage_error(s->command, "--optimiser lbfgs has no --rate and no --batch");
    if (s->rate == 0)
        return tz_usage_error(s->command, "--rate is above 0");
    if (s->resume && !s->state)
        return tz_usage_error(s->command, "--resume goes with --state FILE");
    if (s->state && !s->resume && access(s->state, F_OK) == 0) {
        return tz_usage_error(s->command,
                              "--state %s is there already: go on from it with --resume, or remove "
                              "it to begin anew",
                              s->state);
    }
    s->training.margin = s->margin >= 0 ? s->margin : 0;
    s->training.rate = s->rate >= 0 ? s->rate : rates[optimiser];
    s->training.l2 = s->l2 >= 0 ? s->l2 : 0.1;
    s->training.least = s->least >= 0 ? s->least : s->training.optimiser == TZ_LBFGS ? 0 : 0.001;
    s->training.batch = s->batch > 0 ? (unsigned)s->batch : likelihood ? 16 : 4;
    s->training.opt_state = s->state;
    s->training.resume = s->resume;
    return 0;
}

static int take(tz_options *o, int which, void *user) {
    settings *s = user;
    int status = 0;
    switch (which) {
    case TZ_OPERAND:
        return tz_only_operand(o, "one FILE", &s->file);
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
    case OBJECTIVE:
        s->objective = o->value;
        break;
    case OPTIMISER:
        s->optimiser = o->value;
        break;
    case MARGIN:
        status = read_number(o, which, &s->margin);
        break;
    case RATE:
        status = read_number(o, which, &s->rate);
        break;
    case L2:
        status = read_number(o, which, &s->l2);
        break;
    case LEAST:
        status = read_number(o, which, &s->least);
        break;
    case STATE:
        s->state = o->value;
        break;
    case RESUME:
        s->resume = true;
        break;
    case PRUNE:
        status = read_number(o, which, &s->prune);
        break;
    case FLOATS:
        s->encoding = TZ_WEIGHTS_FLOAT;
        break;
    case QUIET:
        s->quiet = true;
        break;
    case ORDER:
        status = tz_option_number(o, which, 1, 2, &s->order);
        break;
    case GRAMMAR:
        s->pairs.grammar = o->value;
        break;
    case BIGRAMS:
        s->pairs.bigrams = o->value;
        break;
    case WITHOUT:
        status = tz_train_without(o, &s->pairs);
        break;
    case TEST:
        s->pairs.test = o->value;
        break;
    case SINGLE_ROOT:
        s->single_root = true;
        break;
    }
    return status;
}

/* What the options ask for together, and what it takes. */
static int check(settings *s) {
    if (s->pairs.without && s->output)
        return tz_usage_error(s->command, "--without writes no model: leave out -o");
    if (!s->pairs.without && !s->output)
        return tz_usage_error(s->command, "-o MODEL is missing: the file to write");
    if (!s->file)
        return tz_usage_error(s->command, "the treebank is missing: a CoNLL-U file, or -");
    if (s->task == &tz_compressor) {
        static const char *const rules[2][2] = {
            {"compress", "compress-single-root"},
            {"compress-sibling", "compress-sibling-single-root"}};
        s->rules = rules[s->order - 1][s->single_root];
    }
    if (s->task == &tz_parser) {
        static const char *const rules[2][2] = {{"eisner", "eisner-single-root"},
                                                {"sibling", "sibling-single-root"}};
        s->rules = rules[s->order - 1][s->single_root];
    }
    return read_method(s);
}

/* ---- Training -------------------------------------------------------------------------------- */

/* Makes the trees ones that the rules derive: arcs are lifted; sentences that have several root
 * words where one is wanted are left out (their words are taken away). */
static int make_derivable(const settings *s, tz_corpus *corpus) {
    size_t lost = 0, trees = 0, left_out = 0;
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

static int train(settings *s, tz_labels *tags, const tz_corpus *corpus, const tz_corpus *dev) {
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
        tz_model_prune(model, s->prune);
    if (status == TZ_OK && s->task == &tz_compressor)
        status = tz_train_pairs_finish(&s->pairs, model, dev, s->quiet, &error);
    if (status == TZ_OK && s->output)
        status = tz_model_save(model, s->encoding, s->output, &error);
    tz_model_free(model);
    if (status == TZ_NONE) {
        tz_message(s->command, "stopped; no model is written; --resume goes on from %s", s->state);
        return TZ_EXIT_INPUT;
    }
    return status == TZ_OK ? 0 : tz_failed(s->command, status, &error);
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
    if (!tz_take_options(&o, take, s))
        return o.status;
    int exit = check(s);
    if (exit != 0)
        return exit;
    tz_labels names = {0};
    tz_corpus_options reading = {.grow = true, .need = 1u << s->task->column | s->task->needs};
    reading.labels[s->task->column] = s->task->labelled ? &names : NULL;
    tz_corpus corpus, dev = {0};
    exit = tz_treebank_read(s->command, s->file, &reading, &corpus);
    reading.grow = false;
    if (exit == 0 && s->dev)
        exit = tz_treebank_read(s->command, s->dev, &reading, &dev);
    if (exit == 0 && s->task == &tz_compressor)
        exit = tz_train_pairs_begin(&s->pairs, s->command, s->single_root, s->quiet, &corpus, &dev);
    if (exit == 0 && s->task == &tz_parser)
        exit = make_derivable(s, &corpus);
    if (exit == 0)
        exit = train(s, &names, &corpus, s->dev ? &dev : NULL);
    tz_train_pairs_free(&s->pairs);
    tz_corpus_free(&corpus);
    tz_corpus_free(&dev);
    tz_labels_free(&names);
    return exit;
}

static void set_defaults(settings *s, long table, double adagrad_rate) {
    s->adagrad_rate = adagrad_rate;
    s->margin = s->rate = s->l2 = s->least = -1;
    s->seed = 1, s->epochs = 10, s->patience = 3, s->threads = 1, s->table = table;
    s->encoding = TZ_WEIGHTS_BYTES;
}

int tz_cli_train_tagger(int argc, char **argv) {
    settings s = {.task = &tz_tagger, .command = "trapeze train tagger", .rules = "chain"};
    set_defaults(&s, 18, 0.2);
    return run(&s, argc, argv,
               "Train a part-of-speech tagger on the words and tags (UPOS) of FILE, in CoNLL-U,\n"
               "over the rule set chain: an averaged structured perceptron, or a conditional\n"
               "random field (--objective likelihood).\n",
               COMMON);
}

int tz_cli_train_fine_tagger(int argc, char **argv) {
    settings s = {
        .task = &tz_fine_tagger, .command = "trapeze train fine-tagger", .rules = "chain"};
    set_defaults(&s, 18, 0.2);
    return run(&s, argc, argv,
               "Train a tagger on the words and the treebank's own tags (XPOS) of FILE, in\n"
               "CoNLL-U, as 'trapeze train tagger' does on UPOS.\n",
               COMMON);
}

int tz_cli_train_labeller(int argc, char **argv) {
    settings s = {.task = &tz_labeller, .command = "trapeze train labeller", .rules = "chain"};
    set_defaults(&s, 16, 0.2);
    return run(&s, argc, argv,
               "Train a labeller of arcs (DEPREL) on the words, tags and trees of FILE, in\n"
               "CoNLL-U, over the rule set chain in the order of the words: an averaged\n"
               "structured perceptron, or a conditional random field (--objective likelihood).\n",
               COMMON);
}

int tz_cli_train_parser(int argc, char **argv) {
    settings s = {.task = &tz_parser, .command = "trapeze train parser", .order = 1};
    set_defaults(&s, 22, 0.05);
    return run(&s, argc, argv,
               "Train a dependency parser on the words, tags (UPOS and XPOS) and heads of FILE,\n"
               "in CoNLL-U, over the rule set eisner or sibling: an averaged structured\n"
               "perceptron, or by conditional log-likelihood (--objective likelihood). Arcs that\n"
               "cross are lifted until none do (Nivre & Nilsson 2005).\n",
               PARSER_OPTIONS);
}

int tz_cli_train_compressor(int argc, char **argv) {
    settings s = {.task = &tz_compressor, .command = "trapeze train compressor", .order = 1};
    set_defaults(&s, 21, 0.05);
    return run(&s, argc, argv,
               "Train a compressor on pairs of a sentence and its compression that are tagged and\n"
               "parsed, as `trapeze pairs` writes them, over the rule set compress or\n"
               "compress-sibling. With --dev, how readily words are kept is set at the end to\n"
               "what gives the best F1 of the kept words there. The grammar and the bigrams that\n"
               "it is trained with belong to the model: it is no good without the same ones.\n",
               OPTIONS);
}
