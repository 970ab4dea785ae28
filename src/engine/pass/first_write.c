/* first_write.c - which targets of a pass must be made zero before it.
 *
 * The first block that writes to a row of a chart (all cells of a kind at one stage) mostly covers
 * the row, or all but a few cells at its ends. It need not add to what is there, and those cells
 * need not be cleared: half the memory traffic of a short sentence. What is left is cleared before
 * the pass. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/layout/address.h"
#include "engine/pass/first_write.h"
#include "engine/pass/row_end.h"

typedef struct row_state {
    enum { UNTOUCHED, WRITTEN, CLEARED } state;
    int64_t from, end; /* WRITTEN: the cells that the first block writes */
} row_state;

tz_status tz_first_write_start(tz_schedule *schedule, const tz_chart *chart) {
    const tz_rules *rules = chart->plan->rules;
    tz_pass pass = tz_pass_primal(schedule->pass);
    bool weights = pass == TZ_PASS_WEIGHTS;
    unsigned count = weights ? rules->weights : rules->kinds;
    size_t rows = 0;
    tz_status status = tz_buffer_reserve(&schedule->first_row, count + 1u, sizeof(size_t));
    if (status != TZ_OK)
        return status;
    size_t *first = schedule->first_row.data;
    for (unsigned i = 0; i < count; i++) {
        tz_area a = tz_area_of(chart, weights, i);
        bool apart = (!weights || !a.box->absent) && tz_has_rows(chart, weights, &a, i);
        /* The goal's outside value is written before the pass, where each lane has it. */
        if (pass == TZ_PASS_OUTSIDE && i == rules->goal.which && !chart->bound.same_lengths)
            apart = false;
        for (unsigned t = 0; weights && apart && t < rules->weight[i].outsides; t++)
            apart =
                tz_can_be_blocks(chart, &chart->plan->weight_pass[rules->weight[i].outside + t]);
        first[i] = rows;
        rows += apart ? tz_rows_of(&a) : 0;
    }
    first[count] = rows;
    status = tz_buffer_reserve(&schedule->row, rows, sizeof(row_state));
    if (status == TZ_OK)
        status = tz_buffer_reserve(&schedule->touched, rows, sizeof(size_t));
    row_state *row = schedule->row.data;
    for (size_t r = 0; r < rows && status == TZ_OK; r++)
        row[r] = (row_state){.state = UNTOUCHED};
    unsigned k = rules->goal.which;
    ptrdiff_t goal = pass == TZ_PASS_OUTSIDE && status == TZ_OK && first[k] < first[k + 1]
                         ? tz_goal_offset(chart, 0)
                         : -1;
    if (goal >= 0)
        row[first[k] + (size_t)((goal - (ptrdiff_t)chart->layout.box[k].offset) /
                                chart->layout.box[k].stride[0])]
            .state = CLEARED;
    return status;
}

/* A row that is untouched comes to be so. */
static void touch(tz_schedule *schedule, size_t row, row_state to) {
    row_state *all = schedule->row.data;
    if (all[row].state == UNTOUCHED)
        ((size_t *)schedule->touched.data)[schedule->rows_touched++] = row;
    all[row] = all[row].state == UNTOUCHED ? to : all[row];
}

/* Rows that anything may be added to. */
static void add_to_any(tz_schedule *schedule, size_t first, size_t end) {
    for (size_t r = first; r < end; r++)
        touch(schedule, r, (row_state){.state = CLEARED});
}

bool tz_first_write_block(tz_schedule *schedule, const tz_chart *chart, const tz_bound_step *step,
                          const tz_block *block, ptrdiff_t offset) {
    tz_area a = tz_area_of(chart, step->target.what == TZ_WEIGHT, step->target.which);
    const size_t *first = schedule->first_row.data;
    size_t rows = first[step->target.which + 1] - first[step->target.which];
    if (rows == 0)
        return false;
    ptrdiff_t in_box = offset - (ptrdiff_t)a.box->offset;
    const size_t of_target = first[step->target.which];
    const size_t row = of_target + (size_t)(in_box / a.box->stride[0]);
    int64_t at = in_box % a.box->stride[0] + a.box->low[1];
    if (block->run == 0) {
        /* Its columns are added to what is there, be there one or more. */
        add_to_any(schedule, row, row + 1);
        return false;
    }
    if (block->width > 1 && (block->run != (ptrdiff_t)chart->lanes ||
                             at + (int64_t)block->width - 1 > a.box->high[1])) {
        add_to_any(schedule, of_target, of_target + rows); /* it goes from row to row */
        return false;
    }
    const size_t touched = schedule->rows_touched;
    touch(schedule, row, (row_state){WRITTEN, at, at + (int64_t)block->width});
    return schedule->rows_touched > touched;
}

