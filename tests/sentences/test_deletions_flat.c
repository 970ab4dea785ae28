/* test_deletions_flat.c - are deletions from all trees of a sentence, by `delete-flat`, what
 * enumeration finds? All trees with all choices of words, with probabilities by the formula,
 * counted and computed once more. And where one tree is certain, what `delete-tree` finds of it?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "sentences/deletions/decode.h"
#include "tests/support/amount.h"
#include "tests/support/deletion_oracle.h"
#include "tests/support/oom.h"

enum { LONG = 6, WIDE = LONG + 1, PAIRS = 12 };

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

/* All vectors of heads, one after the other; false after the last. */
static bool next_heads(sample *s) {
    for (int w = 1; w <= s->words; w++) {
        if (s->head[w]++ < s->words)
            return true;
        s->head[w] = 0;
    }
    return false;
}

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

/* ---- The formula, with a decision for the word of each leaf ---------------------------------- */

/* Kept leaves that are no head children: their words are seen as head children of their own. */
static void go_leaves(const oracle *o, const tz_tree *t, unsigned mask, double *opt_sum,
                      oracle *opt_record) {
    for (uint32_t x = 0; x < t->nodes; x++) {
        const tz_tree_node *leaf = &t->node[x];
        const char *tag = t->word[leaf->begin].tag;
        bool head = leaf->parent != TZ_NO_NODE && t->node[leaf->parent].head == x;
        if (leaf->first != TZ_NO_NODE || head || !is_kept(t, x, mask))
            continue;
        seen d = {.kind = 'H', .kept = 1};
        put(&d, tag);
        if (o->sight.ancestors > 0)
            put(&d, tag);
        if (o->sight.head & TZ_SEE_TAG)
            put(&d, tag);
        if (o->sight.head & TZ_SEE_WORD)
            put(&d, t->word[leaf->begin].form);
        if (opt_sum)
            *opt_sum += log_estimate(o, &d);
        if (opt_record)
            opt_record->decision[opt_record->decisions++] = d;
    }
}

static tz_deletions *learn(tz_arena *arena, random_state *random, const tz_sight *sight,
                           oracle *ret_oracle) {
    tz_deletion_counts counts = {.sight = *sight, .own = true};
    tz_deletions *model;
    *ret_oracle = (oracle){.sight = *sight};
    for (int i = 0; i < PAIRS; i++) {
        sample s;
        uint8_t keep[LONG];
        random_words(random, 1 + (int)random_below(random, LONG - 1), &s);
        random_heads(random, &s);
        unsigned mask = random_mask(random, (unsigned)s.words);
        for (int w = 0; w < s.words; w++)
            keep[w] = mask >> w & 1;
        tz_tree tree = flat(arena, &s);
        assert_ok(count_kept(&counts, arena, &tree, keep));
        go(ret_oracle, &tree, 0, mask, NULL, ret_oracle);
        go_leaves(ret_oracle, &tree, mask, NULL, ret_oracle);
    }
    assert_int_equal(counts.decisions, ret_oracle->decisions);
    assert_ok(tz_deletions_new(&counts, TZ_TREES_TAGS, &model));
    tz_deletion_counts_free(&counts);
    return model;
}

/* ---- All trees, all choices of words --------------------------------------------------------- */

typedef struct scores {
    double root[WIDE], sib[WIDE * WIDE * WIDE];
} scores;

static void random_scores(random_state *random, scores *ret) {
    for (int r = 0; r < WIDE; r++)
        ret->root[r] = random_between(random, -2, 2);
    for (int r = 0; r < WIDE * WIDE * WIDE; r++)
        ret->sib[r] = random_between(random, -2, 2);
}

/* 0 for the parts of this tree, far below for all others. */
static void certain_scores(const sample *s, scores *ret) {
    int width = s->words + 1;
    for (int r = 0; r < WIDE; r++)
        ret->root[r] = r > 0 && r <= s->words && s->head[r] == 0 ? 0 : -1000;
    for (int r = 0; r < WIDE * WIDE * WIDE; r++)
        ret->sib[r] = -1000;
    for (int m = 1; m <= s->words; m++)
        for (int t = 1; t <= s->words; t++)
            if (s->head[m] > 0)
                ret->sib[(s->head[m] * width + t) * width + m] = 0;
}

/* The score of a tree: its root word, and each modifier after its nearer sister. */
static double score_tree(const sample *s, const scores *scores) {
    double sum = 0;
    for (int m = 1; m <= s->words; m++) {
        int h = s->head[m], before = h;
        if (h == 0) {
            sum += scores->root[m];
            continue;
        }
        for (int w = h; w != m; w += m > h ? 1 : -1)
            before = w != h && s->head[w] == h ? w : before;
        sum += scores->sib[(h * (s->words + 1) + before) * (s->words + 1) + m];
    }
    return sum;
}

