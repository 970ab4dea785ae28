/* test_deletions_flat.c - is `delete-flat`, which sums over all projective trees, the sum over
 * these trees of `delete-tree`? With random scores of trees; and with scores that leave one.
 *
 * Trees are flat, their categories are tags, and the word of a leaf decides like any head whether
 * it is kept.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "sentences/deletions/scores.h"
#include "tests/support/random_tree.h"

enum { ROOT, SIB, HEAD_KEPT, HEAD_DROPPED, KEEP, DROP, WEIGHTS };
enum { LONG = 8, WIDE = LONG + 1, PAIRS = 12 };

static const tz_sight sight = {1, 1, 7, 7};

/* Words from 1; head[w]: 0 is the root. */
typedef struct sample {
    int words;
    tz_tree_word word[WIDE];
    int head[WIDE];
} sample;

/* ---- Flat trees ------------------------------------------------------------------------------ */

static uint32_t add_node(tz_tree *tree, const sample *s, int word, uint32_t parent) {
    uint32_t x = tree->nodes++;
    tree->node[x] = (tz_tree_node){.category = s->word[word].tag,
                                   .parent = parent,
                                   .first = TZ_NO_NODE,
                                   .next = TZ_NO_NODE,
                                   .head = TZ_NO_NODE,
                                   .begin = (uint32_t)word - 1,
                                   .end = (uint32_t)word,
                                   .head_word = (uint32_t)word - 1};
    return x;
}

/* Word h with its dependents, from left to right, its own leaf among them. */
static uint32_t add_constituent(tz_tree *tree, const sample *s, int h, uint32_t parent) {
    uint32_t x = add_node(tree, s, h, parent), last = TZ_NO_NODE;
    int dependents = 0;
    for (int w = 1; w <= s->words; w++)
        dependents += s->head[w] == h;
    for (int w = 1; w <= s->words && dependents > 0; w++) {
        if (w != h && s->head[w] != h)
            continue;
        uint32_t child = w == h ? add_node(tree, s, w, x) : add_constituent(tree, s, w, x);
        if (w == h)
            tree->node[x].head = child;
        if (last == TZ_NO_NODE)
            tree->node[x].first = child;
        else
            tree->node[last].next = child;
        last = child;
        if (tree->node[child].begin < tree->node[x].begin)
            tree->node[x].begin = tree->node[child].begin;
        if (tree->node[child].end > tree->node[x].end)
            tree->node[x].end = tree->node[child].end;
    }
    return x;
}

static tz_tree flat(tz_arena *arena, const sample *s) {
    tz_tree tree = {.words = (uint32_t)s->words,
                    .word = tz_arena_array(arena, WIDE, sizeof *tree.word),
                    .node = tz_arena_array(arena, 2 * WIDE, sizeof *tree.node)};
    assert_true(tree.word && tree.node);
    for (int w = 1; w <= s->words; w++)
        tree.word[w - 1] = s->word[w];
    for (int w = 1; w <= s->words; w++)
        if (s->head[w] == 0)
            add_constituent(&tree, s, w, TZ_NO_NODE);
    return tree;
}

/* Does word w stand below h, or is it h? Heads make no cycle. */
static bool below(const sample *s, int w, int h) {
    while (w > 0 && w != h)
        w = s->head[w];
    return w == h;
}

/* Is it a projective tree with one root word? */
static bool projective(const sample *s) {
    int roots = 0;
    for (int m = 1; m <= s->words; m++) {
        int above = m, steps = 0;
        roots += s->head[m] == 0;
        while (above > 0 && steps++ <= s->words)
            above = s->head[above];
        if (above > 0)
            return false;
    }
    for (int m = 1; m <= s->words; m++) {
        int h = s->head[m];
        for (int w = (h < m ? h : m) + 1; h > 0 && w < (h < m ? m : h); w++)
            if (!below(s, w, h))
                return false;
    }
    return roots == 1;
}

/* ---- Decisions by words alone ---------------------------------------------------------------- */

/* A constituent of head h with a sister s (0: none) and a modifier m (0: none), as tz_outward has
 * it. */
