/* run_options.c - the command line of `trapeze run`. SPDX-License-Identifier: MIT */
#include <string.h>
#include <unistd.h>

#include "cli/run.h"

static const char command[] = TZ_RUN;

enum { BATCH_LIMIT = 1 << 20, THREAD_LIMIT = 1024 };

/* ---- Options ------------------------------------------------------------------------------- */

enum {
    RULES,
    SEMIRING,
    BEST,
    MARGINALS,
    MAX_MARGINALS,
    DERIVATION,
    FORCE,
    KEEP_GOING,
    BATCH,
    THREADS,
    PRECISION,
    OUTPUT,
    QUIET,
    OPTIONS
};

static const tz_option option_table[OPTIONS] = {
    [RULES] = {"rules", 'r', "NAME-or-FILE",
               "the rule set: a built-in one ('trapeze rules list'), or a\n"
               "file, told by a '/' or '.' in its name or by being there"},
    [SEMIRING] = {"semiring", 's', "NAME", NULL}, /* the names of those there are */
    [BEST] = {"best", 0, NULL, "the best derivation's score and weights (max)"},
    [MARGINALS] = {"marginals", 0, NULL, "the expected number of uses of each weight (log)"},
    [MAX_MARGINALS] = {"max-marginals", 0, NULL,
                       "the best score of a derivation using each weight (max)"},
    [DERIVATION] = {"derivation", 0, NULL, "the best derivation as a proof tree (max)"},
    [FORCE] = {"force", 0, NULL,
               "run an ambiguous rule set under a semiring that counts\n"
               "its derivations, not its structures"},
    [KEEP_GOING] = {"keep-going", 0, NULL,
                    "answer a wrong line with {\"id\":..,\"error\":..} and go on"},
    [BATCH] = {"batch", 0, "N", "read, solve and print N problems at a time"},
    [THREADS] = {"threads", 0, "N", "solve a batch with N threads (1); results are the same"},
    [PRECISION] = {"precision", 0, "f32|f64", "of the computation (f64)"},
    [OUTPUT] = {"output", 'o', "FILE.npz", "write arrays; the problems come from a .npz file"},
    [QUIET] = {"quiet", 0, NULL, "no progress on the terminal"},
};

static const char about[] =
    "Read problems, one line of JSON each or the rows of arrays in a .npz file, from FILE\n"
    "or standard input and print one result a line, in order, or write arrays.\n";

static const char notes[] =
    "A problem gives every length and weight of the rule set:\n"
    "  {\"id\": 1, \"n\": 2, \"arc\": [[null, 1, 2], [null, null, 3], [null, 4, null]]}\n"
    "A weight is nested arrays; position 0 of a dimension holds index 0, or the lowest\n"
    "index if that is negative. null is -infinity, impossible. Entries outside the\n"
    "declared domain are ignored. A sparse weight is a list of [index, ..., score].\n"
    "\"id\" (any value whose whole numbers have 64 bits at most and whose other numbers\n"
    "are below 1.8e308; a string holds any number) and \"words\" (strings) are repeated\n"
    "in the result; keys that the rules do not know are ignored, and so are blank lines.\n"
    "\n"
    "Its result under eisner and max with --best:\n"
    "  {\"id\":1,\"n\":2,\"value\":6,"
    "\"best\":{\"score\":6,\"weights\":[[\"arc\",0,2,2],[\"arc\",2,1,4]]}}\n"
    "\n"
    "In a .npz file (numpy.savez) every length and weight is an array whose first axis is\n"
    "the problem: n [problems], arc [problems, h, m], float32 or float64, padded. A sparse\n"
    "weight is NAME [entries] and NAME.index, integers [entries, 1 + indices], the problem\n"
    "in front and in ascending order. -o writes \"value\", \"best.score\", \"best.NAME\" (how\n"
    "often each cell is used), \"marginals.NAME\" and \"max_marginals.NAME\", shaped likewise;\n"
    "a row that could not be answered is NaN.\n"
    "\n"
    "Exit code: 0; 1 if a line was wrong, also with --keep-going; 2 for bad usage.\n";

