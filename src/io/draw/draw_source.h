/* draw_source.h - a result that is being read: what draw_result.c and draw_proof.c share.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_DRAW_DRAW_SOURCE_H
#define TZ_IO_DRAW_DRAW_SOURCE_H

#include "io/draw/draw.h"
#include "io/json/json.h"

/* The line that is read. */
typedef struct tz_draw_source {
    tz_arena *arena;
    const char *file;
    size_t line;
    const tz_result_choice *choice;
    tz_error *opt_error;
    const json_t *words; /* an array of strings, or NULL */
    int32_t n;
    int32_t *lengths; /* of choice->opt_rules */
} tz_draw_source;

#define tz_draw_bad(source, ...)                                                                   \
    tz_bad_input((source)->opt_error, (source)->file, (source)->line, __VA_ARGS__)

/* A whole number of moderate size; false if it is anything else. */
bool tz_draw_integer(const json_t *value, int32_t *ret_number);

/* Reads the lengths of the rules that are given. TZ_IO, TZ_NO_MEMORY. */
tz_status tz_draw_lengths(tz_draw_source *source, const json_t *result);
/* A structure's uses, drawn by their shapes; the drawing keeps its caption. Likewise. */
tz_status tz_draw_uses(const tz_draw_source *source, const json_t *weights,
                       tz_drawing *ret_drawing);

/* The proof tree that `value` is. TZ_IO, TZ_NO_MEMORY. */
tz_status tz_draw_proof(const tz_draw_source *source, const json_t *value,
                        const tz_proof **ret_proof);

#endif
