/* message.h - what is wrong with a rule file, and where. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_MESSAGE_H
#define TZ_RULES_MESSAGE_H

#include <stdarg.h>
#include <stdint.h>

#include <trapeze/trapeze.h>

/* Writes "FILE:LINE:COLUMN: message" and returns TZ_BAD_RULES. Lines and columns count from 1,
 * columns in code points. */
tz_status tz_bad_rules(tz_error *opt_error, const char *file, uint32_t line, uint32_t column,
                       const char *format, ...) __attribute__((format(printf, 5, 6)));
tz_status tz_bad_rules_list(tz_error *opt_error, const char *file, uint32_t line, uint32_t column,
                            const char *format, va_list arguments)
    __attribute__((format(printf, 5, 0)));

#endif
