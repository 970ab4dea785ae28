/* test_watch.c - tz_watch: calls that are stopped at the first look, the second, ... return
 * TZ_STOPPED, and what is asked next has the bits that it has without; who calls `look`, how far
 * work has come by then, and that a long problem ends soon. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <float.h>
#include <pthread.h>
#include <time.h>

#include "base/clock.h"
#include "base/watch.h"
#include "engine/batch/groups.h"
#include "tests/support/evaluate.h"
#include "tests/support/limited.h"
#include "tests/support/record.h"

static double usual_cost;

/* A watch that stops the work at a look. */
typedef struct stopper {
    tz_watch watch;
    pthread_t caller;
    unsigned long looks, stop_at; /* 0: never */
    size_t done;                  /* when it looked last */
    bool wrong; /* another thread looked, or fewer problems were done than before */
} stopper;

static void count_look(tz_watch *watch) {
    stopper *s = watch->user;
    volatile double large = DBL_MAX, small = DBL_MIN;
    large *= 2; /* raises flags, which are no flags of the passes */
    small *= small;
    (void)large, (void)small;
    s->wrong |= !pthread_equal(pthread_self(), s->caller) || watch->done < s->done;
    s->done = watch->done;
    if (++s->looks == s->stop_at)
        watch->stop = 1;
}

static void start_watch(stopper *s, unsigned long stop_at) {
    *s = (stopper){
        .watch = {.look = count_look, .user = s}, .caller = pthread_self(), .stop_at = stop_at};
}

/* ---- One chart ------------------------------------------------------------------------------- */

static tz_status put_number(record *r, double number) {
    return record_bytes(r, &number, sizeof number);
}

/* Inside, outside, marginals, tangents, a structure's probability. *r is of use on TZ_OK alone. */
static tz_status ask(tz_chart *chart, const tz_rules *rules, const random_problem *p, record *r) {
    tz_status status = tz_bind(chart, &p->problem, 1, NULL);
    double number;
    r->size = 0;
    if (status == TZ_OK)
        status = tz_inside(chart);
    if (status == TZ_OK)
        status = tz_outside(chart);
    if (status != TZ_OK)
        return status;
    status = tz_goal_tangent(chart, 0, &number);
    if (status == TZ_STOPPED)
        return status;
    put_number(r, status);
    for (unsigned w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        double *cell = need(calloc(p->cells[w] + 1, sizeof *cell));
        tz_output output = problem_output(p, w, cell);
        status = tz_marginals(chart, 0, w, &output);
        if (status == TZ_OK || status == TZ_LAW)
            status = tz_through(chart, 0, w, &output);
        put_number(r, status);
        record_bytes(r, cell, p->cells[w] * sizeof *cell);
        free(cell);
        if (status == TZ_STOPPED)
            return status;
    }
    status = tz_goal(chart, 0, &number);
    put_number(r, number);
    return status == TZ_OK ? record_best(r, chart, 0) : status;
}

static void assert_same(const record *got, const record *right, const char *name) {
    if (got->size != right->size || memcmp(got->data, right->data, right->size) != 0)
        fail_msg("%s: other bits after it was stopped", name);
}

/* Stops at a look after the other until there are none left; returns how often it was stopped. */
static unsigned stop_everywhere(const tz_rules *rules, const char *semiring, unsigned flags,
                                random_state *random) {
    random_problem p;
    stopper at;
    record right = {0}, got = {0};
    unsigned stopped = 0;
    problem_of_size(rules, 5, plain_scores, random, &p);
    OWN(tz_semiring, s) = make_semiring(semiring, TZ_F64);
    OWN(tz_plan, plan) = make_plan(rules, s, TZ_FORCE | flags);
    OWN(tz_chart, chart) = make_chart(plan);
    const tz_status usual = ask(chart, rules, &p, &right);
    for (unsigned long k = 1;; k += 1 + k / AMOUNT(6, 1)) {
        start_watch(&at, k);
        tz_chart_watch(chart, &at.watch);
        tz_status status = ask(chart, rules, &p, &got);
        tz_chart_watch(chart, NULL);
        assert_false(at.wrong);
        if (at.watch.stop == 0 || status != TZ_STOPPED) {
            assert_int_equal(at.watch.stop, 0); /* a stop is always told */
            assert_int_equal(status, usual);
            break;
        }
        stopped++;
        assert_int_equal(ask(chart, rules, &p, &got), usual);
        if (usual == TZ_OK)
            assert_same(&got, &right, rules->name);
    }
    if (usual == TZ_OK)
        assert_same(&got, &right, rules->name);
    free(right.data);
    free(got.data);
    random_problem_free(&p);
    return stopped;
}

