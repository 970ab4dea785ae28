/* expression.c - index expressions and domains. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "rules/polyhedra/form.h"
#include "rules/read/read.h"

static bool same(tz_span a, tz_span b) {
    return a.size == b.size && memcmp(a.at, b.at, a.size) == 0;
}

/* ---- Scopes ---------------------------------------------------------------------------------- */

/* Is it fit to be the name of an index or a variable? */
static bool check_column(tz_reader *reader, tz_span name, const char *kind) {
    char what[sizeof reader->context + 16];
    snprintf(what, sizeof what, "%s of %s", kind, reader->context);
    return tz_check_name(reader, name, what, false);
}

bool tz_read_indices(tz_reader *reader, tz_cursor *cursor, tz_scope *ret_scope) {
    *ret_scope = (tz_scope){.open = false};
    if (cursor->kind != TZ_TOKEN_OPEN)
        return true;
    tz_next_token(cursor);
    if (cursor->kind == TZ_TOKEN_CLOSE) {
        tz_next_token(cursor);
        return true;
    }
    for (;;) {
        tz_span name = cursor->span;
        if (cursor->kind != TZ_TOKEN_NAME)
            return tz_expected(reader, cursor, "the name of an index",
                               "write one, as in `span[i,j]`");
        if (!check_column(reader, name, "index"))
            return false;
        const tz_name *known = tz_names_find(reader, name, TZ_NAME_LENGTH);
        if (known != NULL && known->kind == TZ_NAME_LENGTH)
            return tz_bad(reader, name.at,
                          "\"%.*s\" is a length, so it cannot be an index of %s: give the index "
                          "another name",
                          (int)name.size, name.at, reader->context);
        if (known != NULL && known->kind == TZ_NAME_INPUT)
            return tz_bad(reader, name.at,
                          "\"%.*s\" is an input, so it cannot be an index of %s: give the index "
                          "another name",
                          (int)name.size, name.at, reader->context);
        for (unsigned c = 0; c < ret_scope->count; c++)
            if (same(ret_scope->name[c], name))
                return tz_bad(reader, name.at,
                              "two indices of %s are called \"%.*s\": rename one of them",
                              reader->context, (int)name.size, name.at);
        if (ret_scope->count == TZ_MAX_RANK)
            return tz_bad(reader, name.at,
                          "%s has more than %d indices, the most there may be: leave some out",
                          reader->context, TZ_MAX_RANK);
        ret_scope->name[ret_scope->count++] = name;
        tz_next_token(cursor);
        if (cursor->kind == TZ_TOKEN_CLOSE) {
            tz_next_token(cursor);
            return true;
        }
        if (cursor->kind != TZ_TOKEN_COMMA)
            return tz_expected(reader, cursor, "\",\" or \"]\"",
                               "separate indices by commas and close them, as in `[i,j]`");
        tz_next_token(cursor);
    }
}

/* "i, j, n": what an expression in this scope may mention; there is a length. */
static void list_names(const tz_reader *reader, const tz_scope *scope, char *ret_text,
                       size_t size) {
    size_t used = 0;
    for (unsigned c = 0; c < scope->count && used < size; c++)
        used += (size_t)snprintf(ret_text + used, size - used, "%.*s, ", (int)scope->name[c].size,
                                 scope->name[c].at);
    for (unsigned l = 0; l < reader->rules->lengths && used < size; l++)
        used += (size_t)snprintf(ret_text + used, size - used, "%s%s", l == 0 ? "" : ", ",
                                 reader->length_name[l]);
}

/* The column of a name; it is not a length. */
static bool find_column(tz_reader *reader, tz_span name, tz_scope *scope, unsigned *ret_column) {
    bool fresh = scope->open && tz_span_is(name, "_");
    unsigned c = fresh ? scope->count : 0;
    while (c < scope->count && !same(scope->name[c], name))
        c++;
    *ret_column = c;
    if (c < scope->count)
        return scope->again[c] = true;
    if (!scope->open) {
        char names[(TZ_MAX_RANK + TZ_MAX_LENGTHS) * (TZ_MAX_NAME + 2) + 1];
        list_names(reader, scope, names, sizeof names);
        return tz_bad(reader, name.at,
                      "unknown name \"%.*s\" in %s: an expression here is a sum of %s and integers",
                      (int)name.size, name.at, reader->context, names);
    }
    if (!check_column(reader, name, "variable"))
        return false;
    if (c == TZ_MAX_VARIABLES)
        return tz_bad(reader, name.at, "%s has more than %d variables: split it in two",
                      reader->context, TZ_MAX_VARIABLES);
    scope->name[scope->count++] = name;
    return true;
}

