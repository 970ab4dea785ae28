/* clock.c - see clock.h. SPDX-License-Identifier: MIT */
#include "base/clock.h"

#include <time.h>

static double seconds_of(clockid_t clock) {
    struct timespec time = {0, 0};
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double tz_seconds(void) {
    return seconds_of(CLOCK_MONOTONIC);
}

double tz_cpu_seconds(void) {
    return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}
