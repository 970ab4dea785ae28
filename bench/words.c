/* words.c - what one more word costs: tz_extend from n - 1 to n, in a chart that has seen these
 * lengths (and where it has not), beside tz_bind and tz_inside of n words at once. Microseconds of
 * the processor, the least of some turns. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "trapeze/trapeze.h"

enum { WORDS = 40, SESSIONS = 24, TURNS = 60, MOST_WEIGHTS = 8, LENGTHS = 6, LANES = 8 };

/* fixed: the lengths after n. entries: of each sparse weight. */
typedef struct job {
    const char *rules;
    int32_t fixed[LENGTHS - 1];
    size_t entries;
    double share; /* of the whole that a word may take */
} job;

static const job jobs[] = {
    {"eisner", {0}, 0, 1. / 8},
    {"cky", {30}, 1000, 1. / 8},
    {"chain", {5}, 0, 1. / 20},
    {"chain", {50}, 0, 1. / 20},
    {"gallery/ctc", {10, 30}, 0, 1. / 8},
    {"gallery/earley", {20}, 200, 1. / 8},
    {"gallery/cky-dense", {10}, 0, 1. / 8},
};

typedef struct problem {
    int32_t lengths[LENGTHS];
    tz_scores scores[MOST_WEIGHTS];
    tz_input_numbers numbers[1];
    tz_problem of;
} problem;

static void need(bool good, const char *what) {
    if (!good) {
        fprintf(stderr, "words: %s\n", what);
        exit(1);
    }
}

static double next_score(void) {
    static uint64_t at = 1;
    at = at * 6364136223846793005u + 1442695040888963407u;
    return (double)(at >> 11) * 0x1p-53 * 4 - 4;
}

static void make_sparse(const tz_shape *shape, size_t entries, tz_scores *ret) {
    size_t cells = 1, made = 0;
    for (unsigned q = 0; q < shape->rank; q++)
        cells *= (size_t)shape->extent[q];
    entries = entries < cells ? entries : cells;
    int32_t *index = malloc((entries + 1) * shape->rank * sizeof *index);
    double *data = malloc((entries + 1) * sizeof *data);
    need(index != NULL && data != NULL, "out of memory");
    for (size_t c = 0; c < cells && made < entries; c += cells / entries, made++) {
        size_t rest = c;
        for (unsigned q = shape->rank; q-- > 0; rest /= (size_t)shape->extent[q])
            index[made * shape->rank + q] =
                shape->origin[q] + (int32_t)(rest % (size_t)shape->extent[q]);
        data[made] = next_score();
    }
    *ret = tz_scores_sparse(index, data, made);
}

/* Of all words. A problem of fewer has the same arrays. */
static void make_problem(const tz_rules *rules, const job *job, problem *ret) {
    ret->lengths[0] = WORDS;
    for (unsigned l = 1; l < tz_rules_count(rules, TZ_LENGTHS); l++)
        ret->lengths[l] = job->fixed[l - 1];
    for (size_t w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        tz_shape shape;
        size_t cells = 1;
        need(w < MOST_WEIGHTS && tz_rules_shape(rules, w, ret->lengths, &shape) == TZ_OK, "shape");
        if (shape.sparse) {
            make_sparse(&shape, job->entries, &ret->scores[w]);
            continue;
        }
        for (unsigned q = 0; q < shape.rank; q++)
            cells *= (size_t)shape.extent[q];
        double *data = malloc((cells + 1) * sizeof *data);
        need(data != NULL, "out of memory");
        for (size_t c = 0; c < cells; c++)
            data[c] = next_score();
        ret->scores[w] = tz_scores_dense(&shape, data);
    }
    ret->of = (tz_problem){.lengths = ret->lengths, .scores = ret->scores};
    if (tz_rules_count(rules, TZ_INPUTS) > 0) {
        tz_shape shape;
        int64_t bound;
        need(tz_rules_input_shape(rules, 0, ret->lengths, &shape, &bound) == TZ_OK, "input");
        int32_t *data = calloc((size_t)shape.extent[0] + 1, sizeof *data);
        need(data != NULL, "out of memory");
        for (int32_t i = 0; i < shape.extent[0]; i++)
            data[i] = i % (int32_t)bound;
        ret->numbers[0] = tz_input_numbers_dense(&shape, data);
        ret->of.numbers = ret->numbers;
    }
}