/* ---- Expressions ----------------------------------------------------------------------------- */

static bool add_integer(tz_reader *reader, const tz_cursor *cursor, int sign, tz_form *form) {
    int32_t value = 0;
    for (size_t i = 0; i < cursor->span.size && value <= TZ_MAX_CONSTANT; i++)
        value = 10 * value + (cursor->span.at[i] - '0');
    if (value <= TZ_MAX_CONSTANT)
        form->constant += sign * value;
    if (value > TZ_MAX_CONSTANT || form->constant > TZ_MAX_CONSTANT ||
        form->constant < -TZ_MAX_CONSTANT)
        return tz_bad(reader, cursor->span.at,
                      "integer out of range in %s: it must lie between -%d and %d", reader->context,
                      TZ_MAX_CONSTANT, TZ_MAX_CONSTANT);
    return true;
}

static bool add_name(tz_reader *reader, const tz_cursor *cursor, tz_scope *scope, int sign,
                     tz_form *form) {
    tz_span name = cursor->span;
    const tz_name *known = tz_names_find(reader, name, TZ_NAME_LENGTH);
    if (known != NULL && known->kind == TZ_NAME_LENGTH) {
        form->length[known->which] = (int16_t)(form->length[known->which] + sign);
        reader->length_used[known->which] = true;
        return true;
    }
    if (known != NULL && known->kind == TZ_NAME_INPUT)
        return tz_bad(reader, name.at,
                      "input \"%.*s\" in %s: its numbers stand as indices of weights, each alone, "
                      "as in `* emit[a,x[i]]`; a condition on them is such a weight that scores 0 "
                      "or -infinity",
                      (int)name.size, name.at, reader->context);
    unsigned column;
    if (!find_column(reader, name, scope, &column))
        return false;
    if (form->column[column] != 0)
        return tz_bad(reader, name.at,
                      "\"%.*s\" stands twice in one expression in %s: a variable may stand there "
                      "once, with + or -",
                      (int)name.size, name.at, reader->context);
    form->column[column] = (int16_t)sign;
    return true;
}

/* Refuses `name(`: there are no functions, and indices stand in square brackets. */
static bool refuse_call(tz_reader *reader, tz_span name, const tz_cursor *cursor) {
    const tz_name *known = tz_names_find(reader, name, TZ_NAME_ITEM);
    if (known != NULL && known->kind != TZ_NAME_LENGTH)
        return tz_expected(reader, cursor, "\"[\"", "write it");
    bool least = tz_span_is(name, "min"), most = tz_span_is(name, "max");
    if (least || most)
        return tz_bad(
            reader, name.at,
            "\"%.*s\" in %s: an expression is a sum; write each bound as a relation, as in "
            "`%s`, or a rule for each where one of them is enough",
            (int)name.size, name.at, reader->context, least ? "i <= j, i <= k" : "i >= j, i >= k");
    return tz_bad(reader, name.at,
                  "\"%.*s(\" in %s: there are no functions; an expression is a sum of variables, "
                  "lengths and integers",
                  (int)name.size, name.at, reader->context);
}

