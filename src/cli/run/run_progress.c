/* run_progress.c - the end of a problem, and how many are solved, shown after two seconds.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "base/clock.h"
#include "cli/run/run.h"

void tz_progress_start(tz_progress *p) {
    p->start = tz_seconds();
    atomic_flag_clear(&p->busy);
}

static void progress(tz_runner *r) {
    tz_progress *p = &r->progress;
    size_t solved = atomic_fetch_add(&p->solved, 1) + 1;
    if (!r->set.progress || atomic_flag_test_and_set(&p->busy))
        return;
    double time = tz_seconds();
    if (time - p->start > 2 && time - p->last > 0.2) {
        fprintf(stderr, "\r%s: %zu problems, %.0f a second ", TZ_RUN, solved,
                (double)solved / (time - p->start));
        p->last = time;
        p->shown = true;
    }
    atomic_flag_clear(&p->busy);
}

tz_status tz_runner_end(tz_runner *r, tz_slot *slot, tz_status status) {
    if (status == TZ_OK)
        status = r->format->end(slot);
    if (status == TZ_OK)
        slot->state = TZ_SLOT_DONE;
    progress(r);
    return status;
}

void tz_runner_clear_progress(tz_runner *r) {
    if (r->progress.shown)
        fprintf(stderr, "\r\033[K");
    r->progress.shown = false;
}
