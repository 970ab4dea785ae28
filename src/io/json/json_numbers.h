/* json_numbers.h - the numbers of inputs in a line of JSON: "x": [2, 0, 3], with names ["C", "A"],
 * or, for one index, a string of names of one character each, "CA". They begin with the smallest
 * index, and are as many as there are. SPDX-License-Identifier: MIT */
#ifndef TZ_IO_JSON_JSON_NUMBERS_H
#define TZ_IO_JSON_JSON_NUMBERS_H

#include <trapeze/trapeze.h>

#include "io/json/json.h"

/* Reads the numbers of an input; place: its key. number: where they go, with room for as many as
 * the JSON text has bytes; *ret_end is behind them. False where they are refused. */
bool tz_json_numbers_read(tz_json_place *place, const tz_rules *rules, size_t input,
                          const int32_t *lengths, const json_t *value, int32_t *number,
                          tz_input_numbers *ret_numbers, int32_t **ret_end);

#endif
