/* message.c - see message.h. SPDX-License-Identifier: MIT */
#include "rules/message.h"

#include <stdio.h>

#include "base/fail.h"

tz_status tz_bad_rules_list(tz_error *opt_error, const char *file, uint32_t line, uint32_t column,
                            const char *format, va_list arguments) {
    size_t size = sizeof opt_error->message;
    if (opt_error == NULL)
        return TZ_BAD_RULES;
    char *message = opt_error->message;
    opt_error->status = TZ_BAD_RULES;
    int head = snprintf(message, size, "%s:%u:%u: ", file, (unsigned)line, (unsigned)column);
    if (head < 0)
        head = 0;
    if ((size_t)head < size)
        vsnprintf(message + head, size - (size_t)head, format, arguments);
    tz_fail_clean(opt_error);
    return TZ_BAD_RULES;
}

tz_status tz_bad_rules(tz_error *opt_error, const char *file, uint32_t line, uint32_t column,
                       const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    tz_bad_rules_list(opt_error, file, line, column, format, arguments);
    va_end(arguments);
    return TZ_BAD_RULES;
}
