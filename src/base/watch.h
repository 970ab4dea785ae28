/* watch.h - lets the caller of long work watch and stop it. Private.
 *
 * Long work reports now and then how much it has done; from time to time this file looks at the
 * caller's tz_watch. SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_WATCH_H
#define TZ_BASE_WATCH_H

#include <stdbool.h>

#include <trapeze/trapeze.h>

/* A watch as one thread looks at it. All zeros: nobody watches. */
typedef struct tz_watching {
    tz_watch *watch;
    bool calls;         /* this thread calls `look`: the one that the caller called from, and no
                           other */
    double work;        /* since the last look */
    double next;        /* when `look` is to be called, in seconds */
    const size_t *done; /* problems so far, counted by all threads; NULL: there are none to count */
} tz_watching;

/* How much work is done between two looks, in products of numbers: at least as many as a tenth of a
 * millisecond has. Tests set it. */
extern double tz_look_cost;

tz_watching tz_watching_of(tz_watch *opt_watch, bool calls, const size_t *opt_done);
/* Looks at the watch: should the work stop? always: calls `look` no matter when it was last
 * called. */
bool tz_watch_look(tz_watching *watching, bool always);

/* Reports so much work; should it stop? */
static inline bool tz_watch_stops(tz_watching *watching, double work) {
    if (watching->watch == NULL)
        return false;
    watching->work += work;
    return watching->work >= tz_look_cost && tz_watch_look(watching, false);
}

#endif
