/* test_lanes.c - are lanes that stand side by side lifted and read as each would be alone?
 *
 * What is refused, in whichever lane, and what does not count. Then batches of problems of the same
 * lengths, or not, against each problem in a chart of its own: goal values, marginals and
 * max-marginals by their bits; charts laid out for longer lengths too, rows shorter and longer than
 * what is transposed at once, arrays laid out alike or each in its own way, outputs in any order of
 * the indices, charts used again. And how many does tz_run put side by side?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "engine/chart/bind.h"
#include "engine/layout/address.h"
#include "tests/support/copied.h"
#include "tests/support/problem.h"

/* ---- Batches --------------------------------------------------------------------------------- */

typedef struct lane {
    random_problem p;
    void *data[MAX_WEIGHTS];
    tz_scores scores[MAX_WEIGHTS];
    tz_problem problem;
} lane;

/* Strides of an array with the first index fastest, or the last, and so many positions of each
 * dimension that nothing is asked of; returns its size. */
static size_t set_strides(const tz_shape *shape, bool first_fastest, int pad, ptrdiff_t *ret) {
    ptrdiff_t stride = 1;
    for (unsigned i = 0; i < shape->rank; i++) {
        unsigned q = first_fastest ? i : shape->rank - 1 - i;
        ret[q] = stride;
        stride *= shape->extent[q] + pad;
    }
    return (size_t)stride;
}

/* Where the cell of a row-major array stands in one with these strides. */
static ptrdiff_t place(const tz_shape *shape, size_t cell, const ptrdiff_t *stride) {
    ptrdiff_t at = 0;
    for (unsigned q = shape->rank; q-- > 0; cell /= (size_t)shape->extent[q])
        at += (ptrdiff_t)(cell % (size_t)shape->extent[q]) * stride[q];
    return at;
}

/* layout: bit 0 floats, bit 1 the first index fastest, bit 2 padded. What is not asked for is NaN.
 */
static void make_lane(const tz_rules *rules, const int32_t *lengths, score_source source,
                      unsigned layout, random_state *random, lane *ret) {
    make_problem(rules, lengths, source, random, &ret->p);
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        const tz_shape *shape = &ret->p.shape[w];
        ret->scores[w] = tz_scores_dense(shape, NULL);
        size_t size = set_strides(shape, layout & 2, layout & 4 ? 3 : 0, ret->scores[w].stride);
        double *copy = need(calloc(size + 1, sizeof *copy));
        for (size_t at = 0; at < size; at++)
            set_element(!(layout & 1), copy, at, NAN);
        ret->data[w] = copy;
        ret->scores[w].data = copy;
        ret->scores[w].type = layout & 1 ? TZ_FLOAT : TZ_DOUBLE;
        for (size_t c = 0; c < ret->p.cells[w]; c++) {
            ptrdiff_t at = place(shape, c, ret->scores[w].stride);
            if (layout & 1)
                ((float *)copy)[at] = (float)ret->p.data[w][c];
            else
                copy[at] = ret->p.data[w][c];
        }
    }
    ret->problem = ret->p.problem;
    ret->problem.scores = ret->scores;
    ret->problem.lengths = ret->p.lengths;
}

static void free_lane(const tz_rules *rules, lane *lane) {
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++)
        free(lane->data[w]);
    random_problem_free(&lane->p);
}

static size_t answered, padded; /* marginals, and charts whose scores were padded */

typedef tz_status (*asked)(tz_chart *, size_t, size_t, const tz_output *);

/* A weight's numbers, row-major whatever the output's order is. */
static tz_status ask(asked what, tz_chart *chart, size_t problem, size_t weight,
                     const tz_shape *shape, size_t cells, bool first_fastest, double *ret) {
    double *data = need(calloc(cells + 1, sizeof *data));
    tz_output output = {.data = data};
    set_strides(shape, first_fastest, 0, output.stride);
    for (size_t c = 0; c < cells; c++)
        data[c] = NAN;
    tz_status status = what(chart, problem, weight, &output);
    for (size_t c = 0; c < cells; c++)
        ret[c] = data[place(shape, c, output.stride)];
    free(data);
    return status;
}

