/* test_entries.c - are lanes that share the entries of sparse weights, as sentences share a
 * grammar, computed as each would be alone?
 *
 * Goal values, marginals and max-marginals by their bits, for the same lengths and for others, with
 * scores of every range; and of doubles against the plan that goes instance by instance,
 * within 1e-14 of the
 * larger of 1 and the number (measured 1.8e-15). And is a chart that has been used like a new one,
 * whatever is written to the arrays of indices? SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "engine/engine.h"
#include "tests/support/amount.h"
#include "tests/support/evaluate.h"
#include "tests/support/problem.h"
#include "tests/support/rules_text.h"

enum { LANES = 5, SYMBOLS = 4, LONGEST = 9 };

/* Two sparse weights that share a variable, in every kind of condition: on entries alone, between
 * them, between them and the stage, and on a length. */
static const char joined[] = "rules joined\n"
                             "structures derivations\n"
                             "length n, T\n"
                             "weight at[a,i] 0 <= a < T, 1 <= i <= n\n"
                             "weight go[a,b] sparse 0 <= a < T, 0 <= b < T\n"
                             "weight say[b,x] sparse 0 <= b < T, 0 <= x < T\n"
                             "item here[a,i] 0 <= a < T, 1 <= i <= n\n"
                             "item done\n"
                             "goal done\n"
                             "axiom\n---- start * at[a,1]\nhere[a,1]\n"
                             "here[a,i]\n"
                             "---- step * go[a,b] * say[b,x] * at[b,i+1] if a != b, x <= i + a, "
                             "x < n\n"
                             "here[b,i+1]\n"
                             "here[a,n]\n---- end\ndone\n";

static const score_source sources[] = {plain_scores, masked_scores, wide_scores, large_scores,
                                       equal_scores};

static size_t compared;
static double worst;

typedef struct batch {
    random_problem p[LANES];
    tz_problem problem[LANES];
} batch;

/* Lengths by name: n is the lane's own, labels are shared, and so are the first lane's entries. */
static void make_batch(const tz_rules *rules, bool mixed, score_source source, random_state *random,
                       batch *ret) {
    for (size_t l = 0; l < LANES; l++) {
        int32_t lengths[TZ_MAX_LENGTHS];
        set_lengths(rules, mixed ? 1 + (int32_t)random_below(random, LONGEST) : LONGEST, SYMBOLS,
                    lengths);
        make_problem(rules, lengths, source, random, &ret->p[l]);
        ret->problem[l] = ret->p[l].problem;
        for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
            if (!weight_of(rules, w)->sparse)
                continue;
            /* As many scores as the shared entries are. */
            size_t entries = ret->p[0].cells[w];
            free(ret->p[l].data[w]);
            ret->p[l].data[w] = need(calloc(entries + 1, sizeof(double)));
            for (size_t e = 0; e < entries; e++)
                ret->p[l].data[w][e] = source(random);
            ret->p[l].cells[w] = entries;
            ret->p[l].scores[w] = tz_scores_sparse(ret->p[0].index[w], ret->p[l].data[w], entries);
        }
    }
}

/* The weight's numbers in lane `at` of a chart. */
static double *numbers_of(cell_numbers what, tz_chart *chart, size_t at, const random_problem *p,
                          unsigned weight) {
    double *cell = need(calloc(p->cells[weight] + 1, sizeof *cell));
    tz_output output = problem_output(p, weight, cell);
    tz_status status = what(chart, at, weight, &output);
    assert_true(status == TZ_OK || status == TZ_NONE);
    return cell;
}

static void same_as(tz_chart *together, size_t lane, tz_chart *alone, const random_problem *p,
                    const tz_rules *rules, bool bits, cell_numbers what) {
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        double *a = numbers_of(what, together, lane, p, w), *b = numbers_of(what, alone, 0, p, w);
        for (size_t c = 0; c < p->cells[w]; c++) {
            if (bits || !isfinite(b[c])) {
                assert_memory_equal(&a[c], &b[c], sizeof *a);
            } else {
                double error = fabs(a[c] - b[c]) / fmax(1, fabs(b[c]));
                worst = fmax(worst, error);
                assert_true(error <= 1e-14);
            }
            compared++;
        }
        free(a);
        free(b);
    }
}

static void check_rules(const tz_rules *rules, const tz_semiring *semiring, cell_numbers what,
                        bool exact, random_state *random) {
    tz_plan *plan, *plain;
    tz_error error;
    assert_ok(tz_plan_new(rules, semiring, TZ_FORCE, &plan, &error));
    assert_ok(tz_plan_new(rules, semiring, TZ_FORCE | TZ_PLAIN, &plain, &error));
    tz_chart *together = make_chart(plan);
    tz_chart *alone = make_chart(plan);
    tz_chart *instances = make_chart(plain);
    for (size_t s = 0; s < sizeof sources / sizeof *sources; s++)
        for (unsigned turn = 0; turn < AMOUNT(6, 2); turn++) {
            static batch b;
            make_batch(rules, turn % 2 == 1, sources[s], random, &b);
            run_outside(together, b.problem, LANES);
            for (size_t l = 0; l < LANES; l++) {
                run_outside(alone, &b.problem[l], 1);
                same_as(together, l, alone, &b.p[l], rules, true, what);
                if (!exact)
                    continue;
                run_outside(instances, &b.problem[l], 1);
                same_as(together, l, instances, &b.p[l], rules, false, what);
            }
            free_problems(b.p, LANES);
        }
    tz_chart_free(together);
    tz_chart_free(alone);
    tz_chart_free(instances);
    tz_plan_free(plan);
    tz_plan_free(plain);
}

