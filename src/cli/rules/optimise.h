/* optimise.h - `trapeze rules optimise`. SPDX-License-Identifier: MIT */
#ifndef TZ_CLI_RULES_OPTIMISE_H
#define TZ_CLI_RULES_OPTIMISE_H

#include "cli/cli.h"

int tz_rules_optimise(int argc, char **argv);

enum { TZ_SAME_TEXT = 512 };

/* The result of comparing two rule sets. */
typedef struct tz_same {
    bool same;
    char text[TZ_SAME_TEXT]; /* how it was checked, or where they differ */
} tz_same;

/* Are two rule sets the same but for their items? Compares by enumeration, structure by structure,
 * to n = 5, as far as that is possible; then by the plain interpreter and by the engine, at a
 * larger n: numbers of derivations, and under random scores the best score and the sum. Takes a
 * second or so. They must have the same lengths and weights. TZ_NO_MEMORY, and errors of plans and
 * charts. */
tz_status tz_check_same(const tz_rules *one, const tz_rules *other, tz_same *ret, tz_error *error);

#endif
