/* any_instances.c - instances of steps of any kind, found the general way (expand.h).
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ask/kbest/any_instances.h"
#include "engine/ask/kbest/room.h"
#include "engine/ask/kbest/table.h"

static unsigned columns_of(const tz_bound_step *step) {
    return (unsigned)step->nest->givens + step->nest->loops;
}

void tz_any_instance_at(const tz_kbest *k, const tz_ranked *list, const tz_ranked_strip *strip,
                        uint32_t number, tz_instance *ret) {
    unsigned rank = k->chart->plan->rules->kind[list->kind].rank, columns = columns_of(strip->step);
    ret->step = strip->step;
    for (unsigned q = 0; q < rank; q++)
        ret->column[q] = list->index[q];
    memcpy(ret->column + rank, strip->column, (columns - rank) * sizeof *ret->column);
    if (columns > strip->step->nest->givens)
        ret->column[columns - 1] += number - strip->first;
    for (unsigned s = 0; s < strip->step->step->sparse; s++)
        ret->entry[s] = (size_t)strip->column[columns - rank + s];
}

/* Do the variables of a strip's instances grow along it, in the order that decides ties? */
static bool row_ascends(const tz_bound_step *step) {
    unsigned last = columns_of(step) - 1u;
    for (unsigned v = 0; v < step->step->variables; v++)
        if (step->nest->variable[v].column[last] != 0)
            return step->nest->variable[v].column[last] > 0;
    return true;
}

/* Appends a strip's instances that are not zero to k->candidates; *count: so far; false if all are.
 */
static tz_status take_strip(tz_kbest *k, const tz_expansion *e, uint32_t first, size_t *count) {
    const tz_algebra *algebra = k->chart->algebra;
    tz_status status = tz_buffer_grow(&k->candidates, *count + e->count, sizeof(tz_candidate));
    if (status != TZ_OK)
        return status;
    tz_candidate *to = (tz_candidate *)k->candidates.data + *count;
    for (size_t x = 0; x < e->count; x++) {
        const char *element = (const char *)e->element + x * algebra->size;
        double score = algebra->value(algebra->semiring, element);
        if (!tz_kbest_zero(k, score, element))
            *to++ = (tz_candidate){.score = score, .number = first + (uint32_t)x};
    }
    *count = (size_t)(to - (tz_candidate *)k->candidates.data);
    return TZ_OK;
}

/* Appends a strip to k->strips. */
static tz_status add_strip(tz_kbest *k, const tz_expansion *e, uint32_t first, size_t strips) {
    const tz_bound_step *step = e->at.step;
    unsigned own = columns_of(step) - e->rank, sparse = step->step->sparse;
    int64_t *column = tz_kbest_room(k, own + sparse, sizeof *column);
    if (column == NULL)
        return TZ_NO_MEMORY;
    memcpy(column, e->at.column + e->rank, own * sizeof *column);
    for (unsigned s = 0; s < sparse; s++)
        column[own + s] = (int64_t)e->at.entry[s];
    tz_status status = tz_buffer_grow(&k->strips, strips + 1, sizeof(tz_ranked_strip));
    if (status == TZ_OK)
        ((tz_ranked_strip *)k->strips.data)[strips] =
            (tz_ranked_strip){.step = step, .first = first, .column = column};
    return status;
}

static void *copy(tz_kbest *k, const tz_buffer *from, size_t count, size_t size) {
    void *to = tz_kbest_room(k, count, size);
    if (to != NULL && count > 0)
        memcpy(to, from->data, count * size);
    return to;
}

