/* json_keys.h - the keys that a line may have. SPDX-License-Identifier: MIT */
#ifndef TZ_IO_JSON_JSON_KEYS_H
#define TZ_IO_JSON_JSON_KEYS_H

#include "io/json/json.h"
#include "io/json/json_problem.h"

enum { TZ_MAX_KEY = 128 /* of WEIGHT.INPUT */ };

/* Checks the keys: the caller's own are allowed unless they nearly are a problem's; then false,
 * refused at the place. */
bool tz_json_keys_check(const tz_json_problem *p, const json_t *object, tz_json_place *place);

#endif
