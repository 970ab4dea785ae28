/* lift_beside.c - the scores of lanes whose arrays have the same layout, lifted so that what stands
 * side by side is written at once. SPDX-License-Identifier: MIT */
#include <math.h>

#include "engine/chart/inputs.h"
#include "engine/chart/lift_beside.h"

/* Rows of lanes are taken in pieces of so many lanes and cells. */
enum { LANES = 16, CELLS = 64, PIECE = TZ_MOST_BESIDE /* scores */ };

void tz_copy_scores(const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step, size_t count,
                    double *ret, size_t apart) {
    if (scores->type == TZ_FLOAT) {
        const float *from = (const float *)scores->data + offset;
        for (size_t i = 0; i < count; i++)
            ret[i * apart] = (double)from[(ptrdiff_t)i * step];
    } else {
        const double *from = (const double *)scores->data + offset;
        for (size_t i = 0; i < count; i++)
            ret[i * apart] = from[(ptrdiff_t)i * step];
    }
}

static void lift_neighbours(tz_chart *chart, const tz_lifting *from, size_t count, char *to) {
    const tz_algebra *algebra = chart->algebra;
    if (algebra->lifts != NULL && count % TZ_LIFTED == 0)
        chart->scaling.misfit |= !algebra->lifts(algebra->semiring, to, from, count);
    else
        algebra->lift(algebra->semiring, to, 1, from->score, count);
}

/* Cells at.. of some lanes' rows, lane by lane; elements are then transposed. */
static void lift_lanes(tz_chart *chart, const tz_beside *row, size_t lane, size_t lanes, size_t at,
                       size_t count, char *to) {
    _Alignas(TZ_MAX_ALIGN) char lifted[LANES * CELLS * sizeof(double)];
    const tz_algebra *algebra = chart->algebra;
    for (size_t l = 0; l < lanes; l++) {
        double piece[CELLS];
        size_t whole = count;
        tz_copy_scores(&tz_lane_weight(chart, row->first + lane + l, row->weight)->scores,
                       row->offset + (ptrdiff_t)at * row->step, row->step, count, piece, 1);
        for (; algebra->lifts != NULL && whole % TZ_LIFTED != 0; whole++)
            piece[whole] = -INFINITY;
        lift_neighbours(chart, &(tz_lifting){.score = piece}, whole,
                        lifted + l * CELLS * algebra->size);
    }
    algebra->moves->transpose(to, row->stride, lifted, CELLS, lanes, count);
}

/* What the lanes give beside the scores of cells at.., or NULL: nothing. */
static const double *take_input(const tz_chart *chart, const tz_beside *row, size_t input,
                                size_t at, size_t count, double *ret) {
    bool any = false;
    for (size_t l = 0; l < row->lanes; l++)
        any |= tz_lane_input(chart, row->first + l, input, row->weight)->data != NULL;
    for (size_t l = 0; l < row->lanes && any; l++) {
        const size_t lane = row->first + l;
        const tz_given_row given =
            tz_find_given(chart, lane, row->weight, tz_lane_input(chart, lane, input, row->weight),
                          row->offset, row->index, row->move);
        tz_read_given(ret + l, &given, at, count, row->lanes);
    }
    return any ? ret : NULL;
}

/* Cells at.. of all lanes: it is the scores that are transposed, and what goes with them. */
static void lift_cells(tz_chart *chart, const tz_beside *row, size_t at, size_t count, char *to) {
    const tz_algebra *algebra = chart->algebra;
    const size_t lanes = row->lanes, together = row->stride == (ptrdiff_t)lanes ? count : 1;
    const size_t inputs = chart->plan->wide.semiring->inputs;
    double score[PIECE], shift[PIECE], given[TZ_MAX_INPUTS][PIECE];
    const double *input[TZ_MAX_INPUTS] = {0};
    for (size_t l = 0; l < lanes; l++) {
        tz_copy_scores(&tz_lane_weight(chart, row->first + l, row->weight)->scores,
                       row->offset + (ptrdiff_t)at * row->step, row->step, count, score + l, lanes);
        for (size_t i = 0; i < count && algebra->scaled; i++)
            shift[i * lanes + l] = row->shift[l] + (double)(at + i) * row->shift_step[l];
    }
    for (size_t k = 0; k < inputs; k++)
        input[k] = take_input(chart, row, k, at, count, given[k]);
    for (size_t i = 0; i < count; i += together) {
        tz_lifting from = {score + i * lanes, shift + i * lanes, {0}};
        for (size_t k = 0; k < inputs; k++)
            from.input[k] = input[k] != NULL ? input[k] + i * lanes : NULL;
        lift_neighbours(chart, &from, together * lanes,
                        to + (ptrdiff_t)i * row->stride * (ptrdiff_t)algebra->size);
    }
}

bool tz_lifts_beside(const tz_chart *chart, size_t lanes) {
    const tz_algebra *algebra = chart->algebra;
    const bool plain = !algebra->scaled && chart->plan->wide.semiring->inputs == 0;
    return lanes > 1 && lanes <= TZ_MOST_BESIDE && chart->bound.facts == NULL &&
           !chart->scaling.centred && (plain || (algebra->lifts != NULL && lanes % TZ_LIFTED == 0));
}

void tz_lift_beside(tz_chart *chart, const tz_beside *row, size_t count, char *to) {
    const tz_algebra *algebra = chart->algebra;
    const ptrdiff_t size = (ptrdiff_t)algebra->size;
    if (algebra->moves == NULL || algebra->scaled || chart->plan->wide.semiring->inputs > 0) {
        for (size_t done = 0, n; done < count; done += n) {
            n = count - done < PIECE / row->lanes ? count - done : PIECE / row->lanes;
            lift_cells(chart, row, done, n, to + (ptrdiff_t)done * row->stride * size);
        }
        return;
    }
    for (size_t lane = 0, some; lane < row->lanes; lane += some) {
        some = row->lanes - lane < LANES ? row->lanes - lane : LANES;
        for (size_t done = 0, n; done < count; done += n) {
            n = count - done < CELLS ? count - done : CELLS;
            lift_lanes(chart, row, lane, some, done, n,
                       to + ((ptrdiff_t)lane + (ptrdiff_t)done * row->stride) * size);
        }
    }
}
