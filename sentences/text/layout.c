/* layout.c - see layout.h. SPDX-License-Identifier: MIT */
#include "sentences/text/layout.h"

#include <string.h>

#include "base/utf8.h"
#include "sentences/text/segment.h"

static bool blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool digit(char c) {
    return c >= '0' && c <= '9';
}

static bool letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static size_t skip_blanks(const char *line, size_t size) {
    size_t at = 0;
    while (at < size && blank(line[at]))
        at++;
    return at;
}

static size_t trimmed(const char *line, size_t size) {
    while (size > 0 && blank(line[size - 1]))
        size--;
    return size;
}

static bool begins(const char *line, size_t size, const char *with) {
    return strlen(with) <= size && memcmp(line, with, strlen(with)) == 0;
}

static bool holds(const char *line, size_t size, const char *what) {
    for (size_t at = 0; at < size; at++)
        if (begins(line + at, size - at, what))
            return true;
    return false;
}

/* ---- Kinds ----------------------------------------------------------------------------------- */

/* <a ...>, </a>, <!-- */
static size_t tags(const char *line, size_t size) {
    size_t found = 0;
    for (size_t at = 0; at + 2 < size; at++) {
        size_t name = at + 1 + (line[at + 1] == '/');
        if (line[at] != '<' || !(letter(line[name]) || line[name] == '!' || line[name] == '?'))
            continue;
        while (name < size && line[name] != '>' && line[name] != '<')
            name++;
        found += name < size && line[name] == '>';
    }
    return found;
}

static bool is_address(const char *line, size_t size) {
    return holds(line, size, "://") || holds(line, size, "@");
}

static bool is_markup(const char *line, size_t size) {
    bool brackets = (holds(line, size, "{{") && holds(line, size, "}}")) ||
                    (holds(line, size, "[[") && holds(line, size, "]]"));
    bool tex = line[0] == '\\' && size > 1 && letter(line[1]);
    return brackets || tex || begins(line, size, "```") ||
           (tags(line, size) >= 1 + (line[0] != '<') && !is_address(line, size)) ||
           (line[0] == '<' && tags(line, size) > 0 && line[size - 1] == '>') ||
           (holds(line, size, "</") && tags(line, size) > 0);
}

/* Bars or tabs, or stretches of three blanks and more, between cells. */
static bool is_table(const char *line, size_t size) {
    size_t bars = 0, tabs = 0, wide = 0, run = 0, rule = 0;
    for (size_t at = 0; at < size; at++) {
        bool free_before = at == 0 || blank(line[at - 1]) || line[at - 1] == '|';
        bool free_after = at + 1 == size || blank(line[at + 1]) || line[at + 1] == '|';
        bars += line[at] == '|' && free_before && free_after;
        tabs += line[at] == '\t';
        wide += !blank(line[at]) && run >= 3;
        run = line[at] == ' ' ? run + 1 : 0;
        rule += strchr("-+=|: ", line[at]) != NULL;
    }
    return bars >= 2 || tabs >= 2 || wide >= 2 ||
           (rule == size && holds(line, size, "--") && (bars + (line[0] == '+')) > 0);
}

/* Signs of programs are common, and one of them stands there that prose has not. */
static bool is_code(const char *line, size_t size) {
    static const char *const openers[] = {"#include", "#define", "import ", "def ",
                                          "return ",  "$ ",      ">>> ",    "public ",
                                          "static ",  "//",      "/*",      NULL};
    static const char *const only_code[] = {"()", "==", "!=", "->", "::",  "+=", "=>", "&&",
                                            "||", "{",  "}",  "];", " = ", "/*", "*/", NULL};
    size_t signs = 0, all = 0;
    bool code = size >= 2 && memcmp(line + size - 2, ");", 2) == 0, opens = false;
    for (size_t at = 0; at < size; at++) {
        all += !blank(line[at]);
        signs += strchr("(){}[]=<>;_\\+*&|$#/\"", line[at]) != NULL;
    }
    for (size_t i = 0; only_code[i]; i++)
        code = code || holds(line, size, only_code[i]);
    for (size_t i = 0; openers[i]; i++)
        opens = opens || begins(line, size, openers[i]);
    char last = line[size - 1];
    bool ends = last == ';' || last == '{' || last == '}' || last == ')' || last == ':';
    return begins(line, size, "#include") || begins(line, size, ">>> ") ||
           (code && signs * 8 >= all && !holds(line, size, "://")) ||
           (code && ends && (signs * 14 >= all || opens));
}

