/* run_options.c - the command line of `trapeze run`. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "cli/run/run.h"

static const char command[] = TZ_RUN;

enum { BATCH_LIMIT = 1 << 20, THREAD_LIMIT = 1024, LIST_LIMIT = 1000000000 };

/* ---- Options ------------------------------------------------------------------------------- */

enum {
    RULES,
    SEMIRING,
    BEST,
    KBEST,
    DISTINCT,
    WITHIN,
    SAMPLE,
    SEED,
    WITHOUT_REPLACEMENT,
    MARGINALS,
    MAX_MARGINALS,
    ITEMS,
    DERIVATION,
    PATH,
    MIN_RISK,
    AMOUNT,
    KEEP,
    DROP,
    RATE,
    FORCE,
    PLAIN,
    KEEP_GOING,
    BATCH,
    THREADS,
    PRECISION,
    OUTPUT,
    QUIET,
    OPTIONS
};

static const tz_option option_table[OPTIONS] = {
    [RULES] = {"rules", 'r', "RULES",
               "the rule set: a built-in one ('trapeze rules list'), or a\n"
               "file, told by a '/' or '.' in its name or by being there",
               TZ_TEXT_AT(tz_run_settings, rules)},
    [SEMIRING] = {"semiring", 's', "SEMIRING", NULL,
                  TZ_TEXT_AT(tz_run_settings, semiring)}, /* the names of those there are */
    [BEST] = {"best", 0, NULL,
              "the best derivation's score and weights (max); under\n"
              "resource(..) one for each amount",
              TZ_FLAG_AT(tz_run_settings, questions.wanted[TZ_ASK_BEST])},
    [KBEST] = {"kbest", 0, "K", "the K best derivations, best first (max)",
               TZ_NUMBER_AT(tz_run_settings, questions.wanted[TZ_ASK_KBEST], 1, LIST_LIMIT)},
    [DISTINCT] = {"distinct", 0, NULL,
                  "with --kbest: each structure once, where the rule set\n"
                  "is ambiguous",
                  TZ_FLAG_AT(tz_run_settings, questions.distinct)},
    [WITHIN] = {"within", 0, "D",
                "with --kbest: only those that score at most D less than\n"
                "the best"},
    [SAMPLE] = {"sample", 0, "K", "K derivations drawn at random (log, count)",
                TZ_NUMBER_AT(tz_run_settings, questions.wanted[TZ_ASK_SAMPLES], 1, LIST_LIMIT)},
    [SEED] = {"seed", 0, "S", "seed of the samples (1); each line or row has its own"},
    [WITHOUT_REPLACEMENT] = {"without-replacement", 0, NULL,
                             "with --sample: no derivation comes twice",
                             TZ_FLAG_AT(tz_run_settings, questions.without_replacement)},
    [MARGINALS] = {"marginals", 0, NULL, "the expected number of uses of each weight (log)",
                   TZ_FLAG_AT(tz_run_settings, questions.wanted[TZ_ASK_MARGINALS])},
    [MAX_MARGINALS] = {"max-marginals", 0, NULL,
                       "the best score of a derivation using each weight (max)",
                       TZ_FLAG_AT(tz_run_settings, questions.wanted[TZ_ASK_MAX_MARGINALS])},
    [ITEMS] = {"items", 0, "NAME,..",
               "the values of all items of these names; their marginals\n"
               "too with --marginals and --max-marginals",
               TZ_TEXT_AT(tz_run_settings, items)},
    [DERIVATION] = {"derivation", 0, NULL, "the best derivation as a proof tree (max)",
                    TZ_FLAG_AT(tz_run_settings, questions.wanted[TZ_ASK_DERIVATION])},
    [PATH] = {"path", 0, NULL,
              "with --best, --kbest, --sample or --min-risk: also the\n"
              "uses of each derivation in the order of its proof",
              TZ_FLAG_AT(tz_run_settings, questions.path)},
    [MIN_RISK] = {"min-risk", 0, NULL,
                  "the derivation with the largest expected number of\n"
                  "right weights (log)",
                  TZ_FLAG_AT(tz_run_settings, questions.wanted[TZ_ASK_MIN_RISK])},
    [AMOUNT] = {"amount", 0, "A",
                "with resource(NAME,D,..): answer about derivations that\n"
                "use exactly A of the resource",
                TZ_NUMBER_AT(tz_run_settings, amount, 0, TZ_MAX_LENGTH)},
    [KEEP] = {"keep", 0, "M", "only derivations that keep M words"},
    [DROP] = {"drop", 0, "M", "only derivations that drop M words"},
    [RATE] = {"rate", 0, "LOW:HIGH",
              "only derivations that keep from LOW to HIGH of the words,\n"
              "such as 0.4:0.6: value and --best (max)"},
    [FORCE] = {"force", 0, NULL,
               "run an ambiguous rule set under a semiring that counts\n"
               "its derivations, not its structures"},
    [PLAIN] = {"plain", 0, NULL,
               "compute by the definition alone, to check an answer: the\n"
               "same up to rounding, and many times slower"},
    [KEEP_GOING] = {"keep-going", 0, NULL,
                    "answer a wrong line with {\"id\":..,\"error\":..} and go on",
                    TZ_FLAG_AT(tz_run_settings, keep_going)},
    [BATCH] = {"batch", 0, "N", "read, solve and print N problems at a time",
               TZ_NUMBER_AT(tz_run_settings, batch, 1, BATCH_LIMIT)},
    [THREADS] = {"threads", 0, "N", "solve a batch with N threads (1); results are the same",
                 TZ_NUMBER_AT(tz_run_settings, threads, 1, THREAD_LIMIT)},
    [PRECISION] = {"precision", 0, "f32|f64", "precision of the computation (f64)"},
    [OUTPUT] = {"output", 'o', "FILE.npz", "write arrays; the problems come from a .npz file",
                TZ_TEXT_AT(tz_run_settings, output)},
    [QUIET] = {"quiet", 0, NULL, "no progress on the terminal, no warnings",
               TZ_FLAG_AT(tz_run_settings, quiet)},
};