/* Of one tree and one choice of its words. */
static double score_both(const oracle *o, const sample *s, const scores *scores, unsigned mask) {
    OWN(tz_arena, arena) = tz_arena_new();
    tz_tree tree = flat(arena, s);
    double sum = score_tree(s, scores);
    go(o, &tree, 0, mask, &sum, NULL);
    go_leaves(o, &tree, mask, &sum, NULL);
    return sum;
}

typedef struct all {
    double z, kept[WIDE], best[WIDE]; /* best[0]: of any amount, with a bonus for each word */
    size_t trees;
} all;

static const double bonus = 0.7;

static all enumerate(const oracle *o, sample s, const scores *scores) {
    all a = {0};
    for (int m = 0; m < WIDE; m++)
        a.best[m] = -INFINITY;
    memset(s.head, 0, sizeof s.head);
    do {
        if (!projective(&s))
            continue;
        a.trees++;
        for (unsigned mask = 1; mask < 1u << s.words; mask++) {
            double score = score_both(o, &s, scores, mask);
            int kept = __builtin_popcount(mask);
            a.z += exp(score);
            a.best[kept] = fmax(a.best[kept], score);
            a.best[0] = fmax(a.best[0], score + bonus * kept);
            for (int w = 1; w <= s.words; w++)
                a.kept[w] += mask >> (w - 1) & 1 ? exp(score) : 0;
        }
    } while (next_heads(&s));
    for (int w = 1; w <= s.words; w++)
        a.kept[w] /= a.z;
    return a;
}

static double worst;

static void near(double got, double want) {
    double off = fabs(got - want) / fmax(1, fabs(want));
    worst = fmax(worst, off);
    if (!(off <= 1e-12))
        fail_msg("%.17g, not %.17g", got, want);
}

static void check_marginals(tz_deletion_decoder *decoder, const tz_outward *tree,
                            const tz_parses *parses, const all *a) {
    uint8_t keep[LONG];
    double kept[LONG];
    tz_deletion_item item = {
        .tree = tree, .opt_parses = parses, .keep = keep, .opt_marginal = kept};
    const tz_deletion_how how = {.by = TZ_DELETE_BY_MARGINALS, .threshold = 0.5};
    assert_ok(tz_deletion_decode(decoder, &how, &item, 1, NULL));
    near(item.score, log(a->z));
    for (uint32_t w = 0; w < tree->words; w++) {
        near(kept[w], a->kept[w + 1]);
        assert_true(!(kept[w] > 0.5) || keep[w]);
    }
}

/* Of any amount and of each: the score, and that it is that of the answer. */
static void check_best(const oracle *o, tz_deletion_decoder *decoder, const tz_outward *tree,
                       const sample *words, const scores *scores, const all *a) {
    uint8_t keep[WIDE][LONG];
    int32_t head[WIDE][WIDE];
    tz_deletion_item item[WIDE];
    const tz_parses parses = {scores->root, scores->sib};
    const tz_deletion_how how = {.by = TZ_DELETE_BY_BEST, .bonus = bonus};
    for (int m = 0; m <= words->words; m++) {
        item[m] = (tz_deletion_item){
            .tree = tree, .opt_parses = &parses, .opt_head = head[m], .amount = m, .keep = keep[m]};
    }
    assert_ok(tz_deletion_decode(decoder, &how, item, (size_t)words->words + 1, NULL));
    for (int m = 0; m <= words->words; m++) {
        sample found = *words;
        unsigned mask = mask_of(keep[m], tree->words);
        int kept = __builtin_popcount(mask);
        for (int w = 1; w <= words->words; w++)
            found.head[w] = head[m][w];
        assert_true(projective(&found));
        assert_true(m == 0 || kept == m);
        near(item[m].score, a->best[m]);
        near(score_both(o, &found, scores, mask) + (m == 0 ? bonus * kept : 0), a->best[m]);
    }
}

TEST(all_trees) {
    enum { MODELS = AMOUNT(6, 2), MOST = 5 };
    static const size_t trees[] = {1, 1, 2, 7, 30, 143};
    static oracle o;
    random_state random = random_start("all trees");
    for (unsigned i = 0; i < MODELS; i++) {
        OWN(tz_arena, arena) = tz_arena_new();
        tz_sight sight = {(i + 1) % 2, (i / 2 + 1) % 2, 1 | (unsigned)random_below(&random, 8),
                          1 | (unsigned)random_below(&random, 8)};
        OWN(tz_deletions, model) = learn(arena, &random, &sight, &o);
        OWN(tz_deletion_decoder, decoder) = NULL;
        assert_ok(tz_deletion_decoder_new(model, 1 + i % 2, &decoder, NULL));
        for (int n = 1; n <= (i == 0 ? MOST : MOST - 1); n++) {
            scores scores;
            sample s;
            tz_outward outward;
            random_words(&random, n, &s);
            random_heads(&random, &s);
            random_scores(&random, &scores);
            tz_tree tree = flat(arena, &s);
            assert_ok(tz_outward_new(arena, &tree, &outward));
            all a = enumerate(&o, s, &scores);
            assert_int_equal(a.trees, trees[n]);
            check_marginals(decoder, &outward, &(tz_parses){scores.root, scores.sib}, &a);
            check_best(&o, decoder, &outward, &s, &scores, &a);
        }
    }
    print_message("# off by at most %.3g\n", worst);
}

