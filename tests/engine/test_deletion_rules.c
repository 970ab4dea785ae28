/* test_deletion_rules.c - do the rule sets for deletion compute the model that they are written
 * for? The entries are made from random trees here, by the definition of the model, and answers
 * compared with a walk over all choices of words.
 *
 * The model: of a constituent that is kept, the head child and then its sisters on either side,
 * from the head outwards, are kept or dropped. A decision sees whether the head is kept, and
 * whether the last few sisters on its side are. Kept constituents keep something; single children
 * are kept.
 *
 * Tolerance: 1e-12 S, S the sum of |score| of the best choice and 1; measured 1.7e-15 with seeds 1
 * to 8. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/random.h"
#include "tests/support/solved.h"

enum { NODES = 200, CHILDREN = 8, MOST_WORDS = 40, DEEPEST = 30, MOST_ORDER = 3 };

/* A tree. Nodes are numbered from 1, a node before its children. */
typedef struct tree {
    int nodes, words;
    struct node {
        int children, left,
            word;            /* left: so many of them stand left of the head; word: of a leaf */
        int child[CHILDREN]; /* the head, those to its left, outwards, those to its right */
    } node[NODES + 1];
    int order;     /* how many sisters' flags a decision sees */
    uint64_t seed; /* of scores */
} tree;

/* The tree that score models speak of. */
static tree now;

/* ---- Random trees ---------------------------------------------------------------------------- */

/* Which of its children stands at a place in the sentence, and where a child stands: the same. */
static int turned(const struct node *node, int place) {
    return place > node->left ? place : place == node->left ? 0 : node->left - place;
}
static int place_in(const struct node *node, int child) {
    return child == 0 ? node->left : turned(node, child);
}

/* The children of a node as they stand in the sentence. */
static void in_sentence(const struct node *node, int *ret_child) {
    for (int place = 0; place < node->children; place++)
        ret_child[place] = node->child[turned(node, place)];
}

/* A node over `words` words, those from `first` on. Its children are numbered from the head
 * outwards, or as they stand in the sentence. */
static int grow(random_state *random, int words, int first, int depth, bool by_sentence) {
    int x = ++now.nodes, size[CHILDREN], children = 1;
    struct node *node = &now.node[x];
    assert_true(x <= NODES);
    memset(node, 0, sizeof *node);
    bool unary = depth < DEEPEST && random_below(random, 8) == 0;
    if (words == 1 && !unary) {
        node->word = first;
        return x;
    }
    if (!unary) {
        int most = depth + 1 >= DEEPEST || words < CHILDREN ? words : CHILDREN;
        children = depth + 1 >= DEEPEST ? most : 2 + (int)random_below(random, (uint64_t)most - 1);
        children = children > CHILDREN ? CHILDREN : children;
    }
    node->children = children;
    node->left = (int)random_below(random, (uint64_t)children);
    /* Every child has a word; the rest goes to any. */
    for (int c = 0; c < children; c++)
        size[c] = 1;
    for (int w = children; w < words; w++)
        size[random_below(random, (uint64_t)children)]++;
    int start[CHILDREN];
    for (int c = 0, at = first; c < children; at += size[c++])
        start[c] = at;
    for (int k = 0; k < children; k++) {
        int c = by_sentence ? turned(node, k) : k, place = place_in(node, c);
        node->child[c] = grow(random, size[place], start[place], depth + 1, by_sentence);
    }
    return x;
}

static void random_tree(random_state *random, int words, int order, bool by_sentence) {
    now = (tree){.words = words, .order = order, .seed = random_bits(random)};
    grow(random, words, 1, 0, by_sentence);
}

/* ---- The model ------------------------------------------------------------------------------- */

/* In [-3, 0): a score of a decision on node x. */
static double decision(int x, bool head_kept, unsigned flags, bool kept) {
    uint64_t hash = now.seed ^ ((uint64_t)x << 8 | (uint64_t)head_kept << 7 | flags << 1 | kept);
    hash = (hash ^ hash >> 31) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9u;
    return -3 * ((double)(hash >> 11) * 0x1p-53) - 1e-3;
}

