/* test_deletions_decode.c - does `delete-tree` find what enumeration finds? All choices of words of
 * small random trees, with probabilities by the formula, counted and computed here once more: best,
 * k best, sums, marginals, lengths; facts, samples, entropy.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sentences/deletions/decode.h"
#include "tests/support/oom.h"
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

static family children(const tz_tree *t, uint32_t x) {
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

static int is_kept(const tz_tree *t, uint32_t x, unsigned mask) {
    return (mask >> t->node[x].begin & ((1u << (t->node[x].end - t->node[x].begin)) - 1)) != 0;
}

static void put(seen *d, const char *variable) {
    assert_true(d->count < SEEN);
    d->variable[d->count++] = variable;
}

static const char *flag(int kept) {
    return kept ? "1" : "0";
}

/* What the decision of child i of a side sees; -1: the head child. */
static seen look(const oracle *o, const tz_tree *t, const family *f, char kind, int i,
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
static double log_estimate(const oracle *o, const seen *d) {
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
static void go(const oracle *o, const tz_tree *t, uint32_t x, unsigned mask, double *opt_sum,
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

static unsigned random_mask(random_state *random, unsigned words) {
    return 1 + (unsigned)random_below(random, (1u << words) - 1);
}

/* The rules of a tree of which these words are kept. */
static tz_status count_kept(tz_deletion_counts *counts, tz_arena *arena, const tz_tree *tree,
                            const uint8_t *keep) {
    tz_outward outward;
    tz_extracted extracted;
    tz_status status = tz_outward_new(arena, tree, &outward);
    if (status == TZ_OK)
        status = tz_extract_kept(arena, tree, keep, &extracted);
    return status == TZ_OK ? tz_deletion_count(counts, arena, tree, &outward, &extracted) : status;
}

static void train(tz_arena *arena, random_state *random, const tz_sight *sight, oracle *ret_oracle,
                  tz_deletions **ret_model) {
    tz_deletion_counts counts = {.sight = *sight};
    *ret_oracle = (oracle){.sight = *sight};
    for (int i = 0; i < TRAINING; i++) {
        unsigned words = 1 + (unsigned)random_below(random, MOST_WORDS);
        tz_tree tree = random_tree(arena, random, words, 5);
        uint8_t keep[MOST_WORDS];
        unsigned mask = random_mask(random, words);
        for (unsigned w = 0; w < words; w++)
            keep[w] = mask >> w & 1;
        assert_int_equal(count_kept(&counts, arena, &tree, keep), TZ_OK);
        go(ret_oracle, &tree, 0, mask, NULL, ret_oracle);
    }
    assert_int_equal(counts.decisions, ret_oracle->decisions);
    assert_int_equal(tz_deletions_new(&counts, TZ_TREES_BRACKETS, ret_model), TZ_OK);
    tz_deletion_counts_free(&counts);
}

/* ---- All choices of words -------------------------------------------------------------------- */

typedef struct all_masks {
    unsigned words, count;
    double score[MASKS], z, log_z, marginal[MOST_WORDS], best[MOST_WORDS + 1], entropy;
} all_masks;

/* Those of which every bit of `with` is set and none of `without`. */
static all_masks enumerate(const oracle *o, const tz_tree *tree, unsigned with, unsigned without) {
    all_masks a = {.words = tree->words};
    for (unsigned k = 0; k <= MOST_WORDS; k++)
        a.best[k] = -INFINITY;
    for (unsigned mask = 1; mask < 1u << a.words; mask++) {
        double *score = &a.score[mask];
        if ((mask & with) != with || mask & without)
            continue;
        go(o, tree, 0, mask, score, NULL);
        unsigned kept = (unsigned)__builtin_popcount(mask);
        a.count++;
        a.z += exp(*score);
        a.best[kept] = fmax(a.best[kept], *score);
        a.best[0] = fmax(a.best[0], *score);
        for (unsigned w = 0; w < a.words; w++)
            a.marginal[w] += mask >> w & 1 ? exp(*score) : 0;
    }
    a.log_z = log(a.z);
    for (unsigned w = 0; w < a.words; w++)
        a.marginal[w] /= a.z;
    for (unsigned mask = 1; mask < 1u << a.words; mask++)
        if ((mask & with) == with && !(mask & without))
            a.entropy -= exp(a.score[mask] - a.log_z) * (a.score[mask] - a.log_z);
    return a;
}

static double worst;

static void near(double got, double want) {
    double off = fabs(got - want) / fmax(1, fabs(want));
    worst = fmax(worst, off);
    if (!(off <= 1e-12))
        fail_msg("%.17g, not %.17g", got, want);
}

static unsigned mask_of(const uint8_t *keep, unsigned words) {
    unsigned mask = 0;
    for (unsigned w = 0; w < words; w++)
        mask |= (unsigned)keep[w] << w;
    return mask;
}

static unsigned mask_of_uses(const tz_derivation *derivation) {
    unsigned mask = 0;
    for (size_t u = 0; u < derivation->uses; u++)
        if (derivation->use[u].weight == TZ_DELETE_WORD)
            mask |= 1u << (derivation->use[u].index[1] - 1);
    return mask;
}

static const tz_deletion_how by_best = {.by = TZ_DELETE_BY_BEST}, by_marginals = {.threshold = 0.5};

/* ---- The decoder ----------------------------------------------------------------------------- */

static void check_free(tz_deletion_decoder *decoder, const tz_outward *tree, const all_masks *a) {
    uint8_t keep[MOST_WORDS];
    double marginal[MOST_WORDS];
    tz_deletion_item item = {.tree = tree, .keep = keep, .opt_marginal = marginal};
    assert_int_equal(tz_deletion_decode(decoder, &by_best, &item, 1, NULL), TZ_OK);
    near(item.score, a->best[0]);
    near(a->score[mask_of(keep, a->words)], a->best[0]);
    static const double threshold[] = {0, 0.3, 0.5, 1};
    for (int t = 0; t < 4; t++) {
        double most = 0;
        assert_int_equal(tz_deletion_decode(decoder, &(tz_deletion_how){.threshold = threshold[t]},
                                            &item, 1, NULL),
                         TZ_OK);
        near(item.score, a->log_z);
        assert_true(item.score <= 1e-12);
        for (unsigned w = 0; w < a->words; w++) {
            near(marginal[w], a->marginal[w]);
            most = fmax(most, marginal[w]);
        }
        for (unsigned w = 0; w < a->words; w++)
            assert_true(keep[w] == (marginal[w] > threshold[t]) ||
                        (keep[w] && marginal[w] == most));
        assert_true(mask_of(keep, a->words) != 0);
    }
}

/* All at once, in any company and by threads: the same. */
static void check_lengths(tz_deletion_decoder *decoder, const tz_outward *tree,
                          const all_masks *a) {
    uint8_t keep[MOST_WORDS + 1][MOST_WORDS];
    tz_deletion_item item[MOST_WORDS + 1];
    for (unsigned m = 0; m <= a->words; m++)
        item[m] = (tz_deletion_item){.tree = tree, .amount = m, .keep = keep[m]};
    assert_int_equal(tz_deletion_decode(decoder, &by_best, item, a->words + 1, NULL), TZ_OK);
    for (unsigned m = 0; m <= a->words; m++) {
        unsigned mask = mask_of(keep[m], a->words);
        near(item[m].score, a->best[m]);
        near(a->score[mask], a->best[m]);
        assert_true(m == 0 || (unsigned)__builtin_popcount(mask) == m);
    }
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
static run *start_any(const tz_deletions *model, const tz_outward *tree, const char *semiring,
                      bool charged, const tz_fact *opt_fact, size_t facts) {
    tz_arena *arena = tz_arena_new();
    run *r = tz_arena_array(arena, 1, sizeof *r);
    assert_non_null(r);
    r->arena = arena;
    tz_error error = {TZ_OK, ""};
    const tz_rules *rules = tz_rules_find("delete-tree");
    assert_int_equal(tz_deletion_score(model, tree, 0, r->arena, &r->built), TZ_OK);
    memcpy(r->lengths, r->built.lengths, sizeof r->built.lengths);
    r->lengths[3] = (int32_t)tree->words;
    r->problem = (tz_problem){.scores = r->built.scores, .facts = opt_fact, .fact_count = facts};
    if (charged)
        assert_int_equal(tz_rules_charge(rules, "kept", &r->charged, &error), TZ_OK);
    assert_int_equal(tz_semiring_new(semiring, TZ_F64, &r->semiring, &error), TZ_OK);
    assert_int_equal(tz_plan_new(charged ? r->charged : rules, r->semiring, 0, &r->plan, &error),
                     TZ_OK);
    assert_int_equal(tz_chart_new(r->plan, &r->chart), TZ_OK);
    return r;
}

static void sum(run *r) {
    tz_error error = {TZ_OK, ""};
    r->problem.lengths = r->lengths;
    if (tz_bind(r->chart, &r->problem, 1, &error) != TZ_OK)
        fail_msg("%s", error.message);
    assert_int_equal(tz_inside(r->chart), TZ_OK);
}

static run *start(const tz_deletions *model, const tz_outward *tree, const char *semiring,
                  const tz_fact *opt_fact, size_t facts) {
    run *r = start_any(model, tree, semiring, false, opt_fact, facts);
    sum(r);
    return r;
}

static void end(run *r) {
    tz_chart_free(r->chart);
    tz_plan_free(r->plan);
    tz_semiring_free(r->semiring);
    tz_rules_free(r->charged);
    tz_arena_free(r->arena);
}

/* The values by kept words: ret_value[words + 1]. */
static void by_kept(const tz_deletions *model, const tz_outward *tree, const char *semiring,
                    double *ret_value) {
    size_t item;
    unsigned rank;
    int32_t index[TZ_MAX_RANK];
    run *r = start_any(model, tree, semiring, true, NULL, 0);
    sum(r);
    assert_int_equal(tz_rules_goal(r->charged, r->lengths, &item, &rank, index), TZ_OK);
    for (uint32_t m = 0; m <= tree->words; m++) {
        index[rank - 1] = (int32_t)m;
        assert_int_equal(tz_item_value(r->chart, 0, item, index, false, &ret_value[m]), TZ_OK);
    }
    end(r);
}

/* All 2^n - 1, in order, each once. */
static void check_kbest(const tz_deletions *model, const tz_outward *tree, const all_masks *a) {
    bool seen[MASKS] = {false};
    double last = 0;
    unsigned count = 0;
    run *r = start(model, tree, "max", NULL, 0);
    tz_kbest *list;
    const tz_derivation *next;
    tz_status status;
    assert_int_equal(tz_kbest_new(r->chart, 0, true, &list), TZ_OK);
    while ((status = tz_kbest_next(list, &next)) == TZ_OK) {
        unsigned mask = mask_of_uses(next);
        near(next->score, a->score[mask]);
        assert_true(!seen[mask] && next->score <= last);
        seen[mask] = true;
        last = next->score;
        count++;
    }
    assert_int_equal(status, TZ_NONE);
    assert_int_equal(count, a->count);
    tz_kbest_free(list);
    end(r);
}

static void check_entropy(const tz_deletions *model, const tz_outward *tree, const all_masks *a) {
    run *r = start(model, tree, "entropy", NULL, 0);
    double value[8];
    size_t count;
    assert_int_equal(tz_goal_values(r->chart, 0, value, &count), TZ_OK);
    near(value[0], a->log_z);
    near(value[1], a->entropy);
    end(r);
}

/* One word stays, another goes. */
static void check_facts(const oracle *o, const tz_deletions *model, const tz_tree *from,
                        const tz_outward *tree, random_state *random) {
    if (from->words < 2)
        return;
    unsigned stays = (unsigned)random_below(random, from->words);
    unsigned goes = (stays + 1 + (unsigned)random_below(random, from->words - 1)) % from->words;
    all_masks a = enumerate(o, from, 1u << stays, 1u << goes);
    tz_cells cell[] = {{TZ_DELETE_WORD, {TZ_ANY, (int32_t)stays + 1}},
                       {TZ_DELETE_WORD, {TZ_ANY, (int32_t)goes + 1}}};
    tz_fact fact[] = {{true, &cell[0], 1}, {false, &cell[1], 1}};
    run *r = start(model, tree, "required(log)", fact, 2);
    double value;
    assert_int_equal(tz_goal(r->chart, 0, &value), TZ_OK);
    near(value, a.log_z);
    end(r);
    /* As forbidden entries alone, max tells the best one. */
    tz_facts *facts;
    size_t count;
    tz_error error;
    run *plain = start(model, tree, "max", NULL, 0);
    plain->problem.facts = fact;
    plain->problem.fact_count = 2;
    tz_status status = tz_facts_new(tz_rules_find("delete-tree"), &plain->problem, &facts, &error);
    assert_int_equal(status, TZ_OK);
    const tz_fact *list = tz_facts_list(facts, &count);
    end(plain);
    r = start(model, tree, "max", list, count);
    const tz_derivation *best;
    assert_int_equal(tz_best(r->chart, 0, &best), TZ_OK);
    near(best->score, a.best[0]);
    near(a.score[mask_of_uses(best)], a.best[0]);
    tz_facts_free(facts);
    end(r);
}

static void test_enumeration(void **state) {
    (void)state;
    enum { MODELS = 32, TREES = 7 }; /* 224 trees */
    static oracle o;
    random_state random = random_start("enumeration");
    for (unsigned i = 0; i < MODELS; i++) {
        tz_arena *arena = tz_arena_new();
        tz_deletions *model;
        tz_deletion_decoder *decoder;
        tz_sight sight = {i % 4, i / 4 % 4, 1 | (unsigned)random_below(&random, 8),
                          1 | (unsigned)random_below(&random, 8)};
        train(arena, &random, &sight, &o, &model);
        assert_int_equal(tz_deletion_decoder_new(model, 1 + i % 2, &decoder, NULL), TZ_OK);
        for (int t = 0; t < TREES; t++) {
            unsigned words = t == 0 ? 1 : 2 + (unsigned)random_below(&random, MOST_WORDS - 1);
            tz_tree from = random_tree(arena, &random, words, 6);
            tz_outward tree;
            assert_int_equal(tz_outward_new(arena, &from, &tree), TZ_OK);
            all_masks a = enumerate(&o, &from, 0, 0);
            assert_int_equal(a.count, (1u << words) - 1);
            check_free(decoder, &tree, &a);
            check_lengths(decoder, &tree, &a);
            check_kbest(model, &tree, &a);
            check_entropy(model, &tree, &a);
            check_facts(&o, model, &from, &tree, &random);
        }
        tz_deletion_decoder_free(decoder);
        tz_deletions_free(model);
        tz_arena_free(arena);
    }
    print_message("# off by at most %.3g\n", worst);
}

/* ---- Bigrams --------------------------------------------------------------------------------- */

/* The words of the mask with its neighbours: ends are 0 and words + 1. */
static double sum_bigrams(const double *bigram, unsigned words, unsigned mask) {
    unsigned last = 0;
    double sum = 0;
    for (unsigned w = 1; w <= words + 1; w++) {
        if (w > words || mask >> (w - 1) & 1) {
            sum += bigram[last * (words + 2) + w];
            last = w;
        }
    }
    return sum;
}

static void check_bigrams(const tz_deletions *model, const tz_outward *tree, const double *bigram,
                          double bonus, const all_masks *a) {
    double best = -INFINITY, z = 0, value;
    for (unsigned mask = 1; mask < 1u << a->words; mask++) {
        double score =
            a->score[mask] + sum_bigrams(bigram, a->words, mask) + bonus * __builtin_popcount(mask);
        best = fmax(best, score);
        z += exp(score);
    }
    for (int sum = 0; sum < 3; sum++) {
        static const char *const semiring[] = {"max", "log", "count"};
        tz_arena *arena = tz_arena_new();
        tz_deletion_problem built;
        tz_plan *plan;
        tz_chart *chart;
        tz_error error = {TZ_OK, ""};
        assert_int_equal(tz_deletion_score_bigrams(model, tree, bonus, bigram, arena, &built),
                         TZ_OK);
        assert_int_equal(tz_plan_new(tz_rules_find("delete-tree-bigram"),
                                     tz_semiring_find(semiring[sum], TZ_F64), 0, &plan, &error),
                         TZ_OK);
        assert_int_equal(tz_chart_new(plan, &chart), TZ_OK);
        tz_problem problem = {.lengths = built.lengths, .scores = built.scores};
        if (tz_bind(chart, &problem, 1, &error) != TZ_OK)
            fail_msg("%s", error.message);
        assert_int_equal(tz_inside(chart), TZ_OK);
        assert_int_equal(tz_goal(chart, 0, &value), TZ_OK);
        near(value, sum == 0 ? best : sum == 1 ? log(z) : a->count);
        if (sum == 0) {
            const tz_derivation *derivation;
            assert_int_equal(tz_best(chart, 0, &derivation), TZ_OK);
            unsigned mask = mask_of_uses(derivation);
            near(a->score[mask] + sum_bigrams(bigram, a->words, mask) +
                     bonus * __builtin_popcount(mask),
                 best);
        }
        tz_chart_free(chart);
        tz_plan_free(plan);
        tz_arena_free(arena);
    }
}

static void test_bigrams(void **state) {
    (void)state;
    enum { MODELS = 16, TREES = 6, LONG = 8 };
    static oracle o;
    random_state random = random_start("bigrams");
    worst = 0;
    for (unsigned i = 0; i < MODELS; i++) {
        tz_arena *arena = tz_arena_new();
        tz_deletions *model;
        tz_sight sight = {i % 4, i / 4, 1 | (unsigned)random_below(&random, 8),
                          1 | (unsigned)random_below(&random, 8)};
        train(arena, &random, &sight, &o, &model);
        for (int t = 0; t < TREES; t++) {
            double bigram[(LONG + 2) * (LONG + 2)];
            tz_outward tree;
            tz_tree from =
                random_tree(arena, &random, 1 + (unsigned)random_below(&random, LONG), 5);
            for (unsigned b = 0; b < (LONG + 2) * (LONG + 2); b++)
                bigram[b] = random_between(&random, -3, 1);
            assert_int_equal(tz_outward_new(arena, &from, &tree), TZ_OK);
            all_masks a = enumerate(&o, &from, 0, 0);
            check_bigrams(model, &tree, bigram, random_between(&random, -1, 1), &a);
        }
        tz_deletions_free(model);
        tz_arena_free(arena);
    }
    print_message("# off by at most %.3g\n", worst);
}

/* ---- Larger trees ---------------------------------------------------------------------------- */

static tz_deletions *random_model(tz_arena *arena, random_state *random, tz_sight sight) {
    static oracle o;
    tz_deletions *model;
    train(arena, random, &sight, &o, &model);
    return model;
}

/* 2^n - 1 choices, and binomial coefficients by the number of kept words, in trees of up to 40
 * words and 30 levels. */
static void test_derivations(void **state) {
    (void)state;
    random_state random = random_start("derivations");
    for (unsigned n = 1; n <= 40; n++) {
        tz_arena *arena = tz_arena_new();
        tz_deletions *model = random_model(arena, &random, (tz_sight){n % 4, 1, 7, 7});
        tz_tree from = random_tree(arena, &random, n, n % 3 == 0 ? 30 : 8);
        tz_outward tree;
        double value[64], choose = 1;
        assert_int_equal(tz_outward_new(arena, &from, &tree), TZ_OK);
        run *r = start(model, &tree, "count", NULL, 0);
        assert_int_equal(tz_goal(r->chart, 0, value), TZ_OK);
        assert_true(*value == ldexp(1, (int)n) - 1);
        end(r);
        by_kept(model, &tree, "count", value);
        assert_true(value[0] == 0);
        for (unsigned m = 1; m <= n; m++) {
            choose = choose * (n - m + 1) / m;
            assert_true(value[m] == choose);
        }
        tz_deletions_free(model);
        tz_arena_free(arena);
    }
}

/* What --keep M finds scores what the charged rules give there; for every M. */
static void test_lengths(void **state) {
    (void)state;
    enum { WORDS = 30, TREES = 6 };
    random_state random = random_start("lengths");
    for (unsigned t = 0; t < TREES; t++) {
        tz_arena *arena = tz_arena_new();
        tz_deletions *model = random_model(arena, &random, (tz_sight){t % 4, 1, 7, 7});
        tz_tree from = random_tree(arena, &random, WORDS, 10);
        tz_outward tree;
        tz_deletion_decoder *decoder;
        double value[WORDS + 1];
        assert_int_equal(tz_outward_new(arena, &from, &tree), TZ_OK);
        by_kept(model, &tree, "max", value);
        assert_int_equal(tz_deletion_decoder_new(model, 1, &decoder, NULL), TZ_OK);
        for (unsigned m = 1; m <= WORDS; m++) {
            uint8_t keep[WORDS];
            unsigned kept = 0;
            tz_deletion_item item = {.tree = &tree, .amount = m, .keep = keep};
            assert_int_equal(tz_deletion_decode(decoder, &by_best, &item, 1, NULL), TZ_OK);
            for (unsigned w = 0; w < WORDS; w++)
                kept += keep[w];
            assert_int_equal(kept, m);
            near(item.score, value[m]);
        }
        tz_deletion_decoder_free(decoder);
        tz_deletions_free(model);
        tz_arena_free(arena);
    }
}

/* Shares of kept words among 10,000 samples, within 4 standard errors of the marginals; of 20
 * trees. */
static void test_samples(void **state) {
    (void)state;
    enum { TREES = 20, WORDS = 26, SAMPLES = 10000 };
    random_state random = random_start("samples");
    double furthest = 0;
    for (unsigned t = 0; t < TREES; t++) {
        tz_arena *arena = tz_arena_new();
        tz_deletions *model = random_model(arena, &random, (tz_sight){1, 1, 7, 7});
        tz_tree from = random_tree(arena, &random, WORDS, 8);
        tz_outward tree;
        tz_deletion_decoder *decoder;
        tz_sampler *sampler;
        uint8_t keep[WORDS];
        double marginal[WORDS], share[WORDS] = {0};
        assert_int_equal(tz_outward_new(arena, &from, &tree), TZ_OK);
        assert_int_equal(tz_deletion_decoder_new(model, 1, &decoder, NULL), TZ_OK);
        tz_deletion_item item = {.tree = &tree, .keep = keep, .opt_marginal = marginal};
        assert_int_equal(tz_deletion_decode(decoder, &by_marginals, &item, 1, NULL), TZ_OK);
        run *r = start(model, &tree, "log", NULL, 0);
        assert_int_equal(tz_sampler_new(r->chart, 0, random_bits(&random), false, &sampler), TZ_OK);
        for (int s = 0; s < SAMPLES; s++) {
            const tz_derivation *sample;
            assert_int_equal(tz_sampler_next(sampler, &sample), TZ_OK);
            unsigned mask = mask_of_uses(sample);
            for (unsigned w = 0; w < WORDS; w++)
                share[w] += (mask >> w & 1) / (double)SAMPLES;
        }
        for (unsigned w = 0; w < WORDS; w++) {
            double deviation = sqrt(marginal[w] * (1 - marginal[w]) / SAMPLES);
            double off = fabs(share[w] - marginal[w]);
            assert_true(off <= 4 * deviation + 1e-12);
            furthest = fmax(furthest, deviation > 0 ? off / deviation : 0);
        }
        tz_sampler_free(sampler);
        end(r);
        tz_deletion_decoder_free(decoder);
        tz_deletions_free(model);
        tz_arena_free(arena);
    }
    print_message("# at most %.2f standard errors from the marginals\n", furthest);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

typedef struct disturbed {
    const tz_deletions *model;
    const tz_outward *tree;
    tz_deletion_decoder *ready; /* or NULL */
} disturbed;

static tz_status decode_all(tz_deletion_decoder *decoder, const tz_outward *tree, int64_t amount) {
    uint8_t keep[MOST_WORDS];
    tz_deletion_item item = {.tree = tree, .amount = amount, .keep = keep};
    tz_status status = tz_deletion_decode(decoder, &by_marginals, &item, 1, NULL);
    return status == TZ_OK ? tz_deletion_decode(decoder, &by_best, &item, 1, NULL) : status;
}

static int attempt(void *user) {
    const disturbed *d = user;
    tz_deletion_decoder *decoder;
    tz_status status = tz_deletion_decoder_new(d->model, 1, &decoder, NULL);
    if (status == TZ_OK)
        status = decode_all(decoder, d->tree, 0);
    tz_deletion_decoder_free(decoder);
    return (int)status;
}

static int attempt_length(void *user) {
    const disturbed *d = user;
    return (int)decode_all(d->ready, d->tree, 2);
}

static void test_out_of_memory(void **state) {
    (void)state;
    random_state random = random_start("memory");
    tz_arena *arena = tz_arena_new();
    tz_outward tree;
    tz_tree from = random_tree(arena, &random, 4, 3);
    assert_int_equal(tz_outward_new(arena, &from, &tree), TZ_OK);
    tz_deletions *model = random_model(arena, &random, (tz_sight){1, 1, 7, 7});
    disturbed d = {model, &tree, NULL};
    oom_sweep("decoding", attempt, &d, TZ_NO_MEMORY, false);
    assert_int_equal(tz_deletion_decoder_new(model, 1, &d.ready, NULL), TZ_OK);
    assert_int_equal(decode_all(d.ready, &tree, 2), TZ_OK);
    oom_sweep("decoding to a length", attempt_length, &d, TZ_NO_MEMORY, false);
    tz_deletion_decoder_free(d.ready);
    tz_deletions_free(model);
    tz_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_enumeration), cmocka_unit_test(test_bigrams),
        cmocka_unit_test(test_derivations), cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_samples),     cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
