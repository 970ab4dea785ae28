/* draw_source.h - reads a result to be drawn: what draw_result.c and draw_proof.c share.
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
    int32_t *lengths;    /* of choice->opt_rules */
    const json_t *proof; /* of the best structure, or NULL */
} tz_draw_source;

#define tz_draw_bad(source, ...)                                                                   \
    tz_bad_input((source)->opt_error, (source)->file, (source)->line, __VA_ARGS__)

/* A whole number of moderate size; false if it is anything else. */
bool tz_draw_integer(const json_t *value, int32_t *ret_number);
/* The same, or if `labelled` a name of the length's labels, as its number. */
bool tz_draw_index(const tz_rules *rules, bool labelled, size_t length, const json_t *value,
                   int32_t *ret_number);

/* Reads the lengths of the rules that are given. TZ_IO, TZ_NO_MEMORY. */
tz_status tz_draw_lengths(tz_draw_source *source, const json_t *result);
/* Draws a structure's uses by their shapes; the drawing keeps its caption. opt_proof: its proof
 * tree. TZ_NONE: it takes one, and the message says so. Errors likewise. */
tz_status tz_draw_uses(const tz_draw_source *source, const json_t *weights, const json_t *opt_proof,
                       tz_drawing *ret_drawing);

/* Visits the nodes of a proof tree in preorder, numbered from 1: what each is, and how many
 * premises it has. Ends with what is not TZ_OK. TZ_IO where something is no node; TZ_NO_MEMORY. */
typedef tz_status (*tz_draw_visit)(void *user, const json_t *node, size_t number, size_t premises);
tz_status tz_draw_walk(const tz_draw_source *source, const json_t *value, tz_draw_visit visit,
                       void *user);

/* The same proof tree as nodes of the rules that are given. TZ_IO, TZ_NO_MEMORY. */
tz_status tz_draw_nodes(const tz_draw_source *source, const json_t *value, const tz_node **ret_node,
                        size_t *ret_nodes);

/* Reads `value` as a proof tree. TZ_IO, TZ_NO_MEMORY. */
tz_status tz_draw_proof(const tz_draw_source *source, const json_t *value,
                        const tz_proof **ret_proof);

#endif
