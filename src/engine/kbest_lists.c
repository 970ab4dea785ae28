/* kbest_lists.c - lists of best derivations, extended one by one as they are asked for.
 *
 * Every vector of ranks but the first has one predecessor that proposes it, the one with its last
 * rank above 0 lowered by 1, so none is proposed twice. It is no worse and, among equals, earlier
 * in the order of the vectors; so candidates leave the heap in a total order: by score, then by
 * instance, then by ranks. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/kbest.h"
#include "engine/trace.h"

/* ---- Instances -------------------------------------------------------------------------------
 */

static unsigned columns_of(const tz_bound_step *step) {
    return (unsigned)step->nest->givens + step->nest->loops;
}

/* Instance number `number` of a list. */
static void find_instance(const tz_kbest *k, const tz_ranked *list, uint32_t number,
                          tz_instance *ret) {
    size_t low = 0, high = list->rows - 1;
    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (list->row[middle].first <= number)
            low = middle;
        else
            high = middle - 1;
    }
    const tz_ranked_row *row = &list->row[low];
    unsigned rank = k->chart->plan->rules->kind[list->kind].rank, columns = columns_of(row->step);
    ret->step = row->step;
    for (unsigned q = 0; q < rank; q++)
        ret->column[q] = list->index[q];
    memcpy(ret->column + rank, row->column, (columns - rank) * sizeof *ret->column);
    if (columns > row->step->nest->givens)
        ret->column[columns - 1] += number - row->first;
    for (unsigned s = 0; s < row->step->step->sparse; s++)
        ret->entry[s] = (size_t)row->column[columns - rank + s];
}

/* The order of candidates of one score. */
static __attribute__((noinline)) bool before_equal(const tz_kbest *k, const tz_ranked *list,
                                                   const tz_candidate *a, const tz_candidate *b) {
    if (a->number != b->number) {
        if (!list->unordered)
            return a->number < b->number;
        tz_instance x, y;
        find_instance(k, list, a->number, &x);
        find_instance(k, list, b->number, &y);
        return tz_instance_before(k->chart, k->lane, &x, &y);
    }
    if (a->ranking == NULL || b->ranking == NULL)
        return a->ranking == NULL && b->ranking != NULL;
    for (unsigned p = 0; p < a->ranking->edge->premises; p++)
        if (a->ranking->rank[p] != b->ranking->rank[p])
            return a->ranking->rank[p] < b->ranking->rank[p];
    return false;
}

/* The order of candidates. */
static inline bool before(const tz_kbest *k, const tz_ranked *list, const tz_candidate *a,
                          const tz_candidate *b) {
    return a->score != b->score ? a->score > b->score : before_equal(k, list, a, b);
}

/* ---- Heaps ------------------------------------------------------------------------------------
 */

