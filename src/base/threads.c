/* threads.c - work shared among threads of a pool.
 *
 * A call of tz_parallel stands in a list while it wants helpers. A thread that is idle takes the
 * first that does, works for it, and waits for the next. A call that is done leaves the list, and
 * waits for those who still work for it, never for those who might have: so calls may be nested,
 * and there may be fewer threads than are wanted, or none. SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#include "base/modes.h"
#include "base/threads.h"

typedef struct job {
    void (*body)(void *of, size_t i);
    void (*wait)(void *of); /* NULL: nothing */
    void *of;
    size_t count;
    atomic_size_t next; /* the first i that nobody has taken */
    size_t forks;       /* the pool's, when it was made */
    /* Under the pool's lock. */
    size_t wanted, joined, working; /* helpers: still wanted, so far, now */
    pthread_cond_t done;            /* nobody works any more */
    struct job *link;
} job;

static struct pool {
    pthread_mutex_t lock;
    pthread_cond_t work; /* there is a call that wants helpers */
    job *first;          /* calls that may want helpers */
    size_t threads;      /* of the pool */
    size_t wanted;       /* helpers, by all calls */
    size_t busy;         /* threads that work for a call */
    size_t forks;        /* between the process that loaded the library and this one */
    bool usable;         /* forks are heard of */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER};

static _Thread_local size_t thread_number;

size_t tz_thread_number(void) {
    return thread_number;
}

/* ---- Forks ----------------------------------------------------------------------------------- */

static void before_fork(void) {
    pthread_mutex_lock(&pool.lock);
}

static void in_parent(void) {
    pthread_mutex_unlock(&pool.lock);
}

/* The threads have stayed behind, and with them who waits for the conditions. */
static void in_child(void) {
    pool.work = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    pool.first = NULL;
    pool.threads = pool.wanted = pool.busy = 0;
    pool.forks++;
    pthread_mutex_unlock(&pool.lock);
}

__attribute__((constructor)) static void watch_forks(void) {
    pool.usable = pthread_atfork(before_fork, in_parent, in_child) == 0;
}

/* ---- Working --------------------------------------------------------------------------------- */

static void work_for(job *j, size_t number) {
    const size_t before = thread_number;
    thread_number = number;
    for (size_t i; (i = atomic_fetch_add_explicit(&j->next, 1, memory_order_relaxed)) < j->count;)
        j->body(j->of, i);
    thread_number = before;
}

static job *wanting(void) {
    job *j = pool.first;
    while (j != NULL && j->wanted == 0)
        j = j->link;
    return j;
}

static void *helper(void *unused) {
    (void)unused;
    tz_modes inherited;
    tz_modes_take(&inherited);
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        job *j;
        while ((j = wanting()) == NULL)
            pthread_cond_wait(&pool.work, &pool.lock);
        const size_t number = ++j->joined;
        j->wanted--;
        pool.wanted--;
        pool.busy++;
        j->working++;
        pthread_mutex_unlock(&pool.lock);
        work_for(j, number);
        pthread_mutex_lock(&pool.lock);
        if (pool.forks != j->forks) /* the body has forked, and this is all of the child */
            break;
        pool.busy--;
        if (--j->working == 0)
            pthread_cond_signal(&j->done);
    }
    pthread_mutex_unlock(&pool.lock);
    return NULL;
}

/* A thread that no signal of the process interrupts. */
static bool add_thread(void) {
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool made = pthread_create(&thread, NULL, helper, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (made)
        pthread_detach(thread);
    pool.threads += made;
    return made;
}

static void ask_for_help(job *j) {
    pthread_mutex_lock(&pool.lock);
    j->forks = pool.forks;
    j->link = pool.first;
    pool.first = j;
    pool.wanted += j->wanted;
    for (size_t i = 0; i < j->wanted && i < pool.threads; i++)
        pthread_cond_signal(&pool.work);
    while (pool.threads - pool.busy < pool.wanted && add_thread()) {
    }
    pthread_mutex_unlock(&pool.lock);
}

/* Until nobody works for it any more, or `wait` has forked and this is the child. */
static void wait_for_others(job *j) {
    enum { NANOSECONDS = 20 * 1000 * 1000, SECOND = 1000 * 1000 * 1000 };
    while (j->working > 0 && pool.forks == j->forks) {
        struct timespec until;
        if (j->wait == NULL) {
            pthread_cond_wait(&j->done, &pool.lock);
            continue;
        }
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += NANOSECONDS;
        until.tv_sec += until.tv_nsec / SECOND;
        until.tv_nsec %= SECOND;
        if (pthread_cond_timedwait(&j->done, &pool.lock, &until) == 0)
            continue;
        pthread_mutex_unlock(&pool.lock);
        j->wait(j->of);
        pthread_mutex_lock(&pool.lock);
    }
}

static void take_leave(job *j) {
    pthread_mutex_lock(&pool.lock);
    if (pool.forks == j->forks) { /* else this is a child, and nobody else works for the call */
        job **at = &pool.first;
        while (*at != j)
            at = &(*at)->link;
        *at = j->link;
        pool.wanted -= j->wanted;
        wait_for_others(j);
    }
    pthread_mutex_unlock(&pool.lock);
}

void tz_parallel(size_t threads, size_t count, void (*body)(void *of, size_t i), void *of) {
    tz_parallel_wait(threads, count, body, NULL, of);
}

void tz_parallel_wait(size_t threads, size_t count, void (*body)(void *of, size_t i),
                      void (*wait)(void *of), void *of) {
    job j = {
        .body = body, .wait = wait, .of = of, .count = count, .done = PTHREAD_COND_INITIALIZER};
    const size_t helpers = threads < count ? threads : count;
    if (helpers <= 1 || !pool.usable) {
        work_for(&j, 0);
        return;
    }
    j.wanted = helpers - 1;
    ask_for_help(&j);
    work_for(&j, 0);
    take_leave(&j);
    pthread_cond_destroy(&j.done);
}