TEST(charts) {
    static const struct {
        const char *semiring;
        unsigned flags;
    } kinds[] = {{"log", 0}, {"max", 0}, {"log", TZ_PLAIN}, {"count", 0}, {"entropy", 0}};
    random_state random = random_start("stopped at each look");
    tz_look_cost = 0;
    unsigned stopped = 0, turn = 0;
    for (size_t i = 0; tz_rules_builtin(i) != NULL; i++)
        for (unsigned k = 0; k < 2; k++, turn++) {
            const unsigned which = k == 0 ? 0 : 1 + turn / 2 % 4;
            unsigned often = stop_everywhere(tz_rules_builtin(i), kinds[which].semiring,
                                             kinds[which].flags, &random);
            assert_true(often > 1);
            stopped += often;
        }
    /* Closures, sparse weights, side conditions. */
    for (size_t i = 0; tz_gallery_name(i) != NULL; i++) {
        OWN(tz_rules, rules) = NULL;
        assert_ok(tz_gallery_read(tz_gallery_name(i), &rules, NULL));
        stopped +=
            stop_everywhere(rules, i % 2 == 0 ? "log" : "max", i % 5 == 0 ? TZ_PLAIN : 0, &random);
    }
    print_message("# stopped %u times\n", stopped);
    tz_look_cost = usual_cost;
}

/* ---- Batches --------------------------------------------------------------------------------- */

enum { PROBLEMS = 12 };

typedef struct batch {
    const tz_rules *rules;
    random_problem own[PROBLEMS];
    tz_problem problem[PROBLEMS];
    double value[PROBLEMS];
    bool visited[PROBLEMS];
} batch;

static tz_status visit(void *user, size_t problem, tz_chart *chart, size_t lane) {
    batch *b = user;
    b->visited[problem] = true;
    return tz_goal(chart, lane, &b->value[problem]);
}

static void make_batch(const char *rules, random_state *random, batch *b) {
    b->rules = find_rules(rules);
    for (unsigned i = 0; i < PROBLEMS; i++) {
        problem_of_size(b->rules, 1 + (int)i % 7, plain_scores, random, &b->own[i]);
        b->problem[i] = b->own[i].problem;
    }
}

/* Visitors, tz_answer and marginals on one to three threads, in charts that are kept. */
TEST(batches) {
    random_state random = random_start("batches stopped at each look");
    static const char *const sets[] = {"eisner", "cky", "chain"};
    tz_look_cost = 0;
    for (unsigned i = 0; i < 3; i++) {
        batch b;
        OWN(tz_charts, charts) = NULL;
        double right[PROBLEMS];
        make_batch(sets[i], &random, &b);
        OWN(tz_plan, plan) = make_plan(b.rules, tz_semiring_find("log", TZ_F64), TZ_FORCE);
        assert_ok(tz_charts_new(plan, &charts));
        assert_ok(tz_run(plan, b.problem, PROBLEMS, NULL, visit, &b, NULL));
        memcpy(right, b.value, sizeof right);
        for (unsigned threads = 1; threads <= 3; threads++)
            for (unsigned by_visit = 0; by_visit < 2; by_visit++) {
                stopper at;
                tz_answers answers = {.value = b.value};
                tz_run_options options = {
                    .outside = true, .lanes = 2, .threads = threads, .charts = charts};
                tz_status status = TZ_STOPPED;
                unsigned stopped = 0;
                for (unsigned long k = 1; status == TZ_STOPPED; k += 1 + k / 4) {
                    tz_error error;
                    start_watch(&at, k);
                    options.watch = &at.watch;
                    status =
                        tz_run(plan, b.problem, PROBLEMS, &options, by_visit ? visit : tz_answer,
                               by_visit ? (void *)&b : (void *)&answers, &error);
                    assert_false(at.wrong);
                    assert_int_equal(at.watch.of, PROBLEMS);
                    if (status == TZ_STOPPED)
                        assert_string_equal(error.message, tz_status_name(TZ_STOPPED));
                    else
                        assert_int_equal(at.watch.done, PROBLEMS);
                    stopped += status == TZ_STOPPED;
                    options.watch = NULL;
                    memset(b.value, 0xff, sizeof b.value);
                    assert_ok(tz_run(plan, b.problem, PROBLEMS, &options,
                                     by_visit ? visit : tz_answer,
                                     by_visit ? (void *)&b : (void *)&answers, NULL));
                    assert_memory_equal(b.value, right, sizeof right);
                }
                assert_ok(status);
                assert_true(stopped > 0);
            }
        free_problems(b.own, PROBLEMS);
    }
    tz_look_cost = usual_cost;
}

