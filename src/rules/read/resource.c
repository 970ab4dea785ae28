/* resource.c - what using a weight consumes. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "rules/polyhedra/prove.h"
#include "rules/read/read.h"
#include "rules/view.h"

/* The resource of this name, which is declared if it is new. */
static tz_resource *find_resource(tz_reader *reader, tz_span name, uint32_t line) {
    const tz_name *known = tz_names_find(reader, name, TZ_NAME_RESOURCE);
    uint16_t which = reader->rules->resources;
    if (known != NULL && known->kind == TZ_NAME_RESOURCE)
        return &reader->resource[known->which];
    tz_resource *resource = &reader->resource[which];
    if (!tz_names_add(reader, name, TZ_NAME_RESOURCE, which) ||
        !tz_keep(reader, name, &resource->name))
        return NULL;
    resource->other = -1;
    resource->line = line;
    reader->rules->resources++;
    return resource;
}

/* WEIGHT[v, ...] AMOUNT */
static bool read_charge(tz_reader *reader, tz_cursor *cursor, uint16_t resource, uint32_t line) {
    tz_charge *charge = &reader->charge[reader->rules->charges];
    tz_scope scope, same;
    tz_cursor indices = *cursor;
    tz_term weight;
    if (indices.kind == TZ_TOKEN_NAME)
        tz_next_token(&indices);
    if (!tz_read_indices(reader, &indices, &scope))
        return false;
    same = scope;
    if (!tz_read_term(reader, cursor, &same, TZ_NAME_WEIGHT, &weight))
        return false;
    *charge = (tz_charge){.resource = resource, .weight = weight.which, .line = line};
    reader->charge_at[reader->rules->charges++] = cursor->span.at;
    return tz_read_form(reader, cursor, &scope, &charge->amount) && tz_at_end(reader, cursor);
}

/* = EXPR - OTHER, once every charge has been read */
static bool read_complement(tz_reader *reader, tz_cursor *cursor, tz_resource *resource,
                            uint32_t line) {
    tz_scope scope = {.open = true};
    const char *begin = cursor->span.at;
    if (resource->other >= 0)
        return tz_bad(reader, begin, "second `=` line for %s (the first is line %u): remove one",
                      reader->context, (unsigned)resource->line);
    if (!tz_read_form(reader, cursor, &scope, &resource->total) || !tz_at_end(reader, cursor))
        return false;
    if (scope.count != 1 || resource->total.column[0] != -1)
        return tz_bad(reader, scope.count > 1 ? scope.name[1].at : begin,
                      "expected lengths and integers minus one resource in %s, as in "
                      "`resource dropped = n - kept`",
                      reader->context);
    tz_span name = scope.name[0];
    const tz_name *other = tz_names_find(reader, name, TZ_NAME_RESOURCE);
    if (other == NULL || other->kind != TZ_NAME_RESOURCE) {
        const tz_name *near = tz_names_nearest(reader, name, TZ_NAME_RESOURCE);
        return tz_bad(reader, name.at,
                      "unknown resource \"%.*s\" in %s: charge it with `resource %.*s WEIGHT[...] "
                      "AMOUNT`%s%.*s%s",
                      (int)name.size, name.at, reader->context, (int)name.size, name.at,
                      near == NULL ? "" : ", or did you mean \"",
                      near == NULL ? 0 : (int)near->span.size, near == NULL ? "" : near->span.at,
                      near == NULL ? "" : "\"?");
    }
    if (&reader->resource[other->which] == resource)
        return tz_bad(reader, name.at, "%s refers to itself: name the resource that is the rest",
                      reader->context);
    resource->total.column[0] = 0;
    resource->line = line;
    resource->other = other->which;
    return true;
}

bool tz_read_resource(tz_reader *reader, const tz_statement *statement, bool complements) {
    tz_cursor cursor = tz_tokens(statement->body);
    tz_span name = cursor.span;
    if (cursor.kind != TZ_TOKEN_NAME) {
        tz_set_context(reader, "a `resource` line", (tz_span){0});
        return tz_expected(reader, &cursor, "the name of a resource",
                           "write one, as in `resource kept arc[h,m] 1`");
    }
    tz_set_context(reader, "resource", name);
    tz_next_token(&cursor);
    if (complements != (cursor.kind == TZ_TOKEN_EQUAL))
        return true;
    tz_resource *resource = find_resource(reader, name, statement->line);
    if (resource == NULL)
        return false;
    if (!complements)
        return read_charge(reader, &cursor, (uint16_t)(resource - reader->resource),
                           statement->line);
    tz_next_token(&cursor);
    return read_complement(reader, &cursor, resource, statement->line);
}

