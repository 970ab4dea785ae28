/* write.c - a derivation's nodes and uses.
 *
 * It differs from the best derivation along a few paths from the goal; all that hangs off these are
 * best derivations of items. Such a run is traced once, together with the best derivations of the
 * items in it, and copied from then on. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ask/kbest/room.h"
#include "engine/ask/kbest/write.h"
#include "engine/ask/trace/item.h"
#include "engine/ask/trace/uses.h"

/* A part still to do: nodes and uses of an edge, then the derivation of this rank, unless list is
 * NULL. */
typedef struct part {
    const tz_node *node;
    const tz_use *use;
    tz_ranked *list;
    uint32_t rank, nodes, uses;
} part;

/* ---- Runs -------------------------------------------------------------------------------------
 */

/* Drops so much off the front of a run. */
static void drop(tz_subtree *run, size_t nodes, size_t uses) {
    run->node += nodes;
    run->size += nodes;
    run->nodes -= nodes;
    run->use += uses;
    run->uses -= uses;
}

/* Takes the derivation of an item off the front of a run. */
static tz_subtree take_item(tz_subtree *from) {
    tz_subtree taken = *from;
    taken.nodes = from->size->nodes;
    taken.uses = from->size->uses;
    drop(from, taken.nodes, taken.uses);
    return taken;
}

/* Works out how much each node of a list's run takes with all below it, from the last one on. */
static tz_status measure(tz_kbest *k, tz_ranked *list) {
    const tz_rules *rules = k->chart->plan->rules;
    const tz_node *node = list->subtree.node;
    tz_subtree_size *size = tz_kbest_room(k, list->subtree.nodes, sizeof *size);
    if (size == NULL)
        return TZ_NO_MEMORY;
    for (size_t i = list->subtree.nodes; i-- > 0;) {
        size[i] = (tz_subtree_size){1, rules->rule[node[i].rule].weights};
        for (unsigned p = 0; p < node[i].premises; p++) {
            tz_subtree_size below = size[i + size[i].nodes];
            size[i].nodes += below.nodes;
            size[i].uses += below.uses;
        }
    }
    list->subtree.size = size;
    return TZ_OK;
}

tz_status tz_subtree_share(tz_kbest *k, tz_ranked *list, const tz_hyperedge *edge) {
    const tz_rules *rules = k->chart->plan->rules;
    tz_status status = list->subtree.size != NULL ? TZ_OK : measure(k, list);
    if (status != TZ_OK)
        return status;
    tz_subtree rest = list->subtree;
    drop(&rest, 0, edge->uses - edge->through_uses);
    for (unsigned p = 0; p < edge->premises; p++) {
        tz_ranked *premise = edge->premise[p];
        bool through = p == edge->through;
        bool is_item = through ? edge->through_is_item : premise->kind < rules->items;
        drop(&rest, edge->before[p] - (through && is_item), 0);
        if (!is_item && p + 1u < edge->premises)
            break; /* where it ends does not show */
        tz_subtree taken = rest;
        if (is_item)
            taken = take_item(&rest);
        else
            taken.nodes -= edge->before[edge->premises];
        if (through)
            drop(&taken, is_item, edge->through_uses);
        if (!premise->traced)
            premise->subtree = taken;
        premise->traced = true;
    }
    return TZ_OK;
}

/* Traces the best derivation of a list. */
static tz_status trace(tz_kbest *k, tz_ranked *list) {
    tz_traced traced = {&k->pending, &k->node, &k->use, 0, 0};
    tz_status status = tz_trace_item(k->chart, k->lane, list->kind, list->index, &traced);
    if (status != TZ_OK)
        return status;
    tz_node *node = tz_kbest_room(k, traced.nodes, sizeof *node);
    tz_use *use = tz_kbest_room(k, traced.uses, sizeof *use);
    if (traced.nodes > UINT32_MAX || traced.uses > UINT32_MAX)
        return TZ_TOO_LARGE;
    if (node == NULL || use == NULL)
        return TZ_NO_MEMORY;
    memcpy(node, k->node.data, traced.nodes * sizeof *node);
    memcpy(use, k->use.data, traced.uses * sizeof *use);
    list->subtree = (tz_subtree){node, NULL, use, traced.nodes, traced.uses};
    list->traced = true;
    return TZ_OK;
}

/* ---- Derivations ------------------------------------------------------------------------------
 */

/* A derivation on its way: ends of its lists, and of the stack of parts. Each has room for `left`
 * more. */
typedef struct writer {
    tz_node *node;
    tz_use *use;
    part *part;
    size_t left;
} writer;

