/* term.c - an item, a weight or a relation with its indices. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "rules/read/read.h"

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

/* What to do about a word of the notation where a name is asked for. */
static const char *remedy_of(tz_span word) {
    return tz_span_is(word, "if") ? "conditions stand on the bar, after the rule's name and "
                                    "weights, as in `--- t if i < j`"
           : tz_span_is(word, "axiom")
               ? "it stands alone above the bar, where a rule has no premises; items stand below"
               : "name one that is declared";
}

/* The input that may be meant where there is no other. */
static const tz_name *only_input(const tz_reader *reader) {
    size_t s = 0;
    while (reader->rules->inputs == 1 && s < reader->names && reader->name[s].kind != TZ_NAME_INPUT)
        s++;
    return reader->rules->inputs == 1 && s < reader->names ? &reader->name[s] : NULL;
}

/* No such item, weight, input or relation: an error that says what to do. */
static bool unknown(tz_reader *reader, tz_span name, tz_name_kind kind) {
    const char *text = tz_name_kind_text(kind);
    const tz_name *known = tz_names_find(reader, name, kind);
    int size = name.size < TZ_MAX_NAME ? (int)name.size : TZ_MAX_NAME;
    if (known != NULL) {
        const char *remedy = kind == TZ_NAME_ITEM     ? ": name an item"
                             : kind == TZ_NAME_WEIGHT ? ": name a weight"
                             : kind == TZ_NAME_INPUT  ? ": name an input"
                                                      : ": name a relation";
        if (known->kind == TZ_NAME_RELATION && kind != TZ_NAME_INPUT)
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
    if (tz_reserved(name))
        return tz_bad(reader, name.at, "\"%.*s\" is a word of the notation, not %s %s, in %s: %s",
                      size, name.at, article(kind), text, reader->context, remedy_of(name));
    known = tz_names_nearest(reader, name, kind);
    if (known == NULL && kind == TZ_NAME_INPUT)
        known = only_input(reader);
    const char *tuples = kind == TZ_NAME_RELATION ? " (...)"
                         : kind == TZ_NAME_INPUT  ? " < ..."
                                                  : "";
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
        if (inputs && input == NULL && tz_is_listed(cursor))
            return unknown(reader, cursor->span, TZ_NAME_INPUT);
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
