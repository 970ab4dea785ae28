/* fail.h - a status with its message. SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_FAIL_H
#define TZ_BASE_FAIL_H

#include <trapeze/trapeze.h>

/* Writes the status and the message to opt_error, where there is one, and returns the status. */
tz_status tz_fail(tz_error *opt_error, tz_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