/* Does a node keep a word of the mask? */
static bool keeps(int x, unsigned long mask) {
    const struct node *node = &now.node[x];
    if (node->children == 0)
        return mask >> (node->word - 1) & 1;
    bool any = false;
    for (int c = 0; c < node->children; c++)
        any |= keeps(node->child[c], mask);
    return any;
}

/* The score of what is below a node that is kept. */
static double score_of(int x, unsigned long mask) {
    const struct node *node = &now.node[x];
    const unsigned all = (1u << now.order) - 1;
    bool head_kept = node->children > 0 && keeps(node->child[0], mask);
    double sum = 0;
    unsigned flags = 0;
    for (int c = 0; c < node->children; c++) {
        bool kept = keeps(node->child[c], mask);
        if (c == node->left + 1 || c == 1)
            flags = 0;
        if (node->children > 1)
            sum += decision(node->child[c], c > 0 && head_kept, c > 0 ? flags : 0, kept);
        flags = (flags << 1 | kept) & all;
        sum += kept ? score_of(node->child[c], mask) : 0;
    }
    return sum;
}

/* ---- delete-tree ----------------------------------------------------------------------------- */

/* States: 0 nothing is kept so far; 1 + flags: something is, the head is not; behind these, with
 * the head. */
static int state_of(bool any, bool head_kept, unsigned flags) {
    return head_kept ? 1 + (1 << now.order) + (int)flags : any ? 1 + (int)flags : 0;
}

typedef struct context {
    bool any, head_kept;
    unsigned flags;
} context;

static context context_of(int q) {
    int states = 1 << now.order;
    return (context){q > 0, q > states, q == 0 ? 0 : (unsigned)(q - 1) % (unsigned)states};
}

/* The parent of a node, and which of its children it is; 0 at the root. */
static int parent_of(int x, int *ret_place) {
    for (int p = 1; p < x; p++)
        for (int c = 0; c < now.node[p].children; c++)
            if (now.node[p].child[c] == x) {
                *ret_place = c;
                return p;
            }
    return 0;
}

/* The state after a decision on child `place` of p, before the next child. */
static int next_state(int p, int place, int q, bool kept) {
    context c = context_of(q);
    unsigned flags = place == 0 ? 0 : (c.flags << 1 | kept) & ((1u << now.order) - 1);
    if (place + 1 == now.node[p].left + 1)
        flags = 0;
    return state_of(c.any || kept, place == 0 ? kept : c.head_kept, flags);
}

/* Of a child in a state that it can be in; -INFINITY else. */
static double entry(int p, int place, int q, bool kept) {
    context c = context_of(q);
    if (place == 0 && q != 0)
        return -INFINITY;
    if (now.node[p].children == 1)
        return kept ? 0 : -INFINITY;
    return decision(now.node[p].child[place], c.head_kept, c.flags, kept);
}

static double tree_model(const char *name, const int32_t *index) {
    int place, p;
    if (strcmp(name, "word") == 0)
        return now.node[index[0]].children == 0 && now.node[index[0]].word == index[1] ? 0
                                                                                       : -INFINITY;
    if (strcmp(name, "first") == 0)
        return parent_of(index[1], &place) == index[0] && place == 0 && index[2] == 0 ? 0
                                                                                      : -INFINITY;
    if ((p = parent_of(index[0], &place)) == 0)
        return -INFINITY;
    bool kept = name[0] == 'k', last = strchr(name, '_') != NULL;
    if (last != (place + 1 == now.node[p].children))
        return -INFINITY;
    int q = index[last ? 1 : 2];
    if (last)
        return kept || q > 0 ? entry(p, place, q, kept) : -INFINITY;
    if (now.node[p].child[place + 1] != index[1] || next_state(p, place, q, kept) != index[3])
        return -INFINITY;
    return entry(p, place, q, kept);
}

