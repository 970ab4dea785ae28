/* joins.c - see joins.h. The order of the table at the end decides. SPDX-License-Identifier: MIT */
#include "sentences/text/joins.h"

#include <string.h>

#include "sentences/text/lexicon.h"
#include "sentences/text/segment.h"

/* A byte of the chunk, 0 outside of it. */
static char byte(const tz_chunk *c, size_t at) {
    return at >= c->begin && at < c->end ? c->text[at] : '\0';
}

static unsigned kind(const tz_chunk *c, size_t at) {
    return at >= c->begin && at < c->end ? c->kind[at] : 0;
}

static bool digit(const tz_chunk *c, size_t at) {
    return kind(c, at) & TZ_DIGIT;
}

static bool letter(const tz_chunk *c, size_t at) {
    return kind(c, at) & TZ_LETTER;
}

static bool capital(const tz_chunk *c, size_t at) {
    return kind(c, at) & TZ_CAPITAL;
}

static bool word(const tz_chunk *c, size_t at) {
    return kind(c, at) & (TZ_LETTER | TZ_DIGIT);
}

static bool one_of(char b, const char *set) {
    return b != '\0' && strchr(set, b) != NULL;
}

static size_t letters(const tz_chunk *c, size_t at) {
    while (letter(c, at))
        at++;
    return at;
}

static bool begins(const tz_chunk *c, size_t at, const char *with) {
    size_t size = strlen(with);
    return size <= c->end - at && tz_lexicon_alike(c->text + at, with, size);
}

/* ---- Addresses ------------------------------------------------------------------------------- */

/* Does nothing follow but closing punctuation? */
static bool at_end(const tz_chunk *c, size_t at) {
    while (one_of(byte(c, at), ".,;:!?'\")]}>"))
        at++;
    return at == c->end;
}

/* The rest of the chunk without closing punctuation; a bracket opened inside is closed inside. */
static size_t rest(const tz_chunk *c, size_t at) {
    size_t end = c->end;
    while (end > at + 1 && one_of(c->text[end - 1], ".,;:!?'\")]}>")) {
        const char *opened = memchr(c->text + at, '(', end - at);
        if (c->text[end - 1] == ')' && opened)
            break;
        end--;
    }
    return end;
}

/* web.example.com, file-name.doc: the end, and through *ret_suffix where its last part begins. */
static size_t host(const tz_chunk *c, size_t at, size_t *ret_suffix) {
    size_t dot = 0;
    while (word(c, at) || one_of(byte(c, at), "-_.")) {
        if (c->text[at] == '.') {
            if (!word(c, at + 1))
                break;
            dot = at + 1;
        }
        at++;
    }
    *ret_suffix = dot;
    return at;
}

static size_t join_web(const tz_chunk *c, size_t at) {
    static const char *const schemes[] = {"http://", "https://", "ftp://", "www.", "mailto:"};
    for (size_t s = 0; s < sizeof schemes / sizeof *schemes; s++)
        if (begins(c, at, schemes[s]) && word(c, at + strlen(schemes[s])))
            return rest(c, at);
    size_t suffix, end = host(c, at, &suffix);
    if (suffix == 0 || !word(c, at) || !tz_lexicon_suffix(c->text + suffix, end - suffix))
        return at;
    return byte(c, end) == '/' && word(c, end + 1) ? rest(c, at) : at_end(c, end) ? end : at;
}

static size_t join_mail(const tz_chunk *c, size_t at) {
    size_t local = at, suffix;
    while (word(c, local) || one_of(byte(c, local), ".-_+%"))
        local++;
    if (byte(c, local) != '@' || !(local > at ? word : letter)(c, local + 1))
        return at;
    size_t end = host(c, local + 1, &suffix);
    return local > at || end == c->end || at_end(c, end) ? end : at;
}

/* #topic */
static size_t join_topic(const tz_chunk *c, size_t at) {
    if (byte(c, at) != '#' || !letter(c, at + 1) || at != c->begin)
        return at;
    do {
        at++;
    } while (word(c, at) || byte(c, at) == '_');
    return at;
}

/* ---- Punctuation ----------------------------------------------------------------------------- */

static size_t join_smiley(const tz_chunk *c, size_t at) {
    static const char *const faces[] = {
        "^_^", "-_-", "o_O", "<3", "(:", "(;", "(-:", "=)", "=(", "=D"};
    for (size_t f = 0; f < sizeof faces / sizeof *faces; f++)
        if (begins(c, at, faces[f]) && at == c->begin && at_end(c, at + strlen(faces[f])))
            return at + strlen(faces[f]);
    if (!one_of(byte(c, at), ":;=") || (digit(c, at - 1)))
        return at;
    size_t mouth = at + 1 + (one_of(byte(c, at + 1), "-o'^") && at + 2 < c->end);
    if (!one_of(byte(c, mouth), ")(]D[PpO|/\\*3"))
        return at;
    size_t end = mouth + 1;
    while (one_of(c->text[mouth], ")(D") && byte(c, end) == c->text[mouth])
        end++;
    return at_end(c, end) ? end : at;
}

