/* tiles.c - the loops of a step, cut into tiles for the innermost computation.
 *
 * Lanes of different lengths go through the loops together where the rules allow it
 * (tz_step.shared_lengths): each loop covers the union of what the lanes need. A rectangle is
 * handed out for all lanes at once when it is valid for one of them, so that it stays inside the
 * boxes; what is not valid for another lane multiplies that lane's zeros. SPDX-License-Identifier:
 * MIT */
#include <string.h>

#include "engine/chart/entries.h"
#include "engine/pass/tile.h"

typedef struct interval {
    int64_t low, high;
} interval;

typedef struct cutter {
    tz_chart *chart;
    tz_tile tile;
    unsigned outer;         /* loops before split and run */
    const tz_domain *entry; /* conditions on what is given */
    tz_tile_sink sink;
    void *user;
} cutter;

static bool empty(interval s) {
    return s.low > s.high;
}

/* One range per lane of the tile for each loop; lanes count from 0 at the tile's first. */
static interval *lane_ranges(const cutter *s, unsigned loop) {
    return (interval *)s->chart->passes.ranges.data + (size_t)loop * s->chart->lanes;
}

static bool together(const cutter *s) {
    return s->tile.lanes == 1 || s->chart->bound.same_lengths;
}

/* The union of the lanes' ranges of a loop, given the columns before it. A lane takes part if the
 * outer loops stand inside its ranges; `outer`: how many of them to ask. */
static interval loop_range(cutter *s, unsigned loop, unsigned outer) {
    const tz_nest *nest = s->tile.step->nest;
    unsigned lengths = s->chart->plan->rules->lengths, givens = nest->givens;
    interval *range = lane_ranges(s, loop), all = {1, 0};
    size_t lanes = together(s) ? 1 : s->tile.lanes;
    for (size_t lane = 0; lane < lanes; lane++) {
        const int32_t *length = tz_lane_length(s->chart, s->tile.lane + lane);
        bool alive = tz_domain_holds(s->entry, lengths, length, givens, s->tile.column);
        for (unsigned o = 0; o < outer && alive; o++) {
            interval r = lane_ranges(s, o)[lane];
            int64_t v = s->tile.column[givens + o];
            alive = r.low <= v && v <= r.high;
        }
        range[lane] = (interval){1, 0};
        if (!alive)
            continue;
        tz_range_value(&nest->range[loop], lengths, length, givens + loop, s->tile.column,
                       &range[lane].low, &range[lane].high);
        if (empty(range[lane]))
            continue;
        if (empty(all))
            all = range[lane];
        all.low = range[lane].low < all.low ? range[lane].low : all.low;
        all.high = range[lane].high > all.high ? range[lane].high : all.high;
    }
    return all;
}

enum { TILE = 64 }; /* products that take as long as to find a tile */

/* Hands out the tile, in parts that the scratch memory can gather. */
static tz_status emit_tile(cutter *s) {
    tz_tile *tile = &s->tile;
    size_t width = tile->width;
    while (width > 0) {
        tile->width = width;
        tile->width = tz_tile_width(s->chart, tile);
        tz_status status = s->sink(s->chart, tile, s->user);
        if (status == TZ_OK &&
            tz_stops(s->chart,
                     TILE + (double)tile->splits * (double)tile->width * (double)tile->lanes))
            status = TZ_STOPPED;
        if (status != TZ_OK)
            return status;
        tile->run += (int64_t)tile->width;
        for (unsigned e = 0; e < tile->lows; e++)
            tile->low[e].at -= (ptrdiff_t)tile->width;
        for (unsigned e = 0; e < tile->highs; e++)
            tile->high[e].at -= (ptrdiff_t)tile->width;
        width -= tile->width;
    }
    return TZ_OK;
}

static tz_status emit(cutter *s, interval split, interval run) {
    tz_tile *tile = &s->tile;
    tile->split = split.low;
    tile->splits = (size_t)(split.high - split.low + 1);
    tile->run = run.low;
    tile->width = (size_t)(run.high - run.low + 1);
    tile->lows = tile->highs = 0;
    return emit_tile(s);
}

