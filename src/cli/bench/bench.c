/* bench.c - `trapeze bench`: how fast is a rule set under a semiring, here?
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/grow.h"
#include "base/lines.h"
#include "base/replace.h"
#include "cli/bench/bench.h"
#include "cli/cli.h"
#include "measure/lengths.h"
#include "measure/timing.h"

/* ---- Cases --------------------------------------------------------------------------------- */

typedef struct bench {
    tz_bench_settings set;
    tz_rules *rules[TZ_BENCH_MOST];
    tz_charged *asked;        /* [rules][semirings][2 precisions] */
    int32_t *known, *lengths; /* of a file, and picked from them */
    size_t known_count;
    tz_bench_row *row;
    size_t rows, room;
    size_t done, cases;
    bool progress, shown;
} bench;

static tz_charged *asked_at(const bench *b, size_t r, size_t i, tz_precision p) {
    return &b->asked[2 * (r * b->set.semirings_count + i) + p];
}

static int open_semirings(bench *b) {
    const tz_bench_settings *s = &b->set;
    const size_t pairs = s->rules_count * s->semirings_count;
    b->asked = calloc(2 * pairs, sizeof *b->asked);
    if (b->asked == NULL) {
        tz_message(tz_bench_command, "out of memory");
        return TZ_EXIT_INPUT;
    }
    for (size_t k = 0; k < pairs; k++) {
        const size_t r = k / s->semirings_count, i = k % s->semirings_count;
        for (tz_precision p = TZ_F64; p <= TZ_F32; p++) {
            int status = tz_charged_open(tz_bench_command, s->semirings[i], p, b->rules[r],
                                         asked_at(b, r, i, p));
            if (status != 0)
                return status;
        }
        const tz_semiring *semiring = asked_at(b, r, i, TZ_F64)->semiring;
        if ((s->tasks & 1u << TZ_BENCH_BEST) &&
            !((semiring->laws & TZ_PATH) && semiring->gives == TZ_GIVES_SCORE))
            return tz_usage_error(tz_bench_command,
                                  "--task=best needs a semiring whose sum picks one derivation "
                                  "(max); %s does not",
                                  semiring->name);
        int status =
            s->force ? 0
                     : tz_check_sum(tz_bench_command, s->rules[r], b->rules[r], semiring, s->quiet);
        if (status != 0)
            return status;
    }
    return 0;
}

static void show_progress(bench *b, const tz_bench_case *of) {
    if (!b->progress || (double)b->cases * b->set.seconds <= 2)
        return;
    fprintf(stderr, "\r\033[K%s: %zu of %zu: %s x %s", tz_bench_command, b->done + 1, b->cases,
            tz_rules_name(of->rules), of->semiring);
    if (of->n >= 0)
        fprintf(stderr, ", n = %ld", (long)of->n);
    b->shown = true;
}

static int measure(bench *b, const tz_bench_case *of) {
    tz_bench_row row[TZ_BENCH_TASKS];
    tz_error error;
    void *rows = b->row;
    if (!tz_grow(&rows, &b->room, b->rows + TZ_BENCH_TASKS, sizeof *b->row)) {
        tz_message(tz_bench_command, "out of memory");
        return TZ_EXIT_INPUT;
    }
    b->row = rows;
    show_progress(b, of);
    tz_status status = tz_bench_measure(of, row, &error);
    if (b->shown)
        fprintf(stderr, "\r\033[K");
    b->done++;
    if (status == TZ_AMBIGUOUS)
        return tz_usage_error(tz_bench_command, "%s (--force runs it nevertheless)", error.message);
    if (status == TZ_LAW)
        return tz_usage_error(tz_bench_command, "%s", error.message);
    if (status != TZ_OK) {
        tz_message(tz_bench_command, "%s", error.message);
        return TZ_EXIT_INPUT;
    }
    for (unsigned t = 0; t < TZ_BENCH_TASKS; t++)
        if (of->tasks & (1u << t))
            b->row[b->rows++] = row[t];
    return 0;
}

