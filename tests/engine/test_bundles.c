/* test_bundles.c - do the blocks of a schedule, bundled and computed by contracts, touch each
 * target as the plain loops do?
 *
 * Compared are all elements of items, folds and weights, inside, outside and of the weight pass,
 * bit by bit, with a chart whose semiring has no contract and no bundles, in charts that have seen
 * other lengths before. The same rules computed stage by stage, without bundles, sums in another
 * order: the bits of max stay, sums that are rounded differ by as much.
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "engine/layout/address.h"
#include "engine/pass/schedule.h"
#include "tests/support/amount.h"
#include "tests/support/element.h"
#include "tests/support/evaluate.h"
#include "tests/support/isas.h"
#include "tests/support/items.h"

enum { LANES = 5 };

/* A semiring and its copy that knows plus, times and plus_times only. */
typedef struct pair {
    const tz_semiring *semiring;
    tz_semiring plain, plain_narrow;
    tz_kernels kernels, narrow_kernels;
} pair;

/* Kernels that compute no blocks. */
static void strip(tz_semiring *semiring, tz_kernels *ret) {
    *ret = semiring->kernels != NULL ? *semiring->kernels : (tz_kernels){0};
    memset(ret->contract, 0, sizeof ret->contract);
    ret->bundles = 0;
    semiring->kernels = ret;
}

static void make_pair(const char *name, tz_precision precision, pair *ret) {
    ret->semiring = tz_semiring_find(name, precision);
    assert_non_null(ret->semiring);
    ret->plain = *ret->semiring;
    strip(&ret->plain, &ret->kernels);
    if (ret->kernels.narrow == NULL)
        return;
    ret->plain_narrow = *ret->kernels.narrow;
    strip(&ret->plain_narrow, &ret->narrow_kernels);
    ret->kernels.narrow = &ret->plain_narrow;
}

static void clear_bundles(tz_plan *plan) {
    for (unsigned s = 0; s < plan->rules->steps; s++)
        plan->inside[s].bundles = false;
    for (unsigned s = 0; s < plan->rules->outside_steps; s++)
        plan->outside[s].bundles = false;
}

/* All passes. Through is run when cells are first asked for. */
static void run_all(tz_chart *chart, const tz_problem *problem, size_t count,
                    const random_problem *first) {
    run_outside(chart, problem, count);
    for (unsigned w = 0; w < chart->plan->rules->weights; w++) {
        double *cell = need(calloc(first->cells[w] + 1, sizeof *cell));
        tz_output output = problem_output(first, w, cell);
        tz_status status = tz_through(chart, 0, w, &output);
        assert_true(status == TZ_OK || status == TZ_NONE);
        free(cell);
    }
}

static size_t bundles_of(const tz_chart *chart) {
    size_t bundles = 0;
    for (const tz_schedule *s = chart->passes.schedule; s != NULL; s = s->next)
        for (size_t b = 0; b < s->blocks; b++)
            bundles += ((const tz_block *)s->block.data)[b].bundle > 1;
    return bundles;
}

/* Calls visit for all index values that a domain declares. */
typedef void (*cell_visit)(void *user, const int64_t *index);

static void each_declared(const tz_chart *chart, size_t lane, const tz_domain *domain,
                          unsigned rank, cell_visit visit, void *user) {
    const tz_rules *rules = chart->plan->rules;
    int64_t side = 0, index[TZ_MAX_RANK] = {0};
    for (unsigned l = 0; l < rules->lengths; l++)
        side = chart->bound.longest[l] + 2 > side ? chart->bound.longest[l] + 2 : side;
    for (bool more = true; more;) {
        if (tz_domain_holds(domain, rules->lengths, tz_lane_length(chart, lane), rank, index))
            visit(user, index);
        more = false;
        for (unsigned q = rank; q-- > 0 && !more;) {
            more = ++index[q] < side;
            index[q] = more ? index[q] : 0;
        }
    }
}

typedef struct comparison {
    const char *what;
    const tz_chart *a, *b;
    size_t lane;
    unsigned which;
} comparison;

static void compare_cell(const comparison *c, tz_space space, ptrdiff_t offset,
                         const int64_t *index) {
    static const char *const space_name[] = {"inside", "outside", "weights", "outside of weights"};
    if (memcmp(tz_cell(c->a, space, offset, c->lane), tz_cell(c->b, space, offset, c->lane),
               c->a->algebra->size) != 0)
        fail_msg("%s: %s of %u at %d %d differs in lane %zu", c->what, space_name[space], c->which,
                 (int)index[0], (int)index[1], c->lane);
}

static void compare_kind(void *user, const int64_t *index) {
    const comparison *c = user;
    ptrdiff_t offset = tz_cell_offset(c->a, c->which, index);
    assert_true(offset >= 0);
    compare_cell(c, TZ_AT_INSIDE, offset, index);
    compare_cell(c, TZ_AT_OUTSIDE, offset, index);
}

