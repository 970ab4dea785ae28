/* json_structures.h - derivations as JSON: {"score":6,"weights":[["arc",0,2,2],["arc",2,1,4]]},
 * lists of such, and proof trees. SPDX-License-Identifier: MIT */
#ifndef TZ_IO_JSON_JSON_STRUCTURES_H
#define TZ_IO_JSON_JSON_STRUCTURES_H

#include "io/json/json_result.h"

/* ,"key": or, where the text is empty, {"key": */
void tz_json_key(tz_text *text, const char *key);

/* "key": {"score":..,"weights":[..]}; where paths are questions, "path" too, or nothing where
 * memory is out, which the text tells. */
void tz_json_structure(tz_text *text, const char *key, const tz_json_paths *paths,
                       const tz_derivation *derivation);
/* The same or null as the next of a list. */
void tz_json_listed(tz_text *text, bool first, const tz_json_paths *paths,
                    const tz_derivation *opt_derivation);
/* "kbest": the first k, fewer where there are fewer. Errors of tz_kbest_next. */
tz_status tz_json_kbest(tz_text *text, const tz_json_paths *paths, tz_chart *chart, size_t lane,
                        const tz_questions *questions);
/* "samples": so many. Errors of tz_sampler_next. */
tz_status tz_json_samples(tz_text *text, const tz_json_paths *paths, tz_chart *chart, size_t lane,
                          const tz_questions *questions, uint64_t seed);
/* "derivation": nested {"item":..,"index":[..],"rule":..,"premises":[..]}. TZ_NO_MEMORY. */
tz_status tz_json_tree(tz_text *text, tz_json_scratch *scratch, const tz_rules *rules,
                       const tz_derivation *derivation);

#endif
