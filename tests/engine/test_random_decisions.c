/* test_random_decisions.c - limits on a resource, and minimum risk, of rule sets that nobody
 * foresaw, against enumeration: side conditions, inputs, sparse weights and relations among them.
 *
 * The charts are used for all problems of a rule set, and must answer as new ones.
 * TZ_SEED is the seed, TZ_RULE_SETS how many rule sets. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/evaluate.h"
#include "tests/support/random_features.h"
#include "tests/support/structures.h"

enum { PROBLEMS = 5, LONGEST = 4, LIMIT = 1000, LIMITS = 4, MOST = 400 };

typedef struct totals {
    unsigned limited, decided, none, too_large;
} totals;

/* All derivations with their scores; uses are of the rules' own weights: by way of an input, at a
 * position. False: too many. */
static bool derivations_of(const tz_rules *rules, const random_problem *p, structures *ret) {
    problem_cells cells = {rules, p};
    const tz_status status = tz_enumerate_possible(rules, p->lengths, LIMIT, is_possible, &cells,
                                                   structures_collect, ret);
    for (size_t s = 0; s < ret->count && status == TZ_OK; s++) {
        ret->at[s].score = 0;
        for (size_t u = 0; u < ret->at[s].uses; u++) {
            int32_t index[TZ_MAX_RANK];
            const int32_t *use = ret->at[s].use[u];
            const unsigned weight = declared_use(rules, p, (unsigned)use[0], use + 1, index);
            ret->at[s].score += problem_score(p, weight, index); /* integers */
        }
    }
    return status == TZ_OK;
}

/* ---- Limits ---------------------------------------------------------------------------------- */

/* The best score of each amount; returns the largest amount, -1 where there is no derivation. */
static int64_t by_amount(const tz_rules *rules, const random_problem *p, const structures *all,
                         double *best) {
    int64_t most = -1;
    for (size_t a = 0; a < MOST; a++)
        best[a] = -INFINITY;
    for (size_t s = 0; s < all->count; s++) {
        int64_t sum = 0, amount;
        for (size_t u = 0; u < all->at[s].uses; u++) {
            int32_t index[TZ_MAX_RANK];
            const int32_t *use = all->at[s].use[u];
            const unsigned weight = declared_use(rules, p, (unsigned)use[0], use + 1, index);
            assert_ok(tz_rules_amount(rules, 0, weight, p->lengths, index, &amount));
            sum += amount;
        }
        assert_in_range(sum, 0, MOST - 1);
        best[sum] = fmax(best[sum], all->at[s].score);
        most = sum > most ? sum : most;
    }
    return most;
}

static bool same_derivation(const tz_derivation *a, const tz_derivation *b) {
    return a->uses == b->uses && a->nodes == b->nodes &&
           memcmp(a->node, b->node, a->nodes * sizeof *a->node) == 0;
}

/* Within any bounds, and by a new chart as well. */
static void check_limits(const tz_rules *rules, const tz_limiter *limiter, tz_limit_chart *chart,
                         const random_problem *p, const structures *all, random_state *random,
                         totals *t) {
    static double best[MOST];
    const int64_t most = by_amount(rules, p, all, best);
    for (unsigned tries = 0; tries < LIMITS; tries++) {
        int64_t low = (int64_t)random_below(random, (uint64_t)most + 3),
                high = low + (int64_t)random_below(random, 3);
        while (low <= most && best[low] == -INFINITY && random_below(random, 8) > 0)
            high = ++low;
        const tz_limit_method method = random_below(random, 2) ? TZ_LIMIT_AUTO : TZ_LIMIT_EXACT;
        double right = -INFINITY;
        tz_limited found, again;
        tz_limit_chart *new;
        for (int64_t a = low; a <= high && a <= most; a++)
            right = fmax(right, best[a]);
        const tz_status wanted = right > -INFINITY ? TZ_OK : TZ_NONE;
        assert_int_equal(tz_limit(chart, &p->problem, low, high, method, &found, NULL), wanted);
        assert_ok(tz_limit_chart_new(limiter, &new));
        assert_int_equal(tz_limit(new, &p->problem, low, high, method, &again, NULL), wanted);
        if (wanted == TZ_OK) {
            assert_true(found.exact && found.score == right);
            assert_true(found.amount >= low && found.amount <= high);
            assert_true(again.score == found.score && again.amount == found.amount);
            assert_true(again.path == found.path && again.steps == found.steps);
            assert_true(same_derivation(found.derivation, again.derivation));
        }
        tz_limit_chart_free(new);
        t->limited += wanted == TZ_OK;
        t->none += wanted == TZ_NONE;
    }
    const double *curve;
    size_t count;
    if (random_below(random, 2))
        return;
    const tz_status status = tz_limit_curve(chart, &p->problem, &curve, &count, NULL);
    assert_int_equal(status, most < 0 ? TZ_NONE : TZ_OK);
    for (int64_t a = 0; a <= most; a++)
        assert_true(curve[a] == best[a]);
    assert_true(status == TZ_NONE || (int64_t)count == most + 1);
}

/* ---- Minimum risk ---------------------------------------------------------------------------- */

typedef struct one_use {
    const int32_t *use;
    size_t derivation;
} one_use;

