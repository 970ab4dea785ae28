/* small_instances.c - instances of steps that are small (tz_small_step): little is left to be
 * worked out. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ask/kbest/room.h"
#include "engine/ask/kbest/small_instances.h"
#include "engine/ask/kbest/table.h"
#include "engine/ask/trace/cells.h"
#include "engine/ask/trace/small.h"

/* An item's pair, as planes take it. */
typedef struct place {
    uint64_t a, b;
} place;

static place place_of_pair(uint64_t pair) {
    return (place){(uint32_t)pair, (uint64_t)((int64_t)pair >> 32)};
}

static place place_of(const tz_ranked *list) {
    return place_of_pair((uint64_t)tz_pair(list->index[0], list->index[1]));
}

/* The element of an operand, of the first turn. */
static const char *operand_at(const tz_kbest *k, const tz_small_step *step, unsigned o, place at) {
    return (const char *)(uintptr_t)tz_plane_value(&step->operand[o], at.a, at.b) +
           k->lane * k->chart->algebra->size;
}

/* Appends the step's instances that are not zero to the candidates. */
static void add_small(const tz_kbest *k, tz_ranked *list, const tz_small_step *step, place at,
                      uint32_t first, size_t turns) {
    const tz_algebra *algebra = k->chart->algebra;
    const tz_semiring *semiring = algebra->semiring;
    void *const product = k->chart->pair.data;
    const char *operand[TZ_SMALL_OPERANDS];
    ptrdiff_t stride[TZ_SMALL_OPERANDS];
    for (unsigned o = 0; o < step->operands; o++) {
        operand[o] = operand_at(k, step, o, at);
        stride[o] = step->split[o] * (ptrdiff_t)algebra->size;
    }
    tz_candidate *to = list->heap + list->candidates;
    for (size_t turn = 0; turn < turns; turn++) {
        const void *element = step->operands > 0 ? operand[0] : algebra->one;
        for (unsigned o = 1; o < step->operands; o++, element = product)
            semiring->times(semiring, product, element, operand[o]);
        double score = algebra->value(semiring, element);
        if (!tz_kbest_zero(k, score, element))
            *to++ = (tz_candidate){.score = score, .number = first + (uint32_t)turn};
        for (unsigned o = 0; o < step->operands; o++)
            operand[o] += stride[o];
    }
    list->candidates = (size_t)(to - list->heap);
}

tz_status tz_small_instances(tz_kbest *k, tz_ranked *list, const tz_trace_steps *steps) {
    place at = place_of(list);
    size_t count = 0, strips = 0;
    for (const tz_small_step *step = steps->small; step < steps->small_end; step++) {
        int64_t turns = tz_small_turns(step, at.a, at.b);
        strips += turns > 0;
        count += turns > 0 ? (size_t)turns : 0;
    }
    if (count > UINT32_MAX)
        return TZ_TOO_LARGE;
    tz_ranked_strip *strip = tz_kbest_room(k, strips, sizeof *strip);
    list->heap = tz_kbest_room(k, count, sizeof *list->heap);
    if (strip == NULL || list->heap == NULL)
        return TZ_NO_MEMORY;
    list->heap_room = (uint32_t)count;
    list->strip = strip;
    list->strips = strips;
    count = 0;
    for (const tz_small_step *step = steps->small; step < steps->small_end; step++) {
        int64_t turns = tz_small_turns(step, at.a, at.b);
        if (turns <= 0)
            continue;
        *strip++ = (tz_ranked_strip){.small = step, .first = (uint32_t)count};
        add_small(k, list, step, at, (uint32_t)count, (size_t)turns);
        count += (size_t)turns;
    }
    return TZ_OK;
}

/* An edge on its way: where the parts of its step stand in it. */
typedef struct builder {
    tz_kbest *k;
    tz_hyperedge *edge;
    const tz_small_step *inner; /* of the premise that is gone through, or NULL: none yet */
    unsigned inner_premise;
    place inner_place;
    uint16_t part[TZ_SMALL_PREMISES]; /* which of the edge's premises each is; ONE: none */
} builder;

enum { ONE = UINT16_MAX /* derivation */ };

/* Appends a node before the next premise of the edge, unless it is a fold's. */
static void add_node(builder *b, unsigned kind, unsigned rule, unsigned premises, uint64_t pair) {
    if (kind >= b->k->chart->plan->rules->items)
        return;
    tz_node *node = &b->edge->node[b->edge->nodes++];
    *node = (tz_node){.item = kind, .rule = rule, .premises = premises};
    tz_pair_write(pair, node->index);
    b->edge->before[b->edge->premises]++;
}

