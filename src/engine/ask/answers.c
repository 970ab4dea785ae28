/* answers.c - a visitor that fills arrays, for callers to whom a call for every problem is dear.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/modes.h"
#include "engine/ask/answers.h"
#include "engine/ask/marginals/declared.h"
#include "engine/ask/trace/best.h"
#include "engine/ask/trace/name.h"
#include "engine/layout/scores.h"

typedef tz_status (*ask)(tz_chart *chart, size_t lane, size_t weight, const tz_output *output);

/* Asks about every weight that is wanted; `none` for all cells where there is no derivation. */
static tz_status ask_all(ask question, tz_chart *chart, size_t lane, const tz_output *output,
                         double none) {
    tz_status status = TZ_OK;
    for (unsigned w = 0; w < tz_rules_count(chart->plan->rules, TZ_WEIGHTS) && status == TZ_OK;
         w++) {
        if (output[w].data == NULL)
            continue;
        status = question(chart, lane, w, &output[w]);
        if (status == TZ_NONE) {
            tz_fill_given(chart, lane, w, &output[w], none);
            status = TZ_OK;
        }
    }
    return status;
}

/* Where the output has the cell of a use, in its strides; of a sparse weight, that of its entry. */
static ptrdiff_t place_of(const tz_chart *chart, size_t lane, const tz_use *use,
                          const ptrdiff_t *stride) {
    unsigned count;
    const tz_weight *weight = tz_declared_weights(chart->plan->rules, &count) + use->weight;
    const tz_lane_scores *bound = tz_lane_given(chart, lane, use->weight);
    if (weight->sparse) {
        size_t e = 0, size = weight->rank * sizeof *bound->scores.index;
        while (memcmp(bound->scores.index + e * weight->rank, use->index, size) != 0)
            e++;
        return (ptrdiff_t)e * stride[0];
    }
    ptrdiff_t at = 0;
    for (unsigned d = 0; d < weight->rank; d++)
        at += (use->index[d] - bound->origin[d]) * stride[d];
    return at;
}

static tz_status no_use(tz_chart *chart, size_t lane, size_t weight, const tz_output *output) {
    tz_fill_given(chart, lane, (unsigned)weight, output, 0);
    return TZ_OK;
}

static tz_status count_uses(tz_chart *chart, size_t lane, const tz_output *output) {
    const tz_use *use;
    size_t uses;
    tz_status status = tz_trace_uses(chart, lane, &use, &uses);
    if (status == TZ_OK || status == TZ_NONE)
        ask_all(no_use, chart, lane, output, 0);
    if (status == TZ_OK)
        status = tz_name_cells(chart, lane, use, uses, &chart->trace.sorted, &use);
    for (size_t u = 0; status == TZ_OK && u < uses; u++) {
        const tz_output *to = &output[use[u].weight];
        if (to->data != NULL)
            to->data[place_of(chart, lane, &use[u], to->stride)] += 1;
    }
    return status == TZ_NONE ? TZ_OK : status;
}

/* All but marginals. */
static tz_status answer(const tz_answers *to, size_t problem, tz_chart *chart, size_t lane) {
    const tz_plan *plan = chart->plan;
    const tz_semiring *semiring = plan->wide.semiring;
    size_t first = problem * tz_rules_count(plan->rules, TZ_WEIGHTS);
    tz_status status = TZ_OK;
    if (to->value != NULL)
        status = tz_goal(chart, lane, &to->value[problem]);
    if (to->values != NULL && status == TZ_OK)
        status = tz_item_values(chart, lane, TZ_GOAL, NULL,
                                to->values + problem * tz_semiring_numbers(semiring),
                                &to->number[problem]);
    if (to->through != NULL && status == TZ_OK)
        status = ask_all(tz_through, chart, lane, to->through + first,
                         semiring->value(semiring, semiring->zero));
    if (to->tangents != NULL && status == TZ_OK)
        status = ask_all(tz_marginal_tangents, chart, lane, to->tangents + first, 0);
    if (to->best != NULL && status == TZ_OK)
        status = count_uses(chart, lane, to->best + first);
    return status;
}

tz_status tz_answer(void *answers, size_t problem, tz_chart *chart, size_t lane) {
    TZ_DEFAULT_MODES;
    const tz_answers *to = answers;
    tz_status status = TZ_OK;
    if (to->marginals != NULL)
        status =
            ask_all(tz_marginals, chart, lane,
                    to->marginals + problem * tz_rules_count(chart->plan->rules, TZ_WEIGHTS), 0);
    return status == TZ_OK ? answer(to, problem, chart, lane) : status;
}

tz_status tz_answer_all(const tz_answers *to, const size_t *problem, size_t count,
                        tz_chart *chart) {
    tz_status status = TZ_OK;
    if (to->marginals != NULL)
        status = tz_marginals_at(chart, to->marginals, problem, count);
    for (size_t l = 0; l < count && status == TZ_OK; l++)
        status = answer(to, problem[l], chart, l);
    return status;
}
