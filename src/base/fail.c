/* fail.c - a status with its message, names of results, and the version. SPDX-License-Identifier:
 * MIT */
#include "base/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

void tz_fail_clean(tz_error *error) {
    size_t left = strlen(error->message);
    uint32_t code;
    for (char *at = error->message; left > 0;) {
        unsigned used = tz_utf8_decode(at, left, &code);
        if (used == 0 && left < 4 && (unsigned char)*at >= 0xc0) {
            *at = '\0'; /* the message did not fit */
            return;
        }
        if (used == 0 || !tz_utf8_printable(code)) {
            used += used == 0;
            memset(at, '?', used);
        }
        at += used;
        left -= used;
    }
}

tz_status tz_fail(tz_error *opt_error, tz_status status, const char *format, ...) {
    if (opt_error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        opt_error->status = status;
        vsnprintf(opt_error->message, sizeof opt_error->message, format, arguments);
        va_end(arguments);
        tz_fail_clean(opt_error);
    }
    return status;
}

const char *tz_status_name(tz_status status) {
    switch (status) {
    case TZ_OK:
        return "success";
    case TZ_NONE:
        return "there is no derivation";
    case TZ_NO_MEMORY:
        return "out of memory";
    case TZ_TOO_LARGE:
        return "too large: a size does not fit";
    case TZ_BAD_ARGUMENT:
        return "bad argument";
    case TZ_BAD_RULES:
        return "bad rule file";
    case TZ_BAD_SCORE:
        return "bad score";
    case TZ_AMBIGUOUS:
        return "the rule set is ambiguous";
    case TZ_LAW:
        return "the semiring lacks a law or an operation";
    case TZ_IO:
        return "input or output failed";
    case TZ_DIVERGES:
        return "derivations that go round in a circle add up without limit";
    case TZ_STOPPED:
        return "stopped, as the caller's watch asked";
    }
    return "unknown status";
}

const char *tz_version(void) {
    return TZ_VERSION;
}
