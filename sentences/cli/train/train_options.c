/* train_options.c - see train_options.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/train/train_options.h"

#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "cli/cli.h"

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
enum { GRAMMAR = PARSER_OPTIONS, BIGRAMS, WITHOUT, TEST, TUNE, ALL_PAIRS, OPTIONS };

static const tz_option option_table[OPTIONS] = {
    [OUTPUT] = {"output", 'o', "MODEL", "the file to write"},
    [DEV] = {"dev", 0, "FILE",
             "measure on this treebank after every epoch; keep the\n"
             "best epoch's weights, and stop when they stay the best"},
    [OBJECTIVE] = {"objective", 0, "perceptron|likelihood", "perceptron (default) or likelihood"},
    [OPTIMISER] = {"optimiser", 0, "adagrad|adam|lbfgs",
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
    [TABLE] = {"table", 0, "BITS",
               "2^BITS rows of weights (taggers 18, labeller 16, parser 22; less\n"
               "where there are so many labels that they would not fit)"},
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
    [TUNE] = {"tune", 0, "f1|exact|rate",
              "how readily words are kept, at the end: to the best F1 on\n"
              "--dev (f1), to the most compressions that are wholly right\n"
              "(exact), or to as many words as the references keep (rate)"},
    [ALL_PAIRS] = {"all-pairs", 0, NULL,
                   "also those whose compression loses a negation or asserts\n"
                   "what is denied; else they are left out"},
};

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
static int choose(const tz_train_settings *s, const char *option, const char *name,
                  const char *const *choices) {
    for (int c = 0; choices[c]; c++)
        if (strcmp(choices[c], name) == 0)
            return c;
    tz_usage_error(s->command, "there is no --%s '%s'; --help lists them", option, name);
    return -1;
}

/* What goes with what, and what is not given. */
static int read_method(tz_train_settings *s) {
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

static const tz_option_place places[OPTIONS] = {
    [OUTPUT] = TZ_TEXT_AT(tz_train_settings, output),
    [DEV] = TZ_TEXT_AT(tz_train_settings, dev),
    [OBJECTIVE] = TZ_TEXT_AT(tz_train_settings, objective),
    [OPTIMISER] = TZ_TEXT_AT(tz_train_settings, optimiser),
    [STATE] = TZ_TEXT_AT(tz_train_settings, state),
    [GRAMMAR] = TZ_TEXT_AT(tz_train_settings, pairs.grammar),
    [BIGRAMS] = TZ_TEXT_AT(tz_train_settings, pairs.bigrams),
    [TEST] = TZ_TEXT_AT(tz_train_settings, pairs.test),
    [RESUME] = TZ_FLAG_AT(tz_train_settings, resume),
    [QUIET] = TZ_FLAG_AT(tz_train_settings, quiet),
    [ALL_PAIRS] = TZ_FLAG_AT(tz_train_settings, pairs.all),
    [SINGLE_ROOT] = TZ_FLAG_AT(tz_train_settings, single_root),
    [SEED] = TZ_NUMBER_AT(tz_train_settings, seed, 0, INT32_MAX),
    [EPOCHS] = TZ_NUMBER_AT(tz_train_settings, epochs, 1, 10000),
    [PATIENCE] = TZ_NUMBER_AT(tz_train_settings, patience, 1, 10000),
    [BATCH] = TZ_NUMBER_AT(tz_train_settings, batch, 1, 4096),
    [THREADS] = TZ_NUMBER_AT(tz_train_settings, threads, 1, 256),
    [ORDER] = TZ_NUMBER_AT(tz_train_settings, order, 1, 2),
};

static int take(tz_options *o, int which, void *user) {
    tz_train_settings *s = user;
    int status = 0;
    unsigned choice = 0;
    switch (which) {
    case TZ_OPERAND:
        return tz_only_operand(o, "one FILE", &s->file);
    case TABLE:
        status = tz_option_number(o, which, 1, TZ_MODEL_BITS, &s->table);
        s->table_told = true;
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
    case PRUNE:
        status = read_number(o, which, &s->prune);
        break;
    case FLOATS:
        s->encoding = TZ_WEIGHTS_FLOAT;
        break;
    case WITHOUT:
        status = tz_train_without(o, &s->pairs);
        break;
    case TUNE:
        s->pairs.tuned = true;
        status = tz_option_choice(o, which, &choice);
        s->pairs.tune = (tz_tune)choice;
        break;
    }
    return status;
}

/* What the options ask for together, and what it takes. */
static int check(tz_train_settings *s) {
    if (s->pairs.without && s->output)
        return tz_usage_error(s->command, "--without writes no model: leave out -o");
    if (!s->pairs.without && !s->output)
        return tz_usage_error(s->command, "-o MODEL is missing: the file to write");
    if (s->pairs.tuned && !s->dev)
        return tz_usage_error(s->command, "--tune is for --dev: on which pairs?");
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

void tz_train_defaults(tz_train_settings *s, long table, double adagrad_rate) {
    s->adagrad_rate = adagrad_rate;
    s->margin = s->rate = s->l2 = s->least = -1;
    s->seed = 1, s->epochs = 10, s->patience = 3, s->threads = 1, s->table = table;
    s->encoding = TZ_WEIGHTS_BYTES;
}

bool tz_train_read_options(tz_train_settings *s, int argc, char **argv, const char *about,
                           int *ret_exit) {
    tz_options o = {.command = s->command,
                    .synopsis = "-o MODEL [OPTION]... FILE",
                    .about = about,
                    .notes = "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n",
                    TZ_COMMAND_LINE(option_table,
                                    s->task == &tz_compressor ? OPTIONS
                                    : s->task == &tz_parser   ? PARSER_OPTIONS
                                                              : COMMON,
                                    places, argc, argv)};
    bool taken = tz_take_options(&o, take, s);
    *ret_exit = taken ? check(s) : o.status;
    return taken && *ret_exit == 0;
}
