/* train_options.c - see train_options.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/train/train_options.h"

#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

typedef tz_train_settings settings;

static int take_without(tz_options *o, int which, void *user) {
    return tz_option_names(o, which, tz_family_name, &((settings *)user)->pairs.without);
}

static const tz_option of_joint = {"dictionary", 0, "FILE",
                                   "tag dictionary, of `trapeze train dictionary`",
                                   TZ_TEXT_AT(settings, dictionary)},
                       of_splitter = {"words", 0, "MODEL",
                                      "words as this finds them, of `trapeze train tokeniser`",
                                      TZ_TEXT_AT(settings, words)};

static const tz_option option_table[] = {
    /* Of all. */
    {"output", 'o', "MODEL", "the file to write", TZ_TEXT_AT(settings, output)},
    {"dev", 0, "FILE",
     "measure on this treebank after every epoch; keep the\n"
     "best epoch's weights, and stop when they stay the best",
     TZ_TEXT_AT(settings, dev)},
    {"objective", 0, "perceptron|likelihood", "perceptron (default) or likelihood",
     TZ_CHOICE_AT(settings, training.objective, TZ_PERCEPTRON)},
    {"optimiser", 0, "adagrad|adam|lbfgs",
     "how likelihood moves weights: adagrad (default), adam, or\n"
     "lbfgs, on all sentences at once; an epoch is 20 steps then",
     TZ_CHOICE_AT(settings, optimiser, 0), TZ_GIVEN_AT(settings, optimiser_told)},
    {"margin", 0, "X", "perceptron: the margin by which a wrong word must lose (0)",
     TZ_REAL_AT(settings, margin, 0, 1000000)},
    {"rate", 0, "X", "step size (adagrad: tagger 0.2, parser 0.05; adam 0.01)",
     TZ_REAL_AT(settings, rate, 0, 1000000)},
    {"l2", 0, "X", "likelihood: penalty of X/2 |weights|^2 on all sentences (0.1)",
     TZ_REAL_AT(settings, l2, 0, 1000000)},
    {"least", 0, "X",
     "likelihood: leave out parts whose count is wrong by less\n"
     "than X (0.001; lbfgs 0)",
     TZ_REAL_AT(settings, least, 0, 1000000)},
    {"seed", 0, "S", "seed of the order of sentences (1)",
     TZ_NUMBER_AT(settings, seed, 0, INT32_MAX)},
    {"epochs", 0, "N", "at most N passes over the sentences (10)",
     TZ_NUMBER_AT(settings, epochs, 1, 10000)},
    {"patience", 0, "N", "stop after N epochs without a better result on --dev (3)",
     TZ_NUMBER_AT(settings, patience, 1, 10000)},
    {"batch", 0, "N",
     "sentences between two changes of the weights (perceptron 4,\n"
     "adagrad and adam 16)",
     TZ_NUMBER_AT(settings, batch, 1, 4096)},
    {"threads", 0, "N", "threads (1); the model is the same for any number",
     TZ_NUMBER_AT(settings, threads, 1, 256)},
    {"state", 0, "FILE",
     "write the training's state to FILE after every epoch, and\n"
     "when SIGINT or SIGTERM stops it after the current batch",
     TZ_TEXT_AT(settings, state)},
    {"resume", 0, NULL, "go on from the state in --state FILE", TZ_FLAG_AT(settings, resume)},
    {"table", 0, "BITS",
     "2^BITS rows of weights (taggers 18, labeller 16, parser 22; less\n"
     "where there are so many labels that they would not fit)",
     TZ_NUMBER_AT(settings, table, 1, TZ_MODEL_BITS), TZ_GIVEN_AT(settings, table_told)},
    {"prune", 0, "X", "make weights 0 that are below X times the greatest (0)",
     TZ_REAL_AT(settings, prune, 0, 1000000)},
    {"floats", 0, NULL, "write weights as floats, 4 bytes each, instead of one",
     TZ_FLAG_AT(settings, floats)},
    {"quiet", 0, NULL, "no progress", TZ_FLAG_AT(settings, quiet)},
    /* Of the parser and the compressor. */
    {"order", 0, "K", "1: arcs (1); 2: also each modifier's earlier sibling",
     TZ_NUMBER_AT(settings, order, 1, 2)},
    {"single-root", 0, NULL, "trees with exactly one word at the root",
     TZ_FLAG_AT(settings, single_root)},
    /* Of the compressor. */
    {"grammar", 0, "FILE", "dependency grammar from `trapeze train grammar`",
     TZ_TEXT_AT(settings, pairs.grammar)},
    {"bigrams", 0, "FILE", "language model from `trapeze train bigrams`",
     TZ_TEXT_AT(settings, pairs.bigrams)},
    {"without", 0, "LIST",
     "leave out families of features: word, fidelity, grammar,\n"
     "chunk, sibling, bigram, lm, gap; outside: arcs that the\n"
     "input tree lacks are impossible. For experiments: no model\n"
     "is written",
     TZ_TAKEN_BY(take_without)},
    {"test", 0, "FILE", "measure the finished model on these pairs",
     TZ_TEXT_AT(settings, pairs.test)},
    {"tune", 0, "f1|exact|rate",
     "set at the end how readily words are kept: for the best F1\n"
     "on --dev (f1), for the most compressions that are wholly\n"
     "right (exact), or to keep as many words as the references\n"
     "do (rate)",
     TZ_CHOICE_AT(settings, pairs.tune, TZ_TUNE_F1), TZ_GIVEN_AT(settings, pairs.tuned)},
    {"all-pairs", 0, NULL,
     "learn also from pairs whose compression loses a negation or\n"
     "asserts what is denied; else they are left out",
     TZ_FLAG_AT(settings, pairs.all)},
};
enum { COMPRESSOR_OPTIONS = 6, PARSER_OPTIONS = 2 }; /* the last ones */

