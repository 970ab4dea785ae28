/* levels.h - the option --levels: how dependencies become constituents. SPDX-License-Identifier:
 * MIT
 */
#ifndef TZ_SENTENCES_CLI_LEVELS_H
#define TZ_SENTENCES_CLI_LEVELS_H

#include "cli/cli.h"
#include "sentences/trees/dependencies.h"

#define TZ_LEVELS_HELP                                                                             \
    "of trees made from dependencies: flat, a constituent for\n"                                   \
    "each word with dependents; prep, prepositions and\n"                                          \
    "conjunctions at its beginning stand above it; verb, and\n"                                    \
    "verb phrases in it; tags, flat, with tags for relations\n"                                    \
    "(verb)"

#define TZ_LEVELS_AT(type, member)                                                                 \
    {                                                                                              \
        "levels", 0, "flat|prep|verb|tags", TZ_LEVELS_HELP,                                        \
            TZ_CHOICE_AT(type, member, TZ_LEVELS_FLAT)                                             \
    }

#endif
