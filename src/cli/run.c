/* run.c - `trapeze run`: one problem a line in, one result a line out, in order.
 *
 * Lines are read, solved and printed in batches, so that memory is bounded by the batch whatever
 * the length of the input. A line that is wrong is an error of that line alone, wherever it comes
 * to light. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "io/json_problem.h"
#include "io/json_result.h"
#include "io/lines.h"

static const char command[] = "trapeze run";

enum { LINE_LIMIT = 1 << 30, BATCH_LIMIT = 1 << 20, THREAD_LIMIT = 1024 };

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
    [BATCH] = {"batch", 0, "N", "read, solve and print N lines at a time (64)"},
    [THREADS] = {"threads", 0, "N", "solve a batch with N threads (1); results are the same"},
    [PRECISION] = {"precision", 0, "f32|f64", "of the computation (f64)"},
    [QUIET] = {"quiet", 0, NULL, "no progress on the terminal"},
};

static const char about[] =
    "Read problems, one line of JSON each, from FILE or standard input and print one\n"
    "result a line, in order.\n";

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
    "Exit code: 0; 1 if a line was wrong, also with --keep-going; 2 for bad usage.\n";

typedef struct settings {
    const char *rules, *semiring, *file;
    tz_json_wanted wanted;
    tz_precision precision;
    bool force, keep_going, quiet;
    long batch, threads;
} settings;

/* 0, or TZ_STOP with options->status. */
static int read_options(tz_options *o, settings *s) {
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
    const settings *s = list;
    const tz_semiring *semiring = tz_semiring_builtin(index, s->precision);
    return semiring != NULL ? semiring->name : NULL;
}

enum { LIST = 256 };

