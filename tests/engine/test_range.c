/* test_range.c - log where items, scores or products leave the range of narrow elements: the
 * answers are those of long double (precise.h), zeros are exact, nothing is NaN.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "tests/support/element.h"
#include "tests/support/items.h"
#include "tests/support/narrow.h"
#include "tests/support/precise.h"

/* ---- Items out of range ---------------------------------------------------------------------- */

typedef struct against {
    const evaluation *e, *precise;
    double worst;
} against;

static void compare_item(void *user, unsigned item, const int32_t *index) {
    against *a = user;
    for (int outside = 0; outside < 2; outside++) {
        double got = item_value(a->e, item, index, outside);
        double want = item_value(a->precise, item, index, outside);
        if ((got == -INFINITY) != (want == -INFINITY))
            fail_msg("%s: %s value of an item is %g, not %g", tz_rules_name(a->e->rules),
                     outside ? "outside" : "inside", got, want);
        note_worst(&a->worst, relative_error(got, want));
    }
}

/* Everything of eisner against long double: zero exactly where that is. */
static moment compare_all(const char *what, const random_problem *p, double *worst_value,
                          double *worst_marginal) {
    const tz_rules *rules = find_rules("eisner");
    evaluation precise = evaluate_precisely(rules, p);
    double log_z = evaluation_goal(&precise);
    evaluation e = {.rules = rules, .problem = p, .semiring = "log"};
    e.plan = new_plan(rules, TZ_F64, 0);
    e.chart = make_chart(e.plan);
    moment when = compute(e.chart, &p->problem, 1);
    double value = relative_error(evaluation_goal(&e), log_z), marginal = 0;
    against a = {&e, &precise, 0};
    each_item(rules, p->lengths, compare_item, &a);
    note_worst(&value, a.worst);
    if (log_z > -INFINITY) {
        double *got = evaluation_cells(&e, tz_marginals, 0);
        double *want = evaluation_cells(&precise, tz_marginals, 0);
        double *through = evaluation_cells(&precise, tz_through, 0);
        for (size_t c = 0; c < p->cells[0]; c++) {
            if (through[c] == -INFINITY)
                assert_true(got[c] == 0);
            double error = fabs(got[c] - want[c]);
            note_worst(&marginal, isnan(error) ? INFINITY : error);
        }
        free(got);
        free(want);
        free(through);
    }
    when = is_wide(e.chart) && when == NEVER ? AT_MARGINALS : when;
    print_message("# %s: log Z %g, wide %s; errors of values %.2g, of marginals %.2g\n", what,
                  log_z, moment_name[when], value, marginal);
    note_worst(worst_value, value);
    note_worst(worst_marginal, marginal);
    evaluation_free(&e);
    evaluation_free(&precise);
    return when;
}

/* The score of h -> m for words from..to, for every head, or for one: the rest is impossible. */
static void set_heads(random_problem *p, int32_t from, int32_t to, int32_t only, double score) {
    for (int32_t m = from; m <= to; m++)
        for (int32_t h = 0; h <= p->lengths[0]; h++)
            if (h != m)
                p->data[0][problem_cell(p, 0, (int32_t[]){h, m})] =
                    only < 0 || only == h ? score : -INFINITY;
}

/* Trees whose scores are near 0, but for what is said. Values within 1e-14, marginals within
 * 1e-13; measured 4e-16 and 6.7e-16. */
TEST(out_of_range) {
    random_state random = random_start("out of range");
    const tz_rules *rules = find_rules("eisner");
    double value = 0, marginal = 0;
    for (unsigned way = 0; way < 7; way++) {
        static const char *const name[] = {
            "every tree has one arc of -2000", "every tree has three arcs of -300",
            "every tree has one arc of +2000", "one arc of -2000 that few trees have",
            "words 5..9 under heads at -250",  "+60 for what 13 heads, -550 for its head",
            "no tree: a word without a head"};
        OWNED(random_problem, p) = {0};
        problem_of_size(rules, 20, tiny_scores, &random, &p);
        switch (way) {
        case 0:
            set_heads(&p, 12, 12, 11, -2000);
            break;
        case 1:
            set_heads(&p, 12, 14, 11, -300);
            break;
        case 2:
            set_heads(&p, 12, 12, 11, 2000);
            break;
        case 3:
            p.data[0][problem_cell(&p, 0, (int32_t[]){3, 17})] = -2000;
            break;
        case 4:
            set_heads(&p, 5, 9, -1, -250);
            break;
        case 5:
            /* Values of the span 11..15 are large, and what is outside it is out of range. */
            for (int32_t h = 0; h <= 20; h++)
                if (h < 11 || h > 15)
                    p.data[0][problem_cell(&p, 0, (int32_t[]){h, 13})] = -550;
            set_heads(&p, 3, 3, -1, -100);
            for (int32_t m = 11; m <= 15; m++)
                if (m != 13)
                    p.data[0][problem_cell(&p, 0, (int32_t[]){13, m})] = 60;
            break;
        default:
            set_heads(&p, 8, 8, 21, 0);
        }
        moment when = compare_all(name[way], &p, &value, &marginal);
        if (way == 0 || way == 3) /* whatever the scales */
            assert_true(when != NEVER);
    }
    print_message("# largest error of values %.2g, of marginals %.2g\n", value, marginal);
    assert_true(value <= 1e-14);
    assert_true(marginal <= 1e-13);
}