static void compare_weight(void *user, const int64_t *index) {
    const comparison *c = user;
    const tz_weight *weight = &c->a->plan->rules->weight[c->which];
    const tz_box *box = &c->a->layout.weight_box[c->which];
    ptrdiff_t offset = (ptrdiff_t)box->offset;
    for (unsigned q = 0; q < weight->rank; q++)
        offset += (ptrdiff_t)(tz_form_value(&weight->coordinate[q], 0, NULL, weight->rank, index) -
                              box->low[q]) *
                  box->stride[q];
    compare_cell(c, TZ_AT_WEIGHT, offset, index);
    if (c->a->state == TZ_WEIGHTS_DONE)
        compare_cell(c, TZ_AT_WEIGHT_OUTSIDE, offset, index);
}

/* Every element that means something. What is between them may be left over from other lengths. */
static void compare_elements(const char *what, const tz_chart *a, const tz_chart *b) {
    const tz_rules *rules = a->plan->rules;
    assert_int_equal(a->algebra->size, b->algebra->size);
    assert_int_equal(a->state, b->state);
    for (size_t lane = 0; lane < a->lanes; lane++) {
        comparison c = {what, a, b, lane, 0};
        for (c.which = 0; c.which < rules->kinds; c.which++)
            each_declared(a, lane, &rules->kind[c.which].domain, rules->kind[c.which].rank,
                          compare_kind, &c);
        for (c.which = 0; c.which < rules->weights; c.which++)
            if (!a->layout.weight_box[c.which].absent)
                each_declared(a, lane, &rules->weight[c.which].domain, rules->weight[c.which].rank,
                              compare_weight, &c);
    }
}

typedef struct item_pair {
    const tz_chart *a, *b;
    size_t lane;
    double worst;
} item_pair;

static void compare_item(void *user, unsigned item, const int32_t *index) {
    item_pair *p = user;
    for (int outside = 0; outside < 2; outside++) {
        double x, y;
        assert_ok(tz_item_value(p->a, p->lane, item, index, outside, &x));
        assert_ok(tz_item_value(p->b, p->lane, item, index, outside, &y));
        note_worst(&p->worst, relative_error(x, y));
    }
}

/* Have both charts the same scales? One that makes its schedule stops where the first number leaves
 * its range, another goes on to the end: they may read off different scales for the next attempt,
 * or go wide where the other need not. */
static bool same_scales(const tz_chart *a, const tz_chart *b) {
    const bool wide = a->algebra == &a->plan->wide;
    if (wide != (b->algebra == &b->plan->wide))
        return false;
    return wide || memcmp(a->scaling.scale, b->scaling.scale,
                          a->lanes * a->plan->rules->gauges * sizeof *a->scaling.scale) == 0;
}

typedef struct totals {
    size_t charts, apart, bundles; /* apart: of different scales */
    double worst[3];
} totals;

enum {
    LARGEST = AMOUNT(34, 15),
    LARGEST_OF_SOME = AMOUNT(22, 13),
    LARGEST_OF_MANY_INDICES = AMOUNT(14, 8)
};

static const char *const semirings[] = {"max", "log", "count"};

/* One bind of used and once (which has seen nothing), and of one without bundles. */
static void check(const tz_rules *rules, unsigned s, tz_chart *used, const tz_plan *plain,
                  const tz_plan *unbundled, const int32_t *n, size_t count, random_state *random,
                  totals *total) {
    random_problem own[LANES];
    tz_problem problem[LANES];
    char what[160];
    for (size_t lane = 0; lane < count; lane++) {
        problem_of_size(rules, n[lane], random_below(random, 4) ? plain_scores : masked_scores,
                        random, &own[lane]);
        problem[lane] = (tz_problem){
            .lengths = own[lane].lengths, .scores = own[lane].scores, .numbers = own[lane].numbers};
    }
    snprintf(what, sizeof what, "%s x %s, %zu lanes, n = %d %d", tz_rules_name(rules), semirings[s],
             count, n[0], count > 1 ? n[1] : 0);
    tz_chart *once = make_chart(plain);
    /* What it has learned about scales would change elements, not values. */
    memset(used->scaling.drift, 0, sizeof used->scaling.drift);
    run_all(used, problem, count, &own[0]);
    run_all(once, problem, count, &own[0]);
    if (same_scales(used, once))
        compare_elements(what, used, once);
    else
        total->apart++;
    for (size_t lane = 0; lane < count && !same_scales(used, once); lane++) {
        item_pair items = {used, once, lane, 0};
        each_item(rules, own[lane].lengths, compare_item, &items);
        if (items.worst != 0)
            fail_msg("%s: an item differs in lane %zu", what, lane);
    }
    total->charts++;
    total->bundles += bundles_of(used);
    assert_int_equal(bundles_of(once), 0);
    tz_chart_free(once);
    if (unbundled != NULL) {
        once = make_chart(unbundled);
        run_all(once, problem, count, &own[0]);
        for (size_t lane = 0; lane < count; lane++) {
            item_pair items = {used, once, lane, 0};
            each_item(rules, own[lane].lengths, compare_item, &items);
            note_worst(&total->worst[s], items.worst);
        }
        tz_chart_free(once);
    }
    free_problems(own, count);
}