/* ---- One tree -------------------------------------------------------------------------------- */

/* By marginals, the best, and of every amount: score, kept[] and keep[] of each. */
static void decode(tz_deletion_decoder *decoder, const tz_outward *tree,
                   const tz_parses *opt_parses, double score[WIDE + 1], double kept[LONG],
                   uint8_t keep[WIDE + 1][LONG]) {
    tz_deletion_item item[WIDE + 1];
    for (uint32_t m = 0; m <= tree->words + 1; m++) {
        item[m] = (tz_deletion_item){
            .tree = tree, .opt_parses = opt_parses, .amount = m > 0 ? m - 1 : 0, .keep = keep[m]};
    }
    item[0].opt_marginal = kept;
    const tz_deletion_how marginal = {.by = TZ_DELETE_BY_MARGINALS, .threshold = 0.5},
                          best = {.by = TZ_DELETE_BY_BEST, .bonus = bonus};
    assert_ok(tz_deletion_decode(decoder, &marginal, item, 1, NULL));
    assert_ok(tz_deletion_decode(decoder, &best, item + 1, tree->words + 1, NULL));
    for (uint32_t m = 0; m <= tree->words + 1; m++)
        score[m] = item[m].score;
}

TEST(one_tree) {
    enum { MODELS = AMOUNT(12, 2) };
    static oracle o;
    static const tz_sight sight = {1, 1, 7, 7};
    random_state random = random_start("one tree");
    worst = 0;
    for (int i = 0; i < MODELS; i++) {
        OWN(tz_arena, arena) = tz_arena_new();
        OWN(tz_deletions, model) = learn(arena, &random, &sight, &o);
        OWN(tz_deletion_decoder, decoder) = NULL;
        double score[2][WIDE + 1], kept[2][LONG];
        uint8_t keep[2][WIDE + 1][LONG];
        scores scores;
        sample s;
        tz_outward outward;
        random_words(&random, 1 + (int)random_below(&random, LONG), &s);
        random_heads(&random, &s);
        certain_scores(&s, &scores);
        tz_tree tree = flat(arena, &s);
        assert_ok(tz_outward_new(arena, &tree, &outward));
        assert_ok(tz_deletion_decoder_new(model, 1, &decoder, NULL));
        decode(decoder, &outward, NULL, score[0], kept[0], keep[0]);
        decode(decoder, &outward, &(tz_parses){scores.root, scores.sib}, score[1], kept[1],
               keep[1]);
        for (int m = 0; m <= s.words + 1; m++)
            near(score[1][m], score[0][m]);
        for (int w = 0; w < s.words; w++)
            near(kept[1][w], kept[0][w]);
    }
    print_message("# off by at most %.3g\n", worst);
}

/* ---- Limits ---------------------------------------------------------------------------------- */

typedef struct problem {
    const tz_deletions *model;
    const tz_outward *tree;
    tz_parses parses;
} problem;

/* The problem alone: to make a plan of the rules takes very many allocations. */
static int attempt(void *user) {
    const problem *p = user;
    tz_deletion_problem built;
    OWN(tz_arena, arena) = tz_arena_new();
    return arena ? tz_deletion_score_flat(p->model, p->tree, 0, &p->parses, arena, &built)
                 : TZ_NO_MEMORY;
}

TEST(limits) {
    static oracle o;
    static const tz_sight sight = {1, 1, 7, 7};
    random_state random = random_start("limits");
    OWN(tz_arena, arena) = tz_arena_new();
    OWN(tz_deletions, model) = learn(arena, &random, &sight, &o);
    scores scores;
    sample s;
    tz_outward outward;
    random_words(&random, 3, &s);
    random_heads(&random, &s);
    random_scores(&random, &scores);
    tz_tree tree = flat(arena, &s);
    assert_ok(tz_outward_new(arena, &tree, &outward));
    problem p = {model, &outward, {scores.root, scores.sib}};
    oom_sweep("all trees", attempt, &p, TZ_NO_MEMORY, false);
    tz_deletion_problem built;
    outward.words = TZ_ALL_TREES_WORDS + 1;
    assert_int_equal(tz_deletion_score_flat(model, &outward, 0, &p.parses, arena, &built),
                     TZ_TOO_LARGE);
}
