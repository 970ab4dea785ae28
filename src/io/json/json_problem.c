/* json_problem.c - one line of JSON as a problem of a rule set.
 *
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "io/json/json.h"
#include "io/json/json_keys.h"
#include "io/json/json_numbers.h"
#include "io/json/json_problem.h"
#include "io/json/labels.h"
#include "io/values.h"
#include "rules/table.h"

typedef struct reader {
    tz_json_problem *p;
    double *number; /* where the next one goes; there is room for all */
    int32_t *index;
    tz_json_place place; /* in the length or weight being read */
} reader;

static bool fail_kind(reader *r, const char *expected, const json_t *value) {
    return tz_json_refuse(&r->place, "expected %s, not %s", expected, tz_json_kind(value));
}

/* ---- Numbers ------------------------------------------------------------------------------- */

static bool read_score(reader *r, const json_t *value) {
    if (!json_is_number(value) && !json_is_null(value))
        return fail_kind(r, "a number, or null for an impossible score", value);
    *r->number++ = json_is_null(value) ? -INFINITY : json_number_value(value);
    return true;
}

static bool read_integer(reader *r, const json_t *value, const char *what, int32_t least,
                         int32_t most, int32_t *ret_number) {
    if (!json_is_number(value))
        return fail_kind(r, what, value);
    double number = json_number_value(value);
    if (trunc(number) != number || number < least)
        return tz_json_refuse(&r->place, "expected %s, not %.15g", what, number);
    if (number > most)
        return tz_json_refuse(&r->place, "%.15g is too large; the largest is %d", number,
                              (int)most);
    *ret_number = (int32_t)number;
    return true;
}

/* ---- Weights ------------------------------------------------------------------------------- */

static const char *plural(size_t count) {
    return count == 1 ? "entry" : "entries";
}

/* An array of at most INT32_MAX entries? */
static bool read_array(reader *r, const json_t *value, const char *what, int32_t *ret_count) {
    if (!json_is_array(value))
        return fail_kind(r, what, value);
    if (json_array_size(value) > INT32_MAX)
        return tz_json_refuse(&r->place, "more than %d entries", (int)INT32_MAX);
    *ret_count = (int32_t)json_array_size(value);
    return true;
}

/* One array of dimension q, and by it all dimensions after it: at most TZ_MAX_RANK deep. */
static bool read_dense(reader *r, const json_t *array, unsigned rank, int32_t *extent, unsigned q) {
    int32_t count = 0;
    r->place.depth = q;
    if (!read_array(r, array, "an array", &count))
        return false;
    if (extent[q] < 0)
        extent[q] = count;
    if (extent[q] != count)
        return tz_json_refuse(
            &r->place,
            "row has %d %s, the first has %d; make them equally long (null may stand "
            "outside the domain)",
            (int)count, plural((size_t)count), (int)extent[q]);
    for (int32_t i = 0; i < count; i++) {
        const json_t *value = json_array_get(array, (size_t)i);
        r->place.path[q] = i;
        r->place.depth = q + 1;
        if (!(q + 1 < rank ? read_dense(r, value, rank, extent, q + 1) : read_score(r, value)))
            return false;
    }
    return true;
}

/* An index value of an entry: an integer, or a name. */
static bool read_index(reader *r, const json_t *value, size_t which, unsigned q) {
    const tz_rules *rules = r->p->rules;
    size_t length = 0;
    if (!json_is_string(value) || !tz_rules_labelled(rules, TZ_WEIGHTS, which, q, &length))
        return read_integer(r, value, "an index, an integer", INT32_MIN, INT32_MAX, r->index++);
    return tz_json_label_read(&r->place, rules, length, json_string_value(value),
                              json_string_length(value), r->index++);
}

static bool read_entry(reader *r, const json_t *entry, size_t which, unsigned rank) {
    char form[64];
    size_t count = json_array_size(entry); /* 0 where it is no array */
    snprintf(form, sizeof form, "an entry [%u index value%s, score]", rank, rank == 1 ? "" : "s");
    if (!json_is_array(entry))
        return fail_kind(r, form, entry);
    if (count != rank + 1)
        return tz_json_refuse(&r->place, "%zu value%s; expected %s", count, count == 1 ? "" : "s",
                              form);
    r->place.depth = 2;
    for (unsigned q = 0; q < rank; q++) {
        r->place.path[1] = q;
        if (!read_index(r, json_array_get(entry, q), which, q))
            return false;
    }
    r->place.path[1] = rank;
    return read_score(r, json_array_get(entry, rank));
}

