/* law.c - see law.h. SPDX-License-Identifier: MIT */
#include "law.h"

#include "engine/engine.h"
#include "tests/support/need.h"
#include "tests/support/own.h"
#include "tests/support/random_rules.h"
#include "tests/support/rule_files.h"

/* ---- Rule sets ------------------------------------------------------------------------------- */

/* With sanitizers, one of a few. */
static void visit_some(const tz_rules *rules, rules_visit visit, void *user) {
    static unsigned seen;
    if (seen++ % AMOUNT(1, 4) == 0)
        visit(user, rules, NULL);
}

static void visit_folder(const char *folder, rules_visit visit, void *user) {
    rule_files files = rule_files_in(folder);
    for (tz_rules *rules; (rules = next_rules(&files)) != NULL; tz_rules_free(rules))
        visit_some(rules, visit, user);
}

void each_rule_set(unsigned randoms, random_state *random, rules_visit visit, void *user) {
    const tz_rules *builtin;
    for (size_t i = 0; (builtin = tz_rules_builtin(i)) != NULL; i++) {
        visit_some(builtin, visit, user);
        for (size_t r = 0; r < tz_rules_count(builtin, TZ_RESOURCES); r++) {
            OWN(tz_rules, charged) = NULL;
            const char *resource = tz_rules_name_of(builtin, TZ_RESOURCES, r);
            assert_ok(tz_rules_charge(builtin, resource, &charged, NULL));
            visit_some(charged, visit, user);
        }
    }
    visit_folder(TZ_SOURCE_ROOT "/rules/gallery", visit, user);
    visit_folder(TZ_SOURCE_ROOT "/tests/rules/good", visit, user);
    FREED(rules_text, text) = need(malloc(sizeof *text));
    for (unsigned r = 0; r < randoms; r++) {
        OWN(tz_rules, rules) = NULL;
        (r % 5 == 4 ? make_random_closures : make_random_rules)(random, text);
        if (tz_rules_parse("random.rules", text->at, text->size, &rules, NULL) != TZ_OK)
            continue;
        visit(user, rules, text->at);
    }
}

const char *any_semiring(const tz_rules *rules, random_state *random) {
    static const char *const all[] = {"log",     "log",      "max",           "count",
                                      "entropy", "kbest(3)", "required(max)", "required(log)",
                                      "ties",    "bool"};
    static const char *const stars[] = {"log", "log", "max", "entropy", "kbest(3)", "ties", "bool"};
    return tz_has_closures(rules) ? stars[random_below(random, sizeof stars / sizeof *stars)]
                                  : all[random_below(random, sizeof all / sizeof *all)];
}

/* ---- Problems -------------------------------------------------------------------------------- */

enum { LONGEST = 5, COSTLY = 1500, CELLS = 1500 };

/* Cells of all arrays that are read and written. */
static double array_cells(const tz_rules *rules, const int32_t *lengths) {
    double cells = dense_cells(rules, lengths);
    for (unsigned i = 0; i < rules->items; i++) {
        tz_shape shape;
        double product = 1;
        if (tz_rules_shape(rules, TZ_ITEM + i, lengths, &shape) != TZ_OK)
            return INFINITY;
        for (unsigned q = 0; q < shape.rank; q++)
            product *= shape.extent[q];
        cells += product;
    }
    return cells;
}

/* False where there are none that a test has time for. */
static bool draw_lengths(const pool *pool, random_state *random, int32_t *lengths) {
    const tz_rules *rules = pool->rules;
    for (unsigned tries = 0; tries < 40; tries++) {
        double products;
        const uint64_t most = tries < 20 ? LONGEST : LONGEST - 2;
        for (unsigned l = 0; l < rules->lengths; l++) {
            const char first = rules->length_name[l][0];
            lengths[l] = first >= 'A' && first <= 'Z' ? 1 + (int32_t)random_below(random, 3)
                                                      : (int32_t)random_below(random, most + 1);
        }
        if (has_numbers(rules, lengths) && array_cells(rules, lengths) <= CELLS &&
            tz_plan_products(pool->plan, lengths, &products) == TZ_OK && products <= COSTLY)
            return true;
    }
    return false;
}

/* What the problem answers alone; false where it is refused, or what goes round has no end. */
static bool answer_alone(pool *pool, size_t i) {
    OWN(tz_chart, chart) = make_chart(pool->plan);
    OWN(tz_chart, decoder) = pool->decoder != NULL ? make_chart(pool->decoder) : NULL;
    bool done = tz_bind(chart, &pool->problem[i], 1, NULL) == TZ_OK && tz_inside(chart) == TZ_OK &&
                tz_outside(chart) == TZ_OK;
    if (done)
        pool_read(pool, i, chart, 0, decoder, ~0u, false, &pool->right[i]);
    return done;
}