bool tz_read_form(tz_reader *reader, tz_cursor *cursor, tz_scope *scope, tz_form *ret_form) {
    *ret_form = (tz_form){0};
    int sign = 1;
    if (cursor->kind == TZ_TOKEN_PLUS || cursor->kind == TZ_TOKEN_MINUS) {
        sign = cursor->kind == TZ_TOKEN_MINUS ? -1 : 1;
        tz_next_token(cursor);
    }
    for (;;) {
        bool integer = cursor->kind == TZ_TOKEN_INTEGER;
        if (tz_span_is(cursor->span, "("))
            return tz_bad(reader, cursor->span.at,
                          "\"(\" in %s: an expression has no parentheses; write the sum, as in "
                          "`i-j+1` for i-(j-1)",
                          reader->context);
        if (!integer && cursor->kind != TZ_TOKEN_NAME)
            return tz_expected(reader, cursor, "a variable, a length or an integer",
                               "write a sum of these, as in `k+1`");
        if (!integer && tz_span_is(cursor->span, "if"))
            return tz_expected(reader, cursor, "an expression",
                               "write one before `if`, as in `k+1`");
        tz_cursor next = *cursor;
        tz_next_token(&next);
        if (!integer && tz_span_is(next.span, "("))
            return refuse_call(reader, cursor->span, &next);
        if (integer ? !add_integer(reader, cursor, sign, ret_form)
                    : !add_name(reader, cursor, scope, sign, ret_form))
            return false;
        tz_next_token(cursor);
        bool product = integer && cursor->kind == TZ_TOKEN_NAME &&
                       !tz_span_is(cursor->span, "or") && !tz_span_is(cursor->span, "and");
        if (cursor->kind == TZ_TOKEN_STAR || product)
            return tz_bad(reader, cursor->span.at,
                          "product in an expression in %s: an expression is a sum, as in k+1 or "
                          "j-i (and weights stand before `if`)",
                          reader->context);
        if (cursor->kind != TZ_TOKEN_PLUS && cursor->kind != TZ_TOKEN_MINUS)
            return true;
        sign = cursor->kind == TZ_TOKEN_MINUS ? -1 : 1;
        tz_next_token(cursor);
    }
}

/* ---- Domains --------------------------------------------------------------------------------- */

/* left RELATION right as form >= 0, = 0 or != 0. */
static tz_constraint normalised(const tz_form *left, tz_token_kind relation, const tz_form *right) {
    bool flip = relation == TZ_TOKEN_AT_LEAST || relation == TZ_TOKEN_MORE;
    const tz_form *small = flip ? right : left, *large = flip ? left : right;
    tz_constraint result = {.relation = relation == TZ_TOKEN_EQUAL     ? TZ_EQ
                                        : relation == TZ_TOKEN_UNEQUAL ? TZ_NE
                                                                       : TZ_GE};
    bool strict = relation == TZ_TOKEN_LESS || relation == TZ_TOKEN_MORE;
    result.form.constant = large->constant - small->constant - strict;
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        result.form.length[l] = (int16_t)(large->length[l] - small->length[l]);
    for (unsigned c = 0; c < TZ_MAX_COLUMNS; c++)
        result.form.column[c] = (int16_t)(large->column[c] - small->column[c]);
    return result;
}

static bool too_many_relations(tz_reader *reader, const char *at) {
    return tz_bad(reader, at, "more than %d relations in %s: leave out what the others imply",
                  TZ_MAX_CONSTRAINTS, reader->context);
}

/* A relation of integers that does not hold? */
static bool never(const tz_constraint *constraint) {
    const int32_t value = constraint->form.constant;
    return !tz_form_has_columns(&constraint->form) && !tz_form_has_lengths(&constraint->form) &&
           (constraint->relation == TZ_GE   ? value < 0
            : constraint->relation == TZ_EQ ? value != 0
                                            : value == 0);
}

/* Refuses `_` among the columns from `first` on: no other relation could speak of it. */
static bool check_named(tz_reader *reader, const tz_scope *scope, unsigned first) {
    for (unsigned c = first; c < scope->count; c++)
        if (tz_span_is(scope->name[c], "_"))
            return tz_bad(reader, scope->name[c].at,
                          "\"_\" in a relation of %s: it is another variable wherever it stands; "
                          "give the one that is meant a name",
                          reader->context);
    return true;
}

