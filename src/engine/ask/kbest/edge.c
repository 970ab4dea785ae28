/* edge.c - see edge.h: little is left to be worked out. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ask/kbest/edge.h"
#include "engine/ask/kbest/instances.h"
#include "engine/ask/kbest/room.h"
#include "engine/ask/kbest/table.h"

/* An edge on its way: where the premises of its strip stand in it. */
typedef struct builder {
    tz_kbest *k;
    tz_hyperedge *edge;
    unsigned inner_premise;      /* the one that is gone through, where: */
    tz_instance inner;           /* its only instance; strip NULL: none yet */
    uint16_t part[TZ_MAX_TERMS]; /* which of the edge's premises each is; ONE: none */
} builder;

enum { ONE = UINT16_MAX /* derivation */ };

/* The strip that every item of the kind has for its only instance; or NULL. */
static const tz_strip *sole(const tz_kbest *k, unsigned which) {
    const tz_strip_kind *kind = &k->chart->trace.strips[TZ_LISTED]->kind[which];
    const tz_strip *strip = kind->strip;
    return kind->plain && kind->leaf == NULL && kind->strips == 1 && strip->premises == 1 &&
                   strip->conditions == 0 && strip->lowers == 0 && strip->uppers == 0 &&
                   !tz_is_closed(k->chart->plan->rules, which)
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
    const struct tz_strip_chart *strips = b->k->chart->trace.strips[TZ_LISTED];
    const unsigned which = strip->which[p];
    tz_hyperedge *edge = b->edge;
    b->part[p] = ONE;
    if (tz_item_is_leaf(b->k->chart, which, index)) {
        add_node(b, which, strips->kind[which].leaf_rule, 0, index);
        return;
    }
    /* (a b) c has the bits of (b a) c, so one of the first two may be a product itself. */
    const tz_strip *only = first && b->inner.strip == NULL ? sole(b->k, which) : NULL;
    if (only != NULL) {
        b->inner.strip = only;
        b->inner.turn = 0;
        b->inner_premise = p;
        tz_item_numbers(strips, index, b->inner.at);
        edge->through = edge->premises;
        edge->through_uses = only->weights;
        edge->through_is_item = which < rules->items;
        add_node(b, which, only->rule, only->node_premises, index);
    }
    b->part[p] = edge->premises++;
}

/* An element's copy, as long as the lists live; NULL when memory is out. */
static const void *keep_element(tz_kbest *k, const void *element) {
    const tz_algebra *algebra = k->chart->algebra;
    void *at = tz_kbest_small(k, algebra->size + algebra->align - 1);
    return at != NULL ? memcpy(tz_align_up(at, algebra->align), element, algebra->size) : NULL;
}

/* Appends operand o of an instance as a factor; premise: which of the edge's it is, or ONE. */
static tz_status add_factor(builder *b, unsigned premise, const tz_instance *instance, unsigned o) {
    tz_kbest *k = b->k;
    tz_hyperedge *edge = b->edge;
    const unsigned part = instance->strip->part[o];
    const void *const room = k->chart->trace.products.data;
    const void *element =
        tz_instance_operand(k->chart, k->lane, instance, o, k->chart->trace.products.data);
    tz_factor *factor = &edge->factor[edge->factors++];
    if (part >= instance->strip->premises || premise == ONE) {
        *factor = (tz_factor){.element = element == room ? keep_element(k, element) : element};
        return factor->element != NULL ? TZ_OK : TZ_NO_MEMORY;
    }
    *factor = (tz_factor){.premise = (uint16_t)premise};
    int32_t index[TZ_MAX_RANK];
    tz_instance_premise(k->chart, instance, part, index);
    return tz_ranked_find(k, instance->strip->which[part], index, element, &edge->premise[premise]);
}

static void add_uses(const builder *b, tz_use *use, const tz_instance *instance) {
    for (unsigned w = 0; w < instance->strip->weights; w++)
        use[w] = tz_instance_use(b->k->chart, b->k->lane, instance, w);
}

tz_status tz_ranked_edge(tz_kbest *k, const tz_ranked *list, uint32_t number,
                         const tz_hyperedge **ret_edge) {
    tz_instance instance;
    tz_ranked_instance(k, list, number, &instance);
    const tz_strip *strip = instance.strip;
    builder b;
    b.k = k;
    b.inner.strip = NULL;
    unsigned through = 0; /* operands and uses of what it may go through */
    for (unsigned o = 0; o < 2 && o < strip->operands; o++) {
        const tz_strip *only =
            strip->part[o] < strip->premises ? sole(k, strip->which[strip->part[o]]) : NULL;
        if (only != NULL && (unsigned)only->operands + only->weights > through)
            through = (unsigned)only->operands + only->weights;
    }
    b.edge = tz_hyperedge_new(k, list, number, strip->rule, strip->premises,
                              strip->weights + through, strip->operands + through);
    if (b.edge == NULL)
        return TZ_NO_MEMORY;
    for (unsigned p = 0; p < strip->premises; p++) {
        int32_t index[TZ_MAX_RANK];
        bool first = strip->part[0] == p || (strip->operands > 1 && strip->part[1] == p);
        tz_instance_premise(k->chart, &instance, p, index);
        add_premise(&b, strip, p, index, first);
    }
    const bool inner = b.inner.strip != NULL;
    tz_status status = TZ_OK;
    if (!inner)
        b.edge->through = b.edge->premises;
    for (unsigned o = 0; inner && o < b.inner.strip->operands && status == TZ_OK; o++)
        status = add_factor(&b, b.part[b.inner_premise], &b.inner, o);
    for (unsigned o = 0; o < strip->operands && status == TZ_OK; o++)
        if (!inner || strip->part[o] != b.inner_premise)
            status = add_factor(&b, strip->part[o] < strip->premises ? b.part[strip->part[o]] : ONE,
                                &instance, o);
    b.edge->uses = (uint16_t)(strip->weights + b.edge->through_uses);
    add_uses(&b, b.edge->use, &instance);
    if (inner)
        add_uses(&b, b.edge->use + strip->weights, &b.inner);
    *ret_edge = b.edge;
    return status;
}