/* Split and run of each lane as one tile with edges. */
static tz_status emit_edged(cutter *s) {
    const tz_nest *nest = s->tile.step->nest;
    size_t lanes = s->tile.lanes, first = s->tile.lane;
    tz_status status = TZ_OK;
    if (!together(s))
        s->tile.lanes = 1;
    for (size_t lane = 0; lane < lanes && status == TZ_OK; lane += s->tile.lanes) {
        interval split = lane_ranges(s, s->outer)[lane];
        s->tile.lane = first + lane;
        if (!empty(split) &&
            tz_tile_edges(nest, s->chart->plan->rules->lengths,
                          tz_lane_length(s->chart, s->tile.lane), split.low, split.high, &s->tile))
            status = emit_tile(s);
    }
    s->tile.lane = first;
    s->tile.lanes = lanes;
    return status;
}

/* The rectangle split x run for all lanes, or lane by lane where no lane covers it. */
static tz_status emit_lanes(cutter *s, const interval *lane_split, const interval *lane_run,
                            interval split, interval run) {
    if (together(s))
        return emit(s, split, run);
    size_t lanes = s->tile.lanes, first = s->tile.lane;
    for (size_t lane = 0; lane < lanes; lane++) {
        interval a = lane_split != NULL ? lane_split[lane] : split;
        interval b = lane_run != NULL ? lane_run[lane] : run;
        if (a.low == split.low && a.high == split.high && b.low == run.low && b.high == run.high)
            return emit(s, split, run);
    }
    tz_status status = TZ_OK;
    s->tile.lanes = 1;
    for (size_t lane = 0; lane < lanes && status == TZ_OK; lane++) {
        interval a = lane_split != NULL ? lane_split[lane] : split;
        interval b = lane_run != NULL ? lane_run[lane] : run;
        s->tile.lane = first + lane;
        if (!empty(a) && !empty(b))
            status = emit(s, a, b);
    }
    s->tile.lane = first;
    s->tile.lanes = lanes;
    return status;
}

/* The two innermost loops, with the columns before them set. */
static tz_status innermost(cutter *s) {
    const tz_step *step = s->tile.step->step;
    unsigned outer = s->outer, givens = s->tile.step->nest->givens;
    interval one = {0, 0};
    if (!step->has_split && !step->has_run)
        return emit(s, one, one);
    if (!step->has_split || !step->has_run) {
        interval range = loop_range(s, outer, outer);
        if (empty(range))
            return TZ_OK;
        return step->has_run ? emit_lanes(s, NULL, lane_ranges(s, outer), one, range)
                             : emit_lanes(s, lane_ranges(s, outer), NULL, range, one);
    }
    interval split = loop_range(s, outer, outer);
    if (empty(split))
        return TZ_OK;
    if (s->tile.step->edged && !step->rectangular)
        return emit_edged(s);
    if (step->rectangular) {
        s->tile.column[givens + outer] = split.low;
        interval run = loop_range(s, outer + 1, outer);
        return empty(run)
                   ? TZ_OK
                   : emit_lanes(s, lane_ranges(s, outer), lane_ranges(s, outer + 1), split, run);
    }
    for (int64_t k = split.low; k <= split.high; k++) {
        s->tile.column[givens + outer] = k;
        interval run = loop_range(s, outer + 1, outer + 1), here = {k, k};
        if (empty(run))
            continue;
        tz_status status = emit_lanes(s, NULL, lane_ranges(s, outer + 1), here, run);
        if (status != TZ_OK)
            return status;
    }
    return TZ_OK;
}

/* All loops, with the givens set. */
static tz_status loops(cutter *s) {
    const tz_nest *nest = s->tile.step->nest;
    int64_t *column = s->tile.column + nest->givens, high[TZ_MAX_VARIABLES];
    unsigned lengths = s->chart->plan->rules->lengths;
    if (nest->loops == 0 || together(s)) {
        bool alive = false;
        for (size_t lane = 0; lane < s->tile.lanes && !alive; lane++)
            alive =
                tz_domain_holds(s->entry, lengths, tz_lane_length(s->chart, s->tile.lane + lane),
                                nest->givens, s->tile.column);
        if (!alive)
            return TZ_OK;
    }
    unsigned q = 0;
    for (;;) {
        bool inside = true;
        while (q < s->outer && inside) {
            interval range = loop_range(s, q, q);
            inside = !empty(range);
            if (inside) {
                column[q] = range.low;
                high[q++] = range.high;
            }
        }
        if (inside) {
            tz_status status = innermost(s);
            if (status != TZ_OK)
                return status;
        }
        while (q > 0 && column[q - 1] == high[q - 1])
            q--;
        if (q == 0)
            return TZ_OK;
        column[q - 1]++;
    }
}

