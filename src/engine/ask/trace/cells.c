/* cells.c - forms and cells of a trace, for the lengths that are bound.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "engine/ask/trace/cells.h"

tz_status tz_trace_chart_new(tz_chart *chart) {
    const struct tz_trace_plan *plan = chart->plan->tracing;
    if (plan == NULL)
        return TZ_OK;
    struct tz_trace_chart *to = calloc(1, sizeof *to);
    if (to == NULL)
        return TZ_NO_MEMORY;
    chart->trace.cells = to;
    to->kind = calloc(chart->plan->rules->kinds + 1u, sizeof *to->kind);
    to->step = calloc(plan->steps + 1, sizeof *to->step);
    to->small = calloc(plan->steps + 1, sizeof *to->small);
    to->form = calloc(plan->forms + 1, sizeof *to->form);
    to->cell = calloc(plan->cells + 1, sizeof *to->cell);
    if (to->kind == NULL || to->step == NULL || to->small == NULL || to->form == NULL ||
        to->cell == NULL)
        return TZ_NO_MEMORY;
    memcpy(to->form, plan->form, plan->forms * sizeof *to->form);
    for (size_t s = 0; s < plan->steps; s++) {
        to->step[s] = plan->step[s];
        to->step[s].form = to->form + (plan->step[s].form - plan->form);
        to->step[s].cell = to->cell + (plan->step[s].cell - plan->cell);
    }
    return TZ_OK;
}

void tz_trace_chart_free(tz_chart *chart) {
    struct tz_trace_chart *tracing = chart->trace.cells;
    if (tracing == NULL)
        return;
    free(tracing->kind);
    free(tracing->step);
    free(tracing->small);
    free(tracing->form);
    free(tracing->cell);
    free(tracing);
}

/* Do all weights of the steps have a place? */
static bool placed(const tz_chart *chart, const tz_trace_steps *steps) {
    for (const tz_trace_step *step = steps->step; step < steps->end; step++)
        for (unsigned w = 0; w < step->weights; w++)
            if (chart->layout.weight_box[step->which[step->premises + w]].absent)
                return false;
    return true;
}

static bool all_small(const tz_trace_steps *steps) {
    bool small = true;
    for (const tz_trace_step *step = steps->step; step < steps->end; step++)
        small &= step->small;
    return small;
}

/* The chart's own of a plan's steps. */
static tz_trace_steps own_steps(const struct tz_trace_chart *to, const struct tz_trace_plan *plan,
                                const tz_trace_steps *of) {
    return (tz_trace_steps){.step = to->step + (of->step - plan->step),
                            .end = to->step + (of->end - plan->step)};
}

/* Kinds and strides, which the layout decides. */
static void lay_out(tz_chart *chart) {
    const struct tz_trace_plan *plan = chart->plan->tracing;
    struct tz_trace_chart *to = chart->trace.cells;
    ptrdiff_t lanes = (ptrdiff_t)chart->lanes, size = (ptrdiff_t)chart->algebra->size;
    for (unsigned k = 0; k < chart->plan->rules->kinds; k++) {
        const tz_trace_kind *kind = &plan->kind[k];
        to->kind[k] = (tz_trace_kind){0};
        if (kind->through.step != NULL && placed(chart, &kind->through)) {
            to->kind[k].through = own_steps(to, plan, &kind->through);
            to->kind[k].apart = own_steps(to, plan, &kind->apart);
        }
    }
    for (size_t c = 0; c < plan->cells; c++) {
        const tz_nest *nest = plan->nest[c];
        const ptrdiff_t *column = chart->layout.address[plan->operand[c]->address].column;
        tz_trace_cell *cell = &to->cell[c];
        *cell = (tz_trace_cell){0};
        for (unsigned g = 0; g < nest->givens; g++)
            for (unsigned q = 0; q < TZ_MAX_RANK; q++)
                cell->index[q] += (plan->given[c] != NULL ? plan->given[c][g].column[q] : q == g) *
                                  column[g] * lanes * size;
        if (nest->loops > 1)
            cell->outer = column[nest->givens] * lanes * size;
        if (nest->loops > 0)
            cell->split = column[nest->givens + nest->loops - 1] * lanes;
        cell->last = cell->split * size;
    }
    to->version = chart->layout.version;
}