static void tree_lengths(int32_t *ret) {
    ret[0] = now.words;
    ret[1] = now.nodes;
    ret[2] = 1 + (2 << now.order);
}

/* As many derivations as choices of words; by the words that are kept, binomials. */
TEST(counts) {
    random_state random = random_start("choices of words");
    const tz_rules *rules = tz_rules_find("delete-tree");
    OWN(tz_rules, kept) = NULL;
    assert_ok(tz_rules_charge(rules, "kept", &kept, NULL));
    for (int round = 0; round < 12; round++) {
        int32_t lengths[TZ_MAX_RANK];
        int words = round == 0 ? 1 : round == 1 ? MOST_WORDS : 2 + (int)random_below(&random, 39);
        random_tree(&random, words, round % 2, false);
        tree_lengths(lengths);
        solved s = solve_rules(rules, "count", lengths, tree_model);
        if (solved_goal(&s) != ldexp(1, words) - 1)
            fail_msg("%d words: %.0f derivations", words, solved_goal(&s));
        solved_free(&s);
        lengths[3] = words;
        s = solve_rules(kept, "count", lengths, tree_model);
        double binomial = 1;
        for (int32_t m = 0; m <= words; m++) {
            double value;
            const int32_t root[] = {1, m};
            assert_ok(tz_item_value(s.chart, 0, 0, root, false, &value));
            if (value != (m == 0 ? 0 : binomial))
                fail_msg("%d of %d words: %.0f derivations", m, words, value);
            binomial = binomial * (words - m) / (m + 1);
        }
        solved_free(&s);
    }
}

static double worst;

static void assert_near(double got, double want, double size) {
    double error = fabs(got - want) / (1 + size);
    worst = error > worst ? error : worst;
    if (!(error <= 1e-12))
        fail_msg("%.17g, not %.17g", got, want);
}

typedef struct all_choices {
    double best, log_z, kept[MOST_WORDS + 1]; /* kept: probabilities */
    unsigned long best_mask;
} all_choices;

static all_choices walk_choices(double (*score)(unsigned long mask)) {
    all_choices all = {.best = -INFINITY};
    const unsigned long masks = 1ul << now.words;
    for (unsigned long mask = 1; mask < masks; mask++) {
        double value = score(mask);
        if (value > all.best) {
            all.best = value;
            all.best_mask = mask;
        }
    }
    double sum = 0;
    for (unsigned long mask = 1; mask < masks; mask++) {
        double share = exp(score(mask) - all.best);
        sum += share;
        for (int w = 1; w <= now.words; w++)
            all.kept[w] += mask >> (w - 1) & 1 ? share : 0;
    }
    for (int w = 1; w <= now.words; w++)
        all.kept[w] /= sum;
    all.log_z = all.best + log(sum);
    return all;
}

static double tree_score(unsigned long mask) {
    return score_of(1, mask);
}

/* The best choice, log Z, and every word's probability to be kept; all choices in order. */
static void check_choices(const char *rules, const int32_t *lengths, score_model *model,
                          double (*score)(unsigned long mask)) {
    all_choices all = walk_choices(score);
    solved s = solve(rules, "log", lengths, model);
    size_t word = solved_weight(&s, "word");
    double *marginal = solved_marginals(&s, word), kept[MOST_WORDS + 1] = {0};
    assert_near(solved_goal(&s), all.log_z, fabs(all.best));
    for (size_t e = 0; e < s.cells[word]; e++)
        kept[s.index[word][2 * e + 1]] += marginal[e];
    for (int w = 1; w <= now.words; w++)
        assert_near(kept[w], all.kept[w], fabs(all.best));
    free(marginal);
    solved_free(&s);
    s = solve(rules, "max", lengths, model);
    const tz_derivation *best, *next;
    assert_near(solved_goal(&s), all.best, fabs(all.best));
    best = best_of(s.chart, 0);
    unsigned long mask = 0;
    for (size_t u = 0; u < best->uses; u++)
        mask |= best->use[u].weight == word ? 1ul << (best->use[u].index[1] - 1) : 0;
    assert_true(mask == all.best_mask);
    unsigned long seen = 0;
    tz_kbest *list = make_kbest(s.chart, 0, false);
    for (; tz_kbest_next(list, &next) == TZ_OK; seen++) {
        mask = 0;
        for (size_t u = 0; u < next->uses; u++)
            mask |= next->use[u].weight == word ? 1ul << (next->use[u].index[1] - 1) : 0;
        assert_near(next->score, score(mask), fabs(all.best));
    }
    assert_true(seen == (1ul << now.words) - 1);
    tz_kbest_free(list);
    solved_free(&s);
}