/* 12:31 or [12:31:05] */
static size_t skip_time(const char *line, size_t size) {
    size_t at = line[0] == '[' || line[0] == '(', digits = 0;
    bool bracket = at > 0;
    for (; at < size && (digit(line[at]) || (line[at] == ':' && digits > 0)); at++)
        digits += line[at] != ':' ? 1 : 0;
    if (digits < 3 || digits > 6 || !memchr(line, ':', at))
        return 0;
    if (bracket && (at == size || (line[at] != ']' && line[at] != ')')))
        return 0;
    at += bracket;
    return at + skip_blanks(line + at, size - at);
}

static bool is_chat(const char *line, size_t size) {
    enum { NAME = 24 };
    size_t at = skip_time(line, size);
    bool timed = at > 0, nick = at < size && line[at] == '<';
    at += nick;
    at += at < size && at > 0 && strchr("@+- ", line[at]) != NULL;
    size_t name = at;
    while (at < size && at < name + NAME && !blank(line[at]) && !strchr(":<>", line[at]))
        at++;
    if (at == name || at == size)
        return false;
    return nick ? line[at] == '>' && at + 1 < size && line[at + 1] == ' '
                : timed && line[at] == ':' && at + 1 < size && line[at + 1] == ' ';
}

tz_line_kind tz_line_kind_of(const char *line, size_t size) {
    size_t from = skip_blanks(line, size);
    line += from;
    size = trimmed(line, size - from);
    return size < 2                ? TZ_PROSE
           : is_chat(line, size)   ? TZ_CHAT
           : is_markup(line, size) ? TZ_MARKUP
           : is_table(line, size)  ? TZ_TABLE
           : is_code(line, size)   ? TZ_CODE
                                   : TZ_PROSE;
}

/* ---- Lines in a row -------------------------------------------------------------------------- */

static size_t code_points(const char *text, size_t size) {
    size_t count = 0;
    for (size_t at = 0; at < size; at++)
        count += ((unsigned char)text[at] & 0xc0) != 0x80;
    return count;
}

/* - item, * item, 1. item, (a) item */
static bool is_item(const char *line, size_t size) {
    size_t at = skip_blanks(line, size);
    line += at;
    size -= at;
    if (size > 2 && strchr("-*+o", line[0]) && line[1] == ' ')
        return true;
    if (begins(line, size, "\u2022") || begins(line, size, "\u00b7") ||
        begins(line, size, "\u2013 "))
        return true;
    size_t number = line[0] == '(', from = number;
    if (size == 0)
        return false;
    while (number < size && number < from + 3 && digit(line[number]))
        number++;
    if (number == from && number < size && letter(line[number]))
        number++;
    return number > from && number + 1 < size && (line[number] == ')' || line[number] == '.') &&
           line[number + 1] == ' ';
}

size_t tz_line_marker(const char *line, size_t size) {
    size_t at = skip_blanks(line, size), end = at;
    if (at < size && line[at] == '>') {
        while (end < size && line[end] == '>')
            end++;
        return end;
    }
    if (!is_item(line, size))
        return 0;
    while (end < size && !blank(line[end]))
        end++;
    bool stop = line[end - 1] == '.' || (letter(line[at]) && line[at + 1] != ')');
    return stop && !digit(line[at]) ? 0 : end;
}

static bool begins_small(const char *line, size_t size) {
    uint32_t code = 0;
    size_t at = skip_blanks(line, size);
    return at < size && tz_utf8_decode(line + at, size - at, &code) > 0 && tz_code_word(code) &&
           !digit(line[at]) && !tz_code_capital(code);
}

