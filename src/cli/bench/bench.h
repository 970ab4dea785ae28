/* bench.h - the parts of `trapeze bench`: settings, measuring, printing. SPDX-License-Identifier:
 * MIT */
#ifndef TZ_CLI_BENCH_BENCH_H
#define TZ_CLI_BENCH_BENCH_H

#include <stdint.h>
#include <stdio.h>

#include "cli/lengths.h"
#include "cli/semiring_argument.h"

typedef enum tz_bench_task {
    TZ_BENCH_VALUE, /* from the caller's arrays: bind, inside, goals */
    TZ_BENCH_GRADIENT,
    TZ_BENCH_BIND,
    TZ_BENCH_INSIDE,
    TZ_BENCH_OUTSIDE,
    TZ_BENCH_MARGINALS,
    TZ_BENCH_BEST,
    TZ_BENCH_TASKS
} tz_bench_task;

const char *tz_bench_task_name(tz_bench_task task);

enum { TZ_BENCH_MOST = 64, TZ_BENCH_OPTIONS = 15 };

typedef struct tz_bench_numbers {
    long number[TZ_BENCH_MOST];
    size_t count;
} tz_bench_numbers;

/* The settings by the command line. */
typedef struct tz_bench_settings {
    char *text[TZ_BENCH_OPTIONS]; /* copies of lists, cut at the commas */
    const char *rules[TZ_BENCH_MOST], *semirings[TZ_BENCH_MOST];
    size_t rules_count, semirings_count;
    tz_bench_numbers n, batch, threads, precisions;
    tz_named_lengths named;              /* the same for all n */
    const char *lengths, *format, *plot; /* FILE, NAME, FILE; or NULL */
    long labels, seed;
    unsigned tasks; /* bits 1 << tz_bench_task */
    double seconds;
    bool force, quiet, batch_given, n_given;
} tz_bench_settings;

extern const char tz_bench_command[]; /* "trapeze bench" */

/* Reads the command line. Returns 0; or TZ_STOP with *ret_status, the exit code. Free *ret with
 * tz_bench_free_settings in both cases. */
int tz_bench_options(int argc, char **argv, tz_bench_settings *ret, int *ret_status);
void tz_bench_free_settings(tz_bench_settings *settings);

/* Does any row need tz_run, since a chart takes one length and one thread? Then all rows use it, so
 * that they can be compared. */
bool tz_bench_needs_run(const tz_bench_settings *settings);

/* A case to be measured. */
typedef struct tz_bench_case {
    const tz_rules *rules;
    const tz_charged *asked; /* the rules that are run */
    const char *semiring;    /* as it was given */
    tz_precision precision;
    int32_t n;              /* of all sentences; -1: mixed */
    const int32_t *lengths; /* [batch] where they are mixed, else NULL */
    int32_t labels;
    const tz_named_lengths *named; /* lengths that are neither */
    size_t batch;
    unsigned threads;
    bool by_run;    /* give the batch to tz_run, else to charts: for mixed lengths and threads */
    unsigned flags; /* of tz_plan_new */
    unsigned tasks; /* bits 1 << tz_bench_task */
    uint64_t seed;
    double seconds; /* for each task */
} tz_bench_case;

/* The figures of one row; NaN where a figure has no meaning. */
typedef struct tz_bench_row {
    tz_bench_case measured;
    tz_bench_task task;
    tz_isa isa;
    size_t lanes;        /* sentences bound together; 0: as tz_run groups them */
    double microseconds; /* a sentence */
    double spread;       /* relative, of the microseconds */
    double sentences;    /* a second */
    double products;     /* a second */
    double share;        /* of the machine's peak */
    double growth;       /* exponent from the n before */
    double ratio;        /* of the time to the time under the first semiring */
    double bytes;        /* of an element, narrow where these are used */
} tz_bench_row;

/* Measures one case: fills ret_rows[task] for each of its tasks, but for growth and ratio. The
 * message of a failure names the case. TZ_AMBIGUOUS, TZ_LAW: the pair of rules and semiring is
 * refused. */
tz_status tz_bench_measure(const tz_bench_case *measured, tz_bench_row ret_rows[TZ_BENCH_TASKS],
                           tz_error *ret_error);

typedef struct tz_bench_head {
    uint64_t seed;
    double seconds;
} tz_bench_head;

void tz_bench_table(FILE *file, const tz_bench_head *head, const tz_bench_row *row, size_t rows);
void tz_bench_tsv(FILE *file, const tz_bench_row *row, size_t rows);
/* TZ_NO_MEMORY. */
tz_status tz_bench_json(FILE *file, const tz_bench_head *head, const tz_bench_row *row,
                        size_t rows);
/* Plots microseconds over n; consecutive rows that differ only in n are a curve. TZ_NONE: no row
 * can be drawn. TZ_NO_MEMORY. */
tz_status tz_bench_plot(FILE *file, const tz_bench_row *row, size_t rows);

/* Do two rows differ at most in n? */
int tz_bench_same_but_n(const tz_bench_row *a, const tz_bench_row *b);
/* Do two rows differ at most in the semiring? */
int tz_bench_same_but_semiring(const tz_bench_row *a, const tz_bench_row *b);

#endif
