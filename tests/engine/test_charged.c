/* test_charged.c - do charged rules give the value at each amount?
 *
 * Against enumeration of the rules as they were: derivations sorted by what they use. Then at full
 * size, by identities. Tolerances: scores 1e-13, log Z 1e-13, both relative to max(1, sum of
 * |score|) of the best derivation; at full size 1e-11 of |log Z|.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <string.h>

#include "rules/polyhedra/form.h"
#include "rules/table.h"
#include "rules/tell/enumerate.h"
#include "tests/support/against_enumeration.h"
#include "tests/support/amount.h"
#include "tests/support/evaluate.h"
#include "tests/support/random_features.h"

enum { AMOUNTS = 64, LIMIT = 200000, TOP = 3, SEMIRINGS = 4 };

/* Derivations by amount. */
typedef struct by_amount {
    const tz_rules *rules;
    const random_problem *problem;
    size_t resource;
    struct {
        double count, best[TOP];
        long double sum; /* of exp(score): scores are small */
    } at[AMOUNTS];
    double size; /* the largest sum of |score| */
    int64_t most;
    bool beyond; /* some amount is AMOUNTS or more */
} by_amount;

static void start_amounts(by_amount *b) {
    for (unsigned m = 0; m < AMOUNTS; m++)
        for (unsigned k = 0; k < TOP; k++)
            b->at[m].best[k] = -INFINITY;
}

static int add_derivation(void *user, const tz_enum_use *uses, size_t count) {
    by_amount *b = user;
    double score = 0, size = 1;
    int64_t used = 0, amount;
    for (size_t u = 0; u < count; u++) {
        int32_t index[TZ_MAX_RANK];
        unsigned weight = declared_use(b->rules, b->problem, uses[u].weight, uses[u].index, index);
        double s = problem_score(b->problem, weight, index);
        score += s;
        size += isfinite(s) ? fabs(s) : 0;
        assert_ok(
            tz_rules_amount(b->rules, b->resource, weight, b->problem->lengths, index, &amount));
        used += amount;
    }
    if (used >= AMOUNTS) {
        b->beyond = true;
        return 1;
    }
    b->most = used > b->most ? used : b->most;
    b->size = fmax(b->size, size);
    if (score == -INFINITY)
        return 0;
    b->at[used].count++;
    b->at[used].sum += expl(score);
    double *best = b->at[used].best;
    for (unsigned k = 0; k < TOP; k++)
        if (score > best[k]) {
            double next = best[k];
            best[k] = score;
            score = next;
        }
    return 0;
}

static bool close_to(double a, double b, double size) {
    return a == b || fabs(a - b) <= 1e-13 * size;
}

typedef struct charged {
    tz_rules *rules;
    tz_semiring *semiring[SEMIRINGS];
    tz_plan *plan[SEMIRINGS];
    tz_chart *chart[SEMIRINGS];
    bool solved[SEMIRINGS]; /* not: what goes round in closures grows without bound */
} charged;

static const char *const semirings[SEMIRINGS] = {"max", "log", "count", "kbest(3)"};

static bool open_charged(const tz_rules *rules, size_t resource, charged *ret, tz_error *error) {
    *ret = (charged){.rules = NULL};
    error->message[0] = '\0';
    if (tz_rules_charge(rules, tz_rules_name_of(rules, TZ_RESOURCES, resource), &ret->rules,
                        error) != TZ_OK)
        return false;
    for (unsigned s = 0; s < SEMIRINGS; s++) {
        ret->semiring[s] = make_semiring(semirings[s], TZ_F64);
        ret->plan[s] = make_plan(ret->rules, ret->semiring[s], TZ_FORCE);
        ret->chart[s] = make_chart(ret->plan[s]);
    }
    return true;
}

static void close_charged(charged *c) {
    for (unsigned s = 0; s < SEMIRINGS; s++) {
        tz_chart_free(c->chart[s]);
        tz_plan_free(c->plan[s]);
        tz_semiring_free(c->semiring[s]);
    }
    tz_rules_free(c->rules);
}

/* The goal's index values in the charged rules, with an amount. */
static void goal_index(const charged *c, const int32_t *lengths, int32_t amount, int32_t *ret) {
    const tz_term *goal = &c->rules->goal;
    unsigned rank = c->rules->item[goal->which].rank;
    for (unsigned q = 0; q + 1 < rank; q++)
        ret[q] = (int32_t)tz_form_value(&goal->index[q], c->rules->lengths, lengths, 0, NULL);
    ret[rank - 1] = amount;
}