/* LONDON, March 3 (Reuters): a place in capitals, and what else begins with capitals and digits. */
static bool is_dateline(const char *text, size_t size) {
    enum { PLACE = 3 }; /* letters */
    bool place = true, begun = false;
    size_t capitals = 0;
    uint32_t code = 0;
    unsigned used = 1;
    for (size_t at = 0; at < size && used > 0; at += used) {
        used = tz_utf8_decode(text + at, size - at, &code);
        place = place && text[at] != ',' && text[at] != '(' && text[at] != ';';
        bool word = tz_code_word(code), capital = tz_code_capital(code);
        if (word && !capital && !digit(text[at]) && (place || !begun))
            return false;
        capitals += place && capital;
        begun = word;
    }
    return capitals >= PLACE;
}

size_t tz_line_dateline(const char *line, size_t size) {
    static const char *const dash[] = {" - ", " -- ", " \u2013 ", " \u2014 "};
    enum { MOST = 60 };
    size_t from = skip_blanks(line, size);
    for (size_t at = from; at < size && at < from + MOST; at++)
        for (size_t d = 0; d < sizeof dash / sizeof *dash; d++)
            if (begins(line + at, size - at, dash[d])) {
                size_t next = at + strlen(dash[d]);
                bool dateline = is_dateline(line + from, at - from);
                return dateline && !begins_small(line + next, size - next) ? next - 1 : 0;
            }
    return 0;
}

static size_t first_word(const char *line, size_t size) {
    size_t at = skip_blanks(line, size), end = at;
    while (end < size && !blank(line[end]))
        end++;
    return code_points(line + at, end - at);
}

static bool is_prose(const char *line, size_t size) {
    size_t at = skip_blanks(line, size);
    return at < size && line[at] != '>' && tz_line_kind_of(line, size) == TZ_PROSE;
}

/* No stop is at the end, nor behind one only quotation marks and brackets. */
static bool is_open(const char *line, size_t size) {
    size = trimmed(line, size);
    while (size > 0 && strchr("\"')]", line[size - 1]))
        size--;
    return size > 0 && !strchr(".!?:", line[size - 1]);
}

void tz_layout_look_at(tz_layout_look *look, const char *line, size_t size) {
    size = trimmed(line, size);
    if (!is_prose(line, size)) {
        look->before = 0;
        return;
    }
    size_t wide = code_points(line, size);
    bool words = memchr(line, ' ', size) != NULL; /* an address alone may be wider than the rest */
    look->width = words && wide > look->width ? wide : look->width;
    if (look->before > 0 && !is_item(line, size)) {
        size_t with = look->before + 1 + first_word(line, size);
        look->pairs++;
        look->bin[with < TZ_LAYOUT_WIDE ? with : TZ_LAYOUT_WIDE]++;
        look->going_on += look->open && begins_small(line, size);
    }
    look->before = wide;
    look->open = is_open(line, size);
    look->closed += !look->open;
}

bool tz_layout_wrapped(const tz_layout_look *look) {
    enum { NARROW = 40 };
    size_t full = 0;
    for (size_t b = 0; b <= TZ_LAYOUT_WIDE; b++)
        full += b > look->width - look->width / TZ_LAYOUT_RAGGED ? look->bin[b] : 0;
    return look->width >= NARROW && look->width <= TZ_LAYOUT_WIDE && look->pairs > 0 &&
           look->closed > 0 && 3 * full >= 2 * look->pairs && 3 * look->going_on >= look->pairs;
}

bool tz_line_goes_on(size_t width, const char *line, size_t size, const char *next,
                     size_t next_size) {
    if (!is_prose(line, size) || !is_prose(next, next_size) || is_item(next, next_size))
        return false;
    size_t with = code_points(line, trimmed(line, size)) + 1 + first_word(next, next_size);
    return with > width - width / TZ_LAYOUT_RAGGED ||
           (is_open(line, size) && begins_small(next, next_size));
}

bool tz_line_ends_in_word(const char *line, size_t size) {
    size = trimmed(line, size);
    return size > 1 && line[size - 1] == '-' &&
           (letter(line[size - 2]) || (unsigned char)line[size - 2] >= 0x80);
}