/* Makes every cell impossible. */
static void mask_all(const tz_rules *rules, random_problem *p) {
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++)
        for (size_t c = 0; c < p->cells[w]; c++)
            p->data[w][c] = isnan(p->data[w][c]) ? NAN : -INFINITY;
}

typedef struct given {
    unsigned weight;
    int32_t index[3];
    double score;
} given;

/* Every item is in range, but the use of one weight times all else is not: exp(-800) of
 * Z = exp(log_z). */
static void check_small_share(const char *name, int32_t n, const given *cells, size_t count,
                              double log_z) {
    const tz_rules *rules = find_rules(name);
    random_problem p;
    random_state random = {7}; /* a seed by which sparse weights have the entries named */
    problem_of_size(rules, n, equal_scores, &random, &p);
    mask_all(rules, &p);
    for (size_t c = 0; c < count; c++) {
        size_t cell = problem_cell(&p, cells[c].weight, cells[c].index);
        assert_true(cell != SIZE_MAX);
        p.data[cells[c].weight][cell] = cells[c].score;
    }
    const given *last = &cells[count - 1];
    for (unsigned precision = TZ_F64; precision <= TZ_F32; precision++) {
        double epsilon = precision_epsilon((tz_precision)precision);
        evaluation e = evaluate_as(rules, "log", (tz_precision)precision, &p);
        assert_true(relative_error(evaluation_goal(&e), log_z) <= epsilon);
        size_t cell = problem_cell(&p, last->weight, last->index);
        double *share = evaluation_cells(&e, tz_marginals, last->weight);
        double *through = evaluation_cells(&e, tz_through, last->weight);
        print_message("# %s %s: marginal %g, value %g\n", name,
                      precision_name((tz_precision)precision), share[cell], through[cell]);
        if (!(fabs(share[cell] / exp(-800 - log_z) - 1) <= 8 * epsilon))
            fail_msg("%s: marginal %g instead of %g", name, share[cell], exp(-800 - log_z));
        if (!(relative_error(through[cell], -800) <= epsilon))
            fail_msg("%s: value %g instead of -800", name, through[cell]);
        free(share);
        free(through);
        evaluation_free(&e);
    }
    random_problem_free(&p);
}

/* Position 2, 2 is reached by deletions and insertions, or, hardly ever, by sub[2,2] from 1, 1. */
TEST(small_share) {
    static const given cells[] = {{1, {1, 0}, 0}, {1, {2, 0}, 0},    {2, {2, 1}, 0},
                                  {2, {2, 2}, 0}, {0, {1, 1}, -300}, {0, {3, 3}, -300},
                                  {2, {1, 2}, 0}, {2, {1, 3}, 0},    {1, {2, 3}, 0},
                                  {1, {3, 3}, 0}, {0, {2, 2}, -200}};
    check_small_share("edit", 3, cells, 11, -300 + log(2));
}

/* The same with a sparse weight, whose marginals are summed another way: words 1..2 are (0 0) or,
 * hardly ever, (1 1). */
TEST(small_sparse_share) {
    static const given cells[] = {{1, {0, 1, 1}, 0},    {1, {0, 2, 2}, 0}, {1, {0, 3, 3}, -200},
                                  {1, {0, 1, 2}, 0},    {1, {0, 1, 3}, 0}, {1, {1, 1, 1}, -200},
                                  {1, {1, 2, 2}, -200}, {0, {0, 0, 0}, 0}, {0, {0, 1, 1}, -200}};
    check_small_share("cky", 3, cells, 9, -200);
}