static const char about[] =
    "Read problems, one line of JSON each or the rows of arrays in a .npz file, from FILE\n"
    "or standard input and print one result a line, in order, or write arrays.\n";

static const char notes[] =
    "A problem gives every length and weight of the rule set:\n"
    "  {\"id\": 1, \"n\": 2, \"arc\": [[null, 1, 2], [null, null, 3], [null, 4, null]]}\n"
    "A weight is nested arrays; position 0 of a dimension holds index 0, or the lowest\n"
    "index if that is negative. null is -infinity, impossible. Entries outside the\n"
    "declared domain are ignored. A sparse weight is a list of [index, ..., score], an\n"
    "input of the rules an array of numbers or names, or a string of one-letter names.\n"
    "\"id\" (any value whose whole numbers have 64 bits at most and whose other numbers\n"
    "are below 1.8e308; a string holds any number) and \"words\" (strings) are repeated\n"
    "in the result; keys that the rules do not know are ignored, and so are blank lines.\n"
    "\n"
    "Its result under eisner and max with --best:\n"
    "  "
    "{\"id\":1,\"n\":2,\"value\":6,\"best\":{\"score\":6,\"weights\":[[\"arc\",0,2,2],[\"arc\",2,1,"
    "4]]}}\n"
    "\n"
    "All answers are about derivations that use nothing forbidden and one cell or item of\n"
    "each required entry; null stands for any index. With log, the probability of a\n"
    "structure, given as all cells that a derivation uses, is told:\n"
    "  \"forbid\": [[\"arc\", 0, 2], [\"arc\", null, 3]]\n"
    "  \"require\": [[\"arc\", null, 1], [[\"arc\", 1, 3], [\"arc\", 4, 3]]]\n"
    "  \"structure\": [[\"arc\", 0, 2], [\"arc\", 2, 1]]\n"
    "With entropy, \"arc.cost\" (costs) and \"arc.q\" (scores of another distribution q, for\n"
    "every weight) give \"cost\", the expectation, and \"kl\", KL(p || q) in nats.\n"
    "\n"
    "In a .npz file (numpy.savez) every length and weight is an array whose first axis is\n"
    "the problem: n [problems], arc [problems, h, m], float32 or float64, padded. A sparse\n"
    "weight is NAME [entries] and NAME.index, integers [entries, 1 + indices], the problem\n"
    "in front and in ascending order. -o writes \"value\" or \"values\", \"entropy\", \"cost\",\n"
    "\"kl\", \"best.score\", \"best.NAME\" (how often each cell is used), \"min_risk\" likewise,\n"
    "\"kbest\" and \"samples\" with one axis more, the list, \"marginals.NAME\",\n"
    "\"max_marginals.NAME\", and of items \"items.NAME\", \"item_marginals.NAME\" and\n"
    "\"item_max_marginals.NAME\"; a row that could not be answered is NaN.\n"
    "\n"
    "Exit code: 0; 1 if a line was wrong, also with --keep-going; 2 for bad usage.\n";

/* A whole number up to 2^64 - 1. */
static int read_seed(const tz_options *o, uint64_t *ret_seed) {
    char *end;
    errno = 0;
    unsigned long long seed = strtoull(o->value, &end, 10);
    if (o->value[0] < '0' || o->value[0] > '9' || *end != '\0' || errno == ERANGE)
        return tz_usage_error(command, "--seed is a whole number below 2^64, not '%s'", o->value);
    *ret_seed = seed;
    return 0;
}

/* A number of 0 or more. */
static int read_within(const tz_options *o, double *ret_within) {
    if (tz_number_read(o->value, strlen(o->value), ret_within) && *ret_within >= 0 &&
        *ret_within < INFINITY)
        return 0;
    return tz_usage_error(command, "--within is a number of 0 or more, not '%s'", o->value);
}

