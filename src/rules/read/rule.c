/* rule.c - rules: premises, the bar, a conclusion. SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/read/read.h"

/* The factors of a rule while it is being read. */
typedef struct tz_factors {
    tz_term premise[TZ_MAX_TERMS], side[TZ_MAX_TERMS], weight[TZ_MAX_TERMS];
    uint16_t premises, sides, weights, sparse;
} tz_factors;

static bool too_many_terms(tz_reader *reader, const char *at) {
    return tz_bad(reader, at,
                  "%s has more than %d premises and weights: split it with an item between",
                  reader->context, TZ_MAX_TERMS);
}

/* A premise in brackets, on the first of which the cursor stands. */
static bool read_side(tz_reader *reader, tz_cursor *cursor, tz_scope *scope, tz_location *location,
                      tz_factors *factors) {
    tz_next_token(cursor);
    location->side[factors->sides] = cursor->span.at;
    if (!tz_read_term(reader, cursor, scope, TZ_NAME_ITEM, &factors->side[factors->sides]))
        return false;
    factors->sides++;
    if (cursor->kind != TZ_TOKEN_CLOSE)
        return tz_expected(reader, cursor, "\"]\"",
                           "a side condition is one item in brackets, as in `[span[i,j]]`");
    tz_next_token(cursor);
    return true;
}

static bool read_premises(tz_reader *reader, tz_span line, tz_scope *scope, tz_location *location,
                          tz_factors *factors) {
    tz_cursor cursor = tz_tokens(line);
    if (cursor.kind == TZ_TOKEN_NAME && tz_span_is(cursor.span, "axiom")) {
        tz_next_token(&cursor);
        if (cursor.kind != TZ_TOKEN_END)
            return tz_bad(
                reader, cursor.span.at,
                "`axiom` stands alone, without premises, in %s: remove it, or what follows it",
                reader->context);
        return true;
    }
    while (cursor.kind != TZ_TOKEN_END) {
        if (cursor.kind == TZ_TOKEN_COMMA)
            return tz_bad(
                reader, cursor.span.at,
                "premises are separated by blanks, not by commas, in %s: remove the comma",
                reader->context);
        if (factors->premises + factors->sides == TZ_MAX_TERMS)
            return too_many_terms(reader, cursor.span.at);
        if (cursor.kind == TZ_TOKEN_OPEN) {
            if (!read_side(reader, &cursor, scope, location, factors))
                return false;
            continue;
        }
        location->premise[factors->premises] = cursor.span.at;
        if (!tz_read_term(reader, &cursor, scope, TZ_NAME_ITEM,
                          &factors->premise[factors->premises]))
            return false;
        factors->premises++;
    }
    return true;
}

static bool read_weights(tz_reader *reader, tz_cursor *cursor, tz_scope *scope,
                         tz_factors *factors) {
    while (cursor->kind == TZ_TOKEN_STAR) {
        tz_next_token(cursor);
        const char *at = cursor->span.at;
        if (cursor->kind == TZ_TOKEN_INTEGER)
            return tz_bad(reader, at,
                          "number as a factor in %s: declare a weight without indices, as in "
                          "`weight penalty`, and give it with the scores",
                          reader->context);
        if (factors->premises + factors->sides + factors->weights == TZ_MAX_TERMS)
            return too_many_terms(reader, at);
        tz_term *term = &factors->weight[factors->weights];
        if (!tz_read_term(reader, cursor, scope, TZ_NAME_WEIGHT, term))
            return false;
        factors->weights++;
        factors->sparse +=
            term->which < reader->rules->weights && reader->weight[term->which].sparse;
        if (factors->sparse > TZ_MAX_SPARSE)
            return tz_bad(reader, at,
                          "%s has more than %d sparse weights: split it with an item between",
                          reader->context, TZ_MAX_SPARSE);
    }
    return true;
}

