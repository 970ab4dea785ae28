/* test_extremes.c - impossible cells, large offsets and single precision.
 *
 * What is called measured is the largest over TZ_SEED=1..20, as in
 *   for s in $(seq 20); do TZ_SEED=$s tests/test_extremes; done | grep largest
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "tests/support/amount.h"
#include "tests/support/evaluate.h"
#include "tests/support/items.h"

enum { LENGTH = AMOUNT(30, 14) };

/* ---- 40 % of all cells impossible ------------------------------------------------------------ */

/* An item's value under `e`, and whether it is derivable, as bool says. */
typedef struct masked {
    const evaluation *e, *truth;
    double zero;
    size_t derivable, items;
} masked;

static void check_item(void *user, unsigned item, const int32_t *index) {
    masked *m = user;
    for (int outside = 0; outside < 2; outside++) {
        double value = item_value(m->e, item, index, outside);
        bool derivable = item_value(m->truth, item, index, outside) != 0;
        if (derivable ? !isfinite(value) || value == m->zero : value != m->zero)
            fail_msg("%s: %s value of a%s derivable item is %g", tz_rules_name(m->e->rules),
                     outside ? "outside" : "inside", derivable ? "" : "n under", value);
        m->derivable += derivable;
        m->items++;
    }
}

static void check_cells(const evaluation *e, double zero) {
    const random_problem *p = e->problem;
    const cell_numbers numbers[] = {tz_through, tz_marginals};
    for (unsigned w = 0; w < tz_rules_count(e->rules, TZ_WEIGHTS); w++) {
        for (unsigned k = 0; k < 2; k++) {
            if (k == 1 && strcmp(e->semiring, "log") != 0)
                continue;
            FREED(double, cell) = evaluation_cells(e, numbers[k], w);
            for (size_t c = 0; c < p->cells[w]; c++) {
                assert_false(isnan(cell[c]));
                assert_true(cell[c] < INFINITY);
                if (!isfinite(p->data[w][c])) /* impossible, or outside the domain */
                    assert_true(cell[c] == (k == 1 ? 0 : zero));
            }
        }
    }
}

/* No NaN anywhere; what bool cannot derive is zero, inside and outside, and nothing else is; cells
 * that are impossible have marginal 0 and no max-marginal. */
TEST(masked) {
    random_state random = random_start("masked");
    static const char *const semirings[] = {"max", "log", "count"};
    size_t items = 0, derivable = 0;
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        for (unsigned round = 0; round < AMOUNT(6, 2); round++) {
            OWNED(random_problem, p) = {0};
            bool possible = round % 2 == 0; /* in odd rounds perhaps nothing is */
            problem_of_size(rules, LENGTH, possible ? large_scores : masked_scores, &random, &p);
            if (possible)
                mask_problem(rules, &p, &random);
            OWNED(evaluation, truth) = evaluate(rules, "bool", &p);
            possible = evaluation_goal(&truth) != 0;
            for (unsigned s = 0; s < 3; s++) {
                OWNED(evaluation, e) = evaluate(rules, semirings[s], &p);
                masked m = {&e, &truth, s == 2 ? 0 : -INFINITY, 0, 0};
                each_item(rules, p.lengths, check_item, &m);
                items += m.items;
                derivable += m.derivable;
                if (possible) {
                    check_cells(&e, m.zero);
                } else {
                    double unused;
                    tz_output output = {&unused, {0}};
                    assert_true(evaluation_goal(&e) == m.zero);
                    assert_int_equal(tz_through(e.chart, 0, 0, &output), TZ_NONE);
                }
            }
        }
    }
    print_message("# %zu of %zu values derivable\n", derivable, items);
    assert_true(0 < derivable && derivable < items);
}

/* ---- All scores shifted ---------------------------------------------------------------------- */

static double grid_scores(random_state *random) {
    return ((double)random_below(random, 10241) - 5120) * 0x1p-10;
}

static void shift(random_problem *p, double by) {
    for (size_t c = 0; c < p->cells[0]; c++)
        p->data[0][c] += by;
}

/* Every tree of n words has n arcs: adding s to all scores adds n s to every structure's score and
 * leaves the marginals alone. The scores are multiples of 2^-10, so that the sums are exact: any
 * difference is the engine's. Marginals within 1e-11; measured 3.7e-15. */