static double at_once(const tz_plan *plan, const problem *p, size_t lanes) {
    tz_chart *chart;
    double least = INFINITY;
    tz_problem all[LANES];
    for (size_t lane = 0; lane < lanes; lane++)
        all[lane] = p->of;
    need(tz_chart_new(plan, &chart) == TZ_OK, "chart");
    for (int turn = 0; turn < TURNS; turn++) {
        const double start = tz_cpu_seconds();
        need(tz_bind(chart, all, lanes, NULL) == TZ_OK && tz_inside(chart) == TZ_OK, "at once");
        const double seconds = tz_cpu_seconds() - start;
        least = seconds < least ? seconds : least;
    }
    tz_chart_free(chart);
    return least;
}

/* The last word of the first session, and the least of the later ones. */
static void by_words(const tz_plan *plan, const problem *p, size_t lanes, double *ret_first,
                     double *ret_later) {
    problem some = *p;
    tz_chart *chart;
    *ret_first = 0;
    *ret_later = INFINITY;
    some.of.lengths = some.lengths;
    tz_problem all[LANES];
    for (size_t lane = 0; lane < lanes; lane++)
        all[lane] = some.of;
    need(tz_chart_new(plan, &chart) == TZ_OK, "chart");
    for (int session = 0; session < SESSIONS; session++) {
        int32_t kept[LENGTHS];
        memcpy(kept, p->lengths, sizeof kept);
        for (int32_t n = 2; n <= WORDS; n++) {
            some.lengths[0] = n;
            kept[0] = n - 1;
            const double start = tz_cpu_seconds();
            need(tz_extend(chart, all, lanes, n == 2 ? NULL : kept, NULL) == TZ_OK, "extend");
            const double seconds = tz_cpu_seconds() - start;
            if (n == WORDS && session == 0)
                *ret_first = seconds;
            else if (n == WORDS && seconds < *ret_later)
                *ret_later = seconds;
        }
    }
    tz_chart_free(chart);
}

static void measure(const job *job, const char *semiring, size_t lanes) {
    tz_rules *read = NULL;
    tz_plan *plan;
    problem p = {.of = {0}};
    double first, later;
    const tz_rules *rules = tz_rules_find(job->rules);
    if (rules == NULL) {
        need(tz_gallery_read(job->rules, &read, NULL) == TZ_OK, job->rules);
        rules = read;
    }
    need(tz_plan_new(rules, tz_semiring_find(semiring, TZ_F64), TZ_FORCE, &plan, NULL) == TZ_OK,
         "plan");
    make_problem(rules, job, &p);
    const double whole = at_once(plan, &p, lanes);
    by_words(plan, &p, lanes, &first, &later);
    printf("%-20s %-5s %5zu %10.2f %10.2f %8.3f %8.3f %10.2f\n", job->rules, semiring, lanes,
           1e6 * whole, 1e6 * later, later / whole, job->share, 1e6 * first);
    fflush(stdout);
    tz_plan_free(plan);
    tz_rules_free(read);
}

/* words [RULES]: of all rule sets, or this one. */
int main(int argc, char **argv) {
    printf("%-20s %-5s %5s %10s %10s %8s %8s %10s\n", "n = 40, f64", "", "lanes", "at once",
           "a word", "share", "allowed", "new to it");
    for (size_t j = 0; j < sizeof jobs / sizeof *jobs; j++)
        for (size_t lanes = 1; lanes <= LANES; lanes *= LANES) {
            if (argc > 1 && strcmp(argv[1], jobs[j].rules) != 0)
                continue;
            measure(&jobs[j], "max", lanes);
            measure(&jobs[j], "log", lanes);
        }
    return 0;
}
