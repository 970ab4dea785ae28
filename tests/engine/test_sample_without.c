/* test_sample_without.c - are samples without replacement those of successive draws?
 *
 * Until none is left every possible derivation must come exactly once; the first and second of many
 * short runs must come as often as they should, ordered pairs by the exact probability
 * p q / (1 - p). TZ_SEED is the seed. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "tests/support/sampling.h"

enum { MOST_DERIVATIONS = 3000, RUNS = 10000 };

/* ---- Until none is left ---------------------------------------------------------------------- */

static int compare_keys(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Every derivation once, so every structure as often as it has derivations. Returns how many. */
static size_t check_exhausted(const population *p, tz_chart *chart, uint64_t seed) {
    FREED(uint64_t, key) = calloc(p->derivations + 1, sizeof *key);
    FREED(unsigned, count) = calloc(p->count + 1, sizeof *count);
    assert_true(key != NULL && count != NULL);
    OWN(tz_sampler, sampler) = new_sampler(chart, 0, seed, true);
    for (size_t s = 0; s < p->derivations; s++) {
        const tz_derivation *d = next_sample(sampler);
        key[s] = derivation_key(d);
        count[find_structure(p, d)]++;
    }
    for (unsigned again = 0; again < 2; again++) {
        const tz_derivation *d;
        assert_int_equal(tz_sampler_next(sampler, &d), TZ_NONE);
        assert_null(d);
    }
    qsort(key, p->derivations, sizeof *key, compare_keys);
    for (size_t s = 1; s < p->derivations; s++)
        if (key[s] == key[s - 1])
            fail_msg("%s: a derivation comes twice", p->rules->name);
    for (size_t i = 0; i < p->count; i++)
        assert_int_equal(count[i], p->at[i].derivations);
    return p->derivations;
}

TEST(exhausted) {
    random_state random = random_start("samples until none is left");
    static const score_source source[] = {plain_scores, masked_scores, large_scores, equal_scores,
                                          mixed_scores};
    static const char *const semirings[] = {"log", "count"};
    size_t drawn = 0, none = 0;
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++)
        for (unsigned s = 0; s < 5; s++)
            for (unsigned precision = 0; precision < 2; precision++) {
                const tz_rules *rules = tz_rules_builtin(i);
                OWNED(random_problem, problem) = {0};
                population p;
                problem_of_size(rules, 2 + (int)(s % 3), source[s], &random, &problem);
                evaluation e =
                    evaluate_as(rules, semirings[s == 3], (tz_precision)precision, &problem);
                if (enumerate_problem(rules, &problem, MOST_DERIVATIONS, &p)) {
                    drawn += check_exhausted(&p, e.chart, random_bits(&random));
                    none += p.count == 0;
                    free(p.at);
                }
                evaluation_free(&e);
            }
    print_message("# %zu derivations of all built-in rule sets, %zu times none\n", drawn, none);
    assert_true(drawn > 3000 && none > 0);
}

/* ---- How often ------------------------------------------------------------------------------- */

/* Pairs of structures, and firsts, by the probabilities of their derivations. */
static void check_pairs(const char *name, int n, score_source source, random_state *random) {
    const tz_rules *rules = find_rules(name);
    OWNED(random_problem, problem) = {0};
    population p;
    problem_of_size(rules, n, source, random, &problem);
    assert_true(enumerate_problem(rules, &problem, MOST_DERIVATIONS, &p));
    assert_true(p.count > 3 && p.derivations < 60);
    OWNED(evaluation, e) = evaluate(rules, "log", &problem);
    unsigned *first = calloc(p.count, sizeof *first);
    unsigned *pair = calloc(p.count * p.count, sizeof *pair);
    double *of_first = calloc(p.count, sizeof *of_first);
    double *of_pair = calloc(p.count * p.count, sizeof *of_pair);
    double *wrong = calloc(p.count * p.count, sizeof *wrong);
    assert_true(first && pair && of_first && of_pair && wrong);
    for (size_t i = 0; i < p.count; i++) {
        double one = p.at[i].probability, all = p.at[i].derivations * one;
        of_first[i] = all;
        for (size_t j = 0; j < p.count; j++) {
            double other = p.at[j].derivations * p.at[j].probability;
            of_pair[i * p.count + j] = all * (i == j ? other - one : other) / (1 - one);
            wrong[i * p.count + j] = all * other; /* with replacement */
        }
    }
    for (unsigned run = 0; run < RUNS; run++) {
        OWN(tz_sampler, sampler) = new_sampler(e.chart, 0, random_bits(random), true);
        size_t i = find_structure(&p, next_sample(sampler));
        size_t j = find_structure(&p, next_sample(sampler));
        first[i]++;
        pair[i * p.count + j]++;
    }
    double z_first = chi_square(first, of_first, p.count, RUNS);
    double z_pair = chi_square(pair, of_pair, p.count * p.count, RUNS);
    double z_wrong = chi_square(pair, wrong, p.count * p.count, RUNS);
    print_message("# %s: %zu structures, firsts %.1f deviations, pairs %.1f; wrong ones %.1f\n",
                  name, p.count, z_first, z_pair, z_wrong);
    assert_true(z_first < most_deviations && z_pair < most_deviations);
    assert_true(z_wrong > most_deviations);
    free(first);
    free(pair);
    free(of_first);
    free(of_pair);
    free(wrong);
    free(p.at);
}