static double value_at(const charged *c, unsigned s, const int32_t *lengths, int32_t amount) {
    int32_t index[TZ_MAX_RANK];
    double value;
    goal_index(c, lengths, amount, index);
    assert_ok(tz_item_value(c->chart[s], 0, c->rules->goal.which, index, false, &value));
    return value;
}

static void bind_charged(charged *c, const random_problem *p, int32_t limit, int32_t *ret_lengths) {
    memcpy(ret_lengths, p->lengths, sizeof p->lengths);
    ret_lengths[c->rules->lengths - 1] = limit;
    tz_problem problem = {.lengths = ret_lengths, .scores = p->scores, .numbers = p->numbers};
    for (unsigned s = 0; s < SEMIRINGS; s++) {
        assert_ok(tz_bind(c->chart[s], &problem, 1, NULL));
        tz_status status = tz_inside(c->chart[s]);
        c->solved[s] = status == TZ_OK;
        assert_true(status == TZ_OK || (status == TZ_DIVERGES && tz_has_closures(c->rules)));
    }
}

/* The three best scores of an amount, or of none. */
static bool lists_agree(const charged *c, const int32_t *lengths, int32_t amount,
                        const double *best, double size) {
    int32_t index[TZ_MAX_RANK];
    double value[TOP];
    size_t count, expected = 0;
    goal_index(c, lengths, amount, index);
    assert_ok(
        tz_item_values(c->chart[SEMIRINGS - 1], 0, c->rules->goal.which, index, value, &count));
    while (best != NULL && expected < TOP && best[expected] > -INFINITY)
        expected++;
    bool same = count == expected;
    for (size_t k = 0; k < count && same; k++)
        same = close_to(value[k], best[k], size);
    return same;
}

/* Values at every amount up to the limit, and the goal's. */
static bool agrees_at(charged *c, const random_problem *p, const by_amount *b, int32_t limit) {
    int32_t lengths[TZ_MAX_LENGTHS];
    bool same = true;
    bind_charged(c, p, limit, lengths);
    for (int32_t m = 0; m <= limit; m++) {
        bool some = m < AMOUNTS && b->at[m].count > 0;
        const double expected[SEMIRINGS] = {
            some ? b->at[m].best[0] : -INFINITY, some ? (double)logl(b->at[m].sum) : -INFINITY,
            some ? b->at[m].count : 0, some ? b->at[m].best[0] : -INFINITY};
        same = same && (!c->solved[SEMIRINGS - 1] ||
                        lists_agree(c, lengths, m, some ? b->at[m].best : NULL, b->size));
        for (unsigned s = 0; s < SEMIRINGS; s++) {
            if (!c->solved[s])
                continue;
            double value = value_at(c, s, lengths, m), goal;
            bool here = close_to(value, expected[s], s == 2 ? 0 : b->size);
            if (m == limit) {
                goal = goal_of(c->chart[s], 0);
                here = here && goal == value;
            }
            if (!here)
                print_message("# %s %s: %s at %d of %d is %.17g, by enumeration %.17g\n",
                              tz_rules_name(c->rules), semirings[s],
                              tz_rules_name_of(c->rules, TZ_RESOURCES, b->resource), (int)m,
                              (int)limit, value, expected[s]);
            same = same && here;
        }
    }
    return same;
}

static void compare(const tz_rules *rules, size_t resource, charged *c, const random_problem *p) {
    by_amount b = {.rules = rules, .problem = p, .resource = resource};
    start_amounts(&b);
    assert_ok(tz_enumerate(rules, p->lengths, LIMIT, add_derivation, &b));
    assert_false(b.beyond);
    for (int32_t limit = 0; limit <= b.most + 2; limit++)
        assert_true(agrees_at(c, p, &b, limit));
}

static double cheap_scores(random_state *random) {
    return random_unit(random) < 0.1 ? -INFINITY : random_between(random, -3, 3);
}

