/* test_extend.c - a chart that has grown answers what a chart computed at once does: the same bits,
 * under every semiring, in any number of lanes, by any steps forth and back, whatever words follow
 * those that are kept.
 *
 * The score of a cell depends on its indices alone, and so do the numbers of inputs: a problem of
 * other lengths has the same ones. A *text* beside the first has the same up to some lengths.
 *
 * TZ_SEED is the seed, TZ_RULE_SETS how many random rule sets.
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <string.h>

#include "engine/engine.h"
#include "rules/polyhedra/form.h"
#include "tests/support/answers.h"
#include "tests/support/law.h"
#include "tests/support/random_rules.h"

enum { RANDOMS = AMOUNT(40, 8), TURNS = AMOUNT(12, 6), MOST_LANES = 3, LONGEST = 8, TEXTS = 3 };
static const double most_products = AMOUNT(6000, 1500);

typedef struct texts {
    const tz_rules *rules;
    score_source source;
    uint64_t seed[TEXTS];
    int32_t shared[TZ_MAX_LENGTHS]; /* all texts are the same up to these lengths */
} texts;

/* ---- Problems -------------------------------------------------------------------------------- */

static random_state state_of(uint64_t seed, unsigned what, const int32_t *index, unsigned rank) {
    random_state state = {seed + what};
    for (unsigned q = 0; q < rank; q++)
        state.at = random_bits(&state) + (uint64_t)(int64_t)index[q];
    return state;
}

static bool is_shared_number(const texts *t, unsigned input, const int32_t *index) {
    const tz_rules_input *x = &t->rules->input[input];
    int64_t at[TZ_MAX_RANK];
    for (unsigned q = 0; q < x->rank; q++)
        at[q] = index[q];
    return tz_domain_holds(&x->domain, t->rules->lengths, t->shared, x->rank, at);
}

/* The index values of place `c` of an array, row-major. */
static void index_of(const tz_shape *shape, size_t c, int32_t *ret) {
    for (unsigned q = shape->rank; q-- > 0;) {
        ret[q] = shape->origin[q] + (int32_t)(c % (size_t)shape->extent[q]);
        c /= (size_t)shape->extent[q];
    }
}

static size_t places_of(const tz_shape *shape) {
    size_t places = 1;
    for (unsigned q = 0; q < shape->rank; q++)
        places *= (size_t)shape->extent[q];
    return places;
}

static void fill_weight(const texts *t, unsigned text, unsigned w, random_problem *p) {
    const tz_shape *shape = &p->shape[w];
    size_t entries = 0;
    for (size_t c = 0; c < places_of(shape); c++) {
        int32_t index[TZ_MAX_RANK];
        index_of(shape, c, index);
        if (!tz_rules_declared(t->rules, w, p->lengths, index))
            continue;
        const bool shared = tz_rules_declared(t->rules, w, t->shared, index);
        random_state state = state_of(t->seed[shared ? 0 : text], w, index, shape->rank);
        const double score = t->source(&state);
        if (!shape->sparse) {
            p->data[w][c] = score;
        } else if (random_below(&state, 4) > 0) {
            memcpy(p->index[w] + entries * shape->rank, index, shape->rank * sizeof *index);
            p->data[w][entries++] = score;
        }
    }
    if (shape->sparse)
        p->scores[w].entries = p->cells[w] = entries;
}

static void make_text(const texts *t, unsigned text, const int32_t *lengths, random_problem *ret) {
    random_state any = {1};
    make_problem(t->rules, lengths, equal_scores, &any, ret);
    for (unsigned w = 0; w < tz_rules_count(t->rules, TZ_WEIGHTS); w++)
        fill_weight(t, text, w, ret);
    for (unsigned i = 0; i < t->rules->inputs; i++) {
        tz_shape shape;
        int64_t bound, most;
        assert_ok(tz_rules_input_shape(t->rules, i, t->shared, &shape, &most));
        assert_ok(tz_rules_input_shape(t->rules, i, lengths, &shape, &bound));
        bound = most > 0 && most < bound ? most : bound;
        for (size_t c = 0; c < places_of(&shape) && bound > 0; c++) {
            int32_t index[TZ_MAX_RANK];
            index_of(&shape, c, index);
            const unsigned of = is_shared_number(t, i, index) ? 0 : text;
            random_state state = state_of(t->seed[of], 100 + i, index, shape.rank);
            ret->number[i][c] = (int32_t)random_below(&state, (uint64_t)bound);
        }
    }
}

/* ---- One rule set ---------------------------------------------------------------------------- */

