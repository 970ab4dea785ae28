/* test_written.c - do semirings that are written as text compute what they say, and are wrong ones
 * refused where they are wrong?
 *
 * Those of the gallery, on five rule sets, against the sum over enumerated derivations of the
 * product of what they use, fast and by TZ_PLAIN; some against the built-in of the same algebra.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "semirings/written.h"
#include "tests/support/oom.h"
#include "tests/support/problem.h"

static const char *const gallery[] = {"best-two", "bottleneck", "expectation", "lexicographic",
                                      "logsum",   "polynomial", "shortest",    "ties",
                                      "viterbi",  "ways"};
static const char *const rule_sets[] = {"chain", "cky", "compress", "edit", "eisner"};

static tz_semiring *read(const char *name) {
    char path[400];
    tz_semiring *ret = NULL;
    tz_error error;
    snprintf(path, sizeof path, TZ_SOURCE_ROOT "/semirings/gallery/%s.semiring", name);
    if (tz_semiring_read(path, &ret, &error) != TZ_OK)
        fail_msg("%s", error.message);
    return ret;
}

/* ---- Against enumeration --------------------------------------------------------------------- */

enum { LENGTH = 3, MOST = TZ_WRITTEN_PARTS };

/* Scores, and numbers for the semiring's inputs, which lie likewise. */
typedef struct asked {
    const tz_rules *rules;
    const tz_semiring *semiring;
    random_problem scores;
    double *input[2][MAX_WEIGHTS];
    double sum[MOST];
} asked;

static int add_derivation(void *user, const tz_enum_use *uses, size_t count) {
    asked *of = user;
    const tz_semiring *s = of->semiring;
    double product[MOST], factor[MOST];
    memcpy(product, s->one, s->size);
    for (size_t u = 0; u < count; u++) {
        double score = problem_score(&of->scores, uses[u].weight, uses[u].index), number[2];
        if (score == -INFINITY)
            return 0;
        const double *input[2] = {&number[0], &number[1]};
        for (size_t i = 0; i < s->inputs; i++)
            number[i] = of->input[i][uses[u].weight]
                                 [problem_cell(&of->scores, uses[u].weight, uses[u].index)];
        if (s->lift_inputs != NULL)
            s->lift_inputs(s, factor, 1, &score, input, 1);
        else
            s->lift(s, factor, 1, &score, 1);
        s->times(s, product, product, factor);
    }
    s->plus(s, of->sum, of->sum, product);
    return 0;
}

static void compare(const asked *of, unsigned flags) {
    const tz_semiring *s = of->semiring;
    tz_scores inputs[2 * MAX_WEIGHTS];
    tz_problem problem = of->scores.problem;
    const size_t weights = tz_rules_count(of->rules, TZ_WEIGHTS);
    double goal[MOST];
    for (size_t i = 0; i < s->inputs; i++)
        for (size_t w = 0; w < weights; w++) {
            inputs[i * weights + w] = of->scores.scores[w];
            inputs[i * weights + w].data = of->input[i][w];
        }
    problem.inputs = s->inputs > 0 ? inputs : NULL;
    OWN(tz_plan, plan) = make_plan(of->rules, s, TZ_FORCE | flags);
    OWN(tz_chart, chart) = make_chart(plan);
    tz_error error = {TZ_OK, ""};
    if (tz_bind(chart, &problem, 1, &error) != TZ_OK)
        fail_msg("%s, %s: %s", tz_rules_name(of->rules), s->name, error.message);
    assert_ok(tz_inside(chart));
    assert_ok(tz_goal_element(chart, 0, goal));
    for (size_t p = 0; p < s->size / sizeof(double); p++)
        if (goal[p] != of->sum[p] && !(fabs(goal[p] - of->sum[p]) <= 1e-11 * (1 + fabs(goal[p]))))
            fail_msg("%s, %s, flags %u: number %zu is %.17g, not %.17g", tz_rules_name(of->rules),
                     s->name, flags, p, goal[p], of->sum[p]);
}