/* A decimal fraction in 0..1 of nine places at most, in units of the last; returns what follows, or
 * NULL. */
static const char *read_share(const char *text, int64_t *ret_share) {
    int64_t share = 0, unit = TZ_RATE_UNIT;
    if (*text < '0' || *text > '1')
        return NULL;
    share = (*text++ - '0') * unit;
    if (*text == '.')
        for (text++; *text >= '0' && *text <= '9' && unit > 1; text++) {
            unit /= 10;
            share += (*text - '0') * unit;
        }
    *ret_share = share;
    return share <= TZ_RATE_UNIT ? text : NULL;
}

static int read_rate(const tz_options *o, tz_run_bounds *bounds) {
    const char *at = read_share(o->value, &bounds->lowest_rate);
    if (at != NULL && *at == ':')
        at = read_share(at + 1, &bounds->highest_rate);
    if (at != NULL && *at == '\0' && bounds->lowest_rate <= bounds->highest_rate)
        return 0;
    return tz_usage_error(command,
                          "--rate is LOW:HIGH, shares of the words with 0 <= LOW <= HIGH <= 1 such "
                          "as 0.4:0.6, not '%s'",
                          o->value);
}

/* --keep, --drop and --rate: one of them. */
static int read_bounds(const tz_options *o, int which, tz_run_bounds *bounds) {
    static const tz_run_bound kind[OPTIONS] = {
        [KEEP] = TZ_RUN_KEEP, [DROP] = TZ_RUN_DROP, [RATE] = TZ_RUN_RATE};
    if (bounds->kind != TZ_RUN_FREE && bounds->kind != kind[which])
        return tz_usage_error(command, "one of --keep, --drop and --rate at a time");
    bounds->kind = kind[which];
    return which == RATE ? read_rate(o, bounds)
                         : tz_option_number(o, which, 0, TZ_MAX_LENGTH, &bounds->amount);
}

static bool looks_like_rules(const char *file) {
    size_t size = strlen(file);
    return size > 6 && strcmp(file + size - 6, ".rules") == 0;
}

static int take_file(const tz_options *o, tz_run_settings *s) {
    const char *rules = looks_like_rules(o->value)                     ? o->value
                        : s->file != NULL && looks_like_rules(s->file) ? s->file
                                                                       : NULL;
    if (s->file != NULL && rules != NULL)
        return tz_usage_error(command,
                              "one FILE at most, not '%s' and '%s'; rules are given by -r %s",
                              s->file, o->value, rules);
    return tz_only_operand(o, "one FILE at most", &s->file);
}

static int take(tz_options *o, int which, void *user) {
    tz_run_settings *s = user;
    int status = 0;
    switch (which) {
    case TZ_OPERAND:
        return take_file(o, s);
    case WITHIN:
        status = read_within(o, &s->questions.within);
        break;
    case SEED:
        status = read_seed(o, &s->questions.seed);
        break;
    case KEEP:
    case DROP:
    case RATE:
        status = read_bounds(o, which, &s->bounds);
        break;
    case FORCE:
        s->flags |= TZ_FORCE;
        break;
    case PLAIN:
        s->flags |= TZ_PLAIN;
        break;
    case PRECISION:
        if (strcmp(o->value, "f32") != 0 && strcmp(o->value, "f64") != 0)
            status = tz_usage_error(command, "--precision is f32 or f64, not '%s'", o->value);
        s->precision = strcmp(o->value, "f32") == 0 ? TZ_F32 : TZ_F64;
        break;
    }
    return status;
}

bool tz_run_read_options(int argc, char **argv, tz_run_settings *s, int *ret_status) {
    char semirings[TZ_RUN_LIST], help[TZ_RUN_LIST + 64];
    tz_option table[OPTIONS];
    *s = (tz_run_settings){.threads = 1,
                           .precision = TZ_F64,
                           .amount = -1,
                           .questions = {.seed = 1, .within = INFINITY}};
    tz_run_list_semirings(semirings);
    size_t line = (size_t)(strstr(semirings, "or resource") - semirings);
    snprintf(help, sizeof help, "%.*s\n%s:\nwhat \"value\" is; a list for kbest and resource",
             (int)line - 1, semirings, semirings + line);
    memcpy(table, option_table, sizeof table);
    table[SEMIRING].help = help;
    tz_options options = {.command = command,
                          .synopsis = "-r RULES -s SEMIRING [OPTION]... [FILE]",
                          .about = about,
                          .notes = notes,
                          TZ_COMMAND_ROWS(table, argc, argv)};
    if (!tz_take_options(&options, take, s)) {
        *ret_status = options.status;
        return false;
    }
    s->progress = !s->quiet && isatty(STDERR_FILENO);
    if (s->rules != NULL)
        return true;
    const char *rules = s->file != NULL && looks_like_rules(s->file) ? s->file : "RULES";
    *ret_status = tz_usage_error(command, "which rule set? give -r %s", rules);
    return false;
}
