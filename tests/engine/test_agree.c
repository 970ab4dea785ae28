/* test_agree.c - different rule sets that must agree: other derivations of the same structures.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "tests/support/evaluate.h"

enum { PROBLEMS = 1000, LONGEST = 10 };

static const score_source sources[] = {integer_scores, plain_scores, masked_integers, masked_scores,
                                       large_scores};
enum { SOURCES = sizeof sources / sizeof *sources };

static bool exact(unsigned source) {
    return sources[source] == integer_scores || sources[source] == masked_integers;
}

/* A plan and a chart that serve problem after problem. */
typedef struct solver {
    const tz_rules *rules;
    tz_plan *plan;
    tz_chart *chart;
} solver;

static solver solver_new(const char *rules, const char *semiring) {
    solver s = {.rules = find_rules(rules)};
    s.plan = make_plan(s.rules, tz_semiring_find(semiring, TZ_F64), 0);
    s.chart = make_chart(s.plan);
    return s;
}

static void solver_free(solver *s) {
    tz_chart_free(s->chart);
    tz_plan_free(s->plan);
}

static double solve(const solver *s, const random_problem *p) {
    double value;
    tz_problem problem = {.lengths = p->lengths, .scores = p->scores, .numbers = p->numbers};
    run_inside(s->chart, &problem, 1);
    value = goal_of(s->chart, 0);
    return value;
}

/* The sum of |score| of the best structure, at least 1: what rounding is measured by. */
static double size_of_best(const solver *s) {
    const tz_derivation *best;
    double size = 0;
    if (tz_best(s->chart, 0, TZ_GOAL, NULL, &best) == TZ_OK)
        for (size_t u = 0; u < best->uses; u++)
            size += fabs(best->use[u].score);
    return fmax(1, size);
}

static void check_close(const char *what, double a, double b, double slack) {
    if (!(a == b || fabs(a - b) <= slack))
        fail_msg("%s: %.17g and %.17g", what, a, b);
}

/* Both rule sets have the same weights: the same best score on 1,000 problems; exactly on
 * integers. */
static void same_best(const char *one, const char *two) {
    random_state random = random_start(one);
    OWNED(solver, a) = solver_new(one, "max"), b = solver_new(two, "max");
    unsigned possible = 0;
    for (unsigned i = 0; i < PROBLEMS; i++) {
        OWNED(random_problem, p) = {0};
        problem_of_size(a.rules, (int)random_below(&random, LONGEST + 1), sources[i % SOURCES],
                        &random, &p);
        double left = solve(&a, &p), right = solve(&b, &p);
        check_close(one, left, right, exact(i % SOURCES) ? 0 : 1e-13 * size_of_best(&a));
        possible += left > -INFINITY;
    }
    print_message("# %s = %s on %u problems, %u of them derivable\n", one, two, PROBLEMS, possible);
    assert_true(possible > PROBLEMS / 2);
}

TEST(compress) {
    same_best("compress", "skip-bigram-note");
}

TEST(skip) {
    same_best("skip", "skip-note");
}

/* Fills a problem of `rules` of the same lengths as `from`, whose scores `score` says. */
typedef double (*score_of)(const random_problem *from, unsigned weight, const int32_t *index);

static void derive_problem(const tz_rules *rules, const random_problem *from, score_of score,
                           random_problem *ret) {
    random_state unused = {0};
    make_problem(rules, from->lengths, equal_scores, &unused, ret);
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        for (size_t c = 0; c < ret->cells[w]; c++) {
            int32_t index[TZ_MAX_RANK];
            cell_index(ret, w, c, index);
            if (tz_rules_declared(rules, w, from->lengths, index))
                ret->data[w][c] = score(from, w, index);
        }
    }
}

/* The left set under the random problem = the right one under the problem made from it, under max
 * (exactly on integers) and log. */
static void same_value(const char *one, const char *two, score_of score) {
    random_state random = random_start(one);
    static const char *const semirings[] = {"max", "log"};
    for (unsigned s = 0; s < 2; s++) {
        OWNED(solver, a) = solver_new(one, semirings[s]), b = solver_new(two, semirings[s]);
        for (unsigned i = 0; i < PROBLEMS; i++) {
            OWNED(random_problem, p) = {0}, made = {0};
            problem_of_size(a.rules, (int)random_below(&random, LONGEST + 1), sources[i % SOURCES],
                            &random, &p);
            derive_problem(b.rules, &p, score, &made);
            double left = solve(&a, &p), right = solve(&b, &made);
            double slack = s == 0 ? 1e-13 * size_of_best(&a) : 1e-13 * fmax(1, fabs(left));
            if (s == 1 && sources[i % SOURCES] == large_scores)
                slack = 1e-13 * 1e4 * (LONGEST + 1); /* at most so much a structure */
            check_close(two, left, right, s == 0 && exact(i % SOURCES) ? 0 : slack);
        }
    }
}

