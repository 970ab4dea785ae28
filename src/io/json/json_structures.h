/* json_structures.h - writes derivations as JSON:
 * {"score":6,"weights":[["arc",0,2,2],["arc",2,1,4]]}, lists of such, and proof trees.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_JSON_JSON_STRUCTURES_H
#define TZ_IO_JSON_JSON_STRUCTURES_H

#include "io/json/json_result.h"

/* Writes ,"key": or, where the text is empty, {"key": */
void tz_json_key(tz_text *text, const char *key);
/* Writes "," where a list already has something. */
void tz_json_next(tz_text *text);

/* Writes the derivations that a question asks for, each by `put`: "key":[..], "key":.. or
 * "key":null. Errors of tz_question.structures. */
tz_status tz_json_derivations(tz_text *text, tz_ask which, const tz_asking *asking, tz_take *put,
                              void *user);

/* Such a `put` for a tz_json_answer: {"score":..,"weights":[..]}; where paths are wanted, "path"
 * too. If memory is out, it writes nothing and the text has failed. */
tz_status tz_json_structure(void *answer, size_t k, const tz_derivation *derivation);
/* Another: nested {"item":..,"index":[..],"rule":..,"premises":[..]}. TZ_NO_MEMORY. */
tz_status tz_json_tree(void *answer, size_t k, const tz_derivation *derivation);

#endif
