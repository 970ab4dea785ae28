/* levels.c - see levels.h. SPDX-License-Identifier: MIT */
#include "sentences/cli/levels.h"

#include <string.h>

#include "cli/cli.h"

static const char *candidate(const void *list, size_t index) {
    (void)list;
    return tz_levels_name((unsigned)index);
}

int tz_take_levels(const char *command, const char *value, tz_levels *ret_levels) {
    for (unsigned l = 0; tz_levels_name(l); l++) {
        if (strcmp(tz_levels_name(l), value) == 0) {
            *ret_levels = (tz_levels)l;
            return 0;
        }
    }
    const char *nearest = tz_nearest(value, candidate, NULL);
    return tz_usage_error(command, "--levels is flat, prep, verb or tags, not '%s'%s%s%s", value,
                          nearest ? "; did you mean '" : "", nearest ? nearest : "",
                          nearest ? "'?" : "");
}
