/* scores.c - see scores.h. SPDX-License-Identifier: MIT */
#include "sentences/deletions/scores.h"

#include <math.h>

enum { MOST_STATES = 1 + 2 * (1 << TZ_SISTERS) };

typedef struct scorer {
    const tz_deletions *model;
    const tz_outward *tree;
    tz_entries entries;
} scorer;

/* ---- States ---------------------------------------------------------------------------------- */

typedef struct state {
    bool any, head_kept;
    unsigned flags;
} state;

static unsigned encode(const tz_sight *sight, const state *at) {
    unsigned half = 1u << sight->sisters;
    return !at->any ? 0 : 1 + (at->head_kept ? half : 0) + at->flags;
}

static state decode(const tz_sight *sight, unsigned q) {
    unsigned half = 1u << sight->sisters;
    return q == 0 ? (state){0} : (state){true, q > half, (q - 1) & (half - 1)};
}

/* After this child is kept or not, where `next` is its next sister. */
static unsigned step(const tz_sight *sight, const tz_outward *tree, uint32_t child, state at,
                     bool kept) {
    const tz_outward_node *node = &tree->node[child], *next = &tree->node[node->next];
    at.any |= kept;
    if (node->side == TZ_SIDE_HEAD)
        at.head_kept = kept;
    else
        at.flags = (at.flags << 1 | kept) & ((1u << sight->sisters) - 1);
    if (next->inner == TZ_NO_NODE)
        at.flags = 0;
    return encode(sight, &at);
}

/* ---- Entries --------------------------------------------------------------------------------- */

/* A child in the states that are in the set; returns those that its next sister comes in. */
static uint32_t add_child(scorer *s, uint32_t child, uint32_t states) {
    const tz_sight *sight = &s->model->sight;
    uint32_t next = s->tree->node[child].next, reached = 0;
    for (unsigned q = 0; q < MOST_STATES; q++) {
        if (!(states >> q & 1))
            continue;
        state at = decode(sight, q);
        double p[2];
        tz_deletions_probability(
            s->model, s->tree,
            &(tz_decision){.node = child, .head_kept = at.head_kept, .flags = at.flags}, p);
        if (next == TZ_NO_NODE) {
            tz_entries_add(&s->entries, TZ_DELETE_KEEP_LAST, child, 0, q, 0, log(p[1]));
            if (at.any)
                tz_entries_add(&s->entries, TZ_DELETE_DROP_LAST, child, 0, q, 0, log(p[0]));
            continue;
        }
        for (int kept = 0; kept < 2; kept++) {
            unsigned r = step(sight, s->tree, child, at, kept);
            tz_entries_add(&s->entries, kept ? TZ_DELETE_KEEP : TZ_DELETE_DROP, child, next, q, r,
                           log(p[kept]));
            reached |= 1u << r;
        }
    }
    return reached;
}

tz_status tz_deletion_score(const tz_deletions *model, const tz_outward *tree, double bonus,
                            tz_arena *arena, tz_deletion_problem *ret) {
    scorer s = {.model = model, .tree = tree};
    const int32_t states = 1 + (int32_t)(2u << model->sight.sisters);
    size_t words = 0;
    *ret = (tz_deletion_problem){.lengths = {(int32_t)tree->words, (int32_t)tree->nodes, states},
                                 .leaf_word =
                                     tz_arena_array(arena, tree->words, sizeof *ret->leaf_word)};
    if (!ret->leaf_word || !tz_entries_new(arena, tree->nodes, (size_t)states, &s.entries))
        return TZ_NO_MEMORY;
    for (uint32_t x = 0; x < tree->nodes; x++) {
        const tz_outward_node *node = &tree->node[x];
        if (node->first == TZ_NO_NODE) {
            ret->leaf_word[words++] = node->begin;
            tz_entries_add(&s.entries, TZ_DELETE_WORD, x, node->begin, 0, 0,
                           bonus + tz_deletions_own(model, tree, x));
            continue;
        }
        tz_entries_add(&s.entries, TZ_DELETE_FIRST, x, node->first, 0, 0, 0);
        uint32_t reached = 1;
        for (uint32_t y = node->first; y != TZ_NO_NODE; y = tree->node[y].next)
            reached = add_child(&s, y, reached);
    }
    tz_entries_scores(&s.entries, ret->scores);
    return TZ_OK;
}