/* Bases of forms and cells, which the lengths decide. */
static void fill(tz_chart *chart, const int32_t *length) {
    const struct tz_trace_plan *plan = chart->plan->tracing;
    struct tz_trace_chart *to = chart->trace.cells;
    unsigned lengths = chart->plan->rules->lengths;
    ptrdiff_t unit = (ptrdiff_t)(chart->lanes * chart->algebra->size);
    for (size_t f = 0; f < plan->forms; f++) {
        to->form[f].base = plan->form[f].base;
        for (unsigned l = 0; l < lengths; l++)
            to->form[f].base += plan->length[f][l] * length[l];
    }
    for (size_t c = 0; c < plan->cells; c++) {
        const tz_bound_term *term = plan->operand[c];
        const tz_address *address = &chart->layout.address[term->address];
        const char *space = chart->space[tz_term_space(term)].data;
        ptrdiff_t offset = tz_address_value(address, lengths, length, 0, NULL);
        for (unsigned g = 0; plan->given[c] != NULL && g < plan->nest[c]->givens; g++)
            offset += address->column[g] *
                      (ptrdiff_t)tz_form_value(&plan->given[c][g], lengths, length, 0, NULL);
        to->cell[c].origin = space + offset * unit;
    }
}

/* ---- Small steps ------------------------------------------------------------------------------
 */

/* base + index[0] * a + index[1] * b + last * (the first turn), of a pair with its bias. */
static tz_plane plane(uint64_t base, int64_t a, int64_t b, int64_t last, const tz_linear *low) {
    tz_plane ret = {.base = base + (uint64_t)last * (uint64_t)low->base,
                    .index = {(uint64_t)a + (uint64_t)last * (uint64_t)low->index[0],
                              (uint64_t)b + (uint64_t)last * (uint64_t)low->index[1]}};
    ret.base -= ret.index[0] * TZ_PAIR_BIAS;
    return ret;
}

static tz_plane plane_of(const tz_linear *form, const tz_linear *low) {
    return plane((uint64_t)form->base, form->index[0], form->index[1], form->last, low);
}

static tz_plane plane_at(const tz_trace_cell *cell, const tz_linear *low) {
    return plane((uintptr_t)cell->origin, cell->index[0], cell->index[1], cell->last, low);
}

/* Which of the step's parts its operand o is. */
static uint8_t part_of(const tz_bound_term *const *operand, unsigned operands, unsigned o) {
    unsigned part = 0; /* operands are terms of one step, which come in order in its array */
    for (unsigned other = 0; other < operands; other++)
        part += operand[other] < operand[o] && operand[other]->what != TZ_WEIGHT;
    return operand[o]->what != TZ_WEIGHT ? (uint8_t)part : TZ_SMALL_PREMISES;
}

/* operand: terms of the step's. */
static tz_small_step small_step(const tz_trace_step *step, const tz_bound_term *const *operand,
                                unsigned pairs) {
    static const tz_linear none;
    const tz_linear *form = step->form;
    tz_small_step ret = {.node_rule = step->rule,
                         .node_premises = step->node_premises,
                         .operands = step->operands,
                         .premises = step->premises,
                         .weights = step->weights,
                         .conditional = step->conditions > 0,
                         .alone = step->alone,
                         .wide = pairs > 1};
    if (step->conditions > 0)
        ret.condition = plane_of(form++, &none);
    const tz_linear *low = form++, *high = form++;
    tz_linear turns = {.base = high->base - low->base + 1};
    for (unsigned q = 0; q < 2; q++)
        turns.index[q] = high->index[q] - low->index[q];
    ret.turns = plane_of(&turns, &none);
    ret.target = plane_at(&step->cell[0], &none);
    for (unsigned o = 0; o < step->operands; o++) {
        ret.operand[o] = plane_at(&step->cell[1 + o], low);
        ret.split[o] = step->cell[1 + o].split;
        ret.part[o] = part_of(operand, step->operands, o);
    }
    for (unsigned p = 0; p < step->premises; p++, form += pairs) {
        ret.premise[p] = plane_of(form, low);
        ret.premise_change[p] = (uint64_t)form->last;
        ret.premise_kind[p] = step->which[p];
    }
    for (unsigned p = 0; step->weights > 0 && p < pairs && p < TZ_SMALL_PAIRS; p++) {
        ret.which = step->which[step->premises];
        ret.weight[p] = plane_of(&form[p], low);
        ret.weight_change[p] = (uint64_t)form[p].last;
    }
    return ret;
}

