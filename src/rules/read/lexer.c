/* lexer.c - lines, tokens, and messages that say where. SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "rules/message.h"
#include "rules/read/read.h"

/* ---- Messages -------------------------------------------------------------------------------- */

static uint32_t line_and_column(const tz_reader *reader, const char *at, uint32_t *ret_column) {
    uint32_t line = 1;
    const char *begin = reader->text, *newline;
    while ((newline = memchr(begin, '\n', (size_t)(at - begin))) != NULL) {
        line++;
        begin = newline + 1;
    }
    *ret_column = 1;
    for (const char *p = begin; p < at; p++)
        *ret_column += !tz_utf8_continues(*p);
    return line;
}

uint32_t tz_line_of(const tz_reader *reader, const char *at) {
    uint32_t column;
    return line_and_column(reader, at, &column);
}

uint32_t tz_column_of(const tz_reader *reader, const char *at) {
    uint32_t column = 1;
    while (at > reader->text && at[-1] != '\n')
        column += !tz_utf8_continues(*--at);
    return column;
}

bool tz_bad(tz_reader *reader, const char *at, const char *format, ...) {
    reader->status = TZ_BAD_RULES;
    if (reader->opt_error != NULL) {
        uint32_t column, line = line_and_column(reader, at, &column);
        va_list arguments;
        va_start(arguments, format);
        tz_bad_rules_list(reader->opt_error, reader->file, line, column, format, arguments);
        va_end(arguments);
    }
    return false;
}

bool tz_no_memory(tz_reader *reader) {
    reader->status = TZ_NO_MEMORY;
    return false;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Bytes of the code point at `at`, or 0 where it is not UTF-8. */
static size_t code_point(const char *at, const char *end) {
    uint32_t code;
    return tz_utf8_decode(at, (size_t)(end - at), &code);
}

static bool check_text(tz_reader *reader, const char *begin, const char *end) {
    for (const char *p = begin; p < end;) {
        unsigned char byte = (unsigned char)*p;
        if (byte == '\0')
            return tz_bad(reader, p, "zero byte: this is not a text file; save it as UTF-8");
        if ((byte < 0x20 && byte != '\t') || byte == 0x7f)
            return tz_bad(reader, p, "control character 0x%02x: remove it%s", byte,
                          byte == '\r' ? ", lines end with LF or CR LF" : "");
        size_t size = code_point(p, end);
        if (size == 0)
            return tz_bad(reader, p, "byte 0x%02x is not UTF-8: save the file as UTF-8", byte);
        p += size;
    }
    return true;
}

static tz_span trimmed(const char *begin, const char *end) {
    while (begin < end && tz_is_blank(*begin))
        begin++;
    while (end > begin && tz_is_blank(end[-1]))
        end--;
    return (tz_span){begin, (size_t)(end - begin)};
}

bool tz_next_line(tz_reader *reader, const char **next, tz_line *ret_line) {
    const char *begin = *next;
    size_t left = (size_t)(reader->end - begin), most = TZ_MAX_LINE + 2;
    const char *end = memchr(begin, '\n', left < most ? left : most);
    if (end == NULL && left <= most)
        end = reader->end;
    *next = end == NULL ? NULL : end + (end < reader->end);
    if (end != NULL && end > begin && end < reader->end && end[-1] == '\r')
        end--;
    if (end == NULL || end - begin > TZ_MAX_LINE)
        return tz_bad(reader, begin, "this line has more than %d bytes: break it up", TZ_MAX_LINE);
    if (!check_text(reader, begin, end))
        return false;
    const char *hash = memchr(begin, '#', (size_t)(end - begin));
    ret_line->commented = hash != NULL;
    ret_line->content = trimmed(begin, hash != NULL ? hash : end);
    ret_line->comment = hash != NULL ? trimmed(hash + 1, end) : (tz_span){end, 0};
    return true;
}

/* ---- Tokens ---------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    tz_token_kind kind;
    const char *instead; /* the notation's spelling of what is a mistake here */
} symbols[] = {
    /* Longer ones before their beginnings. */
    {"<=", TZ_TOKEN_AT_MOST, NULL},     {">=", TZ_TOKEN_AT_LEAST, NULL},
    {"!=", TZ_TOKEN_UNEQUAL, NULL},     {"==", TZ_TOKEN_STRANGE, "="},
    {"=<", TZ_TOKEN_STRANGE, "<="},     {"=>", TZ_TOKEN_STRANGE, ">="},
    {"<>", TZ_TOKEN_STRANGE, "!="},     {"&&", TZ_TOKEN_STRANGE, ","},
    {"\u2264", TZ_TOKEN_STRANGE, "<="}, {"\u2265", TZ_TOKEN_STRANGE, ">="},
    {"\u2260", TZ_TOKEN_STRANGE, "!="}, {"\u2212", TZ_TOKEN_STRANGE, "-"},
    {"[", TZ_TOKEN_OPEN, NULL},         {"]", TZ_TOKEN_CLOSE, NULL},
    {"\u00d7", TZ_TOKEN_STAR, NULL},    {",", TZ_TOKEN_COMMA, NULL},
    {"+", TZ_TOKEN_PLUS, NULL},         {"-", TZ_TOKEN_MINUS, NULL},
    {"*", TZ_TOKEN_STAR, NULL},         {"<", TZ_TOKEN_LESS, NULL},
    {"=", TZ_TOKEN_EQUAL, NULL},        {">", TZ_TOKEN_MORE, NULL},
    {"(", TZ_TOKEN_STRANGE, "["},       {")", TZ_TOKEN_STRANGE, "]"},
};

