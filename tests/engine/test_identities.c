/* test_identities.c - at full size: n = 60, or 30 where the rules take n^4; labels 2.
 *
 * The identity is written above each test, with the largest error over TZ_SEED=1..20, as in
 *   for s in $(seq 20); do TZ_SEED=$s tests/test_identities; done | grep largest
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "tests/support/amount.h"
#include "tests/support/evaluate.h"
#include "tests/support/items.h"
#include "tests/support/proof.h"

/* ---- Uses that every derivation makes -------------------------------------------------------- */

/* What the two sides of an identity count: uses of weights and of items in a derivation. `*` is
 * any index, m every word in turn; the right side is a number. */
typedef struct identity {
    const char *rules, *text;
} identity;

static const identity identities[] = {
    /* Every word has one head, and a left and a right half. */
    {"eisner", "arc[*,m] = 1"},
    {"eisner", "rtrap[*,m] + ltrap[m,*] = 1"},
    {"eisner", "ltri[m,m] = 1"},
    {"eisner", "rtri[m,m] = 1"},
    {"eisner", "arc[*,*] = n"},
    {"eisner-single-root", "arc[*,m] = 1"},
    {"eisner-single-root", "arc[0,*] = 1"},
    {"eisner-single-root", "rtrap[*,m] + ltrap[m,*] + arc[0,m] = 1"},
    {"eisner-single-root", "ltri[m,m] = 1"},
    {"sibling", "sib[*,*,m] = 1"},
    {"sibling", "rtrap[*,m] + ltrap[m,*] = 1"},
    {"sibling", "ltri[m,m] = 1"},
    {"sibling-single-root", "sib[*,*,m] = 1"},
    {"sibling-single-root", "sib[0,*,*] = 1"},
    {"sibling-single-root", "sib[0,0,m] + rtrap[*,m] + ltrap[m,*] = 1"},
    /* A word that is kept has one head, one kept neighbour on each side, a hook and a left half. */
    {"compress", "arc[*,m] - bigram[*,m] = 0"},
    {"compress", "arc[*,m] - bigram[m,*] = 0"},
    {"compress", "arc[*,m] - hook[m,m] = 0"},
    {"compress", "arc[*,m] - ltri[m,m] = 0"},
    {"compress", "arc[*,m] - rtrap[*,m] - ltrap[m,*] = 0"},
    {"compress", "bigram[0,*] = 1"},
    {"compress", "bigram[*,n+1] = 1"},
    {"compress", "hook[0,0] = 1"},
    {"compress-single-root", "arc[*,m] - bigram[*,m] = 0"},
    {"compress-single-root", "arc[*,m] - bigram[m,*] = 0"},
    {"compress-single-root", "arc[*,m] - hook[m,m] = 0"},
    {"compress-single-root", "arc[*,m] - ltri[m,m] = 0"},
    {"compress-single-root", "arc[0,*] = 1"},
    {"compress-single-root", "bigram[0,*] = 1"},
    {"compress-single-root", "bigram[*,n+1] = 1"},
    {"compress-single-root", "bigram[0,n+1] = 0"},
    {"compress-sibling", "sib[*,*,m] - bigram[*,m] = 0"},
    {"compress-sibling", "sib[*,*,m] - bigram[m,*] = 0"},
    {"compress-sibling", "sib[*,*,m] - hook[m,m] = 0"},
    {"compress-sibling", "sib[*,*,m] - rtrap[*,m] - ltrap[m,*] = 0"},
    {"compress-sibling", "bigram[0,*] = 1"},
    {"compress-sibling", "bigram[*,n+1] = 1"},
    {"compress-sibling-single-root", "sib[*,*,m] - bigram[*,m] = 0"},
    {"compress-sibling-single-root", "sib[*,*,m] - bigram[m,*] = 0"},
    {"compress-sibling-single-root", "sib[0,*,*] = 1"},
    {"compress-sibling-single-root", "bigram[0,*] = 1"},
    {"skip-bigram-note", "arc[*,m] - bigram[*,m] = 0"},
    {"skip-bigram-note", "arc[*,m] - bigram[m,*] = 0"},
    {"skip-bigram-note", "arc[*,m] - ltri[m,m] = 0"},
    {"skip-bigram-note", "bigram[*,n+1] = 1"},
    /* A word is kept or dropped. */
    {"skip", "arc[*,m] + skip[m] = 1"},
    {"skip", "hook[m,m] + skip[m] = 1"},
    {"skip", "hook[0,0] = 1"},
    {"skip-note", "arc[*,m] + skip[m] = 1"},
    {"skip-note", "blob[*,m] - skip[m] = 0"},
    /* A word has one label; a tree of n words has n - 1 branchings. */
    {"cky", "span[*,m,m] = 1"},
    {"cky", "span[0,1,n] = 1"},
    {"cky", "span[*,*,*] = 2n-1"},
    {"cky", "phrase[*,*,*] = 2n-1"},
    {"cky", "binary[*,*,*] = n-1"},
    {"chain", "emit[m,*] = 1"},
    {"chain", "state[m,*] = 1"},
    {"chain", "start[*] = 1"},
    {"chain", "trans[*,*] = n-1"},
    {"semimarkov", "segment[1,*,*] = 1"},
    {"semimarkov", "segment[*,n,*] = 1"},
    {"semimarkov", "segment[*,m,*] - closed[m,*] = 0"},
    {"semimarkov", "segment[m,*,*] - open[m-1,*] = 0"},
    {"semimarkov", "segment[*,*,*] - trans[*,*] = 1"},
    /* An abstract word is made once, in a phrase of one word or two; every phrase takes a jump, and
     * so does the end. */
    {"align", "null[m] + rewrite[1,*,m,*] + rewrite[2,*,m,*] + rewrite[2,*,m-1,*] = 1"},
    {"align", "jump[*] - rewrite[*,*,*,*] = 1"},
    {"align-map", "null[m] + rewrite[1,*,m,*] + rewrite[2,*,m,*] + rewrite[2,*,m-1,*] = 1"},
    {"align-map", "jump[*,*] - rewrite[*,*,*,*] = 1"},
    {"align-map", "jump[*,n+1] = 1"},
    {"align-far", "null[m] + rewrite[1,*,m,*] + rewrite[2,*,m,*] + rewrite[2,*,m-1,*] = 1"},
    {"align-far", "jump[*] + ahead[*] + back[*] - rewrite[*,*,*,*] = 1"},
    {"align-near", "null[m] + rewrite[1,*,m,*] + rewrite[2,*,m,*] + rewrite[2,*,m-1,*] = 1"},
    {"align-sparse",
     "null[m] + word[m,*] + phrase[1,*,m,*] + phrase[2,*,m,*] + phrase[2,*,m-1,*] = 1"},
    {"align-sparse", "jump[*] - word[*,*] - phrase[*,*,*,*] = 1"},
    {"align-hmm", "null[m] + rewrite[m,*] = 1"},
    {"align-hmm", "jump[*] - rewrite[*,*] = 1"},
    {"align-words", "null[m] + rewrite[m,*] = 1"},
    {"align-words", "at[m] = 1"},
    /* Every symbol of either side is used up once. */
    {"edit", "sub[m,*] + del[m,*] = 1"},
    {"edit", "sub[*,m] + ins[*,m] = 1"},
    {"edit", "del[*,*] - ins[*,*] = 0"}, /* both sides have n symbols */
};

