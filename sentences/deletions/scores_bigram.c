/* scores_bigram.c - the entries of `delete-tree-bigram` for one tree. SPDX-License-Identifier: MIT
 *
 * Left modifiers come before the head child there, the farthest first. So a state is a guess of
 * whether the head child will be kept, which is checked at that child; whether anything is kept
 * yet; and the flags of the last s sisters, the nearest one lowest:
 *
 *   (2 head_kept + any) 2^s + flags
 *
 * The factor of left modifier L^j sees the s sisters towards the head, so it stands at the decision
 * of the last of these, L^(j-s), where all are known; at that of L^1 stand all that are left.
 */
#include <math.h>

#include "sentences/deletions/scores.h"

enum { MOST_STATES = 4 << TZ_SISTERS };

typedef struct state {
    bool head_kept, any;
    unsigned flags;
} state;

typedef struct scorer {
    const tz_deletions *model;
    const tz_outward *tree;
    const uint32_t *number; /* of each node, in the order of the sentence */
    tz_entries entries;
} scorer;

/* The children of a constituent, from left to right. */
typedef struct family {
    const uint32_t *child;
    size_t count, head; /* which of them is the head child */
} family;

static unsigned encode(const tz_sight *sight, const state *at) {
    return (2u * at->head_kept + at->any) << sight->sisters | at->flags;
}

static state decode(const tz_sight *sight, unsigned q) {
    unsigned s = sight->sisters;
    return (state){q >> s >> 1 & 1, q >> s & 1, q & ((1u << s) - 1)};
}

static double log_probability(const scorer *s, uint32_t node, const state *at, unsigned flags,
                              bool kept) {
    double p[2];
    tz_deletions_probability(
        s->model, s->tree, &(tz_decision){.node = node, .head_kept = at->head_kept, .flags = flags},
        p);
    return log(p[kept]);
}

/* The flags of L^(j-1), L^(j-2), ... as the decision of L^j sees them; those of L^i, L^(i+1), ...
 * are bits 0, 1, ... of `known`. */
static unsigned flags_below(unsigned known, size_t i, size_t j) {
    unsigned flags = 0;
    for (size_t b = i; b < j; b++)
        flags |= (known >> (b - i) & 1) << (j - 1 - b);
    return flags;
}

/* What stands at the decision of left modifier L^i of m; the flags of L^(i+1), ... are at->flags.
 */
static double left_factors(const scorer *s, const family *f, size_t i, const state *at, bool kept) {
    size_t sisters = s->model->sight.sisters, m = f->head;
    unsigned known = at->flags << 1 | kept;
    double sum = 0;
    for (size_t j = i == 1 ? 1 : i + sisters; j <= i + sisters && j <= m; j++)
        sum +=
            log_probability(s, f->child[m - j], at, flags_below(known, i, j), known >> (j - i) & 1);
    return sum;
}

/* Child c in a state: what its decision scores; -INFINITY: it is not what was guessed. */
static double factor(const scorer *s, const family *f, size_t c, const state *at, bool kept) {
    if (c < f->head)
        return left_factors(s, f, f->head - c, at, kept);
    if (c == f->head && kept != at->head_kept)
        return -INFINITY;
    return log_probability(s, f->child[c], at, at->flags, kept);
}

static unsigned step(const scorer *s, const family *f, size_t c, state at, bool kept) {
    const tz_sight *sight = &s->model->sight;
    at.any |= kept;
    at.flags = c == f->head ? 0 : (at.flags << 1 | kept) & ((1u << sight->sisters) - 1);
    return encode(sight, &at);
}

