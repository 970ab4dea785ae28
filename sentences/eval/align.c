/* align.c - see align.h. SPDX-License-Identifier: MIT */
#include "sentences/eval/align.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 1 << 24, WORDS = UINT16_MAX - 1, NEVER = UINT16_MAX };

/* The least number of runs that begin behind words[0..w-1] and text[0..t-1], where the word before
 * was dropped, and where it was kept; NEVER if the rest cannot be aligned. */
typedef struct cell {
    uint16_t runs[2];
} cell;

static bool blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* How much of text + at, without blanks, the word is; 0 if the text is not the word's there. */
static size_t match(const char *word, const char *text, size_t at) {
    size_t size = 0;
    for (; *word; word++) {
        if (!blank(*word)) {
            char c = text[at + size];
            bool same = at + size == 0 ? lower(c) == lower(*word) : c == *word;
            if (!same)
                return 0; /* as well at the text's end */
            size++;
        }
    }
    return size;
}

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* Runs if word w is kept behind text + at. */
static unsigned if_kept(const cell *next_row, size_t size, size_t at, bool kept_before) {
    unsigned rest = size > 0 ? next_row[at + size].runs[1] : NEVER;
    return rest == NEVER ? NEVER : rest + !kept_before;
}

static void fill(const char *const *word, size_t words, const char *text, size_t size,
                 cell *table) {
    for (size_t t = 0; t <= size; t++) {
        uint16_t runs = t == size ? 0 : NEVER;
        table[words * (size + 1) + t] = (cell){{runs, runs}};
    }
    for (size_t w = words; w-- > 0;) {
        cell *row = table + w * (size + 1), *next = row + size + 1;
        for (size_t t = 0; t <= size; t++) {
            size_t matched = match(word[w], text, t);
            for (int kept = 0; kept < 2; kept++) {
                row[t].runs[kept] =
                    (uint16_t)least(next[t].runs[0], if_kept(next, matched, t, kept));
            }
        }
    }
}

static void walk(const char *const *word, size_t words, const char *text, size_t size,
                 const cell *table, uint8_t *ret_keep) {
    bool kept = false;
    for (size_t w = 0, t = 0; w < words; w++) {
        const cell *row = table + w * (size + 1), *next = row + size + 1;
        size_t matched = match(word[w], text, t);
        kept = matched > 0 && if_kept(next, matched, t, kept) == row[t].runs[kept];
        t += kept ? matched : 0;
        ret_keep[w] = kept;
    }
}

tz_status tz_align(const char *const *word, size_t words, const char *text, uint8_t *ret_keep) {
    char *dense = malloc(strlen(text) + 1);
    size_t size = 0, cells;
    for (const char *c = text; dense && *c; c++)
        if (!blank(*c))
            dense[size++] = *c;
    if (!dense)
        return TZ_NO_MEMORY;
    dense[size] = '\0';
    if (words > WORDS || __builtin_mul_overflow(words + 1, size + 1, &cells) || cells > CELLS) {
        free(dense);
        return TZ_TOO_LARGE;
    }
    cell *table = malloc(cells * sizeof *table);
    tz_status status = table ? TZ_OK : TZ_NO_MEMORY;
    if (table) {
        fill(word, words, dense, size, table);
        status = table[0].runs[0] == NEVER ? TZ_NONE : TZ_OK;
    }
    if (status == TZ_OK)
        walk(word, words, dense, size, table, ret_keep);
    free(table);
    free(dense);
    return status;
}
