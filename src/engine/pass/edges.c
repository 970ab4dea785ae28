/* edges.c - the two innermost loops of a step as one block, where the run's range moves with the
 * split. One block, not several, so that each target is summed in the same order whatever the
 * lengths of other lanes. SPDX-License-Identifier: MIT */
#include "engine/pass/tile.h"

/* Bounds at split 0 of those that move, and the strictest of those that do not. */
static unsigned sort_bounds(const tz_bound *bound, unsigned count, bool lower, unsigned lengths,
                            const int32_t *length, unsigned split, const int64_t *column,
                            tz_edge *ret_edge, int64_t *ret_still) {
    unsigned edges = 0;
    for (unsigned b = 0; b < count; b++) {
        int64_t v = tz_form_value(&bound[b].form, lengths, length, split, column);
        int64_t step = bound[b].form.column[split];
        if (step != 0) {
            ret_edge[edges++] = (tz_edge){(ptrdiff_t)v, (ptrdiff_t)step};
            continue;
        }
        v = lower ? tz_ceil_div(v, bound[b].divisor) : tz_floor_div(v, bound[b].divisor);
        if (lower ? v > *ret_still : v < *ret_still)
            *ret_still = v;
    }
    return edges;
}

/* The least value of the strictest lower bound over the splits (sign -1: minus the greatest of the
 * strictest upper one): at an end, or where two bounds meet. */
static int64_t outermost(const tz_edge *edge, unsigned edges, int64_t still, int64_t sign,
                         int64_t first, int64_t last) {
    int64_t least = INT64_MAX;
    for (unsigned a = 0; a <= edges; a++)
        for (unsigned b = 0; b <= edges; b++) {
            int64_t at = first;
            if (a == edges && b < edges) {
                at = last;
            } else if (a < edges) {
                int64_t other = b < edges ? edge[b].at : still;
                int64_t gain = edge[a].step - (b < edges ? edge[b].step : 0);
                if (gain == 0)
                    continue;
                at = tz_floor_div(gain > 0 ? other - edge[a].at : edge[a].at - other,
                                  gain > 0 ? gain : -gain);
            }
            for (int64_t split = at; split <= at + 1; split++) {
                if (split < first || split > last)
                    continue;
                int64_t strictest = sign * still;
                for (unsigned e = 0; e < edges; e++) {
                    int64_t v = sign * (edge[e].at + split * edge[e].step);
                    strictest = v > strictest ? v : strictest;
                }
                least = strictest < least ? strictest : least;
            }
        }
    return least;
}

/* Beyond any index of a row in memory, and small enough for sums of a few. */
static const int64_t most = INT64_C(1) << (sizeof(ptrdiff_t) < sizeof(int64_t) ? 28 : 40);

bool tz_tile_edges(const tz_nest *nest, unsigned lengths, const int32_t *length, int64_t first,
                   int64_t last, tz_tile *tile) {
    unsigned split = nest->givens + nest->loops - 2u;
    const tz_range *range = &nest->range[nest->loops - 1];
    int64_t low = -most, high = most;
    tile->lows = sort_bounds(range->lower, range->lowers, true, lengths, length, split,
                             tile->column, tile->low, &low);
    tile->highs = sort_bounds(range->upper, range->uppers, false, lengths, length, split,
                              tile->column, tile->high, &high);
    /* Every lower bound must meet every upper one. */
    if (low > high)
        return false;
    for (unsigned l = 0; l <= tile->lows; l++)
        for (unsigned h = 0; h <= tile->highs; h++) {
            tz_edge a = l < tile->lows ? tile->low[l] : (tz_edge){(ptrdiff_t)low, 0};
            tz_edge b = h < tile->highs ? tile->high[h] : (tz_edge){(ptrdiff_t)high, 0};
            tz_clip(b.at - a.at, b.step - a.step, &first, &last);
            if (first > last)
                return false;
        }
    tile->split = first;
    tile->splits = (size_t)(last - first + 1);
    tile->padded = false;
    tile->run = low;
    tile->width = (size_t)(high - low + 1);
    for (unsigned e = 0; e < tile->lows; e++)
        tile->low[e].at += (ptrdiff_t)(first * tile->low[e].step - low);
    for (unsigned e = 0; e < tile->highs; e++)
        tile->high[e].at += (ptrdiff_t)(first * tile->high[e].step - low + 1);
    tz_tile_tighten(tile);
    return true;
}

void tz_tile_tighten(tz_tile *tile) {
    int64_t last = (int64_t)tile->splits - 1;
    int64_t start = outermost(tile->low, tile->lows, 0, 1, 0, last);
    int64_t end = (int64_t)tile->width;
    if (!tile->padded)
        end = -outermost(tile->high, tile->highs, end, -1, 0, last);
    tile->run += start;
    tile->width = (size_t)(end - start);
    for (unsigned e = 0; e < tile->lows; e++)
        tile->low[e].at -= (ptrdiff_t)start;
    for (unsigned e = 0; e < tile->highs; e++)
        tile->high[e].at -= (ptrdiff_t)start;
    if (last == 0 && !tile->padded)
        tile->lows = tile->highs = 0; /* the one split takes in every column that is left */
}
