/* expand.c - see expand.h. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ask/expand.h"
#include "engine/chart/entries.h"
#include "engine/chart/weights.h"
#include "engine/layout/scores.h"
#include "engine/pass/contract.h"

enum { STRIP = 64 /* instances at once */ };

tz_status tz_expand_room(tz_chart *chart) {
    const tz_plan *plan = chart->plan;
    tz_status status = tz_buffer_reserve(&chart->trace.products, STRIP + 1, plan->wide.size);
    for (unsigned s = 0; s < plan->rules->steps; s++)
        for (size_t lane = 0; lane < chart->lanes && status == TZ_OK; lane++)
            status = tz_entries_sort(chart, &plan->trace[s], lane);
    return status;
}

static unsigned columns_of(const tz_bound_step *step) {
    return (unsigned)step->nest->givens + step->nest->loops;
}

/* ---- Which instances ---------------------------------------------------------------------------
 */

/* Starts the loops of a step for its present entries. */
static void start_walk(tz_expansion *e) {
    memcpy(e->at.entry, e->entries.entry, sizeof e->at.entry);
    tz_walk_start(&e->walk, &e->outer, e->chart->plan->rules->lengths,
                  tz_lane_length(e->chart, e->lane), e->at.column);
}

/* Starts the step, or the next one that has entries for its sparse weights; false past the last. */
static bool start_step(tz_expansion *e) {
    for (; e->at.step < e->end; e->at.step++) {
        if (e->at.step->step->sparse > 0 &&
            !tz_entry_walk_start(&e->entries, e->chart, e->at.step, e->lane, e->at.column))
            continue;
        tz_term_order(e->chart->plan, e->at.step->step, e->order);
        e->outer = *e->at.step->nest;
        if (e->outer.loops > 0)
            e->outer.loops--;
        start_walk(e);
        return true;
    }
    return false;
}

/* Moves on to the next entries, or the next step. */
static bool next_walk(tz_expansion *e) {
    if (e->at.step->step->sparse > 0 && tz_entry_walk_next(&e->entries, e->at.column)) {
        start_walk(e);
        return true;
    }
    e->at.step++;
    return start_step(e);
}

/* ---- Their products ---------------------------------------------------------------------------
 */

/* Has the term no elements at a fixed stride? */
static bool is_gathered(const tz_expansion *e, unsigned t) {
    const tz_chart *chart = e->chart;
    const tz_bound_term *term = &e->at.step->term[t];
    return term->what == TZ_WEIGHT && chart->layout.weight_box[term->which].absent &&
           (t >= e->at.step->step->sparse || chart->plan->plain);
}

/* A term's elements along the strip. */
static tz_operand operand_of(const tz_expansion *e, unsigned t) {
    const tz_chart *chart = e->chart;
    const tz_bound_term *term = &e->at.step->term[t];
    const tz_address *address = &chart->layout.address[term->address];
    const tz_nest *nest = e->at.step->nest;
    unsigned columns = columns_of(e->at.step);
    if (t < e->at.step->step->sparse)
        return (tz_operand){.base = tz_entry_element(chart, e->lane, term->which, e->at.entry[t])};
    ptrdiff_t offset =
        tz_address_value(address, e->walk.lengths, e->walk.length, columns, e->at.column);
    return (tz_operand){
        .base = tz_cell(chart, tz_term_space(term), offset, e->lane),
        .run = nest->loops > 0 ? address->column[columns - 1] * (ptrdiff_t)chart->lanes : 0};
}

/* The product of one instance. */
static void multiply(tz_expansion *e) {
    const tz_algebra *algebra = e->chart->algebra;
    char *product = e->chart->trace.products.data, *lifted = product + algebra->size;
    memcpy(product, algebra->one, algebra->size);
    for (unsigned i = 0; i < e->at.step->terms; i++) {
        const void *element = lifted;
        if (is_gathered(e, e->order[i]))
            tz_instance_weight(e->chart, e->lane, &e->at, e->order[i], lifted);
        else
            element = operand_of(e, e->order[i]).base;
        if (i == 0)
            memcpy(product, element, algebra->size);
        else
            algebra->semiring->times(algebra->semiring, product, product, element);
    }
}

/* Fills in the strip's elements. What needs gathering goes instance by instance. */
static void fill_strip(tz_expansion *e) {
    const tz_bound_step *step = e->at.step;
    tz_operand operand[TZ_MAX_TERMS];
    e->element = e->chart->trace.products.data;
    for (unsigned i = 0; i < step->terms && e->count > 1; i++)
        if (is_gathered(e, i))
            e->count = 1;
    if (e->count == 1) {
        multiply(e);
        return;
    }
    for (unsigned i = 0; i < step->terms; i++)
        operand[i] = operand_of(e, e->order[i]);
    tz_block block = {.target = e->chart->trace.products.data,
                      .run = 1,
                      .splits = 1,
                      .width = e->count,
                      .lanes = 1,
                      .outer = operand,
                      .outers = step->terms,
                      .bundle = 1,
                      .first_write = 1};
    tz_contract(e->chart, &block, 1);
}

