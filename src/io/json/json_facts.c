/* json_facts.c - what is known of a derivation, in a line of JSON. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "io/json/json_facts.h"
#include "io/json/labels.h"
#include "rules/polyhedra/form.h"
#include "rules/table.h"

typedef struct reader {
    tz_json_facts *facts;
    const tz_rules *rules;
    const int32_t *lengths;
    tz_json_place place;
    const tz_weight *weight; /* [weights] that the rules declare */
    unsigned weights;
    bool facts_only; /* not only weights: items may be named, and null stands for every value */
} reader;

/* The item that a cell is of, or NULL: it is of a weight. */
static const tz_item *item_of(const reader *r, const tz_cells *cell) {
    return cell->weight < TZ_ITEM ? NULL : &r->rules->item[cell->weight - TZ_ITEM];
}

static bool has_labels(const reader *r, const tz_cells *cell, unsigned q, size_t *length) {
    return cell->weight < TZ_ITEM
               ? tz_rules_labelled(r->rules, TZ_WEIGHTS, cell->weight, q, length)
               : tz_rules_labelled(r->rules, TZ_ITEMS, cell->weight - TZ_ITEM, q, length);
}

static bool read_index(reader *r, const json_t *value, const tz_cells *cell, unsigned q,
                       int32_t *ret_index) {
    double number = json_number_value(value);
    size_t length = 0;
    if (json_is_string(value) && has_labels(r, cell, q, &length))
        return tz_json_label_read(&r->place, r->rules, length, json_string_value(value),
                                  json_string_length(value), ret_index);
    if (json_is_null(value) && r->facts_only) {
        *ret_index = TZ_ANY;
        return true;
    }
    if (!json_is_number(value) || trunc(number) != number || fabs(number) > TZ_MAX_LENGTH)
        return tz_json_refuse(&r->place, "expected an index, an integer%s, not %s",
                              r->facts_only ? " or null for every one" : "",
                              json_is_number(value) ? "this number" : tz_json_kind(value));
    *ret_index = (int32_t)number;
    return true;
}

/* A cell that there is not is a mistake. Patterns are left to the engine. */
static bool check_declared(reader *r, const tz_cells *cell) {
    const tz_item *item = item_of(r, cell);
    const tz_weight *weight = item == NULL ? &r->weight[cell->weight] : NULL;
    const unsigned rank = item != NULL ? item->rank : weight->rank;
    int64_t index[TZ_MAX_RANK];
    char cells[80] = "";
    size_t used = 0;
    for (unsigned q = 0; q < rank; q++) {
        if (cell->index[q] == TZ_ANY)
            return true;
        index[q] = cell->index[q];
        used += (size_t)snprintf(cells + used, sizeof cells - used, "%s%d", q > 0 ? "," : "",
                                 (int)cell->index[q]);
    }
    return tz_domain_holds(item != NULL ? &item->domain : &weight->domain, r->rules->lengths,
                           r->lengths, rank, index) ||
           tz_json_refuse(&r->place, "%s has no %s [%s] for these lengths",
                          item != NULL ? item->name : weight->name, item != NULL ? "item" : "cell",
                          cells);
}

/* The weight of this name, or the item; false: there is none. */
static bool find_name(const reader *r, const char *name, tz_cells *ret) {
    *ret = (tz_cells){.weight = 0};
    for (; ret->weight < r->weights; ret->weight++)
        if (strcmp(r->weight[ret->weight].name, name) == 0)
            return true;
    for (size_t i = 0; r->facts_only && i < r->rules->items; i++)
        if (strcmp(r->rules->item[i].name, name) == 0) {
            ret->weight = TZ_ITEM + i;
            return true;
        }
    return false;
}

/* ["arc", 0, 2] */
static bool read_cell(reader *r, const json_t *value, tz_cells *ret_cell) {
    const char *name = json_string_value(json_array_get(value, 0));
    unsigned depth = r->place.depth;
    if (name == NULL)
        return tz_json_refuse(&r->place, "expected a cell [\"%s\", index, ...], not %s",
                              r->facts_only ? "WEIGHT or ITEM" : "WEIGHT",
                              json_is_array(value) ? "an array that does not begin with a name"
                                                   : tz_json_kind(value));
    if (!find_name(r, name, ret_cell))
        return tz_json_refuse(&r->place, "%s has no weight%s '%.100s'", r->rules->name,
                              r->facts_only ? " or item" : "", name);
    unsigned rank = item_of(r, ret_cell) != NULL ? item_of(r, ret_cell)->rank
                                                 : r->weight[ret_cell->weight].rank;
    if (json_array_size(value) != 1u + rank)
        return tz_json_refuse(&r->place, "%zu index values; '%.100s' has %u",
                              json_array_size(value) - 1, name, rank);
    r->place.depth = depth + 1;
    for (unsigned q = 0; q < rank; q++) {
        r->place.path[depth] = q + 1;
        if (!read_index(r, json_array_get(value, q + 1), ret_cell, q, &ret_cell->index[q]))
            return false;
    }
    /* Charged rules have one more index of items: every amount. */
    for (unsigned q = rank; q < TZ_MAX_RANK && ret_cell->weight >= TZ_ITEM; q++)
        ret_cell->index[q] = TZ_ANY;
    r->place.depth = depth;
    return check_declared(r, ret_cell);
}