/* Writes the small ones, but for leaves, from *end on, if all are small. */
static void add_small(const struct tz_trace_chart *to, const struct tz_trace_plan *plan,
                      tz_trace_steps *steps, tz_small_step **end) {
    steps->small = *end;
    if (all_small(steps))
        for (const tz_trace_step *step = steps->step; step < steps->end; step++)
            if (!step->leaf)
                *(*end)++ =
                    small_step(step, plan->operand + (step->cell - to->cell) + 1, plan->pairs);
    steps->small_end = *end;
}

/* The step that every item of the kind has for its only instance; or NULL. */
static const tz_small_step *sole(const tz_trace_kind *kind) {
    const tz_small_step *step = kind->apart.small;
    bool once = kind->apart.end - kind->apart.step == 1 && kind->apart.small_end - step == 1 &&
                step->premises == 1 && step->turns.base == 1 && step->turns.index[0] == 0 &&
                step->turns.index[1] == 0;
    return once ? step : NULL;
}

/* Leaves and small steps of every kind. */
static void fill_small(tz_chart *chart) {
    static const tz_linear none;
    struct tz_trace_chart *to = chart->trace.cells;
    tz_small_step *end = to->small;
    for (unsigned k = 0; k < chart->plan->rules->kinds; k++) {
        tz_trace_kind *kind = &to->kind[k];
        kind->leaf = (tz_plane){.base = UINT64_MAX};
        for (const tz_trace_step *step = kind->through.step; step < kind->through.end; step++)
            if (step->leaf) {
                kind->leaf = step->conditions > 0 ? plane_of(step->form, &none) : (tz_plane){0};
                kind->leaf_rule = step->rule;
            }
        add_small(to, chart->plan->tracing, &kind->through, &end);
        if (kind->apart.step != kind->through.step)
            add_small(to, chart->plan->tracing, &kind->apart, &end);
        else
            kind->apart = kind->through;
        kind->sole = sole(kind);
    }
}

void tz_trace_prepare(tz_chart *chart, size_t lane) {
    struct tz_trace_chart *to = chart->trace.cells;
    const int32_t *length = tz_lane_length(chart, lane);
    const void *inside = chart->space[TZ_AT_INSIDE].data, *weight = chart->space[TZ_AT_WEIGHT].data;
    size_t bytes = chart->plan->rules->lengths * sizeof *length;
    const bool laid_out = to->version == chart->layout.version;
    if (laid_out && to->filled && to->inside == inside && to->weight == weight &&
        memcmp(to->length, length, bytes) == 0)
        return;
    if (!laid_out)
        lay_out(chart);
    fill(chart, length);
    fill_small(chart);
    memcpy(to->length, length, bytes);
    to->inside = inside;
    to->weight = weight;
    to->filled = true;
}

/* A form's value where the loops are 0. */
static int64_t value_of(const tz_linear *form, const int32_t *index) {
    int64_t value = form->base;
    for (unsigned q = 0; q < 2; q++)
        value += form->index[q] * index[q];
    return value;
}

bool tz_trace_is_leaf(const tz_chart *chart, unsigned kind, const int32_t *index) {
    if (chart->trace.cells == NULL)
        return false;
    const tz_trace_steps *steps = &chart->trace.cells->kind[kind].through;
    for (const tz_trace_step *step = steps->step; step < steps->end; step++)
        if (step->leaf && (step->conditions == 0 || value_of(step->form, index) >= 0))
            return true;
    return false;
}