bool tz_check_resources(tz_reader *reader) {
    for (unsigned r = 0; r < reader->rules->resources; r++) {
        const tz_resource *resource = &reader->resource[r];
        if (resource->other < 0 || reader->resource[resource->other].other < 0)
            continue;
        const tz_name *name = tz_names_find(
            reader, (tz_span){resource->name, strlen(resource->name)}, TZ_NAME_RESOURCE);
        return tz_bad(reader, name->span.at,
                      "resource \"%s\" is the rest of \"%s\", which is itself the rest of another: "
                      "only one of two resources may have an `=` line",
                      resource->name, reader->resource[resource->other].name);
    }
    return true;
}

/* ---- Amounts, checked -------------------------------------------------------------------------
 */

/* As "bigram[0,1] with n = 1". */
static void charge_text(const tz_rules *rules, const tz_weight *weight, const int32_t *lengths,
                        const int64_t *index, char *ret_text, size_t size) {
    tz_cell_text(rules, weight, lengths, index, ret_text, size);
    for (unsigned l = 0; l < rules->lengths; l++) {
        const size_t used = strlen(ret_text);
        snprintf(ret_text + used, size - used, "%s%s = %d", l == 0 ? " with " : ", ",
                 rules->length_name[l], (int)lengths[l]);
    }
}

/* The k-th value tried for an index, given the lengths: `TRIED` of them, FEW_TRIED of each where
 * there are many indices. */
enum { CELL_TEXT = 200, TRIED = 15, FEW_TRIED = 5, MANY_INDICES = 5 };

static int64_t tried(unsigned k, int32_t n) {
    return k < 2 ? (int64_t)k : k < 5 ? (int64_t)n + k - 3 : k < 7 ? (int64_t)k - 7 : k - 5;
}

/* Indices and lengths at which the charge is negative, as "bigram[0,1] with n = 1"; "" where none
 * of those tried is. */
static void find_negative(const tz_rules *rules, const tz_charge *charge, char *ret_text,
                          size_t size) {
    static const int32_t lengths[] = {0, 1, 2, 3, 4, 5, 6, 10, 20, 50, 100, 1000, 10000, 1000000};
    const tz_weight *weight = &rules->weight[charge->weight];
    const unsigned most = weight->rank < MANY_INDICES ? TRIED : FEW_TRIED;
    ret_text[0] = '\0';
    for (size_t n = 0; n < sizeof lengths / sizeof lengths[0]; n++) {
        int32_t length[TZ_MAX_LENGTHS];
        unsigned choice[TZ_MAX_RANK] = {0}, q;
        for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
            length[l] = lengths[n];
        do {
            int64_t index[TZ_MAX_RANK];
            for (q = 0; q < weight->rank; q++)
                index[q] = tried(choice[q], lengths[n]);
            if (tz_domain_holds(&weight->domain, rules->lengths, length, weight->rank, index) &&
                tz_form_value(&charge->amount, rules->lengths, length, weight->rank, index) < 0) {
                charge_text(rules, weight, length, index, ret_text, size);
                return;
            }
            for (q = 0; q < weight->rank && choice[q] == most - 1; q++)
                choice[q] = 0;
            if (q < weight->rank)
                choice[q]++;
        } while (q < weight->rank);
    }
}

bool tz_check_charges(tz_reader *reader) {
    const tz_rules *rules = reader->rules;
    for (unsigned c = 0; c < rules->charges; c++) {
        const tz_charge *charge = &rules->charge[c];
        const tz_weight *weight = &rules->weight[charge->weight];
        tz_assumptions assumed = {.lengths = rules->lengths, .columns = weight->rank};
        tz_status status = tz_assumptions_add(&assumed, &weight->domain, NULL, weight->rank);
        if (status == TZ_OK)
            status = tz_assumptions_at_least_0(&assumed, &charge->amount);
        const char *name = rules->resource[charge->resource].name;
        tz_set_context(reader, "resource", (tz_span){name, strlen(name)});
        if (status == TZ_NO_MEMORY)
            return tz_no_memory(reader);
        if (status == TZ_TOO_LARGE)
            return tz_too_large(reader, reader->charge_at[c]);
        if (status != TZ_NONE)
            continue;
        char example[CELL_TEXT + TZ_MAX_LENGTHS * (TZ_MAX_NAME + 32)];
        find_negative(rules, charge, example, sizeof example);
        return tz_bad(reader, reader->charge_at[c],
                      "the amount of %s is negative somewhere on the domain of weight \"%s\"%s%s: "
                      "change the amount or narrow the domain",
                      reader->context, weight->name, example[0] == '\0' ? "" : ", as for ",
                      example);
    }
    return true;
}
