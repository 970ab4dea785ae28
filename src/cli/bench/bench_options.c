/* bench_options.c - the command line of `trapeze bench`. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/cli.h"

const char tz_bench_command[] = "trapeze bench";

enum { BATCH_LIMIT = 1 << 20, THREAD_LIMIT = 1024, LABEL_LIMIT = 1 << 10 };

enum {
    RULES,
    SEMIRING,
    N,
    LENGTHS,
    LABELS,
    BATCH,
    THREADS,
    PRECISION,
    TASK,
    TIME,
    SEED,
    FORMAT,
    PLOT,
    FORCE,
    QUIET,
    OPTIONS
};
_Static_assert((int)OPTIONS == (int)TZ_BENCH_OPTIONS, "one text each");

static const tz_option option_table[OPTIONS] = {
    [RULES] = {"rules", 'r', "RULES,...", "rule sets: built-in ones, or files, as for trapeze run"},
    [SEMIRING] = {"semiring", 's', "SEMIRING,...",
                  "semirings, as for trapeze run; resource(NAME,D,SEMIRING) too"},
    [N] = {"length", 'n', "LIST",
           "sentence lengths (20,40,80,160); NAME=LENGTH among them for\n"
           "lengths that stay the same: -n 20,40,h=3"},
    [LENGTHS] = {"lengths", 0, "FILE",
                 "instead of the numbers of -n: sentences of mixed lengths, given\n"
                 "by lines \"LENGTH\" or \"LENGTH COUNT\"; all of them, or --batch,\n"
                 "evenly spread over the distribution",
                 TZ_TEXT_AT(tz_bench_settings, lengths)},
    [LABELS] = {"labels", 0, "N", "size of label sets, lengths with an upper-case initial (4)",
                TZ_NUMBER_AT(tz_bench_settings, labels, 1, LABEL_LIMIT)},
    [BATCH] = {"batch", 0, "LIST", "sentences given to the library at a time (64)"},
    [THREADS] = {"threads", 0, "LIST", "threads (1)"},
    [PRECISION] = {"precision", 0, "LIST", "f32, f64 (f64)"},
    [TASK] = {"task", 0, "LIST", "what is timed, see below (value)"},
    [TIME] = {"time", 0, "SECONDS", "for each row (0.5)"},
    [SEED] = {"seed", 0, "N", "seed of the scores (1)",
              TZ_NUMBER_AT(tz_bench_settings, seed, 0, 1L << 31)},
    [FORMAT] = {"format", 'f', "table|tsv|json", "table, tsv or json (table)"},
    [PLOT] = {"plot", 0, "FILE", "draw microseconds over n as SVG",
              TZ_TEXT_AT(tz_bench_settings, plot)},
    [FORCE] = {"force", 0, NULL, "as for trapeze run", TZ_FLAG_AT(tz_bench_settings, force)},
    [QUIET] = {"quiet", 0, NULL, "no progress on the terminal, and no warnings",
               TZ_FLAG_AT(tz_bench_settings, quiet)},
};

static const char about[] =
    "Measure every combination of the lists, on random scores. LIST is separated by\n"
    "commas.\n";

static const char notes[] =
    "Tasks:\n"
    "  value      from the caller's arrays to values: bind (which checks the scores),\n"
    "             inside, goals\n"
    "  gradient   the same, with outside and the marginals of all weights\n"
    "  bind, inside, outside, marginals, best\n"
    "             one stage: clocked where it takes 10 microseconds or more, else the\n"
    "             difference of the times with and without it, taken in turn. bind and\n"
    "             inside: only with one thread and one length\n"
    "\n"
    "Columns: microseconds a sentence, the median of repetitions, and half the distance\n"
    "of their quartiles in percent of it; sentences a second; semiring products a second\n"
    "(value, inside), counted from the rules: work that rules share counts once, so\n"
    "that rule sets compare; the share of the machine's peak; growth, the exponent e of\n"
    "time ~ n^e from the row with the n before; ratio, of the time to that under the\n"
    "first semiring; bytes of an element.\n"
    "\n"
    "The peak is measured beside each row, on one core with the row's instruction set:\n"
    "how many bytes a second can be loaded, streaming over memory of the chart's size,\n"
    "and how many multiplications with an addition each can be done in registers. A\n"
    "kernel that loads two operands, of 4 (f32) or 8 (f64) bytes, for each product can\n"
    "do the smaller of loads / (2 operands) and multiply-adds; times the threads. More\n"
    "than 100 % means that operands are used more than once.\n"
    "\n"
    "Scores are uniform in [-5, 5), of rule sets with closures in [-25, -15), so that\n"
    "what goes round in a circle adds up; sparse weights are full. At least 64 different\n"
    "sentences (fewer where their scores would take more than 1 GiB) are taken in turn,\n"
    "since processors learn the branches of one that is repeated. Before times are\n"
    "taken, a batch must give the same bits as each of its sentences alone without\n"
    "vectors.\n";

/* Cuts the option's value at commas that stand in no parentheses into parts of a copy kept in s. */
static int cut(const tz_options *o, tz_bench_settings *s, int which,
               const char *part[TZ_BENCH_MOST], size_t *ret_count) {
    free(s->text[which]);
    s->text[which] = strdup(o->value);
    *ret_count = 0;
    if (s->text[which] == NULL) {
        tz_message(tz_bench_command, "out of memory");
        return TZ_EXIT_INPUT;
    }
    for (char *text = s->text[which], *at; (at = tz_next_part(&text)) != NULL;) {
        if (*at == '\0')
            return tz_usage_error(tz_bench_command, "--%s: nothing between two commas in '%s'",
                                  o->option[which].name, o->value);
        if (*ret_count == TZ_BENCH_MOST)
            return tz_usage_error(tz_bench_command, "--%s takes %d values at most",
                                  o->option[which].name, TZ_BENCH_MOST);
        part[(*ret_count)++] = at;
    }
    return 0;
}