enum { ANY = INT32_MIN, WORDS = 60 };

/* One index of a term: any, or a number, to which the word may be added. */
typedef struct position {
    int32_t number;
    bool word;
} position;

/* "*", "7", "n", "m", "n+1", "m-1", "2n-1"; moves *at behind it. */
static position read_position(const char **at, int32_t n) {
    position ret = {ANY, false};
    if (**at == '*') {
        ++*at;
        return ret;
    }
    char *end;
    long value = strtol(*at, &end, 10);
    if (*end == 'n' || *end == 'm') {
        ret.word = *end == 'm';
        value = ret.word ? 0 : (end == *at ? 1 : value) * n;
        value += strtol(end + 1, &end, 10);
    }
    assert_ptr_not_equal(end, *at);
    *at = end;
    ret.number = (int32_t)value;
    return ret;
}

/* Numbers of the cells and items of one evaluation: expected uses (log), best scores (max). */
typedef struct counted {
    const evaluation *e;
    double *cell[MAX_WEIGHTS];
    double goal;
    bool best;
    /* The term being summed, for each word. */
    unsigned item;
    position pattern[TZ_MAX_RANK];
    double sum[WORDS + 1];
} counted;

/* Adds to the words whose term has this index. */
static void add_number(counted *c, const int32_t *index, unsigned rank, double number) {
    int32_t first = 1, last = c->e->problem->lengths[0];
    for (unsigned q = 0; q < rank; q++) {
        const position *p = &c->pattern[q];
        if (p->number == ANY)
            continue;
        int32_t word = index[q] - p->number;
        if (p->word ? word < first || word > last : word != 0)
            return;
        if (p->word)
            first = last = word;
    }
    for (int32_t m = first; m <= last; m++)
        c->sum[m] = c->best ? fmax(c->sum[m], number) : c->sum[m] + number;
}

