/* names.h - names for what a transformation adds to a rule set. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_TRANSFORM_NAMES_H
#define TZ_RULES_TRANSFORM_NAMES_H

#include "rules/table.h"

/* Does something in the rule set have this name: a length, a weight, an item, a resource, an index
 * or a variable? */
bool tz_name_is_taken(const tz_rules *rules, const char *name);

#endif