static int cut_numbers(const tz_options *o, tz_bench_settings *s, int which, long minimum,
                       long maximum, tz_bench_numbers *ret) {
    const char *part[TZ_BENCH_MOST];
    int status = cut(o, s, which, part, &ret->count);
    for (size_t i = 0; status == 0 && i < ret->count; i++) {
        tz_options one = *o;
        one.value = part[i];
        status = tz_option_number(&one, which, minimum, maximum, &ret->number[i]);
    }
    return status;
}

static int take_n(const tz_options *o, int which, const char *part, void *user) {
    tz_bench_numbers *n = user;
    tz_options one = *o;
    one.value = part;
    if (n->count == TZ_BENCH_MOST)
        return tz_usage_error(tz_bench_command, "--%s takes %d values at most",
                              o->option[which].name, TZ_BENCH_MOST);
    return tz_option_number(&one, which, 0, TZ_MAX_LENGTH, &n->number[n->count++]);
}

/* What is not given by name is measured for each of the list, or for the usual ones. */
static int read_lengths(const tz_options *o, tz_bench_settings *s) {
    const tz_bench_numbers usual = s->n;
    s->n.count = s->named.count = 0;
    int status = tz_take_lengths(o, N, &s->named, take_n, &s->n);
    s->n_given = s->n.count > 0;
    if (s->n.count == 0)
        s->n = usual;
    return status;
}

static const char *task_name(const void *list, size_t index) {
    (void)list;
    return index < TZ_BENCH_TASKS ? tz_bench_task_name((tz_bench_task)index) : NULL;
}

static int read_tasks(const tz_options *o, tz_bench_settings *s) {
    const char *part[TZ_BENCH_MOST];
    size_t count;
    int status = cut(o, s, TASK, part, &count);
    s->tasks = 0;
    for (size_t i = 0; status == 0 && i < count; i++) {
        size_t task = 0;
        while (task < TZ_BENCH_TASKS &&
               strcmp(part[i], tz_bench_task_name((tz_bench_task)task)) != 0)
            task++;
        if (task < TZ_BENCH_TASKS) {
            s->tasks |= 1u << task;
            continue;
        }
        const char *near = tz_nearest(part[i], task_name, NULL);
        const char *known = "value, gradient, bind, inside, outside, marginals or best";
        status =
            near != NULL
                ? tz_usage_error(tz_bench_command, "--task is %s, not '%s'; did you mean '%s'?",
                                 known, part[i], near)
                : tz_usage_error(tz_bench_command, "--task is %s, not '%s'", known, part[i]);
    }
    return status;
}

static int read_precisions(const tz_options *o, tz_bench_settings *s) {
    const char *part[TZ_BENCH_MOST];
    int status = cut(o, s, PRECISION, part, &s->precisions.count);
    for (size_t i = 0; status == 0 && i < s->precisions.count; i++) {
        bool f32 = strcmp(part[i], "f32") == 0;
        if (!f32 && strcmp(part[i], "f64") != 0)
            status =
                tz_usage_error(tz_bench_command, "--precision is f32 or f64, not '%s'", part[i]);
        s->precisions.number[i] = f32 ? TZ_F32 : TZ_F64;
    }
    return status;
}