/* The list, or the one number that the length which runs is given by name. */
static const tz_bench_numbers *lengths_of(const tz_bench_settings *s, const tz_rules *rules,
                                          tz_bench_numbers *named) {
    const char *running = tz_rules_name_of(rules, TZ_LENGTHS, tz_running_length(rules));
    *named = (tz_bench_numbers){{tz_named_length(&s->named, running)}, 1};
    return named->number[0] >= 0 ? named : &s->n;
}

/* Of one rule set, semiring, precision, number of threads and batch: every n. Rows come out by
 * task, then n. */
static int measure_lengths(bench *b, tz_bench_case of) {
    const tz_bench_settings *s = &b->set;
    size_t first = b->rows, tasks = (size_t)__builtin_popcount(of.tasks);
    tz_bench_numbers named;
    int status = 0;
    const tz_bench_numbers *n = lengths_of(s, of.rules, &named);
    if (s->lengths != NULL && n == &named)
        return tz_usage_error(tz_bench_command,
                              "%s: --lengths says the length that -n gives by name",
                              tz_rules_name(of.rules));
    if (s->lengths != NULL) {
        if (!s->batch_given)
            of.batch = b->known_count;
        free(b->lengths);
        b->lengths = calloc(of.batch, sizeof *b->lengths);
        if (b->lengths == NULL) {
            tz_message(tz_bench_command, "out of memory");
            return TZ_EXIT_INPUT;
        }
        tz_pick_lengths(b->known, b->known_count, of.batch, of.seed, b->lengths);
        of.lengths = b->lengths;
        of.n = -1;
        return measure(b, &of);
    }
    for (size_t i = 0; i < n->count && status == 0; i++) {
        of.n = (int32_t)n->number[i];
        status = measure(b, &of);
    }
    size_t count = (b->rows - first) / tasks;
    tz_bench_row *sorted = calloc(count * tasks + 1, sizeof *sorted);
    if (sorted == NULL) {
        tz_message(tz_bench_command, "out of memory");
        return TZ_EXIT_INPUT;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t t = 0; t < tasks; t++)
            sorted[t * count + i] = b->row[first + i * tasks + t];
    for (size_t r = 1; r < count * tasks; r++)
        if (tz_bench_same_but_n(&sorted[r], &sorted[r - 1]))
            sorted[r].growth = tz_growth(sorted[r - 1].measured.n, sorted[r - 1].microseconds,
                                         sorted[r].measured.n, sorted[r].microseconds);
    memcpy(b->row + first, sorted, count * tasks * sizeof *sorted);
    free(sorted);
    return status;
}

/* The first row of its kind is that of the first semiring. */
static void compare_semirings(bench *b) {
    for (size_t r = 0; r < b->rows; r++) {
        size_t first = 0;
        while (!tz_bench_same_but_semiring(&b->row[first], &b->row[r]))
            first++;
        b->row[r].ratio = b->row[r].microseconds / b->row[first].microseconds;
    }
}

static int measure_all(bench *b) {
    const tz_bench_settings *s = &b->set;
    int status = 0;
    tz_bench_numbers named;
    for (size_t r = 0; r < s->rules_count; r++)
        b->cases += s->semirings_count * s->precisions.count * s->batch.count * s->threads.count *
                    (s->lengths != NULL ? 1 : lengths_of(s, b->rules[r], &named)->count);
    for (size_t r = 0; r < s->rules_count; r++)
        for (size_t i = 0; i < s->semirings_count; i++)
            for (size_t p = 0; p < s->precisions.count; p++)
                for (size_t k = 0; k < s->batch.count; k++)
                    for (size_t t = 0; t < s->threads.count && status == 0; t++) {
                        tz_precision precision = (tz_precision)s->precisions.number[p];
                        status = measure_lengths(b, (tz_bench_case){
                                                        .rules = b->rules[r],
                                                        .asked = asked_at(b, r, i, precision),
                                                        .semiring = s->semirings[i],
                                                        .precision = precision,
                                                        .labels = (int32_t)s->labels,
                                                        .named = &s->named,
                                                        .batch = (size_t)s->batch.number[k],
                                                        .threads = (unsigned)s->threads.number[t],
                                                        .by_run = tz_bench_needs_run(s),
                                                        .flags = s->force ? TZ_FORCE : 0,
                                                        .tasks = s->tasks,
                                                        .seed = (uint64_t)s->seed,
                                                        .seconds = s->seconds,
                                                    });
                    }
    return status;
}

