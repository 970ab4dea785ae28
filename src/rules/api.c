/* api.c - rule sets as the public header shows them. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/fail.h"
#include "base/modes.h"
#include "base/text_file.h"
#include "rules/compile/compile.h"
#include "rules/polyhedra/form.h"
#include "rules/read/reader.h"
#include "rules/view.h"

static tz_status fail(tz_error *opt_error, tz_status status, const char *name, const char *what) {
    return tz_fail(opt_error, status, "%s: %s", name, what);
}

/* What was noticed besides, behind what is wrong, as far as there is room: one may be the reason
 * for the other. */
static void add_warnings(const tz_rules *rules, tz_error *error) {
    size_t used = strlen(error->message);
    for (unsigned w = 0; w < rules->warnings; w++) {
        const tz_warning *warning = &rules->warning[w];
        size_t room = sizeof error->message - used;
        int size =
            snprintf(error->message + used, room, " (%lu:%lu: warning: %s)",
                     (unsigned long)warning->line, (unsigned long)warning->column, warning->text);
        if (size < 0 || (size_t)size >= room) {
            error->message[used] = '\0';
            return;
        }
        used += (size_t)size;
    }
}

tz_status tz_rules_parse(const char *name, const char *text, size_t size, tz_rules **ret_rules,
                         tz_error *opt_error) {
    TZ_DEFAULT_MODES;
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
    if (status == TZ_BAD_RULES && opt_error != NULL)
        add_warnings(rules, opt_error);
    if (status != TZ_OK) {
        tz_rules_free(rules);
        return status == TZ_BAD_RULES ? status
                                      : fail(opt_error, status, name, tz_status_name(status));
    }
    *ret_rules = rules;
    return TZ_OK;
}

