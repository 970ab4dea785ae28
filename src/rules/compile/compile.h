/* compile.h - derives the rest of a table from what the rule file says. SPDX-License-Identifier:
 * MIT */
#ifndef TZ_RULES_COMPILE_COMPILE_H
#define TZ_RULES_COMPILE_COMPILE_H

#include <stddef.h>

#include "rules/table.h"

struct tz_draft;

/* Derives everything that the reader has not filled in: weight cells and extents, folds, order,
 * steps, outside steps, layout and gauges. TZ_BAD_RULES, TZ_NO_MEMORY. */
tz_status tz_compile_rules(const char *file, tz_rules *rules, tz_error *opt_error);

/* The compiler's passes, in order: their names; NULL past the last. */
const char *tz_compile_pass(size_t pass);
/* Runs only the first `count` passes; `opt_see` gets the draft after them. */
tz_status tz_compile_until(const char *file, tz_rules *rules, size_t count,
                           void (*opt_see)(const struct tz_draft *draft, void *user), void *user,
                           tz_error *opt_error);

/* Finds the gauges from the kinds and inside steps: as many as there are, TZ_MAX_GAUGES at most.
 * Fails with TZ_NO_MEMORY only. */
tz_status tz_find_gauges(tz_rules *rules);

#endif
