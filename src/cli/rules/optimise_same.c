/* optimise_same.c - are two rule sets the same but for their items? See optimise.h.
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/lengths.h"
#include "cli/rules/optimise.h"
#include "measure/workload.h"
#include "rules/tell/cost.h"
#include "rules/tell/enumerate.h"

enum {
    MOST_DERIVATIONS = 100000, /* enumerated */
    LABELS = 2,
    MIXED = 32, /* combinations of lengths that differ */
    LONGEST = 16,
    MOST_POINTS = 1 << 20, /* of the loops of the plain interpreter */
    PROBLEMS = 3,
    SEED = 1
};

/* Of sums and products of what sums have rounded before, thousands of each in another order,
 * relative to 1 + the value; measured 2.8e-14 at most, over random rule sets. What is small is
 * exact. */
static const double tolerance = 1e-12;

static bool shape_is_same(const tz_rules *one, const tz_rules *other) {
    unsigned weights, others;
    const tz_weight *weight = tz_declared_weights(one, &weights);
    const tz_weight *as = tz_declared_weights(other, &others);
    bool same = one->lengths == other->lengths && weights == others;
    for (unsigned w = 0; w < weights && same; w++)
        same = strcmp(weight[w].name, as[w].name) == 0 && weight[w].rank == as[w].rank;
    return same;
}

/* ---- Structures ------------------------------------------------------------------------------ */

/* TZ_TOO_LARGE: there are too many. */
static tz_status compare_at(const tz_rules *one, const tz_rules *other, const int32_t *lengths,
                            tz_same *ret, size_t *ret_derivations) {
    char at[TZ_LENGTHS_TEXT];
    tz_status status =
        tz_compare_structures(one, other, lengths, MOST_DERIVATIONS, &ret->same, ret_derivations);
    tz_lengths_text(one, lengths, at, sizeof at);
    if (status == TZ_OK && !ret->same)
        snprintf(ret->text, sizeof ret->text,
                 "at %.200s they have different structures, or some more often", at);
    return status;
}

/* The largest length of which all combinations are compared. */
static int32_t most_mixed(const tz_rules *rules) {
    int32_t most = 1;
    for (size_t combinations = 1; most < TZ_SMALL_LENGTH; most++) {
        combinations = 1;
        for (unsigned l = 0; l < rules->lengths; l++)
            combinations *= (size_t)most + 2;
        if (combinations > MIXED)
            break;
    }
    return most;
}

/* Lengths of combination number c. */
static void mixed_lengths(const tz_rules *rules, size_t c, int32_t *ret_lengths) {
    const size_t each = (size_t)most_mixed(rules) + 1;
    for (unsigned l = 0; l < rules->lengths; l++, c /= each)
        ret_lengths[l] = (int32_t)(c % each);
}

static size_t count_mixed(const tz_rules *rules) {
    size_t combinations = 1;
    for (unsigned l = 0; l < rules->lengths; l++)
        combinations *= (size_t)most_mixed(rules) + 1;
    return combinations;
}

/* *ret_reached: the last length of which all structures were compared, or -1; *ret_derivations: the
 * most that some lengths have. */
static tz_status compare_structures(const tz_rules *one, const tz_rules *other, tz_same *ret,
                                    int32_t *ret_reached, size_t *ret_derivations) {
    int32_t lengths[TZ_MAX_LENGTHS];
    tz_status status = TZ_OK;
    size_t derivations;
    *ret_reached = -1;
    *ret_derivations = 0;
    for (int32_t n = 0; n <= TZ_SMALL_LENGTH && ret->same && status == TZ_OK; n++) {
        tz_workload_lengths(one, n, LABELS, lengths);
        status = compare_at(one, other, lengths, ret, &derivations);
        if (status != TZ_OK)
            break;
        *ret_reached = n;
        *ret_derivations = derivations > *ret_derivations ? derivations : *ret_derivations;
    }
    for (size_t c = 0; c < count_mixed(one) && one->lengths > 1 && ret->same; c++) {
        if (status != TZ_OK && status != TZ_TOO_LARGE)
            return status;
        mixed_lengths(one, c, lengths);
        status = compare_at(one, other, lengths, ret, &derivations);
        if (status == TZ_OK && derivations > *ret_derivations)
            *ret_derivations = derivations;
    }
    return status == TZ_TOO_LARGE ? TZ_OK : status;
}

/* ---- Values ----------------------------------------------------------------------------------
 *
 * Of both, by the plain interpreter and by the engine: all four say the same, of problems side by
 * side. Equal lengths hide what depends on the difference of two. */

enum { WAYS = 4 };

/* A rule set under a semiring, in one of the ways. */
typedef struct evaluator {
    tz_plan *plan;
    tz_chart *chart;
} evaluator;

static tz_status open_evaluator(const tz_rules *rules, const char *semiring, bool plain,
                                evaluator *ret, tz_error *error) {
    tz_status status = tz_plan_new(rules, tz_semiring_find(semiring, TZ_F64),
                                   TZ_FORCE | (plain ? TZ_PLAIN : 0), &ret->plan, error);
    return status == TZ_OK ? tz_chart_new(ret->plan, &ret->chart) : status;
}

static tz_status find_values(evaluator *e, const tz_problem *problem, double *ret_value,
                             tz_error *error) {
    tz_status status = tz_bind(e->chart, problem, PROBLEMS, error);
    if (status == TZ_OK)
        status = tz_inside(e->chart);
    for (size_t lane = 0; lane < PROBLEMS && status == TZ_OK; lane++) {
        ret_value[lane] = -INFINITY;
        status = tz_goal(e->chart, lane, &ret_value[lane]);
        status = status == TZ_NONE ? TZ_OK : status;
    }
    return status;
}