static void same_numbers(asked what, const tz_rules *rules, tz_chart *batch, tz_chart *alone,
                         const lane *lane, size_t at, random_state *random) {
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        const tz_shape *shape = &lane->p.shape[w];
        size_t cells = lane->p.cells[w];
        double *found = calloc(cells + 1, sizeof *found),
               *expected = calloc(cells + 1, sizeof *expected);
        assert_non_null(found);
        assert_non_null(expected);
        tz_status status = ask(what, batch, at, w, shape, cells, random_below(random, 2), found);
        assert_int_equal(ask(what, alone, 0, w, shape, cells, random_below(random, 2), expected),
                         status);
        if (status == TZ_OK)
            assert_memory_equal(found, expected, cells * sizeof *found);
        answered += status == TZ_OK;
        free(found);
        free(expected);
    }
}

/* tz_marginals_all, into arrays that are alike, or of any order, or not all wanted, against
 * tz_marginals; 0 where that finds no derivation. */
static void same_at_once(const tz_rules *rules, tz_chart *chart, const lane *lane, size_t lanes,
                         random_state *random) {
    static tz_output output[MAX_LANES * MAX_WEIGHTS];
    const int pad = random_below(random, 2) ? 3 : 0;
    const bool alike = random_below(random, 2), all = random_below(random, 2);
    static size_t room[MAX_LANES * MAX_WEIGHTS];
    for (size_t i = 0; i < lanes * tz_rules_count(rules, TZ_WEIGHTS); i++) {
        const tz_shape *shape = &lane[i / tz_rules_count(rules, TZ_WEIGHTS)]
                                     .p.shape[i % tz_rules_count(rules, TZ_WEIGHTS)];
        room[i] = set_strides(shape, !alike && random_below(random, 2), pad, output[i].stride);
        output[i].data = NULL;
        if (!all && random_below(random, 3) == 0)
            continue;
        output[i].data = calloc(room[i] + 1, sizeof(double));
        for (size_t c = 0; c < room[i]; c++)
            output[i].data[c] = NAN;
    }
    assert_ok(tz_marginals_all(chart, output));
    for (size_t i = 0; i < lanes * tz_rules_count(rules, TZ_WEIGHTS); i++) {
        const size_t w = i % tz_rules_count(rules, TZ_WEIGHTS),
                     l = i / tz_rules_count(rules, TZ_WEIGHTS), cells = lane[l].p.cells[w];
        const tz_shape *shape = &lane[l].p.shape[w];
        if (output[i].data == NULL)
            continue;
        double *expected = calloc(cells + 1, sizeof *expected);
        tz_status status = ask(tz_marginals, chart, l, w, shape, cells, false, expected);
        size_t untouched = 0;
        for (size_t c = 0; c < cells; c++) {
            double right = status == TZ_OK ? expected[c] : 0;
            assert_memory_equal(&output[i].data[place(shape, c, output[i].stride)], &right,
                                sizeof right);
        }
        for (size_t c = 0; c < room[i]; c++)
            untouched += output[i].data[c] != output[i].data[c];
        assert_int_equal(untouched, room[i] - cells);
        free(expected);
        free(output[i].data);
    }
}

/* A length for one lane among others that may have n: that or a few less, now and then any. */
static int32_t shorter(int32_t n, random_state *random) {
    int32_t less = (int32_t)random_below(random, random_below(random, 4) > 0 ? 4 : (uint64_t)n + 1);
    return less < n ? n - less : 0;
}

static void try_batch(const tz_plan *plan, tz_chart *batch, tz_chart *alone, int32_t n,
                      size_t lanes, score_source source, random_state *random) {
    const tz_rules *rules = plan->rules;
    static lane lane[MAX_LANES];
    tz_problem problem[MAX_LANES] = {0};
    int32_t lengths[TZ_MAX_LENGTHS];
    bool alike = random_below(random, 4) != 0, mixed = random_below(random, 2);
    unsigned layout = (unsigned)random_below(random, 8);
    for (size_t l = 0; l < lanes; l++) {
        set_lengths(rules, mixed ? shorter(n, random) : n, 2, lengths);
        make_lane(rules, lengths, source, alike ? layout : (unsigned)random_below(random, 8),
                  random, &lane[l]);
        problem[l] = lane[l].problem;
    }
    tz_error error = {TZ_OK, ""};
    if (random_below(random, 3) > 0) {
        tz_status status = tz_bind(batch, problem, lanes, &error);
        assert_string_equal(error.message, "");
        assert_ok(status);
    } else {
        set_lengths(rules, n + (int32_t)random_below(random, 4), 2, lengths);
        assert_ok(tz_bind_checked(batch, problem, lanes, lengths));
    }
    padded += batch->bound.padded_scores != batch->bound.scores;
    assert_ok(tz_inside(batch));
    assert_ok(tz_outside(batch));
    if (plan->wide.semiring->share != NULL)
        same_at_once(rules, batch, lane, lanes, random);
    for (size_t l = 0; l < lanes; l++) {
        double found, expected;
        assert_ok(tz_bind(alone, &problem[l], 1, &error));
        assert_ok(tz_inside(alone));
        assert_ok(tz_outside(alone));
        found = goal_of(batch, l);
        expected = goal_of(alone, 0);
        assert_memory_equal(&found, &expected, sizeof found);
        same_numbers(tz_through, rules, batch, alone, &lane[l], l, random);
        if (plan->wide.semiring->share != NULL)
            same_numbers(tz_marginals, rules, batch, alone, &lane[l], l, random);
    }
    for (size_t l = 0; l < lanes; l++)
        free_lane(rules, &lane[l]);
}

