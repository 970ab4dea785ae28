/* reader.c - from the text of a rule file to the part of its table that the file says.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "rules/message.h"
#include "rules/read/read.h"

/* ---- Header lines ---------------------------------------------------------------------------- */

static bool read_rules_line(tz_reader *reader, tz_cursor *cursor) {
    tz_span name;
    if (!tz_dashed_name(cursor, &name))
        return tz_expected(reader, cursor, "the name of the rule set",
                           "write one, as in `rules eisner`");
    return tz_check_name(reader, name, "rule set", true) && tz_at_end(reader, cursor) &&
           tz_keep(reader, name, &reader->rules->name);
}

static bool read_count_line(tz_reader *reader, tz_cursor *cursor) {
    double *count =
        tz_arena_array(reader->arena, (size_t)(cursor->end - cursor->span.at), sizeof count[0]);
    uint32_t counts = 0;
    if (count == NULL)
        return tz_no_memory(reader);
    const uint64_t most = (uint64_t)1 << 53;
    do {
        if (cursor->kind != TZ_TOKEN_INTEGER)
            return tz_expected(reader, cursor, "an integer of 0 or more",
                               "write the numbers of structures, as in `count 1 3 12`");
        uint64_t value = 0;
        for (size_t i = 0; i < cursor->span.size && value <= most; i++)
            value = 10 * value + (uint64_t)(cursor->span.at[i] - '0');
        if (value > most)
            return tz_bad(reader, cursor->span.at,
                          "number above 2^53 in %s: leave out what is not exact", reader->context);
        count[counts++] = (double)value;
        tz_next_token(cursor);
    } while (cursor->kind != TZ_TOKEN_END);
    reader->rules->count = count;
    reader->rules->counts = counts;
    return true;
}

static bool read_structures_line(tz_reader *reader, tz_cursor *cursor) {
    reader->structures_at = cursor->span.at;
    if (cursor->kind != TZ_TOKEN_NAME || !tz_span_is(cursor->span, "derivations"))
        return tz_expected(reader, cursor, "`derivations`",
                           "write `structures derivations`, or leave the line out");
    reader->rules->derivations = true;
    tz_next_token(cursor);
    return tz_at_end(reader, cursor);
}

static bool read_length_line(tz_reader *reader, tz_cursor *cursor) {
    uint16_t *lengths = &reader->rules->lengths;
    do {
        if (cursor->kind != TZ_TOKEN_NAME)
            return tz_expected(reader, cursor, "the name of a length",
                               "write one, as in `length n`");
        if (*lengths == TZ_MAX_LENGTHS)
            return tz_bad(reader, cursor->span.at,
                          "more than %d lengths, the most there may be: leave some out",
                          TZ_MAX_LENGTHS);
        if (!tz_names_add(reader, cursor->span, TZ_NAME_LENGTH, *lengths) ||
            !tz_keep(reader, cursor->span, &reader->length_name[*lengths]))
            return false;
        ++*lengths;
        tz_next_token(cursor);
        if (cursor->kind == TZ_TOKEN_COMMA) {
            tz_next_token(cursor);
            if (cursor->kind == TZ_TOKEN_END)
                return tz_expected(reader, cursor, "the name of a length",
                                   "write one, or remove the comma");
        }
    } while (cursor->kind != TZ_TOKEN_END);
    return true;
}

bool tz_keep_columns(tz_reader *reader, const tz_scope *scope, tz_location *location) {
    const char **column = tz_arena_array(reader->scratch, scope->count, sizeof column[0]);
    if (column == NULL)
        return tz_no_memory(reader);
    for (unsigned c = 0; c < scope->count; c++)
        column[c] = scope->name[c].at;
    location->column = column;
    return true;
}

