/* manner.h - tells from the words of a text how it is written: whether it is English, or law.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TEXT_MANNER_H
#define TZ_SENTENCES_TEXT_MANNER_H

#include <stdbool.h>
#include <stddef.h>

/* How much of a text is English. */
typedef struct tz_english {
    size_t words, common; /* words with a letter; those among the most common English words */
} tz_english;

void tz_english_add(tz_english *english, const char *const *word, size_t words);
/* Are fewer than 12 of 100 words common English ones, in 20 words or more? In English some 40 of
 * 100 are, in news as in law; in German or Czech, where "in" and "to" are words too, 5. */
bool tz_english_lacks(const tz_english *english);

/* Is a sentence, word[0..words-1], written like law? It has three or more signs of that: words such
 * as "subsection", "specified", "shall", "or"; semicolons; and brackets around a number or letter
 * that count: (1), (a). */
bool tz_like_law(const char *const *word, size_t words);

/* The number of words at the beginning of word[0..words-1] that mark an item of a list or a quoted
 * line: "-", "1 .", "( a )", ">"; 0: there are none. */
size_t tz_marker(const char *const *word, size_t words);
/* Is it a note, where each word counts? That is a text of at most 4 words; a heading, greeting or
 * signature, of at most 12 words without a stop at its end; or, of at most 24 words, an item of a
 * list, a quoted line or a text after a label ("ACTION:"; without a stop also "Present:"). */
bool tz_like_note(const char *const *word, size_t words);

#endif