static bool draw_problem(pool *pool, size_t i, const int32_t *lengths, random_state *random) {
    static const score_source all[] = {plain_scores,    masked_scores, integer_scores,
                                       masked_integers, large_scores,  wide_scores};
    static const score_source low[] = {low_scores, low_integers};
    const bool closed = tz_has_closures(pool->rules);
    for (unsigned tries = 0; tries < 3; tries++) {
        const score_source source = closed ? low[random_below(random, 2)]
                                           : all[random_below(random, sizeof all / sizeof *all)];
        make_asked(pool->rules, lengths, source, random, &pool->own[i]);
        if (!closed && tries == 0 && random_below(random, 3) == 0)
            draw_facts(pool->rules, &pool->own[i], random);
        pool->problem[i] = asked_under(pool->plan, &pool->own[i]);
        if (answer_alone(pool, i))
            return true;
        free_asked(pool->rules, &pool->own[i]);
    }
    return false;
}

bool pool_make(const tz_rules *rules, const char *opt_text, const char *semiring,
               tz_precision precision, bool equal, size_t count, random_state *random, pool *ret) {
    int32_t lengths[TZ_MAX_LENGTHS];
    memset(ret, 0, sizeof *ret);
    ret->rules = rules;
    ret->text = opt_text;
    ret->precision = precision;
    ret->equal = equal;
    assert_true(count <= MOST_POOL);
    ret->semiring = make_semiring(semiring, precision);
    ret->plan = make_plan(rules, ret->semiring, TZ_FORCE);
    if (ret->semiring->share != NULL && ret->semiring->gives == TZ_GIVES_SCORE)
        assert_ok(
            tz_plan_new(rules, tz_semiring_find("max", precision), TZ_FORCE, &ret->decoder, NULL));
    for (size_t i = 0; i < count; i++) {
        if (((i == 0 || !equal) && !draw_lengths(ret, random, lengths)) ||
            !draw_problem(ret, i, lengths, random))
            break;
        ret->count++;
    }
    if (ret->count < count)
        pool_free(ret);
    return ret->count == count;
}

void pool_free(pool *pool) {
    for (size_t i = 0; i < pool->count; i++) {
        free_answers(&pool->right[i]);
        free_asked(pool->rules, &pool->own[i]);
    }
    tz_plan_free(pool->plan);
    tz_plan_free(pool->decoder);
    tz_semiring_free(pool->semiring);
}

/* ---- Answers --------------------------------------------------------------------------------- */

unsigned any_questions(random_state *random) {
    unsigned set = 1u << random_below(random, ALL_QUESTIONS);
    for (unsigned k = 0; k < ALL_QUESTIONS; k++)
        if (random_below(random, k <= DERIVATIONS ? 2 : 4) == 0)
            set |= 1u << k;
    return set;
}

void pool_read(const pool *pool, size_t problem, tz_chart *chart, size_t lane, tz_chart *decoder,
               unsigned questions, bool backwards, answers *ret) {
    const asking who = {pool->rules, &pool->own[problem].p, chart, lane, decoder};
    memset(ret, 0, sizeof *ret);
    for (unsigned i = 0; i < ALL_QUESTIONS; i++) {
        const unsigned k = backwards ? ALL_QUESTIONS - 1 - i : i;
        if (questions >> k & 1)
            read_answer(&who, (question)k, &ret->of[k]);
    }
}

void pool_complain(const pool *pool, size_t problem, const char *what, const char *where) {
    const random_problem *p = &pool->own[problem].p;
    print_message("%s x %s, %s, lengths", pool->rules->name, pool->semiring->name,
                  pool->precision == TZ_F64 ? "f64" : "f32");
    for (unsigned l = 0; l < pool->rules->lengths; l++)
        print_message(" %d", (int)p->lengths[l]);
    print_message(", %zu facts: %s%s\n%s", pool->problem[problem].fact_count, what, where,
                  pool->text != NULL ? pool->text : "");
}

bool pool_same(const pool *pool, size_t problem, const answers *got, unsigned questions,
               const char *where) {
    for (unsigned k = 0; k < ALL_QUESTIONS; k++) {
        const numbers *x = &got->of[k], *y = &pool->right[problem].of[k];
        char what[200];
        size_t i = 0;
        if (!(questions >> k & 1))
            continue;
        while (i < x->count && i < y->count && memcmp(&x->at[i], &y->at[i], sizeof *x->at) == 0)
            i++;
        if (i == x->count && i == y->count)
            continue;
        snprintf(what, sizeof what, "number %zu of %s (%zu, alone %zu) is %.17g, alone %.17g", i,
                 question_name[k], x->count, y->count, i < x->count ? x->at[i] : NAN,
                 i < y->count ? y->at[i] : NAN);
        pool_complain(pool, problem, what, where);
        return false;
    }
    return true;
}
