/* json_numbers.c - the numbers of inputs in a line of JSON. SPDX-License-Identifier: MIT */
#include "io/json/json_numbers.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "io/json/labels.h"
#include "rules/table.h"

typedef struct reader {
    tz_json_place *place;
    const tz_rules *rules;
    const tz_rules_input *input;
    tz_shape shape;
    bool labelled;
    size_t length; /* whose names they have */
    int32_t *next;
} reader;

static bool read_label(reader *r, const char *name, size_t size) {
    if (!r->labelled)
        return tz_json_refuse(r->place,
                              "\"%.40s\" is a name, but the rules have none for %s: give numbers, "
                              "or add a `names` line",
                              name, r->input->name);
    return tz_json_label_read(r->place, r->rules, r->length, name, size, r->next) &&
           r->next++ != NULL;
}

static bool read_number(reader *r, const json_t *value) {
    double number = json_number_value(value);
    if (json_is_string(value))
        return read_label(r, json_string_value(value), json_string_length(value));
    if (!json_is_number(value))
        return tz_json_refuse(r->place, "expected a number from 0%s, not %s",
                              r->labelled ? " or a name" : "", tz_json_kind(value));
    if (trunc(number) != number || number < 0 || number > INT32_MAX)
        return tz_json_refuse(r->place, "expected a whole number from 0, not %.15g", number);
    *r->next++ = (int32_t)number;
    return true;
}

/* Are there as many as dimension q needs? */
static bool check_count(reader *r, size_t count, unsigned q) {
    int32_t first = r->shape.origin[q], needed = r->shape.extent[q];
    if (count == (size_t)needed)
        return true;
    if (needed == 0)
        return tz_json_refuse(r->place, "%zu given, but there is no %s", count,
                              r->input->index_name[q]);
    return tz_json_refuse(r->place, "%zu given, but there are %d: %s from %d to %d", count,
                          (int)needed, r->input->index_name[q], (int)first,
                          (int)(first + needed - 1));
}

static bool read_string(reader *r, const json_t *value) {
    const char *text = json_string_value(value);
    size_t left = json_string_length(value), count = 0;
    for (size_t i = 0; i < left; i++)
        count += !tz_utf8_continues(text[i]);
    if (!check_count(r, count, 0))
        return false;
    for (int64_t i = r->shape.origin[0]; left > 0; i++) {
        uint32_t code;
        unsigned bytes = tz_utf8_decode(text, left, &code);
        bytes = bytes > 0 ? bytes : 1; /* jansson has checked it */
        r->place->path[0] = i;
        r->place->depth = 1;
        if (!read_label(r, text, bytes))
            return false;
        text += bytes;
        left -= bytes;
    }
    return true;
}

/* An array of dimension q, and those in it. */
static bool read_array(reader *r, const json_t *array, unsigned q) {
    r->place->depth = q;
    if (q == r->input->rank)
        return read_number(r, array);
    if (!json_is_array(array))
        return tz_json_refuse(r->place, "expected an array, not %s", tz_json_kind(array));
    if (!check_count(r, json_array_size(array), q))
        return false;
    for (size_t i = 0; i < json_array_size(array); i++) {
        r->place->path[q] = r->shape.origin[q] + (int64_t)i;
        if (!read_array(r, json_array_get(array, i), q + 1))
            return false;
        r->place->depth = q;
    }
    return true;
}

bool tz_json_numbers_read(tz_json_place *place, const tz_rules *rules, size_t input,
                          const int32_t *lengths, const json_t *value, int32_t *number,
                          tz_input_numbers *ret_numbers, int32_t **ret_end) {
    reader r = {.place = place, .rules = rules, .input = &rules->input[input], .next = number};
    int64_t bound;
    place->key = r.input->name;
    place->depth = 0;
    if (tz_rules_input_shape(rules, input, lengths, &r.shape, &bound) != TZ_OK)
        return tz_json_refuse(place, "no array is large enough for these lengths");
    r.labelled = tz_rules_labelled(rules, TZ_INPUTS, input, 0, &r.length);
    *ret_numbers = (tz_input_numbers){.data = NULL};
    *ret_end = number;
    if (value == NULL && !tz_input_used(rules, (unsigned)input))
        return true;
    if (value == NULL && r.input->rank != 1)
        return tz_json_refuse(place, "missing; give \"%s\" as %s", r.input->name,
                              r.input->rank == 0 ? "a number" : "arrays of numbers");
    if (value == NULL)
        return tz_json_refuse(place, "missing; give \"%s\" as %d numbers below %lld%s",
                              r.input->name, (int)r.shape.extent[0], (long long)bound,
                              r.labelled ? ", or names" : "");
    *ret_numbers = tz_input_numbers_dense(&r.shape, number);
    bool text = r.input->rank == 1 && json_is_string(value);
    bool read = text ? read_string(&r, value) : read_array(&r, value, 0);
    *ret_end = r.next;
    return read;
}
