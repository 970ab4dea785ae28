/* order.c - which node each use belongs to, where tracing finds some uses of a node after those of
 * its premises (plan/late.h): the trace is gone through once more.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ask/trace/uses.h"

/* A kind still to do, and the node that it belongs to if it is a fold. */
typedef struct owned {
    uint32_t kind, owner;
} owned;

/* Writes each use's node, and how many uses the nodes have to first[node + 1]. */
static tz_status find_owners(const tz_plan *plan, const tz_traced *found, uint32_t *owner,
                             uint32_t *first) {
    const tz_rules *rules = plan->rules;
    const tz_node *node = found->node->data;
    size_t depth = 0, nodes = 0, uses = 0;
    tz_status status = tz_buffer_grow(found->pending, TZ_MAX_TERMS, sizeof(owned));
    if (status == TZ_OK)
        ((owned *)found->pending->data)[depth++] = (owned){node[0].item, 0};
    while (status == TZ_OK && depth > 0) {
        owned at = ((owned *)found->pending->data)[--depth];
        const bool is_item = at.kind < rules->items;
        if (is_item)
            at.owner = (uint32_t)nodes++;
        const tz_bound_step *step =
            &plan->trace[is_item ? plan->late[node[at.owner].rule] : rules->kind[at.kind].inside];
        status = tz_buffer_grow(found->pending, depth + step->terms, sizeof at);
        for (unsigned t = step->terms; t-- > 0 && status == TZ_OK;) {
            if (step->term[t].what != TZ_WEIGHT) {
                ((owned *)found->pending->data)[depth++] = (owned){step->term[t].which, at.owner};
                continue;
            }
            owner[uses++] = at.owner;
            first[at.owner + 1]++;
        }
    }
    return status;
}

tz_status tz_order_by_node(const tz_plan *plan, const tz_traced *found, tz_buffer *room,
                           uint32_t *number) {
    const size_t nodes = found->nodes, uses = found->uses;
    tz_status status = tz_buffer_grow(room, nodes + 1 + 2 * uses, sizeof *number);
    if (status != TZ_OK)
        return status;
    uint32_t *first = room->data, *owner = first + nodes + 1, *old = owner + uses;
    memset(first, 0, (nodes + 1) * sizeof *first);
    memcpy(old, number, uses * sizeof *old);
    status = find_owners(plan, found, owner, first);
    if (status != TZ_OK)
        return status;
    for (size_t n = 0; n < nodes; n++)
        first[n + 1] += first[n];
    for (size_t u = 0; u < uses; u++)
        number[first[owner[u]]++] = old[u];
    return TZ_OK;
}