static int compare_one(const void *a, const void *b) {
    return compare_uses(((const one_use *)a)->use, ((const one_use *)b)->use);
}

/* The most that a derivation's uses are expected to be used. */
static double most_gain(const structures *all) {
    double log_z = -INFINITY, most = -INFINITY, *gain = calloc(all->count + 1, sizeof *gain);
    size_t uses = 0, next;
    for (size_t s = 0; s < all->count; s++) {
        const double score = all->at[s].score, low = fmin(log_z, score);
        log_z = fmax(log_z, score);
        log_z += low > -INFINITY ? log1p(exp(low - log_z)) : 0;
        uses += all->at[s].uses;
    }
    FREED(one_use, one) = calloc(uses + 1, sizeof *one);
    assert_true(one != NULL && gain != NULL);
    uses = 0;
    for (size_t s = 0; s < all->count; s++)
        for (size_t u = 0; u < all->at[s].uses; u++)
            one[uses++] = (one_use){all->at[s].use[u], s};
    qsort(one, uses, sizeof *one, compare_one);
    for (size_t first = 0; first < uses; first = next) {
        double share = 0;
        for (next = first; next < uses && compare_one(&one[first], &one[next]) == 0; next++)
            share += exp(all->at[one[next].derivation].score - log_z);
        for (size_t i = first; i < next; i++)
            gain[one[i].derivation] += share;
    }
    for (size_t s = 0; s < all->count; s++)
        most = fmax(most, gain[s]);
    free(gain);
    return most;
}

static void check_risk(tz_chart *log, tz_chart *max, const random_problem *p, const structures *all,
                       totals *t) {
    run_outside(log, &p->problem, 1);
    const tz_status status = tz_bind_risk(max, log, 0, NULL, NULL);
    assert_int_equal(status, all->count > 0 ? TZ_OK : TZ_NONE);
    if (status == TZ_OK) {
        const tz_derivation *best = best_of(max, 0);
        const double most = most_gain(all);
        assert_true(fabs(best->score - most) <= 1e-11 * (1 + most));
        t->decided++;
    }
}

/* ---- Rule sets ------------------------------------------------------------------------------- */

static tz_chart *chart_of(const tz_rules *rules, const char *semiring, tz_plan **ret_plan) {
    *ret_plan = make_plan(rules, tz_semiring_find(semiring, TZ_F64), TZ_FORCE);
    tz_chart *chart = make_chart(*ret_plan);
    return chart;
}

static void check_rules(const tz_rules *rules, random_state *random, totals *t) {
    OWN(tz_plan, max_plan) = NULL, *log_plan = NULL;
    OWN(tz_chart, log) = chart_of(rules, "log", &log_plan),
                  *max = chart_of(rules, "max", &max_plan);
    OWN(tz_limiter, limiter) = NULL;
    OWN(tz_limit_chart, limits) = NULL;
    tz_error error;
    if (tz_rules_count(rules, TZ_RESOURCES) > 0 &&
        tz_limiter_new(rules, "used", TZ_F64, 0, &limiter, &error) != TZ_OK &&
        error.status != TZ_TOO_LARGE && strstr(error.message, "too large to compile") == NULL)
        fail_msg("%s", error.message);
    if (limiter != NULL)
        assert_ok(tz_limit_chart_new(limiter, &limits));
    for (unsigned i = 0; i < PROBLEMS; i++) {
        OWNED(random_problem, p) = {0};
        OWNED(structures, all) = {0};
        int32_t lengths[TZ_MAX_LENGTHS];
        for (unsigned l = 0; l < rules->lengths; l++)
            lengths[l] = (int32_t)random_below(random, LONGEST + 1);
        if (!has_numbers(rules, lengths))
            continue;
        make_problem(rules, lengths, i % 2 ? masked_integers : integer_scores, random, &p);
        if (!derivations_of(rules, &p, &all)) {
            t->too_large++;
        } else {
            check_risk(log, max, &p, &all, t);
            if (limits != NULL)
                check_limits(rules, limiter, limits, &p, &all, random, t);
        }
    }
}

TEST(random) {
    random_state random = random_start("random decisions");
    const unsigned sets = random_rule_sets(AMOUNT(60, 12));
    unsigned checked = 0;
    totals t = {0};
    rules_text *text = need(malloc(sizeof *text));
    for (unsigned i = 0; i < sets; i++) {
        OWN(tz_rules, rules) = NULL;
        make_random_rules(&random, text);
        add_features(&random, text);
        add_resource(&random, "used", text);
        if (tz_rules_parse("random.rules", text->at, text->size, &rules, NULL) != TZ_OK)
            continue;
        if (getenv("TZ_VERBOSE") != NULL) {
            printf("%.*s\n", (int)text->size, text->at);
            fflush(stdout);
        }
        check_rules(rules, &random, &t);
        checked++;
    }
    free(text);
    print_message("# %u of %u rule sets: %u best ones within limits, %u without; %u of minimum "
                  "risk; %u problems too large\n",
                  checked, sets, t.limited, t.none, t.decided, t.too_large);
    assert_true(t.limited > sets / 2 && t.decided > sets / 2);
}