static tz_outward decision_tree(const tz_outward_node *leaf, int h, int s, int m,
                                tz_outward_node node[4]) {
    tz_head_side side = m < h ? TZ_SIDE_LEFT : TZ_SIDE_RIGHT;
    const int word[] = {h, h, s, m};
    for (int n = 0; n < 4; n++) {
        node[n] = leaf[word[n]];
        node[n].parent = n == 0 ? TZ_NO_NODE : 0;
        node[n].side = n < 2 ? TZ_SIDE_HEAD : side;
        node[n].next = node[n].first = node[n].inner = TZ_NO_NODE;
    }
    node[0].first = 1;
    node[3].inner = s > 0 ? 2 : TZ_NO_NODE;
    return (tz_outward){.words = 3, .nodes = 4, .node = node};
}

static void p_head(const tz_deletions *model, const tz_outward_node *leaf, int h, double p[2]) {
    tz_outward_node node[4];
    tz_outward tree = decision_tree(leaf, h, 0, 0, node);
    tz_deletions_probability(model, &tree, &(tz_decision){1, false, 0}, p);
}

/* What each word is as a constituent of its own: leaf[1..words]; leaf[0] is never looked at. */
static void leaves_of(tz_arena *arena, const sample *s, tz_outward_node leaf[WIDE]) {
    memset(leaf, 0, WIDE * sizeof *leaf);
    for (int w = 1; w <= s->words; w++) {
        sample one = {.words = 1, .word = {[1] = s->word[w]}};
        tz_tree tree = flat(arena, &one);
        tz_outward outward;
        assert_int_equal(tz_outward_new(arena, &tree, &outward), TZ_OK);
        leaf[w] = outward.node[0];
    }
}

/* ---- A model --------------------------------------------------------------------------------- */

static void random_words(random_state *random, int words, sample *s) {
    static const char *const form[] = {"a", "b", "c"}, *const tag[] = {"X", "Y"};
    *s = (sample){.words = words};
    for (int w = 1; w <= words; w++)
        s->word[w] = (tz_tree_word){form[random_below(random, 3)], tag[random_below(random, 2)]};
}

static void random_heads(random_state *random, sample *s) {
    do
        for (int w = 1; w <= s->words; w++)
            s->head[w] = (int)random_below(random, (uint64_t)s->words + 1);
    while (!projective(s));
}

static tz_deletions *train(tz_arena *arena, random_state *random) {
    tz_deletion_counts counts = {.sight = sight};
    tz_deletions *model;
    for (int i = 0; i < PAIRS; i++) {
        static const uint8_t kept[4] = {1, 1, 1, 1};
        sample s;
        uint8_t keep[LONG];
        tz_outward outward;
        tz_extracted extracted;
        tz_outward_node leaf[WIDE], node[4];
        random_words(random, 2 + (int)random_below(random, 4), &s);
        random_heads(random, &s);
        for (int w = 0; w < s.words; w++)
            keep[w] = w == 0 || random_below(random, 2);
        tz_tree tree = flat(arena, &s);
        assert_int_equal(tz_outward_new(arena, &tree, &outward), TZ_OK);
        assert_int_equal(tz_extract_kept(arena, &tree, keep, &extracted), TZ_OK);
        assert_int_equal(tz_deletion_count(&counts, arena, &tree, &outward, &extracted), TZ_OK);
        leaves_of(arena, &s, leaf);
        for (int w = 1; w <= s.words; w++) {
            bool dependents = false;
            for (int m = 1; m <= s.words; m++)
                dependents |= s.head[m] == w;
            tz_outward one = decision_tree(leaf, w, 0, 0, node);
            if (!dependents && keep[w - 1])
                assert_int_equal(tz_deletion_count_rule(&counts, &one, 0, kept), TZ_OK);
        }
    }
    assert_int_equal(tz_deletions_new(&counts, TZ_TREES_FLAT, &model), TZ_OK);
    tz_deletion_counts_free(&counts);
    return model;
}

/* ---- Both ------------------------------------------------------------------------------------ */

