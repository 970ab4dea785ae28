/* scores_flat.c - see scores.h. SPDX-License-Identifier: MIT */
#include <math.h>

#include "sentences/deletions/scores.h"

_Static_assert((int)TZ_FLAT_WEIGHTS <= (int)TZ_DELETE_WEIGHTS, "a problem has room for both");

/* A constituent with its head child, a sister and a modifier next to it: all that a decision sees
 * of any tree. */
enum { WHOLE, HEAD, SISTER, MODIFIER, NODES };

typedef struct scorer {
    const tz_deletions *model;
    const tz_outward_node *word; /* [n + 1], from 1: each as a leaf */
    size_t n;
    tz_outward_node node[NODES];
    tz_outward tree; /* of these */
} scorer;

static void set(scorer *s, int which, size_t word, uint32_t parent, tz_head_side side) {
    tz_outward_node *node = &s->node[which];
    *node = s->word[word];
    node->parent = parent;
    node->side = side;
    node->ancestor[0] = node->category;
    node->first = node->next = node->inner = TZ_NO_NODE;
}

static void score_head(scorer *s, size_t h, double *kept, double *dropped) {
    double p[2];
    set(s, WHOLE, h, TZ_NO_NODE, TZ_SIDE_HEAD);
    tz_deletions_probability(s->model, &s->tree, &(tz_decision){.node = WHOLE, .own = true}, p);
    *kept = log(p[1]);
    *dropped = log(p[0]);
}

/* Modifier m of h, next after sister t; t = h: there is none. keep[4], drop[4]: by u. */
static void score_modifier(scorer *s, size_t h, size_t t, size_t m, double *keep, double *drop) {
    tz_head_side side = m < h ? TZ_SIDE_LEFT : TZ_SIDE_RIGHT;
    set(s, WHOLE, h, TZ_NO_NODE, TZ_SIDE_HEAD);
    set(s, HEAD, h, WHOLE, TZ_SIDE_HEAD);
    set(s, SISTER, t, WHOLE, side);
    set(s, MODIFIER, m, WHOLE, side);
    s->node[WHOLE].first = HEAD;
    s->node[MODIFIER].inner = t == h ? TZ_NO_NODE : SISTER;
    for (unsigned u = 0; u < 4; u++) {
        double p[2];
        tz_decision decision = {.node = MODIFIER, .head_kept = u >> 1, .flags = u & 1};
        tz_deletions_probability(s->model, &s->tree, &decision, p);
        keep[u] = log(p[1]);
        drop[u] = log(p[0]);
    }
}

/* Sisters stand between the head and the modifier; what else the rules declare no tree uses. */
static void score_modifiers(scorer *s, double *keep, double *drop) {
    size_t n = s->n, width = n + 1;
    for (size_t h = 1; h <= n; h++) {
        for (size_t m = 1; m <= n; m++) {
            for (size_t t = h; t != m; t = m < h ? t - 1 : t + 1) {
                size_t at = ((h * width + t) * width + m) * 4;
                score_modifier(s, h, t, m, keep + at, drop + at);
            }
        }
    }
}

static const tz_outward_node *words_of(tz_arena *arena, const tz_outward *tree) {
    tz_outward_node *word = tz_arena_array(arena, (size_t)tree->words + 1, sizeof *word);
    for (uint32_t x = 0; x < tree->nodes && word; x++) {
        const tz_outward_node *leaf = &tree->node[x];
        if (leaf->first == TZ_NO_NODE) {
            word[leaf->begin + 1] = *leaf;
            word[leaf->begin + 1].category = leaf->tag;
        }
    }
    return word;
}

static tz_scores dense(const double *data, size_t extent, size_t rank) {
    tz_scores scores = {.data = data};
    ptrdiff_t stride = rank == 4 ? 4 : 1;
    for (size_t q = rank < 3 ? rank : 3; q-- > 0; stride *= (ptrdiff_t)extent) {
        scores.extent[q] = (int32_t)extent;
        scores.stride[q] = stride;
    }
    if (rank == 4) {
        scores.extent[3] = 4;
        scores.stride[3] = 1;
    }
    return scores;
}

tz_status tz_deletion_score_flat(const tz_deletions *model, const tz_outward *tree, double bonus,
                                 const tz_parses *parses, tz_arena *arena,
                                 tz_deletion_problem *ret) {
    size_t n = tree->words, width = n + 1, cells = width * width * width * 4;
    if (n > TZ_ALL_TREES_WORDS)
        return TZ_TOO_LARGE;
    double *head_kept = tz_arena_array(arena, width, sizeof *head_kept);
    double *head_dropped = tz_arena_array(arena, width, sizeof *head_dropped);
    double *keep = tz_arena_array(arena, cells, sizeof *keep);
    double *drop = tz_arena_array(arena, cells, sizeof *drop);
    scorer s = {.model = model, .word = words_of(arena, tree), .n = n};
    if (!head_kept || !head_dropped || !keep || !drop || !s.word)
        return TZ_NO_MEMORY;
    s.tree = (tz_outward){.words = NODES, .nodes = NODES, .node = s.node};
    for (size_t h = 1; h <= n; h++) {
        score_head(&s, h, &head_kept[h], &head_dropped[h]);
        head_kept[h] += bonus;
    }
    score_modifiers(&s, keep, drop);
    *ret = (tz_deletion_problem){.lengths = {(int32_t)n}};
    ret->scores[TZ_FLAT_ROOT] = dense(parses->root, width, 1);
    ret->scores[TZ_FLAT_SIB] = dense(parses->sib, width, 3);
    ret->scores[TZ_FLAT_HEAD_KEPT] = dense(head_kept, width, 1);
    ret->scores[TZ_FLAT_HEAD_DROPPED] = dense(head_dropped, width, 1);
    ret->scores[TZ_FLAT_KEEP] = dense(keep, width, 4);
    ret->scores[TZ_FLAT_DROP] = dense(drop, width, 4);
    return TZ_OK;
}
