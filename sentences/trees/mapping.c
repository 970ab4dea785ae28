/* mapping.c - see mapping.h.
 *
 * A leaf and its word are one node here: every word of the target has a partner, and where words
 * are paired, pairing their leaves as well costs less than not to. Nodes are numbered in postorder
 * from 1, so that nodes left..i are the subtree of i. The time depends on how large the subtrees
 * are that do not begin where their parents do, so trees that branch to the right are read from
 * right to left; the cost is the same. SPDX-License-Identifier: MIT */
#include "sentences/trees/mapping.h"

#include <stdlib.h>
#include <string.h>

#include "sentences/features/sentence/words.h"

enum { MOST_CELLS = 1 << 24 }; /* of a table over two trees or sentences */

static uint64_t lower_case(const char *form) {
    tz_word word;
    tz_word_read(form, &word);
    return word.lower;
}

/* ---- Trees in postorder ---------------------------------------------------------------------- */

typedef struct post_node {
    const char *category;
    uint64_t word;  /* of a leaf, in lower case */
    uint32_t place; /* of a leaf: its word */
    uint32_t number, left;
    bool leaf, key; /* key: no parent begins with it */
} post_node;

typedef struct post_tree {
    uint32_t nodes;
    uint32_t *below; /* [nodes]: how many nodes are below one, by its number in the tree */
    post_node *node; /* [1..nodes] */
} post_tree;

/* No parent begins with it, from the left or from the right. */
static bool is_key(const tz_tree *tree, uint32_t x, bool mirrored) {
    const tz_tree_node *node = &tree->node[x];
    return x == 0 || (mirrored ? node->next != TZ_NO_NODE : tree->node[node->parent].first != x);
}

/* The nodes of all subtrees of key nodes. */
static double work(const tz_tree *tree, const post_tree *post, bool mirrored) {
    double nodes = 0;
    for (uint32_t x = 0; x < tree->nodes; x++)
        if (is_key(tree, x, mirrored))
            nodes += post->below[x] + 1.0;
    return nodes;
}

static bool measure(tz_arena *arena, const tz_tree *tree, post_tree *ret) {
    *ret = (post_tree){tree->nodes, tz_arena_array(arena, tree->nodes, sizeof *ret->below),
                       tz_arena_array(arena, (size_t)tree->nodes + 1, sizeof *ret->node)};
    if (!ret->below || !ret->node)
        return false;
    for (uint32_t x = tree->nodes; x-- > 1;)
        ret->below[tree->node[x].parent] += ret->below[x] + 1;
    return true;
}

/* Mirrored: with children from right to left, which is preorder from the end. */
static bool number(tz_arena *arena, const tz_tree *tree, bool mirrored, post_tree *post) {
    uint32_t *depth = tz_arena_array(arena, tree->nodes, sizeof *depth);
    if (!depth)
        return false;
    for (uint32_t x = 0; x < tree->nodes; x++) {
        const tz_tree_node *node = &tree->node[x];
        depth[x] = x > 0 ? depth[node->parent] + 1 : 0;
        uint32_t i = mirrored ? tree->nodes - x : x - depth[x] + post->below[x] + 1;
        post->node[i] = (post_node){.category = node->category,
                                    .place = node->begin,
                                    .number = x,
                                    .left = i - post->below[x],
                                    .leaf = tz_tree_leaf(node),
                                    .key = is_key(tree, x, mirrored)};
        if (post->node[i].leaf)
            post->node[i].word = lower_case(tree->word[node->begin].form);
    }
    return true;
}

/* ---- Costs ----------------------------------------------------------------------------------- */

/* All that is compared, in one number: what it costs, then different words, then places. */
typedef int64_t cost;
#define NEVER (INT64_C(1) << 60)

typedef struct tables {
    post_tree source, target;
    cost change, differ; /* one change; one pair of different words besides */
    size_t width;        /* of rows */
    cost *tree;          /* [i * width + j]: subtree i to subtree j */
    cost *forest;        /* [a * width + b]: of the subtrees being done, nodes ..a to nodes ..b */
} tables;

static cost least(cost a, cost b) {
    return a < b ? a : b;
}

