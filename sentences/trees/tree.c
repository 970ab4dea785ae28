/* tree.c - see tree.h. SPDX-License-Identifier: MIT */
#include "sentences/trees/tree.h"

#include <string.h>

uint32_t tz_tree_behind(const tz_tree *tree, uint32_t x) {
    while (x != TZ_NO_NODE && tree->node[x].next == TZ_NO_NODE)
        x = tree->node[x].parent;
    return x == TZ_NO_NODE ? tree->nodes : tree->node[x].next;
}

bool tz_tree_same(const tz_tree *a, const tz_tree *b) {
    if (a->words != b->words || a->nodes != b->nodes)
        return false;
    for (uint32_t w = 0; w < a->words; w++)
        if (strcmp(a->word[w].form, b->word[w].form) != 0 ||
            strcmp(a->word[w].tag, b->word[w].tag) != 0)
            return false;
    for (uint32_t x = 0; x < a->nodes; x++) {
        const tz_tree_node *p = &a->node[x], *q = &b->node[x];
        if (strcmp(p->category, q->category) != 0 || p->begin != q->begin || p->end != q->end ||
            p->parent != q->parent || p->head != q->head)
            return false;
    }
    return true;
}

/* ---- Making one ------------------------------------------------------------------------------ */

/* Goes down to the first child where there is one, else to the next node that is not below. */
static uint32_t number(const tz_draft_node *draft, uint32_t root, uint32_t *source, uint32_t *place,
                       tz_tree_node *node) {
    uint32_t count = 0, parent = TZ_NO_NODE, at = root;
    for (;;) {
        uint32_t x = count++;
        source[x] = at;
        place[at] = x;
        node[x] = (tz_tree_node){.category = draft[at].category,
                                 .parent = parent,
                                 .first = draft[at].first == TZ_NO_NODE ? TZ_NO_NODE : x + 1,
                                 .next = TZ_NO_NODE,
                                 .head = TZ_NO_NODE};
        if (draft[at].first != TZ_NO_NODE) {
            parent = x;
            at = draft[at].first;
            continue;
        }
        while (x != 0 && draft[source[x]].next == TZ_NO_NODE)
            x = node[x].parent;
        if (x == 0)
            return count;
        node[x].next = count;
        parent = node[x].parent;
        at = draft[source[x]].next;
    }
}

tz_status tz_tree_number(tz_arena *arena, const tz_draft_node *draft, uint32_t nodes, uint32_t root,
                         tz_tree_word *word, tz_tree *ret_tree) {
    uint32_t *source = tz_arena_array(arena, nodes, sizeof *source);
    uint32_t *place = tz_arena_array(arena, nodes, sizeof *place);
    tz_tree tree = {.word = word, .node = tz_arena_array(arena, nodes, sizeof *tree.node)};
    if (!source || !place || !tree.node)
        return TZ_NO_MEMORY;
    tree.nodes = number(draft, root, source, place, tree.node);
    for (uint32_t x = 0; x < tree.nodes; x++) {
        tz_tree_node *node = &tree.node[x];
        uint32_t head = draft[source[x]].head;
        node->head = head == TZ_NO_NODE ? TZ_NO_NODE : place[head];
        node->begin = tree.words;
        if (tz_tree_leaf(node)) {
            node->head_word = tree.words++;
            node->end = tree.words;
        }
    }
    for (uint32_t x = tree.nodes - 1; x > 0; x--) {
        tz_tree_node *parent = &tree.node[tree.node[x].parent];
        if (parent->end < tree.node[x].end)
            parent->end = tree.node[x].end;
    }
    tz_tree_head_words(&tree);
    *ret_tree = tree;
    return TZ_OK;
}

void tz_tree_head_words(tz_tree *tree) {
    for (uint32_t x = tree->nodes; x-- > 0;) {
        tz_tree_node *node = &tree->node[x];
        if (node->head != TZ_NO_NODE)
            node->head_word = tree->node[node->head].head_word;
    }
}
