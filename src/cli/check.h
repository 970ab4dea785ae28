/* check.h - is a rule set what it says it is? SPDX-License-Identifier: MIT */
#ifndef TZ_CLI_CHECK_H
#define TZ_CLI_CHECK_H

#include <trapeze/trapeze.h>

/* Prints evaluation order, cost, and numbers of derivations up to `length` beside those that the
 * file declares. 0, or TZ_EXIT_INPUT after messages that name what is not as declared. */
int tz_check_declared(const char *command, const tz_rules *rules, int32_t length);

#endif