static bool is_near(double a, double b) {
    return a == b || fabs(a - b) <= tolerance * (1 + fabs(a));
}

/* lengths: [PROBLEMS] */
static tz_status compare_batch(const tz_rules *rules, const int32_t *lengths, evaluator *way,
                               const char *semiring, tz_same *ret, tz_error *error) {
    tz_workload *work = NULL;
    double value[WAYS][PROBLEMS];
    tz_status status = tz_workload_new(rules, TZ_DOUBLE, lengths, PROBLEMS, SEED, &work);
    for (unsigned w = 0; w < WAYS && status == TZ_OK; w++)
        status = find_values(&way[w], work->problem, value[w], error);
    for (unsigned w = 1; w < WAYS && status == TZ_OK; w++)
        for (size_t p = 0; p < PROBLEMS && ret->same; p++)
            if (!is_near(value[0][p], value[w][p])) {
                char at[TZ_LENGTHS_TEXT];
                tz_lengths_text(rules, lengths + p * rules->lengths, at, sizeof at);
                snprintf(ret->text, sizeof ret->text, "at %.200s %s gives %.17g and %.17g", at,
                         semiring, value[0][p], value[w][p]);
                ret->same = false;
            }
    tz_workload_free(work);
    return status;
}

/* The largest lengths, in the manner of `count` lines, that the plain interpreter does at once. */
static void choose_length(const tz_rules *one, const tz_rules *other, int32_t *ret_lengths) {
    for (int32_t n = LONGEST; n > 0; n--) {
        double points, more;
        tz_workload_lengths(one, n, LABELS, ret_lengths);
        if (tz_rules_points(one, ret_lengths, &points) == TZ_OK &&
            tz_rules_points(other, ret_lengths, &more) == TZ_OK && points + more <= MOST_POINTS)
            break;
    }
}

/* The lengths of batch number b: the largest; some that are shorter, each by something else; then
 * small ones, combination by combination. False: there are no more. */
static bool choose_batch(const tz_rules *rules, const int32_t *largest, unsigned b, int32_t *ret) {
    const unsigned count = rules->lengths;
    for (size_t p = 0; p < PROBLEMS; p++)
        for (unsigned l = 0; l < count; l++) {
            const int32_t shorter[] = {largest[l], largest[l] / 2, largest[l] - 1};
            ret[p * count + l] = b == 0 ? largest[l] : shorter[(l + p) % 3];
        }
    for (size_t p = 0; p < PROBLEMS && b >= 2; p++)
        mixed_lengths(rules, (b - 2) * PROBLEMS + p, ret + p * count);
    return b < 2 || (b - 2) * PROBLEMS < count_mixed(rules);
}

static tz_status compare_semiring(const tz_rules *one, const tz_rules *other, const char *semiring,
                                  const int32_t *largest, tz_same *ret, tz_error *error) {
    int32_t lengths[PROBLEMS * TZ_MAX_LENGTHS];
    evaluator way[WAYS] = {{.plan = NULL}};
    tz_status status = TZ_OK;
    for (unsigned w = 0; w < WAYS && status == TZ_OK; w++)
        status = open_evaluator(w < 2 ? one : other, semiring, w % 2 == 0, &way[w], error);
    for (unsigned b = 0; status == TZ_OK && ret->same && choose_batch(one, largest, b, lengths);
         b++)
        status = compare_batch(one, lengths, way, semiring, ret, error);
    for (unsigned w = 0; w < WAYS; w++) {
        tz_chart_free(way[w].chart);
        tz_plan_free(way[w].plan);
    }
    return status;
}

static tz_status compare_values(const tz_rules *one, const tz_rules *other, tz_same *ret,
                                int32_t *lengths, tz_error *error) {
    static const char *const semirings[] = {"count", "max", "log"};
    tz_status status = TZ_OK;
    choose_length(one, other, lengths);
    for (size_t s = 0; s < 3 && status == TZ_OK && ret->same; s++)
        status = compare_semiring(one, other, semirings[s], lengths, ret, error);
    return status;
}

tz_status tz_check_same(const tz_rules *one, const tz_rules *other, tz_same *ret, tz_error *error) {
    int32_t reached, lengths[TZ_MAX_LENGTHS];
    size_t derivations = 0;
    char at[TZ_LENGTHS_TEXT], small[TZ_LENGTHS_TEXT];
    *error = (tz_error){TZ_OK, ""};
    *ret = (tz_same){.same = shape_is_same(one, other)};
    if (!ret->same) {
        snprintf(ret->text, sizeof ret->text, "they have different lengths or weights");
        return TZ_OK;
    }
    tz_status status = compare_structures(one, other, ret, &reached, &derivations);
    if (status == TZ_OK && ret->same)
        status = compare_values(one, other, ret, lengths, error);
    if (status != TZ_OK || !ret->same)
        return status;
    tz_lengths_text(one, lengths, at, sizeof at);
    tz_workload_lengths(one, reached < 0 ? 0 : reached, LABELS, lengths);
    tz_lengths_text(one, lengths, small, sizeof small);
    if (reached >= 0)
        snprintf(ret->text, sizeof ret->text,
                 "to %.120s, structure by structure (%zu derivations); at %.120s and at unequal "
                 "lengths, "
                 "count, max and log",
                 small, derivations, at);
    else
        snprintf(ret->text, sizeof ret->text,
                 "at %.120s and at unequal lengths, count, max and log; too many derivations to "
                 "compare one by one",
                 at);
    return TZ_OK;
}
