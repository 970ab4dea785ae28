/* api.c - rule sets as the public header shows them. SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/fail.h"
#include "rules/compile/compile.h"
#include "rules/polyhedra/form.h"
#include "rules/read/reader.h"

static tz_status fail(tz_error *opt_error, tz_status status, const char *name, const char *what) {
    return tz_fail(opt_error, status, "%s: %s", name, what);
}

tz_status tz_rules_parse(const char *name, const char *text, size_t size, tz_rules **ret_rules,
                         tz_error *opt_error) {
    *ret_rules = NULL;
    tz_rules *rules = calloc(1, sizeof *rules);
    if (rules == NULL)
        return fail(opt_error, TZ_NO_MEMORY, name, tz_status_name(TZ_NO_MEMORY));
    rules->arena = tz_arena_new();
    if (rules->arena == NULL) {
        free(rules);
        return fail(opt_error, TZ_NO_MEMORY, name, tz_status_name(TZ_NO_MEMORY));
    }
    tz_status status = tz_read_rules(name, text, size, rules, opt_error);
    if (status == TZ_OK)
        status = tz_compile_rules(name, rules, opt_error);
    if (status != TZ_OK) {
        tz_rules_free(rules);
        return status == TZ_BAD_RULES ? status
                                      : fail(opt_error, status, name, tz_status_name(status));
    }
    *ret_rules = rules;
    return TZ_OK;
}

tz_status tz_rules_read(const char *path, tz_rules **ret_rules, tz_error *opt_error) {
    *ret_rules = NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return fail(opt_error, TZ_IO, path, strerror(errno));
    /* One byte more than is allowed, so that the reader can tell that the file is too large. */
    char *text = malloc(TZ_MAX_FILE + 1);
    if (text == NULL) {
        fclose(file);
        return fail(opt_error, TZ_NO_MEMORY, path, tz_status_name(TZ_NO_MEMORY));
    }
    errno = 0;
    size_t size = fread(text, 1, TZ_MAX_FILE + 1, file);
    bool failed = ferror(file) != 0;
    int reason = errno;
    fclose(file);
    tz_status status = failed ? fail(opt_error, TZ_IO, path, strerror(reason))
                              : tz_rules_parse(path, text, size, ret_rules, opt_error);
    free(text);
    return status;
}

void tz_rules_free(tz_rules *rules) {
    if (rules == NULL || rules->arena == NULL)
        return;
    tz_arena_free(rules->arena);
    free(rules);
}

const char *tz_rules_name(const tz_rules *rules) {
    return rules->name;
}

bool tz_rules_ambiguous(const tz_rules *rules) {
    return rules->ambiguous;
}

size_t tz_rules_lengths(const tz_rules *rules) {
    return rules->lengths;
}

size_t tz_rules_weights(const tz_rules *rules) {
    return rules->weights;
}

const char *tz_rules_length_name(const tz_rules *rules, size_t length) {
    return length < rules->lengths ? rules->length_name[length] : NULL;
}

const char *tz_rules_weight_name(const tz_rules *rules, size_t weight) {
    return weight < rules->weights ? rules->weight[weight].name : NULL;
}

const char *tz_rules_item_name(const tz_rules *rules, size_t item) {
    return item < rules->items ? rules->item[item].name : NULL;
}

const char *tz_rules_rule_name(const tz_rules *rules, size_t rule) {
    return rule < rules->rule_count ? rules->rule[rule].name : NULL;
}

const char *tz_rules_warning(const tz_rules *rules, size_t index, unsigned *ret_line,
                             unsigned *ret_column) {
    if (index >= rules->warnings)
        return NULL;
    *ret_line = rules->warning[index].line;
    *ret_column = rules->warning[index].column;
    return rules->warning[index].text;
}

unsigned tz_rules_item_rank(const tz_rules *rules, size_t item) {
    return item < rules->items ? rules->item[item].rank : 0;
}

static bool check_lengths(const tz_rules *rules, const int32_t *lengths) {
    for (unsigned l = 0; l < rules->lengths; l++)
        if (lengths[l] < 0 || lengths[l] > TZ_MAX_LENGTH)
            return false;
    return true;
}

