/* gbnf.c - grammars of llama.cpp: root ::= "a" [0-9]+ ("," root)?
 *
 * Words are single characters. Groups, repeated parts and classes become symbols that are made:
 * nodes of trees are those of the text's names. What is repeated from m to n times becomes m copies
 * and n - m that each may be the last; without an n, a symbol that contains itself.
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "grammar/gbnf.h"

enum { MOST_NESTED = 200, MOST_REPEATS = 1000 };

static tz_status read_choice(tz_gbnf *b, int32_t left, bool nested);

tz_status tz_gbnf_push(tz_gbnf *b, int32_t part) {
    if (!tz_grow((void **)&b->part, &b->room, b->parts + 1, sizeof *b->part))
        return tz_reader_no_memory(b->reader);
    b->part[b->parts++] = part;
    return TZ_OK;
}

/* A rule of the parts from `begin` on, if any. */
static tz_status add_parts(tz_gbnf *b, int32_t left, size_t begin) {
    const size_t size = b->parts - begin;
    return tz_gbnf_add(b, left, size > 0 ? b->part + begin : NULL, size);
}

/* A symbol for a part of the rule of this name. */
static tz_status make(tz_gbnf *b, int32_t *ret) {
    char name[32];
    snprintf(name, sizeof name, "~part%zu", b->named++);
    *ret = tz_grammar_make(b->reader->grammar, name);
    if (++b->made > TZ_GBNF_MOST)
        return tz_reader_fail(b->reader, b->reader->at, "repeats of repeats: too many parts");
    return *ret == TZ_NO_NUMBER ? tz_reader_no_memory(b->reader) : TZ_OK;
}

/* ---- Blanks and names ------------------------------------------------------------------------ */

static void next_line(tz_reader *r) {
    r->at++;
    r->line++;
    r->line_start = r->at;
}

/* Blanks and comments; and line ends, where a rule goes on behind them. */
static void skip(tz_reader *r, bool lines) {
    for (char c; r->at < r->size;) {
        c = r->text[r->at];
        if (c == '#')
            while (r->at < r->size && r->text[r->at] != '\n')
                r->at++;
        else if (c == ' ' || c == '\t' || c == '\r')
            r->at++;
        else if (c == '\n' && lines)
            next_line(r);
        else
            return;
    }
}

static bool is_of_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
}

static size_t name_size(const tz_reader *r) {
    size_t size = 0;
    while (is_of_name(tz_reader_peek(r, size)))
        size++;
    return size;
}

/* ---- Parts ----------------------------------------------------------------------------------- */

/* What stands before a repetition; pushed. */
static tz_status read_part(tz_gbnf *b, bool nested) {
    tz_reader *r = b->reader;
    const char c = tz_reader_peek(r, 0);
    const size_t at = r->at, size = name_size(r);
    int32_t symbol = TZ_NO_NUMBER;
    tz_status status = TZ_OK;
    if (c == '"')
        return tz_gbnf_literal(b);
    if (size > 0) {
        symbol = tz_reader_symbol(r, r->text + at, size, at);
        r->at += size;
        return symbol == TZ_NO_NUMBER ? tz_reader_no_memory(r) : tz_gbnf_push(b, symbol);
    }
    if (c != '[' && c != '(' && c != '.')
        return tz_reader_fail(r, at,
                              nested && r->at >= r->size ? "a group has no end: write )"
                              : c == '*' || c == '+' || c == '?' || c == '{'
                                  ? "nothing stands here to be repeated"
                                  : "here stands a literal, a [class], a name, a (group), or "
                                    "`.`; quote what is to be read as it stands");
    if (c == '.' && b->any != TZ_NO_NUMBER) {
        r->at++;
        return tz_gbnf_push(b, b->any);
    }
    status = make(b, &symbol);
    if (status != TZ_OK)
        return status;
    if (c == '.' || (c == '[' && tz_reader_peek(r, 1) == '^')) {
        status = tz_gbnf_other_class(b, symbol);
        b->any = c == '.' ? symbol : b->any;
    } else if (c == '[') {
        status = tz_gbnf_class(b, symbol);
    } else {
        r->at++;
        if (++b->depth > MOST_NESTED)
            return tz_reader_fail(r, at, "groups in more than %d groups", MOST_NESTED);
        status = read_choice(b, symbol, true);
        b->depth--;
        if (status == TZ_OK && tz_reader_peek(r, 0) != ')')
            return tz_reader_fail(r, at, "this group has no end: write ) behind it");
        r->at++;
    }
    return status == TZ_OK ? tz_gbnf_push(b, symbol) : status;
}

/* The bounds of {m}, {m,} and {m,n}; *ret_most is -1 where there is none. */
static tz_status read_bounds(tz_reader *r, int32_t *ret_least, int32_t *ret_most) {
    const size_t at = r->at++;
    int32_t bound[2] = {-1, -1};
    unsigned count = 0;
    bool comma = false;
    for (;; r->at++) {
        const char c = tz_reader_peek(r, 0);
        if (c >= '0' && c <= '9') {
            bound[count] = (bound[count] < 0 ? 0 : bound[count] * 10) + (c - '0');
            if (bound[count] > MOST_REPEATS)
                return tz_reader_fail(r, at,
                                      "repeated more than %d times: leave the upper bound "
                                      "out, or write a rule that contains itself",
                                      MOST_REPEATS);
        } else if (c == ',' && !comma) {
            comma = true;
            count = 1;
        } else if (c != ' ') {
            break;
        }
    }
    if (tz_reader_peek(r, 0) != '}' || bound[0] < 0 || (bound[1] >= 0 && bound[1] < bound[0]))
        return tz_reader_fail(r, at, "a repetition is {3}, {3,} or {3,5}");
    r->at++;
    *ret_least = bound[0];
    *ret_most = comma ? bound[1] : bound[0];
    return TZ_OK;
}