TEST(pairs) {
    random_state random = random_start("pairs of samples");
    check_pairs("eisner", 3, mild_scores, &random);
    check_pairs("eisner", 3, plain_scores, &random);
    check_pairs("skip-note", 2, mild_scores, &random); /* ambiguous */
    check_pairs("cky", 3, mild_scores, &random);       /* sparse */
    check_pairs("edit", 2, mild_scores, &random);
    check_pairs("compress-sibling", 3, mild_scores, &random);
}

/* The last of all comes late because it is unlikely: its probability of being the last one, by all
 * orders of the rest. */
static double last_probability(const population *p, unsigned drawn, size_t last) {
    double left = 0, sum = 0;
    for (size_t i = 0; i < p->count; i++)
        if ((drawn & 1u << i) == 0)
            left += p->at[i].probability;
    if ((drawn | 1u << last) == (1u << p->count) - 1)
        return 1;
    for (size_t i = 0; i < p->count; i++)
        if (i != last && (drawn & 1u << i) == 0)
            sum += p->at[i].probability / left * last_probability(p, drawn | 1u << i, last);
    return sum;
}

TEST(last) {
    random_state random = random_start("last samples");
    const tz_rules *rules = find_rules("eisner-single-root");
    OWNED(random_problem, problem) = {0};
    population p;
    problem_of_size(rules, 3, mild_scores, &random, &problem);
    assert_true(enumerate_problem(rules, &problem, MOST_DERIVATIONS, &p));
    assert_int_equal(p.count, 7);
    OWNED(evaluation, e) = evaluate(rules, "log", &problem);
    unsigned count[7] = {0};
    double probability[7];
    for (size_t i = 0; i < p.count; i++)
        probability[i] = last_probability(&p, 0, i);
    for (unsigned run = 0; run < RUNS; run++) {
        OWN(tz_sampler, sampler) = new_sampler(e.chart, 0, random_bits(&random), true);
        size_t at = 0;
        for (size_t i = 0; i < p.count; i++)
            at = find_structure(&p, next_sample(sampler));
        count[at]++;
    }
    double z = chi_square(count, probability, p.count, RUNS);
    print_message("# last of %zu: %.1f deviations\n", p.count, z);
    assert_true(z < most_deviations);
    free(p.at);
}

/* ---- At full size ---------------------------------------------------------------------------- */

/* Many samples, none twice. */
TEST(distinct) {
    enum { DRAWN = 1000 };
    random_state random = random_start("distinct samples");
    static const char *const names[] = {"eisner", "compress-sibling-single-root", "cky"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const tz_rules *rules = find_rules(names[i]);
        random_problem problem;
        problem_of_size(rules, i == 2 ? 12 : 60, plain_scores, &random, &problem);
        evaluation e = evaluate(rules, "log", &problem);
        OWN(tz_sampler, sampler) = new_sampler(e.chart, 0, random_bits(&random), true);
        FREED(uint64_t, key) = need(calloc(DRAWN, sizeof *key));
        for (size_t s = 0; s < DRAWN; s++)
            key[s] = structure_key(next_sample(sampler));
        qsort(key, DRAWN, sizeof *key, compare_keys);
        for (size_t s = 1; s < DRAWN; s++)
            assert_true(key[s] != key[s - 1]);
        evaluation_free(&e);
        random_problem_free(&problem);
    }
}