static void add_item(void *user, unsigned item, const int32_t *index) {
    counted *c = user;
    if (item != c->item)
        return;
    double through = item_value(c->e, item, index, false) + item_value(c->e, item, index, true);
    add_number(c, index, c->e->rules->item[item].rank, c->best ? through : exp(through - c->goal));
}

static void sum_term(counted *c, const char *name, size_t size) {
    const tz_rules *rules = c->e->rules;
    const random_problem *p = c->e->problem;
    for (int32_t m = 0; m <= WORDS; m++)
        c->sum[m] = c->best ? -INFINITY : 0;
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        if (strncmp(weight_of(rules, w)->name, name, size) != 0 ||
            weight_of(rules, w)->name[size] != 0)
            continue;
        for (size_t cell = 0; cell < p->cells[w]; cell++) {
            int32_t index[TZ_MAX_RANK];
            cell_index(p, w, cell, index);
            add_number(c, index, weight_of(rules, w)->rank, c->cell[w][cell]);
        }
        return;
    }
    for (c->item = 0; c->item < rules->items; c->item++)
        if (strncmp(rules->item[c->item].name, name, size) == 0 &&
            rules->item[c->item].name[size] == 0)
            break;
    assert_true(c->item < rules->items);
    each_item(rules, p->lengths, add_item, c);
}

/* The largest, over the words, of left side minus right side, as part of its largest term (at least
 * 1). Under max: the best score that the left side's terms see, minus the best score of all, where
 * the identity says that one of them is always used; else 0. */
static double largest_difference(counted *c, const char *text) {
    int32_t n = c->e->problem->lengths[0];
    double left[WORDS + 1], size_of_terms[WORDS + 1], sign = 1, worst = 0;
    bool plain = strchr(text, '-') == NULL && strcmp(strchr(text, '='), "= 1") == 0;
    assert_in_range(n, 1, WORDS);
    for (int32_t m = 1; m <= n; m++) {
        left[m] = c->best ? -INFINITY : 0;
        size_of_terms[m] = 1;
    }
    while (*text != '=') {
        if (*text == '+' || *text == '-') {
            sign = *text == '-' ? -1 : 1;
            text += 2;
        }
        size_t size = strcspn(text, "[");
        const char *name = text;
        text += size;
        for (unsigned q = 0; *text != ']'; q++) {
            text++;
            c->pattern[q] = read_position(&text, n);
        }
        text += 2;
        sum_term(c, name, size);
        for (int32_t m = 1; m <= n; m++) {
            left[m] = c->best ? fmax(left[m], c->sum[m]) : left[m] + sign * c->sum[m];
            size_of_terms[m] = fmax(size_of_terms[m], c->sum[m]);
        }
    }
    text += 2;
    int32_t right = read_position(&text, n).number;
    for (int32_t m = 1; m <= n; m++)
        if (!c->best)
            note_worst(&worst, fabs(left[m] - right) / size_of_terms[m]);
        else if (plain)
            note_worst(&worst, fabs(left[m] - c->goal));
    return worst;
}