typedef struct session {
    random_state *random;
    texts texts;
    const tz_plan *plan;
    tz_chart *chart;
    size_t lanes;
    int32_t lengths[TZ_MAX_LENGTHS]; /* of all lanes */
    unsigned text[MOST_LANES];
    int32_t kept[TZ_MAX_LENGTHS];
    bool anew;  /* nothing is kept */
    bool drawn; /* random rules */
} session;

typedef struct totals {
    random_state *random;
    unsigned rule_sets, turns, extended, wrong;
} totals;

static bool is_label(const tz_rules *rules, unsigned l) {
    return rules->length_name[l][0] >= 'A' && rules->length_name[l][0] <= 'Z';
}

static bool is_affordable(const session *s, const int32_t *lengths) {
    double products;
    return has_numbers(s->texts.rules, lengths) && dense_cells(s->texts.rules, lengths) < 3000 &&
           tz_plan_products(s->plan, lengths, &products) == TZ_OK && products <= most_products;
}

/* Other lengths, mostly one more of one. */
static void draw_turn(session *s, bool first) {
    const tz_rules *rules = s->texts.rules;
    int32_t lengths[TZ_MAX_LENGTHS];
    bool other = false;
    for (unsigned tries = 0; tries < 50; tries++) {
        memcpy(lengths, s->lengths, sizeof lengths);
        const unsigned l = (unsigned)random_below(s->random, rules->lengths);
        const uint64_t how = random_below(s->random, 8);
        /* Labels bound the numbers of inputs, which must stay. */
        if (!is_label(rules, l) || (rules->inputs == 0 && random_below(s->random, 8) == 0))
            lengths[l] = how < 4   ? lengths[l] + 1
                         : how < 5 ? lengths[l] + 1 + (int32_t)random_below(s->random, 3)
                         : how < 7 ? (int32_t)random_below(s->random, (uint64_t)lengths[l] + 1)
                                   : (int32_t)random_below(s->random, LONGEST);
        if (lengths[l] <= LONGEST && is_affordable(s, lengths))
            break;
        memcpy(lengths, s->lengths, sizeof lengths);
    }
    for (unsigned l = 0; l < rules->lengths; l++)
        s->kept[l] = lengths[l] < s->lengths[l] ? lengths[l] : s->lengths[l];
    memcpy(s->lengths, lengths, sizeof lengths);
    for (size_t lane = 0; lane < s->lanes; lane++) {
        const unsigned text = (unsigned)random_below(s->random, TEXTS);
        if (!first && (random_below(s->random, 4) > 0 || text == s->text[lane]))
            continue;
        s->text[lane] = text;
        other = true;
    }
    s->anew = first;
    for (unsigned l = 0; l < rules->lengths && other; l++) {
        /* What is declared for less than the shared lengths need not be for these. */
        s->anew |= s->kept[l] < s->texts.shared[l];
        s->kept[l] = s->texts.shared[l];
    }
}

static void complain(const session *s, const char *what) {
    const tz_rules *rules = s->texts.rules;
    print_message("%s x %s, %zu lanes, lengths", rules->name, s->plan->wide.semiring->name,
                  s->lanes);
    for (unsigned l = 0; l < rules->lengths; l++)
        print_message(" %d", (int)s->lengths[l]);
    print_message(" from");
    for (unsigned l = 0; l < rules->lengths; l++)
        print_message(" %d", (int)s->kept[l]);
    print_message(": %s\n", what);
}

static bool same_answers(const session *s, const random_problem *own, tz_chart *at_once,
                         size_t lane, unsigned questions) {
    const asking grown = {s->texts.rules, own, s->chart, lane, NULL};
    const asking alone = {s->texts.rules, own, at_once, 0, NULL};
    for (unsigned k = 0; k < ALL_QUESTIONS; k++) {
        numbers got = {0}, right = {0};
        char what[200];
        size_t i = 0;
        if (!(questions >> k & 1))
            continue;
        read_answer(&grown, (question)k, &got);
        read_answer(&alone, (question)k, &right);
        while (i < got.count && i < right.count &&
               memcmp(&got.at[i], &right.at[i], sizeof *got.at) == 0)
            i++;
        const bool same = i == got.count && i == right.count;
        snprintf(what, sizeof what,
                 "lane %zu, number %zu of %s (%zu, at once %zu) is %.17g, at "
                 "once %.17g",
                 lane, i, question_name[k], got.count, right.count, i < got.count ? got.at[i] : NAN,
                 i < right.count ? right.at[i] : NAN);
        free(got.at);
        free(right.at);
        if (!same) {
            complain(s, what);
            return false;
        }
    }
    return true;
}