bool tz_span_is(tz_span span, const char *text) {
    return span.size == strlen(text) && memcmp(span.at, text, span.size) == 0;
}

static void scan_token(tz_cursor *cursor, const char *at) {
    const char *end = cursor->end, *p = at;
    if (at == end) {
        cursor->kind = TZ_TOKEN_END;
    } else if (tz_is_letter(*at)) {
        while (p < end && (tz_is_letter(*p) || tz_is_digit(*p)))
            p++;
        cursor->kind = TZ_TOKEN_NAME;
    } else if (tz_is_digit(*at)) {
        while (p < end && tz_is_digit(*p))
            p++;
        cursor->kind = TZ_TOKEN_INTEGER;
    } else {
        cursor->kind = TZ_TOKEN_STRANGE;
        p += code_point(at, end);
        for (size_t s = 0; s < sizeof symbols / sizeof symbols[0]; s++) {
            size_t size = strlen(symbols[s].text);
            if ((size_t)(end - at) >= size && memcmp(at, symbols[s].text, size) == 0) {
                cursor->kind = symbols[s].kind;
                p = at + size;
                break;
            }
        }
    }
    cursor->span = (tz_span){at, (size_t)(p - at)};
}

void tz_next_token(tz_cursor *cursor) {
    const char *at = cursor->span.at + cursor->span.size;
    while (at < cursor->end && tz_is_blank(*at))
        at++;
    scan_token(cursor, at);
}

tz_cursor tz_tokens(tz_span span) {
    tz_cursor cursor = {.span = {span.at, 0}, .end = span.at + span.size};
    tz_next_token(&cursor);
    return cursor;
}

bool tz_dashed_name(tz_cursor *cursor, tz_span *ret_name) {
    if (cursor->kind != TZ_TOKEN_NAME)
        return false;
    const char *end = cursor->span.at + cursor->span.size;
    while (end < cursor->end && (tz_is_letter(*end) || tz_is_digit(*end) || *end == '-'))
        end++;
    cursor->span.size = (size_t)(end - cursor->span.at);
    *ret_name = cursor->span;
    tz_next_token(cursor);
    return true;
}

bool tz_keep(tz_reader *reader, tz_span span, const char **ret_text) {
    *ret_text = tz_arena_text(reader->arena, span.at, span.size);
    return *ret_text != NULL || tz_no_memory(reader);
}

void tz_set_context(tz_reader *reader, const char *what, tz_span name) {
    int size = name.size < TZ_MAX_NAME ? (int)name.size : TZ_MAX_NAME;
    if (size == 0)
        snprintf(reader->context, sizeof reader->context, "%s", what);
    else
        snprintf(reader->context, sizeof reader->context, "%s \"%.*s\"", what, size, name.at);
}

size_t tz_bar_dashes(tz_span line, size_t *ret_size) {
    static const char drawn[] = "\u2500"; /* as `rules show` has it */
    size_t dashes = 0, size = 0;
    for (;; dashes++)
        if (size < line.size && line.at[size] == '-')
            size++;
        else if (line.size - size >= sizeof drawn - 1 &&
                 memcmp(line.at + size, drawn, sizeof drawn - 1) == 0)
            size += sizeof drawn - 1;
        else
            break;
    *ret_size = size;
    return dashes;
}

bool tz_bar_name(tz_reader *reader, tz_span bar, tz_cursor *ret_cursor, tz_span *ret_name) {
    size_t size;
    tz_bar_dashes(bar, &size);
    *ret_cursor = tz_tokens((tz_span){bar.at + size, bar.size - size});
    /* `if` begins a condition, but `if-outer` is a name. */
    tz_span first = ret_cursor->span;
    bool condition = tz_span_is(first, "if") &&
                     (first.at + first.size == bar.at + bar.size || first.at[first.size] != '-');
    bool named = !condition && tz_dashed_name(ret_cursor, ret_name);
    tz_set_context(reader, named ? "rule" : "a rule", named ? *ret_name : (tz_span){0});
    return named;
}

bool tz_at_end(tz_reader *reader, const tz_cursor *cursor) {
    return cursor->kind == TZ_TOKEN_END ||
           tz_expected(reader, cursor, "the end of the line", "remove what is too much");
}

bool tz_expected(tz_reader *reader, const tz_cursor *cursor, const char *what, const char *remedy) {
    const char *at = cursor->span.at;
    if (cursor->kind == TZ_TOKEN_END)
        return tz_bad(reader, at, "expected %s but found the end of the line in %s: %s", what,
                      reader->context, remedy);
    int size = cursor->span.size < TZ_MAX_NAME ? (int)cursor->span.size : TZ_MAX_NAME;
    if (cursor->kind == TZ_TOKEN_STRANGE)
        for (size_t s = 0; s < sizeof symbols / sizeof symbols[0]; s++)
            if (symbols[s].instead != NULL && tz_span_is(cursor->span, symbols[s].text))
                return tz_bad(reader, at, "found \"%.*s\" in %s: write \"%s\"", size, at,
                              reader->context, symbols[s].instead);
    if ((unsigned char)*at >= 0x80)
        remedy = "names have letters a to z, digits and _";
    return tz_bad(reader, at, "expected %s but found \"%.*s\" in %s: %s", what, size, at,
                  reader->context, remedy);
}