/* All choices of entries of the sparse weights of one lane. */
static tz_status entries(cutter *s) {
    const tz_bound_step *step = s->tile.step;
    tz_entry_walk walk;
    tz_status status = tz_entries_sort(s->chart, step, s->tile.lane);
    if (status != TZ_OK)
        return status;
    for (bool any = tz_entry_walk_start(&walk, s->chart, step, s->tile.lane, s->tile.column);
         any && status == TZ_OK; any = tz_entry_walk_next(&walk, s->tile.column)) {
        memcpy(s->tile.entry, walk.entry, sizeof walk.entry);
        status = loops(s);
    }
    return status;
}

static void start(cutter *s, tz_chart *chart, const tz_bound_step *step, const int64_t *stage,
                  tz_tile_sink sink, void *user) {
    const tz_nest *nest = step->nest;
    *s = (cutter){.chart = chart, .entry = &nest->entry, .sink = sink, .user = user};
    s->tile.step = step;
    s->outer = (unsigned)nest->loops - step->step->has_split - step->step->has_run;
    if (step->stages > 0)
        memcpy(s->tile.column, stage, step->stages * sizeof *stage);
}

/* A step's tiles for lanes first..first+lanes-1, at once or one by one. */
static tz_status for_lanes(cutter *s, size_t first, size_t lanes, bool at_once,
                           tz_status (*tiles)(cutter *)) {
    tz_status status = TZ_OK;
    for (size_t l = first; l < first + lanes && status == TZ_OK; l += s->tile.lanes) {
        s->tile.lane = l;
        s->tile.lanes = at_once ? lanes : 1;
        status = tiles(s);
    }
    return status;
}

tz_status tz_step_tiles(tz_chart *chart, const tz_bound_step *step, const int64_t *stage,
                        size_t lane, size_t lanes, tz_tile_sink sink, void *user) {
    cutter s;
    bool sparse = step->step->sparse > 0;
    start(&s, chart, step, stage, sink, user);
    return for_lanes(&s, lane, lanes, !sparse && tz_share_loops(chart, step),
                     sparse ? entries : loops);
}

tz_status tz_step_frames(tz_chart *chart, const tz_bound_step *step, const int64_t *stage,
                         size_t lane, size_t lanes, tz_tile_sink sink, void *user) {
    cutter s;
    bool at_once =
        tz_share_loops(chart, step) && (chart->bound.same_lengths || !step->ties->lengths);
    for (unsigned t = 0; t < step->step->sparse; t++)
        at_once &= tz_entries_shared(chart, step->term[t].which);
    start(&s, chart, step, stage, sink, user);
    s.entry = &step->ties->before;
    return for_lanes(&s, lane, lanes, at_once, loops);
}

tz_status tz_step_all_tiles(tz_chart *chart, const tz_bound_step *step, size_t lane, size_t lanes,
                            bool frames, tz_tile_sink sink, void *user) {
    const tz_rules *rules = chart->plan->rules;
    const tz_range *range = rules->kind[step->target.which].stage_range;
    int64_t at[TZ_MAX_RANK], low[TZ_MAX_RANK], high[TZ_MAX_RANK];
    for (unsigned s = 0; s < step->stages; s++) {
        low[s] = INT64_MAX;
        high[s] = INT64_MIN;
        for (size_t l = lane; l < lane + lanes; l++) {
            int64_t from, to;
            tz_range_value(&range[s], rules->lengths, tz_lane_length(chart, l), 0, NULL, &from,
                           &to);
            low[s] = from <= to && from < low[s] ? from : low[s];
            high[s] = from <= to && to > high[s] ? to : high[s];
        }
        if (low[s] > high[s])
            return TZ_OK;
        at[s] = low[s];
    }
    for (unsigned q = 1; q > 0;) {
        tz_status status =
            (frames ? tz_step_frames : tz_step_tiles)(chart, step, at, lane, lanes, sink, user);
        if (status != TZ_OK)
            return status;
        for (q = step->stages; q > 0 && ++at[q - 1] > high[q - 1]; q--)
            at[q - 1] = low[q - 1];
    }
    return TZ_OK;
}
