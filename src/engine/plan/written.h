/* written.h - semirings as text. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PLAN_WRITTEN_H
#define TZ_ENGINE_PLAN_WRITTEN_H

#include <stdbool.h>

#include <trapeze/trapeze.h>

#include "semirings/written.h"

/* "FILE:LINE:COLUMN: message" of a place in a text; returns TZ_BAD_ARGUMENT. */
tz_status tz_bad_text(tz_error *opt_error, const char *file, const char *text, const char *at,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));

/* A name that an expression may use, for cell `cell`. */
typedef struct tz_written_name {
    const char *name;
    uint8_t cell;
} tz_written_name;

/* Reads `want` expressions with commas between from *at on, up to `end`, and adds them to f; the
 * cells of their values to ret. what: of the statement, for messages. */
typedef struct tz_expressions {
    const char *file, *text, *end, *what;
    const tz_written_name *named; /* ended by a NULL name */
    tz_error *opt_error;
} tz_expressions;
tz_status tz_read_expressions(const tz_expressions *of, const char *at, size_t want, tz_function *f,
                              uint8_t *ret);

/* Fills in the steps, after all other members. */
void tz_written_steps(tz_function *f);

/* Tries the laws on random elements. The message tells the first law that fails, with the elements
 * that break it: TZ_LAW, else TZ_OK. `file` is for the message. */
tz_status tz_try_laws(const tz_written *w, const char *file, tz_error *opt_error);

#endif