static cost deletion(const tables *t, uint32_t a) {
    return t->source.node[a].leaf ? 2 * t->change : t->change;
}

static cost insertion(const tables *t, uint32_t b) {
    return t->target.node[b].leaf ? NEVER : t->change;
}

static cost pairing(const tables *t, uint32_t a, uint32_t b) {
    const post_node *x = &t->source.node[a], *y = &t->target.node[b];
    if (x->leaf != y->leaf)
        return NEVER;
    cost sum = strcmp(x->category, y->category) != 0 ? t->change : 0;
    if (x->leaf)
        sum += (x->word != y->word ? t->change + t->differ : 0) + x->place;
    return sum;
}

/* Fills `forest` for subtrees i and j, and `tree` for all that begin where these do. */
static void fill(tables *t, uint32_t i, uint32_t j) {
    uint32_t from = t->source.node[i].left - 1, onto = t->target.node[j].left - 1;
    cost *row = t->forest + from * t->width;
    row[onto] = 0;
    for (uint32_t b = onto + 1; b <= j; b++)
        row[b] = least(row[b - 1] + insertion(t, b), NEVER);
    for (uint32_t a = from + 1; a <= i; a++) {
        const cost *before = t->forest + (a - 1) * t->width;
        const cost *outside = t->forest + (t->source.node[a].left - 1) * t->width;
        const bool first = t->source.node[a].left == from + 1;
        const cost removed = deletion(t, a);
        row = t->forest + a * t->width;
        row[onto] = before[onto] + removed;
        for (uint32_t b = onto + 1; b <= j; b++) {
            cost best = least(before[b] + removed, row[b - 1] + insertion(t, b));
            cost *subtrees = &t->tree[a * t->width + b];
            uint32_t left = t->target.node[b].left;
            if (first && left == onto + 1)
                best = *subtrees = least(least(best, before[b - 1] + pairing(t, a, b)), NEVER);
            else
                best = least(least(best, outside[left - 1] + *subtrees), NEVER);
            row[b] = best;
        }
    }
}

/* Two subtrees whose roots are paired, or nodes ..a and ..b below them. */
typedef struct couple {
    uint32_t a, b;
} couple;

/* The best mapping of subtrees again, from right to left; what it says of subtrees that do not
 * begin where these do is left for later. */
static size_t follow(tables *t, couple top, couple *later, tz_mapping *mapping) {
    size_t count = 0;
    uint32_t a = top.a, b = top.b;
    uint32_t from = t->source.node[a].left - 1, onto = t->target.node[b].left - 1;
    fill(t, a, b);
    while (a > from || b > onto) {
        const cost *row = t->forest + a * t->width;
        const post_node *x = &t->source.node[a], *y = &t->target.node[b];
        if (a > from && row[b] == t->forest[(a - 1) * t->width + b] + deletion(t, a)) {
            a--;
        } else if (b > onto && row[b] == row[b - 1] + insertion(t, b)) {
            b--;
        } else if (x->left == from + 1 && y->left == onto + 1) {
            mapping->target[x->number] = y->number;
            mapping->source[y->number] = x->number;
            mapping->differ += x->leaf && x->word != y->word;
            a--;
            b--;
        } else {
            later[count++] = (couple){a, b};
            a = x->left - 1;
            b = y->left - 1;
        }
    }
    return count;
}

/* ---- Trees ----------------------------------------------------------------------------------- */

/* The units of cost; false: they do not fit. */
static bool units(tables *t, const tz_tree *source, const tz_tree *target) {
    cost words = target->words, nodes = 2 * ((cost)source->nodes + target->nodes), most;
    t->differ = (cost)source->words * words + 1;
    return !__builtin_mul_overflow(t->differ, words + 1, &t->change) &&
           !__builtin_mul_overflow(t->change, nodes, &most) && most < NEVER;
}

