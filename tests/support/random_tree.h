/* random_tree.h - trees of constituents for tests: written out, or at random.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_RANDOM_TREE_H
#define TZ_TESTS_SUPPORT_RANDOM_TREE_H

#include "tests/support/random.h"
#include "tests/support/test.h"

#include <string.h>

#include "sentences/trees/tree.h"

enum { TREE_NODES = 4096, TREE_CHILDREN = 8 };

/* A tree that grows, its nodes before their children, sisters from left to right. */
typedef struct growing {
    tz_arena *arena;
    tz_tree tree;
    random_state *random;
} growing;

static inline uint32_t grow_node(growing *g, const char *category) {
    assert_true(g->tree.nodes < TREE_NODES);
    g->tree.node[g->tree.nodes] = (tz_tree_node){.category = category,
                                                 .begin = g->tree.words,
                                                 .parent = TZ_NO_NODE,
                                                 .first = TZ_NO_NODE,
                                                 .next = TZ_NO_NODE,
                                                 .head = TZ_NO_NODE};
    return g->tree.nodes++;
}

static inline void grow_leaf(growing *g, const char *category, const char *form, const char *tag) {
    uint32_t x = grow_node(g, category);
    g->tree.node[x].head_word = g->tree.words;
    g->tree.word[g->tree.words++] = (tz_tree_word){form, tag};
    g->tree.node[x].end = g->tree.words;
}

/* Node `child` is the next child of x. */
static inline void grow_link(growing *g, uint32_t x, uint32_t last, uint32_t child) {
    g->tree.node[child].parent = x;
    if (last == TZ_NO_NODE)
        g->tree.node[x].first = child;
    else
        g->tree.node[last].next = child;
}

static inline void grow_end(growing *g, uint32_t x, uint32_t head) {
    g->tree.node[x].end = g->tree.words;
    g->tree.node[x].head = head;
    g->tree.node[x].head_word = g->tree.node[head].head_word;
}

static inline growing grow_start(tz_arena *arena, random_state *opt_random) {
    growing g = {.arena = arena, .random = opt_random};
    g.tree.node = tz_arena_array(arena, TREE_NODES, sizeof *g.tree.node);
    g.tree.word = tz_arena_array(arena, TREE_NODES, sizeof *g.tree.word);
    assert_true(g.tree.node && g.tree.word);
    return g;
}

/* ---- Written out ----------------------------------------------------------------------------- */

/* (S (NP *dogs/NNS) *(VP *bark/VBP)): the head child is the one with a star. */
static inline bool read_node(growing *g, const char **at) {
    bool head = **at == '*';
    *at += head;
    if (**at != '(') {
        size_t form = strcspn(*at, "/"), tag = strcspn(*at + form + 1, " )");
        const char *name = tz_arena_text(g->arena, *at + form + 1, tag);
        grow_leaf(g, name, tz_arena_text(g->arena, *at, form), name);
        *at += form + 1 + tag;
        return head;
    }
    size_t size = strcspn(++*at, " ");
    uint32_t x = grow_node(g, tz_arena_text(g->arena, *at, size)), last = TZ_NO_NODE, chosen = 0;
    for (*at += size; **at == ' ';) {
        uint32_t child = g->tree.nodes;
        ++*at;
        if (read_node(g, at))
            chosen = child;
        grow_link(g, x, last, child);
        last = child;
    }
    ++*at;
    grow_end(g, x, chosen);
    return head;
}

static inline tz_tree read_tree(tz_arena *arena, const char *text) {
    growing g = grow_start(arena, NULL);
    read_node(&g, &text);
    return g.tree;
}

/* ---- At random ------------------------------------------------------------------------------- */

static inline const char *random_name(growing *g, char first, unsigned kinds) {
    char name[] = {first, (char)('a' + random_below(g->random, kinds)), 0};
    return tz_arena_text(g->arena, name, 2);
}

static inline void random_node(growing *g, unsigned words, unsigned depth) {
    if (words == 1 && (depth == 0 || random_below(g->random, 3) > 0)) {
        const char *form = random_name(g, 'w', 5), *tag = random_name(g, 'T', 3);
        grow_leaf(g, random_below(g->random, 2) ? tag : random_name(g, 'C', 3), form, tag);
        return;
    }
    uint32_t x = grow_node(g, random_name(g, 'C', 3)), last = TZ_NO_NODE;
    uint32_t child[TREE_CHILDREN], children = 0;
    unsigned most = words < TREE_CHILDREN ? words : TREE_CHILDREN;
    unsigned parts = depth == 0 ? 1 : 1 + (unsigned)random_below(g->random, most);
    if (depth <= 1 && words > 1) /* flat, where it must end */
        parts = most;
    for (unsigned p = 0; p < parts; p++) {
        unsigned left = parts - p - 1;
        unsigned size = left == 0 ? words : 1 + (unsigned)random_below(g->random, words - left);
        child[children] = g->tree.nodes;
        random_node(g, size, depth > 0 ? depth - 1 : 0);
        grow_link(g, x, last, child[children]);
        last = child[children++];
        words -= size;
    }
    grow_end(g, x, child[random_below(g->random, children)]);
}

/* With unary chains, up to 8 children, about `depth` deep. */
static inline tz_tree random_tree(tz_arena *arena, random_state *random, unsigned words,
                                  unsigned depth) {
    growing g = grow_start(arena, random);
    random_node(&g, words, depth);
    return g.tree;
}

#endif
