/* expression.c - index expressions, domains and terms. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

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

static bool is_relation(tz_token_kind kind) {
    return kind >= TZ_TOKEN_LESS && kind <= TZ_TOKEN_MORE;
}

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
    tz_form left, right;
    if (!tz_read_form(reader, cursor, scope, &left))
        return false;
    if (!is_relation(cursor->kind))
        return tz_expected(reader, cursor, "one of < <= = != >= >",
                           "write what is compared, as in `i < j`");
    while (is_relation(cursor->kind)) {
        tz_token_kind relation = cursor->kind;
        if (*count == most)
            return too_many_relations(reader, cursor->span.at);
        tz_next_token(cursor);
        if (!tz_read_form(reader, cursor, scope, &right))
            return false;
        constraint[(*count)++] = normalised(&left, relation, &right);
        left = right;
    }
    return check_named(reader, scope, before);
}

/* Does the cursor stand on a name with a bracket behind it? */
static bool is_listed(const tz_cursor *cursor) {
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
        if (is_listed(cursor) ? !read_listed(reader, cursor, scope, count, &most, opt_condition)
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

/* ---- Terms ----------------------------------------------------------------------------------- */

/* The names of the indices of an item, a weight or a relation. */
static const char *const *declared_indices(const tz_reader *reader, const tz_name *name,
                                           unsigned *ret_rank) {
    const tz_item *item = &reader->item[name->which];
    const tz_weight *weight = &reader->weight[name->which];
    const tz_rules_input *input = &reader->input[name->which];
    const tz_listed *relation = &reader->relation[name->which];
    *ret_rank = name->kind == TZ_NAME_ITEM     ? item->rank
                : name->kind == TZ_NAME_WEIGHT ? weight->rank
                : name->kind == TZ_NAME_INPUT  ? input->rank
                                               : relation->rank;
    return name->kind == TZ_NAME_ITEM     ? item->index_name
           : name->kind == TZ_NAME_WEIGHT ? weight->index_name
           : name->kind == TZ_NAME_INPUT  ? input->index_name
                                          : relation->index_name;
}

/* How it was declared, as "arc[h,m]". */
static void declared_form(const tz_reader *reader, const tz_name *name, char *ret_text,
                          size_t size) {
    unsigned rank;
    const char *const *index_name = declared_indices(reader, name, &rank);
    int used = snprintf(ret_text, size, "%.*s", (int)name->span.size, name->span.at);
    for (unsigned q = 0; q < rank && used >= 0 && (size_t)used < size; q++)
        used += snprintf(ret_text + used, size - (size_t)used, "%c%s", q == 0 ? '[' : ',',
                         index_name[q]);
    if (rank > 0 && used >= 0 && (size_t)used + 1 < size)
        strcpy(ret_text + used, "]");
}

static const char *article(tz_name_kind kind) {
    return kind == TZ_NAME_ITEM || kind == TZ_NAME_INPUT ? "an" : "a";
}

/* No such item, weight or relation: an error that says what to do. */
static bool unknown(tz_reader *reader, tz_span name, tz_name_kind kind) {
    const char *text = tz_name_kind_text(kind);
    const tz_name *known = tz_names_find(reader, name, kind);
    int size = name.size < TZ_MAX_NAME ? (int)name.size : TZ_MAX_NAME;
    if (known != NULL) {
        const char *remedy = kind == TZ_NAME_ITEM     ? ": name an item"
                             : kind == TZ_NAME_WEIGHT ? ": name a weight"
                                                      : ": name a relation";
        if (known->kind == TZ_NAME_RELATION)
            remedy = ": relations stand in the condition, after `if`";
        if (known->kind == TZ_NAME_INPUT)
            remedy = ": inputs stand as indices of weights, as in `* emit[a,x[i]]`; a condition on "
                     "them is such a weight that scores 0 or -infinity";
        if (kind == TZ_NAME_ITEM && known->kind == TZ_NAME_WEIGHT)
            remedy = ": weights stand on the bar, after the rule's name, as in `* weight[...]`";
        if (kind == TZ_NAME_WEIGHT && known->kind == TZ_NAME_ITEM)
            remedy = ": items are premises and stand above the bar";
        return tz_bad(reader, name.at, "\"%.*s\" is %s %s, not %s %s, in %s (see line %u)%s", size,
                      name.at, article(known->kind), tz_name_kind_text(known->kind), article(kind),
                      text, reader->context, (unsigned)tz_line_of(reader, known->span.at), remedy);
    }
    known = tz_names_nearest(reader, name, kind);
    const char *tuples = kind == TZ_NAME_RELATION ? " (...)" : "";
    if (known == NULL)
        return tz_bad(reader, name.at,
                      "unknown %s \"%.*s\" in %s: declare it with `%s %.*s[...]%s`", text, size,
                      name.at, reader->context, text, size, name.at, tuples);
    return tz_bad(reader, name.at,
                  "unknown %s \"%.*s\" in %s: declare it with `%s %.*s[...]%s`, or did you mean "
                  "\"%.*s\"?",
                  text, size, name.at, reader->context, text, size, name.at, tuples,
                  (int)known->span.size, known->span.at);
}

static bool read_lookup(tz_reader *reader, tz_cursor *cursor, tz_scope *scope, const tz_name *input,
                        tz_view_index *ret);

/* The input that the cursor stands on, or NULL. */
static const tz_name *input_at(const tz_reader *reader, const tz_cursor *cursor) {
    const tz_name *known =
        cursor->kind == TZ_TOKEN_NAME ? tz_names_find(reader, cursor->span, TZ_NAME_INPUT) : NULL;
    return known != NULL && known->kind == TZ_NAME_INPUT ? known : NULL;
}

/* [expression, ...] or nothing; *ret_count may exceed what is kept. inputs: their numbers may stand
 * for expressions. */
static bool read_arguments(tz_reader *reader, tz_cursor *cursor, tz_scope *scope, bool inputs,
                           tz_view_index *argument, unsigned *ret_count) {
    *ret_count = 0;
    if (cursor->kind != TZ_TOKEN_OPEN)
        return true;
    tz_next_token(cursor);
    while (cursor->kind != TZ_TOKEN_CLOSE || *ret_count > 0) {
        const tz_name *input = inputs ? input_at(reader, cursor) : NULL;
        tz_view_index one;
        memset(&one, 0, sizeof one);
        if (input != NULL ? !read_lookup(reader, cursor, scope, input, &one)
                          : !tz_read_form(reader, cursor, scope, &one.at[0]))
            return false;
        if (input != NULL && cursor->kind != TZ_TOKEN_COMMA && cursor->kind != TZ_TOKEN_CLOSE)
            return tz_expected(reader, cursor, "\",\" or \"]\"",
                               "the number of an input stands alone as an index, as in "
                               "`emit[a,x[i]]`; its own index may be a sum, as in `x[i+1]`");
        if (*ret_count < TZ_MAX_RANK)
            argument[*ret_count] = one;
        (*ret_count)++;
        if (cursor->kind == TZ_TOKEN_CLOSE)
            break;
        if (cursor->kind != TZ_TOKEN_COMMA)
            return tz_expected(reader, cursor, "\",\" or \"]\"",
                               "separate indices by commas and close them, as in `[i,j]`");
        tz_next_token(cursor);
    }
    tz_next_token(cursor);
    return true;
}

static bool check_count(tz_reader *reader, tz_span name, const tz_name *known, unsigned count) {
    unsigned rank;
    declared_indices(reader, known, &rank);
    if (count == rank)
        return true;
    char declared[TZ_MAX_RANK * (TZ_MAX_NAME + 1) + TZ_MAX_NAME + 2];
    declared_form(reader, known, declared, sizeof declared);
    return tz_bad(reader, name.at,
                  "%s \"%.*s\" has %u %s in %s, but line %u declares it as `%s`: give it %u",
                  tz_name_kind_text(known->kind), (int)name.size, name.at, count,
                  count == 1 ? "index" : "indices", reader->context,
                  (unsigned)tz_line_of(reader, known->span.at), declared, rank);
}

/* INPUT[expression, ...], which the cursor stands on. */
static bool read_lookup(tz_reader *reader, tz_cursor *cursor, tz_scope *scope, const tz_name *input,
                        tz_view_index *ret) {
    tz_view_index argument[TZ_MAX_RANK];
    const tz_span name = cursor->span;
    unsigned count;
    tz_next_token(cursor);
    if (!read_arguments(reader, cursor, scope, false, argument, &count) ||
        !check_count(reader, name, input, count))
        return false;
    ret->looked_up = true;
    ret->input = input->which;
    for (unsigned q = 0; q < count; q++)
        ret->at[q] = argument[q].at[0];
    reader->input_used[input->which] = true;
    return true;
}

bool tz_read_term(tz_reader *reader, tz_cursor *cursor, tz_scope *scope, tz_name_kind kind,
                  tz_term *ret_term) {
    tz_span name = cursor->span;
    if (cursor->kind != TZ_TOKEN_NAME)
        return tz_expected(reader, cursor, kind == TZ_NAME_ITEM ? "an item" : "a weight",
                           kind == TZ_NAME_ITEM ? "write one, as in `span[i,j]`"
                                                : "write one, as in `* arc[h,m]`");
    const tz_name *known = tz_names_find(reader, name, kind);
    if (known == NULL || known->kind != kind)
        return unknown(reader, name, kind);
    *ret_term =
        (tz_term){.what = kind == TZ_NAME_ITEM ? TZ_INSIDE : TZ_WEIGHT, .which = known->which};
    tz_view_index argument[TZ_MAX_RANK];
    unsigned count;
    tz_next_token(cursor);
    if (tz_span_is(cursor->span, "("))
        return tz_expected(reader, cursor, "\"[\"", "write it");
    /* Behind a blank it begins a side condition. */
    declared_indices(reader, known, &count);
    if (count == 0 && cursor->kind == TZ_TOKEN_OPEN && cursor->span.at > name.at + name.size)
        return true;
    if (!read_arguments(reader, cursor, scope, kind == TZ_NAME_WEIGHT, argument, &count) ||
        !check_count(reader, name, known, count))
        return false;
    bool looked_up = false;
    for (unsigned q = 0; q < count; q++) {
        ret_term->index[q] = argument[q].at[0];
        looked_up |= argument[q].looked_up;
    }
    return !looked_up || tz_use_inputs(reader, name.at, known->which, argument, scope, ret_term);
}
