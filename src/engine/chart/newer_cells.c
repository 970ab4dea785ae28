/* newer_cells.c - see newer_cells.h. SPDX-License-Identifier: MIT */
#include "engine/chart/newer_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/chart/scale.h"
#include "engine/chart/score_range.h"
#include "engine/layout/places.h"
#include "rules/view.h"

enum {
    MOST_KEPT = 1 << 24, /* bytes */
    PIECE = 256,         /* scores that are lifted at once */
    LANES = 64           /* that are gone through at once */
};

/* ---- Where they are -------------------------------------------------------------------------- */

static void free_cells(tz_new_cells *c) {
    TZ_FREE_BUFFERS(&c->shapes, &c->rows, &c->row);
    free(c);
}

void tz_new_cells_free_all(tz_chart *chart) {
    tz_new_cells *c = chart->growth.cells;
    while (c != NULL) {
        tz_new_cells *next = c->next;
        free_cells(c);
        c = next;
    }
    chart->growth.cells = chart->growth.found = NULL;
}

static tz_status add_row(tz_new_cells *c, const tz_rows *rows, size_t at, size_t count, bool hole,
                         ptrdiff_t cell, ptrdiff_t apart) {
    tz_status status = tz_buffer_grow(&c->row, c->count + 1, sizeof(tz_new_row));
    if (status != TZ_OK)
        return status;
    tz_new_row *row = (tz_new_row *)c->row.data + c->count++;
    *row =
        (tz_new_row){.count = (uint32_t)count, .hole = hole, .cell = cell + (ptrdiff_t)at * apart};
    for (unsigned q = 0; q < rows->rank; q++)
        row->index[q] = rows->index[q] + (int64_t)at * rows->move[q];
    return TZ_OK;
}

/* The cells of a nest. */
static tz_status add_nest(const tz_chart *chart, tz_new_cells *c, unsigned w, const tz_nest *nest) {
    const tz_places places = tz_places_of_cells(chart, w);
    tz_status status = tz_buffer_grow(&c->rows, c->groups + 1, sizeof(tz_new_rows));
    if (status != TZ_OK)
        return status;
    tz_new_rows *to = (tz_new_rows *)c->rows.data + c->groups++;
    *to = (tz_new_rows){.weight = w, .first = c->count};
    tz_rows rows;
    for (tz_rows_start_in(&rows, chart->plan->rules, w, nest, c->length);
         status == TZ_OK && tz_rows_next(&rows);) {
        const ptrdiff_t cell = tz_row_place(&places, &rows, &to->apart);
        memcpy(to->move, rows.move, sizeof to->move);
        for (size_t at = 0; at < rows.count && status == TZ_OK;) {
            size_t hole = at;
            tz_row_hole(&rows, &hole);
            if (hole > at)
                status = add_row(c, &rows, at, hole - at, false, cell, to->apart);
            if (hole < rows.count && status == TZ_OK)
                status = add_row(c, &rows, hole, 1, true, cell, to->apart);
            at = hole + 1;
        }
    }
    to->count = c->count - to->first;
    return status;
}

static tz_status make(const tz_chart *chart, tz_new_cells *c) {
    const tz_rules *rules = chart->plan->rules;
    tz_status status = tz_buffer_reserve(&c->shapes, rules->weights + 1u, sizeof *c->shape);
    c->shape = c->shapes.data;
    for (unsigned w = 0; w < rules->weights && status == TZ_OK; w++) {
        status = tz_weight_shape(rules, &rules->weight[w], c->length, &c->shape[w]);
        for (unsigned u = 0; u < tz_newer_uses(&rules->weight[w]); u++)
            for (unsigned p = 0; p < c->newer->weight[w][u].count && status == TZ_OK; p++)
                status = add_nest(chart, c, w, &c->newer->weight[w][u].nest[p]);
    }
    return status;
}

static bool fits(const tz_chart *chart, const tz_new_cells *c, const tz_newer *newer,
                 const int32_t *old, const int32_t *length) {
    const size_t size = chart->plan->rules->lengths * sizeof *length;
    return c->newer == newer && c->lanes == chart->lanes && memcmp(c->length, length, size) == 0 &&
           memcmp(c->old, old, size) == 0 && memcmp(c->room, chart->layout.room, size) == 0;
}

tz_status tz_new_cells_find(tz_chart *chart, const tz_newer *newer, const int32_t *old,
                            const int32_t *length, const tz_new_cells **ret) {
    tz_growth *growth = &chart->growth;
    tz_new_cells *before = growth->found, *c = before != NULL ? before->after : NULL;
    if (c == NULL || !fits(chart, c, newer, old, length)) {
        size_t bytes = 0;
        for (c = growth->cells; c != NULL && !fits(chart, c, newer, old, length); c = c->next)
            bytes += c->shapes.size + c->rows.size + c->row.size;
        if (c == NULL && bytes > MOST_KEPT)
            tz_new_cells_free_all(chart);
    }
    if (c == NULL) {
        const size_t size = chart->plan->rules->lengths * sizeof *length;
        c = calloc(1, sizeof *c);
        if (c == NULL)
            return TZ_NO_MEMORY;
        c->newer = newer;
        c->lanes = chart->lanes;
        memcpy(c->old, old, size);
        memcpy(c->length, length, size);
        memcpy(c->room, chart->layout.room, size);
        tz_status status = make(chart, c);
        if (status != TZ_OK) {
            free_cells(c);
            return status;
        }
        c->next = growth->cells;
        growth->cells = c;
    }
    if (growth->found != NULL)
        growth->found->after = c;
    *ret = growth->found = c;
    return TZ_OK;
}

