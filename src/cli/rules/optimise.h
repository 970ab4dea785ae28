/* optimise.h - `trapeze rules optimise`. SPDX-License-Identifier: MIT */
#ifndef TZ_CLI_RULES_OPTIMISE_H
#define TZ_CLI_RULES_OPTIMISE_H

#include "cli/cli.h"

int tz_rules_optimise(int argc, char **argv);

enum { TZ_SAME_TEXT = 512 };

/* What two rule sets were found to agree in, or not. */
typedef struct tz_same {
    bool same;
    char text[TZ_SAME_TEXT]; /* how it was checked, or where they differ */
} tz_same;

/* Are they the same but for their items? By enumeration, structure by structure, to n = 5, as far
 * as that goes; then by the plain interpreter, and by the engine, at a larger n: numbers of
 * derivations, and the best score and the sum of random ones. A second or so. They must have the
 * same lengths and weights. TZ_NO_MEMORY, and what plans and charts say. */
tz_status tz_check_same(const tz_rules *one, const tz_rules *other, tz_same *ret, tz_error *error);

#endif
