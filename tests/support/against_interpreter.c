/* against_interpreter.c - comparing the engine with the definition. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "against_interpreter.h"
#include "engine/engine.h"

/* What the lanes of one chart answer, or why they do not. */
typedef struct run {
    tz_status status;
    answers *lane;
    size_t lanes;
} run;

static run run_chart(const definition *of, tz_chart *chart, const random_problem *p, size_t lanes) {
    run ret = {.lanes = lanes, .lane = need(calloc(lanes, sizeof *ret.lane))};
    FREED(tz_problem, problem) = need(calloc(lanes, sizeof *problem));
    for (size_t l = 0; l < lanes; l++)
        problem[l] = p[l].problem;
    ret.status = tz_bind(chart, problem, lanes, NULL);
    if (ret.status == TZ_OK) {
        ret.status = tz_inside(chart);
        if (ret.status == TZ_OK)
            ret.status = tz_outside(chart);
        assert_true(ret.status == TZ_OK ||
                    (ret.status == TZ_DIVERGES && tz_has_closures(of->rules)));
        for (size_t l = 0; l < lanes && ret.status == TZ_OK; l++)
            read_answers(of->rules, &p[l], chart, l, &ret.lane[l]);
    }
    return ret;
}

static void free_run(run *run) {
    for (size_t l = 0; l < run->lanes; l++)
        free_answers(&run->lane[l]);
    free(run->lane);
}

static tz_chart *new_chart(const definition *of, unsigned flags, tz_plan **ret_plan) {
    *ret_plan = make_plan(of->rules, of->semiring, TZ_FORCE | flags);
    tz_chart *chart = make_chart(*ret_plan);
    return chart;
}

/* The size up to which a question's numbers must have the same bits. Shares in a goal are exact
 * where it is. */
static double exact_below(const definition *of, question question, bool integers, double goal) {
    const tz_semiring *s = of->semiring;
    bool picks = (s->laws & TZ_EXACT) != 0 && s->gives == TZ_GIVES_SCORE;
    if (picks)
        return integers || question == GOAL || question == INSIDE || question == DERIVATIONS
                   ? INFINITY
                   : -1;
    if (s->gives == TZ_GIVES_TRUTH)
        return INFINITY;
    if (s->gives != TZ_GIVES_NUMBER)
        return -1;
    double exact = of->precision == TZ_F64 ? 0x1p53 : 0x1p24;
    return question != MARGINALS ? exact : goal <= exact ? INFINITY : -1;
}

/* Elsewhere: by precision; then of entropies, which are differences. */
static const double tolerance[2][2] = {{1e-13, 1e-10}, {1e-4, 1e-2}};

/* same: must all bits be? */
static bool compare_lane(const definition *of, const answers *got, const answers *want,
                         bool integers, bool same, const char *where, agreement *to) {
    for (unsigned k = 0; k < QUESTIONS; k++) {
        size_t place;
        bool difference = of->semiring->inputs > 0 && (k == GOAL || k == INSIDE);
        double most = tolerance[of->precision][difference];
        double below =
            same ? INFINITY : exact_below(of, (question)k, integers, want->of[GOAL].at[1]);
        double error = distance_of(got, want, (question)k, below, &place);
        to->numbers += want->of[k].count;
        if (!(error <= most)) {
            bool lists = got->of[k].count == want->of[k].count;
            snprintf(to->message, sizeof to->message,
                     "%s x %s, %s: number %zu of %s is %.17g, not %.17g: off by %.2g",
                     of->rules->name, of->semiring->name, where, place, question_name[k],
                     lists ? got->of[k].at[place] : NAN, lists ? want->of[k].at[place] : NAN,
                     error);
            return false;
        }
        to->worst[k] = error > to->worst[k] ? error : to->worst[k];
    }
    return true;
}

/* Lane `lane` and the next ones, `lanes` of them, in a chart that has been used before: the same
 * bits as there. */
static bool compare_again(const definition *of, tz_chart *chart, const random_problem *p,
                          const run *before, size_t lane, size_t lanes, bool integers,
                          const char *where, agreement *to) {
    run again = run_chart(of, chart, p + lane, lanes);
    bool same = again.status == before->status;
    if (!same)
        snprintf(to->message, sizeof to->message, "%s x %s, %s: %s", of->rules->name,
                 of->semiring->name, where, tz_status_name(again.status));
    for (size_t l = 0; l < lanes && same && again.status == TZ_OK; l++)
        same = compare_lane(of, &again.lane[l], &before->lane[lane + l], integers, true, where, to);
    free_run(&again);
    return same;
}

static bool compare_plan(const definition *of, unsigned flags, const random_problem *p,
                         const run *want, bool integers, agreement *to) {
    OWN(tz_plan, plan) = NULL;
    OWN(tz_chart, chart) = new_chart(of, flags, &plan);
    run got = run_chart(of, chart, p, want->lanes);
    bool same = got.status == want->status;
    if (!same)
        snprintf(to->message, sizeof to->message, "%s x %s: %s, not %s", of->rules->name,
                 of->semiring->name, tz_status_name(got.status), tz_status_name(want->status));
    same = same && compare_again(of, chart, p, &got, 0, got.lanes, integers, "once more", to);
    for (size_t l = 0; l < want->lanes && same && want->status == TZ_OK; l++) {
        char where[120];
        snprintf(where, 100, "%s, flags %u, lane %zu of %zu, lengths %d %d",
                 of->precision == TZ_F64 ? "f64" : "f32", flags, l, want->lanes, p[l].lengths[0],
                 of->rules->lengths > 1 ? p[l].lengths[1] : 0);
        same = compare_lane(of, &got.lane[l], &want->lane[l], integers, false, where, to);
        if (same && want->lanes > 1) {
            strcat(where, ", alone");
            same = compare_again(of, chart, p, &got, l, 1, integers, where, to);
        }
    }
    free_run(&got);
    return same;
}

bool compare_with_interpreter(const definition *of, const random_problem *problems, size_t lanes,
                              bool integers, agreement *agreement) {
    OWN(tz_plan, plan) = NULL;
    OWN(tz_chart, chart) = new_chart(of, TZ_PLAIN, &plan);
    run want = run_chart(of, chart, problems, lanes);
    bool same = true;
    for (size_t f = 0; f < of->plans && same; f++)
        same = compare_plan(of, of->flags[f], problems, &want, integers, agreement);
    free_run(&want);
    return same;
}
