/* kbest_write.c - a derivation's nodes and uses.
 *
 * It differs from the best derivation along a few paths from the goal; all that hangs off these are
 * best derivations of items. Such a run is traced once, together with the best derivations of the
 * items in it, and copied from then on. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/kbest.h"
#include "engine/trace.h"

/* A part still to do: nodes of an edge, then the derivation of this rank, unless list is NULL. */
typedef struct part {
    const tz_node *node;
    tz_ranked *list;
    uint32_t rank, nodes;
} part;

/* ---- Runs -------------------------------------------------------------------------------------
 */

/* Drops so much off the front of a run. */
static void drop(tz_subtree *run, size_t nodes, size_t uses) {
    run->node += nodes;
    run->span += nodes;
    run->nodes -= nodes;
    run->use += uses;
    run->uses -= uses;
}

/* Takes the derivation of an item off the front of a run. */
static tz_subtree take_item(tz_subtree *from) {
    tz_subtree taken = *from;
    taken.nodes = from->span->nodes;
    taken.uses = from->span->uses;
    drop(from, taken.nodes, taken.uses);
    return taken;
}

/* Works out how much each node of a list's run takes with all below it, from the last one on. */
static tz_status measure(tz_kbest *k, tz_ranked *list) {
    const tz_rules *rules = k->chart->plan->rules;
    const tz_node *node = list->subtree.node;
    tz_span *span = tz_kbest_room(k, list->subtree.nodes, sizeof *span);
    if (span == NULL)
        return TZ_NO_MEMORY;
    for (size_t i = list->subtree.nodes; i-- > 0;) {
        span[i] = (tz_span){1, rules->rule[node[i].rule].weights};
        for (unsigned p = 0; p < node[i].premises; p++) {
            tz_span below = span[i + span[i].nodes];
            span[i].nodes += below.nodes;
            span[i].uses += below.uses;
        }
    }
    list->subtree.span = span;
    return TZ_OK;
}

tz_status tz_subtree_share(tz_kbest *k, tz_ranked *list, const tz_hyperedge *edge) {
    const tz_rules *rules = k->chart->plan->rules;
    tz_status status = list->subtree.span != NULL ? TZ_OK : measure(k, list);
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

/* A derivation on its way: ends of its lists, and of the stack of parts, with what they may grow
 * to.
 */
typedef struct writer {
    tz_node *node, *node_end;
    tz_use *use, *use_end;
    part *part, *part_end;
} writer;

/* Makes room in all three. */
static __attribute__((noinline)) tz_status make_room(tz_kbest *k, writer *to, size_t nodes,
                                                     size_t uses, size_t parts) {
    tz_written *w = &k->written;
    size_t node = (size_t)(to->node - (tz_node *)w->node.data);
    size_t use = (size_t)(to->use - (tz_use *)w->unsorted.data);
    size_t top = (size_t)(to->part - (part *)k->parts.data);
    tz_status status = tz_buffer_grow(&w->node, node + nodes + 1, sizeof(tz_node));
    if (status == TZ_OK)
        status = tz_buffer_grow(&w->unsorted, use + uses + 1, sizeof(tz_use));
    if (status == TZ_OK)
        status = tz_buffer_grow(&k->parts, top + parts + 1, sizeof(part));
    *to = (writer){.node = (tz_node *)w->node.data + node,
                   .use = (tz_use *)w->unsorted.data + use,
                   .part = (part *)k->parts.data + top};
    to->node_end = (tz_node *)w->node.data + w->node.size / sizeof(tz_node);
    to->use_end = (tz_use *)w->unsorted.data + w->unsorted.size / sizeof(tz_use);
    to->part_end = (part *)k->parts.data + k->parts.size / sizeof(part);
    return status;
}

static inline tz_status need(tz_kbest *k, writer *to, size_t nodes, size_t uses, size_t parts) {
    return nodes < (size_t)(to->node_end - to->node) && uses < (size_t)(to->use_end - to->use) &&
                   parts < (size_t)(to->part_end - to->part)
               ? TZ_OK
               : make_room(k, to, nodes, uses, parts);
}

/* Adds an instance without its premises, and puts these on the stack, the first on top. */
static inline tz_status add_ranking(tz_kbest *k, writer *to, const tz_ranking *ranking) {
    const tz_hyperedge *edge = ranking->edge;
    tz_status status = need(k, to, 0, edge->uses, edge->premises + 1u);
    if (status != TZ_OK)
        return status;
    for (unsigned u = 0; u < edge->uses; u++)
        *to->use++ = edge->use[u];
    const tz_node *node = edge->node;
    unsigned after = edge->before[edge->premises];
    part *part_end = to->part + edge->premises + (after > 0), *at = part_end;
    for (unsigned p = 0; p < edge->premises; node += edge->before[p++])
        *--at = (part){node, edge->premise[p], ranking->rank[p], edge->before[p]};
    if (after > 0)
        *--at = (part){node, NULL, 0, after};
    to->part = part_end;
    return TZ_OK;
}

/* Adds the best derivation of a list. */
static inline tz_status add_best(tz_kbest *k, writer *to, tz_ranked *list) {
    tz_status status = list->traced ? TZ_OK : trace(k, list);
    const tz_subtree *tree = &list->subtree;
    if (status == TZ_OK)
        status = need(k, to, tree->nodes, tree->uses, 0);
    if (status != TZ_OK)
        return status;
    memcpy(to->node, tree->node, tree->nodes * sizeof *tree->node);
    memcpy(to->use, tree->use, tree->uses * sizeof *tree->use);
    to->node += tree->nodes;
    to->use += tree->uses;
    return TZ_OK;
}

tz_status tz_ranked_write(tz_kbest *k, tz_ranked *list, uint32_t rank) {
    tz_written *w = &k->written;
    writer to = {.node = w->node.data, .use = w->unsorted.data, .part = k->parts.data};
    tz_status status = make_room(k, &to, 0, 0, 1);
    if (status == TZ_OK)
        *to.part++ = (part){NULL, list, rank, 0};
    while (status == TZ_OK && to.part > (part *)k->parts.data) {
        part top = *--to.part;
        status = need(k, &to, top.nodes, 0, 0);
        for (unsigned n = 0; n < top.nodes && status == TZ_OK; n++)
            *to.node++ = top.node[n];
        if (status != TZ_OK || top.list == NULL)
            continue;
        status = top.rank > 0 ? add_ranking(k, &to, top.list->best[top.rank])
                              : add_best(k, &to, top.list);
    }
    w->nodes = (size_t)(to.node - (tz_node *)w->node.data);
    w->uses = (size_t)(to.use - (tz_use *)w->unsorted.data);
    if (status == TZ_OK && w->uses > 0)
        status = tz_sort_uses(k->chart, k->lane, w->unsorted.data, w->uses, &k->sorting, &w->use);
    return status;
}
