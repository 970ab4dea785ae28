/* joins.h - tokens that stay whole although Unicode's rules cut them, and those that are cut
 * although the rules do not. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TEXT_JOINS_H
#define TZ_SENTENCES_TEXT_JOINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes begin..end-1 of a line, without white space, between white space. */
typedef struct tz_chunk {
    const char *text;
    const uint8_t *kind; /* TZ_LETTER, ...: of each byte of the line */
    size_t begin, end;
    bool last; /* of the line */
} tz_chunk;

/* The end of the longest token known by its form that begins at byte `at`; `at` where there is
 * none. `at` is where a segment of Unicode's begins. Cost: linear in the bytes read. */
size_t tz_join(const tz_chunk *chunk, size_t at);

/* Where the last part of the segment text[begin..end-1] begins: a clitic (do|n't, it|'s), a unit
 * (5|pm), what two sentences or a list run together (end|.|So, 2|,|7), ...; `end` if it is whole.
 */
size_t tz_split(const char *text, size_t begin, size_t end);

/* The size of the apostrophe at text[0], one of ' ’ ` ´; 0 if there is none. */
size_t tz_apostrophe(const char *text, size_t size);

#endif
