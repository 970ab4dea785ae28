/* trace_cells.c - forms and cells of a trace, for the lengths that are bound.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "engine/trace.h"

tz_status tz_trace_chart_new(tz_chart *chart) {
    const struct tz_trace_plan *plan = chart->plan->tracing;
    if (plan == NULL)
        return TZ_OK;
    struct tz_trace_chart *to = calloc(1, sizeof *to);
    if (to == NULL)
        return TZ_NO_MEMORY;
    chart->tracing = to;
    to->kind = calloc(chart->plan->rules->kinds + 1u, sizeof *to->kind);
    to->step = calloc(plan->steps + 1, sizeof *to->step);
    to->form = calloc(plan->forms + 1, sizeof *to->form);
    to->cell = calloc(plan->cells + 1, sizeof *to->cell);
    if (to->kind == NULL || to->step == NULL || to->form == NULL || to->cell == NULL)
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
    struct tz_trace_chart *tracing = chart->tracing;
    if (tracing == NULL)
        return;
    free(tracing->kind);
    free(tracing->step);
    free(tracing->form);
    free(tracing->cell);
    free(tracing);
}

/* Do all weights of the kind's steps have a place? */
static bool placed(const tz_chart *chart, const tz_trace_kind *kind) {
    for (const tz_trace_step *step = kind->step; step < kind->end; step++)
        for (unsigned w = 0; w < step->weights; w++)
            if (chart->weight_box[step->which[step->premises + w]].absent)
                return false;
    return true;
}

/* Kinds and strides, which the layout decides. */
static void lay_out(tz_chart *chart) {
    const struct tz_trace_plan *plan = chart->plan->tracing;
    struct tz_trace_chart *to = chart->tracing;
    ptrdiff_t lanes = (ptrdiff_t)chart->lanes, size = (ptrdiff_t)chart->algebra->size;
    for (unsigned k = 0; k < chart->plan->rules->kinds; k++) {
        const tz_trace_kind *kind = &plan->kind[k];
        to->kind[k] = (tz_trace_kind){0};
        if (kind->step != NULL && placed(chart, kind)) {
            to->kind[k].step = to->step + (kind->step - plan->step);
            to->kind[k].end = to->step + (kind->end - plan->step);
        }
    }
    for (size_t c = 0; c < plan->cells; c++) {
        const tz_nest *nest = plan->nest[c];
        const ptrdiff_t *column = chart->address[plan->operand[c]->address].column;
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
    to->laid_out = true;
}

void tz_trace_prepare(tz_chart *chart, size_t lane) {
    const struct tz_trace_plan *plan = chart->plan->tracing;
    struct tz_trace_chart *to = chart->tracing;
    const int32_t *length = tz_lane_length(chart, lane);
    unsigned lengths = chart->plan->rules->lengths;
    ptrdiff_t unit = (ptrdiff_t)(chart->lanes * chart->algebra->size);
    if (!to->laid_out)
        lay_out(chart);
    size_t bytes = lengths * sizeof *length;
    bool as_before = to->filled && memcmp(to->length, length, bytes) == 0;
    memcpy(to->length, length, bytes);
    to->filled = true;
    for (size_t f = 0; f < plan->forms && !as_before; f++) {
        to->form[f].base = plan->form[f].base;
        for (unsigned l = 0; l < lengths; l++)
            to->form[f].base += plan->length[f][l] * length[l];
    }
    for (size_t c = 0; c < plan->cells; c++) {
        const tz_bound_term *term = plan->operand[c];
        const tz_address *address = &chart->address[term->address];
        const char *space = chart->space[tz_term_space(term)].data;
        ptrdiff_t offset = tz_address_value(address, lengths, length, 0, NULL);
        for (unsigned g = 0; plan->given[c] != NULL && g < plan->nest[c]->givens; g++)
            offset += address->column[g] *
                      (ptrdiff_t)tz_form_value(&plan->given[c][g], lengths, length, 0, NULL);
        to->cell[c].origin = space + offset * unit + (ptrdiff_t)(lane * chart->algebra->size);
    }
}
