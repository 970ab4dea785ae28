/* fail.h - a status with its message. SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_FAIL_H
#define TZ_BASE_FAIL_H

#include <trapeze/trapeze.h>

/* Writes the status and the message to opt_error, where there is one, and returns the status. */
tz_status tz_fail(tz_error *opt_error, tz_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Makes a message one line of UTF-8 that is safe to show: bytes that are not for a terminal, and
 * characters that were cut in two, become '?', or are left out at the end. tz_fail does it itself;
 * this is for messages written in other ways. */
void tz_fail_clean(tz_error *error);

#endif
