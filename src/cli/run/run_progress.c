/* run_progress.c - how many problems are solved, shown after two seconds. SPDX-License-Identifier:
 * MIT
 */
#include <stdio.h>

#include "base/clock.h"
#include "cli/run/run.h"

void tz_progress_start(tz_progress *p) {
    p->start = tz_seconds();
    atomic_flag_clear(&p->busy);
}

void tz_runner_progress(tz_runner *r) {
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

void tz_runner_clear_progress(tz_runner *r) {
    if (r->progress.shown)
        fprintf(stderr, "\r\033[K");
    r->progress.shown = false;
}
