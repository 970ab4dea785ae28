/* test_tree_mapping.c - is the mapping between two trees the best one, and what is extracted from
 * it right? Against all mappings one by one, against the rule sets `tree-edit` and `edit`, and by
 * hand.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sentences/trees/extract.h"
#include "tests/support/amount.h"
#include "tests/support/oom.h"
#include "tests/support/random.h"
#include "tests/support/read_trees.h"

/* ---- Trees at random ------------------------------------------------------------------------- */

/* Appends a tree of exactly so many nodes. */
static void draw(random_state *random, tz_text *text, uint64_t nodes) {
    static const char *const categories[] = {"A", "B"}, *const words[] = {"a", "A", "b", "c"};
    tz_text_put(text, "(");
    tz_text_put(text, categories[random_below(random, 2)]);
    tz_text_put(text, " ");
    if (nodes == 1)
        tz_text_put(text, words[random_below(random, 4)]);
    for (uint64_t left = nodes - 1; left > 0;) {
        uint64_t child = 1 + random_below(random, left);
        draw(random, text, child);
        left -= child;
    }
    tz_text_put(text, ")");
}

/* Two trees of 1..most nodes, the second of no more words than the first. */
static void draw_pair(random_state *random, uint64_t most, trees *ret) {
    for (;;) {
        OWNED(tz_text, text) = {0};
        draw(random, &text, 1 + random_below(random, most));
        draw(random, &text, 1 + random_below(random, most));
        *ret = trees_in(text.data, text.size);
        if (ret->tree[1].words <= ret->tree[0].words)
            return;
        trees_free(ret);
    }
}

/* ---- Words as nodes of their own ------------------------------------------------------------- */

enum { MOST = 16 }; /* nodes with words */
enum { WORD, LEAF, CONSTITUENT };

/* In postorder from 1. */
typedef struct spread {
    int nodes, kind[MOST + 1], left[MOST + 1];
    const char *label[MOST + 1];
    uint32_t number[MOST + 1], place[MOST + 1]; /* in the tree; of the word */
} spread;

static int add(spread *s, int kind, const char *label, uint32_t number, uint32_t place, int left) {
    int i = ++s->nodes;
    assert_in_range(i, 1, MOST);
    s->kind[i] = kind;
    s->label[i] = label;
    s->number[i] = number;
    s->place[i] = place;
    s->left[i] = left;
    return i;
}

static void spread_below(const tz_tree *tree, uint32_t x, spread *s) {
    const tz_tree_node *node = &tree->node[x];
    int left = s->nodes + 1;
    if (tz_tree_leaf(node))
        add(s, WORD, tree->word[node->begin].form, x, node->begin, left);
    for (uint32_t c = node->first; c != TZ_NO_NODE; c = tree->node[c].next)
        spread_below(tree, c, s);
    add(s, tz_tree_leaf(node) ? LEAF : CONSTITUENT, node->category, x, node->begin, left);
}

static bool same_label(const spread *s, int i, const spread *t, int j) {
    return s->kind[i] == WORD ? (s->label[i][0] | 32) == (t->label[j][0] | 32)
                              : strcmp(s->label[i], t->label[j]) == 0;
}

/* ---- All mappings ---------------------------------------------------------------------------- */

typedef struct search {
    spread s, t;
    int partner[MOST + 1]; /* of s in t, 0 none */
    int best[3];           /* cost, different words, places */
} search;

/* Two pairs keep order and ancestry. i < k, both in postorder. */
static bool agree(const search *e, int i, int k) {
    int j = e->partner[i], l = e->partner[k];
    if (j == 0 || l == 0)
        return true;
    bool below = i >= e->s.left[k];
    return j < l && below == (j >= e->t.left[l]);
}

