/* splits.c - what is cut although Unicode's rules do not; see joins.h. SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "sentences/text/joins.h"
#include "sentences/text/lexicon.h"

size_t tz_apostrophe(const char *text, size_t size) {
    if (size >= 1 && (text[0] == '\'' || text[0] == '`'))
        return 1;
    if (size >= 2 && memcmp(text, "\xc2\xb4", 2) == 0) /* U+00B4 */
        return 2;
    return size >= 3 && memcmp(text, "\xe2\x80\x99", 3) == 0 ? 3 : 0; /* U+2019 */
}

static bool digit(char b) {
    return b >= '0' && b <= '9';
}

static bool letter(char b) {
    return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (unsigned char)b >= 0x80;
}

/* 's, 'll, n't, with any apostrophe. */
static size_t split_clitic(const char *text, size_t begin, size_t end) {
    static const char *const clitics[] = {"s", "m", "d", "ll", "re", "ve", "t"};
    for (size_t c = 0; c < sizeof clitics / sizeof *clitics; c++) {
        size_t length = strlen(clitics[c]);
        for (size_t sign = 1; sign <= 3 && begin + sign + length < end; sign++) {
            size_t at = end - length - sign;
            if (tz_apostrophe(text + at, end - at) != sign ||
                !tz_lexicon_alike(text + end - length, clitics[c], length))
                continue;
            if (*clitics[c] != 't')
                return at;
            if (at - 1 > begin && (text[at - 1] == 'n' || text[at - 1] == 'N'))
                return at - 1;
        }
    }
    return end;
}

/* The full stop of a sentence without a blank after it. Several are a name: alt.animals.cat; and so
 * are single letters: a.m */
static size_t split_stop(const char *text, size_t begin, size_t end) {
    const char *stop = memchr(text + begin, '.', end - begin);
    size_t at = stop ? (size_t)(stop - text) : end;
    if (at <= begin || at == end || !letter(text[at - 1]) || memchr(stop + 1, '.', end - at - 1))
        return end;
    if (at + 1 == end) /* its second part has come off */
        return at;
    bool words = at - begin > 1 || end - at > 2;
    return words && letter(text[at + 1]) ? at + 1 : end;
}

/* A list of numbers (2,7) and feet with inches (5'9), but not 12,000. */
static size_t split_numbers(const char *text, size_t begin, size_t end) {
    size_t at = end;
    while (at > begin && (digit(text[at - 1]) || text[at - 1] == '.'))
        at--;
    size_t whole = at; /* of the digits before a point */
    while (whole < end && digit(text[whole]))
        whole++;
    if (at <= begin + 1 || !digit(text[at - 2]))
        return end;
    bool feet = text[at - 1] == '\'', list = text[at - 1] == ',' && whole - at != 3;
    return !feet && !list ? end : at == end ? at - 1 : at;
}

static size_t split_unit(const char *text, size_t begin, size_t end) {
    size_t at = begin;
    while (at < end && (digit(text[at]) || (at > begin && (text[at] == '.' || text[at] == ','))))
        at++;
    return at > begin && at < end && tz_lexicon_unit(text + at, end - at) ? at : end;
}

size_t tz_split(const char *text, size_t begin, size_t end) {
    size_t at = split_clitic(text, begin, end);
    at = at < end ? at : split_stop(text, begin, end);
    at = at < end ? at : split_numbers(text, begin, end);
    at = at < end ? at : split_unit(text, begin, end);
    size_t first = at < end ? 0 : tz_lexicon_contraction(text + begin, end - begin);
    return first > 0 ? begin + first : at;
}
