/* status.c - names of results, and the version. SPDX-License-Identifier: MIT */
#include <trapeze/trapeze.h>

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
