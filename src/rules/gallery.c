/* gallery.c - rule sets whose text is in the library, compiled when they are asked for: few
 * programs want more than one, and tables of all would make it a quarter larger.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/fail.h"
#include "rules/builtin.h"

const char *tz_gallery_name(size_t index) {
    return index < tz_gallery_count ? tz_gallery[index].name : NULL;
}

tz_status tz_gallery_read(const char *name, tz_rules **ret_rules, tz_error *opt_error) {
    *ret_rules = NULL;
    for (size_t g = 0; g < tz_gallery_count; g++)
        if (strcmp(tz_gallery[g].name, name) == 0)
            return tz_rules_parse(name, tz_gallery[g].text, tz_gallery[g].size, ret_rules,
                                  opt_error);
    return tz_fail(opt_error, TZ_BAD_ARGUMENT, "the gallery has no rule set '%s'", name);
}
