/* levels.h - the option --levels: how dependencies become constituents. SPDX-License-Identifier:
 * MIT
 */
#ifndef TZ_SENTENCES_CLI_LEVELS_H
#define TZ_SENTENCES_CLI_LEVELS_H

#include "sentences/trees/dependencies.h"

#define TZ_LEVELS_HELP                                                                             \
    "of trees made from dependencies: flat, a constituent for\n"                                   \
    "each word with dependents; prep, prepositions and\n"                                          \
    "conjunctions at its beginning stand above it; verb, and\n"                                    \
    "verb phrases in it; tags, flat, with tags for relations\n"                                    \
    "(verb)"

/* Returns 0, or the exit code after a message with the nearest name. */
int tz_take_levels(const char *command, const char *value, tz_levels *ret_levels);

#endif
