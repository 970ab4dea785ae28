/* test_threads.c - work shared among threads: all of it is done once, whatever threads the system
 * grants, in forks, in calls from many threads and from each other. It is linked so that
 * pthread_create is the one below. SPDX-License-Identifier: MIT */
#include "tests/support/test.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/threads.h"
#include "engine/batch/groups.h"
#include "tests/support/problem.h"

/* How many threads the system still grants. */
static atomic_int granted = 1 << 20;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
                          void *of);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
                          void *of);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
                          void *of) {
    if (atomic_fetch_sub(&granted, 1) <= 0)
        return EAGAIN;
    return __real_pthread_create(thread, attr, start, of);
}

/* ---- All that is to be done is done once ----------------------------------------------------- */

enum { MOST = 1000, MOST_THREADS = 8, MOST_SECONDS = 120 };

typedef struct work {
    size_t threads;
    atomic_int done[MOST];
    atomic_int at_work[MOST_THREADS]; /* by thread number */
    atomic_bool wrong;
} work;

static void do_one(void *of, size_t i) {
    work *w = of;
    const size_t number = tz_thread_number();
    if (number >= w->threads || atomic_fetch_add(&w->at_work[number % MOST_THREADS], 1) != 0)
        atomic_store(&w->wrong, true);
    atomic_fetch_add(&w->done[i], 1);
    atomic_fetch_sub(&w->at_work[number % MOST_THREADS], 1);
}

static bool all_once(size_t threads, size_t count) {
    work w = {.threads = threads > 0 ? threads : 1};
    tz_parallel(threads, count, do_one, &w);
    for (size_t i = 0; i < MOST; i++)
        if (w.done[i] != (i < count))
            return false;
    return !w.wrong && tz_thread_number() == 0;
}

static bool all_ways_once(void) {
    bool right = true;
    for (size_t threads = 0; threads <= MOST_THREADS; threads++)
        for (size_t count = 0; count <= MOST; count = 3 * count + 1)
            right &= all_once(threads, count);
    return right;
}

TEST(once) {
    assert_true(all_ways_once());
}

/* ---- Calls from calls ------------------------------------------------------------------------ */

typedef struct nest {
    unsigned depth;
    atomic_int *leaves;
} nest;

static void deeper(void *of, size_t i) {
    const nest *n = of, below = {n->depth - 1, n->leaves};
    const size_t number = tz_thread_number();
    (void)i;
    if (n->depth == 0) {
        atomic_fetch_add(n->leaves, 1);
        return;
    }
    tz_parallel(n->depth % 3 + 1, 3, deeper, (void *)&below);
    assert_int_equal(tz_thread_number(), number);
}

TEST(nested) {
    atomic_int leaves = 0;
    nest n = {5, &leaves};
    tz_parallel(3, 3, deeper, &n);
    assert_int_equal(leaves, 3 * 3 * 3 * 3 * 3 * 3);
}

/* ---- Calls from many threads ----------------------------------------------------------------- */

static void *call_often(void *of) {
    bool *right = of;
    *right = true;
    for (int turn = 0; turn < 50; turn++)
        *right &= all_once(3, 100);
    return NULL;
}

TEST(callers) {
    enum { CALLERS = 6 };
    pthread_t caller[CALLERS];
    bool right[CALLERS];
    for (int c = 0; c < CALLERS; c++)
        assert_int_equal(__real_pthread_create(&caller[c], NULL, call_often, &right[c]), 0);
    for (int c = 0; c < CALLERS; c++)
        pthread_join(caller[c], NULL);
    for (int c = 0; c < CALLERS; c++)
        assert_true(right[c]);
}

/* ---- Waiting --------------------------------------------------------------------------------- */

static void sleep_once(void *of, size_t i) {
    (void)of;
    if (i == 0)
        nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
}