TEST(tree) {
    random_state random = random_start("scores of choices");
    for (int round = 0; round < 200; round++) {
        int32_t lengths[3];
        do
            random_tree(&random, 1 + (int)random_below(&random, round % 10 == 0 ? 10 : 7),
                        round % (MOST_ORDER + 1), false);
        while (now.nodes > 20);
        tree_lengths(lengths);
        check_choices("delete-tree", lengths, tree_model, tree_score);
    }
}

/* ---- delete-tree-bigram ---------------------------------------------------------------------- */

/* Children in the order of the sentence. A state h * 4 + e * 2 + b: h says whether the head is
 * kept, a guess left of it; e whether something is kept so far, b whether the sister before is. */
static int left_of(int p, int place, int *ret_child) {
    int child[CHILDREN] = {0};
    in_sentence(&now.node[p], child);
    *ret_child = place < now.node[p].children ? child[place] : 0;
    return now.node[p].left;
}

/* What the decision on the child at `place` adds, the flag of the one before being b. Left of the
 * head, a sister's flag depends on that of the one that comes next. */
static double bigram_decision(int p, int place, bool h, bool b, bool kept) {
    int child, before, left = left_of(p, place, &child);
    double sum = 0;
    left_of(p, place > 0 ? place - 1 : 0, &before);
    if (now.node[p].children == 1)
        return kept && h ? 0 : -INFINITY;
    if (place == left)
        return h == kept ? decision(child, false, 0, kept) : -INFINITY;
    if (place > left)
        return decision(child, h, place > left + 1 ? b : 0, kept);
    if (place > 0)
        sum += decision(before, h, kept, b);
    if (place + 1 == left)
        sum += decision(child, h, 0, kept);
    return sum;
}

static double bigram_score(int i, int j) {
    return decision(NODES + i, false, (unsigned)j, true);
}

/* Which child of its parent, in the order of the sentence. */
static int place_of(int x, int *ret_parent) {
    int which, child[CHILDREN] = {0}, place = 0;
    *ret_parent = parent_of(x, &which);
    if (*ret_parent == 0)
        return 0;
    in_sentence(&now.node[*ret_parent], child);
    while (child[place] != x)
        place++;
    return place;
}

static double bigram_model(const char *name, const int32_t *index) {
    int p, next, place;
    if (strcmp(name, "word") == 0)
        return tree_model(name, index);
    if (strcmp(name, "bigram") == 0)
        return bigram_score(index[0], index[1]);
    if (strcmp(name, "first") == 0) {
        place = place_of(index[1], &p);
        return p == index[0] && place == 0 && index[2] % 4 == 0 ? 0 : -INFINITY;
    }
    place = place_of(index[0], &p);
    if (p == 0)
        return -INFINITY;
    bool kept = name[0] == 'k', last = strchr(name, '_') != NULL;
    int q = index[last ? 1 : 2], h = q / 4, e = q / 2 % 2, b = q % 2;
    left_of(p, place + 1, &next);
    if (last != (next == 0) || (last && !kept && !e))
        return -INFINITY;
    if (!last && (next != index[1] || index[3] != h * 4 + (e || kept) * 2 + kept))
        return -INFINITY;
    return bigram_decision(p, place, h, b, kept);
}