/* Makes room for so many in all three. */
static __attribute__((noinline)) tz_status make_room(tz_kbest *k, writer *to, size_t count) {
    tz_written *w = &k->written;
    size_t nodes = (size_t)(to->node - (tz_node *)w->node.data);
    size_t uses = (size_t)(to->use - (tz_use *)w->unsorted.data);
    size_t parts = (size_t)(to->part - (part *)k->parts.data);
    tz_status status = tz_buffer_grow(&w->node, nodes + count, sizeof(tz_node));
    if (status == TZ_OK)
        status = tz_buffer_grow(&w->unsorted, uses + count, sizeof(tz_use));
    if (status == TZ_OK)
        status = tz_buffer_grow(&k->parts, parts + count, sizeof(part));
    if (status != TZ_OK)
        return status;
    size_t left[] = {w->node.size / sizeof(tz_node) - nodes,
                     w->unsorted.size / sizeof(tz_use) - uses,
                     k->parts.size / sizeof(part) - parts};
    *to = (writer){.node = (tz_node *)w->node.data + nodes,
                   .use = (tz_use *)w->unsorted.data + uses,
                   .part = (part *)k->parts.data + parts,
                   .left = left[0]};
    for (unsigned i = 1; i < 3; i++)
        to->left = left[i] < to->left ? left[i] : to->left;
    return TZ_OK;
}

static inline tz_status take_room(tz_kbest *k, writer *to, size_t count) {
    tz_status status = count <= to->left ? TZ_OK : make_room(k, to, count);
    to->left -= status == TZ_OK ? count : 0;
    return status;
}

/* Adds an instance without its premises, and goes on with the first of these; the others wait on
 * the stack. */
static inline tz_status add_ranking(tz_kbest *k, writer *to, const tz_ranking *ranking, part *at) {
    const tz_hyperedge *edge = ranking->edge;
    unsigned premises = edge->premises;
    tz_status status = take_room(k, to, edge->uses + premises + 1u);
    if (status != TZ_OK)
        return status;
    const tz_use *through = edge->use + edge->uses - edge->through_uses;
    for (const tz_use *use = edge->use; use < through; use++)
        *to->use++ = *use;
    const tz_node *after = edge->node + edge->nodes - edge->before[premises];
    part rest = {.node = after, .nodes = edge->before[premises]};
    if (premises == 0) {
        *at = rest;
        return TZ_OK;
    }
    if (rest.nodes > 0)
        *to->part++ = rest;
    for (unsigned p = premises; p-- > 0;) {
        after -= edge->before[p];
        *at = (part){.node = after,
                     .use = through,
                     .list = edge->premise[p],
                     .rank = ranking->rank[p],
                     .nodes = edge->before[p],
                     .uses = p == edge->through ? edge->through_uses : 0};
        if (p > 0)
            *to->part++ = *at;
    }
    return TZ_OK;
}

/* Adds the best derivation of a list. */
static inline tz_status add_best(tz_kbest *k, writer *to, tz_ranked *list) {
    tz_status status = list->traced ? TZ_OK : trace(k, list);
    const tz_subtree *tree = &list->subtree;
    if (status == TZ_OK)
        status = take_room(k, to, tree->nodes + tree->uses);
    if (status != TZ_OK)
        return status;
    memcpy(to->node, tree->node, tree->nodes * sizeof *tree->node);
    memcpy(to->use, tree->use, tree->uses * sizeof *tree->use);
    to->node += tree->nodes;
    to->use += tree->uses;
    return TZ_OK;
}

/* Adds a part and all below it. */
static tz_status add_part(tz_kbest *k, writer *to, part at) {
    for (;;) {
        tz_status status = take_room(k, to, (size_t)at.nodes + at.uses);
        if (status != TZ_OK)
            return status;
        for (unsigned n = 0; n < at.nodes; n++)
            *to->node++ = at.node[n];
        for (unsigned u = 0; u < at.uses; u++)
            *to->use++ = at.use[u];
        if (at.rank > 0) {
            status = add_ranking(k, to, at.list->best[at.rank], &at);
            if (status != TZ_OK)
                return status;
            continue;
        }
        if (at.list != NULL)
            status = add_best(k, to, at.list);
        if (status != TZ_OK || to->part == k->parts.data)
            return status;
        at = *--to->part;
    }
}

tz_status tz_ranked_write(tz_kbest *k, tz_ranked *list, uint32_t rank) {
    tz_written *w = &k->written;
    writer to = {.node = w->node.data, .use = w->unsorted.data, .part = k->parts.data};
    tz_status status = make_room(k, &to, 1);
    if (status == TZ_OK)
        status = add_part(k, &to, (part){.list = list, .rank = rank});
    w->nodes = (size_t)(to.node - (tz_node *)w->node.data);
    w->uses = (size_t)(to.use - (tz_use *)w->unsorted.data);
    const tz_traced found = {&k->pending, &w->node, &w->unsorted, w->nodes, w->uses};
    if (status == TZ_OK && w->uses > 0)
        status = tz_sort_uses(k->chart, k->lane, &found, &k->sorting, &w->use, &w->by_node);
    return status;
}
