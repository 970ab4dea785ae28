/* check.h - checks that a rule set is what it declares. SPDX-License-Identifier: MIT */
#ifndef TZ_CLI_RULES_CHECK_H
#define TZ_CLI_RULES_CHECK_H

#include "cli/lengths.h"

/* Prints evaluation order, cost, and numbers of derivations up to `length` of the running length
 * beside those that the file declares; other lengths as they are named, else several. Warnings say
 * where in `file`, unless that is NULL. 0, or TZ_EXIT_INPUT after messages that name what is not as
 * declared. */
int tz_check_declared(const char *command, const char *file, const tz_rules *rules, int32_t length,
                      const tz_named_lengths *named);

#endif
