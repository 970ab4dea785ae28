/* printed.c - see printed.h. SPDX-License-Identifier: MIT */
#include "sentences/eval/printed.h"

#include <string.h>

const tz_figure tz_printed_figure[TZ_PRINTED_FIGURES] = {
    [TZ_PRINTED_TEXT] = {"text", "text as the reference's", NULL},
    [TZ_PRINTED_INSIDE] = {"marks.inside", "  marks between words", NULL},
    [TZ_PRINTED_COMMAS] = {"commas.f1", "  commas between words: F1", NULL},
    [TZ_PRINTED_COMMAS_PRECISION] = {"commas.precision", "    precision", NULL},
    [TZ_PRINTED_COMMAS_RECALL] = {"commas.recall", "    recall", NULL},
    [TZ_PRINTED_END] = {"marks.end", "  marks at the end", NULL},
    [TZ_PRINTED_CASE] = {"case", "  letters' case", NULL},
};

static bool blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool starts(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* ---- Where words stand ----------------------------------------------------------------------- */

/* How else treebanks write what stands in text. */
static const char *const written[][2] = {
    {"``", "\""},   {"''", "\""},   {"``", "\u201c"}, {"''", "\u201d"},
    {"-LRB-", "("}, {"-RRB-", ")"}, {"-LSB-", "["},   {"-RSB-", "]"},
};

static size_t skip_blanks(const char *text, size_t at) {
    while (blank(text[at]))
        at++;
    return at;
}

/* Where the word ends that begins there; `at`: it does not. */
static size_t match(const char *text, size_t at, const char *word) {
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        if (strcmp(word, written[i][0]) == 0 && starts(text + at, written[i][1]))
            return at + strlen(written[i][1]);
    size_t to = at;
    for (; *word; word++, to++) {
        to = skip_blanks(text, to);
        if (text[to] != *word)
            return at;
    }
    return to;
}

bool tz_printed_place(const char *text, const char *const *word, size_t words,
                      tz_token *ret_token) {
    size_t at = 0;
    for (size_t w = 0; w < words; w++) {
        size_t begin = skip_blanks(text, at);
        at = match(text, begin, word[w]);
        if (at == begin)
            return false;
        ret_token[w] = (tz_token){begin, at};
    }
    return text[skip_blanks(text, at)] == '\0';
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static bool letter(char c) {
    return (unsigned char)c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* The next sign at *at, which moves behind it; 0: the end. Quotation marks are one. */
static char next_sign(const char **at) {
    static const char *const quotes[] = {"``", "''", "\u201c", "\u201d"};
    while (blank(**at))
        ++*at;
    for (size_t q = 0; q < sizeof quotes / sizeof *quotes; q++)
        if (starts(*at, quotes[q])) {
            *at += strlen(quotes[q]);
            return '"';
        }
    return **at ? *(*at)++ : '\0';
}

/* The letter that follows some marks, or 0; what the marks are. */
typedef struct place {
    char letter, mark[16];
    size_t marks;
    bool comma;
} place;

static place next_place(const char **at) {
    place p = {0};
    while ((p.letter = next_sign(at)) != '\0' && !letter(p.letter)) {
        p.comma = p.comma || p.letter == ',';
        if (p.marks < sizeof p.mark)
            p.mark[p.marks] = p.letter;
        p.marks++;
    }
    return p;
}

static bool same_marks(const place *a, const place *b) {
    return a->marks == b->marks && memcmp(a->mark, b->mark, sizeof a->mark) == 0;
}

bool tz_printed_measure(const char *printed, const char *reference,
                        tz_ratio ret_ratio[TZ_PRINTED_FIGURES]) {
    bool inside = true, cased = true, end = true;
    double both = 0, found = 0, right = 0;
    for (bool last = false; !last;) {
        place a = next_place(&printed), b = next_place(&reference);
        if (lower(a.letter) != lower(b.letter))
            return false;
        last = a.letter == '\0';
        cased = cased && a.letter == b.letter;
        inside = inside && (last || same_marks(&a, &b));
        end = !last || same_marks(&a, &b);
        both += !last && a.comma && b.comma;
        found += !last && a.comma;
        right += !last && b.comma;
    }
    const tz_ratio ratio[TZ_PRINTED_FIGURES] = {
        [TZ_PRINTED_TEXT] = {inside && cased && end, 1},
        [TZ_PRINTED_INSIDE] = {inside, 1},
        [TZ_PRINTED_COMMAS] = {2 * both, found + right},
        [TZ_PRINTED_COMMAS_PRECISION] = {both, found},
        [TZ_PRINTED_COMMAS_RECALL] = {both, right},
        [TZ_PRINTED_END] = {end, 1},
        [TZ_PRINTED_CASE] = {cased, 1},
    };
    memcpy(ret_ratio, ratio, sizeof ratio);
    return true;
}
