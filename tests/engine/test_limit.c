/* test_limit.c - are limited derivations the best ones within their limits?
 *
 * By enumeration, for every built-in rule set that declares a resource and for rules made to be
 * difficult: every amount, ranges, every method, ties, gaps, impossible scores.
 *
 * Tolerance: 1e-13 S, S = max(1, sum of |score| over the derivation): that of values under max
 * (against_enumeration.h). Integers must agree exactly. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <stdlib.h>

#include "engine/limits/limits.h"
#include "rules/tell/enumerate.h"
#include "tests/support/amount.h"
#include "tests/support/evaluate.h"

enum { MOST = 64 };

/* The best score of every amount, by enumeration. */
typedef struct truth {
    const tz_rules *rules;
    const random_problem *problem;
    size_t resource;
    double best[MOST]; /* by amount; -INFINITY: there is no derivation */
    int64_t most;      /* the largest amount of a derivation, -1 if there is none */
} truth;

/* What uses consume, by their charges, or as the rest of the other resource. */
static int64_t amount_of(const tz_rules *rules, size_t resource, const int32_t *lengths,
                         const tz_use *use, size_t uses) {
    int64_t sum = 0, amount, total = 0;
    size_t other;
    if (uses > 0 && tz_rules_amount(rules, resource, use[0].weight, lengths, use[0].index,
                                    &amount) == TZ_NONE) {
        assert_ok(tz_rules_resource_complement(rules, resource, lengths, &other, &total));
        return total - amount_of(rules, other, lengths, use, uses);
    }
    for (size_t u = 0; u < uses; u++) {
        assert_ok(tz_rules_amount(rules, resource, use[u].weight, lengths, use[u].index, &amount));
        sum += amount;
    }
    return sum;
}

static int add_derivation(void *user, const tz_enum_use *uses, size_t count) {
    truth *t = user;
    tz_use use[256];
    double score = 0;
    assert_true(count <= 256);
    for (size_t u = 0; u < count; u++) {
        use[u] = (tz_use){.weight = uses[u].weight};
        memcpy(use[u].index, uses[u].index, sizeof use[u].index);
        score += problem_score(t->problem, uses[u].weight, uses[u].index);
    }
    int64_t amount = amount_of(t->rules, t->resource, t->problem->lengths, use, count);
    assert_true(amount >= 0 && amount < MOST);
    if (score > t->best[amount])
        t->best[amount] = score;
    if (score > -INFINITY && amount > t->most)
        t->most = amount;
    return 0;
}

static truth find_truth(const tz_rules *rules, size_t resource, const random_problem *problem) {
    truth t = {.rules = rules, .problem = problem, .resource = resource, .most = -1};
    for (unsigned a = 0; a < MOST; a++)
        t.best[a] = -INFINITY;
    assert_ok(tz_enumerate(rules, problem->lengths, 1 << 20, add_derivation, &t));
    return t;
}

/* A derivation of the rules: a tree of them whose weights are its uses, with the scores given. */
static void check_derivation(const truth *t, const tz_limited *found, double *ret_size) {
    const tz_derivation *d = found->derivation;
    double score = 0, size = 0;
    size_t weights = 0, premises = 1;
    for (size_t u = 0; u < d->uses; u++) {
        assert_true(d->use[u].score ==
                    problem_score(t->problem, d->use[u].weight, d->use[u].index));
        score += d->use[u].score;
        size += fabs(d->use[u].score);
    }
    for (size_t i = 0; i < d->nodes; i++) {
        const tz_rule *rule = &t->rules->rule[d->node[i].rule];
        assert_true(d->node[i].item == rule->conclusion.which);
        assert_true(d->node[i].premises == rule->premises && premises > 0);
        weights += rule->weights;
        premises += rule->premises;
        premises--;
    }
    assert_true(weights == d->uses && premises == 0);
    assert_true(score == d->score && score == found->score);
    assert_int_equal(amount_of(t->rules, t->resource, t->problem->lengths, d->use, d->uses),
                     found->amount);
    *ret_size = size > 1 ? size : 1;
}

typedef struct counts {
    size_t exact, gaps, none, pruned, paths[3];
    double worst;
} counts;

/* What pruning finds where bisection leaves a gap, which for problems as small as these the charged
 * rules would be asked for. */
static void check_pruning(const truth *t, tz_limit_chart *chart, int64_t low, int64_t high,
                          double best, double tolerance, counts *total) {
    tz_limit_search s = {.low = low, .high = high};
    assert_ok(tz_limit_take(chart, &t->problem->problem, NULL));
    tz_limit_ends(chart, chart->side, &s.low, &s.high);
    assert_ok(tz_limit_bisect(chart, &s));
    assert_true(!s.certain && s.priced);
    tz_status status = tz_limit_prune(chart, &s, INFINITY);
    assert_int_equal(status, best > -INFINITY ? TZ_OK : TZ_NONE);
    total->pruned++;
    if (status != TZ_OK)
        return;
    int64_t amount = tz_limit_convert(chart, chart->side, s.best->amount);
    assert_true(s.certain && low <= amount && amount <= high);
    assert_true(fabs(s.best->derivation.score - best) <= tolerance);
}