static bool read_sparse(reader *r, const json_t *array, size_t which, unsigned rank,
                        tz_scores *scores) {
    int32_t count = 0;
    if (!read_array(r, array, "a list of entries", &count))
        return false;
    for (int32_t e = 0; e < count; e++) {
        r->place.path[0] = e;
        r->place.depth = 1;
        if (!read_entry(r, json_array_get(array, (size_t)e), which, rank))
            return false;
    }
    scores->entries = (size_t)count;
    return true;
}

/* "n = 4, T = 2" */
static const char *say_lengths(const tz_json_problem *p, char text[256]) {
    size_t used = 0;
    text[0] = '\0';
    for (uint16_t l = 0; l < p->rules->lengths && used < 256; l++)
        used += (size_t)snprintf(text + used, 256 - used, "%s%.30s = %d", l > 0 ? ", " : "",
                                 p->rules->length_name[l], (int)p->lengths[l]);
    return text;
}

static bool fail_missing(reader *r, const tz_weight *weight, const tz_shape *shape) {
    char form[256];
    size_t used = 0;
    if (weight->sparse)
        return tz_json_refuse(&r->place,
                              "missing; give \"%s\" as a list of entries [%u index value%s, score]",
                              weight->name, (unsigned)weight->rank, weight->rank == 1 ? "" : "s");
    if (weight->rank == 0)
        return tz_json_refuse(&r->place,
                              "missing; give \"%s\" as a number, or null if it is impossible",
                              weight->name);
    for (unsigned q = 0; q < weight->rank; q++)
        used += (size_t)snprintf(form + used, sizeof form - used, "%s%d", q > 0 ? " x " : "",
                                 (int)shape->extent[q]);
    return tz_json_refuse(&r->place, "missing; give \"%s\" as an array of %s numbers", weight->name,
                          form);
}

/* The arrays as they are written must reach as far as the shape says. */
static bool check_extents(reader *r, const tz_weight *weight, const tz_shape *shape,
                          int32_t *extent) {
    char lengths[256];
    bool empty = false;
    for (unsigned q = 0; q < weight->rank; q++)
        empty |= shape->extent[q] == 0;
    for (unsigned q = 0; q < weight->rank; q++) {
        int32_t origin = shape->origin[q], needed = shape->extent[q];
        const char *name = weight->index_name[q];
        /* Where there are no cells, any array will do: it is never read. */
        if (extent[q] < needed && !empty)
            return tz_json_refuse(&r->place, "%d %s for %s, but %s needs %d (%s from %d to %d)",
                                  (int)extent[q], plural((size_t)extent[q]), name,
                                  say_lengths(r->p, lengths), (int)needed, name, (int)origin,
                                  (int)(origin + needed - 1));
    }
    return true;
}

/* The array under `key` as the weight's scores, or as an input beside them. */
static bool read_array_of(reader *r, const json_t *value, uint16_t which, const tz_shape *shape,
                          int32_t *extent, tz_scores *scores) {
    const tz_weight *weight = &r->p->weight[which];
    *scores = (tz_scores){.data = r->number, .type = TZ_DOUBLE};
    if (weight->rank == 0 && !weight->sparse)
        return read_score(r, value);
    if (weight->sparse) {
        scores->index = r->index;
        scores->stride[0] = 1;
        return read_sparse(r, value, which, weight->rank, scores);
    }
    for (unsigned q = 0; q < weight->rank; q++)
        extent[q] = -1;
    bool read = read_dense(r, value, weight->rank, extent, 0);
    r->place.depth = 0;
    for (unsigned q = 0; q < weight->rank; q++)
        extent[q] = extent[q] < 0 ? 0 : extent[q];
    if (!read || !check_extents(r, weight, shape, extent))
        return false;
    ptrdiff_t stride = 1;
    for (unsigned q = weight->rank; q-- > 0; stride *= extent[q]) {
        scores->stride[q] = stride;
        scores->extent[q] = extent[q] < shape->extent[q] ? shape->extent[q] : extent[q];
    }
    return true;
}

static bool read_weight(reader *r, const json_t *object, uint16_t which) {
    tz_json_problem *p = r->p;
    const tz_weight *weight = &p->weight[which];
    const json_t *value = json_object_get(object, weight->name);
    tz_shape shape;
    char lengths[256];
    r->place.key = weight->name;
    r->place.depth = 0;
    if (tz_rules_shape(p->rules, which, p->lengths, &shape) != TZ_OK)
        return tz_json_refuse(&r->place, "no array is large enough for %s",
                              say_lengths(p, lengths));
    if (value == NULL && tz_weight_used(p->rules, which))
        return fail_missing(r, weight, &shape);
    if (value == NULL) {
        p->scores[which] = (tz_scores){.data = NULL};
        return true;
    }
    return read_array_of(r, value, which, &shape, p->extent[which], &p->scores[which]);
}

