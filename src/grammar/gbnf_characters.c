/* gbnf_characters.c - literals and classes of GBNF. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/utf8.h"
#include "grammar/gbnf.h"

enum { ASCII_FIRST = ' ', ASCII_END = 127 };

tz_status tz_gbnf_add(tz_gbnf *b, int32_t left, const int32_t *right, size_t size) {
    if ((b->made += size) > TZ_GBNF_MOST)
        return tz_reader_fail(b->reader, b->reader->at, "repeats of repeats: too many parts");
    return tz_reader_rule(b->reader, left, right, size, 1, b->reader->at);
}

/* ---- Characters ------------------------------------------------------------------------------ */

/* So many hexadecimal digits. */
static tz_status read_hex(tz_reader *r, unsigned digits, uint32_t *ret) {
    const size_t at = r->at;
    for (*ret = 0; digits > 0; digits--, r->at++) {
        const char c = tz_reader_peek(r, 0);
        const int digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            return tz_reader_fail(r, at, "\\x has 2 hexadecimal digits, \\u 4, \\U 8");
        *ret = *ret << 4 | (uint32_t)digit;
    }
    if (*ret == 0 || *ret > 0x10ffff || (*ret >= 0xd800 && *ret < 0xe000))
        return tz_reader_fail(r, at, "there is no character of this number");
    return TZ_OK;
}

/* The next character, which may be escaped. */
static tz_status read_character(tz_reader *r, uint32_t *ret) {
    static const char escape[] = "nrt\\\"[]-^";
    static const char meaning[] = "\n\r\t\\\"[]-^";
    if (tz_reader_peek(r, 0) != '\\') {
        r->at += tz_utf8_decode(r->text + r->at, r->size - r->at, ret);
        return TZ_OK;
    }
    const char c = tz_reader_peek(r, 1);
    const char *known = c != '\0' ? strchr(escape, c) : NULL;
    if (known == NULL && c != 'x' && c != 'u' && c != 'U')
        return tz_reader_fail(r, r->at,
                              "an escape is one of \\n \\r \\t \\\\ \\\" \\[ \\] \\- \\^ "
                              "\\xHH \\uHHHH \\UHHHHHHHH");
    r->at += 2;
    if (known == NULL)
        return read_hex(r, c == 'x' ? 2 : c == 'u' ? 4 : 8, ret);
    *ret = (unsigned char)meaning[known - escape];
    return TZ_OK;
}

static tz_status word_of(tz_reader *r, uint32_t code, int32_t *ret) {
    char bytes[4];
    *ret = tz_reader_word(r, bytes, tz_utf8_encode(code, bytes));
    return *ret == TZ_NO_NUMBER ? tz_reader_no_memory(r) : TZ_OK;
}

/* "literal": its characters, one after another. */
tz_status tz_gbnf_literal(tz_gbnf *b) {
    tz_reader *r = b->reader;
    const size_t at = r->at++;
    tz_status status = TZ_OK;
    while (status == TZ_OK && tz_reader_peek(r, 0) != '"') {
        uint32_t code;
        int32_t word;
        if (r->at >= r->size || r->text[r->at] == '\n')
            return tz_reader_fail(r, at, "this literal has no end: put \" behind it");
        status = read_character(r, &code);
        if (status == TZ_OK)
            status = word_of(r, code, &word);
        if (status == TZ_OK)
            status = tz_gbnf_push(b, -1 - word);
    }
    r->at++;
    return status;
}

/* ---- Classes --------------------------------------------------------------------------------- */

/* One character of a class or a range of them. */
static tz_status read_range(tz_reader *r, size_t open, uint32_t *ret_first, uint32_t *ret_last) {
    const size_t at = r->at;
    if (r->at >= r->size || r->text[r->at] == '\n')
        return tz_reader_fail(r, open, "this class has no end: put ] behind it");
    tz_status status = read_character(r, ret_first);
    *ret_last = *ret_first;
    if (status == TZ_OK && tz_reader_peek(r, 0) == '-' && tz_reader_peek(r, 1) != ']') {
        r->at++;
        if (r->at >= r->size || r->text[r->at] == '\n')
            return tz_reader_fail(r, open, "this class has no end: put ] behind it");
        status = read_character(r, ret_last);
    }
    if (status == TZ_OK && *ret_last < *ret_first)
        status = tz_reader_fail(r, at,
                                "this range runs backwards: write its lesser character "
                                "first");
    if (status == TZ_OK && *ret_last - *ret_first >= 1 << 16)
        status = tz_reader_fail(r, at,
                                "a range of more than 65,536 characters: write it without, "
                                "as [^...], or `.`");
    return status;
}

