/* stem.h - finds the stem that forms of an English word share: "closes" and "closing" have "close".
 *
 * Porter's second stemmer (2001; https://snowballstem.org/algorithms/english/stemmer.html), as
 * libstemmer 2.2 has it, with which tests/sentences/test_stem.c compares. A letter is a code
 * point. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TEXT_STEM_H
#define TZ_SENTENCES_TEXT_STEM_H

#include <stddef.h>

/* word: in small letters, valid UTF-8. ret_stem: room for `size` bytes; must not overlap the word.
 * Returns the size of the stem, at most `size`. Cost: linear. */
size_t tz_stem(const char *word, size_t size, char *ret_stem);

#endif