TEST(shift) {
    random_state random = random_start("shift");
    static const char *const sets[] = {"eisner", "eisner-single-root", "sibling",
                                       "sibling-single-root"};
    static const int sizes[] = {6, 20, 60};
    double worst = 0;
    for (unsigned i = 0; i < 4 * 3; i++) {
        const tz_rules *rules = find_rules(sets[i / 3]);
        int n = sizes[i % 3];
        OWNED(random_problem, p) = {0};
        problem_of_size(rules, n, grid_scores, &random, &p);
        evaluation e = evaluate(rules, "log", &p), max = evaluate(rules, "max", &p);
        FREED(double, marginal) = evaluation_cells(&e, tz_marginals, 0);
        double log_z = evaluation_goal(&e), best = evaluation_goal(&max);
        evaluation_free(&e);
        evaluation_free(&max);
        for (int sign = -1; sign <= 1; sign += 2) {
            shift(&p, sign * 1e5);
            e = evaluate(rules, "log", &p);
            max = evaluate(rules, "max", &p);
            double *shifted = evaluation_cells(&e, tz_marginals, 0);
            double error = 0;
            for (size_t c = 0; c < p.cells[0]; c++)
                note_worst(&error, fabs(shifted[c] - marginal[c]));
            print_message("# %s, n = %d, shifted by %+g: marginals %.2g\n", sets[i / 3], n,
                          sign * 1e5, error);
            if (!(error <= 1e-11))
                fail_msg("%s, n = %d: marginals differ by %.2g", sets[i / 3], n, error);
            note_worst(&worst, error);
            assert_true(relative_error(evaluation_goal(&e), log_z + sign * 1e5 * n) <= 0x1p-52);
            assert_true(evaluation_goal(&max) == best + sign * 1e5 * n);
            free(shifted);
            evaluation_free(&e);
            evaluation_free(&max);
            shift(&p, -sign * 1e5);
        }
    }
    print_message("# largest difference of marginals: %.2g\n", worst);
}

/* ---- Single precision ------------------------------------------------------------------------ */

static double float_scores(random_state *random) {
    return (float)plain_scores(random);
}

typedef struct float_errors {
    double value, marginal, through;
} float_errors;

static void compare_precisions(const tz_rules *rules, const char *semiring, bool impossible,
                               random_state *random, float_errors *worst) {
    random_problem p;
    problem_of_size(rules, LENGTH, float_scores, random, &p);
    if (impossible)
        mask_problem(rules, &p, random);
    evaluation f32 = evaluate_as(rules, semiring, TZ_F32, &p);
    evaluation f64 = evaluate_as(rules, semiring, TZ_F64, &p);
    note_worst(&worst->value, relative_error(evaluation_goal(&f32), evaluation_goal(&f64)));
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        double *a = evaluation_cells(&f32, tz_through, w);
        double *b = evaluation_cells(&f64, tz_through, w);
        for (size_t c = 0; c < p.cells[w]; c++)
            note_worst(&worst->through, relative_error(a[c], b[c]));
        free(a);
        free(b);
        if (strcmp(semiring, "log") != 0)
            continue;
        a = evaluation_cells(&f32, tz_marginals, w);
        b = evaluation_cells(&f64, tz_marginals, w);
        for (size_t c = 0; c < p.cells[w]; c++)
            note_worst(&worst->marginal, relative_error(a[c], b[c]));
        free(a);
        free(b);
    }
    evaluation_free(&f32);
    evaluation_free(&f64);
    random_problem_free(&p);
}

/* float32 against float64 at n = 30, scores in [-5, 5] that both hold, some impossible. Measured,
 * as part of the float64 number where that is above 1: max 5.3e-6 for the value and 5.6e-6 through
 * cells; log 4.5e-8 and 8.2e-7, marginals 9.5e-6. */
TEST(float32) {
    random_state random = random_start("float32");
    static const char *const semirings[] = {"max", "log"};
    for (unsigned s = 0; s < 2; s++) {
        float_errors worst = {0};
        for (size_t i = 0; tz_rules_builtin(i) != NULL; i++)
            for (int impossible = 0; impossible < 2; impossible++)
                compare_precisions(tz_rules_builtin(i), semirings[s], impossible, &random, &worst);
        print_message("# largest relative error of float32, %s: value %.2g, marginals %.2g, "
                      "values through cells %.2g\n",
                      semirings[s], worst.value, worst.marginal, worst.through);
        assert_true(worst.value <= 1e-5 && worst.through <= 1e-5 && worst.marginal <= 2e-5);
        assert_true(worst.value > 0); /* it was another precision */
    }
}