/* log Z, and P(word is kept): ret_kept[1..words]. */
static double solve(const char *rules, const int32_t *lengths, const tz_scores *scores,
                    size_t weight, const tz_output *ret_kept) {
    tz_plan *plan;
    tz_chart *chart;
    tz_error error = {TZ_OK, ""};
    double log_z;
    tz_problem problem = {.lengths = lengths, .scores = scores};
    assert_int_equal(
        tz_plan_new(tz_rules_find(rules), tz_semiring_find("log", TZ_F64), 0, &plan, &error),
        TZ_OK);
    assert_int_equal(tz_chart_new(plan, &chart), TZ_OK);
    if (tz_bind(chart, &problem, 1, &error) != TZ_OK)
        fail_msg("%s", error.message);
    assert_int_equal(tz_inside(chart), TZ_OK);
    assert_int_equal(tz_outside(chart), TZ_OK);
    assert_int_equal(tz_goal(chart, 0, &log_z), TZ_OK);
    assert_int_equal(tz_marginals(chart, 0, weight, ret_kept), TZ_OK);
    tz_chart_free(chart);
    tz_plan_free(plan);
    return log_z;
}

/* Of one tree, the decision of a leaf's word in `word`. */
static double solve_tree(const tz_deletions *model, const sample *s, const tz_outward_node *leaf,
                         double ret_kept[WIDE]) {
    tz_arena *arena = tz_arena_new();
    tz_tree tree = flat(arena, s);
    tz_outward outward;
    tz_deletion_problem built;
    double by_entry[WIDE] = {0};
    size_t entry = 0;
    assert_int_equal(tz_outward_new(arena, &tree, &outward), TZ_OK);
    assert_int_equal(tz_deletion_score(model, &outward, 0, arena, &built), TZ_OK);
    double *word = (double *)built.scores[TZ_DELETE_WORD].data;
    for (uint32_t x = 0; x < outward.nodes; x++) {
        double p[2];
        if (outward.node[x].first != TZ_NO_NODE)
            continue;
        p_head(model, leaf, (int)outward.node[x].begin + 1, p);
        if (outward.node[x].side != TZ_SIDE_HEAD || outward.nodes == 1)
            word[entry] = log(p[1]);
        entry++;
    }
    double log_z = solve("delete-tree", built.lengths, built.scores, TZ_DELETE_WORD,
                         &(tz_output){by_entry, {1}});
    for (int w = 0; w < s->words; w++)
        ret_kept[built.leaf_word[w] + 1] = by_entry[w];
    tz_arena_free(arena);
    return log_z;
}

/* The score of a tree: its root word, and each modifier after its nearer sister. */
static double score_tree(const sample *s, const double *root, const double *sib) {
    double sum = 0;
    for (int m = 1; m <= s->words; m++) {
        int h = s->head[m], before = h;
        if (h == 0) {
            sum += root[m];
            continue;
        }
        for (int w = h; w != m; w += m > h ? 1 : -1)
            before = w != h && s->head[w] == h ? w : before;
        sum += sib[(h * (s->words + 1) + before) * (s->words + 1) + m];
    }
    return sum;
}

/* Of all trees with these scores: log Z and ret_kept[1..words]. */
static double solve_flat(const tz_deletions *model, const sample *s, const tz_outward_node *leaf,
                         const double *root, const double *sib, double ret_kept[WIDE]) {
    static double head[2][WIDE], keep[2][WIDE * WIDE * WIDE * 4];
    const int32_t n = s->words, width = n + 1;
    for (int m = 1; m <= n; m++) {
        double p[2];
        p_head(model, leaf, m, p);
        head[1][m] = log(p[1]);
        head[0][m] = log(p[0]);
    }
    for (int h = 1; h <= n; h++) {
        for (int t = 1; t <= n; t++) {
            for (int m = 1; m <= n; m++) {
                tz_outward_node node[4];
                for (int u = 0; u < 4 && h != m && t != m; u++) {
                    double p[2];
                    tz_outward tree = decision_tree(leaf, h, t == h ? 0 : t, m, node);
                    tz_decision decision = {3, u / 2 == 1, (unsigned)u & 1};
                    tz_deletions_probability(model, &tree, &decision, p);
                    for (int k = 0; k < 2; k++)
                        keep[k][((h * width + t) * width + m) * 4 + u] = log(p[k]);
                }
            }
        }
    }
    const double *data[WEIGHTS] = {root, sib, head[1], head[0], keep[1], keep[0]};
    tz_scores scores[WEIGHTS];
    for (size_t w = 0; w < WEIGHTS; w++) {
        tz_shape shape;
        assert_int_equal(tz_rules_shape(tz_rules_find("delete-flat"), w, &n, &shape), TZ_OK);
        scores[w] = tz_scores_dense(&shape, data[w]);
    }
    return solve("delete-flat", &n, scores, HEAD_KEPT, &(tz_output){ret_kept, {1}});
}