static double bigram_tree_score(unsigned long mask) {
    double sum = score_of(1, mask);
    int before = 0;
    for (int w = 1; w <= now.words; w++)
        if (mask >> (w - 1) & 1) {
            sum += bigram_score(before, w);
            before = w;
        }
    return sum + bigram_score(before, now.words + 1);
}

TEST(tree_bigram) {
    random_state random = random_start("scores of choices with bigrams");
    for (int round = 0; round < 40; round++) {
        do
            random_tree(&random, 1 + (int)random_below(&random, 7), 1, true);
        while (now.nodes > 14);
        const int32_t lengths[] = {now.words, now.nodes, 8};
        check_choices("delete-tree-bigram", lengths, bigram_model, bigram_tree_score);
    }
}

/* ---- delete-flat and delete-sibling ---------------------------------------------------------- */

enum { FLAT_WORDS = 4 };

static uint64_t flat_seed;

static double flat_score(unsigned kind, int h, int s, int m, int u) {
    now.seed = flat_seed + kind * 977;
    return decision(h * 1000 + s * 100 + m * 10 + u, false, 0, false);
}

static double flat_model(const char *name, const int32_t *index) {
    static const char *const names[] = {"root", "sib", "head_kept", "head_dropped", "keep", "drop"};
    unsigned kind = 0;
    int at[4] = {0}, rank = strcmp(name, "sib") == 0 ? 3 : strlen(name) == 4 ? 4 : 1;
    name = strcmp(name, "word") == 0 ? "head_kept" : name;
    while (strcmp(names[kind], name) != 0)
        kind++;
    rank = kind == 1 ? 3 : kind > 3 ? 4 : 1;
    for (int q = 0; q < rank; q++)
        at[q] = index[q];
    return flat_score(kind, at[0], at[1], at[2], at[3]);
}

/* A tree's heads; head[m] is 0 for the root word. */
typedef struct heads {
    int n, head[FLAT_WORDS + 1];
} heads;

static bool below(const heads *t, int w, int h) {
    int steps = 0;
    while (w != h && w != 0 && steps++ <= t->n)
        w = t->head[w];
    return w == h;
}

/* A projective tree with one root word? */
static bool is_tree(const heads *t) {
    int roots = 0;
    for (int m = 1; m <= t->n; m++) {
        roots += t->head[m] == 0;
        if (t->head[m] == m || !below(t, m, 0))
            return false;
        int low = t->head[m] < m ? t->head[m] : m, high = t->head[m] < m ? m : t->head[m];
        for (int w = low + 1; w < high && t->head[m] > 0; w++)
            if (!below(t, w, t->head[m]))
                return false;
    }
    return roots == 1;
}

static bool some_kept(const heads *t, int h, unsigned mask) {
    bool any = false;
    for (int w = 1; w <= t->n; w++)
        any |= (mask >> (w - 1) & 1) && below(t, w, h);
    return any;
}

/* The score of a tree with a choice of words; -INFINITY where `pruned` asks that kept constituents
 * keep their heads and one does not. */
static double flat_tree_score(const heads *t, unsigned mask, bool pruned) {
    double sum = 0;
    for (int h = 1; h <= t->n; h++) {
        bool kept = mask >> (h - 1) & 1, constituent = some_kept(t, h, mask);
        if (pruned && constituent && !kept)
            return -INFINITY;
        if (constituent && (kept || !pruned))
            sum += flat_score(kept ? 2 : 3, h, 0, 0, 0);
        sum += t->head[h] == 0 ? flat_score(0, h, 0, 0, 0) : 0;
        for (int side = -1; side <= 1; side += 2) {
            int s = h;
            for (int m = h + side; m >= 1 && m <= t->n; m += side) {
                if (t->head[m] != h)
                    continue;
                bool flag = s == h || some_kept(t, s, mask);
                int u = pruned ? flag : 2 * kept + flag;
                sum += flat_score(1, h, s, m, 0);
                if (constituent)
                    sum += flat_score(some_kept(t, m, mask) ? 4 : 5, h, s, m, u);
                s = m;
            }
        }
    }
    return sum;
}

