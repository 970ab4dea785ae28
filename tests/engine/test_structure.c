/* test_structure.c - what is the probability of a given structure, and which structure loses least?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "tests/support/evaluate.h"
#include "tests/support/known.h"

enum { LIMIT = 120, ROUNDS = 3, USES = 64 };

/* A chart of `semiring` for a problem, after outside. */
typedef struct run {
    tz_semiring *semiring;
    tz_plan *plan;
    tz_chart *chart;
} run;

static run run_new(const tz_rules *rules, const char *semiring, tz_precision precision) {
    run r;
    r.semiring = make_semiring(semiring, precision);
    r.plan = make_plan(rules, r.semiring, TZ_FORCE);
    r.chart = make_chart(r.plan);
    return r;
}

static void run_bind(const run *r, const tz_problem *problem) {
    run_outside(r->chart, problem, 1);
}

static void run_free(const run *r) {
    tz_chart_free(r->chart);
    tz_plan_free(r->plan);
    tz_semiring_free(r->semiring);
}

/* A problem of a few derivations with facts that can be required. */
static void make_known(known *k, const tz_rules *rules, unsigned round, random_state *random) {
    int32_t lengths[TZ_MAX_LENGTHS];
    bool fits = false;
    for (int32_t n = 4; !fits; n--) {
        set_lengths(rules, n, 2, lengths);
        fits =
            known_make(k, rules, lengths, LIMIT, round == 1 ? masked_scores : plain_scores, random);
        if (!fits)
            known_free(k);
    }
    do {
        known_draw(k, round == 2, round > 0, random);
        known_filter(k);
    } while (k->most > 1);
}

static size_t uses_of(const known *k, size_t derivation, tz_use *ret) {
    size_t count;
    const tz_enum_use *use = known_uses(k, derivation, &count);
    assert_true(count <= USES);
    for (size_t u = 0; u < count; u++) {
        ret[u] = (tz_use){.weight = use[u].weight};
        memcpy(ret[u].index, use[u].index, sizeof ret[u].index);
    }
    return count;
}

static bool same_structure(const tz_use *a, const tz_use *b, size_t count) {
    for (size_t u = 0; u < count; u++) {
        size_t here = 0, there = 0;
        for (size_t v = 0; v < count; v++) {
            here += memcmp(&a[u], &a[v], sizeof a[u]) == 0;
            there += memcmp(&a[u], &b[v], sizeof a[u]) == 0;
        }
        if (here != there)
            return false;
    }
    return true;
}

/* Every derivation's structure: its score and probability, counting the derivations that share it
 * and agree with the facts. All that agree sum to 1; a structure of none that does has none. */
TEST(probabilities) {
    random_state random = random_start("probabilities of structures");
    size_t structures = 0;
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        run plain = run_new(rules, "log", TZ_F64),
            required = run_new(rules, "required(log)", TZ_F64);
        for (unsigned round = 0; round < ROUNDS; round++) {
            OWNED(known, k) = {0};
            make_known(&k, rules, round, &random);
            const run *r = round == 0 ? &plain : &required;
            run_bind(r, &k.own.problem);
            long double sum = 0;
            bool told = true;
            for (size_t d = 0; d < k.count; d++) {
                tz_use use[USES], other[USES];
                double score, log_probability;
                size_t count = uses_of(&k, d, use), sharing = 0;
                for (size_t e = 0; e < k.count; e++)
                    sharing += k.agrees[e] && uses_of(&k, e, other) == count &&
                               same_structure(use, other, count);
                tz_status status =
                    tz_structure(r->chart, 0, use, count, &score, &log_probability, NULL);
                /* A structure is not its uses where a derivation of these may use one again. */
                if (rules->derivations && status == TZ_LAW) {
                    told = false;
                    continue;
                }
                assert_int_equal(status, sharing > 0 ? TZ_OK : TZ_NONE);
                structures++;
                if (!k.agrees[d])
                    continue;
                long double want = k.score[d] + logl((long double)sharing) - k.log_z;
                assert_true(fabsl(score - k.score[d]) <= 1e-13);
                assert_true(fabsl(log_probability - want) <= 1e-13 * (1 + fabsl(want)));
                sum += expl(log_probability) / (long double)sharing;
            }
            assert_true(!told || k.possible == 0 || fabsl(sum - 1) <= 1e-12);
        }
        run_free(&plain);
        run_free(&required);
    }
    print_message("# %zu structures\n", structures);
}

static size_t times_used(const tz_use *use, size_t count, const tz_use *cell) {
    size_t times = 0;
    for (size_t u = 0; u < count; u++)
        times += use[u].weight == cell->weight &&
                 memcmp(use[u].index, cell->index, sizeof cell->index) == 0;
    return times;
}

/* Is there a derivation of these cells alone that uses one of them more often? */
static bool used_more_often(const known *k, const tz_use *use, size_t count) {
    for (size_t d = 0; d < k->count; d++) {
        tz_use other[USES];
        size_t others = uses_of(k, d, other), more = 0, strange = 0;
        for (size_t u = 0; u < others; u++) {
            size_t times = times_used(use, count, &other[u]);
            strange += times == 0;
            more += times < times_used(other, others, &other[u]);
        }
        if (more > 0 && strange == 0)
            return true;
    }
    return false;
}

/* A structure with a use left out, or given twice, or with one of another derivation's instead, is
 * that of a derivation or none at all: what enumeration says; or counting does not tell. */
