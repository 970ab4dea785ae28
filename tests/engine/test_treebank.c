/* test_treebank.c - real trees, up to 523 words: arc scores that only the gold tree attains recover
 * it exactly where it is projective, and nothing attains them where it is not.
 *
 * Reads ../shared/data/ud-czech-cltt (Universal Dependencies, legal Czech); skips, saying so, where
 * that is absent. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <errno.h>
#include <stdlib.h>

#include "io/conllu/conllu.h"
#include "tests/support/evaluate.h"

#define FOLDER TZ_SOURCE_ROOT "/../shared/data/ud-czech-cltt"

/* A sentence's gold tree and its scores. */
typedef struct tree {
    int32_t n, roots;
    int32_t *head; /* [n + 1] */
    bool projective, recovered;
    double *score, best;
    size_t arcs; /* of the best tree that are gold */
} tree;

typedef struct treebank {
    tree *tree;
    size_t trees, room;
} treebank;

/* Do no two arcs cross, the root being to the left of all words? */
static bool is_projective(const tree *t) {
    for (int32_t a = 1; a <= t->n; a++) {
        int32_t left = t->head[a] < a ? t->head[a] : a, right = t->head[a] < a ? a : t->head[a];
        /* An arc crosses this one if just one of its ends lies strictly between. */
        for (int32_t b = 1; b <= t->n; b++) {
            int32_t h = t->head[b];
            bool inside = left < b && b < right, head_inside = left < h && h < right;
            bool touches = b == left || b == right || h == left || h == right;
            if (!touches && inside != head_inside)
                return false;
        }
    }
    return true;
}

static void add_tree(treebank *bank, const tz_conllu_sentence *sentence) {
    if (bank->trees == bank->room) {
        bank->room = 2 * bank->room + 16;
        bank->tree = need(realloc(bank->tree, bank->room * sizeof *bank->tree));
    }
    tree *t = &bank->tree[bank->trees++];
    *t = (tree){.n = sentence->words};
    t->head = need(calloc((size_t)t->n + 1, sizeof *t->head));
    for (int32_t m = 1; m <= t->n; m++) {
        t->head[m] = sentence->word[m]->head;
        assert_true(t->head[m] >= 0);
        t->roots += t->head[m] == 0;
    }
    t->projective = is_projective(t);
}

/* False, with a message, where the file is absent. */
static bool read_trees(const char *name, treebank *bank) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", FOLDER, name);
    OWN(FILE, file) = fopen(path, "rb");
    if (file == NULL) {
        print_message("# skipped: %s: %s\n", path, strerror(errno));
        return false;
    }
    OWN(tz_lines, lines) = tz_lines_new(file, path, TZ_CONLLU_LINE);
    OWN(tz_conllu, conllu) = need(tz_conllu_new(lines));
    const tz_conllu_sentence *sentence;
    tz_error error;
    tz_status status;
    while ((status = tz_conllu_next(conllu, &sentence, &error)) == TZ_OK)
        add_tree(bank, sentence);
    if (status != TZ_NONE)
        fail_msg("%s", error.message);
    return true;
}

static void free_trees(treebank *bank) {
    for (size_t i = 0; i < bank->trees; i++)
        free(bank->tree[i].head);
    free(bank->tree);
}

static tz_status take_best(void *user, size_t problem, tz_chart *chart, size_t lane) {
    tree *t = *((tree **)user + problem);
    const tz_derivation *best;
    tz_status status = tz_best(chart, lane, TZ_GOAL, NULL, &best);
    if (status != TZ_OK)
        return status;
    t->best = best->score;
    t->arcs = 0;
    for (size_t u = 0; u < best->uses; u++)
        t->arcs += t->head[best->use[u].index[1]] == best->use[u].index[0];
    t->recovered = best->uses == (size_t)t->n && t->arcs == best->uses;
    return TZ_OK;
}

/* One word, one head: a tree that differs from the gold one in k words loses k, and gains less than
 * 2 noise k < k. So the gold tree is the only best one if it may be derived at all. */
static void recover(const char *name, tree **chosen, size_t count, double noise,
                    random_state *random) {
    const tz_rules *rules = find_rules(name);
    tz_problem *problem = calloc(count + 1, sizeof *problem);
    tz_scores *scores = calloc(count + 1, sizeof *scores);
    double *gold = calloc(count + 1, sizeof *gold);
    assert_true(problem != NULL && scores != NULL && gold != NULL);
    for (size_t i = 0; i < count; i++) {
        tree *t = chosen[i];
        tz_shape shape = shape_of(rules, 0, &t->n);
        size_t cells = (size_t)shape.extent[0] * (size_t)shape.extent[1];
        t->score = need(malloc((cells + 1) * sizeof(double)));
        for (size_t c = 0; c < cells; c++) {
            int32_t h = (int32_t)(c / (size_t)shape.extent[1]);
            int32_t m = (int32_t)(c % (size_t)shape.extent[1]);
            bool is_gold = m > 0 && t->head[m] == h;
            t->score[c] = is_gold + noise * random_between(random, -1, 1);
            gold[i] += is_gold ? t->score[c] : 0;
        }
        scores[i] = tz_scores_dense(&shape, t->score);
        problem[i] = (tz_problem){.lengths = &t->n, .scores = &scores[i]};
    }
    const tz_semiring *max = tz_semiring_find("max", TZ_F64);
    tz_plan *plan = make_plan(rules, max, 0);
    assert_ok(tz_run(plan, problem, count, NULL, take_best, chosen, NULL));
    tz_plan_free(plan);

    size_t projective = 0;
    int32_t longest = 0;
    for (size_t i = 0; i < count; i++) {
        const tree *t = chosen[i];
        if (t->recovered != t->projective)
            fail_msg("%s: tree %zu, %d words, projective %d: %zu gold arcs found", name, i, t->n,
                     t->projective, t->arcs);
        if (t->projective && noise == 0)
            assert_true(t->best == t->n);
        if (t->projective)
            assert_true(fabs(t->best - gold[i]) <= 1e-13 * (1 + t->n));
        else
            assert_true(t->best < t->n + noise * t->n && t->arcs < (size_t)t->n);
        projective += t->projective;
        longest = t->n > longest && t->projective ? t->n : longest;
        free(t->score);
    }
    assert_true(projective > 0);
    print_message("# %s, noise %g: %zu of %zu trees projective (to %d words), all recovered\n",
                  name, noise, projective, count, longest);
    free(problem);
    free(scores);
    free(gold);
}

/* Gold arcs score 1 and all others 0; then with noise of up to 0.4 on every arc. */
static void check_treebank(const char *file) {
    random_state random = random_start(file);
    treebank bank = {0};
    if (!read_trees(file, &bank)) {
        skip();
        return;
    }
    tree **all = calloc(bank.trees + 1, sizeof(tree *));
    tree **single = calloc(bank.trees + 1, sizeof(tree *));
    assert_true(all != NULL && single != NULL);
    size_t singles = 0;
    for (size_t i = 0; i < bank.trees; i++) {
        all[i] = &bank.tree[i];
        if (bank.tree[i].roots == 1)
            single[singles++] = &bank.tree[i];
    }
    recover("eisner", all, bank.trees, 0, &random);
    recover("eisner", all, bank.trees, 0.4, &random);
    recover("eisner-single-root", single, singles, 0, &random);
    recover("eisner-single-root", single, singles, 0.4, &random);
    free(all);
    free(single);
    free_trees(&bank);
}

TEST(train) {
    check_treebank("cs_cltt-ud-train.conllu");
}

TEST(dev) {
    check_treebank("cs_cltt-ud-dev.conllu");
}