TEST(enumeration) {
    random_state random = random_start("written");
    for (size_t r = 0; r < sizeof rule_sets / sizeof *rule_sets; r++)
        for (size_t g = 0; g < sizeof gallery / sizeof *gallery; g++) {
            OWN(tz_semiring, semiring) = read(gallery[g]);
            asked of = {.rules = tz_rules_find(rule_sets[r]), .semiring = semiring};
            int32_t lengths[TZ_MAX_LENGTHS];
            assert_non_null(of.rules);
            set_lengths(of.rules, LENGTH, 2, lengths);
            make_problem(of.rules, lengths, masked_integers, &random, &of.scores);
            for (size_t w = 0; w < 2 * tz_rules_count(of.rules, TZ_WEIGHTS); w++) {
                const size_t cells = of.scores.cells[w / 2];
                double *input = of.input[w % 2][w / 2] = malloc((cells + 1) * sizeof *input);
                for (size_t c = 0; c < cells; c++)
                    input[c] = integer_scores(&random);
            }
            memcpy(of.sum, semiring->zero, semiring->size);
            assert_ok(tz_enumerate(of.rules, lengths, 100000, add_derivation, &of));
            compare(&of, TZ_PLAIN);
            compare(&of, 0);
            for (size_t w = 0; w < 2 * tz_rules_count(of.rules, TZ_WEIGHTS); w++)
                free(of.input[w % 2][w / 2]);
            random_problem_free(&of.scores);
        }
}

/* ---- Against built-in ones ------------------------------------------------------------------- */

static size_t solve(const tz_rules *rules, const tz_semiring *semiring, const random_problem *p,
                    double *ret) {
    size_t count = 1;
    OWN(tz_plan, plan) = make_plan(rules, semiring, TZ_FORCE);
    OWN(tz_chart, chart) = make_chart(plan);
    run_inside(chart, &p->problem, 1);
    assert_ok(tz_item_values(chart, 0, TZ_GOAL, NULL, ret, &count));
    return count;
}

TEST(built_in) {
    static const char *const pairs[][2] = {
        {"viterbi", "max"}, {"ties", "ties"}, {"best-two", "kbest(2)"}, {"logsum", "log"}};
    const tz_rules *rules = tz_rules_find("eisner");
    const int32_t lengths[] = {17};
    random_state random = random_start("built in");
    OWNED(random_problem, p) = {0};
    make_problem(rules, lengths, integer_scores, &random, &p);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        OWN(tz_semiring, written) = read(pairs[i][0]);
        double is[MOST], should_be[MOST];
        OWN(tz_semiring, built_in) = make_semiring(pairs[i][1], TZ_F64);
        size_t count = solve(rules, written, &p, is);
        assert_int_equal(solve(rules, built_in, &p, should_be), count);
        for (size_t k = 0; k < count; k++)
            if (fabs(is[k] - should_be[k]) > (i == 3 ? 1e-12 * (1 + fabs(is[k])) : 0))
                fail_msg("%s: %.17g, not %.17g", pairs[i][0], is[k], should_be[k]);
    }
}

/* ---- Wrong ones ------------------------------------------------------------------------------ */

#define MAX_PLUS "element x\nzero -inf\none 0\nplus max(a, b)\n"