tz_status tz_rules_read(const char *path, tz_rules **ret_rules, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    *ret_rules = NULL;
    char *text;
    size_t size;
    tz_status status = tz_text_read(path, TZ_MAX_FILE, &text, &size, opt_error);
    if (status == TZ_OK)
        status = tz_rules_parse(path, text, size, ret_rules, opt_error);
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

size_t tz_rules_count(const tz_rules *rules, tz_named what) {
    unsigned weights;
    tz_declared_weights(rules, &weights);
    const size_t count[] = {
        [TZ_LENGTHS] = rules->lengths, [TZ_WEIGHTS] = weights,
        [TZ_ITEMS] = rules->items,     [TZ_RULES] = rules->rule_count,
        [TZ_INPUTS] = rules->inputs,   [TZ_RESOURCES] = rules->resources,
    };
    return count[what];
}

const char *tz_rules_name_of(const tz_rules *rules, tz_named what, size_t which) {
    unsigned weights;
    if (which >= tz_rules_count(rules, what))
        return NULL;
    switch (what) {
    case TZ_LENGTHS:
        return rules->length_name[which];
    case TZ_WEIGHTS:
        return tz_declared_weights(rules, &weights)[which].name;
    case TZ_ITEMS:
        return rules->item[which].name;
    case TZ_RULES:
        return rules->rule[which].name;
    case TZ_INPUTS:
        return rules->input[which].name;
    case TZ_RESOURCES:
        return rules->resource[which].name;
    }
    return NULL;
}

bool tz_rules_used(const tz_rules *rules, tz_named what, size_t which) {
    if (which >= tz_rules_count(rules, what))
        return false;
    return what == TZ_WEIGHTS  ? tz_weight_used(rules, (unsigned)which)
           : what == TZ_INPUTS ? tz_input_used(rules, (unsigned)which)
                               : false;
}

const char *tz_rules_label(const tz_rules *rules, size_t length, size_t value) {
    for (unsigned i = 0; i < rules->labelled; i++)
        if (rules->labels[i].length == length && value < rules->labels[i].names)
            return rules->labels[i].name[value];
    return NULL;
}

bool tz_rules_labelled(const tz_rules *rules, tz_named what, size_t which, unsigned index,
                       size_t *ret_length) {
    unsigned weights;
    const tz_rules_labels *labels = NULL;
    if (which >= tz_rules_count(rules, what))
        return false;
    if (what == TZ_INPUTS)
        labels = tz_input_labels(rules, &rules->input[which]);
    if (what == TZ_WEIGHTS || what == TZ_ITEMS) {
        const bool item = what == TZ_ITEMS;
        const tz_weight *weight = tz_declared_weights(rules, &weights) + (item ? 0 : which);
        if (index < (item ? rules->item[which].rank : weight->rank))
            labels =
                tz_index_labels(rules, item ? &rules->item[which].domain : &weight->domain, index);
    }
    if (labels == NULL)
        return false;
    *ret_length = labels->length;
    return true;
}

const char *tz_rules_warning(const tz_rules *rules, size_t index, unsigned *ret_line,
                             unsigned *ret_column) {
    if (index >= rules->warnings)
        return NULL;
    *ret_line = rules->warning[index].line;
    *ret_column = rules->warning[index].column;
    return rules->warning[index].text;
}

static bool check_lengths(const tz_rules *rules, const int32_t *lengths) {
    for (unsigned l = 0; l < rules->lengths; l++)
        if (lengths[l] < 0 || lengths[l] > TZ_MAX_LENGTH)
            return false;
    return true;
}

tz_status tz_rules_shape(const tz_rules *rules, size_t weight, const int32_t *lengths,
                         tz_shape *ret_shape) {
    unsigned count;
    const tz_weight *declared = tz_declared_weights(rules, &count);
    if (weight >= TZ_ITEM && weight - TZ_ITEM < rules->items)
        return tz_item_shape(rules, &rules->item[weight - TZ_ITEM], lengths, ret_shape);
    return weight < count ? tz_weight_shape(rules, &declared[weight], lengths, ret_shape)
                          : TZ_BAD_ARGUMENT;
}

tz_status tz_rules_input_shape(const tz_rules *rules, size_t input, const int32_t *lengths,
                               tz_shape *ret_shape, int64_t *ret_bound) {
    if (input >= rules->inputs)
        return TZ_BAD_ARGUMENT;
    const tz_rules_input *i = &rules->input[input];
    tz_status status = tz_input_shape(rules, i, lengths, ret_shape);
    if (status == TZ_OK)
        *ret_bound = tz_form_value(&i->bound, rules->lengths, lengths, 0, NULL);
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
    unsigned count;
    const tz_weight *w = tz_declared_weights(rules, &count);
    const bool input = weight >= TZ_INPUT && weight - TZ_INPUT < rules->inputs;
    if (!input && weight >= count)
        return false;
    const unsigned rank = input ? rules->input[weight - TZ_INPUT].rank : w[weight].rank;
    int64_t column[TZ_MAX_RANK];
    for (unsigned q = 0; q < rank; q++)
        column[q] = index[q];
    return tz_domain_holds(input ? &rules->input[weight - TZ_INPUT].domain : &w[weight].domain,
                           rules->lengths, lengths, rank, column);
}

tz_status tz_rules_amount(const tz_rules *rules, size_t resource, size_t weight,
                          const int32_t *lengths, const int32_t *index, int64_t *ret_amount) {
    unsigned weights, charges;
    const tz_weight *declared = tz_declared_weights(rules, &weights);
    const tz_charge *charge = tz_declared_charges(rules, &charges);
    if (resource >= rules->resources || weight >= weights || !check_lengths(rules, lengths) ||
        !tz_rules_declared(rules, weight, lengths, index))
        return TZ_BAD_ARGUMENT;
    int64_t column[TZ_MAX_RANK], amount = 0;
    unsigned rank = declared[weight].rank;
    bool charged = false;
    for (unsigned q = 0; q < rank; q++)
        column[q] = index[q];
    for (const tz_charge *end = charge + charges; charge < end; charge++) {
        charged |= charge->resource == resource;
        if (charge->resource == resource && charge->weight == weight)
            amount += tz_form_value(&charge->amount, rules->lengths, lengths, rank, column);
    }
    if (!charged)
        return TZ_NONE;
    *ret_amount = amount;
    return TZ_OK;
}

bool tz_resource_is_sum(const tz_rules *rules, size_t resource) {
    bool charged = rules->resource[resource].other < 0;
    for (unsigned i = 0; i < rules->charges && !charged; i++)
        charged = rules->charge[i].resource == resource;
    return charged;
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
