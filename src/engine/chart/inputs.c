/* inputs.c - what a semiring's lift takes besides the scores: costs, another distribution's scores.
 * SPDX-License-Identifier: MIT */
#include "engine/chart/inputs.h"

enum { PIECE = 256 };

void tz_read_given(double *ret, const tz_given_row *row, size_t from, size_t count) {
    const tz_scores *scores = row->scores;
    for (size_t i = 0; i < count; i++) {
        ptrdiff_t at = row->offset + (ptrdiff_t)(from + i) * row->step;
        ret[i] = scores->data == NULL       ? 0
                 : scores->type == TZ_FLOAT ? (double)((const float *)scores->data)[at]
                                            : ((const double *)scores->data)[at];
    }
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

void tz_lift_inputs(tz_chart *chart, size_t lane, unsigned weight, const int64_t *index,
                    const int64_t *move, const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step,
                    size_t count, void *to, ptrdiff_t stride) {
    const tz_rules *rules = chart->plan->rules;
    const tz_algebra *algebra = chart->algebra;
    const tz_semiring *s = algebra->semiring;
    tz_given_row score = {scores, offset, step}, input[TZ_MAX_INPUTS];
    double pieces[1 + TZ_MAX_INPUTS][PIECE];
    const double *given[TZ_MAX_INPUTS];
    for (size_t i = 0; i < s->inputs; i++) {
        const tz_scores *bound =
            &chart->bound.inputs[(lane * s->inputs + i) * rules->weights + weight];
        input[i] = tz_find_given(chart, lane, weight, bound, offset, index, move);
        given[i] = pieces[1 + i];
    }
    for (size_t done = 0; done < count; done += PIECE) {
        size_t n = count - done < PIECE ? count - done : PIECE;
        tz_read_given(pieces[0], &score, done, n);
        for (size_t i = 0; i < s->inputs; i++)
            tz_read_given(pieces[1 + i], &input[i], done, n);
        s->lift_inputs(s, (char *)to + (ptrdiff_t)done * stride * (ptrdiff_t)algebra->size, stride,
                       pieces[0], given, n);
    }
}