/* The array that reaches from index min(0, smallest) to the largest, in each dimension. */
static tz_status shape_of(const tz_rules *rules, const tz_range *extent, const int32_t *lengths,
                          tz_shape *shape) {
    for (unsigned q = 0; q < shape->rank; q++) {
        int64_t low, high;
        tz_range_value(&extent[q], rules->lengths, lengths, 0, NULL, &low, &high);
        /* An empty domain takes no room. */
        bool empty = low > high;
        shape->origin[q] = (int32_t)(empty || low > 0 ? 0 : low);
        shape->least[q] = empty || low > INT32_MAX ? 0 : (int32_t)low;
        if (!empty && (low < INT32_MIN || high - shape->origin[q] >= INT32_MAX))
            return TZ_TOO_LARGE;
        shape->extent[q] =
            empty || high < shape->origin[q] ? 0 : (int32_t)(high - shape->origin[q] + 1);
    }
    return TZ_OK;
}

tz_status tz_rules_shape(const tz_rules *rules, size_t weight, const int32_t *lengths,
                         tz_shape *ret_shape) {
    if (weight >= rules->weights || !check_lengths(rules, lengths))
        return TZ_BAD_ARGUMENT;
    const tz_weight *w = &rules->weight[weight];
    tz_shape shape = {.rank = w->rank, .sparse = w->sparse};
    tz_status status = shape_of(rules, w->extent, lengths, &shape);
    if (status == TZ_OK)
        *ret_shape = shape;
    return status;
}

tz_status tz_rules_item_shape(const tz_rules *rules, size_t item, const int32_t *lengths,
                              tz_shape *ret_shape) {
    if (item >= rules->items || !check_lengths(rules, lengths))
        return TZ_BAD_ARGUMENT;
    tz_shape shape = {.rank = rules->item[item].rank};
    tz_status status = shape_of(rules, rules->item[item].extent, lengths, &shape);
    if (status == TZ_OK)
        *ret_shape = shape;
    return status;
}

tz_status tz_rules_goal(const tz_rules *rules, const int32_t *lengths, size_t *ret_item,
                        unsigned *ret_rank, int32_t *ret_index) {
    if (!check_lengths(rules, lengths))
        return TZ_BAD_ARGUMENT;
    *ret_item = rules->goal.which;
    *ret_rank = rules->item[rules->goal.which].rank;
    for (unsigned q = 0; q < *ret_rank; q++)
        ret_index[q] =
            (int32_t)tz_form_value(&rules->goal.index[q], rules->lengths, lengths, 0, NULL);
    return TZ_OK;
}

bool tz_rules_declared(const tz_rules *rules, size_t weight, const int32_t *lengths,
                       const int32_t *index) {
    if (weight >= rules->weights)
        return false;
    const tz_weight *w = &rules->weight[weight];
    int64_t column[TZ_MAX_RANK];
    for (unsigned q = 0; q < w->rank; q++)
        column[q] = index[q];
    return tz_domain_holds(&w->domain, rules->lengths, lengths, w->rank, column);
}

size_t tz_rules_resources(const tz_rules *rules) {
    return rules->resources;
}

const char *tz_rules_resource_name(const tz_rules *rules, size_t resource) {
    return resource < rules->resources ? rules->resource[resource].name : NULL;
}

tz_status tz_rules_amount(const tz_rules *rules, size_t resource, size_t weight,
                          const int32_t *lengths, const int32_t *index, int64_t *ret_amount) {
    if (resource >= rules->resources || weight >= rules->weights ||
        !check_lengths(rules, lengths) || !tz_rules_declared(rules, weight, lengths, index))
        return TZ_BAD_ARGUMENT;
    int64_t column[TZ_MAX_RANK], amount = 0;
    unsigned rank = rules->weight[weight].rank;
    bool charged = false;
    for (unsigned q = 0; q < rank; q++)
        column[q] = index[q];
    for (unsigned c = 0; c < rules->charges; c++) {
        const tz_charge *charge = &rules->charge[c];
        charged |= charge->resource == resource;
        if (charge->resource == resource && charge->weight == weight)
            amount += tz_form_value(&charge->amount, rules->lengths, lengths, rank, column);
    }
    if (!charged)
        return TZ_NONE;
    *ret_amount = amount;
    return TZ_OK;
}

tz_status tz_rules_resource_complement(const tz_rules *rules, size_t resource,
                                       const int32_t *lengths, size_t *ret_other,
                                       int64_t *ret_total) {
    if (resource >= rules->resources || !check_lengths(rules, lengths))
        return TZ_BAD_ARGUMENT;
    int rest = rules->resource[resource].other >= 0 ? (int)resource : -1;
    int other = rules->resource[resource].other;
    for (int r = 0; r < rules->resources && rest < 0; r++)
        if (rules->resource[r].other == (int)resource)
            rest = other = r;
    if (rest < 0)
        return TZ_NONE;
    *ret_other = (size_t)other;
    *ret_total = tz_form_value(&rules->resource[rest].total, rules->lengths, lengths, 0, NULL);
    return TZ_OK;
}