TEST(others) {
    random_state random = random_start("other structures");
    size_t none = 0;
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        OWNED(run, r) = run_new(rules, "log", TZ_F64);
        OWNED(known, k) = {0};
        make_known(&k, rules, 0, &random);
        run_bind(&r, &k.own.problem);
        for (unsigned tries = 0; tries < 40 && k.count > 0; tries++) {
            tz_use use[USES + 1], other[USES];
            size_t count = uses_of(&k, random_below(&random, k.count), use);
            size_t others = uses_of(&k, random_below(&random, k.count), other);
            size_t at = count > 0 ? random_below(&random, count) : 0;
            unsigned how = (unsigned)random_below(&random, 3);
            if (count == 0 || others == 0)
                continue;
            if (how == 0)
                use[at] = use[--count];
            else if (how == 1)
                use[count++] = use[at];
            else
                use[at] = other[random_below(&random, others)];
            bool derived = false, possible = false;
            for (size_t e = 0; e < k.count; e++)
                if (uses_of(&k, e, other) == count && same_structure(use, other, count)) {
                    derived = true;
                    possible |= k.agrees[e];
                }
            double score, log_probability;
            tz_status status = tz_structure(r.chart, 0, use, count, &score, &log_probability, NULL);
            if (status == TZ_LAW)
                assert_true(used_more_often(&k, use, count));
            else
                assert_int_equal(status, derived && possible ? TZ_OK : TZ_NONE);
            none += status == TZ_NONE;
        }
    }
    print_message("# %zu that are none\n", none);
    assert_true(none > 100);
}

TEST(misuse) {
    random_state random = random_start("misuse");
    const tz_rules *rules = find_rules("eisner");
    int32_t n = 2;
    OWNED(random_problem, p) = {0};
    make_problem(rules, &n, plain_scores, &random, &p);
    OWNED(run, log) = run_new(rules, "log", TZ_F64), max = run_new(rules, "max", TZ_F64);
    tz_use use[] = {{.index = {0, 1}}, {.index = {1, 2}}}, outside = {.index = {1, 1}};
    double score, log_probability;
    assert_int_equal(tz_structure(log.chart, 0, use, 2, &score, &log_probability, NULL),
                     TZ_BAD_ARGUMENT);
    run_bind(&log, &p.problem);
    run_bind(&max, &p.problem);
    assert_ok(tz_structure(log.chart, 0, use, 2, &score, &log_probability, NULL));
    assert_int_equal(tz_structure(log.chart, 1, use, 2, &score, &log_probability, NULL),
                     TZ_BAD_ARGUMENT);
    assert_int_equal(tz_structure(log.chart, 0, &outside, 1, &score, &log_probability, NULL),
                     TZ_BAD_ARGUMENT);
    assert_int_equal(tz_structure(log.chart, 0, NULL, 0, &score, &log_probability, NULL), TZ_NONE);
    assert_int_equal(tz_structure(max.chart, 0, use, 2, &score, &log_probability, NULL), TZ_LAW);
    double gain = NAN;
    tz_error error;
    assert_int_equal(tz_bind_risk(max.chart, log.chart, 0, &gain, &error), TZ_BAD_ARGUMENT);
    assert_non_null(strstr(error.message, "gain of arc"));
    assert_int_equal(tz_bind_risk(log.chart, log.chart, 0, NULL, NULL), TZ_BAD_ARGUMENT);
    assert_int_equal(tz_bind_risk(max.chart, log.chart, 1, NULL, NULL), TZ_BAD_ARGUMENT);
    assert_ok(tz_bind_risk(max.chart, log.chart, 0, NULL, NULL));
}

/* tz_bind_risk's best derivation has the largest expected gain of all that agree with the facts:
 * for each, the sum over its uses of gain times the enumerated marginal. */
TEST(risk) {
    random_state random = random_start("minimum risk");
    size_t differs = 0, problems = 0;
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        run plain = run_new(rules, "log", TZ_F64),
            required = run_new(rules, "required(log)", TZ_F64);
        OWNED(run, max) = run_new(rules, "max", TZ_F64),
                   bound = run_new(rules, "required(max)", TZ_F64);
        for (unsigned round = 0; round < ROUNDS; round++) {
            known k;
            double gain[MAX_WEIGHTS];
            make_known(&k, rules, round, &random);
            const run *r = round == 0 ? &plain : &required, *decoder = round == 0 ? &max : &bound;
            for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++)
                gain[w] = random_between(&random, 0, 2);
            run_bind(r, &k.own.problem);
            tz_status status =
                tz_bind_risk(decoder->chart, r->chart, 0, round == 1 ? NULL : gain, NULL);
            if (k.possible == 0) {
                assert_int_equal(status, tz_rules_count(rules, TZ_WEIGHTS) > 0 ? TZ_NONE : TZ_OK);
                known_free(&k);
                continue;
            }
            assert_ok(status);
            long double most = -INFINITY, of_likeliest = 0;
            for (size_t d = 0; d < k.count; d++) {
                size_t count;
                const tz_enum_use *use = known_uses(&k, d, &count);
                long double sum = 0;
                for (size_t u = 0; u < count && k.agrees[d]; u++)
                    sum += (round == 1 ? 1 : gain[use[u].weight]) *
                           known_marginal(&k, use[u].weight, use[u].index);
                if (k.agrees[d] && sum > most)
                    most = sum;
                if (k.agrees[d] && k.score[d] == k.best)
                    of_likeliest = sum;
            }
            const tz_derivation *best = best_of(decoder->chart, 0);
            assert_true(fabsl(best->score - most) <= 1e-12 * (1 + fabsl(most)));
            differs += most > of_likeliest + 1e-9L;
            problems++;
            known_free(&k);
        }
        run_free(&plain);
        run_free(&required);
    }
    print_message("# of %zu problems, %zu have another likeliest derivation\n", problems, differs);
    assert_true(differs > 0);
}