static bool read_condition(tz_reader *reader, tz_cursor *cursor, tz_scope *scope, tz_rule *rule,
                           tz_condition *condition) {
    const char *word = cursor->span.at;
    rule->condition_text = "";
    if (cursor->kind == TZ_TOKEN_END)
        return true;
    if (cursor->kind != TZ_TOKEN_NAME || !tz_span_is(cursor->span, "if"))
        return tz_expected(reader, cursor, "`* weight[...]`, `if` or the end of the line",
                           "write `*` before every weight, `if` before the condition");
    tz_next_token(cursor);
    if (cursor->kind == TZ_TOKEN_END)
        return tz_bad(reader, word, "`if` without a condition in %s: write one, as in `if i < j`",
                      reader->context);
    return tz_read_optional_domain(reader, cursor, scope, &rule->condition, &rule->condition_text,
                                   condition);
}

static bool keep_terms(tz_reader *reader, const tz_term *from, uint16_t count,
                       const tz_term **ret_terms) {
    tz_term *terms = tz_arena_array(reader->arena, count, sizeof terms[0]);
    if (terms == NULL)
        return tz_no_memory(reader);
    memcpy(terms, from, count * sizeof terms[0]);
    *ret_terms = terms;
    return true;
}

static bool keep_variables(tz_reader *reader, const tz_scope *scope, tz_rule *rule) {
    const char **name = tz_arena_array(reader->arena, scope->count, sizeof name[0]);
    if (name == NULL)
        return tz_no_memory(reader);
    for (unsigned v = 0; v < scope->count; v++)
        if (!tz_keep(reader, scope->name[v], &name[v]))
            return false;
    rule->variable_name = name;
    rule->variables = (uint8_t)scope->count;
    return true;
}

/* A variable that stands in one place says nothing of any other: a slip, unless its name begins
 * with `_`, which alone cannot stand in a condition. */
static bool warn_of_variables(tz_reader *reader, const tz_scope *scope,
                              const tz_domain *condition) {
    for (unsigned v = 0; v < scope->count; v++) {
        const tz_span name = scope->name[v];
        bool related = false;
        for (uint32_t c = 0; c < condition->count; c++)
            related |= condition->at[c].form.column[v] != 0;
        if (!scope->again[v] && *name.at != '_' &&
            !tz_warn(
                reader, name.at,
                "variable \"%.*s\" stands in %s once: write `_%.*s` for it if any value will do",
                (int)name.size, name.at, reader->context, related ? (int)name.size : 0, name.at))
            return false;
    }
    return true;
}

bool tz_read_rule(tz_reader *reader, const tz_statement *statement) {
    uint16_t which = reader->rules->rule_count;
    tz_rule *rule = &reader->rule[which];
    tz_location *location = &reader->rule_location[which];
    tz_factors factors = {.premises = 0};
    tz_scope scope = {.open = true};
    tz_cursor bar;
    tz_span name;
    if (!tz_bar_name(reader, statement->bar, &bar, &name))
        return tz_bad(
            reader, bar.span.at,
            "expected the rule's name after the dashes of the bar, as in `--- attach-left`");
    location->at = name.at;
    rule->line = statement->line;
    rule->column = tz_column_of(reader, name.at);
    if (!tz_names_add(reader, name, TZ_NAME_RULE, which) || !tz_keep(reader, name, &rule->name) ||
        !read_premises(reader, statement->body, &scope, location, &factors) ||
        !read_weights(reader, &bar, &scope, &factors) ||
        !read_condition(reader, &bar, &scope, rule, &reader->condition[which]))
        return false;
    tz_cursor conclusion = tz_tokens(statement->conclusion);
    if (!tz_read_term(reader, &conclusion, &scope, TZ_NAME_ITEM, &rule->conclusion) ||
        !tz_at_end(reader, &conclusion))
        return false;
    rule->premises = factors.premises;
    rule->sides = factors.sides;
    rule->weights = factors.weights;
    reader->rules->rule_count++;
    return keep_terms(reader, factors.premise, factors.premises, &rule->premise) &&
           keep_terms(reader, factors.side, factors.sides, &rule->side) &&
           keep_terms(reader, factors.weight, factors.weights, &rule->weight) &&
           keep_variables(reader, &scope, rule) && tz_keep_columns(reader, &scope, location) &&
           warn_of_variables(reader, &scope, &rule->condition);
}