typedef struct subject {
    unsigned semiring, flags;
    tz_precision precision;
    bool every; /* every length */
    const char *name;
} subject;

/* Without bundles sums have another order. Items within 1e-13 in double, 1e-5  in float;
 * measured 1.4e-15 and 2.2e-7. */
static void test_schedules(void **state) {
    const subject *subject = *state;
    unsigned s = subject->semiring;
    random_state random = random_start(subject->name);
    totals total = {0};
    pair p;
    make_pair(semirings[s], subject->precision, &p);
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++) {
        const tz_rules *rules = tz_rules_builtin(i);
        bool quartic = strcmp(tz_rules_name(rules), "skip-bigram-note") == 0; /* n^4 plain loops */
        int largest = most_indices(rules) > 3 ? LARGEST_OF_MANY_INDICES
                      : quartic               ? 30
                      : subject->every        ? LARGEST
                                              : LARGEST_OF_SOME;
        unsigned flags = TZ_FORCE | subject->flags;
        OWN(tz_plan, plan) = make_plan(rules, p.semiring, flags);
        OWN(tz_plan, plain) = make_plan(rules, &p.plain, TZ_FORCE);
        OWN(tz_plan, unbundled) = make_plan(rules, p.semiring, flags);
        clear_bundles(unbundled);
        OWN(tz_chart, used) = make_chart(plan);
        for (int32_t n = 0; n <= largest; n++) {
            /* Groups of stages begin at 2, at 8 and every two or four from there. */
            if (n % 11 > 1 && (!subject->every || n % (n > 28 ? 8 : n > 20 ? 4 : 1) > 1))
                continue;
            check(rules, s, used, plain, unbundled, &n, 1, &random, &total);
            if (n % 11 <= 1 && n < 24) {
                /* Lanes of one length, then of different ones, then the same chart again. */
                int32_t same[LANES] = {n, n, n, n, n}, mixed[LANES] = {n / 2, n, n - 1, 0, n / 3};
                mixed[2] = mixed[2] > 0 ? mixed[2] : 0;
                check(rules, s, used, plain, unbundled, same, 3, &random, &total);
                check(rules, s, used, plain, unbundled, mixed, LANES, &random, &total);
                int32_t back = 12 < largest ? 12 : n;
                check(rules, s, used, plain, NULL, &back, 1, &random, &total);
                check(rules, s, used, plain, NULL, &n, 1, &random, &total);
            }
        }
        int32_t two[2] = {largest / 2 + 3, largest};
        check(rules, s, used, plain, unbundled, &largest, 1, &random, &total);
        if (subject->every)
            check(rules, s, used, plain, NULL, two, 2, &random, &total);
        if (subject->every && strcmp(tz_rules_name(rules), "eisner") == 0) {
            /* Rows that do not stay in the caches. */
            const int32_t longer = 147;
            check(rules, s, used, plain, NULL, &longer, 1, &random, &total);
        }
    }
    print_message("# %zu charts (%zu of other scales), %zu bundles; largest difference to sums in "
                  "another order %.2g\n",
                  total.charts, total.apart, total.bundles, total.worst[s]);
    assert_true(total.bundles > 0 && total.apart * 20 <= total.charts);
    if (s == 0)
        assert_true(total.worst[s] == 0);
    else
        assert_true(total.worst[s] <= (subject->precision == TZ_F64 ? 1e-13 : 1e-5));
}

int main(void) {
    static const subject subjects[] = {
        {0, 0, TZ_F64, true, "max"},
        {1, 0, TZ_F64, true, "log"},
        {2, 0, TZ_F64, false, "count"},
        {0, 0, TZ_F32, false, "max in float"},
        {1, 0, TZ_F32, false, "log in float"},
        {0, TZ_NO_AVX512, TZ_F64, false, "max without AVX-512"},
        {1, TZ_NO_AVX512, TZ_F64, false, "log without AVX-512"},
        {0, TZ_NO_AVX2, TZ_F32, false, "max without AVX2"},
        {1, TZ_NO_AVX2, TZ_F64, false, "log without AVX2"},
    };
    enum { SUBJECTS = sizeof subjects / sizeof *subjects };
    const isas here = isas_here();
    struct CMUnitTest tests[SUBJECTS];
    size_t count = 0;
    for (size_t i = 0; i < SUBJECTS; i++)
        for (unsigned f = 0; f < here.count; f++)
            if (subjects[i].flags == here.flags[f])
                tests[count++] = (struct CMUnitTest){subjects[i].name, test_schedules, NULL, NULL,
                                                     (void *)(uintptr_t)&subjects[i]};
    return _cmocka_run_group_tests("bundles", tests, count, NULL, NULL);
}