static void check_limits(const truth *t, tz_limit_chart *chart, int64_t low, int64_t high,
                         bool integers, counts *total) {
    double best = -INFINITY;
    for (int64_t a = low < 0 ? 0 : low; a <= high && a < MOST; a++)
        best = t->best[a] > best ? t->best[a] : best;
    for (unsigned method = TZ_LIMIT_AUTO; method <= TZ_LIMIT_DUAL; method++) {
        tz_limited found;
        tz_status status =
            tz_limit(chart, &t->problem->problem, low, high, (tz_limit_method)method, &found, NULL);
        bool dual = method == TZ_LIMIT_DUAL;
        if (best == -INFINITY && (!dual || status == TZ_NONE)) {
            assert_int_equal(status, TZ_NONE);
            total->none++;
            continue;
        }
        assert_ok(status);
        double size;
        check_derivation(t, &found, &size);
        double tolerance = integers ? 0 : 1e-13 * size;
        assert_true(dual || found.exact);
        assert_true(found.bound >= best - tolerance);
        total->exact += found.exact;
        total->gaps += !found.exact;
        total->paths[found.path]++;
        bool inside = low <= found.amount && found.amount <= high;
        assert_true(!found.exact || inside);
        if (inside)
            assert_true(found.score <= best + tolerance && found.score <= found.bound);
        if (!found.exact)
            check_pruning(t, chart, low, high, best, tolerance, total);
        if (found.exact) {
            note_worst(&total->worst, fabs(found.score - best) / size);
            if (!(fabs(found.score - best) <= tolerance && found.bound == found.score))
                fail_msg("%s, %s = %d..%d, method %u: %.17g, not %.17g", tz_rules_name(t->rules),
                         tz_rules_name_of(t->rules, TZ_RESOURCES, t->resource), (int)low, (int)high,
                         method, found.score, best);
        }
    }
}

/* A limiter for each resource of a rule set, with a chart. */
typedef struct limiters {
    const tz_rules *rules;
    tz_limiter *limiter[4];
    tz_limit_chart *chart[4];
} limiters;

static limiters make_limiters(const tz_rules *rules, tz_precision precision) {
    limiters l = {.rules = rules};
    assert_true(tz_rules_count(rules, TZ_RESOURCES) <= 4);
    for (size_t r = 0; r < tz_rules_count(rules, TZ_RESOURCES); r++) {
        assert_ok(tz_limiter_new(rules, tz_rules_name_of(rules, TZ_RESOURCES, r), precision, 0,
                                 &l.limiter[r], NULL));
        assert_ok(tz_limit_chart_new(l.limiter[r], &l.chart[r]));
    }
    return l;
}

static void free_limiters(limiters *l) {
    for (size_t r = 0; r < tz_rules_count(l->rules, TZ_RESOURCES); r++) {
        tz_limit_chart_free(l->chart[r]);
        tz_limiter_free(l->limiter[r]);
    }
}

/* The curve, and the derivations behind it. */
static void check_curve(const truth *t, tz_limit_chart *chart, bool integers) {
    const double *value;
    size_t count;
    tz_limited found = {.path = TZ_BY_CHARGE};
    tz_status status = tz_limit_curve(chart, &t->problem->problem, &value, &count, NULL);
    assert_int_equal(status, t->most < 0 ? TZ_NONE : TZ_OK);
    if (status != TZ_OK) {
        assert_null(value);
        assert_int_equal(tz_limit_best(chart, 0, &found.derivation), TZ_BAD_ARGUMENT);
        return;
    }
    assert_int_equal((int64_t)count, t->most + 1);
    for (int64_t a = 0; a <= t->most; a++) {
        status = tz_limit_best(chart, a, &found.derivation);
        assert_int_equal(status, t->best[a] > -INFINITY ? TZ_OK : TZ_NONE);
        assert_true((value[a] > -INFINITY) == (t->best[a] > -INFINITY));
        if (status != TZ_OK)
            continue;
        double size;
        found.amount = a;
        found.score = found.derivation->score;
        check_derivation(t, &found, &size);
        double tolerance = integers ? 0 : 1e-13 * size;
        assert_true(fabs(value[a] - t->best[a]) <= tolerance);
        assert_true(fabs(found.score - t->best[a]) <= tolerance);
    }
    assert_int_equal(tz_limit_best(chart, -1, &found.derivation), TZ_NONE);
    assert_int_equal(tz_limit_best(chart, t->most + 1, &found.derivation), TZ_NONE);
}

/* Every amount, ranges, the curve. */
static void check_all(limiters *l, const random_problem *problem, bool integers,
                      random_state *random, counts *total) {
    for (size_t r = 0; r < tz_rules_count(l->rules, TZ_RESOURCES); r++) {
        truth t = find_truth(l->rules, r, problem);
        for (int64_t m = -1; m <= t.most + 1; m++) {
            check_limits(&t, l->chart[r], m, m, integers, total);
            int64_t high = m + (int64_t)random_below(random, 4);
            check_limits(&t, l->chart[r], m, high, integers, total);
        }
        check_limits(&t, l->chart[r], INT64_MIN, INT64_MAX, integers, total);
        check_curve(&t, l->chart[r], integers);
    }
}