/* Sorts out premise p of a step; first: its element is among the first two factors. */
static void add_premise(builder *b, const tz_small_step *step, unsigned p, uint64_t pair,
                        bool first) {
    const tz_trace_kind *kind = &b->k->chart->trace.cells->kind[step->premise_kind[p]];
    tz_hyperedge *edge = b->edge;
    place at = place_of_pair(pair);
    b->part[p] = ONE;
    if ((int64_t)tz_plane_value(&kind->leaf, at.a, at.b) >= 0) {
        add_node(b, step->premise_kind[p], kind->leaf_rule, 0, pair);
        return;
    }
    /* (a b) c has the bits of (b a) c, so one of the first two may be a product itself. */
    if (kind->sole != NULL && first && b->inner == NULL) {
        b->inner = kind->sole;
        b->inner_premise = p;
        b->inner_place = at;
        edge->through = edge->premises;
        edge->through_uses = kind->sole->weights;
        edge->through_is_item = step->premise_kind[p] < b->k->chart->plan->rules->items;
        add_node(b, step->premise_kind[p], kind->sole->node_rule, kind->sole->node_premises, pair);
    }
    b->part[p] = edge->premises++;
}

/* Appends operand o of a step as a factor; premise: which of the edge's it is, or ONE. */
static tz_status add_factor(builder *b, unsigned premise, const tz_small_step *step, unsigned o,
                            place at, size_t turn) {
    tz_kbest *k = b->k;
    tz_hyperedge *edge = b->edge;
    const char *element =
        operand_at(k, step, o, at) + step->split[o] * (ptrdiff_t)(turn * k->chart->algebra->size);
    tz_factor *factor = &edge->factor[edge->factors++];
    unsigned part = step->part[o];
    *factor = (tz_factor){.element = element};
    if (part == TZ_SMALL_PREMISES || premise == ONE)
        return TZ_OK;
    *factor = (tz_factor){.premise = (uint16_t)premise};
    int32_t index[TZ_MAX_RANK] = {0};
    tz_pair_write(tz_small_premise(step, part, at.a, at.b, turn), index);
    return tz_ranked_find(k, step->premise_kind[part], index, element, &edge->premise[premise]);
}

tz_status tz_small_edge(tz_kbest *k, const tz_ranked *list, const tz_ranked_strip *strip,
                        uint32_t number, const tz_hyperedge **ret_edge) {
    const tz_small_step *step = strip->small;
    const place at = place_of(list);
    size_t turn = number - strip->first;
    builder b = {.k = k};
    b.edge = tz_hyperedge_new(k, list, number, step->node_rule, step->premises, step->weights + 1u,
                              step->operands + TZ_SMALL_OPERANDS);
    if (b.edge == NULL)
        return TZ_NO_MEMORY;
    for (unsigned p = 0; p < step->premises; p++) {
        bool first = step->part[0] == p || (step->operands > 1 && step->part[1] == p);
        add_premise(&b, step, p, tz_small_premise(step, p, at.a, at.b, turn), first);
    }
    if (b.inner == NULL)
        b.edge->through = b.edge->premises;
    tz_status status = TZ_OK;
    for (unsigned o = 0; b.inner != NULL && o < b.inner->operands && status == TZ_OK; o++)
        status = add_factor(&b, b.part[b.inner_premise], b.inner, o, b.inner_place, 0);
    for (unsigned o = 0; o < step->operands && status == TZ_OK; o++)
        if (b.inner == NULL || step->part[o] != b.inner_premise)
            status = add_factor(&b, step->part[o] < TZ_SMALL_PREMISES ? b.part[step->part[o]] : ONE,
                                step, o, at, turn);
    b.edge->uses = (uint16_t)(step->weights + b.edge->through_uses);
    memset(b.edge->use, 0, b.edge->uses * sizeof *b.edge->use);
    if (step->weights > 0)
        tz_small_use(step, at.a, at.b, turn, b.edge->use);
    if (b.edge->through_uses > 0)
        tz_small_use(b.inner, b.inner_place.a, b.inner_place.b, 0, b.edge->use + step->weights);
    *ret_edge = b.edge;
    return status;
}
