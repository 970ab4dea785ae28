/* inputs.c - what a semiring's lift takes besides the scores: costs, another distribution's scores.
 * SPDX-License-Identifier: MIT */
#include "engine/chart/inputs.h"

void tz_copy_scores(const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step, size_t count,
                    double *ret) {
    if (scores->type == TZ_FLOAT) {
        const float *from = (const float *)scores->data + offset;
        for (size_t i = 0; i < count; i++)
            ret[i] = (double)from[(ptrdiff_t)i * step];
    } else {
        const double *from = (const double *)scores->data + offset;
        for (size_t i = 0; i < count; i++)
            ret[i] = from[(ptrdiff_t)i * step];
    }
}

void tz_read_given(double *ret, const tz_given_row *row, size_t from, size_t count) {
    if (row->scores->data != NULL)
        tz_copy_scores(row->scores, row->offset + (ptrdiff_t)from * row->step, row->step, count,
                       ret);
    else
        for (size_t i = 0; i < count; i++)
            ret[i] = 0;
}

/* Which entry of a sparse weight stands at the offset and has these index values. */
static size_t entry_at(const tz_scores *scores, ptrdiff_t offset, unsigned rank,
                       const int64_t *index) {
    if (scores->stride[0] != 0)
        return (size_t)(offset / scores->stride[0]);
    for (size_t e = 0;; e++) { /* one score for all entries */
        bool same = true;
        for (unsigned q = 0; q < rank; q++)
            same &= scores->index[e * rank + q] == index[q];
        if (same)
            return e;
    }
}

tz_given_row tz_find_given(const tz_chart *chart, size_t lane, unsigned weight,
                           const tz_scores *given, ptrdiff_t offset, const int64_t *index,
                           const int64_t *move) {
    const tz_weight *declared = &chart->plan->rules->weight[weight];
    const tz_lane_scores *bound = tz_lane_weight(chart, lane, weight);
    tz_given_row ret = {.scores = given};
    if (given->data == NULL)
        return ret;
    if (declared->sparse) {
        size_t entry = entry_at(&bound->scores, offset, declared->rank, index);
        ret.offset = (ptrdiff_t)entry * given->stride[0];
        return ret;
    }
    for (unsigned q = 0; q < declared->rank; q++) {
        ret.offset += (ptrdiff_t)(index[q] - bound->origin[q]) * given->stride[q];
        ret.step += (ptrdiff_t)move[q] * given->stride[q];
    }
    return ret;
}
