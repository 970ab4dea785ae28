/* strip_instances.c - see strip_instances.h: little is left to be worked out.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ask/kbest/room.h"
#include "engine/ask/kbest/strip_instances.h"
#include "engine/ask/kbest/table.h"
#include "engine/ask/strips.h"

/* An item as strips take it. */
typedef struct place {
    uint64_t at[2 * TZ_STRIP_PAIRS];
} place;

static place place_of(const tz_kbest *k, const int32_t *index) {
    place ret;
    tz_item_numbers(k->chart, index, ret.at);
    return ret;
}

/* The element that a form is the address of, of a turn. */
static const char *element_at(const tz_kbest *k, const uint64_t *form, const place *place,
                              unsigned width, int64_t turn) {
    return (const char *)(uintptr_t)(tz_form_at(form, place->at, width) +
                                     form[0] * (uint64_t)turn) +
           k->lane * k->chart->algebra->size;
}

/* The indices of a premise or use, whose forms begin here. */
static void index_at(const tz_kbest *k, const uint64_t *form, const place *place, unsigned width,
                     int64_t turn, int32_t *ret_index) {
    for (unsigned p = 0; p < k->chart->plan->strips->pairs; p++, form += 2 + width)
        tz_pair_write(tz_form_at(form, place->at, width) + form[0] * (uint64_t)turn, p, ret_index);
}

/* Appends the strip's instances that are not zero to the candidates. */
static void add_strip(const tz_kbest *k, tz_ranked *list, const tz_strip *strip,
                      const uint64_t *form, const place *place, const tz_ranked_strip *at,
                      size_t turns) {
    const tz_algebra *algebra = k->chart->algebra;
    const tz_semiring *semiring = algebra->semiring;
    void *const product = k->chart->pair.data;
    const char *operand[TZ_MAX_TERMS];
    ptrdiff_t change[TZ_MAX_TERMS];
    const unsigned operands = strip->operands, width = strip->width;
    for (unsigned o = 0; o < operands; o++, form += 2 + width) {
        operand[o] = element_at(k, form, place, width, at->low);
        change[o] = (ptrdiff_t)form[0];
    }
    tz_candidate *to = list->heap + list->candidates;
    for (size_t turn = 0; turn < turns; turn++) {
        const void *element = operands > 0 ? operand[0] : algebra->one;
        for (unsigned o = 1; o < operands; o++, element = product)
            semiring->times(semiring, product, element, operand[o]);
        double score = algebra->value(semiring, element);
        if (!tz_kbest_zero(k, score, element))
            *to++ = (tz_candidate){.score = score, .number = at->first + (uint32_t)turn};
        for (unsigned o = 0; o < operands; o++)
            operand[o] += change[o];
    }
    list->candidates = (size_t)(to - list->heap);
}

tz_status tz_strip_instances(tz_kbest *k, tz_ranked *list, const tz_strip_kind *kind) {
    const place place = place_of(k, list->index);
    const tz_strip *end = kind->strip + kind->strips;
    size_t count = 0, strips = 0;
    int64_t low, high;
    for (const tz_strip *strip = kind->strip; strip < end; strip++)
        if (tz_strip_turns(strip, place.at, &low, &high) != NULL) {
            strips++;
            count += (size_t)(high - low) + 1;
        }
    if (count > UINT32_MAX)
        return TZ_TOO_LARGE;
    tz_ranked_strip *to = tz_kbest_room(k, strips, sizeof *to);
    list->heap = tz_kbest_room(k, count, sizeof *list->heap);
    if (to == NULL || list->heap == NULL)
        return TZ_NO_MEMORY;
    list->heap_room = (uint32_t)count;
    list->strip = to;
    list->strips = strips;
    count = 0;
    for (const tz_strip *strip = kind->strip; strip < end; strip++) {
        const uint64_t *form = tz_strip_turns(strip, place.at, &low, &high);
        if (form == NULL)
            continue;
        *to = (tz_ranked_strip){.strip = strip, .low = low, .first = (uint32_t)count};
        add_strip(k, list, strip, form, &place, to++, (size_t)(high - low) + 1);
        count += (size_t)(high - low) + 1;
    }
    return TZ_OK;
}

/* An edge on its way: where the premises of its strip stand in it. */
typedef struct builder {
    tz_kbest *k;
    tz_hyperedge *edge;
    const tz_strip *inner; /* of the premise that is gone through, or NULL: none yet */
    unsigned inner_premise;
    place inner_place;
    uint16_t part[TZ_MAX_TERMS]; /* which of the edge's premises each is; ONE: none */
} builder;

enum { ONE = UINT16_MAX /* derivation */ };

/* The strip that every item of the kind has for its only instance; or NULL. */
static const tz_strip *sole(const tz_kbest *k, unsigned which) {
    const tz_strip_kind *kind = &k->chart->trace.strips->kind[k->chart->plan->rules->kinds + which];
    const tz_strip *strip = kind->strip;
    return kind->direct && kind->plain && kind->leaf == NULL && kind->strips == 1 &&
                   strip->premises == 1 && strip->conditions == 0 && strip->uppers == 0
               ? strip
               : NULL;
}

/* Appends a node before the next premise of the edge, unless it is a fold's. */
static void add_node(builder *b, unsigned kind, unsigned rule, unsigned premises,
                     const int32_t *index) {
    if (kind >= b->k->chart->plan->rules->items)
        return;
    tz_node *node = &b->edge->node[b->edge->nodes++];
    *node = (tz_node){.item = kind, .rule = rule, .premises = premises};
    memcpy(node->index, index, sizeof node->index);
    b->edge->before[b->edge->premises]++;
}

