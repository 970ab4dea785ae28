/* compile.h - from text to a compiled table. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_COMPILE_COMPILE_H
#define TZ_RULES_COMPILE_COMPILE_H

#include "rules/table.h"

/* Where text stands, for messages. */
typedef struct tz_place {
    const char *file;
    uint32_t line, column; /* from 1; column counts code points */
} tz_place;

/* Writes "FILE:LINE:COL: message" and returns TZ_BAD_RULES. opt_error may be NULL. */
tz_status tz_bad_rules(tz_error *opt_error, const char *file, uint32_t line, uint32_t column,
                       const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Reads and checks `text` into the part of *rules headed "what the file says"; everything is taken
 * from rules->arena. reader.c (syntax), check.c (meaning). */
tz_status tz_read_rules(const char *file, const char *text, size_t size, tz_rules *rules,
                        tz_error *opt_error);

/* Derives the rest: weight cells and extents, folds, order, steps, outside steps, layout and
 * gauges. */
tz_status tz_compile_rules(const char *file, tz_rules *rules, tz_error *opt_error);

/* The last of these, from the kinds and inside steps: as many as it finds, TZ_MAX_GAUGES at most.
 * Fails with TZ_NO_MEMORY only. */
tz_status tz_find_gauges(tz_rules *rules);

#endif
