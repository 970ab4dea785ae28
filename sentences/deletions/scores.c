/* scores.c - see scores.h. SPDX-License-Identifier: MIT */
#include "sentences/deletions/scores.h"

#include <math.h>

enum { MOST_STATES = 1 + 2 * (1 << TZ_SISTERS) };

/* The entries of a weight. */
typedef struct entries {
    int32_t *index;
    double *score;
    size_t count;
} entries;

typedef struct scorer {
    const tz_deletions *model;
    const tz_outward *tree;
    entries weight[TZ_DELETE_WEIGHTS];
} scorer;

static const unsigned rank[TZ_DELETE_WEIGHTS] = {2, 3, 4, 4, 2, 2};

/* Nodes and words count from 0 here, from 1 in the rules. What the weight does not have of y, q, r
 * is not looked at. */
static void add(scorer *s, int weight, uint32_t x, uint32_t y, unsigned q, unsigned r,
                double score) {
    entries *e = &s->weight[weight];
    int32_t *to = e->index + rank[weight] * e->count;
    to[0] = (int32_t)x + 1;
    if (weight == TZ_DELETE_KEEP_LAST || weight == TZ_DELETE_DROP_LAST) {
        to[1] = (int32_t)q;
    } else {
        to[1] = (int32_t)y + 1;
        for (unsigned i = 2; i < rank[weight]; i++)
            to[i] = (int32_t)(i == 2 ? q : r);
    }
    e->score[e->count++] = score;
}

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
        tz_deletions_probability(s->model, s->tree, &(tz_decision){child, at.head_kept, at.flags},
                                 p);
        if (next == TZ_NO_NODE) {
            add(s, TZ_DELETE_KEEP_LAST, child, 0, q, 0, log(p[1]));
            if (at.any)
                add(s, TZ_DELETE_DROP_LAST, child, 0, q, 0, log(p[0]));
            continue;
        }
        for (int kept = 0; kept < 2; kept++) {
            unsigned r = step(sight, s->tree, child, at, kept);
            add(s, kept ? TZ_DELETE_KEEP : TZ_DELETE_DROP, child, next, q, r, log(p[kept]));
            reached |= 1u << r;
        }
    }
    return reached;
}

static bool new_entries(scorer *s, tz_arena *arena) {
    size_t nodes = s->tree->nodes, states = 1 + 2 * ((size_t)1 << s->model->sight.sisters);
    for (int w = 0; w < TZ_DELETE_WEIGHTS; w++) {
        size_t most = w <= TZ_DELETE_FIRST ? nodes : nodes * states;
        s->weight[w].index = tz_arena_array(arena, most * rank[w], sizeof *s->weight[w].index);
        s->weight[w].score = tz_arena_array(arena, most, sizeof *s->weight[w].score);
        if (!s->weight[w].index || !s->weight[w].score)
            return false;
    }
    return true;
}

tz_status tz_deletion_score(const tz_deletions *model, const tz_outward *tree, double bonus,
                            tz_arena *arena, tz_deletion_problem *ret) {
    scorer s = {.model = model, .tree = tree};
    *ret = (tz_deletion_problem){.lengths = {(int32_t)tree->words, (int32_t)tree->nodes,
                                             1 + (int32_t)(2u << model->sight.sisters)},
                                 .leaf_word =
                                     tz_arena_array(arena, tree->words, sizeof *ret->leaf_word)};
    if (!ret->leaf_word || !new_entries(&s, arena))
        return TZ_NO_MEMORY;
    for (uint32_t x = 0; x < tree->nodes; x++) {
        const tz_outward_node *node = &tree->node[x];
        if (node->first == TZ_NO_NODE) {
            ret->leaf_word[s.weight[TZ_DELETE_WORD].count] = node->begin;
            add(&s, TZ_DELETE_WORD, x, node->begin, 0, 0, bonus);
            continue;
        }
        add(&s, TZ_DELETE_FIRST, x, node->first, 0, 0, 0);
        uint32_t states = 1;
        for (uint32_t y = node->first; y != TZ_NO_NODE; y = tree->node[y].next)
            states = add_child(&s, y, states);
    }
    for (int w = 0; w < TZ_DELETE_WEIGHTS; w++)
        ret->scores[w] = tz_scores_sparse(s.weight[w].index, s.weight[w].score, s.weight[w].count);
    return TZ_OK;
}