void tz_expand_start(tz_expansion *e, tz_chart *chart, size_t lane, unsigned kind,
                     const int32_t *index) {
    const tz_kind *k = &chart->plan->rules->kind[kind];
    e->chart = chart;
    e->lane = lane;
    e->at.step = chart->plan->trace + k->inside;
    e->end = e->at.step + k->insides;
    e->rank = k->rank;
    e->count = 0;
    e->in_strip = false;
    for (unsigned q = 0; q < k->rank; q++)
        e->at.column[q] = index[q];
    if (!start_step(e))
        e->at.step = e->end;
}

bool tz_expand_next(tz_expansion *e) {
    if (e->at.step == e->end)
        return false;
    if (e->in_strip)
        e->at.column[columns_of(e->at.step) - 1] += (int64_t)e->count;
    for (;;) {
        const tz_nest *nest = e->at.step->nest;
        unsigned last = columns_of(e->at.step) - 1u;
        if (e->in_strip && e->at.column[last] <= e->high) {
            int64_t left = e->high - e->at.column[last];
            e->count = left < STRIP ? (size_t)left + 1 : STRIP;
            break;
        }
        e->in_strip = false;
        if (!tz_walk_next(&e->walk)) {
            if (!next_walk(e))
                return false;
            continue;
        }
        memcpy(e->at.column + nest->givens, e->walk.column + nest->givens,
               e->outer.loops * sizeof *e->at.column);
        e->count = 1;
        if (nest->loops == 0)
            break;
        tz_range_value(&nest->range[nest->loops - 1], e->walk.lengths, e->walk.length, last,
                       e->at.column, &e->at.column[last], &e->high);
        e->in_strip = true;
    }
    fill_strip(e);
    return true;
}

/* ---- What they are made of --------------------------------------------------------------------
 */

bool tz_instance_before(const tz_chart *chart, size_t lane, const tz_instance *a,
                        const tz_instance *b) {
    unsigned lengths = chart->plan->rules->lengths;
    const int32_t *length = tz_lane_length(chart, lane);
    if (a->step->step->rule != b->step->step->rule)
        return a->step->step->rule < b->step->step->rule;
    for (unsigned v = 0; v < a->step->step->variables; v++) {
        int64_t x = tz_form_value(&a->step->nest->variable[v], lengths, length, columns_of(a->step),
                                  a->column);
        int64_t y = tz_form_value(&b->step->nest->variable[v], lengths, length, columns_of(b->step),
                                  b->column);
        if (x != y)
            return x < y;
    }
    return false;
}

void tz_instance_index(const tz_chart *chart, size_t lane, const tz_instance *instance,
                       unsigned term, int32_t *ret_index) {
    const tz_bound_term *bound = &instance->step->term[term];
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        ret_index[q] = q < bound->rank
                           ? (int32_t)tz_form_value(&bound->index[q], chart->plan->rules->lengths,
                                                    tz_lane_length(chart, lane),
                                                    columns_of(instance->step), instance->column)
                           : 0;
}

double tz_instance_score(const tz_chart *chart, size_t lane, const tz_instance *instance,
                         unsigned term) {
    const tz_bound_term *bound = &instance->step->term[term];
    const tz_lane_scores *scores = tz_lane_weight(chart, lane, bound->which);
    if (term < instance->step->step->sparse)
        return tz_entry_score(scores, instance->entry[term]);
    int32_t at[TZ_MAX_RANK];
    int64_t index[TZ_MAX_RANK];
    tz_instance_index(chart, lane, instance, term, at);
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        index[q] = at[q];
    return tz_lane_score(scores, bound->rank, index);
}

void tz_instance_weight(tz_chart *chart, size_t lane, const tz_instance *instance, unsigned term,
                        void *ret_element) {
    const tz_bound_term *bound = &instance->step->term[term];
    if (!chart->layout.weight_box[bound->which].absent) {
        ptrdiff_t offset = tz_address_value(
            &chart->layout.address[bound->address], chart->plan->rules->lengths,
            tz_lane_length(chart, lane), columns_of(instance->step), instance->column);
        memcpy(ret_element, tz_cell(chart, TZ_AT_WEIGHT, offset, lane), chart->algebra->size);
        return;
    }
    int64_t index[TZ_MAX_RANK];
    for (unsigned q = 0; q < bound->rank; q++)
        index[q] = tz_form_value(&bound->index[q], chart->plan->rules->lengths,
                                 tz_lane_length(chart, lane), columns_of(instance->step),
                                 instance->column);
    size_t entry = term < instance->step->step->sparse ? instance->entry[term] : 0;
    tz_lift_cell(chart, lane, bound->which, index, entry, ret_element, NULL);
}