TEST(against_enumeration) {
    random_state random = random_start("against enumeration");
    const tz_rules *rules;
    size_t compared = 0;
    for (size_t i = 0; (rules = tz_rules_builtin(i)) != NULL; i++) {
        for (size_t r = 0; r < tz_rules_count(rules, TZ_RESOURCES); r++) {
            charged c;
            tz_error error;
            if (!open_charged(rules, r, &c, &error))
                fail_msg("%s", error.message);
            for (int n = 0; n <= AMOUNT(5, 4); n++) {
                OWNED(random_problem, p) = {0};
                problem_of_size(rules, n, cheap_scores, &random, &p);
                compare(rules, r, &c, &p);
                compared++;
            }
            close_charged(&c);
        }
    }
    assert_true(compared >= AMOUNT(60, 50));
}

/* Charged twice: kept words, then dropped ones. */
TEST(twice) {
    random_state random = random_start("twice");
    const tz_rules *rules = find_rules("compress");
    OWN(tz_rules, kept) = NULL;
    charged c;
    tz_error error;
    assert_ok(tz_rules_charge(rules, "kept", &kept, &error));
    if (!open_charged(kept, 1, &c, &error))
        fail_msg("%s", error.message);
    assert_string_equal(tz_rules_name(c.rules), "compress-kept-dropped");
    for (int n = 0; n <= 4; n++)
        for (int m = 0; m <= n; m++) {
            OWNED(random_problem, p) = {0};
            make_problem(kept, (int32_t[]){n, m, 0}, plain_scores, &random, &p);
            compare(kept, 1, &c, &p);
        }
    close_charged(&c);
}

/* Marginals, outside values, ties and traces of charged rules, against their own enumeration. */
TEST(as_rules) {
    random_state random = random_start("as rules");
    const tz_rules *rules;
    comparison c = {0};
    for (size_t i = 0; (rules = tz_rules_builtin(i)) != NULL; i++) {
        for (size_t r = 0; r < tz_rules_count(rules, TZ_RESOURCES); r++) {
            enum { LANES = 6 };
            OWN(tz_rules, charged) = NULL;
            int32_t lengths[LANES][TZ_MAX_LENGTHS];
            assert_ok(
                tz_rules_charge(rules, tz_rules_name_of(rules, TZ_RESOURCES, r), &charged, NULL));
            for (int lane = 0; lane < LANES; lane++)
                set_lengths(charged, lane < 4 ? lane : 4, 2, lengths[lane]),
                    lengths[lane][charged->lengths - 1] = (int32_t)random_below(&random, 6);
            verdict verdict = compare_with_enumeration(charged, lengths, LANES, LIMIT,
                                                       regimes_in_turn(i + r), &random, &c);
            if (verdict != AGREES)
                fail_msg("%s: %s", tz_rules_name(charged), c.message);
        }
    }
}

/* ---- At full size ------------------------------------------------------------------------------
 *
 * max over m of value(m) = value;  log of the sum over m of Z(m) = log Z;
 * value(m) of the resource = value(total - m) of what it leaves. */

static void curve(const tz_rules *rules, size_t resource, const random_problem *p, unsigned s,
                  int32_t limit, double *ret) {
    charged c;
    int32_t lengths[TZ_MAX_LENGTHS];
    tz_error error;
    if (!open_charged(rules, resource, &c, &error))
        fail_msg("%s", error.message);
    memcpy(lengths, p->lengths, sizeof p->lengths);
    lengths[c.rules->lengths - 1] = limit;
    tz_problem problem = {.lengths = lengths, .scores = p->scores, .numbers = p->numbers};
    run_inside(c.chart[s], &problem, 1);
    for (int32_t m = 0; m <= limit; m++)
        ret[m] = value_at(&c, s, lengths, m);
    close_charged(&c);
}

/* Is its first resource what another leaves of a total? */
static bool has_rest(const tz_rules *rules) {
    int32_t lengths[TZ_MAX_LENGTHS];
    size_t other;
    int64_t total;
    set_lengths(rules, 3, 2, lengths);
    return tz_rules_resource_complement(rules, 0, lengths, &other, &total) == TZ_OK;
}

static void check_identities(const tz_rules *rules, size_t resource, const random_problem *p,
                             double *worst) {
    double at[2][AMOUNTS], rest[2][AMOUNTS];
    size_t other;
    int64_t total;
    assert_ok(tz_rules_resource_complement(rules, resource, p->lengths, &other, &total));
    assert_true(total < AMOUNTS);
    for (unsigned s = 0; s < 2; s++) {
        evaluation e = evaluate(rules, semirings[s], p);
        double value = evaluation_goal(&e), best = -INFINITY;
        long double sum = 0;
        curve(rules, resource, p, s, (int32_t)total, at[s]);
        curve(rules, other, p, s, (int32_t)total, rest[s]);
        for (int64_t m = 0; m <= total; m++) {
            best = fmax(best, at[s][m]);
            sum += expl((long double)at[s][m] - (long double)value);
            note_worst(&worst[s], relative_error(at[s][m], rest[s][total - m]));
        }
        note_worst(&worst[s], s == 0 ? relative_error(best, value) : (double)fabsl(sum - 1));
        evaluation_free(&e);
    }
}

