/* newer_cells.c - see newer_cells.h. SPDX-License-Identifier: MIT */
#include "engine/chart/newer_cells.h"

#include "engine/chart/score_range.h"
#include "engine/chart/weights.h"
#include "engine/layout/rows.h"

/* Are the scores of a nest's rows allowed in all lanes? */
static bool rows_allowed(const tz_chart *chart, unsigned w, const tz_nest *nest) {
    bool allowed = true;
    tz_rows rows;
    for (tz_rows_start_in(&rows, chart->plan->rules, w, nest, chart->bound.longest);
         allowed && tz_rows_next(&rows);)
        for (size_t lane = 0; lane < chart->lanes && allowed; lane++) {
            const tz_lane_scores *bound = tz_lane_weight(chart, lane, w);
            ptrdiff_t step;
            const ptrdiff_t offset = tz_row_offset(&rows, bound, &step);
            allowed = tz_scores_allowed(chart->plan, &bound->scores, offset, step, rows.count);
        }
    return allowed;
}

tz_status tz_lift_newer(tz_chart *chart, const tz_newer *newer) {
    const tz_rules *rules = chart->plan->rules;
    for (unsigned w = 0; w < rules->weights; w++) {
        const unsigned uses = rules->weight[w].uses > 0 ? rules->weight[w].uses : 1;
        if (rules->weight[w].sparse)
            continue;
        for (unsigned u = 0; u < uses; u++)
            for (unsigned p = 0; p < newer->weight[w][u].count; p++) {
                const tz_nest *nest = &newer->weight[w][u].nest[p];
                if (!rows_allowed(chart, w, nest))
                    return TZ_BAD_SCORE;
                if (!chart->layout.weight_box[w].absent)
                    tz_lift_cells(chart, 0, chart->lanes, w, nest);
            }
    }
    return TZ_OK;
}

static void clear(tz_chart *chart, size_t first, size_t cells) {
    tz_fill(chart->algebra, tz_cell(chart, TZ_AT_INSIDE, (ptrdiff_t)first, 0), chart->algebra->zero,
            cells * chart->lanes);
}

/* The cells of a nest over a kind's coordinates, less their constants; the last are neighbours. */
static void clear_nest(tz_chart *chart, unsigned k, const tz_nest *nest, const int32_t *length) {
    const tz_kind *kind = &chart->plan->rules->kind[k];
    const tz_box *box = &chart->layout.box[k];
    const unsigned lengths = chart->plan->rules->lengths,
                   outer = nest->loops > 0 ? nest->loops - 1u : 0;
    tz_nest rows = *nest;
    tz_walk walk;
    rows.loops = (uint8_t)outer;
    for (tz_walk_start(&walk, &rows, lengths, length, NULL); tz_walk_next(&walk);) {
        int64_t low = 0, high = 0;
        ptrdiff_t cell = (ptrdiff_t)box->offset;
        if (nest->loops > 0)
            tz_range_value(&nest->range[outer], lengths, length, outer, walk.column, &low, &high);
        for (unsigned c = 0; c < kind->rank; c++) {
            const int64_t at = c == outer ? low : walk.column[c];
            cell += (ptrdiff_t)(at + kind->coordinate[c].constant - box->low[c]) * box->stride[c];
        }
        if (low <= high)
            clear(chart, (size_t)cell, (size_t)(high - low + 1));
    }
}

void tz_clear_newer(tz_chart *chart, const tz_newer *newer, const int32_t *opt_to) {
    const tz_rules *rules = chart->plan->rules;
    for (unsigned k = 0; k < rules->kinds; k++) {
        const tz_box *box = &chart->layout.box[k];
        if (box->empty)
            continue;
        if (!newer->stays[k])
            clear(chart, box->offset, box->size);
        for (unsigned p = 0; p < newer->kind[k].count && opt_to != NULL; p++)
            clear_nest(chart, k, &newer->kind[k].nest[p], opt_to);
    }
}
