/* kbest_instances.c - what the items of lists can be made of.
 *
 * Where an item's steps are small (tz_small_step), little is left to be worked out; instances of
 * other steps are found the general way (expand.h). SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ask/kbest.h"
#include "engine/ask/trace.h"
#include "engine/ask/trace_small.h"

/* ---- Lists by cell ----------------------------------------------------------------------------
 */

static size_t home(const tz_kbest *k, const void *cell) {
    return (size_t)((uint64_t)(uintptr_t)cell * UINT64_C(0x9e3779b97f4a7c15) >> 32) &
           (k->slots - 1);
}

static bool rehash(tz_kbest *k) {
    tz_ranked **old = k->slot;
    size_t slots = k->slots;
    size_t more = slots > 0 ? 2 * slots : 256;
    tz_ranked **made = tz_kbest_room(k, more, sizeof *made);
    if (made == NULL)
        return false;
    memset(made, 0, more * sizeof *made);
    k->slot = made;
    k->slots = more;
    for (size_t i = 0; i < slots; i++) {
        if (old[i] == NULL)
            continue;
        size_t s = home(k, old[i]->cell);
        while (made[s] != NULL)
            s = (s + 1) & (k->slots - 1);
        made[s] = old[i];
    }
    return true;
}

tz_status tz_ranked_find(tz_kbest *k, unsigned kind, const int32_t *index, const void *cell,
                         tz_ranked **ret_list) {
    if (2 * k->lists >= k->slots && !rehash(k))
        return TZ_NO_MEMORY;
    size_t s = home(k, cell);
    while (k->slot[s] != NULL && k->slot[s]->cell != cell)
        s = (s + 1) & (k->slots - 1);
    if (k->slot[s] == NULL) {
        tz_ranked *made = tz_kbest_small(k, sizeof *made + sizeof(tz_ranking));
        if (made == NULL)
            return TZ_NO_MEMORY;
        *made = (tz_ranked){.cell = cell, .kind = kind};
        made->best = made->few;
        made->best_room = sizeof made->few / sizeof *made->few;
        made->few[0] = (tz_ranking *)(made + 1);
        *made->few[0] = (tz_ranking){.element = cell};
        memcpy(made->index, index, sizeof made->index);
        k->slot[s] = made;
        k->lists++;
    }
    *ret_list = k->slot[s];
    return TZ_OK;
}

/* ---- Instances --------------------------------------------------------------------------------
 */

/* Which strip of the list instance number `number` is of. */
static const tz_ranked_strip *strip_of(const tz_ranked *list, uint32_t number) {
    size_t low = 0, high = list->strips - 1;
    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (list->strip[middle].first <= number)
            low = middle;
        else
            high = middle - 1;
    }
    return &list->strip[low];
}

/* What an edge of this size starts with: the list's own node, and nothing else yet. NULL when
 * memory is out. */
static tz_hyperedge *new_edge(tz_kbest *k, const tz_ranked *list, uint32_t number, unsigned rule,
                              unsigned premises, unsigned uses, unsigned factors) {
    /* One piece of memory: an edge is read as a whole, again and again. */
    unsigned nodes = 1 + premises;
    tz_hyperedge *edge = tz_kbest_small(
        k, sizeof *edge + premises * sizeof *edge->premise + factors * sizeof *edge->factor +
               uses * sizeof *edge->use + nodes * sizeof *edge->node + premises + 1);
    if (edge == NULL)
        return NULL;
    const tz_rules *rules = k->chart->plan->rules;
    *edge = (tz_hyperedge){.number = number};
    edge->premise = (tz_ranked **)(edge + 1);
    edge->factor = (tz_factor *)(edge->premise + premises);
    edge->use = (tz_use *)(edge->factor + factors);
    edge->node = (tz_node *)(edge->use + uses);
    edge->before = (uint8_t *)(edge->node + nodes);
    memset(edge->before, 0, premises + 1);
    edge->node[0] =
        (tz_node){.item = list->kind, .rule = rule, .premises = rules->rule[rule].premises};
    memcpy(edge->node[0].index, list->index, sizeof list->index);
    edge->before[0] = list->kind < rules->items;
    edge->nodes = edge->before[0];
    return edge;
}

/* ---- Of small steps ---------------------------------------------------------------------------
 */

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

static tz_status expand_small(tz_kbest *k, tz_ranked *list, const tz_trace_steps *steps) {
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

static tz_status edge_of_small(tz_kbest *k, const tz_ranked *list, const tz_ranked_strip *strip,
                               uint32_t number, const tz_hyperedge **ret_edge) {
    const tz_small_step *step = strip->small;
    const place at = place_of(list);
    size_t turn = number - strip->first;
    builder b = {.k = k};
    b.edge = new_edge(k, list, number, step->node_rule, step->premises, step->weights + 1u,
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
    if (step->weights > 0)
        tz_small_use(step, at.a, at.b, turn, b.edge->use);
    if (b.edge->through_uses > 0)
        tz_small_use(b.inner, b.inner_place.a, b.inner_place.b, 0, b.edge->use + step->weights);
    *ret_edge = b.edge;
    return status;
}

/* ---- Of any ------------------------------------------------------------------------------------
 */

static unsigned columns_of(const tz_bound_step *step) {
    return (unsigned)step->nest->givens + step->nest->loops;
}

/* Instance number `number` of a list, which is of this strip. */
static void instance_at(const tz_kbest *k, const tz_ranked *list, const tz_ranked_strip *strip,
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

/* Finds all instances of the list's item. */
static tz_status expand_any(tz_kbest *k, tz_ranked *list) {
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

static tz_status edge_of_any(tz_kbest *k, const tz_ranked *list, const tz_ranked_strip *strip,
                             uint32_t number, const tz_hyperedge **ret_edge) {
    tz_instance instance;
    instance_at(k, list, strip, number, &instance);
    const tz_bound_step *step = instance.step;
    unsigned uses = 0;
    for (unsigned t = 0; t < step->terms; t++)
        uses += step->term[t].what == TZ_WEIGHT;
    unsigned of_premises = step->terms - uses;
    tz_hyperedge *edge =
        new_edge(k, list, number, step->step->rule, of_premises, uses, step->terms);
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

/* ---- Of either --------------------------------------------------------------------------------
 */

tz_status tz_ranked_expand(tz_kbest *k, tz_ranked *list) {
    list->candidates = 0;
    if (k->chart->trace.cells != NULL) {
        const tz_trace_steps *steps = &k->chart->trace.cells->kind[list->kind].apart;
        if (steps->small < steps->small_end)
            return expand_small(k, list, steps);
    }
    return expand_any(k, list);
}

bool tz_ranked_before(const tz_kbest *k, const tz_ranked *list, uint32_t a, uint32_t b) {
    if (!list->unordered)
        return a < b;
    tz_instance x, y;
    instance_at(k, list, strip_of(list, a), a, &x);
    instance_at(k, list, strip_of(list, b), b, &y);
    return tz_instance_before(k->chart, k->lane, &x, &y);
}

tz_status tz_ranked_edge(tz_kbest *k, const tz_ranked *list, uint32_t number,
                         const tz_hyperedge **ret_edge) {
    const tz_ranked_strip *strip = strip_of(list, number);
    return strip->small != NULL ? edge_of_small(k, list, strip, number, ret_edge)
                                : edge_of_any(k, list, strip, number, ret_edge);
}