/* Expected uses keep what every derivation keeps: sum over h of p(h -> m) = 1; in the compressing
 * sets sum over h of p(h -> m) = sum over i of p(bigram i, m) = p(m kept); and so on, as listed. An
 * item's expected uses are exp(inside + outside - log Z). Under max, where each derivation uses
 * exactly one of some cells, the largest of their max-marginals is the best score, exactly on
 * integers. Within 1e-12: measured 7.2e-14 under log, 4.5e-13 under max. */
static void check_identities(const char *semiring, score_source source, bool masked,
                             double tolerance) {
    random_state random = random_start("identities");
    double worst = 0;
    bool best = strcmp(semiring, "max") == 0;
    size_t checked = 0, listed = sizeof identities / sizeof *identities;
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        random_problem p;
        problem_of_size(rules, FULL_SIZE, source, &random, &p);
        if (masked)
            mask_problem(rules, &p, &random);
        evaluation e = evaluate(rules, semiring, &p);
        counted c = {.e = &e, .goal = evaluation_goal(&e), .best = best};
        for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++)
            c.cell[w] = evaluation_cells(&e, best ? tz_through : tz_marginals, w);
        for (size_t k = 0; k < listed; k++) {
            if (strcmp(identities[k].rules, tz_rules_name(rules)) != 0)
                continue;
            double error = largest_difference(&c, identities[k].text);
            if (!(error <= tolerance))
                fail_msg("%s x %s: %s is off by %.2g", tz_rules_name(rules), semiring,
                         identities[k].text, error);
            note_worst(&worst, error);
            checked++;
        }
        for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++)
            free(c.cell[w]);
        evaluation_free(&e);
        random_problem_free(&p);
    }
    assert_int_equal(checked, listed);
    print_message("# largest difference of an identity, %s: %.2g\n", semiring, worst);
}

TEST(identities_log) {
    check_identities("log", plain_scores, false, 1e-12);
    check_identities("log", plain_scores, true, 1e-12);
}

TEST(identities_max) {
    check_identities("max", integer_scores, false, 0);
    check_identities("max", plain_scores, false, 1e-12);
}

/* ---- The goal -------------------------------------------------------------------------------- */

/* outside(goal) = one; inside(goal) = the value: inside = outside at the goal. */
TEST(outside_of_goal) {
    random_state random = random_start("outside of the goal");
    static const char *const semirings[] = {"max", "log", "count", "bool"};
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        OWNED(random_problem, p) = {0};
        problem_of_size(rules, FULL_SIZE, plain_scores, &random, &p);
        for (unsigned s = 0; s < 4; s++) {
            OWNED(evaluation, e) = evaluate(rules, semirings[s], &p);
            int32_t goal[TZ_MAX_RANK];
            for (unsigned q = 0; q < rules->item[rules->goal.which].rank; q++) {
                goal[q] = rules->goal.index[q].constant;
                for (unsigned l = 0; l < rules->lengths; l++)
                    goal[q] += rules->goal.index[q].length[l] * p.lengths[l];
            }
            assert_true(item_value(&e, rules->goal.which, goal, true) == (s < 2 ? 0 : 1));
            assert_true(item_value(&e, rules->goal.which, goal, false) == evaluation_goal(&e));
        }
    }
}

/* max <= log Z <= max + log count, where count counts the derivations; log Z = log count where all
 * scores are 0. */
TEST(bounds) {
    random_state random = random_start("bounds");
    static const score_source source[] = {plain_scores, large_scores, equal_scores};
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        for (unsigned s = 0; s < sizeof source / sizeof *source; s++) {
            OWNED(random_problem, p) = {0};
            problem_of_size(rules, FULL_SIZE, source[s], &random, &p);
            if (s == 0)
                mask_problem(rules, &p, &random);
            evaluation max = evaluate(rules, "max", &p), log_z = evaluate(rules, "log", &p),
                       count = evaluate(rules, "count", &p);
            double low = evaluation_goal(&max), middle = evaluation_goal(&log_z);
            double high = low + log(evaluation_goal(&count)), slack = 1e-14 * (1 + fabs(high));
            if (!(low <= middle + slack && middle <= high + slack))
                fail_msg("%s: %.17g <= %.17g <= %.17g", tz_rules_name(rules), low, middle, high);
            if (source[s] == equal_scores)
                assert_true(fabs(middle - high) <= 1e-14 * high);
            evaluation_free(&max);
            evaluation_free(&log_z);
            evaluation_free(&count);
        }
    }
}

