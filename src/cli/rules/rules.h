/* rules.h - what the actions of `trapeze rules` share. SPDX-License-Identifier: MIT */
#ifndef TZ_CLI_RULES_RULES_H
#define TZ_CLI_RULES_RULES_H

#include "cli/cli.h"

/* The one operand, the name of a rule set; options are left to `take`, which returns 0 or an exit
 * code. 0, an exit code, or -1: help has been shown. */
int tz_rules_operand(tz_options *options, int (*take)(tz_options *options, int option, void *user),
                     void *user, const char **ret_name);

int tz_rules_compile(int argc, char **argv);

#endif
