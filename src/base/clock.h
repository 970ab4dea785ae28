/* clock.h - seconds. SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_CLOCK_H
#define TZ_BASE_CLOCK_H

/* Seconds of CLOCK_MONOTONIC. */
double tz_seconds(void);
/* Seconds of processor time that this process has used: other processes hardly disturb them. */
double tz_cpu_seconds(void);

#endif
