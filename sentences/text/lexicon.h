/* lexicon.h - the English words that tokenising needs to know. Unless said
 * otherwise the case of A..Z does not matter. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TEXT_LEXICON_H
#define TZ_SENTENCES_TEXT_LEXICON_H

#include <stdbool.h>
#include <stddef.h>

typedef enum tz_abbreviation {
    TZ_NO_ABBREVIATION,
    TZ_ABBREVIATION,             /* etc. */
    TZ_ABBREVIATION_CAPITAL,     /* only with a capital, else it is a word: Sat. */
    TZ_ABBREVIATION_WITH_NUMBER, /* only before a digit: no. 4 */
} tz_abbreviation;

/* What kind of abbreviation a word, without its full stop, is. A capital and small letters without
 * a vowel always are one: Cllr. */
tz_abbreviation tz_lexicon_abbreviation(const char *word, size_t size);
/* Is the word an abbreviation before a name, which does not end a sentence: Mr.? */
bool tz_lexicon_title(const char *word, size_t size);
/* Is it a word that often begins a sentence, and is small within one: the? */
bool tz_lexicon_opening(const char *word, size_t size);
/* Does a hyphen behind it stay in the word (non-profit)? */
bool tz_lexicon_prefix(const char *word, size_t size);
/* Two words written as one: the size of the first (can|not, gon|na), or 0. */
size_t tz_lexicon_contraction(const char *word, size_t size);
/* Is the word a unit that may follow a number at once (5|pm, 20|km)? Case matters: 5C is none. */
bool tz_lexicon_unit(const char *word, size_t size);
/* Is the word the end of a host's or a file's name (com, doc)? */
bool tz_lexicon_suffix(const char *word, size_t size);
/* Does the word, given without it, begin with an apostrophe ('em)? */
bool tz_lexicon_elided(const char *word, size_t size);

/* Is the word in a list of small words in the order of strcmp, of 15 letters at most? */
bool tz_lexicon_listed(const char *word, size_t size, const char *const *list, size_t count);
/* Are two words the same, but for the case of A..Z? */
bool tz_lexicon_alike(const char *a, const char *b, size_t size);

#endif
