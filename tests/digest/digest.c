/* digest.c - the bits of all answers in one number a line, to be compared between machines and
 * compilers: every rule set, the gallery's too, x semiring x precision, of random problems. A rule
 * set that a semiring cannot do has the digest of that refusal.
 * "avx2" or "baseline" as an argument: no larger instruction set is used.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/need.h"
#include "tests/support/own.h"
#include "tests/support/problem.h"

enum { KBEST = 5, SAMPLES = 5 };

static const char *const semirings[] = {"bool", "costs(3)", "count",         "entropy", "kbest(3)",
                                        "log",  "max",      "required(log)", "ties"};

/* Scores of moderate range; some impossible; and beyond what plain floating point holds. */
static const struct {
    score_source source;
    int32_t n;
} sources[] = {{plain_scores, 5}, {masked_scores, 7}, {large_scores, 6}};

enum {
    SEMIRINGS = sizeof semirings / sizeof *semirings,
    SOURCES = sizeof sources / sizeof *sources
};

void *need_pointer(void *pointer, const char *what, const char *file, int line) {
    if (pointer == NULL) {
        fprintf(stderr, "%s:%d: %s: nothing\n", file, line, what);
        exit(1);
    }
    return pointer;
}

/* ---- The digest ------------------------------------------------------------------------------ */

/* FNV-1a, 64 bits. */
static uint64_t digest;

static void add_bits(uint64_t bits) {
    for (unsigned b = 0; b < 8; b++)
        digest = (digest ^ (bits >> 8 * b & 0xff)) * 0x100000001b3u;
}

/* -0 is 0, and one NaN another. */
static void add(double number) {
    uint64_t bits;
    number += 0.0;
    memcpy(&bits, &number, sizeof bits);
    add_bits(number == number ? bits : 0x7ff8000000000000u);
}

static void add_derivation(const tz_derivation *d) {
    add(d->score);
    add_bits(d->uses);
    for (size_t u = 0; u < d->uses; u++) {
        add_bits(d->use[u].weight);
        add(d->use[u].score);
        for (unsigned q = 0; q < TZ_MAX_RANK; q++)
            add_bits((uint64_t)(int64_t)d->use[u].index[q]);
    }
    add_bits(d->nodes);
    for (size_t v = 0; v < d->nodes; v++) {
        add_bits(d->node[v].rule);
        add_bits(d->node[v].item);
    }
}

/* ---- What is asked --------------------------------------------------------------------------- */

static void add_items(const tz_rules *rules, const random_problem *problem, tz_chart *chart,
                      bool outside) {
    for (size_t i = 0; i < rules->items; i++) {
        tz_shape shape;
        size_t cells = 1;
        if (tz_rules_shape(rules, TZ_ITEM + i, problem->lengths, &shape) != TZ_OK)
            continue;
        for (unsigned q = 0; q < shape.rank; q++)
            cells *= (size_t)shape.extent[q];
        for (size_t cell = 0; cell < cells; cell++) {
            int32_t index[TZ_MAX_RANK] = {0};
            double value;
            size_t rest = cell;
            for (unsigned q = shape.rank; q-- > 0; rest /= (size_t)shape.extent[q])
                index[q] = shape.origin[q] + (int32_t)(rest % (size_t)shape.extent[q]);
            if (tz_item_value(chart, 0, i, index, outside, &value) == TZ_OK)
                add(value);
        }
    }
}

static void add_cells(const tz_rules *rules, const random_problem *problem, tz_chart *chart,
                      cell_numbers numbers) {
    unsigned weights;
    tz_declared_weights(rules, &weights);
    for (unsigned w = 0; w < weights; w++) {
        size_t cells = problem->cells[w];
        double *cell = need(calloc(cells + 1, sizeof *cell));
        tz_output output = problem_output(problem, w, cell);
        add_bits(numbers(chart, 0, w, &output));
        for (size_t c = 0; c < cells; c++)
            add(cell[c]);
        free(cell);
    }
}