bool tz_read_declared(tz_reader *reader, tz_cursor *cursor, tz_name_kind kind, uint16_t which,
                      tz_location *location, tz_scope *ret_scope, const char **ret_name,
                      const char **index_name) {
    const char *what = tz_name_kind_text(kind);
    tz_span name = cursor->span;
    tz_set_context(reader, what, name);
    if (cursor->kind != TZ_TOKEN_NAME) {
        const bool item = kind == TZ_NAME_ITEM, input = kind == TZ_NAME_INPUT;
        tz_set_context(reader,
                       item    ? "an `item` line"
                       : input ? "an `input` line"
                               : "a `weight` line",
                       (tz_span){0});
        return tz_expected(reader, cursor, "a name",
                           item    ? "write one, as in `item span[i,j]`"
                           : input ? "write one, as in `input x[i] < V`"
                                   : "write one, as in `weight arc[h,m]`");
    }
    if (!tz_names_add(reader, name, kind, which) || !tz_keep(reader, name, ret_name))
        return false;
    tz_next_token(cursor);
    location->at = name.at;
    if (!tz_read_indices(reader, cursor, ret_scope) ||
        !tz_keep_columns(reader, ret_scope, location))
        return false;
    for (unsigned q = 0; q < ret_scope->count; q++)
        if (!tz_keep(reader, ret_scope->name[q], &index_name[q]))
            return false;
    return true;
}

bool tz_read_optional_domain(tz_reader *reader, tz_cursor *cursor, tz_scope *scope,
                             tz_domain *ret_domain, const char **ret_text,
                             tz_condition *opt_condition) {
    tz_span text = {cursor->span.at, (size_t)(cursor->end - cursor->span.at)};
    if (!tz_keep(reader, text, ret_text))
        return false;
    return cursor->kind == TZ_TOKEN_END ||
           tz_read_domain(reader, cursor, scope, ret_domain, opt_condition);
}

static bool read_weight_line(tz_reader *reader, tz_cursor *cursor, const tz_statement *statement) {
    uint16_t which = reader->rules->weights;
    tz_weight *weight = &reader->weight[which];
    tz_scope scope;
    weight->line = statement->line;
    if (!tz_read_declared(reader, cursor, TZ_NAME_WEIGHT, which, &reader->weight_location[which],
                          &scope, &weight->name, weight->index_name))
        return false;
    weight->rank = (uint8_t)scope.count;
    if (cursor->kind == TZ_TOKEN_NAME && tz_span_is(cursor->span, "sparse")) {
        if (scope.count == 0)
            return tz_bad(reader, cursor->span.at,
                          "%s has no indices, so it cannot be sparse: leave out `sparse`",
                          reader->context);
        weight->sparse = true;
        tz_next_token(cursor);
    }
    reader->rules->weights++;
    return tz_read_optional_domain(reader, cursor, &scope, &weight->domain, &weight->domain_text,
                                   NULL) &&
           tz_keep(reader, statement->comment, &weight->comment);
}

static bool read_item_line(tz_reader *reader, tz_cursor *cursor, const tz_statement *statement) {
    uint16_t which = reader->rules->items;
    tz_item *item = &reader->item[which];
    tz_scope scope;
    item->line = statement->line;
    if (!tz_read_declared(reader, cursor, TZ_NAME_ITEM, which, &reader->item_location[which],
                          &scope, &item->name, item->index_name))
        return false;
    item->rank = (uint8_t)scope.count;
    if (cursor->kind == TZ_TOKEN_NAME && tz_span_is(cursor->span, "sparse"))
        return tz_bad(reader, cursor->span.at,
                      "%s cannot be sparse, only weights can: leave out `sparse`", reader->context);
    reader->rules->items++;
    return tz_read_optional_domain(reader, cursor, &scope, &item->domain, &item->domain_text,
                                   NULL) &&
           tz_keep(reader, statement->comment, &item->comment);
}

/* The kinds of items that may need one another. */
static bool read_closure_line(tz_reader *reader, tz_cursor *cursor) {
    static const char remedy[] = "write the items that may need themselves, as in `closure span`";
    tz_set_context(reader, "a `closure` line", (tz_span){0});
    do {
        if (cursor->kind != TZ_TOKEN_NAME)
            return tz_expected(reader, cursor, "the name of an item", remedy);
        const tz_name *name = tz_names_find(reader, cursor->span, TZ_NAME_ITEM);
        if (name == NULL || name->kind != TZ_NAME_ITEM)
            return tz_bad(reader, cursor->span.at, "\"%.*s\" in %s is no item: %s",
                          (int)cursor->span.size, cursor->span.at, reader->context, remedy);
        reader->item[name->which].closure = true;
        tz_next_token(cursor);
        if (cursor->kind == TZ_TOKEN_COMMA) {
            tz_next_token(cursor);
            if (cursor->kind == TZ_TOKEN_END)
                return tz_expected(reader, cursor, "the name of an item",
                                   "write one, or remove the comma");
        }
    } while (cursor->kind != TZ_TOKEN_END);
    return true;
}