TEST(identities) {
    random_state random = random_start("identities");
    double worst[2] = {0};
    const tz_rules *rules;
    for (size_t i = 0; (rules = tz_rules_builtin(i)) != NULL; i++) {
        OWNED(random_problem, p) = {0};
        if (tz_rules_count(rules, TZ_RESOURCES) == 0 || !has_rest(rules))
            continue;
        problem_of_size(rules, FULL_SIZE, plain_scores, &random, &p);
        check_identities(rules, 0, &p, worst);
    }
    print_message("# worst relative error: max %.2g, log %.2g\n", worst[0], worst[1]);
    assert_true(worst[0] <= 1e-13);
    assert_true(worst[1] <= 1e-11);
}

/* ---- Random rule sets ------------------------------------------------------------------------ */

/* One resource of rules of which enumeration knows all. false: nothing to compare. */
static bool check_random(random_state *random, const rules_text *text, const tz_rules *rules,
                         size_t resource) {
    charged c;
    tz_error error;
    if (!open_charged(rules, resource, &c, &error)) {
        /* It must be said what there is no room for. */
        if (error.status != TZ_TOO_LARGE && strstr(error.message, "too large to compile") == NULL)
            fail_msg("%s\n%.*s", error.message, (int)text->size, text->at);
        return false;
    }
    bool some = false;
    for (unsigned mix = 0; mix < 4; mix++) {
        random_problem p;
        int32_t lengths[TZ_MAX_LENGTHS];
        for (unsigned l = 0; l < rules->lengths; l++)
            lengths[l] = (int32_t)random_below(random, 4);
        if (!has_numbers(rules, lengths))
            continue;
        make_problem(rules, lengths, cheap_scores, random, &p);
        by_amount b = {.rules = rules, .problem = &p, .resource = resource};
        start_amounts(&b);
        problem_cells cells = {rules, &p};
        tz_status status =
            tz_enumerate_possible(rules, lengths, 2000, is_possible, &cells, add_derivation, &b);
        if (status == TZ_OK && !b.beyond) {
            int32_t limit = (int32_t)random_below(random, (uint64_t)b.most + 3);
            some |= b.at[b.most].count > 0;
            if (!agrees_at(&c, &p, &b, limit))
                fail_msg("%.*s", (int)text->size, text->at);
        }
        random_problem_free(&p);
    }
    close_charged(&c);
    return some;
}

/* Every feature of the notation, by either resource, and by one after the other. Rule sets of many
 * rules are left out: finding their order takes long. */
TEST(random) {
    enum { MANY = 8 };
    (void)state;
    random_state random = random_start("random");
    size_t sets = random_rule_sets(AMOUNT(24, 6)), compared = 0, twice = 0;
    for (size_t i = 0; i < sets; i++) {
        static rules_text text;
        OWN(tz_rules, rules) = NULL;
        OWN(tz_rules, once) = NULL;
        if (i % 4 == 3)
            make_random_closures(&random, &text);
        else
            make_random_rules(&random, &text);
        add_features(&random, &text);
        if (add_resource(&random, "used", &text) + add_resource(&random, "other", &text) == 0 ||
            tz_rules_parse("random", text.at, text.size, &rules, NULL) != TZ_OK)
            continue;
        for (size_t r = 0; r < tz_rules_count(rules, TZ_RESOURCES) && rules->rule_count <= MANY;
             r++)
            compared += check_random(&random, &text, rules, r);
        if (i % 4 == 0 && tz_rules_count(rules, TZ_RESOURCES) == 2 &&
            rules->rule_count <= MANY / 2 && tz_rules_charge(rules, "used", &once, NULL) == TZ_OK)
            twice += check_random(&random, &text, once, 1);
    }
    print_message("# %zu of %zu compared, %zu twice\n", compared, sets, twice);
    assert_true(compared * 6 >= sets);
}