static void add_derivations(tz_chart *chart) {
    const tz_derivation *d;
    OWN(tz_sampler, sampler) = NULL;
    OWN(tz_kbest, kbest) = NULL;
    tz_status status = tz_best(chart, 0, TZ_GOAL, NULL, &d);
    add_bits(status);
    if (status == TZ_OK)
        add_derivation(d);
    status = tz_kbest_new(chart, 0, true, &kbest, NULL);
    for (unsigned k = 0; k < KBEST && status == TZ_OK; k++)
        if ((status = tz_kbest_next(kbest, &d)) == TZ_OK)
            add_derivation(d);
    add_bits(status);
    status = tz_sampler_new(chart, 0, 1, false, &sampler);
    for (unsigned s = 0; s < SAMPLES && status == TZ_OK; s++)
        if ((status = tz_sampler_next(sampler, &d)) == TZ_OK)
            add_derivation(d);
    add_bits(status);
}

static void add_answers(const tz_rules *rules, const random_problem *problem, tz_chart *chart,
                        size_t numbers) {
    double *value = need(calloc(numbers, sizeof *value));
    size_t count;
    tz_status status = tz_inside(chart);
    add_bits(status);
    if (status == TZ_OK && tz_item_values(chart, 0, TZ_GOAL, NULL, value, &count) == TZ_OK)
        for (size_t v = 0; v < count; v++)
            add(value[v]);
    free(value);
    if (status != TZ_OK)
        return;
    add_items(rules, problem, chart, false);
    status = tz_outside(chart);
    add_bits(status);
    if (status == TZ_OK) {
        add_items(rules, problem, chart, true);
        add_cells(rules, problem, chart, tz_marginals);
        add_cells(rules, problem, chart, tz_through);
    }
    add_derivations(chart);
}

/* ---- All of it ------------------------------------------------------------------------------- */

static unsigned instruction_set; /* a flag of plans: one with less than this machine has */

static void add_problems(const tz_rules *rules, const tz_semiring *semiring, tz_chart *chart) {
    for (size_t s = 0; s < SOURCES; s++) {
        random_state random = {s + 1};
        OWNED(random_problem, problem) = {0};
        int32_t lengths[TZ_MAX_LENGTHS];
        set_affordable_lengths(rules, sources[s].n, 2, lengths);
        if (!has_numbers(rules, lengths))
            continue;
        make_problem(rules, lengths, sources[s].source, &random, &problem);
        tz_status status = tz_bind(chart, &problem.problem, 1, NULL);
        add_bits(status);
        if (status == TZ_OK)
            add_answers(rules, &problem, chart, tz_semiring_numbers(semiring));
    }
}

static void digest_one(const tz_rules *rules, const char *name, tz_precision precision) {
    OWN(tz_semiring, semiring) = NULL;
    tz_plan *plan;
    tz_chart *chart;
    digest = 0xcbf29ce484222325u;
    if (tz_semiring_new(name, precision, &semiring, NULL) != TZ_OK)
        exit(1);
    tz_status status = tz_plan_new(rules, semiring, TZ_FORCE | instruction_set, &plan, NULL);
    add_bits(status);
    if (status == TZ_OK) {
        if (tz_chart_new(plan, &chart) != TZ_OK)
            exit(1);
        add_problems(rules, semiring, chart);
        tz_chart_free(chart);
        tz_plan_free(plan);
    }
    printf("%s %s %s %016" PRIx64 "\n", tz_rules_name(rules), name,
           precision == TZ_F32 ? "f32" : "f64", digest);
}

static void digest_all(const tz_rules *rules) {
    for (size_t s = 0; s < SEMIRINGS; s++)
        for (int f32 = 0; f32 < 2; f32++)
            digest_one(rules, semirings[s], f32 ? TZ_F32 : TZ_F64);
}

int main(int count, char **argument) {
    const tz_rules *rules;
    const char *name;
    if (count == 2 && strcmp(argument[1], "avx2") == 0)
        instruction_set = TZ_NO_AVX512;
    else if (count == 2 && strcmp(argument[1], "baseline") == 0)
        instruction_set = TZ_NO_AVX2;
    else if (count != 1)
        return 2;
    for (size_t r = 0; (rules = tz_rules_builtin(r)) != NULL; r++)
        digest_all(rules);
    for (size_t g = 0; (name = tz_gallery_name(g)) != NULL; g++) {
        OWN(tz_rules, read) = NULL;
        if (tz_gallery_read(name, &read, NULL) != TZ_OK)
            exit(1);
        digest_all(read);
    }
    return 0;
}
