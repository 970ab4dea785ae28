/* names.c - who is called what, and who may have been meant. SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/read/read.h"

static const char *const keywords[] = {
    [TZ_STATEMENT_RULES] = "rules",       [TZ_STATEMENT_CITE] = "cite",
    [TZ_STATEMENT_COUNT] = "count",       [TZ_STATEMENT_AMBIGUOUS] = "ambiguous",
    [TZ_STATEMENT_LENGTH] = "length",     [TZ_STATEMENT_WEIGHT] = "weight",
    [TZ_STATEMENT_ITEM] = "item",         [TZ_STATEMENT_RESOURCE] = "resource",
    [TZ_STATEMENT_GOAL] = "goal",         [TZ_STATEMENT_STRUCTURES] = "structures",
    [TZ_STATEMENT_RELATION] = "relation", [TZ_STATEMENT_INPUT] = "input",
    [TZ_STATEMENT_NAMES] = "names",       [TZ_STATEMENT_CLOSURE] = "closure",
};

tz_statement_kind tz_keyword(tz_span span) {
    unsigned k = 0;
    while (k < TZ_STATEMENT_RULE && !tz_span_is(span, keywords[k]))
        k++;
    return (tz_statement_kind)k;
}

bool tz_reserved(tz_span span) {
    return tz_keyword(span) != TZ_STATEMENT_RULE || tz_span_is(span, "axiom") ||
           tz_span_is(span, "if") || tz_span_is(span, "sparse");
}

/* ---- Nearness -------------------------------------------------------------------------------- */

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Edits (insert, delete, replace, swap neighbours) that turn a into b; case counts for nothing. */
static unsigned distance(tz_span a, tz_span b) {
    unsigned row[3][TZ_MAX_NAME + 1];
    for (unsigned j = 0; j <= b.size; j++)
        row[0][j] = j;
    for (unsigned i = 1; i <= a.size; i++) {
        unsigned *now = row[i % 3], *above = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (unsigned j = 1; j <= b.size; j++) {
            char x = lower(a.at[i - 1]), y = lower(b.at[j - 1]);
            unsigned least = above[j - 1] + (x != y);
            if (above[j] + 1 < least)
                least = above[j] + 1;
            if (now[j - 1] + 1 < least)
                least = now[j - 1] + 1;
            if (i > 1 && j > 1 && x == lower(b.at[j - 2]) && lower(a.at[i - 2]) == y &&
                before[j - 2] + 1 < least)
                least = before[j - 2] + 1;
            now[j] = least;
        }
    }
    return row[a.size % 3][b.size];
}

/* Is b at most *most edits from a, and few for its length? Then *most is made smaller. */
static bool nearer(tz_span a, tz_span b, unsigned *most) {
    if (a.size > TZ_MAX_NAME || b.size > TZ_MAX_NAME)
        return false;
    unsigned edits = distance(a, b);
    size_t size = a.size > b.size ? a.size : b.size;
    if (edits > *most || 2 * edits > size)
        return false;
    *most = edits > 0 ? edits - 1 : 0;
    return true;
}

const char *tz_nearest_keyword(tz_span span) {
    const char *nearest = NULL;
    unsigned most = 2;
    for (unsigned k = 0; k < TZ_STATEMENT_RULE; k++) {
        tz_span keyword = {keywords[k], strlen(keywords[k])};
        if (nearer(span, keyword, &most))
            nearest = keywords[k];
    }
    return nearest;
}

const tz_name *tz_names_nearest(const tz_reader *reader, tz_span span, unsigned kinds) {
    const tz_name *nearest = NULL;
    unsigned most = 2;
    for (size_t s = 0; s < reader->names; s++)
        if ((reader->name[s].kind & kinds) != 0 && nearer(span, reader->name[s].span, &most))
            nearest = &reader->name[s];
    return nearest;
}

/* ---- The table ------------------------------------------------------------------------------- */

const char *tz_name_kind_text(tz_name_kind kind) {
    switch (kind) {
    case TZ_NAME_LENGTH:
        return "length";
    case TZ_NAME_WEIGHT:
        return "weight";
    case TZ_NAME_ITEM:
        return "item";
    case TZ_NAME_RESOURCE:
        return "resource";
    case TZ_NAME_RELATION:
        return "relation";
    case TZ_NAME_INPUT:
        return "input";
    case TZ_NAME_RULE:
        break;
    }
    return "rule";
}

bool tz_names_new(tz_reader *reader, size_t most) {
    reader->name = tz_arena_array(reader->scratch, most, sizeof reader->name[0]);
    return reader->name != NULL || tz_no_memory(reader);
}

typedef struct wanted {
    const tz_name *name;
    tz_span span;
    bool rule;
} wanted;

static bool same_name(const void *what, int32_t number) {
    const wanted *w = what;
    const tz_name *name = &w->name[number];
    return (name->kind == TZ_NAME_RULE) == w->rule && name->span.size == w->span.size &&
           memcmp(name->span.at, w->span.at, w->span.size) == 0;
}

const tz_name *tz_names_find(const tz_reader *reader, tz_span span, tz_name_kind kind) {
    const wanted wanted = {reader->name, span, kind == TZ_NAME_RULE};
    const int32_t number =
        tz_table_find(&reader->numbers, tz_hash_bytes(span.at, span.size), same_name, &wanted);
    return number == TZ_NO_NUMBER ? NULL : &reader->name[number];
}

bool tz_check_name(tz_reader *reader, tz_span span, const char *what, bool any_word) {
    if (span.size > TZ_MAX_NAME)
        return tz_bad(reader, span.at, "the name of this %s has more than %d letters: shorten it",
                      what, TZ_MAX_NAME);
    if (!any_word && tz_reserved(span))
        return tz_bad(reader, span.at,
                      "\"%.*s\" is a word of the notation: give the %s another name",
                      (int)span.size, span.at, what);
    return true;
}

bool tz_names_add(tz_reader *reader, tz_span span, tz_name_kind kind, uint16_t which) {
    const char *text = tz_name_kind_text(kind);
    if (!tz_check_name(reader, span, text, kind == TZ_NAME_RULE))
        return false;
    const tz_name *known = tz_names_find(reader, span, kind);
    if (known != NULL)
        return tz_bad(reader, span.at,
                      "%s \"%.*s\": this name is taken by the %s in line %u: rename one of them",
                      text, (int)span.size, span.at, tz_name_kind_text(known->kind),
                      (unsigned)tz_line_of(reader, known->span.at));
    if (!tz_table_put(&reader->numbers, tz_hash_bytes(span.at, span.size), (int32_t)reader->names))
        return tz_no_memory(reader);
    reader->name[reader->names++] = (tz_name){span, kind, which};
    return true;
}