static void sleep_for(double seconds) {
    const struct timespec time = {(time_t)seconds,
                                  (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&time, NULL);
}

/* Visitors take time on every thread but the calling one, which then has nothing to do but look. */
typedef struct slow {
    pthread_t caller;
    int others; /* visits on other threads, atomically */
} slow;

static tz_status visit_slowly(void *user, size_t problem, tz_chart *chart, size_t lane) {
    (void)problem, (void)chart, (void)lane;
    slow *s = user;
    if (!pthread_equal(pthread_self(), s->caller)) {
        __atomic_fetch_add(&s->others, 1, __ATOMIC_RELAXED);
        sleep_for(0.3);
    }
    return TZ_OK;
}

TEST(looks_while_it_waits) {
    random_state random = random_start("looks while others work");
    batch b;
    make_batch("eisner", &random, &b);
    OWN(tz_plan, plan) = make_plan(b.rules, tz_semiring_find("log", TZ_F64), 0);
    slow s = {.caller = pthread_self()};
    unsigned long waited = 0;
    for (unsigned round = 0; round < 50 && (s.others == 0 || waited == 0); round++) {
        stopper at;
        start_watch(&at, 0);
        const tz_run_options options = {.lanes = 1, .threads = 3, .watch = &at.watch};
        s.others = 0;
        assert_ok(tz_run(plan, b.problem, PROBLEMS, &options, visit_slowly, &s, NULL));
        waited = at.looks - (PROBLEMS - (unsigned long)s.others); /* one before each visit */
    }
    assert_true(waited > 3);
    free_problems(b.own, PROBLEMS);
}

/* ---- Limits ---------------------------------------------------------------------------------- */

static tz_status limit(limited *l, const random_problem *p, int method, double *ret_score) {
    tz_limited found;
    const double *curve;
    size_t count;
    if (method == 3) {
        tz_status status = tz_limit_curve(l->chart, &p->problem, &curve, &count, NULL);
        *ret_score = status == TZ_OK ? curve[count / 2] : 0;
        return status;
    }
    tz_status status = tz_limit(l->chart, &p->problem, 3, 3, (tz_limit_method)method, &found, NULL);
    *ret_score = status == TZ_OK ? found.score : 0;
    return status;
}

TEST(limits) {
    random_state random = random_start("limits stopped at each look");
    OWNED(random_problem, p) = {0};
    const tz_rules *rules = find_rules("compress");
    limited l = make_limited("compress", "kept");
    problem_of_size(rules, 8, plain_scores, &random, &p);
    tz_look_cost = 0;
    for (int method = 0; method < 4; method++) {
        double right, score;
        unsigned stopped = 0;
        tz_status status = TZ_STOPPED;
        assert_ok(limit(&l, &p, method, &right));
        for (unsigned long k = 1; status == TZ_STOPPED; k += 1 + k / 8) {
            stopper at;
            start_watch(&at, k);
            tz_limit_chart_watch(l.chart, &at.watch);
            status = limit(&l, &p, method, &score);
            tz_limit_chart_watch(l.chart, NULL);
            stopped += status == TZ_STOPPED;
            assert_ok(limit(&l, &p, method, &score));
            assert_memory_equal(&score, &right, sizeof score);
        }
        assert_ok(status);
        assert_true(stopped > 1);
    }
    tz_look_cost = usual_cost;
    free_limited(&l);
}

/* ---- Time ------------------------------------------------------------------------------------ */

/* Asks to stop after some processor time of the process, and tells when. */
static void *stop_later(void *user) {
    tz_watch *watch = user;
    const double start = tz_cpu_seconds();
    while (tz_cpu_seconds() < start + 0.1)
        sleep_for(0.005);
    *(double *)watch->user = tz_cpu_seconds();
    __atomic_store_n(&watch->stop, 1, __ATOMIC_RELAXED);
    return NULL;
}

/* One problem that takes seconds, stopped by another thread: processor time until the call ends. */
static double time_to_stop(const char *set, const char *semiring, int n, unsigned flags) {
    const tz_rules *rules = find_rules(set);
    random_state random = random_start("a long problem");
    OWNED(random_problem, p) = {0};
    pthread_t thread;
    double asked = 0;
    tz_watch watch = {.user = &asked};
    problem_of_size(rules, n, plain_scores, &random, &p);
    OWN(tz_semiring, s) = make_semiring(semiring, TZ_F64);
    OWN(tz_plan, plan) = make_plan(rules, s, TZ_FORCE | flags);
    OWN(tz_chart, chart) = make_chart(plan);
    assert_ok(tz_bind(chart, &p.problem, 1, NULL));
    tz_chart_watch(chart, &watch);
    assert_int_equal(pthread_create(&thread, NULL, stop_later, &watch), 0);
    const tz_status status = tz_inside(chart);
    const double ended = tz_cpu_seconds();
    pthread_join(thread, NULL);
    assert_int_equal(status, TZ_STOPPED);
    print_message("# %s x %s, n = %d: %.3f s after it was asked to stop\n", set, semiring, n,
                  ended - asked);
    return ended - asked;
}

TEST(time) {
    static const struct {
        const char *rules, *semiring;
        int n;
        unsigned flags;
    } cases[] = {{"eisner", "log", 2000, 0},
                 {"cky", "log", 1500, 0},
                 {"eisner", "kbest(50)", 200, 0},
                 {"eisner", "max", 300, TZ_PLAIN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases - AMOUNT(0, 2); i++)
        assert_true(time_to_stop(cases[i].rules, cases[i].semiring, cases[i].n, cases[i].flags) <
                    AMOUNT(0.5, 5));
}

BEFORE_TESTS {
    usual_cost = tz_look_cost;
    tz_thread_cost = 0;
}