static const struct {
    const char *text, *message;
} wrong[] = {
    {"", "w: 'element' is missing"},
    {"  plus a\n", "w:1:3: a statement begins at the beginning of a line"},
    {"elemnt x\n", "w:1:1: unknown statement 'elemnt'; did you mean 'element'?"},
    {"element x\nelement y\n", "w:2:1: a second 'element'"},
    {"element x, x\n", "w:1:12: a second 'x'"},
    {"element score\n", "w:1:9: 'score' has a meaning in expressions: choose another name"},
    {"element p, q, r, s, t, u, v, w, x\n", "w:1:33: element: 8 names at most"},
    {"element 2x\n", "w:1:9: a name is up to 30 letters, digits and _, a letter first"},
    {"element x\none 0\n", "w: 'zero' is missing"},
    {"element x\nzero inf - inf\none 0\n", "w:2:1: zero is no number"},
    {"element x\nzero 0\none 1e999\n",
     "w:3:5: the number is too large for a double; infinity is called inf"},
    {"element x, y\nzero 0\n", "w:2:7: zero gives 1 value, and an element has 2"},
    {"element x\nzero 0, 0\n", "w:2:7: zero gives 1 value only"},
    {MAX_PLUS "times a + c\n", "w:5:11: 'c' is not known here; there are a, b"},
    {MAX_PLUS "times (a + b\n", "w:5:13: ')' is missing"},
    {MAX_PLUS "times max(a)\n", "w:5:12: max takes 2 arguments"},
    {MAX_PLUS "times a ? b\n", "w:5:12: ':' is missing: a choice is CONDITION ? VALUE : VALUE"},
    {MAX_PLUS "times a +\n", "w:5:10: times ends where a value is expected"},
    {MAX_PLUS "times a + b\nlaws associative\n",
     "w:6:6: laws are commutative, idempotent, path and exact"},
    {MAX_PLUS "times a + b\nalso x 3\n", "w:6:8: '=' is missing: write also NAME = EXPRESSION"},
    /* Laws. */
    {"element x\nzero 0\none 1\nplus a - b\ntimes a * b\n", "w: the order of adding matters: "},
    {"element x\nzero 0\none 1\nplus (a + b) / 2\ntimes a * b\n", "w: plus is not associative: "},
    {"element x\nzero 0\none 0\nplus a + b\ntimes a + b\n",
     "w: times does not distribute over plus: "},
    {"element x\nzero 0\none inf\nplus max(a, b)\ntimes min(a, b)\n", "w: zero is not neutral: "},
    {"element x\nzero 0\none 2\nplus a + b\ntimes a * b\n", "w: one is not neutral: "},
    {"element x\nzero 1000\none 0\nplus min(a, b)\ntimes a + b\n", "w: zero does not annihilate: "},
    {"element x\nzero inf\none 0\nplus a == inf ? b : a\ntimes a + b\n",
     "w: the order of adding matters: "},
    {"element x\nzero 0\none 1\nplus a + b\ntimes a * b\nlaws idempotent\n",
     "w: plus is not idempotent: "},
    {"element x\nzero 0\none 1\nplus a + b\ntimes a * b\nlaws path\n",
     "w: a + b is neither a nor b: "},
    {"element x\nzero 0\none 1\nplus a + b\ntimes a * b / 3 * 3\nlaws exact\n",
     "w: plus is not associative: "},
    {"element x\nzero -inf\none 0\nplus log(exp(a) + exp(b))\ntimes a - b\n",
     "w: what is computed is no number (0/0, inf - inf or 0 * inf): "},
    {"element x, y\nzero -inf, 0\none 0, 0\nplus max(a.x, b.x), a.x >= b.x ? a.y : b.y\n"
     "times a.x + b.x, a.y + 2 * b.y\nlift score, score\nvalue x\n",
     "w: times is not associative: "},
    {"element x\nzero -inf\none 0\nplus max(a, b)\ntimes a + b\nlift score / 0\n",
     "w: what is computed is no number (0/0, inf - inf or 0 * inf): "},
};

TEST(wrong) {
    size_t failed = 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        tz_semiring *semiring;
        tz_error error = {TZ_OK, ""};
        tz_status status = tz_semiring_parse("w", wrong[i].text, &semiring, &error);
        tz_semiring_free(semiring);
        if (status == TZ_OK || error.status != status || semiring != NULL ||
            strncmp(error.message, wrong[i].message, strlen(wrong[i].message)) != 0) {
            print_error("%s\n  gives: %s\n", wrong[i].text, error.message);
            failed++;
        }
    }
    assert_int_equal(failed, 0);
}

/* Each of these says more than it may: nested too deep, of too many operations. */
TEST(large) {
    char text[3000] = MAX_PLUS "times ";
    tz_semiring *semiring;
    tz_error error;
    const size_t begin = strlen(text);
    memset(text + begin, '(', 1000);
    assert_int_equal(tz_semiring_parse("w", text, &semiring, &error), TZ_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "nested"));
    text[begin] = '\0';
    for (size_t i = 0, used = begin; i < 120; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%zu + ", i);
    assert_int_equal(tz_semiring_parse("w", text, &semiring, &error), TZ_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "operations"));
}

static int attempt(void *user) {
    OWN(tz_semiring, semiring) = NULL;
    return tz_semiring_parse("w", user, &semiring, NULL);
}

TEST(memory) {
    oom_sweep("parse", attempt, (void *)MAX_PLUS "times a + b\n", TZ_NO_MEMORY, false);
}
