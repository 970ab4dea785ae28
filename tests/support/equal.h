/* equal.h - comparing compiled rule sets. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_EQUAL_H
#define TZ_TESTS_SUPPORT_EQUAL_H

#include "rules/table.h"

/* Do the two say the same, member for member and as deep as they go? Where they lie in memory does
 * not matter. */
bool tz_rules_equal(const tz_rules *a, const tz_rules *b);

#endif