int tz_train_check_state(const char *command, const char *opt_state, bool resume) {
    if (resume && !opt_state)
        return tz_usage_error(command, "--resume goes with --state FILE");
    if (opt_state && !resume && access(opt_state, F_OK) == 0)
        return tz_usage_error(command,
                              "--state %s is there already: go on from it with --resume, or remove "
                              "it to begin anew",
                              opt_state);
    return 0;
}

/* What goes with what, and what is not given. */
static int read_method(tz_train_settings *s) {
    static const tz_optimiser_kind kinds[] = {TZ_ADAGRAD, TZ_ADAM, TZ_LBFGS};
    const double rates[] = {s->adagrad_rate, 0.01, 1};
    bool likelihood = s->training.objective == TZ_LIKELIHOOD;
    if (!likelihood && (s->optimiser_told || s->rate >= 0 || s->l2 >= 0 || s->least >= 0)) {
        return tz_usage_error(s->command,
                              "--optimiser, --rate, --l2 and --least go with --objective "
                              "likelihood");
    }
    if (likelihood && s->margin >= 0)
        return tz_usage_error(s->command, "--margin goes with --objective perceptron");
    s->training.optimiser = likelihood ? kinds[s->optimiser] : TZ_AVERAGE;
    if (s->training.optimiser == TZ_LBFGS && (s->rate >= 0 || s->batch > 0))
        return tz_usage_error(s->command, "--optimiser lbfgs has no --rate and no --batch");
    if (s->rate == 0)
        return tz_usage_error(s->command, "--rate is above 0");
    int exit = tz_train_check_state(s->command, s->state, s->resume);
    if (exit != 0)
        return exit;
    s->training.margin = s->margin >= 0 ? s->margin : 0;
    s->training.rate = s->rate >= 0 ? s->rate : rates[s->optimiser];
    s->training.l2 = s->l2 >= 0 ? s->l2 : 0.1;
    s->training.least = s->least >= 0 ? s->least : s->training.optimiser == TZ_LBFGS ? 0 : 0.001;
    s->training.batch = s->batch > 0 ? (unsigned)s->batch : likelihood ? 16 : 4;
    s->training.opt_state = s->state;
    s->training.resume = s->resume;
    return 0;
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
}

bool tz_train_read_options(tz_train_settings *s, int argc, char **argv, const char *about,
                           int *ret_exit) {
    enum { ALL = sizeof option_table / sizeof *option_table };
    const int left_out = s->task == &tz_compressor ? 0
                         : s->task == &tz_parser   ? COMPRESSOR_OPTIONS
                                                   : COMPRESSOR_OPTIONS + PARSER_OPTIONS,
              own = s->task == &tz_joint_tagger || s->task == &tz_sentence_splitter;
    tz_option row[1 + ALL] = {s->task == &tz_joint_tagger ? of_joint : of_splitter};
    memcpy(row + own, option_table, sizeof option_table);
    tz_options o = {.command = s->command,
                    .synopsis = "-o MODEL [OPTION]... FILE",
                    .about = about,
                    .notes = "Exit code: 0; 1 if the input was wrong; 2 for bad usage.\n",
                    .most = 1,
                    .wanted = "one FILE",
                    TZ_COMMAND_LINE(row, own + ALL - left_out, argc, argv)};
    bool taken = tz_take_options(&o, NULL, s);
    s->file = o.operands > 0 ? *o.operand : NULL;
    s->encoding = s->floats ? TZ_WEIGHTS_FLOAT : TZ_WEIGHTS_BYTES;
    *ret_exit = taken ? check(s) : o.status;
    return taken && *ret_exit == 0;
}
