/* kbest_write.c - a derivation's nodes and uses, as far as possible copied from the one before.
 *
 * Neighbours in a list have most parts in common, though not always in the same place. So every
 * ranking remembers where it was written last; if that was in the derivation before, its part of
 * the lists is taken over as a whole. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/kbest.h"

/* tz_buffer_grow where there is room most of the time; sizes are constants. */
static inline tz_status grow(tz_buffer *buffer, size_t count, size_t size) {
    return count <= buffer->size / size ? TZ_OK : tz_buffer_grow(buffer, count, size);
}

static tz_status make_room(tz_written *w, size_t parts, size_t nodes, size_t uses) {
    tz_status status = grow(&w->part, w->parts + parts, sizeof(tz_part));
    if (status == TZ_OK)
        status = grow(&w->node, w->nodes + nodes, sizeof(tz_node));
    if (status == TZ_OK)
        status = grow(&w->use, w->uses + uses, sizeof(tz_use));
    return status;
}

/* Takes over what was written for a ranking in the derivation before. */
static tz_status copy(tz_written *w, const tz_written *from, const tz_ranking *ranking) {
    const tz_part *part = (const tz_part *)from->part.data + ranking->part;
    tz_status status = make_room(w, part->parts, part->nodes, part->uses);
    if (status != TZ_OK)
        return status;
    tz_part *to = (tz_part *)w->part.data + w->parts;
    for (size_t p = 0; p < part->parts; p++) {
        to[p] = part[p];
        to[p].node = part[p].node - part->node + w->nodes;
        to[p].use = part[p].use - part->use + w->uses;
    }
    if (part->nodes > 0)
        memcpy((tz_node *)w->node.data + w->nodes, (const tz_node *)from->node.data + part->node,
               part->nodes * sizeof(tz_node));
    if (part->uses > 0)
        memcpy((tz_use *)w->use.data + w->uses, (const tz_use *)from->use.data + part->use,
               part->uses * sizeof(tz_use));
    w->parts += part->parts;
    w->nodes += part->nodes;
    w->uses += part->uses;
    return TZ_OK;
}

/* Writes the item of a ranking without its premises. */
static tz_status add(tz_written *w, tz_ranking *ranking) {
    const tz_hyperedge *edge = ranking->edge;
    tz_status status = make_room(w, 1, edge->is_item, edge->uses);
    if (status != TZ_OK)
        return status;
    ((tz_part *)w->part.data)[w->parts++] =
        (tz_part){.ranking = ranking, .node = w->nodes, .use = w->uses};
    if (edge->is_item)
        ((tz_node *)w->node.data)[w->nodes++] = edge->node;
    for (unsigned u = 0; u < edge->uses; u++)
        ((tz_use *)w->use.data)[w->uses++] = edge->use[u];
    return TZ_OK;
}

/* Puts the premises of a ranking on the stack, the first on top. */
static tz_status push_premises(tz_kbest *k, const tz_ranking *ranking, size_t *stack) {
    const tz_hyperedge *edge = ranking->edge;
    tz_status status = grow(&k->pending, *stack + edge->premises, sizeof(tz_ranking *));
    for (unsigned p = edge->premises; p-- > 0 && status == TZ_OK;) {
        tz_ranked *premise = edge->premise[p];
        if (premise->bests == 0) /* its second best was never asked for */
            status = tz_ranked_extend(k, premise);
        if (status == TZ_OK)
            ((tz_ranking **)k->pending.data)[(*stack)++] = premise->best[ranking->rank[p]];
    }
    return status;
}

/* Fills in the sizes of parts that are new, premises first, and lets every ranking know its part.
 */
static void finish(tz_kbest *k, tz_written *w) {
    tz_part *parts = w->part.data;
    for (size_t i = w->parts; i-- > 0;) {
        tz_part *part = &parts[i];
        part->ranking->part = i;
        part->ranking->turn = k->turn;
        if (part->parts > 0)
            continue;
        const tz_hyperedge *edge = part->ranking->edge;
        part->parts = 1;
        part->nodes = edge->is_item;
        part->uses = edge->uses;
        for (unsigned p = 0; p < edge->premises; p++) {
            const tz_part *premise = part + part->parts;
            part->parts += premise->parts;
            part->nodes += premise->nodes;
            part->uses += premise->uses;
        }
    }
}

tz_status tz_ranking_write(tz_kbest *k, tz_ranking *ranking, const tz_written **ret) {
    const tz_written *from = &k->written[k->turn % 2];
    tz_written *w = &k->written[(k->turn + 1) % 2];
    size_t stack = 1;
    tz_status status = grow(&k->pending, 1, sizeof(tz_ranking *));
    if (status == TZ_OK)
        *(tz_ranking **)k->pending.data = ranking;
    w->parts = w->nodes = w->uses = 0;
    while (status == TZ_OK && stack > 0) {
        tz_ranking *top = ((tz_ranking **)k->pending.data)[--stack];
        if (top->turn == k->turn && k->turn > 0) {
            status = copy(w, from, top);
            continue;
        }
        status = add(w, top);
        if (status == TZ_OK)
            status = push_premises(k, top, &stack);
    }
    if (status != TZ_OK)
        return status;
    k->turn++;
    finish(k, w);
    *ret = w;
    return TZ_OK;
}
