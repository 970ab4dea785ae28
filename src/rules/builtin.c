/* builtin.c - looking up built-in rule sets. It is no part of the generator, which runs before
 * there are any. SPDX-License-Identifier: MIT */
#include "rules/builtin.h"

#include <string.h>

const tz_rules *tz_rules_find(const char *name) {
    size_t low = 0, high = tz_builtin_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(name, tz_builtin_rules[middle]->name);
        if (order == 0)
            return tz_builtin_rules[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const tz_rules *tz_rules_builtin(size_t index) {
    return index < tz_builtin_count ? tz_builtin_rules[index] : NULL;
}
