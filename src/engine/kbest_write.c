/* kbest_write.c - a derivation's nodes and uses.
 *
 * It differs from the best derivation along a few paths from the goal; all that hangs off these are
 * best derivations of items. Such a run is traced once, together with the best derivations of the
 * items in it, and copied from then on. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/kbest.h"
#include "engine/trace.h"

/* A part still to do: the derivation of this rank. */
typedef struct part {
    tz_ranked *list;
    uint32_t rank;
} part;

/* tz_buffer_grow where there is room most of the time; sizes are constants. */
static inline tz_status grow(tz_buffer *buffer, size_t count, size_t size) {
    return count <= buffer->size / size ? TZ_OK : tz_buffer_grow(buffer, count, size);
}

/* ---- Runs -------------------------------------------------------------------------------------
 */

/* Takes the derivation of an item off the front of a run. */
static tz_subtree take_item(tz_subtree *from) {
    tz_subtree taken = *from;
    taken.nodes = from->span->nodes;
    taken.uses = from->span->uses;
    from->node += taken.nodes;
    from->span += taken.nodes;
    from->nodes -= taken.nodes;
    from->use += taken.uses;
    from->uses -= taken.uses;
    return taken;
}

/* How much each node takes with all below it, from the last one on. */
static void measure(const tz_rules *rules, const tz_node *node, size_t nodes, tz_span *span) {
    for (size_t i = nodes; i-- > 0;) {
        span[i] = (tz_span){1, rules->rule[node[i].rule].weights};
        for (unsigned p = 0; p < node[i].premises; p++) {
            tz_span below = span[i + span[i].nodes];
            span[i].nodes += below.nodes;
            span[i].uses += below.uses;
        }
    }
}

void tz_subtree_share(const tz_kbest *k, const tz_ranked *list, const tz_hyperedge *edge) {
    const tz_rules *rules = k->chart->plan->rules;
    tz_subtree rest = list->subtree;
    rest.node += edge->is_item;
    rest.span += edge->is_item;
    rest.nodes -= edge->is_item;
    rest.use += edge->uses;
    rest.uses -= edge->uses;
    for (unsigned p = 0; p < edge->premises; p++) {
        tz_ranked *premise = edge->premise[p];
        bool is_item = premise->kind < rules->items;
        if (!is_item && p + 1u < edge->premises)
            return; /* where it ends does not show */
        tz_subtree taken = is_item ? take_item(&rest) : rest;
        if (!premise->traced)
            premise->subtree = taken;
        premise->traced = true;
    }
}

/* Traces the best derivation of a list. */
static tz_status trace(tz_kbest *k, tz_ranked *list) {
    tz_traced traced = {&k->pending, &k->node, &k->use, 0, 0};
    tz_status status = tz_trace_item(k->chart, k->lane, list->kind, list->index, &traced);
    if (status != TZ_OK)
        return status;
    tz_node *node = tz_kbest_room(k, traced.nodes, sizeof *node);
    tz_span *span = tz_kbest_room(k, traced.nodes, sizeof *span);
    tz_use *use = tz_kbest_room(k, traced.uses, sizeof *use);
    if (traced.nodes > UINT32_MAX || traced.uses > UINT32_MAX)
        return TZ_TOO_LARGE;
    if (node == NULL || span == NULL || use == NULL)
        return TZ_NO_MEMORY;
    memcpy(node, k->node.data, traced.nodes * sizeof *node);
    memcpy(use, k->use.data, traced.uses * sizeof *use);
    measure(k->chart->plan->rules, node, traced.nodes, span);
    list->subtree = (tz_subtree){node, span, use, traced.nodes, traced.uses};
    list->traced = true;
    return TZ_OK;
}

/* ---- Derivations ------------------------------------------------------------------------------
 */

static tz_status make_room(tz_written *w, size_t nodes, size_t uses) {
    tz_status status = grow(&w->node, w->nodes + nodes + 1, sizeof(tz_node));
    return status != TZ_OK ? status : grow(&w->unsorted, w->uses + uses + 1, sizeof(tz_use));
}

static tz_status add_subtree(tz_written *w, const tz_subtree *tree) {
    tz_status status = make_room(w, tree->nodes, tree->uses);
    if (status != TZ_OK)
        return status;
    memcpy((tz_node *)w->node.data + w->nodes, tree->node, tree->nodes * sizeof *tree->node);
    memcpy((tz_use *)w->unsorted.data + w->uses, tree->use, tree->uses * sizeof *tree->use);
    w->nodes += tree->nodes;
    w->uses += tree->uses;
    return TZ_OK;
}

/* Adds an item without its premises, and puts these on the stack, the first on top. */
static tz_status add_item(tz_kbest *k, const tz_ranking *ranking, size_t *stack) {
    tz_written *w = &k->written;
    const tz_hyperedge *edge = ranking->edge;
    tz_status status = make_room(w, 1, edge->uses);
    if (status == TZ_OK)
        status = grow(&k->parts, *stack + edge->premises, sizeof(part));
    if (status != TZ_OK)
        return status;
    if (edge->is_item)
        ((tz_node *)w->node.data)[w->nodes++] = edge->node;
    for (unsigned u = 0; u < edge->uses; u++)
        ((tz_use *)w->unsorted.data)[w->uses++] = edge->use[u];
    for (unsigned p = edge->premises; p-- > 0;)
        ((part *)k->parts.data)[(*stack)++] = (part){edge->premise[p], ranking->rank[p]};
    return TZ_OK;
}

tz_status tz_ranked_write(tz_kbest *k, tz_ranked *list, uint32_t rank) {
    tz_written *w = &k->written;
    size_t stack = 1;
    tz_status status = grow(&k->parts, 1, sizeof(part));
    if (status == TZ_OK)
        *(part *)k->parts.data = (part){list, rank};
    w->nodes = w->uses = 0;
    while (status == TZ_OK && stack > 0) {
        part top = ((part *)k->parts.data)[--stack];
        if (top.rank > 0) {
            status = add_item(k, top.list->best[top.rank], &stack);
            continue;
        }
        if (!top.list->traced)
            status = trace(k, top.list);
        if (status == TZ_OK)
            status = add_subtree(w, &top.list->subtree);
    }
    if (status == TZ_OK && w->uses > 0)
        status = tz_sort_uses(k->chart, k->lane, w->unsorted.data, w->uses, &k->sorting, &w->use);
    return status;
}
