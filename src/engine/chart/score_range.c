/* score_range.c - are all scores along a row allowed, and which is the largest?
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include "engine/chart/score_range.h"

/* Is every score of a row allowed? Raises *most to the largest. */
static bool scan(const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step, size_t count,
                 double limit, double *most) {
    bool allowed = true;
    double largest = *most;
    for (size_t i = 0; i < count; i++) {
        ptrdiff_t at = offset + (ptrdiff_t)i * step;
        double score = scores->type == TZ_FLOAT ? (double)((const float *)scores->data)[at]
                                                : ((const double *)scores->data)[at];
        allowed &= (score <= limit) & ((score >= -limit) | (score == -INFINITY));
        largest = score > largest ? score : largest;
    }
    *most = largest;
    return allowed;
}

bool tz_score_range(const tz_plan *plan, const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step,
                    size_t count, double *opt_most) {
    const tz_algebra *algebra = &plan->wide;
    double ignored = -INFINITY;
    if (step == 1 && algebra->score_moves[scores->type] != NULL) {
        size_t size = scores->type == TZ_FLOAT ? sizeof(float) : sizeof(double);
        const char *row = (const char *)scores->data + offset * (ptrdiff_t)size;
        return algebra->score_moves[scores->type]->scan(row, count, algebra->limit, opt_most);
    }
    return scan(scores, offset, step, count, algebra->limit,
                opt_most != NULL ? opt_most : &ignored);
}

bool tz_scores_allowed(const tz_plan *plan, const tz_scores *scores, ptrdiff_t offset,
                       ptrdiff_t step, size_t count) {
    return tz_score_range(plan, scores, offset, step, count, NULL);
}
