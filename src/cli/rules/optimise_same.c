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
    MIXED = 2, /* of lengths that differ */
    LONGEST = 16,
    MOST_POINTS = 1 << 20, /* of the loops of the plain interpreter */
    PROBLEMS = 3,
    SEED = 1
};

/* Of sums of scores below 5 and their exponentials, some dozens each in any order, relative to
 * 1 + the value; measured 2.0e-16 at most, over tests/rules/optimise and rules/gallery. */
static const double tolerance = 1e-14;

static bool shape_is_same(const tz_rules *one, const tz_rules *other) {
    bool same = one->lengths == other->lengths && one->weights == other->weights;
    for (unsigned w = 0; w < one->weights && same; w++)
        same = strcmp(one->weight[w].name, other->weight[w].name) == 0 &&
               one->weight[w].rank == other->weight[w].rank;
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

/* All combinations of lengths up to MIXED, where there are several. */
static tz_status compare_mixed(const tz_rules *one, const tz_rules *other, tz_same *ret) {
    int32_t lengths[TZ_MAX_LENGTHS] = {0};
    for (unsigned l = 0; l < one->lengths && one->lengths > 1 && ret->same;) {
        size_t derivations;
        tz_status status = compare_at(one, other, lengths, ret, &derivations);
        if (status != TZ_OK && status != TZ_TOO_LARGE)
            return status;
        for (l = 0; l < one->lengths && lengths[l] == MIXED; l++)
            lengths[l] = 0;
        if (l < one->lengths) {
            lengths[l]++;
            l = 0;
        }
    }
    return TZ_OK;
}

/* *ret_reached: the last length of which all structures were compared, or -1. */
static tz_status compare_structures(const tz_rules *one, const tz_rules *other, tz_same *ret,
                                    int32_t *ret_reached, size_t *ret_derivations) {
    int32_t lengths[TZ_MAX_LENGTHS];
    *ret_reached = -1;
    for (int32_t n = 0; n <= TZ_SMALL_LENGTH && ret->same; n++) {
        size_t derivations;
        tz_workload_lengths(one, n, LABELS, lengths);
        tz_status status = compare_at(one, other, lengths, ret, &derivations);
        if (status == TZ_TOO_LARGE)
            break;
        if (status != TZ_OK)
            return status;
        *ret_reached = n;
        *ret_derivations = derivations;
    }
    return ret->same ? compare_mixed(one, other, ret) : TZ_OK;
}

/* ---- Values ---------------------------------------------------------------------------------- */

static tz_status find_values(const tz_rules *rules, const char *semiring, unsigned flags,
                             const tz_problem *problem, double *ret_value, tz_error *error) {
    tz_plan *plan = NULL;
    tz_chart *chart = NULL;
    tz_status status =
        tz_plan_new(rules, tz_semiring_find(semiring, TZ_F64), TZ_FORCE | flags, &plan, error);
    if (status == TZ_OK)
        status = tz_chart_new(plan, &chart);
    if (status == TZ_OK)
        status = tz_bind(chart, problem, PROBLEMS, error);
    if (status == TZ_OK)
        status = tz_inside(chart);
    for (size_t lane = 0; lane < PROBLEMS && status == TZ_OK; lane++) {
        ret_value[lane] = -INFINITY;
        status = tz_goal(chart, lane, &ret_value[lane]);
        status = status == TZ_NONE ? TZ_OK : status;
    }
    tz_chart_free(chart);
    tz_plan_free(plan);
    return status;
}

static bool is_near(double a, double b) {
    return a == b || fabs(a - b) <= tolerance * (1 + fabs(a));
}

/* The new rules by the plain interpreter and by the engine, the old ones by the former. */
static tz_status compare_semiring(const tz_rules *one, const tz_rules *other, const char *semiring,
                                  const tz_problem *problem, tz_same *ret, tz_error *error) {
    double expected[PROBLEMS], value[PROBLEMS];
    tz_status status = find_values(one, semiring, TZ_PLAIN, problem, expected, error);
    for (int fast = 0; fast < 2 && status == TZ_OK && ret->same; fast++) {
        status = find_values(other, semiring, fast ? 0 : TZ_PLAIN, problem, value, error);
        for (size_t p = 0; p < PROBLEMS && status == TZ_OK && ret->same; p++)
            if (!is_near(expected[p], value[p])) {
                char at[TZ_LENGTHS_TEXT];
                tz_lengths_text(one, problem->lengths, at, sizeof at);
                snprintf(ret->text, sizeof ret->text, "at %.200s %s gives %.17g and %.17g", at,
                         semiring, expected[p], value[p]);
                ret->same = false;
            }
    }
    return status;
}

/* The largest lengths, in the manner of `count` lines, that the plain interpreter does at once. */
static int32_t choose_length(const tz_rules *one, const tz_rules *other, int32_t *ret_lengths) {
    int32_t n = LONGEST;
    for (; n > 1; n--) {
        double points, more;
        tz_workload_lengths(one, n, LABELS, ret_lengths);
        if (tz_rules_points(one, ret_lengths, &points) == TZ_OK &&
            tz_rules_points(other, ret_lengths, &more) == TZ_OK && points + more <= MOST_POINTS)
            break;
    }
    return n;
}

static tz_status compare_values(const tz_rules *one, const tz_rules *other, tz_same *ret,
                                int32_t *lengths, tz_error *error) {
    static const char *const semirings[] = {"count", "max", "log"};
    int32_t all[PROBLEMS * TZ_MAX_LENGTHS];
    tz_workload *work = NULL;
    choose_length(one, other, lengths);
    for (size_t p = 0; p < PROBLEMS; p++)
        memcpy(all + p * one->lengths, lengths, one->lengths * sizeof *all);
    tz_status status = tz_workload_new(one, TZ_DOUBLE, all, PROBLEMS, SEED, &work);
    for (size_t s = 0; s < 3 && status == TZ_OK && ret->same; s++)
        status = compare_semiring(one, other, semirings[s], work->problem, ret, error);
    tz_workload_free(work);
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
        snprintf(
            ret->text, sizeof ret->text,
            "to %.120s, structure by structure (%zu derivations); at %.120s, count, max and log",
            small, derivations, at);
    else
        snprintf(ret->text, sizeof ret->text,
                 "at %.120s, count, max and log; too many derivations to compare one by one", at);
    return TZ_OK;
}
