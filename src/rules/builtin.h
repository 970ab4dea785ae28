/* builtin.h - the rule sets that the generator writes at build time: tables, and the gallery's
 * texts. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_BUILTIN_H
#define TZ_RULES_BUILTIN_H

#include <stddef.h>

#include "rules/table.h"

extern const size_t tz_builtin_count;
extern const tz_rules *const tz_builtin_rules[]; /* [tz_builtin_count], by name */

typedef struct tz_gallery_text {
    const char *name; /* with gallery/ in front */
    const char *text;
    size_t size;
} tz_gallery_text;

extern const size_t tz_gallery_count;
extern const tz_gallery_text tz_gallery[]; /* [tz_gallery_count], by name */

#endif
