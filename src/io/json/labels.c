/* labels.c - index values by their names. SPDX-License-Identifier: MIT */
#include "io/json/labels.h"

#include <stdio.h>
#include <string.h>

/* ---- Written --------------------------------------------------------------------------------- */

static void put_value(tz_text *text, const tz_rules *rules, bool labelled, size_t length,
                      int32_t value) {
    const char *name = labelled && value >= 0 ? tz_rules_label(rules, length, (size_t)value) : NULL;
    if (name != NULL)
        tz_text_quote(text, name, strlen(name));
    else
        tz_text_number(text, value);
}

void tz_json_weight_indices(tz_text *text, const tz_rules *rules, size_t weight,
                            const int32_t *index, unsigned rank) {
    for (unsigned q = 0; q < rank; q++) {
        size_t length = 0;
        bool labelled = tz_rules_labelled(rules, TZ_WEIGHTS, weight, q, &length);
        tz_text_put(text, q > 0 ? "," : "");
        put_value(text, rules, labelled, length, index[q]);
    }
}

void tz_json_item_indices(tz_text *text, const tz_rules *rules, size_t item, const int32_t *index,
                          unsigned rank) {
    for (unsigned q = 0; q < rank; q++) {
        size_t length = 0;
        bool labelled = tz_rules_labelled(rules, TZ_ITEMS, item, q, &length);
        tz_text_put(text, q > 0 ? "," : "");
        put_value(text, rules, labelled, length, index[q]);
    }
}

/* ---- Read ------------------------------------------------------------------------------------ */

bool tz_json_label_read(const tz_json_place *place, const tz_rules *rules, size_t length,
                        const char *name, size_t size, int32_t *ret_value) {
    char names[160] = "";
    const char *known;
    const int shown = size < 40 ? (int)size : 40;
    size_t used = 0;
    for (size_t v = 0; (known = tz_rules_label(rules, length, v)) != NULL; v++)
        if (strlen(known) == size && memcmp(known, name, size) == 0) {
            *ret_value = (int32_t)v;
            return true;
        }
    for (size_t v = 0; (known = tz_rules_label(rules, length, v)) != NULL; v++) {
        if (used + strlen(known) + 5 > sizeof names) {
            snprintf(names + used, sizeof names - used, " ...");
            break;
        }
        used += (size_t)snprintf(names + used, sizeof names - used, " %s", known);
    }
    return tz_json_refuse(place, "\"%.*s\" is no name of %s's: those are%s", shown, name,
                          tz_rules_name_of(rules, TZ_LENGTHS, length), names);
}