static void try_rules(const tz_rules *rules, const char *semiring, score_source source,
                      random_state *random) {
    static const int32_t n[] = {1, 6, 6, 9, 3};
    static const size_t lanes[] = {2, 3, 8, 16, MAX_LANES};
    for (unsigned i = 0; i < 2 * ISAS; i++) {
        const tz_semiring *s = tz_semiring_find(semiring, i % 2 ? TZ_F64 : TZ_F32);
        OWN(tz_plan, plan) = make_plan(rules, s, isa_flags[i / 2]);
        tz_chart *batch = make_chart(plan);
        tz_chart *alone = make_chart(plan);
        for (unsigned turn = 0; turn < 5; turn++)
            for (unsigned again = 0; again < 2; again++)
                try_batch(plan, batch, alone, n[turn], lanes[(turn + i) % 5], source, random);
        if (i == 2 * ISAS - 1)
            try_batch(plan, batch, alone, 70, 3, source, random);
        tz_chart_free(batch);
        tz_chart_free(alone);
    }
}

/* One bad score, which counts where the cell is in the domain. */
static void refuse_one(const tz_plan *plan, tz_chart *chart, random_state *random) {
    static const double bad[] = {NAN, INFINITY};
    const tz_rules *rules = plan->rules;
    static lane lane[MAX_LANES];
    tz_problem problem[MAX_LANES] = {0};
    int32_t lengths[TZ_MAX_LENGTHS];
    int64_t index[TZ_MAX_RANK];
    size_t lanes = 1 + random_below(random, 2) * random_below(random, MAX_LANES);
    unsigned layout = (unsigned)random_below(random, 4) * 2 + 1,
             w = (unsigned)random_below(random, tz_rules_count(rules, TZ_WEIGHTS));
    const bool mixed = random_below(random, 2);
    for (size_t l = 0; l < lanes; l++) {
        set_lengths(rules, mixed ? 4 + (int32_t)random_below(random, 4) : 7, 2, lengths);
        make_lane(rules, lengths, plain_scores, layout, random, &lane[l]);
        problem[l] = lane[l].problem;
    }
    size_t l = random_below(random, lanes), cell = random_below(random, lane[l].p.cells[w]);
    const tz_shape *shape = &lane[l].p.shape[w];
    ptrdiff_t at = place(shape, cell, lane[l].scores[w].stride);
    ((float *)lane[l].data[w])[at] = (float)bad[random_below(random, 2)];
    for (unsigned q = shape->rank; q-- > 0; cell /= (size_t)shape->extent[q])
        index[q] = shape->origin[q] + (int64_t)(cell % (size_t)shape->extent[q]);
    bool counts = tz_domain_holds(&weight_of(rules, w)->domain, rules->lengths, lane[l].p.lengths,
                                  shape->rank, index);
    tz_error error = {TZ_OK, ""};
    assert_int_equal(tz_bind(chart, problem, lanes, &error), counts ? TZ_BAD_SCORE : TZ_OK);
    assert_int_equal(error.message[0] != '\0', counts);
    char blamed[32];
    snprintf(blamed, sizeof blamed, "problem %zu: ", l);
    if (counts && lanes > 1)
        assert_memory_equal(error.message, blamed, strlen(blamed));
    for (size_t each = 0; each < lanes; each++)
        free_lane(rules, &lane[each]);
}

