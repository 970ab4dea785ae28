/* rules.h - what the actions of `trapeze rules` share. SPDX-License-Identifier: MIT */
#ifndef TZ_CLI_RULES_RULES_H
#define TZ_CLI_RULES_RULES_H

#include "cli/cli.h"

/* The one operand is the name of a rule set, to `name` of the settings. */
#define TZ_RULES_OPERAND(type)                                                                     \
    TZ_OPERANDS("one rule set", "which rule set? Name a built-in one or a file", 1,                \
                {offsetof(type, name)})

int tz_rules_compile(int argc, char **argv);

#endif