/* skip's weights are arc and skip, compress's arc and bigram. With skip and bigram all zero only
 * the arcs count. */
static double arcs_only(const random_problem *from, unsigned weight, const int32_t *index) {
    return weight == 0 ? problem_score(from, 0, index) : 0;
}

/* bigram[i,j] = the sum of skip over i+1..j-1: then dropping costs the same in both. */
static double skips_between(const random_problem *from, unsigned weight, const int32_t *index) {
    double sum = 0;
    for (int32_t k = index[0] + 1; weight == 1 && k < index[1]; k++)
        sum += problem_score(from, 1, &k);
    return weight == 0 ? problem_score(from, 0, index) : sum;
}

/* A sibling score that does not look at the sibling. */
static double any_sibling(const random_problem *from, unsigned weight, const int32_t *index) {
    int32_t arc[] = {index[0], index[2]};
    return problem_score(from, weight, weight == 0 ? arc : index);
}

/* compress = skip where words are dropped for nothing, and where bigrams are sums of skips. */
TEST(compress_and_skip) {
    random_state random = random_start("compress and skip");
    solver skip = solver_new("skip", "max"), compress = solver_new("compress", "max");
    for (unsigned i = 0; i < PROBLEMS; i++) {
        OWNED(random_problem, p) = {0}, free_skips = {0}, free_bigrams = {0};
        problem_of_size(skip.rules, (int)random_below(&random, LONGEST + 1), sources[i % SOURCES],
                        &random, &p);
        derive_problem(skip.rules, &p, arcs_only, &free_skips);
        derive_problem(compress.rules, &p, arcs_only, &free_bigrams);
        double left = solve(&skip, &free_skips), right = solve(&compress, &free_bigrams);
        check_close("compress and skip, arcs only", left, right,
                    exact(i % SOURCES) ? 0 : 1e-13 * size_of_best(&skip));
        assert_true(left >= 0); /* nothing is kept */
    }
    solver_free(&skip);
    solver_free(&compress);
    same_value("skip", "compress", skips_between);
}

/* Second order = first order where the sibling does not matter. */
TEST(siblings) {
    same_value("eisner", "sibling", any_sibling);
    same_value("eisner-single-root", "sibling-single-root", any_sibling);
    same_value("compress", "compress-sibling", any_sibling);
    same_value("compress-single-root", "compress-sibling-single-root", any_sibling);
}

/* One root word: what is found where every arc from the root costs 1,000 more, plus 1,000. */
static double costly_root(const random_problem *from, unsigned weight, const int32_t *index) {
    double score = problem_score(from, weight, index);
    return weight == 0 && index[0] == 0 ? score - 1000 : score;
}

/* The empty compression would cost nothing more: it is made impossible. */
static double costly_root_not_empty(const random_problem *from, unsigned weight,
                                    const int32_t *index) {
    bool empty = weight == 1 && index[0] == 0 && index[1] == from->lengths[0] + 1;
    return empty ? -INFINITY : costly_root(from, weight, index);
}

static void check_root(const char *single, const char *any, score_of score) {
    random_state random = random_start(single);
    OWNED(solver, a) = solver_new(single, "max"), b = solver_new(any, "max");
    for (unsigned i = 0; i < PROBLEMS; i++) {
        OWNED(random_problem, p) = {0}, made = {0};
        problem_of_size(a.rules, 1 + (int)random_below(&random, LONGEST), integer_scores, &random,
                        &p);
        derive_problem(b.rules, &p, score, &made);
        check_close(single, solve(&a, &p), solve(&b, &made) + 1000, 0);
    }
}

TEST(single_root) {
    check_root("eisner-single-root", "eisner", costly_root);
    check_root("sibling-single-root", "sibling", costly_root);
    check_root("compress-single-root", "compress", costly_root_not_empty);
    check_root("compress-sibling-single-root", "compress-sibling", costly_root_not_empty);
}

/* semimarkov's weights are segment and trans; chain's are start, trans and emit. Segments of one
 * position only. */
static double single_segments(const random_problem *from, unsigned weight, const int32_t *index) {
    if (weight == 1)
        return problem_score(from, 1, index);
    if (index[0] != index[1])
        return -INFINITY;
    int32_t emit[] = {index[0], index[2]};
    return problem_score(from, 2, emit) + (index[0] == 1 ? problem_score(from, 0, &index[2]) : 0);
}

TEST(segments) {
    same_value("chain", "semimarkov", single_segments);
}