static tz_status compute(tz_arena *arena, tables *t, tz_mapping *mapping) {
    couple *open = tz_arena_array(arena, t->width, sizeof *open);
    if (!open)
        return TZ_NO_MEMORY;
    for (uint32_t i = 1; i <= t->source.nodes; i++)
        for (uint32_t j = 1; j <= t->target.nodes && t->source.node[i].key; j++)
            if (t->target.node[j].key)
                fill(t, i, j);
    cost total = t->tree[t->source.nodes * t->width + t->target.nodes];
    mapping->cost = (uint32_t)(total / t->change);
    size_t count = 1;
    open[0] = (couple){t->source.nodes, t->target.nodes};
    /* Subtrees that wait are disjoint in the target. */
    while (count > 0) {
        count--;
        count += follow(t, open[count], open + count, mapping);
    }
    return TZ_OK;
}

tz_status tz_tree_map(tz_arena *arena, const tz_tree *source, const tz_tree *target,
                      tz_mapping *ret_mapping) {
    tables t = {.width = (size_t)target->nodes + 1};
    if (target->words > source->words)
        return TZ_NONE;
    if (source->nodes >= MOST_CELLS / t.width || !units(&t, source, target))
        return TZ_TOO_LARGE;
    size_t cells = ((size_t)source->nodes + 1) * t.width;
    tz_mapping mapping = {.target = tz_arena_array(arena, source->nodes, sizeof(uint32_t)),
                          .source = tz_arena_array(arena, target->nodes, sizeof(uint32_t))};
    if (!mapping.target || !mapping.source || !measure(arena, source, &t.source) ||
        !measure(arena, target, &t.target))
        return TZ_NO_MEMORY;
    bool mirrored = work(source, &t.source, true) * work(target, &t.target, true) <
                    work(source, &t.source, false) * work(target, &t.target, false);
    if (!number(arena, source, mirrored, &t.source) || !number(arena, target, mirrored, &t.target))
        return TZ_NO_MEMORY;
    memset(mapping.target, -1, source->nodes * sizeof *mapping.target);
    memset(mapping.source, -1, target->nodes * sizeof *mapping.source);
    t.tree = malloc(cells * sizeof *t.tree);
    t.forest = malloc(cells * sizeof *t.forest);
    tz_status status = t.tree && t.forest ? compute(arena, &t, &mapping) : TZ_NO_MEMORY;
    free(t.tree);
    free(t.forest);
    if (status == TZ_OK)
        *ret_mapping = mapping;
    return status;
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* fewest[j * width + i]: for the target's words ..j and the source's words ..i. */
static void count_substitutions(const uint64_t *source, size_t n, const uint64_t *target, size_t m,
                                uint32_t *fewest) {
    size_t width = n + 1;
    memset(fewest, 0, width * sizeof *fewest);
    for (size_t j = 1; j <= m; j++) {
        const uint32_t *before = fewest + (j - 1) * width;
        uint32_t *row = fewest + j * width;
        for (size_t i = j; i <= n; i++) {
            uint32_t paired = before[i - 1] + (source[i - 1] != target[j - 1]);
            row[i] = i > j && row[i - 1] <= paired ? row[i - 1] : paired;
        }
    }
}

tz_status tz_fewest_substitutions(const char *const *source, size_t sources,
                                  const char *const *target, size_t targets, uint32_t *ret_source,
                                  uint32_t *ret_count) {
    if (targets > sources)
        return TZ_NONE;
    if (sources >= MOST_CELLS / (targets + 1))
        return TZ_TOO_LARGE;
    size_t width = sources + 1;
    uint64_t *word = malloc((sources + targets + 1) * sizeof *word);
    uint32_t *fewest = malloc(width * (targets + 1) * sizeof *fewest);
    tz_status status = word && fewest ? TZ_OK : TZ_NO_MEMORY;
    if (status == TZ_OK) {
        for (size_t i = 0; i < sources; i++)
            word[i] = lower_case(source[i]);
        for (size_t j = 0; j < targets; j++)
            word[sources + j] = lower_case(target[j]);
        count_substitutions(word, sources, word + sources, targets, fewest);
        *ret_count = fewest[targets * width + sources];
        for (size_t j = targets, i = sources; j > 0; j--, i--) {
            while (i > j && fewest[j * width + i - 1] == fewest[j * width + i])
                i--;
            ret_source[j - 1] = (uint32_t)i - 1;
        }
    }
    free(word);
    free(fewest);
    return status;
}