/* A chain such as `0 <= i < j`. */
static bool read_chain(tz_reader *reader, tz_cursor *cursor, tz_scope *scope,
                       tz_constraint *constraint, uint32_t *count, uint32_t most) {
    const unsigned before = scope->count;
    const char *at = cursor->span.at;
    tz_form left, right;
    if (!tz_read_form(reader, cursor, scope, &left))
        return false;
    if (!tz_is_relation(cursor->kind))
        return tz_expected(reader, cursor, "one of < <= = != >= >",
                           "write what is compared, as in `i < j`");
    while (tz_is_relation(cursor->kind)) {
        tz_token_kind relation = cursor->kind;
        if (*count == most)
            return too_many_relations(reader, cursor->span.at);
        tz_next_token(cursor);
        const char *middle = cursor->span.at;
        if (!tz_read_form(reader, cursor, scope, &right))
            return false;
        constraint[*count] = normalised(&left, relation, &right);
        if (never(&constraint[(*count)++])) {
            int size = (int)(cursor->span.at - at);
            while (tz_is_blank(at[size - 1]))
                size--;
            return tz_bad(reader, at, "`%.*s` in %s is never true: change it", size, at,
                          reader->context);
        }
        left = right;
        at = middle;
    }
    return check_named(reader, scope, before);
}

bool tz_is_listed(const tz_cursor *cursor) {
    tz_cursor next = *cursor;
    tz_next_token(&next);
    return cursor->kind == TZ_TOKEN_NAME && next.kind == TZ_TOKEN_OPEN;
}

/* A relation with tuples, which takes `*most` down by its indices. */
static bool read_listed(tz_reader *reader, tz_cursor *cursor, tz_scope *scope, uint32_t count,
                        uint32_t *most, tz_condition *opt_condition) {
    const char *at = cursor->span.at;
    if (opt_condition == NULL)
        return tz_bad(reader, at,
                      "\"%.*s[\" in %s: a domain has no brackets; relations with tuples stand in "
                      "conditions, after `if`",
                      (int)cursor->span.size, at, reader->context);
    if (opt_condition->count == TZ_MAX_USED)
        return tz_bad(reader, at,
                      "more than %d relations with tuples in %s: make one of several, or split the "
                      "rule",
                      TZ_MAX_USED, reader->context);
    tz_term *used = &opt_condition->used[opt_condition->count++];
    if (!tz_read_term(reader, cursor, scope, TZ_NAME_RELATION, used))
        return false;
    unsigned rank = reader->relation[used->which].rank;
    if (count + rank > *most)
        return too_many_relations(reader, at);
    *most -= rank;
    return true;
}

/* The cursor stands on what is no comma: `or`, maybe, or `and`. */
static bool refuse_word(tz_reader *reader, const tz_cursor *cursor, bool condition) {
    tz_span word = cursor->span;
    if (tz_span_is(word, "and") || tz_span_is(word, "&"))
        return tz_bad(reader, word.at, "found \"%.*s\" in %s: write \",\"", (int)word.size, word.at,
                      reader->context);
    if (tz_span_is(word, "or") || tz_span_is(word, "|"))
        return tz_bad(reader, word.at, "found \"%.*s\" in %s: all relations hold together; %s",
                      (int)word.size, word.at, reader->context,
                      condition
                          ? "write a second rule for the other case"
                          : "choose a domain that has both cases, and let rules exclude what is "
                            "in neither");
    return tz_expected(reader, cursor, "a relation, \",\" or the end of the line",
                       "separate relations by commas, as in `i < k, k < j`");
}

bool tz_read_domain(tz_reader *reader, tz_cursor *cursor, tz_scope *scope, tz_domain *ret_domain,
                    tz_condition *opt_condition) {
    tz_constraint constraint[TZ_MAX_CONSTRAINTS];
    uint32_t count = 0, most = TZ_MAX_CONSTRAINTS;
    for (;;) {
        if (tz_is_listed(cursor) ? !read_listed(reader, cursor, scope, count, &most, opt_condition)
                                 : !read_chain(reader, cursor, scope, constraint, &count, most))
            return false;
        if (cursor->kind == TZ_TOKEN_END)
            break;
        if (cursor->kind != TZ_TOKEN_COMMA)
            return refuse_word(reader, cursor, opt_condition != NULL);
        tz_next_token(cursor);
    }
    tz_constraint *at = tz_arena_array(reader->arena, count, sizeof at[0]);
    if (at == NULL)
        return tz_no_memory(reader);
    memcpy(at, constraint, count * sizeof at[0]);
    *ret_domain = (tz_domain){at, count};
    return true;
}