/* Who waits for others, for 0.3 s here, takes no time of a processor. */
TEST(waiting) {
    struct timespec before, after;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    for (int turn = 0; turn < 2; turn++)
        tz_parallel(4, 4, sleep_once, NULL);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    double taken =
        (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) * 1e-9;
    print_message("# %.4f s of processor time in 0.6 s\n", taken);
    assert_true(taken < 0.1);
}

/* ---- Threads that are refused, and forks; each in a process whose pool is empty -------------- */

static bool in_child(bool (*holds)(void)) {
    int status;
    pid_t child = fork();
    if (child == 0) {
        alarm(MOST_SECONDS);
        _exit(holds() ? 0 : 1);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static bool refused_all(void) {
    atomic_store(&granted, 0);
    return all_ways_once();
}

static bool refused_some(void) {
    atomic_store(&granted, 2);
    bool right = all_ways_once() && granted < 0;
    atomic_store(&granted, 1 << 20); /* and asked for again */
    return right && all_ways_once();
}

/* Batches, on no thread but the caller's: those of the parent's pool are not there. */
static bool refused_batch(void) {
    enum { PROBLEMS = 20 };
    random_state random = random_start("refused");
    const tz_rules *rules = tz_rules_find("eisner");
    random_problem own[PROBLEMS];
    tz_problem problem[PROBLEMS];
    double value[2][PROBLEMS];
    OWN(tz_plan, plan) = NULL;
    bool right = tz_plan_new(rules, tz_semiring_find("log", TZ_F64), 0, &plan, NULL) == TZ_OK;
    for (int i = 0; i < PROBLEMS; i++) {
        int32_t n = 1 + (int32_t)random_below(&random, 20);
        make_problem(rules, &n, plain_scores, &random, &own[i]);
        problem[i] = own[i].problem;
    }
    atomic_store(&granted, 0);
    for (unsigned threads = 1; threads <= 2 && right; threads++) {
        tz_answers answers = {.value = value[threads - 1]};
        const tz_run_options options = {.threads = threads == 1 ? 1 : 7};
        right = tz_run(plan, problem, PROBLEMS, &options, tz_answer, &answers, NULL) == TZ_OK;
    }
    right = right && (granted < 0) && memcmp(value[0], value[1], sizeof value[0]) == 0;
    free_problems(own, PROBLEMS);
    return right;
}

static bool forked_again(void) {
    return all_ways_once() && in_child(all_ways_once) && all_ways_once();
}

/* A child that a body forks has the one thread that forked: what is left is done, and nobody is
 * waited for. In a thread of the pool, it ends with the body. */
typedef struct fork_once {
    bool by_helper;
    atomic_bool forked;
    pid_t child;
} fork_once;

/* The leak sanitizer does not know what the stacks of threads that stayed behind pointed to. */
#ifdef __SANITIZE_ADDRESS__
static void end_now(void) {
    _exit(0);
}
#endif

static void fork_in_body(void *of, size_t i) {
    fork_once *f = of;
    (void)i;
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    if ((tz_thread_number() > 0) == f->by_helper && !atomic_exchange(&f->forked, true)) {
        f->child = fork();
        if (f->child == 0) {
            alarm(MOST_SECONDS);
#ifdef __SANITIZE_ADDRESS__
            atexit(end_now);
#endif
        }
    }
}

static bool forked_in_body(void) {
    for (int by_helper = 0; by_helper < 2; by_helper++) {
        fork_once f = {.by_helper = by_helper};
        int status;
        tz_parallel(4, 50, fork_in_body, &f);
        if (f.child == 0)
            _exit(all_ways_once() ? 0 : 1);
        if (!f.forked || f.child < 0 || waitpid(f.child, &status, 0) != f.child || status != 0)
            return false;
    }
    return true;
}

TEST(refused) {
    assert_true(in_child(refused_all));
    assert_true(in_child(refused_some));
    assert_true(in_child(refused_batch));
}

TEST(forks) {
    assert_true(in_child(forked_again));
    assert_true(in_child(forked_in_body));
}

BEFORE_TESTS {
    tz_thread_cost = 0;
}