/* Child c in the states that are in the set; returns those that the next one comes in. */
static uint32_t add_child(scorer *s, const family *f, size_t c, uint32_t states) {
    uint32_t x = s->number[f->child[c]], reached = 0;
    for (unsigned q = 0; q < MOST_STATES; q++) {
        state at = decode(&s->model->sight, q);
        for (int kept = 0; kept < 2 && states >> q & 1; kept++) {
            double score = factor(s, f, c, &at, kept);
            if (score == -INFINITY)
                continue;
            if (c + 1 < f->count) {
                unsigned r = step(s, f, c, at, kept);
                tz_entries_add(&s->entries, kept ? TZ_DELETE_KEEP : TZ_DELETE_DROP, x,
                               s->number[f->child[c + 1]], q, r, score);
                reached |= 1u << r;
            } else if (kept || at.any) {
                tz_entries_add(&s->entries, kept ? TZ_DELETE_KEEP_LAST : TZ_DELETE_DROP_LAST, x, 0,
                               q, 0, score);
            }
        }
    }
    return reached;
}

static void add_children(scorer *s, uint32_t x, const family *f) {
    uint32_t states = 0;
    for (int kept = 0; kept < 2; kept++) {
        unsigned q = encode(&s->model->sight, &(state){kept, false, 0});
        tz_entries_add(&s->entries, TZ_DELETE_FIRST, s->number[x], s->number[f->child[0]], q, 0, 0);
        states |= 1u << q;
    }
    for (size_t c = 0; c < f->count; c++)
        states = add_child(s, f, c, states);
}

/* From left to right into child[]. */
static family sort_children(const tz_outward *tree, uint32_t x, uint32_t *child) {
    family f = {.child = child};
    for (uint32_t y = tree->node[x].first; y != TZ_NO_NODE; y = tree->node[y].next) {
        f.count++;
        f.head += tree->node[y].side == TZ_SIDE_LEFT;
    }
    size_t left = f.head, right = f.head;
    for (uint32_t y = tree->node[x].first; y != TZ_NO_NODE; y = tree->node[y].next)
        if (tree->node[y].side == TZ_SIDE_LEFT)
            child[--left] = y;
        else
            child[right++] = y;
    return f;
}

/* Numbers nodes before their children, and those from left to right. stack, child: [nodes] */
static void number_nodes(const tz_outward *tree, uint32_t *number, uint32_t *stack,
                         uint32_t *child) {
    uint32_t count = 0;
    size_t top = 0;
    stack[top++] = 0;
    while (top > 0) {
        uint32_t x = stack[--top];
        number[x] = count++;
        family f = sort_children(tree, x, child);
        for (size_t c = f.count; c > 0; c--)
            stack[top++] = child[c - 1];
    }
}

tz_status tz_deletion_score_bigrams(const tz_deletions *model, const tz_outward *tree, double bonus,
                                    const double *bigram, tz_arena *arena,
                                    tz_deletion_problem *ret) {
    const int32_t states = (int32_t)(4u << model->sight.sisters), width = (int32_t)tree->words + 2;
    uint32_t *number = tz_arena_array(arena, tree->nodes, sizeof *number);
    uint32_t *stack = tz_arena_array(arena, tree->nodes, sizeof *stack);
    uint32_t *child = tz_arena_array(arena, tree->nodes, sizeof *child);
    scorer s = {.model = model, .tree = tree, .number = number};
    size_t words = 0;
    *ret = (tz_deletion_problem){.lengths = {(int32_t)tree->words, (int32_t)tree->nodes, states},
                                 .leaf_word =
                                     tz_arena_array(arena, tree->words, sizeof *ret->leaf_word)};
    if (!number || !stack || !child || !ret->leaf_word ||
        !tz_entries_new(arena, tree->nodes, (size_t)states, &s.entries))
        return TZ_NO_MEMORY;
    number_nodes(tree, number, stack, child);
    for (uint32_t x = 0; x < tree->nodes; x++) {
        if (tree->node[x].first == TZ_NO_NODE) {
            ret->leaf_word[words++] = tree->node[x].begin;
            tz_entries_add(&s.entries, TZ_DELETE_WORD, number[x], tree->node[x].begin, 0, 0,
                           bonus + tz_deletions_own(model, tree, x));
        } else {
            family f = sort_children(tree, x, child);
            add_children(&s, x, &f);
        }
    }
    tz_entries_scores(&s.entries, ret->scores);
    ret->scores[TZ_DELETE_BIGRAM] =
        (tz_scores){.data = bigram, .extent = {width, width}, .stride = {width, 1}};
    return TZ_OK;
}