static void judge(search *e) {
    int value[3] = {e->t.nodes, 0, 0}, words = 0;
    for (int i = 1; i <= e->s.nodes; i++) {
        int j = e->partner[i];
        bool same = j > 0 && same_label(&e->s, i, &e->t, j);
        value[0] += j == 0 ? 1 : same ? -1 : 0;
        if (j > 0 && e->s.kind[i] == WORD) {
            value[1] += !same;
            value[2] += (int)e->s.place[i];
            words++;
        }
    }
    for (int j = 1; j <= e->t.nodes; j++)
        words -= e->t.kind[j] == WORD;
    for (int v = 0; v < 3 && words == 0; v++) {
        if (value[v] != e->best[v]) {
            if (value[v] < e->best[v])
                memcpy(e->best, value, sizeof value);
            return;
        }
    }
}

static void enumerate(search *e, int i) {
    if (i > e->s.nodes) {
        judge(e);
        return;
    }
    for (int j = 0; j <= e->t.nodes; j++) {
        bool fine = j == 0 || e->t.kind[j] == e->s.kind[i];
        e->partner[i] = j;
        for (int k = 1; k < i && fine; k++)
            fine = agree(e, k, i);
        if (fine)
            enumerate(e, i + 1);
    }
}

/* What a mapping comes to; it must be one. */
static void check_mapping(search *e, const tz_mapping *mapping) {
    for (int i = 1; i <= e->s.nodes; i++) {
        e->partner[i] = 0;
        uint32_t target = mapping->target[e->s.number[i]];
        for (int j = 1; j <= e->t.nodes && target != TZ_NO_NODE; j++)
            if (e->t.number[j] == target && e->t.kind[j] == e->s.kind[i])
                e->partner[i] = j;
        if (target != TZ_NO_NODE) {
            assert_int_not_equal(e->partner[i], 0);
            assert_int_equal(mapping->source[target], e->s.number[i]);
        }
        for (int k = 1; k < i; k++)
            assert_true(agree(e, k, i));
    }
    e->best[0] = e->best[1] = e->best[2] = 1000;
    judge(e);
    assert_int_equal(e->best[0], mapping->cost);
    assert_int_equal(e->best[1], mapping->differ);
}

TEST(enumeration) {
    random_state random = random_start("tree_mapping enumeration");
    for (int i = 0; i < AMOUNT(400, 60); i++) {
        OWNED(trees, pair) = {0};
        tz_mapping mapping;
        draw_pair(&random, 6, &pair);
        assert_ok(tz_tree_map(pair.arena, &pair.tree[0], &pair.tree[1], &mapping));
        search e = {0};
        spread_below(&pair.tree[0], 0, &e.s);
        spread_below(&pair.tree[1], 0, &e.t);
        check_mapping(&e, &mapping);
        int found[3];
        memcpy(found, e.best, sizeof found);
        e.best[0] = 1000;
        enumerate(&e, 1);
        assert_memory_equal(found, e.best, sizeof found);
    }
}

/* ---- Rule sets ------------------------------------------------------------------------------- */

/* The best score of a problem under max. */
static double solve(const char *rules_name, const int32_t *lengths, const tz_scores *scores) {
    const tz_rules *rules = tz_rules_find(rules_name);
    double value;
    assert_non_null(rules);
    OWN(tz_plan, plan) = make_plan(rules, tz_semiring_find("max", TZ_F64), 0);
    OWN(tz_chart, chart) = make_chart(plan);
    const tz_problem problem = {.lengths = lengths, .scores = scores};
    run_inside(chart, &problem, 1);
    value = goal_of(chart, 0);
    return value;
}

static tz_scores subtrees(const spread *s, int32_t *index, const double *zeros) {
    for (int i = 1; i <= s->nodes; i++) {
        index[2 * i - 2] = s->left[i] - 1;
        index[2 * i - 1] = i;
    }
    return tz_scores_sparse(index, zeros, (size_t)s->nodes);
}

