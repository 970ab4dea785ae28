/* test_extend_memory.c - does a chart that grows allocate only the first time, and what happens
 * where memory is out?
 *
 * SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include "tests/support/evaluate.h"
#include "tests/support/oom.h"

enum { N = 12, SESSIONS = 4 };
static const char *const names[] = {"eisner", "chain", "cky", "edit", "compress-single-root"};

/* A problem whose arrays serve shorter ones. */
typedef struct growing {
    const tz_rules *rules;
    tz_plan *plan;
    random_problem whole;
} growing;

static void make(const char *name, const char *semiring, growing *ret) {
    random_state random = {3};
    int32_t lengths[TZ_MAX_LENGTHS];
    ret->rules = find_rules(name);
    set_lengths(ret->rules, N, 2, lengths);
    make_problem(ret->rules, lengths, plain_scores, &random, &ret->whole);
    assert_ok(
        tz_plan_new(ret->rules, tz_semiring_find(semiring, TZ_F64), TZ_FORCE, &ret->plan, NULL));
}

static void free_growing(growing *g) {
    random_problem_free(&g->whole);
    tz_plan_free(g->plan);
}

/* To n words of the first length from one less, or anew. */
static tz_status extend(const growing *g, tz_chart *chart, int32_t n, bool anew) {
    int32_t lengths[TZ_MAX_LENGTHS], kept[TZ_MAX_LENGTHS];
    tz_problem problem = {.lengths = lengths, .scores = g->whole.scores};
    memcpy(lengths, g->whole.lengths, sizeof lengths);
    memcpy(kept, lengths, sizeof kept);
    lengths[0] = n;
    kept[0] = n - 1;
    return tz_extend(chart, &problem, 1, anew ? NULL : kept, NULL);
}

/* Sessions of the same lengths: the second may still find that memory is larger than when the first
 * schedules were made. */
TEST(no_allocation) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        growing g;
        make(names[i], i % 2 ? "max" : "log", &g);
        OWN(tz_chart, chart) = make_chart(g.plan);
        for (unsigned session = 0; session < SESSIONS; session++) {
            const size_t before = oom_count();
            for (int32_t n = 2; n <= N; n++)
                assert_ok(extend(&g, chart, n, n == 2));
            if (session == 0)
                assert_true(oom_count() > before);
            else if (session >= 2 && oom_count() > before)
                fail_msg("%s: %zu allocations in session %u", names[i], oom_count() - before,
                         session);
        }
        free_growing(&g);
    }
}

/* A session, then what takes an outside pass. */
static int attempt(void *user) {
    const growing *g = user;
    OWN(tz_chart, chart) = NULL;
    tz_status status = tz_chart_new(g->plan, &chart);
    for (int32_t n = 2; n <= 6 && status == TZ_OK; n++)
        status = extend(g, chart, n, n == 2);
    if (status == TZ_OK)
        status = tz_outside(chart);
    double value;
    if (status == TZ_OK)
        status = tz_goal(chart, 0, &value);
    return (int)status;
}

TEST(out_of_memory) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        growing g;
        make(names[i], "log", &g);
        assert_true(oom_sweep(names[i], attempt, &g, TZ_NO_MEMORY, false) > 0);
        free_growing(&g);
    }
}
