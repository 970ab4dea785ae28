/* contexts.c - see contexts.h. SPDX-License-Identifier: MIT */
#include "sentences/deletions/contexts.h"

#include "sentences/features/tables/hash.h"

enum { NO_FLAG = 2 };           /* of a sister beyond the head */
static const uint64_t none = 0; /* its category; and that of an ancestor above the root */

/* Grows from the context that has seen nothing. */
typedef struct chain {
    uint64_t *context;
    size_t count;
} chain;

static void see(chain *c, uint64_t value) {
    c->context[c->count] = tz_hash(c->context[c->count - 1], value);
    c->count++;
}

static void see_ancestors(chain *c, const tz_sight *sight, const tz_outward_node *parent) {
    for (unsigned a = 0; a < sight->ancestors; a++)
        see(c, parent->ancestor[a]);
}

static void see_sisters(chain *c, const tz_sight *sight, const tz_outward *tree,
                        const tz_decision *d) {
    uint32_t sister = tree->node[d->node].inner;
    for (unsigned j = 0; j < sight->sisters; j++) {
        bool there = sister != TZ_NO_NODE;
        see(c, there ? d->flags >> j & 1 : NO_FLAG);
        see(c, there ? tree->node[sister].category : none);
        sister = there ? tree->node[sister].inner : sister;
    }
}

size_t tz_chain(const tz_sight *sight, const tz_outward *tree, const tz_decision *d,
                uint64_t ret_context[TZ_CHAIN]) {
    const tz_outward_node *child = &tree->node[d->node];
    const tz_outward_node *parent = d->own ? child : &tree->node[child->parent];
    const tz_outward_node *head = d->own ? child : &tree->node[parent->first];
    tz_head_side side = d->own ? TZ_SIDE_HEAD : child->side;
    chain c = {ret_context, 1};
    ret_context[0] = tz_hash(0x64656c657465u, (uint64_t)side);
    if (side == TZ_SIDE_HEAD) {
        see(&c, head->category);
        see_ancestors(&c, sight, parent);
        if (sight->head & TZ_SEE_TAG)
            see(&c, head->tag);
        if (sight->head & TZ_SEE_WORD)
            see(&c, head->word);
        return c.count;
    }
    see(&c, child->category);
    see(&c, head->category);
    see(&c, d->head_kept);
    see_sisters(&c, sight, tree, d);
    see_ancestors(&c, sight, parent);
    if (sight->modifier & TZ_SEE_TAG)
        see(&c, child->tag);
    if (sight->head & TZ_SEE_TAG)
        see(&c, head->tag);
    if (sight->modifier & TZ_SEE_WORD)
        see(&c, child->word);
    if (sight->head & TZ_SEE_WORD)
        see(&c, head->word);
    return c.count;
}
