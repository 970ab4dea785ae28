/* test_sample_bits.c - do samples depend on the problem and the seed alone?
 *
 * Not on instruction sets, lanes, threads, narrow or wide elements. And: random numbers, what is
 * refused, problems with one derivation or none.
 * TZ_SEED is the seed. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "base/philox.h"
#include "engine/pass/run.h"
#include "tests/support/isas.h"
#include "tests/support/narrow.h"
#include "tests/support/sampling.h"

enum { DRAWN = 8, LANES = 8, SEED = 20 };

/* ---- Random numbers -------------------------------------------------------------------------- */

/* The known answers of Salmon, Moraes, Dror & Shaw's Random123 library. */
TEST(philox) {
    static const uint32_t known[][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d,
         0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
         0x94fdcceb, 0x5001e420, 0x24126ea1}};
    for (unsigned k = 0; k < 3; k++) {
        uint32_t word[4];
        memcpy(word, known[k], sizeof word);
        tz_philox(word, known[k][4], known[k][5]);
        assert_memory_equal(word, known[k] + 6, sizeof word);
    }
    assert_true(tz_uniform_of(0, 0) == 0x1p-53);
    assert_true(tz_uniform_of(UINT32_MAX, UINT32_MAX) == 1 - 0x1p-53);
    tz_stream one = {.seed = 1, .number = 2}, again = one, other = {.seed = 1, .number = 3};
    for (unsigned i = 0; i < 5; i++) {
        double u = tz_uniform(&one);
        assert_true(u == tz_uniform(&again) && u != tz_uniform(&other) && u > 0 && u < 1);
    }
}

/* ---- The same bits --------------------------------------------------------------------------- */

/* Keys and scores of the first samples; TZ_NONE is a key too. */
typedef struct record {
    uint64_t key[2][DRAWN];
    double score[2][DRAWN];
} record;

static record record_samples(tz_chart *chart, size_t lane) {
    record r;
    memset(&r, 0, sizeof r);
    for (unsigned without = 0; without < 2; without++) {
        OWN(tz_sampler, sampler) = new_sampler(chart, lane, SEED, without == 1);
        for (unsigned s = 0; s < DRAWN; s++) {
            const tz_derivation *d;
            tz_status status = tz_sampler_next(sampler, &d);
            assert_true(status == TZ_OK || status == TZ_NONE);
            r.key[without][s] = status == TZ_OK ? derivation_key(d) : 0;
            r.score[without][s] = status == TZ_OK ? d->score : 0;
        }
    }
    return r;
}

static void expect_same(const tz_rules *rules, const char *what, const record *a, const record *b) {
    if (memcmp(a, b, sizeof *a) != 0)
        fail_msg("%s: other samples %s", rules->name, what);
}

typedef struct run {
    const random_problem *problem;
    record record;
} run;

static tz_status visit(void *user, size_t problem, tz_chart *chart, size_t lane) {
    run *runs = user;
    runs[problem].record = record_samples(chart, lane);
    return TZ_OK;
}

/* How many charts went over to wide elements, or had them, while sampling. */
typedef struct totals {
    unsigned charts, wide, went_wide;
} totals;

static void check_bits(const tz_rules *rules, tz_precision precision, score_source source,
                       random_state *random, totals *t) {
    random_problem p[LANES];
    tz_problem problem[LANES];
    run runs[LANES];
    for (unsigned lane = 0; lane < LANES; lane++) {
        problem_of_size(rules, lane == 2 ? 14 : 3 + (int)random_below(random, 14), source, random,
                        &p[lane]);
        problem[lane] = p[lane].problem;
        runs[lane].problem = &p[lane];
    }
    const isas here = isas_here();
    record reference[LANES];
    for (unsigned f = 0; f < here.count; f++) {
        OWN(tz_plan, plan) = new_plan(rules, precision, here.flags[f]);
        OWN(tz_chart, chart) = make_chart(plan);
        for (unsigned lane = 0; lane < LANES; lane++) {
            run_inside(chart, &problem[lane], 1);
            bool wide = is_wide(chart);
            record r = record_samples(chart, 0);
            t->charts++;
            t->wide += wide;
            t->went_wide += !wide && is_wide(chart);
            if (f == 0)
                reference[lane] = r;
            expect_same(rules, "without some instruction sets", &r, &reference[lane]);
            if (f > 0)
                continue;
            assert_ok(tz_repeat_wide(chart, TZ_PASS_INSIDE));
            r = record_samples(chart, 0);
            expect_same(rules, "from wide elements", &r, &reference[lane]);
        }
        run_outside(chart, problem, LANES);
        for (unsigned lane = 0; lane < LANES; lane++) {
            record r = record_samples(chart, lane);
            expect_same(rules, "beside others", &r, &reference[lane]);
        }
        tz_run_options options = {.lanes = 3, .threads = 2};
        assert_ok(tz_run(plan, problem, LANES, &options, visit, runs, NULL));
        for (unsigned lane = 0; lane < LANES; lane++)
            expect_same(rules, "from threads", &runs[lane].record, &reference[lane]);
    }
    free_problems(p, LANES);
}