static void check_flat(const char *rules, const char *word, int32_t n, bool pruned) {
    double best = -INFINITY, sum = 0, kept[FLAT_WORDS + 1] = {0};
    for (int pass = 0; pass < 2; pass++) {
        heads t = {.n = n};
        for (bool more = true; more;) {
            for (unsigned mask = 1; is_tree(&t) && mask < 1u << n; mask++) {
                double score = flat_tree_score(&t, mask, pruned);
                if (pass == 0)
                    best = score > best ? score : best;
                for (int w = 1; pass == 1 && w <= n; w++)
                    kept[w] += mask >> (w - 1) & 1 ? exp(score - best) : 0;
                sum += pass == 1 ? exp(score - best) : 0;
            }
            int m = 1;
            while (m <= n && t.head[m] == n)
                t.head[m++] = 0;
            more = m <= n;
            t.head[m <= n ? m : 0]++;
        }
    }
    solved s = solve(rules, "max", &n, flat_model);
    assert_near(solved_goal(&s), best, fabs(best));
    solved_free(&s);
    s = solve(rules, "log", &n, flat_model);
    assert_near(solved_goal(&s), best + log(sum), fabs(best));
    FREED(double, marginal) = solved_marginals(&s, solved_weight(&s, word));
    for (int w = 1; w <= n; w++)
        assert_near(marginal[w], kept[w] / sum, fabs(best));
    solved_free(&s);
}

TEST(flat) {
    random_state random = random_start("all trees");
    for (int round = 0; round < 20; round++) {
        flat_seed = random_bits(&random);
        for (int32_t n = 1; n <= FLAT_WORDS; n++) {
            check_flat("delete-flat", "head_kept", n, false);
            check_flat("delete-sibling", "word", n, true);
        }
    }
}

/* ---- Grammars -------------------------------------------------------------------------------- */

enum { LABELS = 4, KEPT = 2 };

/* cky's span scores are those of words and of wider spans; delete-cky's of the two kinds of labels;
 * pcfg's of words alone. */
static double cky_model(const char *name, const int32_t *index) {
    if (strcmp(name, "binary") == 0)
        return decision(index[0] * 16 + index[1] * 4 + index[2], true, 0, true);
    bool wide = strcmp(name, "span") == 0 && index[1] < index[2];
    return decision(100 + index[0] * 16 + index[1], false, wide ? (unsigned)index[2] : 0, wide);
}

static double tied_model(const char *name, const int32_t *index) {
    return strcmp(name, "span") == 0 && index[1] < index[2] ? 0 : cky_model(name, index);
}

static void check_alike(const char *first, const char *second, const int32_t *lengths,
                        score_model *model) {
    static const char *const semirings[] = {"log", "max"};
    for (int i = 0; i < 2; i++) {
        solved a = solve(first, semirings[i], lengths, model);
        solved b = solve(second, semirings[i], lengths, model);
        assert_near(solved_goal(&a), solved_goal(&b), fabs(solved_goal(&b)));
        solved_free(&a);
        solved_free(&b);
    }
}

TEST(grammars) {
    random_state random = random_start("grammars");
    for (int round = 0; round < 20; round++) {
        const int32_t lengths[] = {1 + round % 9, LABELS, KEPT};
        now.seed = random_bits(&random);
        check_alike("delete-cky", "cky", lengths, cky_model);
        check_alike("pcfg", "cky", lengths, tied_model);
    }
}

TEST(measured) {
    print_message("# largest error / S: %.2g\n", worst);
    assert_true(worst > 0);
}