/* A rule of the symbol for each character of the class. */
tz_status tz_gbnf_class(tz_gbnf *b, int32_t symbol) {
    tz_reader *r = b->reader;
    const size_t open = r->at++;
    tz_status status = TZ_OK;
    if (tz_reader_peek(r, 0) == ']')
        return tz_reader_fail(r, open, "a class without characters");
    while (status == TZ_OK && tz_reader_peek(r, 0) != ']') {
        uint32_t first = 0, last = 0;
        status = read_range(r, open, &first, &last);
        for (uint32_t code = first; status == TZ_OK && code <= last; code++) {
            int32_t word;
            if (code >= 0xd800 && code < 0xe000)
                continue;
            status = word_of(r, code, &word);
            const int32_t right = -1 - word;
            if (status == TZ_OK)
                status = tz_gbnf_add(b, symbol, &right, 1);
        }
    }
    r->at++;
    return status;
}

/* [^...] or `.`: to be filled at the end; what it names is in the alphabet, too. */
tz_status tz_gbnf_other_class(tz_gbnf *b, int32_t symbol) {
    tz_reader *r = b->reader;
    const size_t at = r->at;
    tz_status status = TZ_OK;
    if (!tz_grow((void **)&b->negation, &b->negation_room, b->negations + 1, sizeof *b->negation))
        return tz_reader_no_memory(r);
    b->negation[b->negations++] = (tz_negation){at, r->line_start, r->line, symbol};
    if (r->text[r->at++] == '.')
        return TZ_OK;
    r->at++;
    while (status == TZ_OK && tz_reader_peek(r, 0) != ']') {
        uint32_t first = 0, last = 0;
        int32_t word;
        status = read_range(r, at, &first, &last);
        for (uint32_t code = first; status == TZ_OK && code <= last; code++)
            if (code < 0xd800 || code >= 0xe000)
                status = word_of(r, code, &word);
    }
    r->at++;
    return status;
}

/* The characters of the text that the class does not name. */
static tz_status fill_negated(tz_gbnf *b, size_t which) {
    tz_reader *r = b->reader;
    const tz_name_table *words = &r->grammar->words;
    bool *named = calloc(words->count + 1, sizeof *named), any = false;
    tz_status status = named != NULL ? TZ_OK : tz_reader_no_memory(r);
    const tz_negation *n = &b->negation[which];
    const bool all = r->text[n->at] == '.';
    r->at = n->at + 2;
    r->line = n->line;
    r->line_start = n->line_start;
    while (!all && status == TZ_OK && r->text[r->at] != ']') {
        uint32_t first = 0, last = 0;
        int32_t word;
        status = read_range(r, r->at, &first, &last);
        for (uint32_t code = first; status == TZ_OK && code <= last; code++)
            if ((code < 0xd800 || code >= 0xe000) && (status = word_of(r, code, &word)) == TZ_OK)
                named[word] = true;
    }
    for (size_t w = 0; status == TZ_OK && w < words->count; w++) {
        const int32_t right = -1 - (int32_t)w;
        any |= !named[w];
        if (!named[w])
            status = tz_gbnf_add(b, n->symbol, &right, 1);
    }
    free(named);
    if (status == TZ_OK && !any)
        status = tz_reader_fail(r, n->at, "this class leaves no character");
    return status;
}

/* Of classes of other characters: the alphabet is what the text names and what ASCII prints, the
 * tab and the line's end. */
tz_status tz_gbnf_fill_classes(tz_gbnf *b) {
    tz_status status = TZ_OK;
    int32_t word;
    if (b->negations == 0)
        return TZ_OK;
    for (uint32_t code = ASCII_FIRST; status == TZ_OK && code < ASCII_END; code++)
        status = word_of(b->reader, code, &word);
    if (status == TZ_OK)
        status = word_of(b->reader, '\t', &word);
    if (status == TZ_OK)
        status = word_of(b->reader, '\n', &word);
    for (size_t c = 0; status == TZ_OK && c < b->negations; c++)
        status = fill_negated(b, c);
    return status;
}
