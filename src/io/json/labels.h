/* labels.h - writes and reads index values by the names that a rule set's `names` lines give them.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_JSON_LABELS_H
#define TZ_IO_JSON_LABELS_H

#include <trapeze/trapeze.h>

#include "base/text.h"
#include "io/json/json.h"

/* Writes index values, separated by commas: as strings where they have names, else as numbers. */
void tz_json_weight_indices(tz_text *text, const tz_rules *rules, size_t weight,
                            const int32_t *index, unsigned rank);
void tz_json_item_indices(tz_text *text, const tz_rules *rules, size_t item, const int32_t *index,
                          unsigned rank);

/* Finds the value of a length's labels that has this name; refused at the place if none has. */
bool tz_json_label_read(const tz_json_place *place, const tz_rules *rules, size_t length,
                        const char *name, size_t size, int32_t *ret_value);

#endif
