/* words.h - the hashes by which features see a word; they never see its text.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_FEATURES_SENTENCE_WORDS_H
#define TZ_SENTENCES_FEATURES_SENTENCE_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

enum { TZ_AFFIX = 4 }; /* the longest prefix and suffix, in code points */

typedef struct tz_word {
    uint64_t form, lower;      /* as written; in lower case */
    uint64_t shape;            /* Xx, dd-dd, ...: classes of letters, runs cut to two */
    uint64_t prefix[TZ_AFFIX]; /* of the lower-case word: 1, 2, ... code points, */
    uint64_t suffix[TZ_AFFIX]; /* or of the whole word where it is shorter */
    uint64_t upos, xpos;       /* the tags; xpos is upos where the file has none */
    uint64_t deprel;           /* the label of the arc to its head */
    uint8_t kind; /* by a tag dictionary (dictionary.h); 0: not in it, or there is none */
} tz_word;

/* Computes everything but tags and label, which are 0. form: UTF-8, not empty. */
void tz_word_read(const char *form, tz_word *ret_word);

/* The value of a word where all words with a digit are alike: one value for these, else the hash of
 * its lower case. */
uint64_t tz_word_value(const tz_word *word, const char *form);
uint64_t tz_form_value(const char *form);

/* The word at a position without one: the root (position 0), and padding on both sides. */
tz_word tz_word_outside(int which);

/* A letter's lower case, by simple rules for the Latin, Greek and Cyrillic alphabets that do not
 * depend on the machine's locales; other code points are returned as they are. */
uint32_t tz_code_lower(uint32_t code);
/* Appends a word, valid UTF-8, with each letter in lower case. */
void tz_text_add_lower(tz_text *text, const char *word, size_t size);

#endif