/* What is asked after tz_outside only. */
static const unsigned outside =
    1u << OUTSIDE | 1u << THROUGH | 1u << MARGINALS | 1u << TANGENTS | 1u << ITEMS | 1u << RISK;

static bool take_turn(session *s, totals *t, bool first) {
    random_problem own[MOST_LANES];
    tz_problem problem[MOST_LANES];
    unsigned questions = any_questions(s->random) | 1u << INSIDE;
    draw_turn(s, first);
    /* Derivations of random rules may be as large as all their items can make them. */
    for (unsigned l = 0; l < s->texts.rules->lengths && s->drawn; l++)
        if (s->lengths[l] > 4)
            questions &= ~(1u << DERIVATIONS | 1u << SAMPLES | 1u << STRUCTURES);
    for (size_t lane = 0; lane < s->lanes; lane++) {
        make_text(&s->texts, s->text[lane], s->lengths, &own[lane]);
        problem[lane] = own[lane].problem;
    }
    const uint64_t version = s->chart->layout.version;
    tz_status status = tz_extend(s->chart, problem, s->lanes, s->anew ? NULL : s->kept, NULL);
    const bool extended = status == TZ_OK && s->chart->layout.version == version;
    if (status == TZ_OK && (questions & outside) != 0)
        status = tz_outside(s->chart);
    bool same = true;
    for (size_t lane = 0; lane < s->lanes && same; lane++) {
        OWN(tz_chart, at_once) = make_chart(s->plan);
        tz_status right = tz_bind(at_once, &problem[lane], 1, NULL);
        right = right == TZ_OK ? tz_inside(at_once) : right;
        if (right == TZ_OK && (questions & outside) != 0)
            right = tz_outside(at_once);
        if (s->lanes == 1 || status == TZ_OK)
            same = status == right;
        if (!same)
            complain(s, "another status");
        if (same && status == TZ_OK)
            same = same_answers(s, &own[lane], at_once, lane, questions);
    }
    /* The chart serves others in between: what goes on after that is computed anew. */
    if (same && status == TZ_OK && random_below(s->random, 6) == 0) {
        run_inside(s->chart, problem, s->lanes);
        OWN(tz_chart, at_once) = make_chart(s->plan);
        run_inside(at_once, problem, 1);
        same = same_answers(s, &own[0], at_once, 0, questions & ~outside);
    }
    free_problems(own, s->lanes);
    t->turns++;
    t->extended += extended;
    return same;
}

static void check_rules(void *user, const tz_rules *rules, const char *text) {
    totals *t = user;
    static const score_source all[] = {plain_scores,    masked_scores, integer_scores,
                                       masked_integers, large_scores,  wide_scores};
    static const score_source low[] = {low_scores, low_integers};
    const tz_precision precision = random_below(t->random, 2) ? TZ_F64 : TZ_F32;
    session s = {.random = t->random, .lanes = 1 + random_below(t->random, MOST_LANES)};
    OWN(tz_semiring, semiring) = make_semiring(any_semiring(rules, t->random), precision);
    OWN(tz_plan, plan) = make_plan(rules, semiring, TZ_FORCE);
    s.chart = make_chart(plan);
    s.plan = plan;
    s.drawn = text != NULL;
    s.texts = (texts){.rules = rules,
                      .source = tz_has_closures(rules) ? low[random_below(t->random, 2)]
                                                       : all[random_below(t->random, 6)]};
    for (unsigned i = 0; i < TEXTS; i++)
        s.texts.seed[i] = random_bits(t->random);
    for (unsigned l = 0; l < rules->lengths; l++) {
        s.lengths[l] = is_label(rules, l) ? 1 + (int32_t)random_below(t->random, 3) : 2;
        s.texts.shared[l] = is_label(rules, l) ? s.lengths[l] : 2;
    }
    bool same = true;
    for (unsigned n = 0; n < TURNS && same && is_affordable(&s, s.lengths); n++)
        same = take_turn(&s, t, n == 0);
    if (!same)
        fprintf(stderr, "%s\n", text != NULL ? text : ""); /* print_message would cut it */
    t->wrong += !same;
    t->rule_sets++;
    tz_chart_free(s.chart);
}

TEST(as_at_once) {
    random_state random = random_start("as at once");
    totals t = {.random = &random};
    for (unsigned round = 0; round < AMOUNT(2, 1); round++) /* under other semirings */
        each_rule_set(random_rule_sets(RANDOMS), &random, check_rules, &t);
    print_message("# %u rule sets, %u turns, %u of them extended\n", t.rule_sets, t.turns,
                  t.extended);
    assert_int_equal(t.wrong, 0);
    assert_true(t.extended > t.turns / 8);
}
