/* extract.c - see extract.h. SPDX-License-Identifier: MIT */
#include "sentences/trees/extract.h"

#include <string.h>

static bool make(tz_arena *arena, const tz_tree *source, tz_extracted *ret) {
    *ret = (tz_extracted){.rule = tz_arena_array(arena, source->nodes, 1),
                          .kept = tz_arena_array(arena, source->nodes, 1)};
    return ret->rule && ret->kept;
}

/* A constituent with one child decides nothing. */
static void add_rule(const tz_tree *source, uint32_t x, tz_extracted *extracted) {
    uint32_t first = source->node[x].first;
    if (first != TZ_NO_NODE && source->node[first].next != TZ_NO_NODE && !extracted->rule[x]) {
        extracted->rule[x] = 1;
        extracted->rules++;
    }
}

tz_status tz_extract_kept(tz_arena *arena, const tz_tree *source, const uint8_t *keep,
                          tz_extracted *ret_extracted) {
    if (!make(arena, source, ret_extracted))
        return TZ_NO_MEMORY;
    uint8_t *kept = ret_extracted->kept;
    for (uint32_t x = source->nodes; x-- > 0;) {
        const tz_tree_node *node = &source->node[x];
        if (tz_tree_leaf(node))
            kept[x] = keep[node->begin] != 0;
        if (kept[x] && x > 0)
            kept[node->parent] = 1;
    }
    for (uint32_t x = 0; x < source->nodes; x++)
        if (kept[x])
            add_rule(source, x, ret_extracted);
    return TZ_OK;
}

/* ---- From aligned trees ---------------------------------------------------------------------- */

typedef struct pair {
    const tz_tree *source, *target;
    const tz_mapping *mapping;
    const uint32_t *words; /* [w]: words before w of the source that have a partner */
} pair;

static uint32_t words_of(const pair *p, uint32_t x) {
    return p->words[p->source->node[x].end] - p->words[p->source->node[x].begin];
}

/* May everything between x and z, a partner of a child of x's, be left out? */
static bool adjoined(const pair *p, uint32_t x, uint32_t z) {
    const tz_tree_node *node = p->source->node;
    for (uint32_t s = node[z].parent; s != x; s = node[s].parent)
        if (strcmp(node[s].category, node[z].category) != 0 ||
            p->mapping->target[s] != TZ_NO_NODE || words_of(p, s) != words_of(p, z))
            return false;
    return true;
}

static bool is_rule(const pair *p, uint32_t x, uint32_t y) {
    if (strcmp(p->source->node[x].category, p->target->node[y].category) != 0)
        return false;
    for (uint32_t c = p->target->node[y].first; c != TZ_NO_NODE; c = p->target->node[c].next)
        if (p->mapping->source[c] == TZ_NO_NODE || !adjoined(p, x, p->mapping->source[c]))
            return false;
    return true;
}

static void add(const pair *p, uint32_t x, uint32_t y, tz_extracted *extracted) {
    const tz_tree_node *node = p->source->node;
    add_rule(p->source, x, extracted);
    for (uint32_t c = p->target->node[y].first; c != TZ_NO_NODE; c = p->target->node[c].next) {
        for (uint32_t s = p->mapping->source[c]; s != x; s = node[s].parent) {
            extracted->kept[s] = 1;
            add_rule(p->source, node[s].parent, extracted);
        }
    }
}

tz_status tz_extract_aligned(tz_arena *arena, const tz_tree *source, const tz_tree *target,
                             const tz_mapping *mapping, tz_extracted *ret_extracted) {
    uint32_t *words = tz_arena_array(arena, (size_t)source->words + 1, sizeof *words);
    if (!words || !make(arena, source, ret_extracted))
        return TZ_NO_MEMORY;
    for (uint32_t x = 0; x < source->nodes; x++)
        if (tz_tree_leaf(&source->node[x]))
            words[source->node[x].end] = mapping->target[x] != TZ_NO_NODE;
    for (uint32_t w = 0; w < source->words; w++)
        words[w + 1] += words[w];
    const pair p = {source, target, mapping, words};
    for (uint32_t x = 0; x < source->nodes; x++) {
        uint32_t y = mapping->target[x];
        if (y != TZ_NO_NODE && !tz_tree_leaf(&source->node[x]) && is_rule(&p, x, y))
            add(&p, x, y, ret_extracted);
    }
    return TZ_OK;
}