static const struct {
    score_source source;
    bool integers;
} regimes[] = {{integer_scores, true}, {equal_scores, true},   {plain_scores, false},
               {large_scores, false},  {mixed_scores, false},  {tiny_scores, false},
               {masked_scores, false}, {masked_integers, true}};

static void report(const counts *total) {
    print_message("# %zu exact (bisection %zu, pruning %zu, charge %zu), %zu gaps of bisection "
                  "alone (%zu pruned), %zu without a derivation; largest error / S %.2g\n",
                  total->exact, total->paths[TZ_BY_BISECTION] - total->gaps,
                  total->paths[TZ_BY_PRUNING], total->paths[TZ_BY_CHARGE], total->gaps,
                  total->pruned, total->none, total->worst);
}

TEST(builtin) {
    random_state random = random_start("limit");
    counts total = {0};
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        if (tz_rules_count(rules, TZ_RESOURCES) == 0)
            continue;
        limiters l = make_limiters(rules, TZ_F64);
        for (int n = 0; n <= 6; n++)
            for (unsigned r = n < 6 ? 0 : 6; r < sizeof regimes / sizeof *regimes;
                 r += n < 2 ? 1 : AMOUNT(1, 2)) {
                OWNED(random_problem, p) = {0};
                problem_of_size(rules, n, regimes[r].source, &random, &p);
                check_all(&l, &p, regimes[r].integers, &random, &total);
            }
        free_limiters(&l);
    }
    report(&total);
    assert_true(total.gaps > 100 && total.none > 100);
}

/* Rules that are difficult in other ways. */
static const char *const difficult[] = {
    /* amounts that are multiples of 3, or of 2 from the end, and a weight that is charged twice */
    "rules gaps\nlength n\n"
    "weight piece[i,j] 0 <= i < j <= n\nweight end[i] 0 <= i <= n\n"
    "item at[i] 0 <= i <= n\nitem all\n"
    "resource cuts piece[i,j] 3\nresource room piece[i,j] j-i\nresource room piece[i,j] j-i\n"
    "resource room end[i] 1\n"
    "goal all\n"
    "axiom\n---- start\nat[0]\n"
    "at[i]\n---- next * piece[i,j]\nat[j]\n"
    "at[i]\n---- stop * end[i]\nall\n",
    /* sparse weights are charged, and one is not; derivations without a use */
    "rules sparse\nlength n, T\n"
    "weight rule[a,b,i] sparse 0 <= a < T, 0 <= b < T, 0 <= i < n\n"
    "weight free[a,i] sparse 0 <= a < T, 0 <= i < n\n"
    "item at[a,i] 0 <= a < T, 0 <= i <= n\nitem all\n"
    "resource steps rule[a,b,i] a+1\n"
    "resource rest = n+n - steps\n"
    "goal all\n"
    "axiom\n---- start\nat[a,0]\n"
    "at[a,i]\n---- step * rule[a,b,i]\nat[b,i+1]\n"
    "at[a,i]\n---- stay * free[a,i]\nat[a,i+1]\n"
    "at[a,n]\n---- stop\nall\n",
    /* an item of seven indices has no room for an amount: all instances are evaluated instead */
    "rules full\nlength n\n"
    "weight a[i,j] 0 <= i <= j <= n\n"
    "item at[i,j,k,l,x,y,z] 0 <= i <= j <= n, 0 <= k <= l <= n, k <= j, 0 <= x <= 1, y = x, z = 1\n"
    "item all\n"
    "resource used a[i,j] j-i\n"
    "goal all\n"
    "axiom\n---- start * a[i,j]\nat[i,j,i,j,0,0,1]\n"
    "at[i,j,k,l,x,x,1]\n---- more * a[l,m] if l < m\nat[i,j,l,m,x,x,1]\n"
    "at[i,j,k,l,0,0,1]\n---- turn\nat[i,j,k,l,1,1,1]\n"
    "at[i,j,k,l,1,y,z]\n---- stop * a[k,l]\nall\n",
};

TEST(difficult) {
    random_state random = random_start("difficult limits");
    counts total = {0};
    for (size_t i = 0; i < sizeof difficult / sizeof *difficult; i++) {
        OWN(tz_rules, rules) = NULL;
        tz_error error;
        if (tz_rules_parse("difficult", difficult[i], strlen(difficult[i]), &rules, &error) !=
            TZ_OK)
            fail_msg("%s", error.message);
        limiters l = make_limiters(rules, TZ_F64);
        assert_true((l.limiter[0]->side[0].plan == NULL) == (i == 2));
        for (int n = 0; n <= 5; n++)
            for (unsigned r = 0; r < sizeof regimes / sizeof *regimes; r++) {
                OWNED(random_problem, p) = {0};
                problem_of_size(rules, n, regimes[r].source, &random, &p);
                check_all(&l, &p, regimes[r].integers, &random, &total);
            }
        free_limiters(&l);
    }
    report(&total);
    assert_true(total.pruned > 100 && total.paths[TZ_BY_CHARGE] > 100);
}
