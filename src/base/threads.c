/* threads.c - several threads, in forked processes too.
 *
 * In a child, the threads that OpenMP had for the thread that forked are gone, and GCC's OpenMP
 * would wait for them. A thread that it has not seen yet has none. SPDX-License-Identifier: MIT */
#include <pthread.h>

#include "base/fail.h"
#include "base/threads.h"

/* Is this process one that was forked since the library was loaded? Or cannot that be known? Only
 * written while there is one thread. */
static bool forked;

static void in_child(void) {
    forked = true;
}

__attribute__((constructor)) static void watch_forks(void) {
    forked = pthread_atfork(NULL, NULL, in_child) != 0;
}

typedef struct call {
    tz_status (*function)(void *);
    void *of;
    tz_status status;
} call;

static void *begin(void *of) {
    call *c = of;
    c->status = c->function(c->of);
    return NULL;
}

tz_status tz_with_threads(unsigned threads, tz_status (*function)(void *), void *of,
                          tz_error *opt_error) {
    call c = {.function = function, .of = of};
    pthread_t thread;
    if (threads <= 1 || !forked)
        return function(of);
    if (pthread_create(&thread, NULL, begin, &c) != 0)
        return tz_fail(opt_error, TZ_NO_MEMORY, "the system lets no thread begin");
    pthread_join(thread, NULL);
    return c.status;
}
