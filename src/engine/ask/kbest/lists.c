/* lists.c - lists of best derivations, extended one by one as they are asked for.
 *
 * Every vector of ranks but the first has one predecessor that proposes it, the one with its last
 * rank above 0 lowered by 1, so none is proposed twice. It is no worse and, among equals, earlier
 * in the order of the vectors; so candidates leave the heap in a total order: by score, then by
 * instance, then by ranks. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ask/kbest/edge.h"
#include "engine/ask/kbest/instances.h"
#include "engine/ask/kbest/lists.h"
#include "engine/ask/kbest/room.h"
#include "engine/ask/kbest/write.h"

/* The order of candidates of one score. */
static __attribute__((noinline)) bool before_equal(const tz_kbest *k, const tz_ranked *list,
                                                   const tz_candidate *a, const tz_candidate *b) {
    if (a->number != b->number)
        return tz_ranked_before(k, list, a->number, b->number);
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
    size_t last = list->candidates - 1;
    for (size_t child; (child = 2 * at + 1) <= last; at = child) {
        if (child < last) { /* which one is as good as random: no branch */
            const tz_candidate *pair = &heap[child];
            bool second = pair[1].score > pair[0].score;
            if (__builtin_expect(pair[1].score == pair[0].score, 0))
                second = before_equal(k, list, &pair[1], &pair[0]);
            child += second;
        }
        if (!before(k, list, &heap[child], &moved))
            break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

/* Grows an array of the arena to hold one more; what it was stays behind. */
static __attribute__((noinline)) bool grow(tz_kbest *k, void *array, size_t count, uint32_t *room,
                                           size_t size) {
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

static inline bool push(tz_kbest *k, tz_ranked *list, tz_candidate candidate) {
    if (list->hole) {
        list->heap[0] = candidate;
        list->hole = false;
        sink(k, list, 0);
        return true;
    }
    if (list->candidates == list->heap_room &&
        !grow(k, &list->heap, list->candidates, &list->heap_room, sizeof *list->heap))
        return false;
    size_t at = list->candidates++;
    for (; at > 0 && before(k, list, &candidate, &list->heap[(at - 1) / 2]); at = (at - 1) / 2)
        list->heap[at] = list->heap[(at - 1) / 2];
    list->heap[at] = candidate;
    return true;
}

/* Closes the hole that the first candidate has left, if there is one. */
static inline void close_hole(const tz_kbest *k, tz_ranked *list) {
    if (!list->hole)
        return;
    list->hole = false;
    list->heap[0] = list->heap[--list->candidates];
    if (list->candidates > 1)
        sink(k, list, 0);
}

/* ---- Derivations ------------------------------------------------------------------------------
 */

static tz_status expand(tz_kbest *k, tz_ranked *list) {
    tz_status status = tz_ranked_expand(k, list);
    list->expanded = status == TZ_OK;
    for (size_t at = list->candidates / 2; at-- > 0 && list->expanded;)
        sink(k, list, at);
    return status;
}

/* The element for the rank of each premise. */
static inline const void *factor_element(const tz_hyperedge *edge, const uint32_t *rank,
                                         const tz_factor *factor) {
    return factor->element != NULL
               ? factor->element
               : edge->premise[factor->premise]->best[rank[factor->premise]]->element;
}

/* The ranking with the rank of premise p, if there is one, one higher than in `from`. NULL when
 * memory is out. */
static inline tz_ranking *new_ranking(tz_kbest *k, const tz_hyperedge *edge, const uint32_t *from,
                                      unsigned p) {
    const tz_algebra *algebra = k->chart->algebra;
    const tz_semiring *semiring = algebra->semiring;
    tz_ranking *made = tz_kbest_small(k, sizeof *made + edge->premises * sizeof *made->rank +
                                             algebra->align - 1 + algebra->size);
    if (made == NULL)
        return NULL;
    made->edge = edge;
    for (unsigned q = 0; q < edge->premises; q++)
        made->rank[q] = from[q] + (q == p);
    void *element = tz_align_up(made->rank + edge->premises, algebra->align);
    made->element = element;
    const tz_factor *factor = edge->factor, *end = factor + edge->factors;
    const void *product = factor < end ? factor_element(edge, made->rank, factor++) : algebra->one;
    if (factor == end)
        memcpy(element, product, algebra->size);
    for (; factor < end; product = element)
        semiring->times(semiring, element, product, factor_element(edge, made->rank, factor++));
    made->score = algebra->value(semiring, element);
    return made;
}

/* Proposes the ranking with the rank of premise p one higher. */
static inline tz_status propose(tz_kbest *k, tz_ranked *list, const tz_ranking *from, unsigned p) {
    tz_ranking *made = new_ranking(k, from->edge, from->rank, p);
    if (made == NULL)
        return TZ_NO_MEMORY;
    if (tz_kbest_zero(k, made->score, made->element))
        return TZ_OK;
    return push(k, list, (tz_candidate){made->score, from->edge->number, made}) ? TZ_OK
                                                                                : TZ_NO_MEMORY;
}

/* The ranking of a candidate that has none yet. */
static tz_status rank_first(tz_kbest *k, tz_ranked *list, const tz_candidate *candidate,
                            tz_ranking **ret) {
    static const uint32_t best[TZ_MAX_TERMS];
    const tz_hyperedge *edge;
    tz_status status = tz_ranked_edge(k, list, candidate->number, &edge);
    if (status == TZ_OK && list->bests == 0 && list->traced)
        status = tz_subtree_share(k, list, edge);
    if (status != TZ_OK)
        return status;
    *ret = new_ranking(k, edge, best, edge->premises);
    return *ret != NULL ? TZ_OK : TZ_NO_MEMORY;
}

/* Moves the first candidate to the end of the list. */
static tz_status take_first(tz_kbest *k, tz_ranked *list) {
    close_hole(k, list);
    if (list->candidates == 0) {
        list->over = true;
        return TZ_OK;
    }
    if (list->bests == list->best_room &&
        !grow(k, &list->best, list->bests, &list->best_room, sizeof *list->best))
        return TZ_NO_MEMORY;
    tz_ranking *first = list->heap[0].ranking;
    if (first == NULL) {
        tz_status status = rank_first(k, list, &list->heap[0], &first);
        if (status != TZ_OK)
            return status;
    }
    list->hole = true;
    list->best[list->bests++] = first;
    list->left = first->edge->premises;
    return TZ_OK;
}

/* Goes on with extending the list as far as it can; *ret_premise: the list that must be extended
 * first, or NULL when done. */
static tz_status go_on(tz_kbest *k, tz_ranked *list, tz_ranked **ret_premise) {
    *ret_premise = NULL;
    if (!list->expanded && tz_item_is_leaf(k->chart, list->kind, list->index)) {
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
    for (;;) {
        if (depth >= k->asking.size / sizeof(tz_ranked *)) {
            tz_status status = tz_buffer_grow(&k->asking, depth + 1, sizeof(tz_ranked *));
            if (status != TZ_OK)
                return status;
        }
        tz_ranked **asking = k->asking.data, *premise;
        tz_status status = go_on(k, list, &premise);
        if (status != TZ_OK)
            return status;
        if (premise != NULL)
            asking[depth++] = list;
        else if (depth > 0)
            premise = asking[--depth];
        else
            return TZ_OK;
        list = premise;
    }
}