static bool read_goal_line(tz_reader *reader, tz_cursor *cursor, const tz_statement *statement) {
    tz_scope none = {.open = false};
    reader->goal_at = cursor->span.at;
    reader->rules->goal_line = statement->line;
    reader->rules->goal_column = tz_column_of(reader, cursor->span.at);
    return tz_read_term(reader, cursor, &none, TZ_NAME_ITEM, &reader->rules->goal) &&
           tz_at_end(reader, cursor);
}

/* ---- All of it ------------------------------------------------------------------------------- */

static bool make_room(tz_reader *reader) {
    tz_arena *arena = reader->arena, *scratch = reader->scratch;
    const size_t *kinds = reader->kinds;
    size_t weights = kinds[TZ_STATEMENT_WEIGHT], items = kinds[TZ_STATEMENT_ITEM];
    size_t rules = kinds[TZ_STATEMENT_RULE], resources = kinds[TZ_STATEMENT_RESOURCE];
    size_t relations = kinds[TZ_STATEMENT_RELATION], inputs = kinds[TZ_STATEMENT_INPUT];
    size_t labels = kinds[TZ_STATEMENT_NAMES];
    reader->length_name = tz_arena_array(arena, TZ_MAX_LENGTHS, sizeof reader->length_name[0]);
    reader->weight = tz_arena_array(arena, weights, sizeof reader->weight[0]);
    reader->item = tz_arena_array(arena, items, sizeof reader->item[0]);
    reader->rule = tz_arena_array(arena, rules, sizeof reader->rule[0]);
    reader->resource = tz_arena_array(arena, resources, sizeof reader->resource[0]);
    reader->charge = tz_arena_array(arena, resources, sizeof reader->charge[0]);
    reader->weight_location = tz_arena_array(scratch, weights, sizeof reader->weight_location[0]);
    reader->item_location = tz_arena_array(scratch, items, sizeof reader->item_location[0]);
    reader->rule_location = tz_arena_array(scratch, rules, sizeof reader->rule_location[0]);
    reader->relation = tz_arena_array(arena, relations, sizeof reader->relation[0]);
    reader->relation_at = tz_arena_array(scratch, relations, sizeof reader->relation_at[0]);
    reader->input = tz_arena_array(arena, inputs, sizeof reader->input[0]);
    reader->input_location = tz_arena_array(scratch, inputs, sizeof reader->input_location[0]);
    reader->input_used = tz_arena_array(scratch, inputs, sizeof reader->input_used[0]);
    reader->labels = tz_arena_array(arena, labels, sizeof reader->labels[0]);
    reader->condition = tz_arena_array(scratch, rules, sizeof reader->condition[0]);
    reader->charge_at = tz_arena_array(scratch, resources, sizeof reader->charge_at[0]);
    if (reader->length_name == NULL || reader->weight == NULL || reader->item == NULL ||
        reader->rule == NULL || reader->resource == NULL || reader->charge == NULL ||
        reader->weight_location == NULL || reader->item_location == NULL ||
        reader->rule_location == NULL || reader->charge_at == NULL || reader->relation == NULL ||
        reader->relation_at == NULL || reader->condition == NULL || reader->input == NULL ||
        reader->input_location == NULL || reader->labels == NULL || reader->input_used == NULL)
        return tz_no_memory(reader);
    return tz_names_new(reader, TZ_MAX_LENGTHS + reader->statements);
}

/* The lines of the first pass; nothing in them refers to other lines. */
static bool read_plain_line(tz_reader *reader, const tz_statement *statement, const char **cite) {
    tz_cursor cursor = tz_tokens(statement->body);
    switch (statement->kind) {
    case TZ_STATEMENT_RULES:
        tz_set_context(reader, "the `rules` line", (tz_span){0});
        return read_rules_line(reader, &cursor);
    case TZ_STATEMENT_CITE:
        if (statement->body.size == 0)
            return tz_bad(reader, statement->body.at, "`cite` without a text: write what to cite");
        return tz_keep(reader, statement->body, &cite[reader->rules->cites++]);
    case TZ_STATEMENT_COUNT:
        tz_set_context(reader, "the `count` line", (tz_span){0});
        return read_count_line(reader, &cursor);
    case TZ_STATEMENT_AMBIGUOUS:
        tz_set_context(reader, "the `ambiguous` line", (tz_span){0});
        reader->rules->ambiguous = true;
        return tz_at_end(reader, &cursor);
    case TZ_STATEMENT_STRUCTURES:
        tz_set_context(reader, "the `structures` line", (tz_span){0});
        return read_structures_line(reader, &cursor);
    case TZ_STATEMENT_LENGTH:
        tz_set_context(reader, "a `length` line", (tz_span){0});
        return read_length_line(reader, &cursor);
    default:
        return true;
    }
}