/* Lets the candidate at a place sink to where it belongs. */
static void sink(const tz_kbest *k, tz_ranked *list, size_t at) {
    tz_candidate *heap = list->heap, moved = heap[at];
    for (size_t child; (child = 2 * at + 1) < list->candidates; at = child) {
        if (child + 1 < list->candidates && before(k, list, &heap[child + 1], &heap[child]))
            child++;
        if (!before(k, list, &heap[child], &moved))
            break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

/* Grows an array of the arena to hold one more; what it was stays behind. */
static bool grow(tz_kbest *k, void *array, size_t count, uint32_t *room, size_t size) {
    if (count < *room)
        return true;
    void *old;
    memcpy(&old, array, sizeof old);
    size_t more = count < 2 ? 4 : 2 * count;
    void *made = more <= UINT32_MAX ? tz_kbest_room(k, more, size) : NULL;
    if (made == NULL)
        return false;
    if (count > 0)
        memcpy(made, old, count * size);
    memcpy(array, &made, sizeof made);
    *room = (uint32_t)more;
    return true;
}

static bool push(tz_kbest *k, tz_ranked *list, tz_candidate candidate) {
    if (!grow(k, &list->heap, list->candidates, &list->heap_room, sizeof *list->heap))
        return false;
    size_t at = list->candidates++;
    for (; at > 0 && before(k, list, &candidate, &list->heap[(at - 1) / 2]); at = (at - 1) / 2)
        list->heap[at] = list->heap[(at - 1) / 2];
    list->heap[at] = candidate;
    return true;
}

/* Is the element of this score zero? That scores -INFINITY. */
static inline bool is_zero(const tz_kbest *k, double score, const void *element) {
    return !(score > -INFINITY) && tz_is_zero(k->chart, element);
}

/* ---- Expanding --------------------------------------------------------------------------------
 */

/* Do the variables of a row's instances grow along it, in the order that decides ties? */
static bool row_ascends(const tz_bound_step *step) {
    unsigned last = columns_of(step) - 1u;
    for (unsigned v = 0; v < step->step->variables; v++)
        if (step->nest->variable[v].column[last] != 0)
            return step->nest->variable[v].column[last] > 0;
    return true;
}

/* Appends a row's instances that are not zero to k->candidates; *count: so far; false if all are.
 */
static tz_status take_row(tz_kbest *k, const tz_expansion *e, uint32_t first, size_t *count) {
    const tz_algebra *algebra = k->chart->algebra;
    tz_status status = tz_buffer_grow(&k->candidates, *count + e->count, sizeof(tz_candidate));
    if (status != TZ_OK)
        return status;
    tz_candidate *to = (tz_candidate *)k->candidates.data + *count;
    for (size_t x = 0; x < e->count; x++) {
        const char *element = (const char *)e->element + x * algebra->size;
        double score = algebra->value(algebra->semiring, element);
        if (!is_zero(k, score, element))
            *to++ = (tz_candidate){.score = score, .number = first + (uint32_t)x};
    }
    *count = (size_t)(to - (tz_candidate *)k->candidates.data);
    return TZ_OK;
}

/* Appends a row to k->rows. */
static tz_status add_row(tz_kbest *k, const tz_expansion *e, uint32_t first, size_t rows) {
    const tz_bound_step *step = e->at.step;
    unsigned own = columns_of(step) - e->rank, sparse = step->step->sparse;
    int64_t *column = tz_kbest_room(k, own + sparse, sizeof *column);
    if (column == NULL)
        return TZ_NO_MEMORY;
    memcpy(column, e->at.column + e->rank, own * sizeof *column);
    for (unsigned s = 0; s < sparse; s++)
        column[own + s] = (int64_t)e->at.entry[s];
    tz_status status = tz_buffer_grow(&k->rows, rows + 1, sizeof(tz_ranked_row));
    if (status == TZ_OK)
        ((tz_ranked_row *)k->rows.data)[rows] = (tz_ranked_row){step, first, column};
    return status;
}

static void *copy(tz_kbest *k, const tz_buffer *from, size_t count, size_t size) {
    void *to = tz_kbest_room(k, count, size);
    if (to != NULL && count > 0)
        memcpy(to, from->data, count * size);
    return to;
}

/* Finds all instances of the list's item. */
static tz_status expand(tz_kbest *k, tz_ranked *list) {
    size_t count = 0, rows = 0;
    uint32_t number = 0;
    bool unordered = false;
    tz_instance last; /* of the row before */
    tz_expansion e;
    for (tz_expand_start(&e, k->chart, k->lane, list->kind, list->index); tz_expand_next(&e);) {
        size_t before_row = count;
        if (e.count > UINT32_MAX - number)
            return TZ_TOO_LARGE;
        tz_status status = take_row(k, &e, number, &count);
        if (status == TZ_OK && count > before_row)
            status = add_row(k, &e, number, rows);
        if (status != TZ_OK)
            return status;
        if (count == before_row)
            continue;
        if (!unordered)
            unordered = (rows > 0 && last.step->step->rule >= e.at.step->step->rule &&
                         tz_instance_before(k->chart, k->lane, &e.at, &last)) ||
                        (e.count > 1 && !row_ascends(e.at.step));
        rows++;
        number += (uint32_t)e.count;
        last = e.at;
        if (e.count > 1)
            last.column[columns_of(last.step) - 1] += (int64_t)e.count - 1;
    }
    list->row = copy(k, &k->rows, rows, sizeof *list->row);
    list->heap = copy(k, &k->candidates, count, sizeof *list->heap);
    if (list->row == NULL || list->heap == NULL)
        return TZ_NO_MEMORY;
    list->rows = rows;
    list->candidates = count;
    list->heap_room = (uint32_t)count; /* numbers are not more */
    list->unordered = unordered;
    list->expanded = true;
    for (size_t at = count / 2; at-- > 0;)
        sink(k, list, at);
    return TZ_OK;
}

/* ---- Derivations ------------------------------------------------------------------------------
 */

static size_t home(const tz_kbest *k, ptrdiff_t offset) {
    return (size_t)((uint64_t)offset * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (k->slots - 1);
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
        size_t s = home(k, old[i]->offset);
        while (made[s] != NULL)
            s = (s + 1) & (k->slots - 1);
        made[s] = old[i];
    }
    return true;
}

tz_status tz_ranked_find(tz_kbest *k, unsigned kind, const int32_t *index, ptrdiff_t offset,
                         tz_ranked **ret_list) {
    if (2 * k->lists >= k->slots && !rehash(k))
        return TZ_NO_MEMORY;
    size_t s = home(k, offset);
    while (k->slot[s] != NULL && k->slot[s]->offset != offset)
        s = (s + 1) & (k->slots - 1);
    if (k->slot[s] == NULL) {
        tz_ranked *made = tz_kbest_room(k, 1, sizeof *made);
        if (made == NULL)
            return TZ_NO_MEMORY;
        *made = (tz_ranked){.offset = offset,
                            .cell = tz_cell(k->chart, TZ_AT_INSIDE, offset, k->lane),
                            .kind = kind};
        memcpy(made->index, index, sizeof made->index);
        k->slot[s] = made;
        k->lists++;
    }
    *ret_list = k->slot[s];
    return TZ_OK;
}

/* The first aligned address from one on. */
static void *align_up(void *at, size_t align) {
    return (char *)at + (-(uintptr_t)at & (align - 1));
}

/* Room for an element. */
static void *new_element(tz_kbest *k) {
    const tz_algebra *algebra = k->chart->algebra;
    void *at = tz_kbest_room(k, algebra->size + algebra->align - 1, 1);
    return at != NULL ? align_up(at, algebra->align) : NULL;
}

/* The list of a term that is a premise. */
static tz_status find_premise(tz_kbest *k, const tz_instance *instance, unsigned t,
                              tz_ranked **ret) {
    const tz_chart *chart = k->chart;
    const tz_bound_term *term = &instance->step->term[t];
    int32_t index[TZ_MAX_RANK];
    tz_instance_index(chart, k->lane, instance, t, index);
    ptrdiff_t offset = tz_address_value(&chart->address[term->address], chart->plan->rules->lengths,
                                        tz_lane_length(chart, k->lane), columns_of(instance->step),
                                        instance->column);
    return tz_ranked_find(k, term->which, index, offset, ret);
}

static tz_status new_edge(tz_kbest *k, const tz_ranked *list, uint32_t number,
                          const tz_hyperedge **ret_edge) {
    tz_instance instance;
    find_instance(k, list, number, &instance);
    const tz_bound_step *step = instance.step;
    unsigned uses = 0;
    for (unsigned t = 0; t < step->terms; t++)
        uses += step->term[t].what == TZ_WEIGHT;
    unsigned of_premises = step->terms - uses;
    /* One piece of memory: an edge is read as a whole, again and again. */
    tz_hyperedge *edge = tz_kbest_room(k, 1,
                                       sizeof *edge + of_premises * sizeof(tz_ranked *) +
                                           uses * sizeof(tz_use) + step->terms * sizeof(tz_factor));
    if (edge == NULL)
        return TZ_NO_MEMORY;
    const tz_rules *rules = k->chart->plan->rules;
    edge->premise = (tz_ranked **)(edge + 1);
    edge->use = (tz_use *)(edge->premise + of_premises);
    edge->factor = (tz_factor *)(edge->use + uses);
    edge->premises = (uint16_t)of_premises;
    edge->uses = (uint16_t)uses;
    edge->factors = step->terms;
    edge->number = number;
    edge->is_item = list->kind < rules->items;
    edge->node = (tz_node){.item = list->kind,
                           .rule = step->step->rule,
                           .premises = rules->rule[step->step->rule].premises};
    memcpy(edge->node.index, list->index, sizeof list->index);
    tz_factor factor[TZ_MAX_TERMS] = {{0}};
    tz_use *use = edge->use;
    uint16_t premises = 0;
    for (unsigned t = 0; t < step->terms; t++) {
        if (step->term[t].what != TZ_WEIGHT) {
            factor[t].premise = premises;
            tz_status status = find_premise(k, &instance, t, &edge->premise[premises++]);
            if (status != TZ_OK)
                return status;
            continue;
        }
        void *element = new_element(k);
        if (element == NULL)
            return TZ_NO_MEMORY;
        tz_instance_weight(k->chart, k->lane, &instance, t, element);
        factor[t].element = element;
        use->weight = step->term[t].which;
        use->score = tz_instance_score(k->chart, k->lane, &instance, t);
        tz_instance_index(k->chart, k->lane, &instance, t, use++->index);
    }
    uint8_t order[TZ_MAX_TERMS];
    tz_term_order(k->chart->plan, step, order);
    for (unsigned i = 0; i < step->terms; i++)
        edge->factor[i] = factor[order[i]];
    *ret_edge = edge;
    return TZ_OK;
}

static tz_ranking *new_ranking(tz_kbest *k, const tz_hyperedge *edge) {
    const tz_algebra *algebra = k->chart->algebra;
    size_t ranks = edge->premises * sizeof(uint32_t);
    tz_ranking *made =
        tz_kbest_room(k, 1, sizeof *made + ranks + algebra->align - 1 + algebra->size);
    if (made == NULL)
        return NULL;
    made->edge = edge;
    memset(made->rank, 0, ranks);
    made->element = align_up(made->rank + edge->premises, algebra->align);
    return made;
}

/* A factor's element for the ranks. */
static inline const void *factor_element(const tz_ranking *r, const tz_factor *factor) {
    if (factor->element != NULL)
        return factor->element;
    const tz_ranked *premise = r->edge->premise[factor->premise];
    uint32_t rank = r->rank[factor->premise];
    return rank > 0 ? premise->best[rank]->element : premise->cell;
}

/* The product for its ranks. */
static void multiply(const tz_kbest *k, tz_ranking *r) {
    const tz_algebra *algebra = k->chart->algebra;
    const tz_semiring *semiring = algebra->semiring;
    const tz_factor *factor = r->edge->factor, *end = factor + r->edge->factors;
    const void *product = factor < end ? factor_element(r, factor++) : algebra->one;
    if (factor == end)
        memcpy(r->element, product, algebra->size);
    for (; factor < end; product = r->element)
        semiring->times(semiring, r->element, product, factor_element(r, factor++));
    r->score = algebra->value(semiring, r->element);
}

/* Proposes the ranking with the rank of premise p one higher. */
static tz_status propose(tz_kbest *k, tz_ranked *list, const tz_ranking *from, unsigned p) {
    tz_ranking *made = new_ranking(k, from->edge);
    if (made == NULL)
        return TZ_NO_MEMORY;
    memcpy(made->rank, from->rank, from->edge->premises * sizeof *made->rank);
    made->rank[p]++;
    multiply(k, made);
    if (is_zero(k, made->score, made->element))
        return TZ_OK;
    return push(k, list, (tz_candidate){made->score, from->edge->number, made}) ? TZ_OK
                                                                                : TZ_NO_MEMORY;
}

/* Moves the first candidate to the end of the list. */
static tz_status take_first(tz_kbest *k, tz_ranked *list) {
    if (list->candidates == 0) {
        list->over = true;
        return TZ_OK;
    }
    if (!grow(k, &list->best, list->bests, &list->best_room, sizeof *list->best))
        return TZ_NO_MEMORY;
    tz_ranking *first = list->heap[0].ranking;
    if (first == NULL) {
        const tz_hyperedge *edge;
        tz_status status = new_edge(k, list, list->heap[0].number, &edge);
        if (status != TZ_OK)
            return status;
        if (list->bests == 0 && list->traced)
            tz_subtree_share(k, list, edge);
        first = new_ranking(k, edge);
        if (first == NULL)
            return TZ_NO_MEMORY;
        multiply(k, first);
    }
    list->heap[0] = list->heap[--list->candidates];
    if (list->candidates > 0)
        sink(k, list, 0);
    list->best[list->bests++] = first;
    list->left = first->edge->premises;
    return TZ_OK;
}

/* Goes on with extending the list as far as it can; *ret_premise: the list that must be extended
 * first, or NULL when done. */
static tz_status go_on(tz_kbest *k, tz_ranked *list, tz_ranked **ret_premise) {
    *ret_premise = NULL;
    if (!list->expanded && tz_trace_is_leaf(k->chart, list->kind, list->index)) {
        list->over = true;
        return TZ_OK;
    }
    tz_status status = list->expanded ? TZ_OK : expand(k, list);
    while (status == TZ_OK && list->left > 0) {
        const tz_ranking *last = list->best[list->bests - 1];
        unsigned p = list->left - 1u;
        tz_ranked *premise = last->edge->premise[p];
        size_t rank = (size_t)last->rank[p] + 1;
        if (rank >= premise->bests && !premise->over) {
            *ret_premise = premise;
            return TZ_OK;
        }
        if (rank < premise->bests)
            status = rank <= UINT32_MAX ? propose(k, list, last, p) : TZ_TOO_LARGE;
        if (status == TZ_OK)
            list->left = last->rank[p] == 0 ? (uint16_t)p : 0;
    }
    return status == TZ_OK ? take_first(k, list) : status;
}

tz_status tz_ranked_extend(tz_kbest *k, tz_ranked *list) {
    size_t depth = 0;
    do {
        tz_status status = TZ_OK;
        if (list != NULL) {
            status = tz_buffer_grow(&k->asking, depth + 1, sizeof(tz_ranked *));
            if (status == TZ_OK)
                ((tz_ranked **)k->asking.data)[depth++] = list;
        }
        if (status == TZ_OK)
            status = go_on(k, ((tz_ranked **)k->asking.data)[depth - 1], &list);
        if (status != TZ_OK)
            return status;
        if (list == NULL)
            depth--;
    } while (depth > 0);
    return TZ_OK;
}