/* ---- One chart after another ----------------------------------------------------------------- */

/* Writes other indices to the arrays that all lanes share: the same entries, another one first. */
static void overwrite(const tz_rules *rules, batch *b) {
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        const size_t rank = weight_of(rules, w)->rank, entries = b->p[0].cells[w];
        int32_t first[TZ_MAX_RANK], *index = b->p[0].index[w];
        if (!weight_of(rules, w)->sparse || entries < 2)
            continue;
        memcpy(first, index, rank * sizeof *index);
        memmove(index, index + rank, (entries - 1) * rank * sizeof *index);
        memcpy(index + (entries - 1) * rank, first, rank * sizeof *index);
    }
}

/* The first of two entries twice, and as it was. */
static void spoil(const tz_rules *rules, batch *b, tz_chart *chart) {
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        const size_t rank = weight_of(rules, w)->rank;
        int32_t second[TZ_MAX_RANK], *index = b->p[0].index[w];
        if (!weight_of(rules, w)->sparse || b->p[0].cells[w] < 2)
            continue;
        memcpy(second, index + rank, rank * sizeof *index);
        memcpy(index + rank, index, rank * sizeof *index);
        assert_int_equal(tz_bind(chart, b->problem, LANES, NULL), TZ_BAD_ARGUMENT);
        index[rank] = -1;
        assert_int_equal(tz_bind(chart, b->problem, LANES, NULL), TZ_BAD_ARGUMENT);
        memcpy(index + rank, second, rank * sizeof *index);
    }
}

/* The answers of a chart that has been used, and of a new one. */
static void as_new(tz_chart *used, const tz_plan *plan, const batch *b, size_t lanes,
                   const tz_rules *rules, cell_numbers what) {
    OWN(tz_chart, new) = make_chart(plan);
    run_outside(used, b->problem, lanes);
    run_outside(new, b->problem, lanes);
    for (size_t l = 0; l < lanes; l++)
        for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
            double *a = numbers_of(what, used, l, &b->p[l], w);
            double *c = numbers_of(what, new, l, &b->p[l], w);
            assert_memory_equal(a, c, b->p[l].cells[w] * sizeof *a);
            compared += b->p[l].cells[w];
            free(a);
            free(c);
        }
}

/* The same arrays again, other indices in them, wrong ones, other lanes, other problems; mixed: of
 * lengths of their own too. */
static void check_again(const tz_rules *rules, bool mixed, const char *semiring, cell_numbers what,
                        random_state *random) {
    OWN(tz_plan, plan) = NULL;
    tz_error error;
    assert_ok(tz_plan_new(rules, tz_semiring_find(semiring, TZ_F64), TZ_FORCE, &plan, &error));
    OWN(tz_chart, used) = make_chart(plan);
    for (unsigned turn = 0; turn < AMOUNT(12, 4); turn++) {
        static batch b;
        make_batch(rules, mixed && turn % 4 == 3, sources[turn % 3], random, &b);
        for (unsigned time = 0; time < 3; time++)
            as_new(used, plan, &b, LANES, rules, what);
        overwrite(rules, &b);
        as_new(used, plan, &b, LANES, rules, what);
        spoil(rules, &b, used);
        as_new(used, plan, &b, LANES, rules, what);
        as_new(used, plan, &b, 1, rules, what);
        as_new(used, plan, &b, 2, rules, what);
        free_problems(b.p, LANES);
    }
}

TEST(again) {
    random_state random = random_start("index arrays again, and others");
    OWN(tz_rules, rules) = parse_rules(joined);
    const tz_rules *all[] = {rules, find_rules("cky"), find_rules("delete-tree")};
    compared = 0;
    for (size_t r = 0; r < 3; r++) {
        check_again(all[r], r < 2, "max", tz_through, &random);
        check_again(all[r], r < 2, "log", tz_marginals, &random);
    }
    print_message("# %zu numbers\n", compared);
    assert_true(compared > 10000);
}

static void check_all(const tz_rules *rules, random_state *random) {
    static const tz_precision precisions[] = {TZ_F64, TZ_F32};
    compared = 0;
    for (size_t i = 0; i < 2; i++) {
        tz_precision precision = precisions[i];
        check_rules(rules, tz_semiring_find("max", precision), tz_through, precision == TZ_F64,
                    random);
        check_rules(rules, tz_semiring_find("log", precision), tz_marginals, precision == TZ_F64,
                    random);
    }
    print_message("# %zu numbers, largest error %.2g\n", compared, worst);
    assert_true(compared > 10000);
}

TEST(grammar) {
    random_state random = random_start("shared grammars");
    check_all(find_rules("cky"), &random);
}

TEST(joined) {
    random_state random = random_start("shared entries that are joined");
    OWN(tz_rules, rules) = parse_rules(joined);
    check_all(rules, &random);
}
