/* input.c - `input` and `names` lines: numbers that a problem gives, and what they are called.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/read/read.h"

enum { MAX_LABELS = 1024 /* of one length */ };

/* The cursor stands behind "<": a length or an integer. */
static bool read_bound(tz_reader *reader, tz_cursor *cursor, tz_form *ret) {
    tz_cursor one = *cursor;
    tz_scope none = {.open = false};
    if (cursor->kind != TZ_TOKEN_NAME && cursor->kind != TZ_TOKEN_INTEGER)
        return tz_expected(reader, cursor, "a length or an integer",
                           "write what its numbers stay below, as in `x[i] < V`");
    one.end = cursor->span.at + cursor->span.size; /* what follows is the domain */
    if (!tz_read_form(reader, &one, &none, ret))
        return false;
    tz_next_token(cursor);
    if (cursor->kind != TZ_TOKEN_PLUS && cursor->kind != TZ_TOKEN_MINUS)
        return true;
    tz_cursor next = *cursor; /* a domain may begin with a sign, as in -1 <= i */
    while (next.kind == TZ_TOKEN_PLUS || next.kind == TZ_TOKEN_MINUS) {
        tz_next_token(&next);
        tz_next_token(&next);
    }
    return tz_is_relation(next.kind) ||
           tz_bad(reader, cursor->span.at,
                  "a sum as the bound of %s: its numbers stay below a length or an integer; with "
                  "`<=` it is included",
                  reader->context);
}

bool tz_read_input(tz_reader *reader, tz_cursor *cursor, const tz_statement *statement) {
    uint16_t which = reader->rules->inputs;
    tz_rules_input *input = &reader->input[which];
    tz_scope scope;
    input->line = statement->line;
    if (!tz_read_declared(reader, cursor, TZ_NAME_INPUT, which, &reader->input_location[which],
                          &scope, &input->name, input->index_name))
        return false;
    input->rank = (uint8_t)scope.count;
    reader->rules->inputs++;
    bool most = cursor->kind == TZ_TOKEN_AT_MOST;
    if (!most && cursor->kind != TZ_TOKEN_LESS)
        return tz_expected(reader, cursor, "\"<\" and what its numbers stay below",
                           "write it, as in `input x[i] < V  1 <= i <= n`");
    tz_next_token(cursor);
    if (!read_bound(reader, cursor, &input->bound))
        return false;
    input->bound.constant += most;
    return tz_read_optional_domain(reader, cursor, &scope, &input->domain, &input->domain_text,
                                   NULL) &&
           tz_keep(reader, statement->comment, &input->comment);
}

/* The next word of a line, up to a blank; false where there is none. */
static bool next_word(tz_span *line, tz_span *ret_word) {
    while (line->size > 0 && tz_is_blank(*line->at)) {
        line->at++;
        line->size--;
    }
    *ret_word = (tz_span){line->at, 0};
    while (ret_word->size < line->size && !tz_is_blank(line->at[ret_word->size]))
        ret_word->size++;
    line->at += ret_word->size;
    line->size -= ret_word->size;
    return ret_word->size > 0;
}

bool tz_read_names(tz_reader *reader, tz_cursor *cursor, const tz_statement *statement) {
    tz_rules *rules = reader->rules;
    tz_rules_labels *labels = &reader->labels[rules->labelled];
    tz_span line = statement->body, word;
    tz_set_context(reader, "a `names` line", (tz_span){0});
    if (cursor->kind != TZ_TOKEN_NAME)
        return tz_expected(reader, cursor, "the name of a length",
                           "write it and what its values are called, as in `names T  B I O`");
    next_word(&line, &word);
    const tz_name *known = tz_names_find(reader, word, TZ_NAME_LENGTH);
    if (known == NULL || known->kind != TZ_NAME_LENGTH)
        return tz_bad(reader, word.at,
                      "\"%.*s\" is no length: name the values of a length, as in `names T  B I O`",
                      (int)(word.size < TZ_MAX_NAME ? word.size : TZ_MAX_NAME), word.at);
    for (unsigned i = 0; i < rules->labelled; i++)
        if (reader->labels[i].length == known->which)
            return tz_bad(reader, word.at,
                          "second `names` line for %.*s: put all names into one of them",
                          (int)word.size, word.at);
    tz_set_context(reader, "the names of length", word);
    const char **name = tz_arena_array(reader->arena, MAX_LABELS, sizeof *name);
    if (name == NULL)
        return tz_no_memory(reader);
    const char *at = word.at;
    while (next_word(&line, &word)) {
        if (labels->names == MAX_LABELS)
            return tz_bad(reader, word.at, "more than %d names: give problems numbers", MAX_LABELS);
        if (word.size > TZ_MAX_NAME)
            return tz_bad(reader, word.at, "a name has more than %d bytes: shorten it",
                          TZ_MAX_NAME);
        if (!tz_keep(reader, word, &name[labels->names]))
            return false;
        for (unsigned i = 0; i < labels->names; i++)
            if (strcmp(name[i], name[labels->names]) == 0)
                return tz_bad(reader, word.at, "the name \"%s\" stands twice: remove one", name[i]);
        labels->names++;
    }
    if (labels->names == 0)
        return tz_bad(reader, at, "no names behind the length: list them, as in `names T  B I O`");
    labels->name = name;
    labels->length = known->which;
    labels->line = statement->line;
    rules->labelled++;
    return tz_keep(reader, statement->comment, &labels->comment);
}
