/* deletion_oracle.h - the grammar of deletions once more, as its formula stands, and charts of
 * `delete-tree`.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_DELETION_ORACLE_H
#define TZ_TESTS_SUPPORT_DELETION_ORACLE_H

#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sentences/deletions/decode.h"
#include "tests/support/random_tree.h"

/* ---- The formula, once more ------------------------------------------------------------------ */

enum { MOST_WORDS = 10, MASKS = 1 << MOST_WORDS, TRAINING = 8, SEEN = 24, DECISIONS = 4096 };

/* The variables of a decision, the one that is forgotten last first, and what was decided. */
typedef struct seen {
    char kind; /* H, L, R */
    int count;
    const char *variable[SEEN];
    int kept;
} seen;

typedef struct oracle {
    tz_sight sight;
    int decisions;
    seen decision[DECISIONS];
} oracle;

/* The children of the constituent that x comes down to, from the head outwards: left ones first. */
typedef struct family {
    uint32_t bottom, head, left[TREE_CHILDREN], right[TREE_CHILDREN];
    int lefts, rights;
} family;

static inline family children(const tz_tree *t, uint32_t x) {
    family f = {.bottom = x};
    while (t->node[f.bottom].first != TZ_NO_NODE &&
           t->node[t->node[f.bottom].first].next == TZ_NO_NODE)
        f.bottom = t->node[f.bottom].first;
    f.head = t->node[f.bottom].head;
    for (uint32_t c = t->node[f.bottom].first; c != TZ_NO_NODE; c = t->node[c].next) {
        if (t->node[c].end <= t->node[f.head].begin) {
            memmove(f.left + 1, f.left, (size_t)f.lefts++ * sizeof *f.left);
            f.left[0] = c;
        } else if (c != f.head) {
            f.right[f.rights++] = c;
        }
    }
    return f;
}

static inline int is_kept(const tz_tree *t, uint32_t x, unsigned mask) {
    return (mask >> t->node[x].begin & ((1u << (t->node[x].end - t->node[x].begin)) - 1)) != 0;
}

static inline void put(seen *d, const char *variable) {
    assert_true(d->count < SEEN);
    d->variable[d->count++] = variable;
}

static const char *flag(int kept) {
    return kept ? "1" : "0";
}

/* What the decision of child i of a side sees; -1: the head child. */
static inline seen look(const oracle *o, const tz_tree *t, const family *f, char kind, int i,
                        unsigned mask) {
    const uint32_t *side = kind == 'L' ? f->left : f->right;
    uint32_t child = kind == 'H' ? f->head : side[i];
    const tz_tree_node *m = &t->node[child], *h = &t->node[f->head];
    seen d = {.kind = kind, .kept = is_kept(t, child, mask)};
    put(&d, m->category);
    if (kind != 'H') {
        put(&d, h->category);
        put(&d, flag(is_kept(t, f->head, mask)));
        for (int s = 1; s <= (int)o->sight.sisters; s++) {
            put(&d, i >= s ? flag(is_kept(t, side[i - s], mask)) : "-");
            put(&d, i >= s ? t->node[side[i - s]].category : "-");
        }
    }
    uint32_t above = f->bottom;
    for (unsigned v = 0; v < o->sight.ancestors; v++) {
        put(&d, above == TZ_NO_NODE ? "-" : t->node[above].category);
        above = above == TZ_NO_NODE ? above : t->node[above].parent;
    }
    if (kind != 'H' && o->sight.modifier & TZ_SEE_TAG)
        put(&d, t->word[m->head_word].tag);
    if (o->sight.head & TZ_SEE_TAG)
        put(&d, t->word[h->head_word].tag);
    if (kind != 'H' && o->sight.modifier & TZ_SEE_WORD)
        put(&d, t->word[m->head_word].form);
    if (o->sight.head & TZ_SEE_WORD)
        put(&d, t->word[h->head_word].form);
    return d;
}

/* The logarithm of P(what was decided). */
static inline double log_estimate(const oracle *o, const seen *d) {
    double p = 0.5;
    bool alike[DECISIONS];
    for (int e = 0; e < o->decisions; e++)
        alike[e] = o->decision[e].kind == d->kind;
    for (int seen = 0; seen <= d->count; seen++) {
        double count[2] = {0, 0};
        for (int e = 0; e < o->decisions; e++) {
            const struct seen *other = &o->decision[e];
            if (seen > 0 && alike[e])
                alike[e] = strcmp(other->variable[seen - 1], d->variable[seen - 1]) == 0;
            if (alike[e])
                count[other->kept]++;
        }
        double outcomes = (count[0] > 0) + (count[1] > 0);
        if (outcomes > 0)
            p = (count[d->kept] + outcomes * p) / (count[0] + count[1] + outcomes);
    }
    return log(p);
}

/* Goes through the decisions below kept node x: their number, and to *opt_sum their logarithms. */
static inline void go(const oracle *o, const tz_tree *t, uint32_t x, unsigned mask, double *opt_sum,
                      oracle *opt_record) {
    family f = children(t, x);
    if (t->node[f.bottom].first == TZ_NO_NODE)
        return;
    for (int c = -f.lefts; c <= f.rights; c++) {
        seen d = c == 0  ? look(o, t, &f, 'H', -1, mask)
                 : c < 0 ? look(o, t, &f, 'L', -c - 1, mask)
                         : look(o, t, &f, 'R', c - 1, mask);
        if (opt_sum)
            *opt_sum += log_estimate(o, &d);
        if (opt_record) {
            assert_true(opt_record->decisions < DECISIONS);
            opt_record->decision[opt_record->decisions++] = d;
        }
        uint32_t child = c == 0 ? f.head : c < 0 ? f.left[-c - 1] : f.right[c - 1];
        if (d.kept)
            go(o, t, child, mask, opt_sum, opt_record);
    }
}