static bool read_statements(tz_reader *reader) {
    const char **cite =
        tz_arena_array(reader->arena, reader->kinds[TZ_STATEMENT_CITE], sizeof cite[0]);
    if (cite == NULL)
        return tz_no_memory(reader);
    for (const tz_statement *e = reader->statement; e != NULL; e = e->next)
        if (!read_plain_line(reader, e, cite))
            return false;
    if (reader->rules->ambiguous && reader->rules->derivations)
        return tz_bad(reader, reader->structures_at,
                      "`ambiguous` and `structures derivations` exclude one another: where every "
                      "derivation is a structure, none is counted twice; remove one of them");
    for (const tz_statement *e = reader->statement; e != NULL; e = e->next) {
        tz_cursor cursor = tz_tokens(e->body);
        if (e->kind == TZ_STATEMENT_WEIGHT && !read_weight_line(reader, &cursor, e))
            return false;
        if (e->kind == TZ_STATEMENT_ITEM && !read_item_line(reader, &cursor, e))
            return false;
        if (e->kind == TZ_STATEMENT_RELATION && !tz_read_relation(reader, &cursor, e))
            return false;
        if (e->kind == TZ_STATEMENT_INPUT && !tz_read_input(reader, &cursor, e))
            return false;
        if (e->kind == TZ_STATEMENT_NAMES && !tz_read_names(reader, &cursor, e))
            return false;
    }
    for (const tz_statement *e = reader->statement; e != NULL; e = e->next)
        if (e->kind == TZ_STATEMENT_RESOURCE && !tz_read_resource(reader, e, false))
            return false;
    for (const tz_statement *e = reader->statement; e != NULL; e = e->next) {
        tz_cursor cursor = tz_tokens(e->body);
        if (e->kind == TZ_STATEMENT_RESOURCE && !tz_read_resource(reader, e, true))
            return false;
        if (e->kind == TZ_STATEMENT_RULE && !tz_read_rule(reader, e))
            return false;
        if (e->kind == TZ_STATEMENT_CLOSURE && !read_closure_line(reader, &cursor))
            return false;
        tz_set_context(reader, "the goal", (tz_span){0});
        if (e->kind == TZ_STATEMENT_GOAL && !read_goal_line(reader, &cursor, e))
            return false;
    }
    tz_rules *rules = reader->rules;
    rules->cite = cite;
    rules->length_name = reader->length_name;
    rules->weight = reader->weight;
    rules->item = reader->item;
    rules->rule = reader->rule;
    rules->resource = reader->resource;
    rules->charge = reader->charge;
    rules->relation = reader->relation;
    rules->input = reader->input;
    rules->labels = reader->labels;
    return tz_check_resources(reader) && tz_check_declarations(reader) && tz_place_views(reader) &&
           tz_expand_relations(reader);
}

tz_status tz_read_rules(const char *file, const char *text, size_t size, tz_rules *rules,
                        tz_error *opt_error) {
    if (size > TZ_MAX_FILE)
        return tz_bad_rules(opt_error, file, 1, 1, "this file has more than %d bytes: split it",
                            TZ_MAX_FILE);
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* a byte-order mark */
        text += 3;
        size -= 3;
    }
    tz_reader reader = {.file = file,
                        .text = text,
                        .end = text + size,
                        .rules = rules,
                        .arena = rules->arena,
                        .scratch = tz_arena_new(),
                        .opt_error = opt_error};
    rules->comment = "";
    if (reader.scratch == NULL)
        tz_no_memory(&reader);
    else
        tz_keep_warnings(&reader, tz_find_statements(&reader) && make_room(&reader) &&
                                      read_statements(&reader) && tz_check_rules(&reader));
    tz_table_free(&reader.numbers);
    tz_arena_free(reader.scratch);
    if (reader.status == TZ_NO_MEMORY)
        tz_fail(opt_error, TZ_NO_MEMORY, "%s: memory is out", file);
    return reader.status;
}
