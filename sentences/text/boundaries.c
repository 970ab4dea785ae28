/* boundaries.c - see boundaries.h. SPDX-License-Identifier: MIT */
#include "sentences/text/boundaries.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "sentences/text/lexicon.h"
#include "sentences/text/segment.h"

struct tz_splitter {
    tz_segmenter *segmenter;
    uint8_t *kind; /* of the line's bytes */
    size_t kinds;
    tz_token *sentence;
    size_t count, capacity;
};

tz_status tz_splitter_new(tz_splitter **ret_splitter, tz_error *opt_error) {
    *ret_splitter = NULL;
    tz_splitter *splitter = calloc(1, sizeof *splitter);
    if (!splitter)
        return TZ_NO_MEMORY;
    tz_status status = tz_segmenter_new(TZ_SEGMENTS_SENTENCES, &splitter->segmenter, opt_error);
    if (status != TZ_OK) {
        free(splitter);
        return status;
    }
    *ret_splitter = splitter;
    return TZ_OK;
}

void tz_splitter_free(tz_splitter *splitter) {
    if (splitter) {
        tz_segmenter_free(splitter->segmenter);
        free(splitter->kind);
        free(splitter->sentence);
        free(splitter);
    }
}

/* ---- What stands around a boundary ----------------------------------------------------------- */

/* A line, where a sentence of it begins, and what stands in that so far. */
typedef struct place {
    const char *text;
    const uint8_t *kind;
    size_t begin, size;            /* of the sentence; of the line */
    size_t letters, digits, depth; /* bytes of letters; of digits; open brackets */
    size_t last_bracket;           /* the line's last closing one, or 0 */
} place;

static bool word(const place *p, size_t at) {
    return at < p->size && p->kind[at] & (TZ_LETTER | TZ_DIGIT);
}

/* The size of the mark at text[at] if it is one of those in the list, else 0. */
static size_t mark(const place *p, size_t at, const char *const *list) {
    for (; *list; list++) {
        size_t size = strlen(*list);
        if (size <= p->size - at && memcmp(p->text + at, *list, size) == 0)
            return size;
    }
    return 0;
}

/* Behind what opens a quotation or a bracket at `at`. */
static size_t skip_openers(const place *p, size_t at) {
    static const char *const openers[] = {"\"",     "'",      "(",      "[",      "\u201c",
                                          "\u2018", "\u00ab", "\u201e", "\u00bf", NULL};
    for (size_t size; at < p->size && (size = mark(p, at, openers)) > 0;)
        at += size;
    return at;
}

/* Rule 1. */
static bool goes_on(const place *p, size_t next) {
    size_t at = skip_openers(p, next);
    if (at == p->size)
        return true;
    bool small =
        p->kind[at] & TZ_LETTER && !(p->kind[at] & TZ_CAPITAL) && (unsigned char)p->text[at] < 0x80;
    return small || strchr(",;:)]", p->text[at]);
}

/* Rule 2. */
static bool only_begun(const place *p) {
    return p->letters + p->digits <= 1 || (p->letters == 0 && p->digits <= 3);
}

/* Rule 3. */
static bool in_brackets(const place *p, size_t next) {
    return p->depth > 0 && p->last_bracket > next;
}

static void look_at(place *p, size_t at) {
    p->letters += (p->kind[at] & TZ_LETTER) != 0;
    p->digits += (p->kind[at] & TZ_DIGIT) != 0;
    p->depth += at > p->begin && p->text[at] == '(';
    p->depth -= p->depth > 0 && p->text[at] == ')';
}

/* Rules 4 and 5. stop: where the sentence would end. */
static bool abbreviated(const place *p, size_t stop, size_t next) {
    size_t end = stop;
    if (end == p->begin || p->text[end - 1] != '.')
        return false;
    size_t at = --end;
    bool dots = false; /* U.S. */
    while (at > p->begin && (word(p, at - 1) || (p->text[at - 1] == '.' && word(p, at - 2)))) {
        at--;
        dots |= p->text[at] == '.';
    }
    if (at == end)
        return false;
    const char *form = p->text + at;
    size_t size = end - at;
    bool capital = p->kind[at] & TZ_CAPITAL, number = p->kind[next] & TZ_DIGIT;
    if (tz_lexicon_title(form, size) || (size == 1 && capital && form[0] != 'I'))
        return true;
    tz_abbreviation is = tz_lexicon_abbreviation(form, size);
    bool known = dots || is == TZ_ABBREVIATION || (is == TZ_ABBREVIATION_CAPITAL && capital) ||
                 (is == TZ_ABBREVIATION_WITH_NUMBER && number);
    size_t from = skip_openers(p, next), to = from;
    while (word(p, to))
        to++;
    return known && (number || (from == next && !tz_lexicon_opening(p->text + from, to - from)));
}

/* ---- Sentences ------------------------------------------------------------------------------- */

static bool add(tz_splitter *splitter, size_t begin, size_t end) {
    bool grown = TZ_GROW(splitter->sentence, &splitter->capacity, splitter->count + 1);
    if (grown)
        splitter->sentence[splitter->count++] = (tz_token){begin, end};
    return grown;
}

tz_status tz_split_line(tz_splitter *splitter, const char *text, size_t size,
                        const tz_token **ret_sentence, size_t *ret_count) {
    bool grown = TZ_GROW(splitter->kind, &splitter->kinds, size + 1);
    tz_status status =
        grown ? tz_segment(splitter->segmenter, text, size, splitter->kind) : TZ_NO_MEMORY;
    if (status != TZ_OK)
        return status;
    const uint8_t *kind = splitter->kind;
    while (size > 0 && kind[size - 1] & TZ_SPACE)
        size--;
    place p = {.text = text, .kind = kind, .size = size};
    for (size_t at = 0; at < size; at++)
        p.last_bracket = text[at] == ')' ? at : p.last_bracket;
    while (p.begin < size && kind[p.begin] & TZ_SPACE)
        p.begin++;
    splitter->count = 0;
    for (size_t next = p.begin + 1; next < size; next++) {
        size_t stop = next;
        look_at(&p, next - 1);
        if (!(kind[next] & TZ_CUT) || kind[next] & TZ_SPACE)
            continue;
        while (stop > p.begin && kind[stop - 1] & TZ_SPACE)
            stop--;
        if (goes_on(&p, next) || only_begun(&p) || in_brackets(&p, next) ||
            abbreviated(&p, stop, next))
            continue;
        if (!add(splitter, p.begin, stop))
            return TZ_NO_MEMORY;
        p.begin = next;
        p.letters = p.digits = p.depth = 0;
    }
    if (p.begin < size && !add(splitter, p.begin, size))
        return TZ_NO_MEMORY;
    *ret_sentence = splitter->sentence;
    *ret_count = splitter->count;
    return TZ_OK;
}