/* Sorts out premise p of a strip; first: its element is among the first two factors. */
static void add_premise(builder *b, const tz_strip *strip, unsigned p, const int32_t *index,
                        bool first) {
    const tz_rules *rules = b->k->chart->plan->rules;
    const unsigned which = strip->which[p];
    tz_hyperedge *edge = b->edge;
    b->part[p] = ONE;
    if (tz_item_is_leaf(b->k->chart, which, index)) {
        add_node(b, which, b->k->chart->trace.strips->kind[which].leaf_rule, 0, index);
        return;
    }
    /* (a b) c has the bits of (b a) c, so one of the first two may be a product itself. */
    const tz_strip *only = first && b->inner == NULL ? sole(b->k, which) : NULL;
    if (only != NULL) {
        b->inner = only;
        b->inner_premise = p;
        b->inner_place = place_of(b->k, index);
        edge->through = edge->premises;
        edge->through_uses = only->weights;
        edge->through_is_item = which < rules->items;
        add_node(b, which, only->rule, only->node_premises, index);
    }
    b->part[p] = edge->premises++;
}

/* Appends operand o of a strip as a factor; premise: which of the edge's it is, or ONE. */
static tz_status add_factor(builder *b, unsigned premise, const tz_strip *strip, unsigned o,
                            const uint64_t *form, const place *place, int64_t turn) {
    tz_kbest *k = b->k;
    tz_hyperedge *edge = b->edge;
    const unsigned part = strip->part[o], width = strip->width;
    const char *element = element_at(k, form + o * (2 + width), place, width, turn);
    tz_factor *factor = &edge->factor[edge->factors++];
    *factor = (tz_factor){.element = element};
    if (part == TZ_NO_PREMISE || premise == ONE)
        return TZ_OK;
    *factor = (tz_factor){.premise = (uint16_t)premise};
    int32_t index[TZ_MAX_RANK] = {0};
    index_at(k, strip->premise + part * k->chart->plan->strips->pairs * (2 + width), place, width,
             turn, index);
    return tz_ranked_find(k, strip->which[part], index, element, &edge->premise[premise]);
}

static void add_uses(const builder *b, tz_use *use, const tz_strip *strip, const place *place,
                     int64_t turn) {
    for (unsigned w = 0; w < strip->weights; w++, use++) {
        *use = (tz_use){.weight = strip->which[strip->premises + w]};
        index_at(b->k, strip->weight + w * b->k->chart->plan->strips->pairs * (2u + strip->width),
                 place, strip->width, turn, use->index);
    }
}

tz_status tz_strip_edge(tz_kbest *k, const tz_ranked *list, const tz_ranked_strip *of,
                        uint32_t number, const tz_hyperedge **ret_edge) {
    const tz_strip *strip = of->strip;
    const place place = place_of(k, list->index);
    const unsigned stride = k->chart->plan->strips->pairs * (2u + strip->width);
    const int64_t turn = of->low + (int64_t)(number - of->first);
    int64_t low, high;
    const uint64_t *form = tz_strip_turns(strip, place.at, &low, &high), *inner = NULL;
    builder b = {.k = k};
    unsigned through = 0; /* operands and uses of what it may go through */
    for (unsigned o = 0; o < 2 && o < strip->operands; o++) {
        const tz_strip *only =
            strip->part[o] != TZ_NO_PREMISE ? sole(k, strip->which[strip->part[o]]) : NULL;
        if (only != NULL && (unsigned)only->operands + only->weights > through)
            through = (unsigned)only->operands + only->weights;
    }
    b.edge = tz_hyperedge_new(k, list, number, strip->rule, strip->premises,
                              strip->weights + through, strip->operands + through);
    if (b.edge == NULL)
        return TZ_NO_MEMORY;
    for (unsigned p = 0; p < strip->premises; p++) {
        int32_t index[TZ_MAX_RANK] = {0};
        bool first = strip->part[0] == p || (strip->operands > 1 && strip->part[1] == p);
        index_at(k, strip->premise + p * stride, &place, strip->width, turn, index);
        add_premise(&b, strip, p, index, first);
    }
    tz_status status = TZ_OK;
    if (b.inner == NULL) {
        b.edge->through = b.edge->premises;
    } else {
        inner = tz_strip_turns(b.inner, b.inner_place.at, &low, &high);
        for (unsigned o = 0; o < b.inner->operands && status == TZ_OK; o++)
            status = add_factor(&b, b.part[b.inner_premise], b.inner, o, inner, &b.inner_place, 0);
    }
    for (unsigned o = 0; o < strip->operands && status == TZ_OK; o++)
        if (b.inner == NULL || strip->part[o] != b.inner_premise)
            status = add_factor(&b, strip->part[o] != TZ_NO_PREMISE ? b.part[strip->part[o]] : ONE,
                                strip, o, form, &place, turn);
    b.edge->uses = (uint16_t)(strip->weights + b.edge->through_uses);
    add_uses(&b, b.edge->use, strip, &place, turn);
    if (b.inner != NULL)
        add_uses(&b, b.edge->use + strip->weights, b.inner, &b.inner_place, 0);
    *ret_edge = b.edge;
    return status;
}