/* All vectors of heads, one after the other; false after the last. */
static bool next_heads(sample *s) {
    for (int w = 1; w <= s->words; w++) {
        if (s->head[w]++ < s->words)
            return true;
        s->head[w] = 0;
    }
    return false;
}

static double worst;

static void near(double got, double want) {
    double off = fabs(got - want) / fmax(1, fabs(want));
    worst = fmax(worst, off);
    if (!(off <= 1e-12))
        fail_msg("%.17g, not %.17g", got, want);
}

static void test_all_trees(void **state) {
    (void)state;
    enum { MODELS = 6, MOST = 4 };
    random_state random = random_start("all trees");
    for (int i = 0; i < MODELS; i++) {
        tz_arena *arena = tz_arena_new();
        tz_deletions *model = train(arena, &random);
        for (int n = 1; n <= MOST; n++) {
            double root[WIDE], sib[WIDE * WIDE * WIDE], kept[WIDE], z = 0, sum[WIDE] = {0};
            tz_outward_node leaf[WIDE];
            sample s;
            random_words(&random, n, &s);
            leaves_of(arena, &s, leaf);
            for (int r = 0; r < WIDE; r++)
                root[r] = random_between(&random, -2, 2);
            for (int r = 0; r < WIDE * WIDE * WIDE; r++)
                sib[r] = random_between(&random, -2, 2);
            do {
                if (!projective(&s))
                    continue;
                double mass = exp(solve_tree(model, &s, leaf, kept) + score_tree(&s, root, sib));
                z += mass;
                for (int w = 1; w <= n; w++)
                    sum[w] += mass * kept[w];
            } while (next_heads(&s));
            near(solve_flat(model, &s, leaf, root, sib, kept), log(z));
            for (int w = 1; w <= n; w++)
                near(kept[w], sum[w] / z);
        }
        tz_deletions_free(model);
        tz_arena_free(arena);
    }
    print_message("# off by at most %.3g\n", worst);
}

/* Scores of 0 for the parts of one tree, far below for all others. */
static void test_one_tree(void **state) {
    (void)state;
    enum { MODELS = 20 };
    random_state random = random_start("one tree");
    worst = 0;
    for (int i = 0; i < MODELS; i++) {
        tz_arena *arena = tz_arena_new();
        tz_deletions *model = train(arena, &random);
        double root[WIDE], sib[WIDE * WIDE * WIDE], kept[2][WIDE];
        tz_outward_node leaf[WIDE];
        sample s;
        random_words(&random, 1 + (int)random_below(&random, 6), &s);
        random_heads(&random, &s);
        leaves_of(arena, &s, leaf);
        for (int r = 0; r < WIDE; r++)
            root[r] = r > 0 && r <= s.words && s.head[r] == 0 ? 0 : -1000;
        for (int r = 0; r < WIDE * WIDE * WIDE; r++)
            sib[r] = -1000;
        for (int m = 1; m <= s.words; m++)
            for (int t = 1; t <= s.words; t++)
                if (s.head[m] > 0)
                    sib[(s.head[m] * (s.words + 1) + t) * (s.words + 1) + m] = 0;
        near(solve_flat(model, &s, leaf, root, sib, kept[0]), solve_tree(model, &s, leaf, kept[1]));
        for (int w = 1; w <= s.words; w++)
            near(kept[0][w], kept[1][w]);
        tz_deletions_free(model);
        tz_arena_free(arena);
    }
    print_message("# off by at most %.3g\n", worst);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_trees),
        cmocka_unit_test(test_one_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