/* "arc.cost": an input of the semiring, if it is there. */
static bool read_input(reader *r, const json_t *object, uint16_t which, size_t input) {
    tz_json_problem *p = r->p;
    const tz_weight *weight = &p->weight[which];
    tz_scores *scores = &p->scores[(1 + input) * p->weights + which];
    int32_t extent[TZ_MAX_RANK];
    tz_shape shape;
    char key[TZ_MAX_KEY];
    snprintf(key, sizeof key, "%s.%s", weight->name, p->input[input].name);
    const json_t *value = json_object_get(object, key);
    r->place.key = key;
    r->place.depth = 0;
    *scores = (tz_scores){0};
    if (value == NULL)
        return true;
    tz_rules_shape(p->rules, which, p->lengths, &shape);
    if (!read_array_of(r, value, which, &shape, extent, scores))
        return false;
    const tz_scores *beside = &p->scores[which];
    size_t indices = scores->entries * weight->rank;
    r->place.depth = 0;
    if (weight->sparse &&
        (scores->entries != beside->entries ||
         (indices > 0 && memcmp(scores->index, beside->index, indices * sizeof *scores->index))))
        return tz_json_refuse(&r->place, "the entries are not those of \"%s\" in the same order",
                              weight->name);
    return true;
}

/* Scores beside the scores are another distribution's: all of them, or none. */
static bool check_whole(reader *r, size_t input) {
    tz_json_problem *p = r->p;
    size_t weights = p->weights;
    const char *name = p->input[input].name;
    for (size_t w = 0; w < weights && !p->input[input].finite; w++)
        if (p->scores[(1 + input) * weights + w].data == NULL &&
            tz_weight_used(p->rules, (unsigned)w) &&
            tz_input_given(&(tz_problem){.inputs = p->scores + weights}, weights, input))
            return tz_json_refuse(&r->place,
                                  "\"%s.%s\" is missing; give \"%s\" for every weight or for none",
                                  p->weight[w].name, name, name);
    return true;
}

static bool read_inputs(reader *r, const json_t *object) {
    tz_json_problem *p = r->p;
    bool any = false;
    for (size_t i = 0; i < p->inputs; i++) {
        for (uint16_t w = 0; w < p->weights; w++) {
            bool read = read_input(r, object, w, i);
            r->place.key = NULL;
            if (!read)
                return false;
            any |= p->scores[(1 + i) * p->weights + w].data != NULL;
        }
        if (!check_whole(r, i))
            return false;
    }
    p->problem.inputs = any ? p->scores + p->weights : NULL;
    return true;
}

/* ---- The other keys ------------------------------------------------------------------------ */

/* Where a length has names, it is as many, unless it is given. */
static bool count_labels(const tz_rules *rules, size_t length, int32_t *ret_length) {
    int32_t count = 0;
    while (tz_rules_label(rules, length, (size_t)count) != NULL)
        count++;
    *ret_length = count;
    return count > 0;
}

static bool read_lengths(reader *r, const json_t *object) {
    const tz_rules *rules = r->p->rules;
    for (uint16_t l = 0; l < rules->lengths; l++) {
        r->place.key = rules->length_name[l];
        const json_t *value = json_object_get(object, r->place.key);
        if (value == NULL && count_labels(rules, l, &r->p->lengths[l]))
            continue;
        if (value == NULL)
            return tz_json_refuse(&r->place, "missing; give \"%s\" as an integer >= 0",
                                  r->place.key);
        if (!read_integer(r, value, "an integer >= 0", 0, TZ_MAX_LENGTH, &r->p->lengths[l]))
            return false;
    }
    return true;
}

static bool read_words(reader *r, const json_t *words) {
    const tz_rules *rules = r->p->rules;
    size_t count = json_array_size(words);
    r->place.key = "words";
    r->place.depth = 0;
    if (!json_is_array(words))
        return fail_kind(r, "an array of strings", words);
    if (rules->lengths > 0 && count != (size_t)r->p->lengths[0])
        return tz_json_refuse(&r->place, "%zu word%s, but %s = %d", count, count == 1 ? "" : "s",
                              rules->length_name[0], (int)r->p->lengths[0]);
    for (size_t w = 0; w < count; w++) {
        const json_t *word = json_array_get(words, w);
        r->place.path[0] = w;
        r->place.depth = 1;
        if (!json_is_string(word))
            return fail_kind(r, "a string", word);
    }
    return true;
}