TEST(bits) {
    random_state random = random_start("bits of samples");
    static const score_source source[] = {plain_scores, masked_scores, wide_scores, large_scores};
    totals t = {0};
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++)
        for (unsigned s = 0; s < 4; s++)
            check_bits(tz_rules_builtin(i), (s + i) % 2 == 0 ? TZ_F64 : TZ_F32, source[s], &random,
                       &t);
    print_message("# %u charts, %u wide from the beginning, %u went wide while sampling\n",
                  t.charts, t.wide, t.went_wide);
    assert_true(t.wide > 0 && t.wide < t.charts && t.went_wide > 0);
}

/* Every chart of a seed gives other samples than those of another seed. */
TEST(seeds) {
    random_state random = random_start("seeds of samples");
    const tz_rules *rules = find_rules("eisner");
    OWNED(random_problem, problem) = {0};
    problem_of_size(rules, 20, equal_scores, &random, &problem);
    OWNED(evaluation, e) = evaluate(rules, "log", &problem);
    static const uint64_t seed[] = {0, 1, 2, (uint64_t)1 << 32, UINT64_MAX};
    uint64_t key[5];
    for (unsigned s = 0; s < 5; s++) {
        OWN(tz_sampler, sampler) = new_sampler(e.chart, 0, seed[s], s % 2 == 1);
        key[s] = structure_key(next_sample(sampler));
        for (unsigned o = 0; o < s; o++)
            assert_true(key[o] != key[s]);
    }
}

/* ---- Ends ------------------------------------------------------------------------------------ */

TEST(refused) {
    random_state random = random_start("samplers refused");
    const tz_rules *rules = find_rules("eisner");
    random_problem problem;
    problem_of_size(rules, 4, plain_scores, &random, &problem);
    static const char *const without_shares[] = {"max", "bool"};
    OWN(tz_sampler, sampler) = NULL;
    for (unsigned i = 0; i < 2; i++) {
        OWNED(evaluation, e) = evaluate_as(rules, without_shares[i], TZ_F64, &problem);
        assert_int_equal(tz_sampler_new(e.chart, 0, 1, false, &sampler), TZ_LAW);
        assert_null(sampler);
    }
    OWNED(evaluation, e) = evaluate(rules, "log", &problem);
    assert_int_equal(tz_sampler_new(e.chart, 1, 1, false, &sampler), TZ_BAD_ARGUMENT);
    assert_null(sampler);
    sampler = new_sampler(e.chart, 0, 1, false);
    assert_ok(tz_bind(e.chart, &problem.problem, 1, NULL));
    tz_sampler *early;
    assert_int_equal(tz_sampler_new(e.chart, 0, 1, false, &early), TZ_BAD_ARGUMENT);
    const tz_derivation *d;
    assert_int_equal(tz_sampler_next(sampler, &d), TZ_BAD_ARGUMENT);
    assert_null(d);
    /* Nor after tz_inside: the values may be others. */
    assert_ok(tz_inside(e.chart));
    assert_int_equal(tz_sampler_next(sampler, &d), TZ_BAD_ARGUMENT);
    tz_sampler_free(NULL);
    random_problem_free(&problem);
}

/* More derivations than count counts: nothing can be drawn from numbers that have stopped growing.
 */
TEST(too_many) {
    random_state random = random_start("too many derivations");
    const tz_rules *rules = find_rules("eisner");
    for (int n = 300; n <= 420; n += 120) {
        random_problem problem;
        problem_of_size(rules, n, equal_scores, &random, &problem);
        const tz_derivation *d;
        OWN(tz_plan, plan) = make_plan(rules, tz_semiring_find("count", TZ_F64), 0);
        OWN(tz_chart, chart) = make_chart(plan);
        run_inside(chart, &problem.problem, 1);
        for (unsigned without = 0; without < 2; without++) {
            OWN(tz_sampler, sampler) = new_sampler(chart, 0, 1, without == 1);
            assert_int_equal(tz_sampler_next(sampler, &d), n == 300 ? TZ_OK : TZ_TOO_LARGE);
        }
        random_problem_free(&problem);
    }
}

/* One derivation, of n = 0 and of scores that leave one; and none. */
TEST(few) {
    random_state random = random_start("one sample or none");
    const tz_rules *rules = find_rules("eisner");
    for (unsigned left = 0; left < 3; left++) {
        OWNED(random_problem, problem) = {0};
        problem_of_size(rules, left == 2 ? 0 : 3, plain_scores, &random, &problem);
        for (size_t c = 0; c < problem.cells[0]; c++) {
            int32_t index[TZ_MAX_RANK] = {0};
            cell_index(&problem, 0, c, index);
            if (left == 0 || index[0] != index[1] - 1)
                problem.data[0][c] = -INFINITY;
        }
        OWNED(evaluation, e) = evaluate(rules, "log", &problem);
        for (unsigned without = 0; without < 2; without++) {
            OWN(tz_sampler, sampler) = new_sampler(e.chart, 0, 1, without == 1);
            for (unsigned s = 0; s < 3; s++) {
                const tz_derivation *d = NULL;
                tz_status status = tz_sampler_next(sampler, &d);
                bool none = left == 0 || (without == 1 && s > 0);
                assert_int_equal(status, none ? TZ_NONE : TZ_OK);
                if (!none) {
                    double score = 0;
                    OWNED(evaluation, best) = evaluate(rules, "max", &problem);
                    score = evaluation_goal(&best);
                    assert_true(relative_error(d->score, score) < 1e-15);
                    assert_int_equal(d->uses, left == 2 ? 0 : 3);
                }
            }
        }
    }
}
