/* segment.h - finds where words and sentences may begin, by Unicode's rules: the only file that
 * uses ICU.
 *
 * It follows Unicode Standard Annex 29 (boundaries of words and sentences); words of Chinese,
 * Japanese, Thai, Lao, Khmer and Burmese are found with dictionaries. It uses the root rules, which
 * depend on no locale, neither the machine's nor the user's. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TEXT_SEGMENT_H
#define TZ_SENTENCES_TEXT_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

#include <trapeze/trapeze.h>

typedef struct tz_segmenter tz_segmenter;

typedef enum tz_segments { TZ_SEGMENTS_WORDS, TZ_SEGMENTS_SENTENCES } tz_segments;

/* TZ_NO_MEMORY; TZ_IO where ICU has no rules. */
tz_status tz_segmenter_new(tz_segments segments, tz_segmenter **ret_segmenter, tz_error *opt_error);
void tz_segmenter_free(tz_segmenter *segmenter);

/* The kind of a byte, as bits. All bytes of a code point have its kind. */
enum {
    TZ_CUT = 1,     /* a segment begins here */
    TZ_SPACE = 2,   /* white space, non-breaking included */
    TZ_LETTER = 4,  /* alphabetic, in any script */
    TZ_CAPITAL = 8, /* a letter in upper case */
    TZ_DIGIT = 16   /* 0..9 */
};

/* text: valid UTF-8. Writes ret_kind[0..size-1]. Cost: linear in size, more for scripts that take a
 * dictionary. TZ_NO_MEMORY, TZ_TOO_LARGE (2^31 bytes or more). */
tz_status tz_segment(tz_segmenter *segmenter, const char *text, size_t size, uint8_t *ret_kind);

/* Is it a letter or digit of any script? Is it a capital? The capital of a letter, or the code
 * itself where it has none. */
bool tz_code_word(uint32_t code);
bool tz_code_capital(uint32_t code);
uint32_t tz_code_upper(uint32_t code);

#endif