static bool keep(reader *r, tz_arena *arena, const json_t *value, tz_text *text) {
    if (tz_json_print(arena, value, text) == TZ_OK)
        return true;
    tz_text_clear(text);
    return tz_json_no_memory(&r->place);
}

static bool read_line(reader *r, tz_arena *arena, const json_t *object) {
    tz_json_problem *p = r->p;
    const json_t *id = json_object_get(object, "id"), *words = json_object_get(object, "words");
    if (!json_is_object(object))
        return fail_kind(r, "an object {\"n\": 4, ...}", object);
    if (id != NULL && !keep(r, arena, id, &p->id))
        return false;
    if (!tz_json_keys_check(p, object, &r->place) || !read_lengths(r, object))
        return false;
    for (uint16_t i = 0; i < p->rules->inputs; i++)
        if (!tz_json_numbers_read(&r->place, p->rules, i, p->lengths,
                                  json_object_get(object, p->rules->input[i].name), r->index,
                                  &p->numbers[i], &r->index))
            return false;
    for (uint16_t w = 0; w < p->weights; w++)
        if (!read_weight(r, object, w))
            return false;
    if (!read_inputs(r, object) ||
        tz_json_facts_read(&p->facts, p->rules, p->lengths, object, r->place.error) != TZ_OK)
        return false;
    p->problem.facts = p->facts.fact;
    p->problem.fact_count = p->facts.facts;
    return words == NULL || (read_words(r, words) && keep(r, arena, words, &p->words));
}

/* ---- Interface ----------------------------------------------------------------------------- */

tz_status tz_json_problem_init(tz_json_problem *p, const tz_rules *rules,
                               const tz_semiring *opt_semiring) {
    size_t inputs = opt_semiring != NULL ? opt_semiring->inputs : 0;
    *p = (tz_json_problem){.rules = rules, .inputs = inputs};
    p->weight = tz_declared_weights(rules, &p->weights);
    if (inputs > 0)
        p->input = opt_semiring->input;
    /* One more than needed: an empty allocation may be NULL. */
    p->lengths = calloc(rules->lengths + 1u, sizeof *p->lengths);
    p->scores = calloc((1 + inputs) * p->weights + 1, sizeof *p->scores);
    p->extent = calloc(p->weights + 1u, sizeof *p->extent);
    p->numbers = calloc(rules->inputs + 1u, sizeof *p->numbers);
    if (p->lengths != NULL && p->scores != NULL && p->extent != NULL && p->numbers != NULL) {
        p->problem =
            (tz_problem){.lengths = p->lengths, .scores = p->scores, .numbers = p->numbers};
        return TZ_OK;
    }
    tz_json_problem_free(p);
    return TZ_NO_MEMORY;
}

void tz_json_problem_free(tz_json_problem *p) {
    tz_text_free(&p->id);
    tz_text_free(&p->words);
    tz_json_facts_free(&p->facts);
    free(p->lengths);
    free(p->scores);
    free(p->extent);
    free(p->numbers);
    free(p->number);
    free(p->index);
    *p = (tz_json_problem){0};
}

/* Room for the numbers of a line: each takes two characters at least, its own and one after it, but
 * for a name in a string. */
static bool reserve(reader *r, size_t size) {
    tz_json_problem *p = r->p;
    void *number = p->number, *index = p->index;
    bool grown = tz_grow(&number, &p->number_capacity, size / 2 + 1, sizeof *p->number);
    p->number = r->number = number;
    grown = grown && tz_grow(&index, &p->index_capacity, size + 1, sizeof *p->index);
    p->index = r->index = index;
    return grown || tz_json_no_memory(&r->place);
}

tz_status tz_json_problem_read(tz_json_problem *p, const char *line, size_t size, tz_error *error) {
    reader r = {.p = p, .place.error = error};
    const json_t *object;
    *error = (tz_error){TZ_OK, ""};
    tz_text_clear(&p->id);
    tz_text_clear(&p->words);
    tz_arena *arena = tz_arena_new();
    if (arena == NULL)
        tz_json_no_memory(&r.place);
    else if (tz_json_parse(arena, line, size, &object, error) == TZ_OK && reserve(&r, size))
        read_line(&r, arena, object);
    tz_arena_free(arena);
    return error->status;
}
