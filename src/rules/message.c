/* message.c - see message.h. SPDX-License-Identifier: MIT */
#include "rules/message.h"

#include <stdbool.h>
#include <stdio.h>

#include "base/utf8.h"

/* Cuts a message that did not fit where a code point ends. */
static void cut(char *message, size_t size) {
    size_t end = size - 1, begin = end;
    while (begin > 0 && tz_utf8_continues(message[begin - 1]))
        begin--;
    unsigned char lead = begin > 0 ? (unsigned char)message[begin - 1] : 0;
    size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    if (lead >= 0xc0 && begin - 1 + bytes > end)
        message[begin - 1] = '\0';
}

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
    if ((size_t)head < size) {
        int tail = vsnprintf(message + head, size - (size_t)head, format, arguments);
        if (tail < 0 || (size_t)tail < size - (size_t)head)
            return TZ_BAD_RULES;
    }
    cut(message, size);
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
