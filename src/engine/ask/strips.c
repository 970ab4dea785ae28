/* strips.c - see strips.h. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "engine/ask/strips.h"

static void free_strips(struct tz_strip_chart *strips) {
    if (strips == NULL)
        return;
    free(strips->kind);
    free(strips->strip);
    free(strips->word);
    free(strips->form);
    free(strips);
}

void tz_strip_chart_free(tz_chart *chart) {
    for (unsigned p = 0; p < TZ_STRIPS; p++)
        free_strips(chart->trace.strips[p]);
}

/* chart->trace.strips[which], of none that is bound yet. */
static tz_status new_strips(tz_chart *chart, tz_strips which) {
    const struct tz_strip_plan *plan = chart->plan->strips[which];
    struct tz_strip_chart *to = calloc(1, sizeof *to);
    if (to == NULL)
        return TZ_NO_MEMORY;
    to->plan = plan;
    to->kind = calloc(chart->plan->rules->kinds + 1u, sizeof *to->kind);
    to->strip = calloc(plan->strips + 1, sizeof *to->strip);
    to->word = calloc(plan->words + 1, sizeof *to->word);
    to->form = calloc(plan->forms + 1, sizeof *to->form);
    if (to->kind == NULL || to->strip == NULL || to->word == NULL || to->form == NULL) {
        free_strips(to);
        return TZ_NO_MEMORY;
    }
    memcpy(to->word, plan->word, plan->words * sizeof *to->word);
    memcpy(to->form, plan->form, plan->forms * sizeof *to->form);
    for (size_t s = 0; s < plan->strips; s++) {
        to->strip[s] = plan->strip[s];
        to->strip[s].form = to->word + (plan->strip[s].form - plan->word);
        to->strip[s].premise = to->word + (plan->strip[s].premise - plan->word);
        to->strip[s].weight = to->word + (plan->strip[s].weight - plan->word);
        to->strip[s].outer = to->word + (plan->strip[s].outer - plan->word);
    }
    chart->trace.strips[which] = to;
    return TZ_OK;
}

/* Do all weights of the kind's steps have a place? */
static bool placed(const tz_chart *chart, const tz_strip_kind *kind) {
    for (size_t s = 0; s < kind->strips; s++)
        for (unsigned w = 0; w < kind->strip[s].weights; w++)
            if (chart->layout.weight_box[kind->strip[s].which[kind->strip[s].premises + w]].absent)
                return false;
    return true;
}

/* The offset of a kind's cells, over its indices. */
static tz_address address_of_kind(const tz_chart *chart, unsigned which) {
    const tz_kind *kind = &chart->plan->rules->kind[which];
    const tz_box *box = &chart->layout.box[which];
    tz_address ret = {.base = (ptrdiff_t)box->offset};
    for (unsigned c = 0; c < kind->rank; c++) {
        const tz_form *coordinate = &kind->coordinate[c];
        ret.base += (ptrdiff_t)(coordinate->constant - box->low[c]) * box->stride[c];
        for (unsigned q = 0; q < kind->rank; q++)
            ret.column[q] += coordinate->column[q] * box->stride[c];
    }
    return ret;
}

/* Writes the form of an address, which is over the columns of a frame. */
static void write_address(const tz_chart *chart, const tz_address *address, const void *space,
                          const tz_strip_frame *frame, unsigned pairs, uint64_t *word,
                          tz_strip_form *form) {
    const uint64_t unit = chart->lanes * chart->algebra->size;
    const unsigned columns = (unsigned)frame->nest->givens + frame->nest->loops;
    const size_t words = tz_frame_words(frame, pairs);
    const size_t own = words - 1 - TZ_MAX_LENGTHS;
    form->constant = (uintptr_t)space + (uint64_t)address->base * unit;
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        form->length[l] = (uint64_t)address->length[l] * unit;
    memset(word, 0, own * sizeof *word);
    for (unsigned c = 0; c < columns; c++) {
        const uint64_t *column = frame->column + c * words;
        const uint64_t factor = (uint64_t)address->column[c] * unit;
        for (size_t q = 0; q < own; q++)
            word[q] += factor * column[q];
        form->constant += factor * column[own];
        for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
            form->length[l] += factor * column[own + 1 + l];
    }
}

/* Which kinds have strips, and addresses but for the lengths: what the layout decides. */
static void lay_out(const tz_chart *chart, struct tz_strip_chart *to) {
    const struct tz_strip_plan *plan = to->plan;
    for (unsigned k = 0; k < chart->plan->rules->kinds; k++) {
        const tz_strip_kind *kind = &plan->kind[k];
        to->kind[k] = *kind;
        to->kind[k].direct = kind->direct && placed(chart, kind);
        to->kind[k].strip = to->strip + (kind->strip - plan->strip);
        to->kind[k].cell = kind->cell != NULL ? to->word + (kind->cell - plan->word) : NULL;
        to->kind[k].leaf = kind->leaf != NULL ? to->word + (kind->leaf - plan->word) : NULL;
    }
    for (size_t a = 0; a < plan->addresses; a++) {
        const tz_strip_address *at = &plan->address[a];
        tz_strip_form *form = &to->form[at->form];
        uint64_t *word = to->word + form->word;
        if (at->term != NULL) {
            write_address(chart, &chart->layout.address[at->term->address],
                          chart->space[tz_term_space(at->term)].data, at->frame, plan->pairs, word,
                          form);
        } else {
            const tz_address address = address_of_kind(chart, at->kind);
            write_address(chart, &address, chart->space[TZ_AT_INSIDE].data, at->frame, plan->pairs,
                          word, form);
        }
    }
    to->version = chart->layout.version;
    to->algebra = chart->algebra;
    to->inside = chart->space[TZ_AT_INSIDE].data;
    to->weight = chart->space[TZ_AT_WEIGHT].data;
}

tz_status tz_strips_prepare(tz_chart *chart, tz_strips which, size_t lane) {
    if (chart->plan->strips[which] == NULL)
        return TZ_OK;
    tz_status status = chart->trace.strips[which] == NULL ? new_strips(chart, which) : TZ_OK;
    if (status != TZ_OK)
        return status;
    struct tz_strip_chart *to = chart->trace.strips[which];
    const unsigned lengths = chart->plan->rules->lengths;
    const int32_t *length = tz_lane_length(chart, lane);
    const bool laid_out = to->version == chart->layout.version && to->algebra == chart->algebra &&
                          to->inside == chart->space[TZ_AT_INSIDE].data &&
                          to->weight == chart->space[TZ_AT_WEIGHT].data;
    if (laid_out && to->filled && memcmp(to->length, length, lengths * sizeof *length) == 0)
        return TZ_OK;
    if (!laid_out)
        lay_out(chart, to);
    for (size_t f = 0; f < to->plan->forms; f++) {
        const tz_strip_form *form = &to->form[f];
        uint64_t value = form->constant;
        for (unsigned l = 0; l < lengths; l++)
            value += form->length[l] * (uint64_t)length[l];
        to->word[form->word + 1] = value;
    }
    memcpy(to->length, length, lengths * sizeof *length);
    to->filled = true;
    return TZ_OK;
}

bool tz_item_is_leaf(const tz_chart *chart, unsigned kind, const int32_t *index) {
    const struct tz_strip_chart *strips = chart->trace.strips[TZ_LISTED];
    if (strips->kind[kind].leaf == NULL)
        return false;
    uint64_t at[2 * TZ_STRIP_PAIRS];
    tz_item_numbers(strips, index, at);
    return (int64_t)tz_form_at(strips->kind[kind].leaf, at, 2 * strips->plan->pairs) >= 0;
}