static double by_rules(const spread *s, const spread *t) {
    int32_t lengths[] = {s->nodes, t->nodes}, index[2][2 * MOST];
    double zeros[MOST] = {0}, sub[(MOST + 1) * (MOST + 1)], del[MOST + 1], ins[MOST + 1];
    tz_shape shape[5];
    const tz_rules *rules = tz_rules_find("tree-edit");
    assert_non_null(rules);
    for (size_t w = 0; w < 5; w++)
        shape[w] = shape_of(rules, w, lengths);
    for (int i = 0; i <= s->nodes; i++) {
        for (int j = 0; j <= t->nodes; j++) {
            bool may = i > 0 && j > 0 && s->kind[i] == t->kind[j];
            sub[i * (t->nodes + 1) + j] = !may ? -INFINITY : same_label(s, i, t, j) ? 0 : -1;
        }
        del[i] = -1;
    }
    for (int j = 0; j <= t->nodes; j++)
        ins[j] = t->kind[j] == WORD ? -INFINITY : -1;
    const tz_scores scores[] = {subtrees(s, index[0], zeros), subtrees(t, index[1], zeros),
                                tz_scores_dense(&shape[2], sub), tz_scores_dense(&shape[3], del),
                                tz_scores_dense(&shape[4], ins)};
    return solve("tree-edit", lengths, scores);
}

TEST(tree_edit) {
    random_state random = random_start("tree_mapping tree-edit");
    for (int i = 0; i < AMOUNT(200, 20); i++) {
        OWNED(trees, pair) = {0};
        tz_mapping mapping;
        spread s = {0}, t = {0};
        draw_pair(&random, 8, &pair);
        assert_ok(tz_tree_map(pair.arena, &pair.tree[0], &pair.tree[1], &mapping));
        spread_below(&pair.tree[0], 0, &s);
        spread_below(&pair.tree[1], 0, &t);
        double value = by_rules(&s, &t);
        assert_true(value == -(double)mapping.cost);
    }
}

/* ---- Substitutions --------------------------------------------------------------------------- */

enum { LONG = 10 };

static double by_edit(const char *const *source, int n, const char *const *target, int m) {
    const int32_t lengths[] = {n, m};
    double sub[(LONG + 1) * (LONG + 1)], del[(LONG + 1) * (LONG + 1)], ins[(LONG + 1) * (LONG + 1)];
    tz_shape shape[3];
    for (size_t w = 0; w < 3; w++)
        shape[w] = shape_of(tz_rules_find("edit"), w, lengths);
    for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= m; j++) {
            int at = i * (m + 1) + j;
            bool may = i > 0 && j > 0;
            sub[at] = may && (source[i - 1][0] | 32) == (target[j - 1][0] | 32) ? 0 : -1;
            del[at] = 0;
            ins[at] = -INFINITY;
        }
    }
    const tz_scores scores[] = {tz_scores_dense(&shape[0], sub), tz_scores_dense(&shape[1], del),
                                tz_scores_dense(&shape[2], ins)};
    return solve("edit", lengths, scores);
}

TEST(substitutions) {
    static const char *const words[] = {"a", "A", "b", "c", "d"};
    random_state random = random_start("substitutions");
    for (int i = 0; i < 2000; i++) {
        const char *source[LONG], *target[LONG];
        int n = (int)random_below(&random, LONG + 1), m = (int)random_below(&random, LONG + 1);
        for (int w = 0; w < LONG; w++) {
            source[w] = words[random_below(&random, 5)];
            target[w] = words[random_below(&random, 5)];
        }
        uint32_t at[LONG], count = 0, different = 0;
        tz_status status =
            tz_fewest_substitutions(source, (size_t)n, target, (size_t)m, at, &count);
        double value = by_edit(source, n, target, m);
        assert_int_equal(status, m > n ? TZ_NONE : TZ_OK);
        assert_true(value == (m > n ? -INFINITY : -(double)count));
        for (int j = 0; j < m && m <= n; j++) {
            different += (source[at[j]][0] | 32) != (target[j][0] | 32);
            assert_true(at[j] < (uint32_t)n && (j == 0 || at[j] > at[j - 1]));
        }
        if (m <= n)
            assert_int_equal(different, count);
    }
    /* The leftmost of equal ones. */
    static const char *const twice[] = {"x", "a", "b", "a", "B", "y"}, *const once[] = {"A", "b"};
    uint32_t at[2], count;
    assert_ok(tz_fewest_substitutions(twice, 6, once, 2, at, &count));
    assert_int_equal(count, 0);
    assert_int_equal(at[0], 1);
    assert_int_equal(at[1], 2);
}