/* ---- Results ------------------------------------------------------------------------------- */

static int print(const bench *b) {
    const tz_bench_head head = {(uint64_t)b->set.seed, b->set.seconds};
    if (strcmp(b->set.format, "tsv") == 0) {
        tz_bench_tsv(stdout, b->row, b->rows);
    } else if (strcmp(b->set.format, "table") == 0) {
        tz_bench_table(stdout, &head, b->row, b->rows);
    } else if (tz_bench_json(stdout, &head, b->row, b->rows) != TZ_OK) {
        tz_message(tz_bench_command, "out of memory");
        return TZ_EXIT_INPUT;
    }
    return tz_flush_results(tz_bench_command);
}

static int plot(const bench *b, tz_replace *output) {
    tz_error error = {TZ_OK, ""};
    tz_status status = tz_bench_plot(output->file, b->row, b->rows);
    if (status == TZ_NONE)
        status = tz_bad_input(&error, b->set.plot, 0,
                              "no row can be drawn: n and its time must be above 0");
    else if (status == TZ_OK)
        status = tz_replace_commit(output, &error);
    return status == TZ_OK ? 0 : tz_failed(tz_bench_command, status, &error);
}

static int run(bench *b) {
    tz_replace output = {0};
    tz_error error;
    int status = 0;
    for (size_t r = 0; r < b->set.rules_count && status == 0; r++)
        status = tz_open_rules(tz_bench_command, b->set.rules[r], b->set.quiet, &b->rules[r]);
    if (status == 0)
        status = open_semirings(b);
    if (status == 0)
        status =
            tz_check_named_lengths(tz_bench_command, &b->set.named, b->rules, b->set.rules_count);
    if (status == 0 && b->set.lengths != NULL &&
        tz_read_lengths(b->set.lengths, &b->known, &b->known_count, &error) != TZ_OK) {
        tz_message(tz_bench_command, "%s", error.message);
        status = TZ_EXIT_INPUT;
    }
    /* Before the work, since it may take long. */
    if (status == 0 && b->set.plot != NULL) {
        tz_status opened = tz_replace_open(b->set.plot, &output, &error);
        status = opened == TZ_OK ? 0 : tz_failed(tz_bench_command, opened, &error);
    }
    if (status != 0)
        return status;
    status = measure_all(b);
    compare_semirings(b);
    /* What was measured before a failure is worth showing. */
    int printed = b->rows > 0 ? print(b) : 0;
    int plotted = b->set.plot != NULL && status == 0 ? plot(b, &output) : 0;
    tz_replace_abandon(&output);
    return status != 0 ? status : printed != 0 ? printed : plotted;
}

int tz_cli_bench(int argc, char **argv) {
    bench b = {0};
    int status;
    if (tz_bench_options(argc, argv, &b.set, &status) == 0) {
        b.progress = !b.set.quiet && isatty(STDERR_FILENO);
        status = run(&b);
    }
    for (size_t k = 0; b.asked != NULL && k < 2 * b.set.rules_count * b.set.semirings_count; k++)
        tz_charged_free(&b.asked[k]);
    free(b.asked);
    for (size_t r = 0; r < b.set.rules_count; r++)
        tz_rules_free(b.rules[r]);
    tz_bench_free_settings(&b.set);
    free(b.known);
    free(b.lengths);
    free(b.row);
    return status;
}
