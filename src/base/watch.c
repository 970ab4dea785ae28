/* watch.c - see watch.h. SPDX-License-Identifier: MIT */
#include "base/watch.h"

#include "base/clock.h"
#include "base/modes.h"

double tz_look_cost = 1 << 18;

tz_watching tz_watching_of(tz_watch *opt_watch, bool calls, const size_t *opt_done) {
    tz_watching watching = {.watch = opt_watch, .calls = calls, .done = opt_done};
    if (opt_watch != NULL && opt_watch->seconds > 0)
        watching.next = tz_seconds() + opt_watch->seconds;
    return watching;
}

static void call(tz_watching *watching) {
    tz_watch *watch = watching->watch;
    tz_modes ours; /* flags that are raised meanwhile say nothing of our numbers */
    if (watching->done != NULL)
        watch->done = __atomic_load_n(watching->done, __ATOMIC_RELAXED);
    tz_modes_take(&ours);
    watch->look(watch);
    tz_modes_return(&ours);
    if (watch->seconds > 0)
        watching->next = tz_seconds() + watch->seconds;
}

bool tz_watch_look(tz_watching *watching, bool always) {
    tz_watch *watch = watching->watch;
    watching->work = 0;
    if (watch == NULL)
        return false;
    if (watching->calls && watch->look != NULL &&
        (always || watch->seconds <= 0 || tz_seconds() >= watching->next))
        call(watching);
    return __atomic_load_n(&watch->stop, __ATOMIC_RELAXED) != 0;
}