/* ---- A random model, in both ways ------------------------------------------------------------ */

static inline unsigned random_mask(random_state *random, unsigned words) {
    return 1 + (unsigned)random_below(random, (1u << words) - 1);
}

/* The rules of a tree of which these words are kept. */
static inline tz_status count_kept(tz_deletion_counts *counts, tz_arena *arena, const tz_tree *tree,
                                   const uint8_t *keep) {
    tz_outward outward;
    tz_extracted extracted;
    tz_status status = tz_outward_new(arena, tree, &outward);
    if (status == TZ_OK)
        status = tz_extract_kept(arena, tree, keep, &extracted);
    return status == TZ_OK ? tz_deletion_count(counts, arena, tree, &outward, &extracted) : status;
}

static inline void train(tz_arena *arena, random_state *random, const tz_sight *sight,
                         oracle *ret_oracle, tz_deletions **ret_model) {
    tz_deletion_counts counts = {.sight = *sight};
    *ret_oracle = (oracle){.sight = *sight};
    for (int i = 0; i < TRAINING; i++) {
        unsigned words = 1 + (unsigned)random_below(random, MOST_WORDS);
        tz_tree tree = random_tree(arena, random, words, 5);
        uint8_t keep[MOST_WORDS];
        unsigned mask = random_mask(random, words);
        for (unsigned w = 0; w < words; w++)
            keep[w] = mask >> w & 1;
        assert_ok(count_kept(&counts, arena, &tree, keep));
        go(ret_oracle, &tree, 0, mask, NULL, ret_oracle);
    }
    assert_int_equal(counts.decisions, ret_oracle->decisions);
    assert_ok(tz_deletions_new(&counts, TZ_TREES_BRACKETS, ret_model));
    tz_deletion_counts_free(&counts);
}

static inline unsigned mask_of(const uint8_t *keep, unsigned words) {
    unsigned mask = 0;
    for (unsigned w = 0; w < words && w < MOST_WORDS; w++)
        mask |= (unsigned)keep[w] << w;
    return mask;
}

static inline unsigned mask_of_uses(const tz_derivation *derivation) {
    unsigned mask = 0;
    for (size_t u = 0; u < derivation->uses; u++)
        if (derivation->use[u].weight == TZ_DELETE_WORD)
            mask |= 1u << (derivation->use[u].index[1] - 1);
    return mask;
}

/* ---- The rules ------------------------------------------------------------------------------- */

typedef struct run {
    tz_arena *arena;
    tz_rules *charged; /* or NULL */
    tz_plan *plan;
    tz_chart *chart;
    tz_deletion_problem built;
    int32_t lengths[4];
    tz_problem problem;
    tz_semiring *semiring;
} run;

/* charged: for kept words, all of them; else with these facts. */
static inline run *start_any(const tz_deletions *model, const tz_outward *tree,
                             const char *semiring, bool charged, const tz_fact *opt_fact,
                             size_t facts) {
    tz_arena *arena = tz_arena_new();
    run *r = need(tz_arena_array(arena, 1, sizeof *r));
    r->arena = arena;
    tz_error error = {TZ_OK, ""};
    const tz_rules *rules = tz_rules_find("delete-tree");
    assert_ok(tz_deletion_score(model, tree, 0, r->arena, &r->built));
    memcpy(r->lengths, r->built.lengths, sizeof r->built.lengths);
    r->lengths[3] = (int32_t)tree->words;
    r->problem = (tz_problem){.scores = r->built.scores, .facts = opt_fact, .fact_count = facts};
    if (charged)
        assert_ok(tz_rules_charge(rules, "kept", &r->charged, &error));
    assert_ok(tz_semiring_new(semiring, TZ_F64, &r->semiring, &error));
    assert_ok(tz_plan_new(charged ? r->charged : rules, r->semiring, 0, &r->plan, &error));
    r->chart = make_chart(r->plan);
    return r;
}

static inline void sum(run *r) {
    tz_error error = {TZ_OK, ""};
    r->problem.lengths = r->lengths;
    if (tz_bind(r->chart, &r->problem, 1, &error) != TZ_OK)
        fail_msg("%s", error.message);
    assert_ok(tz_inside(r->chart));
}

static inline run *start(const tz_deletions *model, const tz_outward *tree, const char *semiring,
                         const tz_fact *opt_fact, size_t facts) {
    run *r = start_any(model, tree, semiring, false, opt_fact, facts);
    sum(r);
    return r;
}

static inline void end(run *r) {
    tz_chart_free(r->chart);
    tz_plan_free(r->plan);
    tz_semiring_free(r->semiring);
    tz_rules_free(r->charged);
    tz_arena_free(r->arena);
}

/* The values by kept words: ret_value[words + 1]. */
static inline void by_kept(const tz_deletions *model, const tz_outward *tree, const char *semiring,
                           double *ret_value) {
    size_t item;
    unsigned rank;
    int32_t index[TZ_MAX_RANK];
    run *r = start_any(model, tree, semiring, true, NULL, 0);
    sum(r);
    assert_ok(tz_rules_goal(r->charged, r->lengths, &item, &rank, index));
    for (uint32_t m = 0; m <= tree->words; m++) {
        index[rank - 1] = (int32_t)m;
        assert_ok(tz_item_value(r->chart, 0, item, index, false, &ret_value[m]));
    }
    end(r);
}

#endif
