/* room.c - the memory of lists and of what is in them. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "engine/ask/kbest/room.h"

enum { MORE = 1 << 14 /* bytes that are added at a time */ };

void *tz_kbest_room(tz_kbest *k, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return NULL;
    if (bytes > k->left) {
        if (bytes > MORE / 4)
            return tz_arena_array(k->arena, count, size);
        char *more = tz_arena_array(k->arena, MORE, 1);
        if (more == NULL)
            return NULL;
        k->room = more;
        k->left = MORE;
    }
    return tz_kbest_small(k, bytes);
}

tz_hyperedge *tz_hyperedge_new(tz_kbest *k, const tz_ranked *list, uint32_t number, unsigned rule,
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

void tz_kbest_discard(tz_kbest *k) {
    if (k == NULL)
        return;
    TZ_FREE_BUFFERS(&k->block, &k->asking, &k->strips, &k->candidates, &k->pending, &k->node,
                    &k->use, &k->parts, &k->sorting, &k->written.node, &k->written.unsorted,
                    &k->written.use, &k->written.by_node, &k->written.positions);
    tz_arena_free(k->arena);
    free(k);
}