/* ... -- !!! ?! ==== and the like. */
static size_t join_run(const tz_chunk *c, size_t at) {
    char first = byte(c, at);
    size_t end = at + 1;
    if (one_of(first, "!?")) {
        while (one_of(byte(c, end), "!?"))
            end++;
        return end;
    }
    if (one_of(first, ".-=*_~+<>#$'`|^")) {
        while (byte(c, end) == first)
            end++;
        if (one_of(first, "'`") && end != at + 2)
            return at;
        return end > at + 1 ? end : at;
    }
    return at;
}

/* The same for the dashes U+2013 and U+2014, the ellipsis U+2026 and quotes as two apostrophes. */
static size_t join_wide_run(const tz_chunk *c, size_t at) {
    if (c->end - at < 6 || memcmp(c->text + at, "\xe2\x80", 2) != 0 ||
        !one_of(c->text[at + 2], "\xa6\x93\x94\x98\x99"))
        return at;
    size_t end = at + 3;
    while (c->end - end >= 3 && memcmp(c->text + end, c->text + at, 3) == 0)
        end += 3;
    return end > at + 3 ? end : at;
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* The full stop that ends a line is always a token, also behind an abbreviation. */
static bool final(const tz_chunk *c, size_t stop) {
    return c->last && at_end(c, stop);
}

/* U.S. e.g. Ph.D. and an initial: single letters with full stops. */
static size_t join_acronym(const tz_chunk *c, size_t at) {
    size_t end = at, parts = 0;
    if (begins(c, at, "ph.d")) {
        end += 3;
        parts++;
        if (byte(c, end + 1) != '.')
            return letter(c, end + 1) ? at : end + 1;
    }
    for (; letter(c, end) && byte(c, end + 1) == '.'; end += 2)
        parts++;
    if (parts == 0 || letter(c, end) || (parts == 1 && !capital(c, at)))
        return at;
    return final(c, end - 1) ? end - 1 : end;
}

/* ACM.N, 0700.HK, .NET: capitals right behind a full stop, and before it no small letter. */
static size_t join_capitals(const tz_chunk *c, size_t at) {
    size_t stop = at, end;
    while (capital(c, stop) || digit(c, stop))
        stop++;
    for (end = stop + 1; capital(c, end);)
        end++;
    bool first = stop > at + 1 && !word(c, at - 1), none = stop == at && at == c->begin;
    size_t least = none ? 2 : 1;
    return byte(c, stop) == '.' && (first || none) && end > stop + least && !word(c, end) &&
                   !(byte(c, end) == '.' && word(c, end + 1))
               ? end
               : at;
}

static size_t join_abbreviation(const tz_chunk *c, size_t at) {
    size_t end = letters(c, at);
    if (end == at || byte(c, end) != '.' || byte(c, end + 1) == '.' || final(c, end))
        return at;
    /* A number may stand behind one blank. */
    size_t next = end + 1 == c->end && !c->last ? end + 2 : end + 1;
    switch (tz_lexicon_abbreviation(c->text + at, end - at)) {
    case TZ_ABBREVIATION:
        return end + 1;
    case TZ_ABBREVIATION_CAPITAL:
        return capital(c, at) ? end + 1 : at;
    case TZ_ABBREVIATION_WITH_NUMBER:
        return c->kind[next] & TZ_DIGIT ? end + 1 : at;
    default:
        return at;
    }
}

/* AT&T, R&D, I/O, w/o, US$, C++ */
static size_t join_signs(const tz_chunk *c, size_t at) {
    size_t end = letters(c, at);
    if (end == at || (word(c, at - 1)))
        return at;
    size_t size = end - at;
    if (byte(c, end) == '&' && size <= 3 && letter(c, end + 1)) {
        size_t second = letters(c, end + 1);
        return second - end <= 4 && capital(c, at) == capital(c, second - 1) ? second : at;
    }
    if (byte(c, end) == '/' && size == 1) {
        size_t second = letters(c, end + 1);
        bool with = one_of(c->text[at], "wW");
        return second == end + 2 || (with && second <= end + 4 && at_end(c, second)) ? second : at;
    }
    if (byte(c, end) == '$' && size <= 3 && capital(c, at))
        return end + 1;
    if (size == 1 && byte(c, at) == 'C' && (begins(c, end, "++") || byte(c, end) == '#'))
        return end + (byte(c, end) == '#' ? 1 : 2);
    return at;
}

/* non-profit, anti-American, e-mail; not behind another hyphen. */
static size_t join_prefix(const tz_chunk *c, size_t at) {
    size_t end = letters(c, at);
    bool mail = byte(c, at) == 'e' || begins(c, at, "e-mail"); /* but E-flat */
    if (end == at || byte(c, end) != '-' || !word(c, end + 1) ||
        (at > c->begin && c->text[at - 1] == '-') ||
        !(tz_lexicon_prefix(c->text + at, end - at) || (mail && end == at + 1)))
        return at;
    for (end++; word(c, end);)
        end++;
    return end;
}

/* '90s, 'em; cookin' */
static size_t join_elided(const tz_chunk *c, size_t at) {
    size_t size = tz_apostrophe(c->text + at, c->end - at);
    if (size > 0 && at == c->begin) {
        size_t end = at + size, digits = 0;
        while (digit(c, end + digits))
            digits++;
        if (digits == 2)
            return end + 2 + (byte(c, end + 2) == 's');
        size_t stop = letters(c, end);
        return tz_lexicon_elided(c->text + end, stop - end) ? stop : at;
    }
    if (!letter(c, at) || (at > c->begin && !word(c, at - 1)))
        return at;
    size_t end = at;
    while (byte(c, end) >= 'a' && byte(c, end) <= 'z')
        end++;
    size = tz_apostrophe(c->text + end, c->end - end);
    return end - at > 3 && memcmp(c->text + end - 2, "in", 2) == 0 && size > 0 &&
                   c->text[end] != '`' && end + size == c->end
               ? end + size
               : at;
}

/* 's behind what Unicode does not count as the same word: 60|'s, mama|`s; ° and its letter. */
static size_t join_clitic(const tz_chunk *c, size_t at) {
    if (c->end - at > 2 && memcmp(c->text + at, "\xc2\xb0", 2) == 0 && capital(c, at + 2) &&
        !word(c, at + 3))
        return at + 3;
    size_t size = tz_apostrophe(c->text + at, c->end - at);
    return size > 0 && word(c, at - 1) && one_of(byte(c, at + size), "sS") &&
                   !word(c, at + size + 1)
               ? at + size + 1
               : at;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

enum { GROUPS = 6 };

/* Is it a time (10:30), a date or fraction (7/20/2001), a telephone number (555-123-4567)? */
static bool number_shape(size_t groups, const size_t *digits, const char *sign) {
    bool same = true, short_all = true, pairs = true;
    for (size_t g = 0; g < groups; g++) {
        same = same && (g < 2 || sign[g] == sign[1]);
        short_all = short_all && digits[g] <= 4;
        pairs = pairs && digits[g] <= 2 && (g == 0 || digits[g] == 2);
    }
    if (!same) { /* 555/123-4567 */
        return groups == 3 && sign[1] == '/' && sign[2] == '-' && digits[0] == 3 &&
               digits[1] == 3 && digits[2] == 4;
    }
    switch (sign[1]) {
    case ':':
        return groups <= 3 && pairs;
    case '/':
        return groups == 3 ? short_all : groups == 2 && digits[0] <= 2 && digits[1] == 2;
    default:
        return groups > 2 ? short_all : (digits[0] == 3 || digits[0] == 5) && digits[1] == 4;
    }
}

static size_t join_number(const tz_chunk *c, size_t at) {
    size_t digits[GROUPS] = {0}, ends[GROUPS] = {0}, groups = 0, end = at;
    char sign[GROUPS] = {0};
    bool point = byte(c, at) == '.' && !word(c, at - 1);
    bool plus = byte(c, at) == '+' && at == c->begin;
    if ((point || plus) && digit(c, at + 1)) {
        for (end = at + 1; digit(c, end);)
            end++;
        return end;
    }
    if (word(c, at - 1) || one_of(byte(c, at - 1), ".,"))
        return at;
    while (groups < GROUPS && digit(c, end)) {
        while (digit(c, end)) {
            digits[groups]++;
            end++;
        }
        ends[groups++] = end;
        if (groups < GROUPS && one_of(byte(c, end), ":/-"))
            sign[groups] = c->text[end++];
    }
    for (; groups > 1; groups--) {
        char next = byte(c, ends[groups - 1]);
        if (number_shape(groups, digits, sign) && !one_of(next, ":/") &&
            !(one_of(next, ".,") && digit(c, ends[groups - 1] + 1)))
            return ends[groups - 1];
    }
    return at;
}

size_t tz_join(const tz_chunk *chunk, size_t at) {
    static size_t (*const joins[])(const tz_chunk *, size_t) = {
        join_web,      join_mail,    join_topic,    join_smiley,       join_run,
        join_wide_run, join_acronym, join_capitals, join_abbreviation, join_signs,
        join_clitic,   join_elided,  join_prefix,   join_number,
    };
    for (size_t j = 0; j < sizeof joins / sizeof *joins; j++) {
        size_t end = joins[j](chunk, at);
        if (end > at)
            return end;
    }
    return at;
}
