/* records.c - see records.h. SPDX-License-Identifier: MIT */
#include "sentences/align/texts/records.h"

#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "sentences/align/texts/columns.h"

static const char blanks[] = " \t\r\n\v\f";

void tz_records_free(tz_records *records) {
    tz_text_free(&records->object);
    *records = (tz_records){0};
}

tz_status tz_records_locate(const tz_records *records, tz_status status, tz_error *error) {
    if (status != TZ_BAD_ARGUMENT)
        return status;
    tz_error here = *error;
    return tz_bad_input(error, tz_lines_name(records->lines), records->line, "%s", here.message);
}

static tz_status parse(tz_records *r, tz_arena *arena, const char *text, size_t size,
                       const json_t **ret_object, tz_error *error) {
    tz_status status = tz_json_parse(arena, text, size, ret_object, error);
    if (status == TZ_OK && !json_is_object(*ret_object)) {
        status = tz_fail(error, TZ_BAD_ARGUMENT, "expected an object {...}, not %s",
                         tz_json_kind(*ret_object));
    }
    return tz_records_locate(r, status, error);
}

static tz_status next_line(tz_records *r, const char **ret_line, size_t *ret_size,
                           tz_error *error) {
    char *line;
    tz_status status = tz_lines_next(r->lines, &line, ret_size, error);
    *ret_line = line;
    r->line = tz_lines_number(r->lines);
    return status;
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

/* The next line, where the one at hand has nothing more. TZ_NONE at the end of the file. */
static tz_status more(tz_records *r, tz_error *error) {
    tz_status status = TZ_OK;
    while (status == TZ_OK && (!r->rest || r->rest[strspn(r->rest, blanks)] == '\0')) {
        size_t size;
        r->rest = NULL;
        status = next_line(r, &r->rest, &size, error);
    }
    if (status == TZ_OK)
        r->rest += strspn(r->rest, blanks);
    return status;
}

static tz_status unclosed(tz_records *r, tz_error *error) {
    r->closed = true;
    return tz_bad_input(error, tz_lines_name(r->lines), tz_lines_number(r->lines),
                        "the list of objects is not closed: there is no ]");
}

/* Behind the brace that brings the depth back to 0, or at the end of the line. */
static const char *scan(const char *at, size_t *depth, bool *quoted) {
    for (; *at; at++) {
        if (*quoted) {
            *quoted = *at != '"';
            at += *at == '\\' && at[1] != '\0';
        } else if (*at == '"') {
            *quoted = true;
        } else if (*at == '{') {
            ++*depth;
        } else if (*at == '}' && --*depth == 0) {
            return at + 1;
        }
    }
    return at;
}

/* From r->rest, a brace, to the one that closes it. */
static tz_status collect(tz_records *r, tz_error *error) {
    size_t depth = 0;
    bool quoted = false;
    tz_text_clear(&r->object);
    for (;;) {
        const char *first = r->rest;
        r->rest = scan(first, &depth, &quoted);
        tz_text_add(&r->object, first, (size_t)(r->rest - first));
        tz_text_put(&r->object, "\n");
        if (depth == 0)
            return r->object.failed ? tz_fail(error, TZ_NO_MEMORY, "out of memory") : TZ_OK;
        size_t size;
        char *line;
        tz_status status = tz_lines_next(r->lines, &line, &size, error);
        r->rest = status == TZ_OK ? line : NULL;
        if (status != TZ_OK)
            return status == TZ_NONE ? unclosed(r, error) : status;
    }
}

/* What stands at a place where it must not. */
static tz_status misplaced(tz_records *r, const char *expected, tz_error *error) {
    r->rest = NULL;
    r->closed = true;
    return tz_bad_input(error, tz_lines_name(r->lines), tz_lines_number(r->lines),
                        "expected %s of the list of objects", expected);
}

static tz_status next_of_array(tz_records *r, tz_arena *arena, const json_t **ret_object,
                               tz_error *error) {
    tz_status status = r->closed ? TZ_NONE : more(r, error);
    if (status == TZ_OK && *r->rest == ']') {
        r->rest++;
        r->closed = true;
        status = more(r, error);
        return status == TZ_OK ? misplaced(r, "nothing behind the end", error) : status;
    }
    if (status == TZ_OK && r->some) {
        if (*r->rest != ',')
            return misplaced(r, "a comma or the end", error);
        r->rest++;
        status = more(r, error);
    }
    if (status == TZ_NONE && !r->closed)
        return unclosed(r, error);
    if (status != TZ_OK)
        return status;
    if (*r->rest != '{')
        return misplaced(r, "the next object, {...},", error);
    r->some = true;
    size_t line = tz_lines_number(r->lines);
    status = collect(r, error);
    r->line = line;
    return status == TZ_OK ? parse(r, arena, r->object.data, r->object.size, ret_object, error)
                           : status;
}

/* ---- Columns --------------------------------------------------------------------------------- */

/* The links of a sentence, as {"id": 7, "links": "0-0 1p2"}; of none, for a number that is left out
 * between two. */
static tz_status next_of_columns(tz_records *r, tz_arena *arena, const json_t **ret_object,
                                 tz_error *error) {
    tz_column_link link;
    const char *line;
    size_t size;
    tz_status status;
    uint32_t sentence = 0;
    bool begun = false;
    char head[40];
    tz_text_clear(&r->object);
    while ((status = next_line(r, &line, &size, error)) == TZ_OK) {
        if (line[strspn(line, blanks)] == '\0')
            continue;
        if (!tz_column_link_read(line, &link))
            return tz_bad_input(error, tz_lines_name(r->lines), r->line,
                                "expected SENTENCE WORD WORD, numbers from 1, and perhaps S or P, "
                                "as in the lines before");
        if (!begun) {
            begun = true;
            sentence = r->some ? r->sentence : link.sentence;
            snprintf(head, sizeof head, "{\"id\":%lu,\"links\":\"", (unsigned long)sentence);
            tz_text_put(&r->object, head);
        }
        if (link.sentence < sentence)
            return tz_bad_input(error, tz_lines_name(r->lines), r->line,
                                "sentence %lu comes after sentence %lu: sort the lines",
                                (unsigned long)link.sentence, (unsigned long)sentence);
        if (link.sentence > sentence) {
            tz_lines_back(r->lines);
            break;
        }
        tz_column_link_put(&link, &r->object);
    }
    if (status != TZ_OK && (status != TZ_NONE || !begun))
        return status;
    tz_text_put(&r->object, "\"}");
    r->some = true;
    r->sentence = sentence + 1;
    if (r->object.failed)
        return tz_fail(error, TZ_NO_MEMORY, "out of memory");
    return parse(r, arena, r->object.data, r->object.size, ret_object, error);
}

/* ---------------------------------------------------------------------------------------------- */

/* Reads up to the first line that is not blank. */
static tz_status begin(tz_records *r, tz_error *error) {
    const char *line;
    size_t size;
    tz_status status;
    while ((status = next_line(r, &line, &size, error)) == TZ_OK) {
        line += strspn(line, blanks);
        if (*line != '\0') {
            tz_column_link link;
            r->kind = *line == '{'                       ? TZ_RECORDS_JSON_LINES
                      : *line == '['                     ? TZ_RECORDS_JSON_ARRAY
                      : tz_column_link_read(line, &link) ? TZ_RECORDS_COLUMNS
                                                         : TZ_RECORDS_LINES;
            if (r->kind == TZ_RECORDS_JSON_ARRAY)
                r->rest = line + 1;
            else
                tz_lines_back(r->lines);
            return TZ_OK;
        }
        r->blank++;
    }
    if (status == TZ_NONE)
        r->kind = TZ_RECORDS_LINES;
    return status == TZ_NONE ? TZ_OK : status;
}

tz_status tz_records_next(tz_records *r, tz_arena *arena, const json_t **ret_object,
                          const char **ret_line, tz_error *error) {
    const char *line;
    size_t size;
    tz_status status = r->kind == TZ_RECORDS_UNKNOWN ? begin(r, error) : TZ_OK;
    *ret_object = NULL;
    *ret_line = NULL;
    if (status != TZ_OK)
        return status;
    if (r->kind == TZ_RECORDS_JSON_ARRAY)
        return next_of_array(r, arena, ret_object, error);
    if (r->kind == TZ_RECORDS_COLUMNS)
        return next_of_columns(r, arena, ret_object, error);
    if (r->kind == TZ_RECORDS_LINES && r->blank > 0) {
        r->blank--;
        r->line = tz_lines_number(r->lines) - r->blank;
        *ret_line = "";
        return TZ_OK;
    }
    do {
        status = next_line(r, &line, &size, error);
    } while (status == TZ_OK && r->kind == TZ_RECORDS_JSON_LINES &&
             line[strspn(line, blanks)] == '\0');
    if (status != TZ_OK)
        return status;
    if (r->kind == TZ_RECORDS_JSON_LINES)
        return parse(r, arena, line, size, ret_object, error);
    *ret_line = tz_arena_text(arena, line, size);
    return *ret_line ? TZ_OK : tz_fail(error, TZ_NO_MEMORY, "out of memory");
}