/* ---- Extraction ------------------------------------------------------------------------------ */

/* "S:101 NP:01": the constituents that are rules, with their children's flags. */
static const char *rules_text(const tz_tree *tree, const tz_extracted *extracted, tz_text *text) {
    size_t rules = 0;
    tz_text_clear(text);
    for (uint32_t x = 0; x < tree->nodes; x++) {
        if (!extracted->rule[x])
            continue;
        tz_text_put(text, rules++ > 0 ? " " : "");
        tz_text_put(text, tree->node[x].category);
        tz_text_put(text, ":");
        for (uint32_t c = tree->node[x].first; c != TZ_NO_NODE; c = tree->node[c].next)
            tz_text_put(text, extracted->kept[c] ? "1" : "0");
    }
    assert_int_equal(rules, extracted->rules);
    tz_text_add(text, "", 1);
    return text->data;
}

TEST(aligned) {
    static const struct {
        const char *source, *target, *rules;
    } cases[] = {
        /* the rule of the introduction */
        {"(S (NP a) (ADVP b) (VP c))", "(S (NP a) (VP c))", "S:101"},
        /* an auxiliary tree, of which one VP is the foot */
        {"(S (NP a) (VP (VP (X b) (X c)) (CC d) (VP (X e) (X f))))", "(S (NP a) (VP (X e) (X f)))",
         "S:11 VP:001 VP:11"},
        /* two, one in the other; T_c has VP -> VP for none of them */
        {"(S (NP a) (VP (VP (ADVP g) (VP (X e) (X f))) (PP h)))", "(S (NP a) (VP (X e) (X f)))",
         "S:11 VP:10 VP:01 VP:11"},
        /* what stands between has another category: no rule at S, but at VP */
        {"(S (NP a) (Q (VP (X e) (X f)) (PP h)))", "(S (NP a) (VP (X e) (X f)))", "VP:11"},
        /* not all else between is deleted */
        {"(S (VP (VP (X e) (X f)) (NP h)))", "(S (VP (X e) (X f)) (NP h))", "VP:11"},
        /* a child of the target that has no partner */
        {"(S (NP a) (VP b))", "(S (NP (NP a)) (VP b))", ""},
        {"(S (NP a) (VP b))", "(S (X (NP a) (VP b)))", ""},
        /* another category */
        {"(S (NP a) (VP b))", "(T (NP a) (VP b))", ""},
        /* a word substituted */
        {"(S (NP a) (VP b) (X c))", "(S (NP a) (VP d))", "S:110"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tz_mapping mapping;
        tz_extracted extracted;
        OWNED(tz_text, text) = {0};
        char both[256];
        snprintf(both, sizeof both, "%s %s", cases[i].source, cases[i].target);
        OWNED(trees, pair) = trees_in(both, strlen(both));
        assert_ok(tz_tree_map(pair.arena, &pair.tree[0], &pair.tree[1], &mapping));
        assert_ok(
            tz_extract_aligned(pair.arena, &pair.tree[0], &pair.tree[1], &mapping, &extracted));
        rules_text(&pair.tree[0], &extracted, &text);
        if (strcmp(text.data, cases[i].rules) != 0)
            fail_msg("%s %s: %s, not %s", cases[i].source, cases[i].target, text.data,
                     cases[i].rules);
    }
}

/* Appends what is below x without what was dropped; words are named by their places. */
static void prune(const tz_tree *tree, uint32_t x, const uint8_t *kept, tz_text *text) {
    const tz_tree_node *node = &tree->node[x];
    char word[16];
    if (!kept[x])
        return;
    snprintf(word, sizeof word, "w%u", node->begin);
    tz_text_put(text, "(");
    tz_text_put(text, node->category);
    tz_text_put(text, " ");
    tz_text_put(text, tz_tree_leaf(node) ? word : "");
    for (uint32_t c = node->first; c != TZ_NO_NODE; c = tree->node[c].next)
        prune(tree, c, kept, text);
    tz_text_put(text, ")");
}

/* Where the compressed tree is the pruned one, both extractions are the same. */
TEST(pruned) {
    random_state random = random_start("pruned trees");
    for (int i = 0; i < 1000; i++) {
        OWNED(trees, drawn) = {0}, pair = {0};
        OWNED(tz_text, text) = {0};
        draw(&random, &text, 1 + random_below(&random, 20));
        drawn = trees_in(text.data, text.size);
        const tz_tree *tree = &drawn.tree[0];
        uint8_t keep[32] = {0}, all[64];
        memset(all, 1, sizeof all);
        for (uint32_t w = 0; w < tree->words; w++)
            keep[w] = random_below(&random, 2);
        keep[random_below(&random, tree->words)] = 1;
        tz_extracted kept, aligned;
        tz_mapping mapping;
        assert_ok(tz_extract_kept(drawn.arena, tree, keep, &kept));
        tz_text_clear(&text);
        prune(tree, 0, all, &text);
        prune(tree, 0, kept.kept, &text);
        pair = trees_in(text.data, text.size);
        assert_ok(tz_tree_map(pair.arena, &pair.tree[0], &pair.tree[1], &mapping));
        assert_int_equal(mapping.differ, 0);
        assert_ok(tz_extract_aligned(pair.arena, &pair.tree[0], &pair.tree[1], &mapping, &aligned));
        assert_int_equal(kept.rules, aligned.rules);
        assert_memory_equal(kept.rule, aligned.rule, tree->nodes);
        for (uint32_t x = 1; x < tree->nodes; x++)
            if (kept.rule[tree->node[x].parent])
                assert_int_equal(kept.kept[x], aligned.kept[x]);
    }
}

/* ---- Limits and memory ----------------------------------------------------------------------- */

TEST(limits) {
    tz_mapping mapping;
    static const char longer[] = "(S (A a)) (S (A a) (A b))";
    trees pair = trees_in(longer, sizeof longer - 1);
    assert_int_equal(tz_tree_map(pair.arena, &pair.tree[0], &pair.tree[1], &mapping), TZ_NONE);
    trees_free(&pair);
    /* Chains of 20,000 brackets: more pairs than fit. */
    OWNED(tz_text, text) = {0};
    for (int t = 0; t < 2; t++) {
        for (int i = 0; i < 20000; i++)
            tz_text_put(&text, "(a ");
        tz_text_put(&text, "x");
        for (int i = 0; i < 20000; i++)
            tz_text_put(&text, ")");
    }
    pair = trees_in(text.data, text.size);
    assert_int_equal(tz_tree_map(pair.arena, &pair.tree[0], &pair.tree[1], &mapping), TZ_TOO_LARGE);
    trees_free(&pair);
}

static int attempt(void *user) {
    const trees *pair = user;
    OWN(tz_arena, arena) = tz_arena_new();
    tz_mapping mapping;
    tz_extracted extracted;
    const char *const words[] = {"a", "b"};
    uint32_t at[2], count;
    tz_status status =
        arena ? tz_tree_map(arena, &pair->tree[0], &pair->tree[1], &mapping) : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = tz_extract_aligned(arena, &pair->tree[0], &pair->tree[1], &mapping, &extracted);
    if (status == TZ_OK)
        status = tz_extract_kept(arena, &pair->tree[0], (const uint8_t *)"\1\0\1", &extracted);
    if (status == TZ_OK)
        status = tz_fewest_substitutions(words, 2, words, 2, at, &count);
    return (int)status;
}

TEST(memory) {
    static const char text[] = "(S (A a) (B b) (C c)) (S (A a) (C c))";
    OWNED(trees, pair) = trees_in(text, sizeof text - 1);
    oom_sweep("mapping", attempt, &pair, TZ_NO_MEMORY, false);
}