/* ---- Gradient -------------------------------------------------------------------------------- */

/* marginal(w) = (log Z(w + h) - log Z(w - h)) / 2h to 1e-6, for every cell at n = 10, h = 2^-13.
 * Measured 5.4e-9 (2.2e-8 and 1.3e-9 with twice and half of h): the quotient's own error, of order
 * h^2. */
TEST(finite_differences) {
    random_state random = random_start("finite differences");
    const double h = 0x1p-13;
    double worst = 0;
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        OWNED(random_problem, p) = {0};
        problem_of_size(rules, AMOUNT(10, 6), plain_scores, &random, &p);
        mask_problem(rules, &p, &random);
        OWNED(evaluation, e) = evaluate(rules, "log", &p);
        double *marginal[MAX_WEIGHTS];
        for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++)
            marginal[w] = evaluation_cells(&e, tz_marginals, w);
        for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
            for (size_t c = 0; c < p.cells[w]; c++) {
                double score = p.data[w][c], log_z[2];
                if (!isfinite(score)) {
                    assert_true(marginal[w][c] == 0);
                    continue;
                }
                for (int side = 0; side < 2; side++) {
                    p.data[w][c] = side ? score + h : score - h;
                    run_inside(e.chart, &p.problem, 1);
                    log_z[side] = evaluation_goal(&e);
                }
                p.data[w][c] = score;
                double error = fabs((log_z[1] - log_z[0]) / (2 * h) - marginal[w][c]);
                if (!(error <= 1e-6))
                    fail_msg("%s: marginal of %s is off by %.2g", tz_rules_name(rules),
                             weight_of(rules, w)->name, error);
                note_worst(&worst, error);
            }
        }
        for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++)
            free(marginal[w]);
    }
    print_message("# largest distance from finite differences: %.2g\n", worst);
}

/* ---- The best derivation --------------------------------------------------------------------- */

/* The best derivation is one (its proof tree is made of instances), its score is the sum of its
 * weights, its cells' and items' best scores are its own, and no cell has a better one. Exactly on
 * integers; else relative to the sum of its weights' magnitudes, which is what rounds. */
static void check_best(score_source source, bool masked, double tolerance) {
    random_state random = random_start("best derivation");
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        OWNED(random_problem, p) = {0};
        problem_of_size(rules, FULL_SIZE, source, &random, &p);
        if (masked)
            mask_problem(rules, &p, &random);
        OWNED(evaluation, e) = evaluate(rules, "max", &p);
        const tz_derivation *best = best_of(e.chart, 0);
        check_proof(rules, &p, best);
        double score = evaluation_goal(&e), worst = 0, size = 1;
        long double sum = 0;
        for (size_t u = 0; u < best->uses; u++) {
            sum += best->use[u].score;
            size += fabs(best->use[u].score);
        }
        assert_true(best->score == score);
        note_worst(&worst, fabs((double)sum - score) / size);
        for (size_t k = 0; k < best->nodes; k++) {
            const tz_node *node = &best->node[k];
            double through = item_value(&e, node->item, node->index, false) +
                             item_value(&e, node->item, node->index, true);
            note_worst(&worst, fabs(through - score) / size);
        }
        for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
            FREED(double, through) = evaluation_cells(&e, tz_through, w);
            for (size_t c = 0; c < p.cells[w]; c++)
                note_worst(&worst, (fmax(through[c], score) - score) / size);
            for (size_t u = 0; u < best->uses; u++)
                if (best->use[u].weight == w)
                    note_worst(&worst,
                               fabs(through[problem_cell(&p, w, best->use[u].index)] - score) /
                                   size);
        }
        if (!(worst <= tolerance))
            fail_msg("%s: off by %.2g", tz_rules_name(rules), worst);
    }
}

TEST(best) {
    check_best(integer_scores, false, 0);
    check_best(integer_scores, true, 0);
    /* Measured 1.3e-14, by align-near, whose derivations use up to a thousand weights. */
    check_best(plain_scores, true, 5e-14);
    check_best(large_scores, false, 5e-14);
}