TEST(refused) {
    static const char *const rules[] = {"eisner", "compress", "sibling"};
    static const char *const semirings[] = {"max", "log", "count"};
    random_state random = random_start("refused");
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
        for (unsigned i = 0; i < 6 * ISAS; i++) {
            const tz_semiring *s = tz_semiring_find(semirings[i % 3], i / 3 % 2 ? TZ_F64 : TZ_F32);
            OWN(tz_plan, plan) = make_plan(tz_rules_find(rules[r]), s, isa_flags[i / 6]);
            OWN(tz_chart, chart) = make_chart(plan);
            for (int turn = 0; turn < 12; turn++)
                refuse_one(plan, chart, &random);
        }
}

static double float_scores(random_state *random) {
    return (double)(float)masked_scores(random);
}

static double near_scores(random_state *random) {
    return (double)(float)plain_scores(random);
}

/* Narrow elements do not reach. */
static double far_scores(random_state *random) {
    return (double)(float)large_scores(random);
}

static void try_semirings(const tz_rules *rules, random_state *random) {
    try_rules(rules, "max", float_scores, random);
    try_rules(rules, "log", near_scores, random);
    try_rules(rules, "log", far_scores, random);
    try_rules(rules, "count", float_scores, random);
}

TEST(side_by_side) {
    static const char *const rules[] = {"eisner", "compress", "sibling"};
    random_state random = random_start("side by side");
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++)
        try_semirings(tz_rules_find(rules[r]), &random);
    assert_true(answered > 1000);
    assert_true(padded > 100);
}

/* ---- Beside longer ones ---------------------------------------------------------------------- */

/* An item that several rules use is summed in one order, whether the first stage of a bundle is one
 * of the sentence's own or only of a longer one beside it. */
TEST(beside_longer) {
    random_state random = random_start("beside longer ones");
    OWN(tz_rules, rules) = NULL;
    assert_ok(
        tz_rules_read(TZ_SOURCE_ROOT "/tests/rules/good/shared-products.rules", &rules, NULL));
    const tz_semiring *log = tz_semiring_find("log", TZ_F32);
    OWN(tz_plan, plan) = make_plan(rules, log, TZ_FORCE);
    OWN(tz_chart, both) = make_chart(plan);
    OWN(tz_chart, alone) = make_chart(plan);
    for (int32_t longest = 1; longest <= 8; longest++)
        for (unsigned turn = 0; turn < 20; turn++) {
            random_problem p[2];
            const int32_t n = (int32_t)random_below(&random, (uint64_t)longest);
            make_problem(rules, &longest, plain_scores, &random, &p[0]);
            make_problem(rules, &n, plain_scores, &random, &p[1]);
            const tz_problem problem[] = {p[0].problem, p[1].problem};
            assert_ok(tz_bind(both, problem, 2, NULL));
            assert_ok(tz_bind(alone, &problem[1], 1, NULL));
            for (unsigned c = 0; c < 2; c++) {
                assert_ok(tz_inside(c ? alone : both));
                assert_ok(tz_outside(c ? alone : both));
            }
            for (int32_t i = 0; i <= n; i++)
                for (int32_t j = i; j <= n; j++) {
                    double a, b;
                    int32_t index[] = {i, j};
                    assert_ok(tz_item_value(both, 1, 0, index, true, &a));
                    assert_ok(tz_item_value(alone, 0, 0, index, true, &b));
                    assert_memory_equal(&a, &b, sizeof a);
                }
            random_problem_free(&p[0]);
            random_problem_free(&p[1]);
        }
}

/* Lanes go on with items that they lack where nothing reads these, and only there. */
TEST(spilling) {
    random_state random = random_start("spilling");
    static const char *const files[] = {"going-on", "going-on-both", "looking-ahead"};
    for (size_t f = 0; f < sizeof files / sizeof *files; f++) {
        char path[256];
        OWN(tz_rules, rules) = NULL;
        size_t spilling = 0;
        snprintf(path, sizeof path, TZ_SOURCE_ROOT "/tests/rules/good/%s.rules", files[f]);
        assert_ok(tz_rules_read(path, &rules, NULL));
        for (unsigned s = 0; s < rules->steps; s++)
            spilling += rules->step[s].spilled_lengths != rules->step[s].shared_lengths;
        assert_int_equal(spilling > 0, f < 2);
        for (unsigned turn = 0; turn < 5; turn++)
            try_semirings(rules, &random);
    }
    const tz_rules *chain = tz_rules_find("chain");
    unsigned folds = 0;
    for (unsigned s = 0; s < chain->steps; s++) {
        folds += chain->step[s].target.which >= chain->items;
        if (chain->step[s].target.which >= chain->items)
            assert_int_equal(chain->step[s].spilled_lengths, 0);
    }
    assert_true(folds > 0);
}