/* The parts from `begin` on, `least` to `most` times, in their place. */
static tz_status repeat(tz_gbnf *b, size_t begin, int32_t least, int32_t most) {
    int32_t symbol = TZ_NO_NUMBER;
    tz_status status = TZ_OK;
    if (b->parts - begin == 1)
        symbol = b->part[begin];
    else if ((status = make(b, &symbol)) == TZ_OK)
        status = add_parts(b, symbol, begin);
    b->parts = begin;
    for (int32_t i = 0; status == TZ_OK && i < least; i++)
        status = tz_gbnf_push(b, symbol);
    if (status != TZ_OK || most == least)
        return status;
    int32_t rest = TZ_NO_NUMBER; /* what may follow, from the last one on */
    for (int32_t i = most < 0 ? 1 : most - least; status == TZ_OK && i > 0; i--) {
        int32_t right[2] = {symbol, rest}, more;
        if ((status = make(b, &more)) != TZ_OK)
            break;
        if (most < 0)
            right[1] = more;
        status = tz_gbnf_add(b, more, right, right[1] == TZ_NO_NUMBER ? 1 : 2);
        if (status == TZ_OK)
            status = tz_gbnf_add(b, more, NULL, 0);
        rest = more;
    }
    return status == TZ_OK ? tz_gbnf_push(b, rest) : status;
}

static tz_status read_repeats(tz_gbnf *b, size_t begin) {
    tz_reader *r = b->reader;
    tz_status status = TZ_OK;
    while (status == TZ_OK) {
        const char c = tz_reader_peek(r, 0);
        int32_t least = c == '+', most = c == '?' ? 1 : -1;
        if (c == '{')
            status = read_bounds(r, &least, &most);
        else if (c == '*' || c == '+' || c == '?')
            r->at++;
        else
            return TZ_OK;
        if (status == TZ_OK)
            status = repeat(b, begin, least, most);
    }
    return status;
}

static bool ends_alternative(const tz_reader *r) {
    const char c = tz_reader_peek(r, 0);
    return r->at >= r->size || c == '\n' || c == '|' || c == ')';
}

/* Alternatives: each becomes a rule of `left`. */
static tz_status read_choice(tz_gbnf *b, int32_t left, bool nested) {
    tz_reader *r = b->reader;
    for (;;) {
        const size_t begin = b->parts;
        tz_status status = TZ_OK;
        skip(r, true);
        while (status == TZ_OK && !ends_alternative(r)) {
            const size_t from = b->parts;
            status = read_part(b, nested);
            if (status == TZ_OK)
                status = read_repeats(b, from);
            skip(r, nested);
        }
        if (status == TZ_OK)
            status = add_parts(b, left, begin);
        b->parts = begin;
        if (status != TZ_OK || tz_reader_peek(r, 0) != '|')
            return status;
        r->at++;
    }
}

static tz_status read_rule(tz_gbnf *b) {
    tz_reader *r = b->reader;
    const size_t at = r->at, size = name_size(r);
    if (size == 0)
        return tz_reader_fail(r, at, "a rule begins with its name: root ::= \"a\"");
    const int32_t left = tz_reader_symbol(r, r->text + at, size, at);
    if (left == TZ_NO_NUMBER)
        return tz_reader_no_memory(r);
    if (r->grammar->symbol[left].has_rules)
        return tz_reader_fail(r, at, "%s has a rule already: write both as one, with | between",
                              r->grammar->symbols.name[left]);
    r->at += size;
    skip(r, false);
    if (tz_reader_peek(r, 0) != ':' || tz_reader_peek(r, 1) != ':' || tz_reader_peek(r, 2) != '=')
        return tz_reader_fail(r, r->at, "::= stands behind %s", r->grammar->symbols.name[left]);
    r->at += 3;
    const tz_status status = read_choice(b, left, false);
    if (status == TZ_OK && tz_reader_peek(r, 0) == ')')
        return tz_reader_fail(r, r->at, "a bracket that nothing opened");
    return status;
}

tz_status tz_read_gbnf(tz_reader *r) {
    tz_gbnf b = {.reader = r, .any = TZ_NO_NUMBER};
    tz_status status = TZ_OK;
    if (r->size >= 3 && memcmp(r->text, "\xef\xbb\xbf", 3) == 0)
        r->at = r->line_start = 3;
    for (skip(r, true); status == TZ_OK && r->at < r->size; skip(r, true))
        status = read_rule(&b);
    if (status == TZ_OK)
        r->grammar->root = tz_name_table_find(&r->grammar->symbols, "root", 4);
    if (status == TZ_OK &&
        (r->grammar->root == TZ_NO_NUMBER || !r->grammar->symbol[r->grammar->root].has_rules))
        status = tz_reader_fail(r, r->at, "there is no rule `root`, which sentences start from");
    if (status == TZ_OK)
        status = tz_gbnf_fill_classes(&b);
    free(b.part);
    free(b.negation);
    return status;
}