static int read_seconds(const tz_options *o, tz_bench_settings *s) {
    char *end;
    s->seconds = strtod(o->value, &end);
    if (end == o->value || *end != '\0' || !(s->seconds > 0 && s->seconds <= 3600))
        return tz_usage_error(tz_bench_command,
                              "--time takes seconds, above 0 and up to 3600, not '%s'", o->value);
    return 0;
}

static int take(tz_options *o, int which, void *user) {
    tz_bench_settings *s = user;
    int status = 0;
    switch (which) {
    case TZ_OPERAND:
        status =
            tz_usage_error(tz_bench_command, "what is '%s'? rule sets are given by -r", o->value);
        break;
    case RULES:
        status = cut(o, s, RULES, s->rules, &s->rules_count);
        break;
    case SEMIRING:
        status = cut(o, s, SEMIRING, s->semirings, &s->semirings_count);
        break;
    case N:
        status = read_lengths(o, s);
        break;
    case BATCH:
        s->batch_given = true;
        status = cut_numbers(o, s, BATCH, 1, BATCH_LIMIT, &s->batch);
        break;
    case THREADS:
        status = cut_numbers(o, s, THREADS, 1, THREAD_LIMIT, &s->threads);
        break;
    case PRECISION:
        status = read_precisions(o, s);
        break;
    case TASK:
        status = read_tasks(o, s);
        break;
    case TIME:
        status = read_seconds(o, s);
        break;
    case FORMAT:
        s->format = o->value;
        if (strcmp(o->value, "table") != 0 && strcmp(o->value, "tsv") != 0 &&
            strcmp(o->value, "json") != 0)
            status = tz_usage_error(tz_bench_command, "--format is table, tsv or json, not '%s'",
                                    o->value);
        break;
    }
    return status;
}

bool tz_bench_needs_run(const tz_bench_settings *s) {
    bool several = s->lengths != NULL;
    for (size_t i = 0; i < s->threads.count; i++)
        several = several || s->threads.number[i] > 1;
    return several;
}

/* What the options ask for together. */
static int check_options(const tz_bench_settings *s) {
    if (s->rules_count == 0)
        return tz_usage_error(tz_bench_command, "which rule sets? give -r RULES,...");
    if (s->semirings_count == 0)
        return tz_usage_error(tz_bench_command, "which semirings? give -s SEMIRING,...");
    if (s->lengths != NULL && s->n_given)
        return tz_usage_error(tz_bench_command,
                              "-n and --lengths are two ways to say the lengths: give one; -n may "
                              "still name lengths that stay the same, as -n h=3");
    if (s->lengths != NULL && s->plot != NULL)
        return tz_usage_error(tz_bench_command,
                              "--plot draws over n: give lengths by -n, not --lengths");
    if (tz_bench_needs_run(s) && (s->tasks & (1u << TZ_BENCH_BIND | 1u << TZ_BENCH_INSIDE)))
        return tz_usage_error(tz_bench_command,
                              "--task=%s is for charts, of one thread and one length: with "
                              "--threads or --lengths, time 'value'",
                              s->tasks & 1u << TZ_BENCH_BIND ? "bind" : "inside");
    return 0;
}

int tz_bench_options(int argc, char **argv, tz_bench_settings *ret, int *ret_status) {
    tz_options options = {.command = tz_bench_command,
                          .synopsis = "-r RULES,... -s SEMIRING,... [OPTION]...",
                          .about = about,
                          .notes = notes,
                          TZ_COMMAND_ROWS(option_table, argc, argv)};
    *ret = (tz_bench_settings){
        .n = {{20, 40, 80, 160}, 4},
        .batch = {{64}, 1},
        .threads = {{1}, 1},
        .precisions = {{TZ_F64}, 1},
        .labels = 4,
        .seed = 1,
        .tasks = 1u << TZ_BENCH_VALUE,
        .seconds = 0.5,
        .format = "table",
    };
    if (!tz_take_options(&options, take, ret)) {
        *ret_status = options.status;
        return TZ_STOP;
    }
    *ret_status = check_options(ret);
    return *ret_status != 0 ? TZ_STOP : 0;
}

void tz_bench_free_settings(tz_bench_settings *settings) {
    for (int i = 0; i < OPTIONS; i++)
        free(settings->text[i]);
}
