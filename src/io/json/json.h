/* json.h - reads and writes JSON values by jansson, in the memory of an arena.
 *
 * Look into parsed values with jansson's own functions, but never change or copy them or give them
 * to json_decref: outside the calls below jansson has no memory.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_JSON_JSON_H
#define TZ_IO_JSON_JSON_H

#include <jansson.h>
#include <trapeze/trapeze.h>

#include "base/arena.h"
#include "base/text.h"

/* Parses a text of one value, which lives as long as the arena. The text has no zero byte. Objects
 * with a key twice and strings with a zero are refused. TZ_BAD_ARGUMENT: the message says at which
 * character and why; TZ_NO_MEMORY. */
tz_status tz_json_parse(tz_arena *arena, const char *text, size_t size, const json_t **ret_value,
                        tz_error *error);

/* Adds the value on one line without blanks; a real number on its own as
 * tz_number_print has it, or with .0 behind it. TZ_NO_MEMORY, where what has been added is of no
 * use. */
tz_status tz_json_print(tz_arena *arena, const json_t *value, tz_text *text);

/* "a number", "an array", ... */
const char *tz_json_kind(const json_t *value);

/* Where a value stands in a line, as KEY[0][2], for a message about what is wrong with it: its
 * positions from 0 on; for an input's numbers its indices, as the rules count. */
typedef struct tz_json_place {
    const char *key; /* NULL: at no place */
    int64_t path[TZ_MAX_RANK];
    unsigned depth;
    tz_error *error;
} tz_json_place;

/* TZ_BAD_ARGUMENT with "PLACE: message", TZ_NO_MEMORY. Both return false. */
bool tz_json_refuse(const tz_json_place *place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool tz_json_no_memory(const tz_json_place *place);

#endif