static bool add_cell(reader *r, const json_t *value) {
    tz_json_facts *f = r->facts;
    void *cell = f->cell;
    bool grown = tz_grow(&cell, &f->cell_capacity, f->cells + 1, sizeof *f->cell);
    f->cell = cell;
    if (!grown)
        return tz_json_no_memory(&r->place);
    if (!read_cell(r, value, &f->cell[f->cells]))
        return false;
    f->cells++;
    f->fact[f->facts - 1].count++;
    return true;
}

static bool add_fact(reader *r, bool required) {
    tz_json_facts *f = r->facts;
    void *fact = f->fact;
    bool grown = tz_grow(&fact, &f->fact_capacity, f->facts + 1, sizeof *f->fact);
    f->fact = fact;
    if (!grown)
        return tz_json_no_memory(&r->place);
    f->fact[f->facts++] = (tz_fact){.required = required};
    f->required |= required;
    return true;
}

static bool is_cell(const json_t *value) {
    return json_is_string(json_array_get(value, 0));
}

/* The array under a key; NULL where there is none, and then false if that is an error. */
static bool find_array(reader *r, const json_t *object, const char *key, const json_t **ret_array) {
    r->place.key = key;
    r->place.depth = 0;
    *ret_array = json_object_get(object, key);
    if (*ret_array == NULL || json_is_array(*ret_array))
        return true;
    return tz_json_refuse(&r->place, "expected an array, not %s", tz_json_kind(*ret_array));
}

static bool read_forbidden(reader *r, const json_t *object) {
    const json_t *array;
    if (!find_array(r, object, "forbid", &array))
        return false;
    if (json_array_size(array) == 0)
        return true;
    if (!add_fact(r, false))
        return false;
    for (size_t i = 0; i < json_array_size(array); i++) {
        r->place.path[0] = i;
        r->place.depth = 1;
        if (!add_cell(r, json_array_get(array, i)))
            return false;
    }
    return true;
}

static bool read_required(reader *r, const json_t *object) {
    const json_t *array;
    if (!find_array(r, object, "require", &array))
        return false;
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *value = json_array_get(array, i);
        r->place.path[0] = i;
        r->place.depth = 1;
        if (!add_fact(r, true))
            return false;
        if (is_cell(value) || !json_is_array(value)) {
            if (!add_cell(r, value))
                return false;
            continue;
        }
        for (size_t c = 0; c < json_array_size(value); c++) {
            r->place.path[1] = c;
            r->place.depth = 2;
            if (!add_cell(r, json_array_get(value, c)))
                return false;
        }
    }
    return true;
}

static bool read_structure(reader *r, const json_t *object) {
    tz_json_facts *f = r->facts;
    const json_t *array;
    if (!find_array(r, object, "structure", &array))
        return false;
    f->structure = array != NULL;
    void *use = f->use;
    bool grown = tz_grow(&use, &f->use_capacity, json_array_size(array) + 1, sizeof *f->use);
    f->use = use;
    if (!grown)
        return tz_json_no_memory(&r->place);
    for (size_t i = 0; i < json_array_size(array); i++) {
        tz_cells cell;
        r->place.path[0] = i;
        r->place.depth = 1;
        if (!read_cell(r, json_array_get(array, i), &cell))
            return false;
        f->use[f->uses] = (tz_use){.weight = (uint32_t)cell.weight};
        memcpy(f->use[f->uses++].index, cell.index, sizeof cell.index);
    }
    return true;
}

tz_status tz_json_facts_read(tz_json_facts *f, const tz_rules *rules, const int32_t *lengths,
                             const json_t *object, tz_error *error) {
    reader r = {
        .facts = f, .rules = rules, .lengths = lengths, .facts_only = true, .place.error = error};
    r.weight = tz_declared_weights(rules, &r.weights);
    f->facts = f->cells = f->uses = 0;
    f->structure = f->required = false;
    if (!read_forbidden(&r, object) || !read_required(&r, object))
        return error->status;
    r.facts_only = false;
    if (!read_structure(&r, object))
        return error->status;
    /* Now that all cells stand where they will. Without any there is nowhere to point. */
    for (size_t i = 0, first = 0; i < f->facts && f->cells > 0; i++) {
        f->fact[i].cells = &f->cell[first];
        first += f->fact[i].count;
    }
    return TZ_OK;
}

void tz_json_facts_free(tz_json_facts *f) {
    free(f->fact);
    free(f->cell);
    free(f->use);
    *f = (tz_json_facts){0};
}