tz_status tz_any_instances(tz_kbest *k, tz_ranked *list) {
    size_t count = 0, strips = 0;
    uint32_t number = 0;
    bool unordered = false;
    tz_instance last; /* of the strip before */
    tz_expansion e;
    for (tz_expand_start(&e, k->chart, k->lane, list->kind, list->index); tz_expand_next(&e);) {
        size_t before_strip = count;
        if (e.count > UINT32_MAX - number)
            return TZ_TOO_LARGE;
        tz_status status = take_strip(k, &e, number, &count);
        if (status == TZ_OK && count > before_strip)
            status = add_strip(k, &e, number, strips);
        if (status != TZ_OK)
            return status;
        if (count == before_strip)
            continue;
        if (!unordered)
            unordered = (strips > 0 && last.step->step->rule >= e.at.step->step->rule &&
                         tz_instance_before(k->chart, k->lane, &e.at, &last)) ||
                        (e.count > 1 && !row_ascends(e.at.step));
        strips++;
        number += (uint32_t)e.count;
        last = e.at;
        if (e.count > 1)
            last.column[columns_of(last.step) - 1] += (int64_t)e.count - 1;
    }
    list->strip = copy(k, &k->strips, strips, sizeof *list->strip);
    list->heap = copy(k, &k->candidates, count, sizeof *list->heap);
    if (list->strip == NULL || list->heap == NULL)
        return TZ_NO_MEMORY;
    list->strips = strips;
    list->candidates = count;
    list->heap_room = (uint32_t)count; /* numbers are not more */
    list->unordered = unordered;
    return TZ_OK;
}

/* Room for an element. */
static void *new_element(tz_kbest *k) {
    const tz_algebra *algebra = k->chart->algebra;
    void *at = tz_kbest_small(k, algebra->size + algebra->align - 1);
    return at != NULL ? tz_align_up(at, algebra->align) : NULL;
}

/* The list of a term that is a premise. */
static tz_status find_premise(tz_kbest *k, const tz_instance *instance, unsigned t,
                              tz_ranked **ret) {
    const tz_chart *chart = k->chart;
    const tz_bound_term *term = &instance->step->term[t];
    int32_t index[TZ_MAX_RANK];
    tz_instance_index(chart, k->lane, instance, t, index);
    ptrdiff_t offset = tz_address_value(&chart->layout.address[term->address],
                                        chart->plan->rules->lengths, tz_lane_length(chart, k->lane),
                                        columns_of(instance->step), instance->column);
    return tz_ranked_find(k, term->which, index, tz_cell(chart, TZ_AT_INSIDE, offset, k->lane),
                          ret);
}

tz_status tz_any_edge(tz_kbest *k, const tz_ranked *list, const tz_ranked_strip *strip,
                      uint32_t number, const tz_hyperedge **ret_edge) {
    tz_instance instance;
    tz_any_instance_at(k, list, strip, number, &instance);
    const tz_bound_step *step = instance.step;
    unsigned uses = 0;
    for (unsigned t = 0; t < step->terms; t++)
        uses += step->term[t].what == TZ_WEIGHT;
    unsigned of_premises = step->terms - uses;
    tz_hyperedge *edge =
        tz_hyperedge_new(k, list, number, step->step->rule, of_premises, uses, step->terms);
    if (edge == NULL)
        return TZ_NO_MEMORY;
    edge->premises = edge->through = (uint16_t)of_premises;
    edge->uses = (uint16_t)uses;
    edge->factors = step->terms;
    tz_factor factor[TZ_MAX_TERMS];
    tz_use *use = edge->use;
    uint16_t premises = 0;
    for (unsigned t = 0; t < step->terms; t++) {
        if (step->term[t].what != TZ_WEIGHT) {
            factor[t] = (tz_factor){.premise = premises};
            tz_status status = find_premise(k, &instance, t, &edge->premise[premises++]);
            if (status != TZ_OK)
                return status;
            continue;
        }
        void *element = new_element(k);
        if (element == NULL)
            return TZ_NO_MEMORY;
        tz_instance_weight(k->chart, k->lane, &instance, t, element);
        factor[t] = (tz_factor){.element = element};
        use->weight = step->term[t].which;
        if (t < step->step->sparse)
            use->score = tz_instance_score(k->chart, k->lane, &instance, t);
        tz_instance_index(k->chart, k->lane, &instance, t, use++->index);
    }
    uint8_t order[TZ_MAX_TERMS];
    tz_term_order(k->chart->plan, step->step, order);
    for (unsigned i = 0; i < step->terms; i++)
        edge->factor[i] = factor[order[i]];
    *ret_edge = edge;
    return TZ_OK;
}
