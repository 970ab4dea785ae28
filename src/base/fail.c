/* fail.c - see fail.h. SPDX-License-Identifier: MIT */
#include "base/fail.h"

#include <stdarg.h>
#include <stdio.h>

tz_status tz_fail(tz_error *opt_error, tz_status status, const char *format, ...) {
    if (opt_error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        opt_error->status = status;
        vsnprintf(opt_error->message, sizeof opt_error->message, format, arguments);
        va_end(arguments);
    }
    return status;
}
