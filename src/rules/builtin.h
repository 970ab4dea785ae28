/* builtin.h - the rule sets that the generator printed. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_BUILTIN_H
#define TZ_RULES_BUILTIN_H

#include <stddef.h>

#include "rules/table.h"

extern const size_t tz_builtin_count;
extern const tz_rules *const tz_builtin_rules[]; /* [tz_builtin_count], by name */

#endif
