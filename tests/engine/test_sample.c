/* test_sample.c - do samples with replacement come as often as they should?
 *
 * Frequencies of structures against enumerated probabilities by Pearson's chi-square, for every
 * built-in rule set, ambiguous ones forced; frequencies of weights' cells at full size against
 * marginals. TZ_SEED is the seed. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "tests/support/sampling.h"

enum { SAMPLES = 10000, MOST_DERIVATIONS = 3000 };

static double mild_masked_scores(random_state *random) {
    return random_unit(random) < 0.2 ? -INFINITY : mild_scores(random);
}

/* Counts of structures; each sample's score is that of its structure. */
static unsigned *count_samples(const population *p, tz_chart *chart, uint64_t seed) {
    unsigned *count = need(calloc(p->count + 1, sizeof *count));
    OWN(tz_sampler, sampler) = new_sampler(chart, 0, seed, false);
    for (unsigned s = 0; s < SAMPLES; s++) {
        const tz_derivation *d = next_sample(sampler);
        size_t at = find_structure(p, d);
        assert_true(relative_error(d->score, p->at[at].score) < 1e-14);
        count[at]++;
    }
    return count;
}

static double deviations(const population *p, const unsigned *count) {
    FREED(double, probability) = need(calloc(p->count + 1, sizeof *probability));
    for (size_t i = 0; i < p->count; i++)
        probability[i] = p->at[i].derivations * p->at[i].probability;
    return chi_square(count, probability, p->count, SAMPLES);
}

typedef struct totals {
    unsigned trials, biased; /* trials that tell a bias */
    double worst, least_biased;
} totals;

/* The largest problem of at most 5 words that can be enumerated. */
static bool draw_problem(const tz_rules *rules, score_source source, random_state *random,
                         random_problem *ret, population *p) {
    for (int n = 5; n >= 2; n--) {
        problem_of_size(rules, n, source, random, ret);
        if (enumerate_problem(rules, ret, MOST_DERIVATIONS, p)) {
            if (p->count > 0)
                return true;
            free(p->at);
        }
        random_problem_free(ret);
    }
    return false;
}

/* Counted all alike under count, by exp(score) under log. */
static void check_frequencies(const tz_rules *rules, const char *semiring, tz_precision precision,
                              score_source source, random_state *random, totals *t) {
    random_problem problem;
    population p;
    if (!draw_problem(rules, source, random, &problem, &p))
        return;
    bool alike = strcmp(semiring, "count") == 0;
    evaluation e = evaluate_as(rules, semiring, precision, &problem);
    set_probabilities(&p, alike ? 0 : 1);
    unsigned *count = count_samples(&p, e.chart, random->at);
    double z = deviations(&p, count);
    if (!(z < most_deviations))
        fail_msg("%s x %s: %zu structures, chi-square %g standard deviations too large",
                 rules->name, semiring, p.count, z);
    t->trials++;
    note_worst(&t->worst, z);
    /* The same counts must not pass for samples at another temperature. */
    set_probabilities(&p, alike ? 0.2 : 0.8);
    double biased = deviations(&p, count);
    t->biased += biased > most_deviations;
    free(count);
    free(p.at);
    evaluation_free(&e);
    random_problem_free(&problem);
}

TEST(frequencies) {
    random_state random = random_start("frequencies of samples");
    totals t = {0};
    unsigned sets = 0;
    for (; tz_rules_builtin(sets) != NULL; sets++) {
        const tz_rules *rules = tz_rules_builtin(sets);
        check_frequencies(rules, "log", TZ_F64, mild_scores, &random, &t);
        check_frequencies(rules, "log", TZ_F32, mild_masked_scores, &random, &t);
        check_frequencies(rules, "count", TZ_F64, mild_masked_scores, &random, &t);
    }
    print_message("# %u trials, the worst %.1f deviations; a bias is seen in %u\n", t.trials,
                  t.worst, t.biased);
    assert_true(t.trials >= 3 * sets - 3);
    /* Of some problems that are masked too little is left to tell. */
    assert_true(t.biased >= t.trials - t.trials / 8);
}

/* Charged rules: samples of the compressions that keep exactly so many words. */
TEST(charged) {
    enum { N = 5, KEPT = 3 };
    random_state random = random_start("samples of one length");
    OWN(tz_rules, rules) = NULL;
    assert_ok(tz_rules_charge(find_rules("compress"), "kept", &rules, NULL));
    static const int32_t lengths[] = {N, KEPT};
    OWNED(random_problem, problem) = {0};
    population p;
    make_problem(rules, lengths, mild_scores, &random, &problem);
    assert_true(enumerate_problem(rules, &problem, MOST_DERIVATIONS, &p));
    assert_int_equal(p.derivations, 120); /* 10 choices of words, 12 trees each */
    OWNED(evaluation, e) = evaluate(rules, "log", &problem);
    unsigned *count = count_samples(&p, e.chart, random.at);
    double z = deviations(&p, count);
    print_message("# %zu structures, %.1f deviations\n", p.count, z);
    assert_true(z < most_deviations);
    free(count);
    free(p.at);
}

/* At full size each cell's frequency f lies around its marginal p with variance p (1 - p) / S where
 * no cell is used twice: (f - p)^2 over that is 1 on average, and rarely large. Cells go together,
 * those of alignments most of all, which leaves the average a spread; of trees, TZ_SEED=1..8, it
 * was 0.85 .. 1.20 and the largest deviation 4.6. */
static void check_marginals(const char *name, tz_precision precision, double spread,
                            random_state *random) {
    enum { DRAWN = 2000 };
    const tz_rules *rules = find_rules(name);
    random_problem problem;
    problem_of_size(rules, FULL_SIZE, plain_scores, random, &problem);
    evaluation e = evaluate_as(rules, "log", precision, &problem);
    unsigned *count[MAX_WEIGHTS];
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++)
        count[w] = need(calloc(problem.cells[w] + 1, sizeof **count));
    tz_sampler *sampler = new_sampler(e.chart, 0, random_bits(random), false);
    for (unsigned s = 0; s < DRAWN; s++) {
        const tz_derivation *d = next_sample(sampler);
        for (size_t u = 0; u < d->uses; u++)
            count[d->use[u].weight][problem_cell(&problem, d->use[u].weight, d->use[u].index)]++;
    }
    tz_sampler_free(sampler);
    double worst = 0, sum = 0;
    unsigned cells = 0;
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        double *marginal = evaluation_cells(&e, tz_marginals, w);
        for (size_t c = 0; c < problem.cells[w]; c++) {
            double p = marginal[c], expected = DRAWN * p;
            if (p == 0)
                assert_int_equal(count[w][c], 0);
            if (expected < 10 || expected > DRAWN - 10)
                continue;
            double z = (count[w][c] - expected) / sqrt(expected * (1 - p));
            note_worst(&worst, fabs(z));
            sum += z * z;
            cells++;
        }
        free(marginal);
        free(count[w]);
    }
    print_message("# %s: %u cells, mean square %.3f, worst %.2f deviations\n", name, cells,
                  sum / cells, worst);
    assert_true(cells > AMOUNT(200, 50));
    assert_true(fabs(sum / cells - 1) < spread && worst < 5.5);
    evaluation_free(&e);
    random_problem_free(&problem);
}

TEST(marginals) {
    random_state random = random_start("samples at full size");
    check_marginals("eisner", TZ_F64, 0.3, &random);
    check_marginals("compress-sibling", TZ_F64, 0.3, &random);
    check_marginals("compress-single-root", TZ_F32, 0.3, &random);
    check_marginals("edit", TZ_F32, 0.9, &random);
}
