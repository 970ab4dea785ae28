/* outward.c - see outward.h. SPDX-License-Identifier: MIT */
#include "sentences/deletions/outward.h"

#include <string.h>

#include "sentences/features/sentence/words.h"
#include "sentences/features/tables/hash.h"

/* A node of the tree that is to be numbered, under this node of the result. */
typedef struct pending {
    uint32_t node, parent;
    tz_head_side side;
} pending;

typedef struct walk {
    const tz_tree *from;
    tz_outward *to;
    uint32_t *last; /* [to]: the child numbered last */
    pending *stack; /* [from->nodes] */
    size_t count;
} walk;

static uint64_t text_value(const char *text) {
    return tz_hash_text(text, strlen(text));
}

static uint32_t single_child(const tz_tree *tree, uint32_t node) {
    uint32_t child = tree->node[node].first;
    return child != TZ_NO_NODE && tree->node[child].next == TZ_NO_NODE ? child : TZ_NO_NODE;
}

/* Appends node x of the tree, with the chain of single children below it, and returns the bottom
 * of that. */
static uint32_t append(walk *w, const pending *p) {
    const tz_tree *tree = w->from;
    uint32_t bottom = p->node, number = w->to->nodes++;
    tz_outward_node *node = &w->to->node[number];
    const tz_tree_word *head = &tree->word[tree->node[p->node].head_word];
    w->to->number[bottom] = number;
    for (uint32_t child; (child = single_child(tree, bottom)) != TZ_NO_NODE; bottom = child)
        w->to->number[child] = number;
    *node = (tz_outward_node){.category = text_value(tree->node[p->node].category),
                              .tag = text_value(head->tag),
                              .word = tz_form_value(head->form),
                              .begin = tree->node[p->node].begin,
                              .end = tree->node[p->node].end,
                              .parent = p->parent,
                              .first = TZ_NO_NODE,
                              .next = TZ_NO_NODE,
                              .inner = TZ_NO_NODE,
                              .side = p->side};
    uint32_t above = bottom;
    for (int a = 0; a < TZ_ANCESTORS && above != TZ_NO_NODE; a++) {
        node->ancestor[a] = text_value(tree->node[above].category);
        above = tree->node[above].parent;
    }
    if (p->parent != TZ_NO_NODE) {
        uint32_t before = w->last[p->parent];
        if (before == TZ_NO_NODE)
            w->to->node[p->parent].first = number;
        else
            w->to->node[before].next = number;
        if (before != TZ_NO_NODE && w->to->node[before].side == p->side)
            node->inner = before;
        w->last[p->parent] = number;
    }
    w->last[number] = TZ_NO_NODE;
    return bottom;
}

static void push(walk *w, uint32_t node, uint32_t parent, tz_head_side side) {
    w->stack[w->count++] = (pending){node, parent, side};
}

/* Puts the children of a node on the stack, the head child on top. */
static void push_children(walk *w, uint32_t node, uint32_t parent) {
    const tz_tree_node *of = w->from->node;
    size_t bottom = w->count;
    uint32_t head = of[node].head, child;
    for (child = of[head].next; child != TZ_NO_NODE; child = of[child].next)
        push(w, child, parent, TZ_SIDE_RIGHT);
    for (size_t a = bottom, b = w->count; a + 1 < b; a++, b--) {
        pending swapped = w->stack[a];
        w->stack[a] = w->stack[b - 1];
        w->stack[b - 1] = swapped;
    }
    for (child = of[node].first; child != head; child = of[child].next)
        push(w, child, parent, TZ_SIDE_LEFT);
    push(w, head, parent, TZ_SIDE_HEAD);
}

tz_status tz_outward_new(tz_arena *arena, const tz_tree *tree, tz_outward *ret) {
    if (tree->words == 0 || tree->nodes == 0)
        return TZ_BAD_ARGUMENT;
    *ret = (tz_outward){.words = tree->words};
    ret->node = tz_arena_array(arena, tree->nodes, sizeof *ret->node);
    ret->number = tz_arena_array(arena, tree->nodes, sizeof *ret->number);
    walk w = {.from = tree,
              .to = ret,
              .last = tz_arena_array(arena, tree->nodes, sizeof *w.last),
              .stack = tz_arena_array(arena, tree->nodes, sizeof *w.stack)};
    if (!ret->node || !ret->number || !w.last || !w.stack)
        return TZ_NO_MEMORY;
    push(&w, 0, TZ_NO_NODE, TZ_SIDE_HEAD);
    while (w.count > 0) {
        pending p = w.stack[--w.count];
        uint32_t number = ret->nodes, bottom = append(&w, &p);
        if (tree->node[bottom].first != TZ_NO_NODE)
            push_children(&w, bottom, number);
    }
    return TZ_OK;
}
