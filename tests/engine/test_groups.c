/* test_groups.c - how tz_run groups problems: does every problem have its place, in lanes that are
 * long enough and not too many; do equal lengths stay as they are, and many lengths share layouts;
 * do threads take every group once?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <string.h>

#include "engine/batch/queue.h"
#include "engine/layout/address.h"
#include "tests/support/problem.h"

enum { MOST = 300, MOST_THREADS = 9 };

typedef struct batch {
    tz_problem problem[MOST];
    int32_t lengths[MOST][TZ_MAX_LENGTHS];
    tz_ordered order[MOST];
    tz_grouped group[MOST];
    size_t count, groups, most;
} batch;

static tz_plan *plan_of(const char *name) {
    tz_plan *plan = make_plan(tz_rules_find(name), tz_semiring_find("max", TZ_F32), 0);
    return plan;
}

static void set(batch *b, const tz_plan *plan, size_t i, int32_t n) {
    set_lengths(plan->rules, n, 3, b->lengths[i]);
    b->problem[i] = (tz_problem){.lengths = b->lengths[i]};
    b->order[i] = (tz_ordered){&b->problem[i], i, plan->rules->lengths};
}

static void make(batch *b, const tz_plan *plan, size_t lanes, bool kept) {
    assert_ok(
        tz_make_groups(plan, b->order, b->count, lanes, kept, b->group, &b->groups, &b->most));
}

/* How many lengths charts are laid out for, one after the other. */
static size_t layouts(const batch *b) {
    size_t layouts = 0;
    for (size_t g = 0; g < b->groups; g++)
        layouts += g == 0 || memcmp(b->group[g].longest, b->group[g - 1].longest,
                                    sizeof b->group[g].longest) != 0;
    return layouts;
}

/* Groups are all of the order; no problem comes twice. */
static void check(const batch *b, const tz_plan *plan, size_t lanes) {
    size_t seen = 0;
    bool there[MOST] = {false};
    for (size_t g = 0; g < b->groups; g++) {
        const tz_grouped *group = &b->group[g];
        double cells;
        size_t room = lanes > 0 ? lanes : tz_best_lanes(plan, group->longest, &(int){-1}, &cells);
        assert_in_range(group->count, 1, group->lanes);
        assert_in_range(group->lanes, 1, room < b->most ? room : b->most);
        for (size_t i = 0; i < group->count; i++) {
            const tz_ordered *one = &b->order[group->first + i * group->step];
            assert_ptr_equal(one->problem, &b->problem[one->at]);
            seen += !there[one->at];
            there[one->at] = true;
            for (unsigned l = 0; l < plan->rules->lengths; l++)
                assert_true(one->problem->lengths[l] <= group->longest[l]);
        }
    }
    assert_int_equal(seen, b->count);
}

TEST(all_have_a_place) {
    random_state random = random_start("groups");
    static const char *const rules[] = {"eisner", "edit", "chain", "sibling-single-root"};
    static batch b;
    for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
        OWN(tz_plan, plan) = plan_of(rules[r]);
        for (int turn = 0; turn < 100; turn++) {
            size_t lanes = turn % 2 ? random_below(&random, 20) : 0;
            int32_t longest = 1 + (int32_t)random_below(&random, turn % 5 ? 60 : 400);
            b.count = 1 + random_below(&random, MOST);
            for (size_t i = 0; i < b.count; i++) {
                set(&b, plan, i, (int32_t)random_below(&random, (uint64_t)longest + 1));
                for (unsigned l = 1; l < plan->rules->lengths; l++)
                    b.lengths[i][l] = 1 + (int32_t)random_below(&random, (uint64_t)longest);
            }
            make(&b, plan, lanes, random_below(&random, 2));
            check(&b, plan, lanes);
        }
    }
}

/* Threads of any speeds take every group once; one alone takes them in their order. */
TEST(queue) {
    random_state random = random_start("queue");
    static batch b;
    OWN(tz_plan, plan) = plan_of("eisner");
    for (int turn = 0; turn < 200; turn++) {
        const size_t threads = 1 + random_below(&random, MOST_THREADS);
        const int32_t longest = 1 + (int32_t)random_below(&random, turn % 5 ? 60 : 400);
        size_t taken[MOST] = {0}, total = 0;
        OWN(tz_queue, queue) = NULL;
        b.count = 1 + random_below(&random, MOST);
        for (size_t i = 0; i < b.count; i++)
            set(&b, plan, i, (int32_t)random_below(&random, (uint64_t)longest + 1));
        make(&b, plan, 0, random_below(&random, 2));
        assert_ok(tz_queue_new(b.group, b.groups, threads, &queue));
        bool done[MOST_THREADS] = {false};
        for (size_t left = threads; left > 0;) {
            const size_t thread = random_below(&random, threads);
            const tz_grouped *g = done[thread] ? NULL : tz_queue_next(queue, thread);
            if (g != NULL) {
                assert_true(threads > 1 || g == &b.group[total]);
                taken[g - b.group]++;
                total++;
            } else if (!done[thread]) {
                done[thread] = true;
                left--;
            }
        }
        for (size_t g = 0; g < b.groups; g++)
            assert_int_equal(taken[g], 1);
    }
}

/* One length: as many groups as it takes, and no padding. */
TEST(one_length) {
    static batch b;
    OWN(tz_plan, plan) = plan_of("eisner");
    double cells;
    for (int32_t n = 0; n < 100; n += 9) {
        int32_t lengths[TZ_MAX_LENGTHS] = {n};
        size_t room = tz_best_lanes(plan, lengths, &(int){-1}, &cells);
        b.count = 4 * room;
        for (size_t i = 0; i < b.count; i++)
            set(&b, plan, i, n);
        make(&b, plan, 0, n % 2);
        check(&b, plan, 0);
        assert_int_equal(b.groups, 4);
        assert_int_equal(layouts(&b), 1);
        assert_int_equal(b.group[0].longest[0], n);
        assert_int_equal(b.group[3].lanes, room);
    }
}

/* Many lengths of few problems each share layouts; less of them where charts are kept, which have
 * seen most lengths before. Where every length has very many problems, each has its own. */
TEST(neighbours) {
    static batch b;
    OWN(tz_plan, plan) = plan_of("eisner");
    b.count = MOST;
    for (size_t i = 0; i < b.count; i++)
        set(&b, plan, i, 10 + (int32_t)i % 50);
    make(&b, plan, 0, false);
    size_t once = layouts(&b);
    assert_in_range(once, 2, 15);
    make(&b, plan, 0, true);
    assert_in_range(layouts(&b), once, 30);
    for (size_t i = 0; i < b.count; i++)
        set(&b, plan, i, i % 2 ? 60 : 50);
    make(&b, plan, 0, true);
    check(&b, plan, 0);
    assert_int_equal(layouts(&b), 2);
}