/* 0, or TZ_STOP with options->status. */
static int read_options(tz_options *o, tz_run_settings *s) {
    int which, status = 0;
    while ((which = tz_next_option(o)) != TZ_END) {
        switch (which) {
        case TZ_STOP:
            return TZ_STOP;
        case TZ_OPERAND:
            if (s->file != NULL)
                status = tz_usage_error(command, "one FILE at most, not '%s' and '%s'", s->file,
                                        o->value);
            s->file = o->value;
            break;
        case RULES:
            s->rules = o->value;
            break;
        case SEMIRING:
            s->semiring = o->value;
            break;
        case BEST:
            s->wanted.best = true;
            break;
        case MARGINALS:
            s->wanted.marginals = true;
            break;
        case MAX_MARGINALS:
            s->wanted.max_marginals = true;
            break;
        case DERIVATION:
            s->wanted.derivation = true;
            break;
        case FORCE:
            s->force = true;
            break;
        case KEEP_GOING:
            s->keep_going = true;
            break;
        case BATCH:
            status = tz_option_number(o, BATCH, 1, BATCH_LIMIT, &s->batch);
            break;
        case THREADS:
            status = tz_option_number(o, THREADS, 1, THREAD_LIMIT, &s->threads);
            break;
        case PRECISION:
            if (strcmp(o->value, "f32") != 0 && strcmp(o->value, "f64") != 0)
                status = tz_usage_error(command, "--precision is f32 or f64, not '%s'", o->value);
            s->precision = strcmp(o->value, "f32") == 0 ? TZ_F32 : TZ_F64;
            break;
        case OUTPUT:
            s->output = o->value;
            break;
        case QUIET:
            s->quiet = true;
            break;
        }
        if (status != 0) {
            o->status = status;
            return TZ_STOP;
        }
    }
    return 0;
}

static const char *semiring_name(const void *list, size_t index) {
    const tz_run_settings *s = list;
    const tz_semiring *semiring = tz_semiring_builtin(index, s->precision);
    return semiring != NULL ? semiring->name : NULL;
}

enum { LIST = 256 };

/* "max, log or bool" */
static void list_semirings(const tz_run_settings *s, char text[LIST]) {
    const char *name;
    text[0] = '\0';
    for (size_t index = 0, used = 0; (name = semiring_name(s, index)) != NULL; index++) {
        const char *separator = index == 0                            ? ""
                                : semiring_name(s, index + 1) != NULL ? ", "
                                                                      : " or ";
        if (used < LIST)
            used += (size_t)snprintf(text + used, LIST - used, "%s%s", separator, name);
    }
}

int tz_run_open_semiring(const tz_run_settings *s, const tz_semiring **ret_semiring) {
    char known[LIST];
    list_semirings(s, known);
    if (s->semiring == NULL)
        return tz_usage_error(command, "which semiring? give -s %s", known);
    *ret_semiring = tz_semiring_find(s->semiring, s->precision);
    if (*ret_semiring != NULL)
        return 0;
    const char *near = tz_nearest(s->semiring, semiring_name, s);
    if (near != NULL)
        return tz_usage_error(command, "no semiring is called '%s'; did you mean '%s'? (%s)",
                              s->semiring, near, known);
    return tz_usage_error(command, "no semiring is called '%s' (%s)", s->semiring, known);
}

bool tz_run_read_options(int argc, char **argv, tz_run_settings *s, int *ret_status) {
    char semirings[LIST], help[LIST + 32];
    tz_option table[OPTIONS];
    *s = (tz_run_settings){.threads = 1, .precision = TZ_F64};
    list_semirings(s, semirings);
    snprintf(help, sizeof help, "%s: what \"value\" is", semirings);
    memcpy(table, option_table, sizeof table);
    table[SEMIRING].help = help;
    tz_options options = {
        .command = command,
        .synopsis = "-r NAME-or-FILE -s SEMIRING [OPTION]... [FILE]",
        .about = about,
        .notes = notes,
        .option = table,
        .options = OPTIONS,
        .argc = argc,
        .argv = argv,
        .next = 1,
    };
    if (read_options(&options, s) != 0) {
        *ret_status = options.status;
        return false;
    }
    s->quiet = s->quiet || !isatty(STDERR_FILENO);
    return true;
}