void tz_first_write_task(tz_schedule *schedule, const tz_chart *chart, const tz_bound_step *step,
                         int64_t stage) {
    const size_t *first = schedule->first_row.data;
    unsigned k = step->target.which;
    if (step->target.what == TZ_WEIGHT || first[k + 1] == first[k])
        return;
    const tz_form *form = &chart->plan->rules->kind[k].stage[0];
    int64_t row = stage - form->constant - chart->layout.box[k].low[0];
    for (unsigned l = 0; l < chart->plan->rules->lengths; l++)
        row -= (int64_t)form->length[l] * chart->bound.longest[l];
    if (tz_form_has_lengths(form)) /* then lanes have it at different rows */
        add_to_any(schedule, first[k], first[k + 1]);
    else if (row >= 0 && (size_t)row < first[k + 1] - first[k])
        add_to_any(schedule, first[k] + (size_t)row, first[k] + (size_t)row + 1);
}

void tz_first_write_back(tz_schedule *schedule, size_t touched) {
    row_state *row = schedule->row.data;
    while (schedule->rows_touched > touched)
        row[((const size_t *)schedule->touched.data)[--schedule->rows_touched]].state = UNTOUCHED;
}

void tz_first_write_none(tz_schedule *schedule, const tz_chart *chart) {
    const tz_rules *rules = chart->plan->rules;
    bool weights = tz_pass_primal(schedule->pass) == TZ_PASS_WEIGHTS;
    unsigned count = weights ? rules->weights : rules->kinds;
    memset(schedule->first_row.data, 0, (count + 1u) * sizeof(size_t));
}

static tz_status add_unwritten(tz_schedule *schedule, size_t first, size_t count) {
    tz_cell_range *unwritten = schedule->unwritten.data;
    if (count == 0)
        return TZ_OK;
    if (schedule->unwritten_ranges > 0 && unwritten[schedule->unwritten_ranges - 1].first +
                                                  unwritten[schedule->unwritten_ranges - 1].count ==
                                              first) {
        unwritten[schedule->unwritten_ranges - 1].count += count;
        return TZ_OK;
    }
    tz_status status =
        tz_buffer_grow(&schedule->unwritten, schedule->unwritten_ranges + 1, sizeof(tz_cell_range));
    if (status == TZ_OK)
        ((tz_cell_range *)schedule->unwritten.data)[schedule->unwritten_ranges++] =
            (tz_cell_range){first, count};
    return status;
}

/* What the first block of a row leaves. */
static tz_status add_rest(tz_schedule *schedule, const tz_chart *chart, const tz_area *a, size_t r,
                          const row_state *row) {
    int64_t low, high;
    size_t start = a->box->offset + r * (size_t)a->box->stride[0];
    if (row->state != WRITTEN)
        return add_unwritten(schedule, start, (size_t)a->box->stride[0]);
    tz_row_range(chart, a, a->box->low[0] + (int64_t)r, &low, &high);
    tz_status status = TZ_OK;
    if (low < row->from)
        status = add_unwritten(schedule, start + (size_t)(low - a->box->low[1]),
                               (size_t)(row->from - low));
    if (status == TZ_OK && high >= row->end)
        status = add_unwritten(schedule, start + (size_t)(row->end - a->box->low[1]),
                               (size_t)(high + 1 - row->end));
    return status;
}

tz_status tz_first_write_end(tz_schedule *schedule, const tz_chart *chart) {
    const tz_rules *rules = chart->plan->rules;
    bool weights = tz_pass_primal(schedule->pass) == TZ_PASS_WEIGHTS;
    unsigned count = weights ? rules->weights : rules->kinds;
    const size_t *first = schedule->first_row.data;
    const row_state *row = schedule->row.data;
    tz_status status = TZ_OK;
    for (unsigned i = 0; i < count && status == TZ_OK; i++) {
        tz_area a = tz_area_of(chart, weights, i);
        if (a.box->empty || (weights && a.box->absent))
            continue;
        if (first[i] == first[i + 1])
            status = add_unwritten(schedule, a.box->offset, a.box->size);
        for (size_t r = first[i]; r < first[i + 1] && status == TZ_OK; r++)
            status = add_rest(schedule, chart, &a, r - first[i], &row[r]);
    }
    return status;
}