/* "max, log or bool" */
static void list_semirings(const settings *s, char text[LIST]) {
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

static int open_semiring(const settings *s, const tz_semiring **ret_semiring) {
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

/* Does the semiring have what the options ask for? */
static int check_pairing(const settings *s, const tz_semiring *semiring) {
    bool path = (semiring->laws & TZ_PATH) != 0 && semiring->gives == TZ_GIVES_SCORE;
    const char *asked = s->wanted.best            ? "--best"
                        : s->wanted.derivation    ? "--derivation"
                        : s->wanted.max_marginals ? "--max-marginals"
                                                  : NULL;
    if (asked != NULL && !path)
        return tz_usage_error(command,
                              "%s needs a semiring whose sum picks one derivation (max); %s does "
                              "not",
                              asked, semiring->name);
    if (s->wanted.marginals &&
        (path || semiring->share == NULL || semiring->gives != TZ_GIVES_SCORE))
        return tz_usage_error(command,
                              "--marginals needs a semiring whose sum is a log total that every "
                              "derivation has a share of (log); that of %s is not",
                              semiring->name);
    return 0;
}

/* ---- State --------------------------------------------------------------------------------- */

typedef enum slot_state { EMPTY, READ, DONE } slot_state;

/* One line of the batch. */
typedef struct slot {
    slot_state state;
    size_t line;
    tz_json_problem input;
    tz_json_scratch scratch;
    tz_text text; /* of the result, when it is DONE */
} slot;

typedef struct progress {
    bool shown;
    double start, last;
    atomic_size_t solved;
    atomic_flag busy;
} progress;

typedef struct run {
    settings set;
    const char *name; /* of the input */
    FILE *file;
    tz_lines *lines;
    tz_rules *rules;
    const tz_semiring *semiring;
    tz_plan *plan;
    slot *slots;
    tz_problem *problems; /* of a batch, to be solved together */
    size_t *slot_of;      /* [problem] */
    size_t failed;
    bool ended;   /* nothing more is to be read */
    bool stopped; /* because of `error` */
    tz_error error;
    progress progress;
} run;

/* ---- Progress ------------------------------------------------------------------------------ */

static double now(void) {
    struct timespec time = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void show_progress(run *r) {
    progress *p = &r->progress;
    size_t solved = atomic_fetch_add(&p->solved, 1) + 1;
    if (r->set.quiet || atomic_flag_test_and_set(&p->busy))
        return;
    double time = now();
    if (time - p->start > 2 && time - p->last > 0.2) {
        fprintf(stderr, "\r%s: %zu problems, %.0f a second ", command, solved,
                (double)solved / (time - p->start));
        p->last = time;
        p->shown = true;
    }
    atomic_flag_clear(&p->busy);
}

static void clear_progress(run *r) {
    if (r->progress.shown)
        fprintf(stderr, "\r\033[K");
    r->progress.shown = false;
}

/* ---- A batch ------------------------------------------------------------------------------- */

/* The line cannot be answered: by an error in its place, or by ending the run there. message
 * already says where. */
static void fail_line(run *r, slot *slot, const tz_error *error) {
    if (r->set.keep_going && tz_json_failure(&slot->text, &slot->input, error->message) == TZ_OK) {
        slot->state = DONE;
        r->failed++;
        return;
    }
    r->error = *error;
    r->stopped = r->ended = true;
}

/* Puts FILE:LINE: in front. */
static void locate(const run *r, size_t line, tz_error *error) {
    char message[sizeof error->message];
    const char *text = error->message[0] != '\0' ? error->message : tz_status_name(error->status);
    snprintf(message, sizeof message, "%s", text);
    snprintf(error->message, sizeof error->message, "%.300s:%zu: %.700s", r->name, line, message);
}

static bool blank(const char *line) {
    return line[strspn(line, " \t\r")] == '\0';
}

/* Reads one line that is not blank into the slot. false at the end. */
static bool read_slot(run *r, slot *slot) {
    tz_error error = {TZ_OK, ""};
    char *line = NULL;
    size_t size = 0;
    tz_status status;
    do
        status = tz_lines_next(r->lines, &line, &size, &error);
    while (status == TZ_OK && blank(line));
    slot->state = EMPTY;
    tz_text_clear(&slot->text);
    tz_text_clear(&slot->input.id);
    if (status == TZ_NONE)
        r->ended = true;
    if (status != TZ_OK) {
        if (status == TZ_IO && !ferror(r->file))
            fail_line(r, slot, &error);
        else if (status != TZ_NONE) {
            r->error = error;
            r->stopped = r->ended = true;
        }
        return !r->ended;
    }

    slot->line = tz_lines_number(r->lines);
    if (slot->input.rules == NULL)
        status = tz_json_problem_init(&slot->input, r->rules);
    if (status == TZ_OK)
        status = tz_json_problem_read(&slot->input, line, size, &error);
    if (status == TZ_OK)
        status = tz_problem_check(r->plan, &slot->input.problem, &error);
    slot->state = READ;
    if (status != TZ_OK) {
        error.status = status;
        locate(r, slot->line, &error);
        fail_line(r, slot, &error);
    }
    return !r->ended;
}

static size_t read_batch(run *r) {
    size_t count = 0;
    while (!r->ended && count < (size_t)r->set.batch)
        count += read_slot(r, &r->slots[count]);
    return count;
}

static tz_status visit(void *user, size_t problem, tz_chart *chart, size_t lane) {
    run *r = user;
    slot *slot = &r->slots[r->slot_of[problem]];
    tz_status status = tz_json_result(&slot->text, &slot->scratch, &slot->input, r->semiring,
                                      &r->set.wanted, chart, lane);
    if (status == TZ_OK)
        slot->state = DONE;
    show_progress(r);
    return status;
}

/* Solves the slots first..last-1 that are READ, together. */
static tz_status solve(run *r, size_t first, size_t last, tz_error *error) {
    const tz_run_options options = {
        .outside = r->set.wanted.marginals || r->set.wanted.max_marginals,
        .threads = (unsigned)r->set.threads,
    };
    size_t count = 0;
    for (size_t s = first; s < last; s++) {
        if (r->slots[s].state == READ) {
            r->problems[count] = r->slots[s].input.problem;
            r->slot_of[count++] = s;
        }
    }
    *error = (tz_error){TZ_OK, ""};
    if (count == 0)
        return TZ_OK;
    error->status = tz_run(r->plan, r->problems, count, &options, visit, r, error);
    return error->status;
}

/* Answers `count` slots. Returns how many are to be printed: all, or those before the one that
 * ends the run. */
static size_t solve_batch(run *r, size_t count) {
    tz_error error;
    if (solve(r, 0, count, &error) == TZ_OK)
        return count;
    /* What does not fit into memory at once may do so one by one, and else shows which it is. */
    for (size_t s = 0; s < count; s++) {
        if (r->slots[s].state != READ || solve(r, s, s + 1, &error) == TZ_OK)
            continue;
        locate(r, r->slots[s].line, &error);
        fail_line(r, &r->slots[s], &error);
        if (r->slots[s].state != DONE)
            return s;
    }
    return count;
}

static int print_batch(run *r, size_t count) {
    clear_progress(r);
    for (size_t s = 0; s < count; s++)
        fwrite(r->slots[s].text.data, 1, r->slots[s].text.size, stdout);
    return tz_flush_results(command);
}

/* ---- The run ------------------------------------------------------------------------------- */

static int prepare(run *r) {
    tz_error error = {TZ_OK, ""};
    int status = 0;
    if (r->set.rules == NULL)
        return tz_usage_error(command, "which rule set? give -r NAME-or-FILE");
    if ((status = open_semiring(&r->set, &r->semiring)) != 0 ||
        (status = check_pairing(&r->set, r->semiring)) != 0 ||
        (status = tz_open_rules(command, r->set.rules, &r->rules)) != 0)
        return status;
    if (tz_json_problem_rules(r->rules, &error) != TZ_OK) {
        tz_message(command, "%s", error.message);
        return TZ_EXIT_INPUT;
    }
    tz_status made =
        tz_plan_new(r->rules, r->semiring, r->set.force ? TZ_FORCE : 0, &r->plan, &error);
    const char *why = error.message[0] != '\0' ? error.message : tz_status_name(made);
    if (made == TZ_AMBIGUOUS)
        return tz_usage_error(command, "%s (--force runs it nevertheless)", why);
    if (made == TZ_LAW)
        return tz_usage_error(command, "%s", why);
    if (made != TZ_OK) {
        tz_message(command, "%s", why);
        return TZ_EXIT_INPUT;
    }

    size_t batch = (size_t)r->set.batch;
    r->slots = calloc(batch, sizeof *r->slots);
    r->problems = calloc(batch, sizeof *r->problems);
    r->slot_of = calloc(batch, sizeof *r->slot_of);
    r->name = r->set.file != NULL ? r->set.file : "-";
    r->file = strcmp(r->name, "-") == 0 ? stdin : fopen(r->name, "rb");
    if (r->file == NULL) {
        tz_message(command, "%s: %s", r->name, strerror(errno));
        return TZ_EXIT_INPUT;
    }
    r->lines = tz_lines_new(r->file, r->name, LINE_LIMIT);
    if (r->slots == NULL || r->problems == NULL || r->slot_of == NULL || r->lines == NULL) {
        tz_message(command, "out of memory");
        return TZ_EXIT_INPUT;
    }
    return 0;
}

static int work(run *r) {
    while (!r->ended) {
        size_t count = solve_batch(r, read_batch(r));
        if (print_batch(r, count) != 0)
            return TZ_EXIT_INPUT;
    }
    if (r->stopped)
        tz_message(command, "%s", r->error.message);
    else if (r->failed > 0)
        tz_message(command, "%s: %zu line%s could not be answered; see \"error\" in the results",
                   r->name, r->failed, r->failed == 1 ? "" : "s");
    return r->stopped || r->failed > 0 ? TZ_EXIT_INPUT : 0;
}

int tz_cli_run(int argc, char **argv) {
    run r = {.set = {.batch = 64, .threads = 1, .precision = TZ_F64}};
    char semirings[LIST], help[LIST + 32];
    tz_option table[OPTIONS];
    list_semirings(&r.set, semirings);
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
    if (read_options(&options, &r.set) != 0)
        return options.status;
    r.set.quiet = r.set.quiet || !isatty(STDERR_FILENO);
    r.progress.start = now();
    atomic_flag_clear(&r.progress.busy);

    int status = prepare(&r);
    if (status == 0)
        status = work(&r);
    for (long s = 0; s < r.set.batch && r.slots != NULL; s++) {
        tz_json_problem_free(&r.slots[s].input);
        tz_json_scratch_free(&r.slots[s].scratch);
        tz_text_free(&r.slots[s].text);
    }
    free(r.slots);
    free(r.problems);
    free(r.slot_of);
    tz_lines_free(r.lines);
    if (r.file != NULL && r.file != stdin)
        fclose(r.file);
    tz_plan_free(r.plan);
    tz_rules_free(r.rules);
    return status;
}