/* ---- Lifting --------------------------------------------------------------------------------- */

/* Scores of some cells of some lanes, side by side: cell by cell, lane by lane. */
typedef struct piece {
    size_t lane, lanes, cells;
    ptrdiff_t cell[PIECE];
    double score[PIECE], shift[PIECE];
} piece;

/* What is in the piece, checked, and lifted where the weight has a place. */
static bool finish(tz_chart *chart, piece *p, bool absent) {
    const tz_algebra *algebra = chart->algebra;
    const size_t scores = p->cells * p->lanes, size = p->lanes * algebra->size;
    const tz_scores copied = {.data = p->score, .type = TZ_DOUBLE};
    const bool allowed = tz_scores_allowed(chart->plan, &copied, 0, 1, scores);
    if (allowed && !absent && algebra->lifts != NULL) {
        _Alignas(TZ_MAX_ALIGN) char lifted[PIECE * TZ_MOST_LIFTED];
        size_t whole = scores;
        for (; whole % TZ_LIFTED != 0; whole++) {
            p->score[whole] = -INFINITY;
            p->shift[whole] = 0;
        }
        chart->scaling.misfit |= !algebra->lifts(algebra->semiring, lifted,
                                                 &(tz_lifting){p->score, p->shift, {0}}, whole);
        for (size_t i = 0; i < p->cells; i++)
            tz_copy_element(tz_cell(chart, TZ_AT_WEIGHT, p->cell[i], p->lane), lifted + i * size,
                            size);
    }
    for (size_t i = 0; i < p->cells && allowed && !absent && algebra->lifts == NULL; i++)
        algebra->lift(algebra->semiring, tz_cell(chart, TZ_AT_WEIGHT, p->cell[i], p->lane), 1,
                      p->score + i * p->lanes, p->lanes);
    p->cells = 0;
    return allowed;
}

/* Puts `count` cells of a row, from `at` on, into the piece. */
static void take(const tz_chart *chart, const tz_new_cells *c, piece *p, const tz_new_rows *rows,
                 const tz_new_row *row, size_t at, size_t count) {
    const tz_rules *rules = chart->plan->rules;
    const unsigned w = rows->weight, rank = rules->weight[w].rank,
                   gauges = chart->algebra->scaled ? tz_used_gauges(rules) : 0;
    const double *scale = chart->scaling.scale + p->lane * rules->gauges;
    const tz_lane_scores *bound = tz_lane_weight(chart, p->lane, w);
    double *score = p->score + p->cells * p->lanes, *shift = p->shift + p->cells * p->lanes;
    tz_row_forms form;
    tz_find_row_forms(rules, w, gauges, c->length, row->index, rows->move, &form);
    for (size_t l = 0; l < p->lanes; l++, bound += rules->weights, scale += rules->gauges) {
        ptrdiff_t offset = 0, step = 0;
        for (unsigned q = 0; q < rank; q++) {
            offset += (ptrdiff_t)(row->index[q] - bound->origin[q]) * bound->scores.stride[q];
            step += (ptrdiff_t)rows->move[q] * bound->scores.stride[q];
        }
        for (size_t i = 0, k = l; i < count; i++, k += p->lanes) {
            const ptrdiff_t from = offset + (ptrdiff_t)(at + i) * step;
            double sum = 0;
            for (unsigned g = 0; g < gauges; g++)
                sum += scale[g] * ((double)form.first[g] + (double)(at + i) * (double)form.step[g]);
            shift[k] = sum;
            score[k] = row->hole ? -INFINITY
                       : bound->scores.type == TZ_FLOAT
                           ? (double)((const float *)bound->scores.data)[from]
                           : ((const double *)bound->scores.data)[from];
        }
    }
    for (size_t i = 0; i < count; i++)
        p->cell[p->cells + i] = row->cell + (ptrdiff_t)(at + i) * rows->apart;
    p->cells += count;
}

/* Of some lanes. */
static bool lift_rows(tz_chart *chart, const tz_new_cells *c, const tz_new_rows *rows, piece *p) {
    const bool absent = chart->layout.weight_box[rows->weight].absent;
    const tz_new_row *row = (const tz_new_row *)c->row.data + rows->first;
    const size_t most = PIECE / p->lanes;
    bool allowed = true;
    for (size_t r = 0; r < rows->count; r++)
        for (size_t at = 0, n; at < row[r].count && allowed; at += n) {
            n = most - p->cells < row[r].count - at ? most - p->cells : row[r].count - at;
            take(chart, c, p, rows, &row[r], at, n);
            if (p->cells == most)
                allowed = finish(chart, p, absent);
        }
    return allowed && finish(chart, p, absent);
}

tz_status tz_lift_newer(tz_chart *chart, const tz_new_cells *c) {
    const tz_new_rows *rows = c->rows.data;
    piece p;
    p.cells = 0;
    for (size_t g = 0; g < c->groups; g++)
        for (p.lane = 0; p.lane < chart->lanes; p.lane += p.lanes) {
            p.lanes = chart->lanes - p.lane < LANES ? chart->lanes - p.lane : LANES;
            if (!lift_rows(chart, c, &rows[g], &p))
                return TZ_BAD_SCORE;
        }
    return TZ_OK;
}

/* ---- Items ----------------------------------------------------------------------------------- */

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