/* Lanes of different lengths have a place for each cell, wherever domains end, and go through the
 * same loops. */
TEST(ends) {
    static const struct {
        const char *file;
        bool apart; /* some steps with loops go lane by lane */
    } is[] = {{"tests/rules/good/ends", true},
              {"rules/gallery/segment-limit", true},
              {"rules/gallery/rnn-t", false},
              {"rules/gallery/folding", false}};
    random_state random = random_start("ends");
    for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
        char path[256];
        OWN(tz_rules, rules) = NULL;
        bool apart = false;
        snprintf(path, sizeof path, TZ_SOURCE_ROOT "/%s.rules", is[i].file);
        assert_ok(tz_rules_read(path, &rules, NULL));
        OWN(tz_plan, plan) = make_plan(rules, tz_semiring_find("max", TZ_F64), 0);
        assert_true(plan->nested);
        for (unsigned s = 0; s < rules->steps; s++)
            apart |= rules->step[s].nest.loops > 0 && rules->step[s].spilled_lengths != 0;
        assert_int_equal(apart, is[i].apart);
        if (i == 0)
            for (unsigned turn = 0; turn < 5; turn++)
                try_semirings(rules, &random);
    }
}

/* ---- How many side by side ------------------------------------------------------------------- */

enum { MIXED = 24, LONG = 4 };

typedef struct group {
    double value[MIXED];
    size_t last; /* lane of a long one */
    size_t last_of_short;
} group;

static tz_status note(void *user, size_t problem, tz_chart *chart, size_t lane) {
    group *g = user;
    size_t *last = problem < LONG ? &g->last : &g->last_of_short;
    *last = lane > *last ? lane : *last;
    return tz_goal(chart, lane, &g->value[problem]);
}

/* Short sentences together, long ones one by one unless told else; the same bits. */
TEST(long_alone) {
    random_state random = random_start("long ones alone");
    const tz_rules *rules = tz_rules_find("eisner");
    for (int log = 0; log < 2; log++) {
        static lane lane[MIXED];
        tz_problem problem[MIXED] = {0};
        const tz_semiring *s = tz_semiring_find(log ? "log" : "max", log ? TZ_F64 : TZ_F32);
        OWN(tz_plan, plan) = make_plan(rules, s, 0);
        for (size_t p = 0; p < MIXED; p++) {
            int32_t lengths[TZ_MAX_LENGTHS];
            set_lengths(rules, p < LONG ? 150 + (int32_t)p : 12, 2, lengths);
            make_lane(rules, lengths, near_scores, 0, &random, &lane[p]);
            problem[p] = lane[p].problem;
        }
        group chosen = {.last = 0}, told = {.last = 0};
        const tz_run_options options = {.lanes = 16};
        assert_ok(tz_run(plan, problem, MIXED, NULL, note, &chosen, NULL));
        assert_ok(tz_run(plan, problem, MIXED, &options, note, &told, NULL));
        assert_int_equal(chosen.last, 0);
        assert_int_equal(chosen.last_of_short, log ? 7 : 15);
        assert_int_equal(told.last, LONG - 1);
        assert_int_equal(told.last_of_short, 15);
        assert_memory_equal(chosen.value, told.value, sizeof chosen.value);
        for (size_t p = 0; p < MIXED; p++)
            free_lane(rules, &lane[p]);
    }
}

/* Of second-order scores a lane has so many that those of 16 would have no place. */
TEST(weights_have_a_place) {
    const tz_semiring *s = tz_semiring_find("max", TZ_F32);
    OWN(tz_plan, plan) = make_plan(tz_rules_find("sibling"), s, 0);
    double cells;
    size_t lanes = tz_best_lanes(plan, (int32_t[TZ_MAX_LENGTHS]){1}, &(int){-1}, &cells);
    assert_int_equal(lanes, 16);
    for (int32_t n = 2; n < 100; n++) {
        size_t fewer = tz_best_lanes(plan, (int32_t[TZ_MAX_LENGTHS]){n}, &(int){-1}, &cells);
        assert_true(fewer <= lanes);
        lanes = fewer;
    }
    assert_int_equal(lanes, 1);
}
