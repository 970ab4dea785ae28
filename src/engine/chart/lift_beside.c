/* lift_beside.c - the scores of lanes whose arrays have the same layout, lifted so that what stands
 * side by side is written at once. SPDX-License-Identifier: MIT */
#include <math.h>

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

static void lift_neighbours(const tz_algebra *algebra, const double *score, size_t count,
                            char *to) {
    if (algebra->lifts != NULL && count % TZ_LIFTED == 0)
        algebra->lifts(algebra->semiring, to, score, count);
    else
        algebra->lift(algebra->semiring, to, 1, score, count);
}

/* A piece of a row, lane by lane; elements are then transposed. */
static void lift_lanes(tz_chart *chart, size_t first, size_t lanes, unsigned w, size_t count,
                       ptrdiff_t offset, ptrdiff_t step, char *to, ptrdiff_t stride) {
    _Alignas(TZ_MAX_ALIGN) char row[LANES * CELLS * sizeof(double)];
    const tz_algebra *algebra = chart->algebra;
    for (size_t l = 0; l < lanes; l++) {
        double piece[CELLS];
        size_t whole = count;
        tz_copy_scores(&tz_lane_weight(chart, first + l, w)->scores, offset, step, count, piece, 1);
        for (; algebra->lifts != NULL && whole % TZ_LIFTED != 0; whole++)
            piece[whole] = -INFINITY;
        lift_neighbours(algebra, piece, whole, row + l * CELLS * algebra->size);
    }
    algebra->moves->transpose(to, stride, row, CELLS, lanes, count);
}

/* Cell by cell: it is the scores that are transposed. */
static void lift_cells(tz_chart *chart, size_t first, size_t lanes, unsigned w, size_t count,
                       ptrdiff_t offset, ptrdiff_t step, char *to, ptrdiff_t stride) {
    const tz_algebra *algebra = chart->algebra;
    const size_t together = stride == (ptrdiff_t)lanes ? count : 1;
    double piece[PIECE];
    for (size_t l = 0; l < lanes; l++)
        tz_copy_scores(&tz_lane_weight(chart, first + l, w)->scores, offset, step, count, piece + l,
                       lanes);
    for (size_t i = 0; i < count; i += together)
        lift_neighbours(algebra, piece + i * lanes, together * lanes,
                        to + (ptrdiff_t)i * stride * (ptrdiff_t)algebra->size);
}

void tz_lift_beside(tz_chart *chart, size_t first, size_t lanes, unsigned w, size_t count,
                    ptrdiff_t offset, ptrdiff_t step, char *to, ptrdiff_t stride) {
    const tz_algebra *algebra = chart->algebra;
    const size_t most_lanes = algebra->moves != NULL ? LANES : lanes;
    const size_t most_cells = algebra->moves != NULL ? CELLS : PIECE / lanes;
    for (size_t lane = 0, some; lane < lanes; lane += some) {
        some = lanes - lane < most_lanes ? lanes - lane : most_lanes;
        for (size_t done = 0, n; done < count; done += n) {
            char *at = to + ((ptrdiff_t)lane + (ptrdiff_t)done * stride) * (ptrdiff_t)algebra->size;
            n = count - done < most_cells ? count - done : most_cells;
            (algebra->moves != NULL ? lift_lanes : lift_cells)(
                chart, first + lane, some, w, n, offset + (ptrdiff_t)done * step, step, at, stride);
        }
    }
}
