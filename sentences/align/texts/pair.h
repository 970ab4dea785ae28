/* pair.h - a document and its abstract, as words.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_TEXTS_PAIR_H
#define TZ_SENTENCES_ALIGN_TEXTS_PAIR_H

#include "base/arena.h"
#include "io/json/json.h"
#include "sentences/text/tokens.h"

typedef struct tz_side {
    const char *const *word; /* [words]; NULL: there is no such text */
    size_t words;
    const size_t *opt_end; /* [sentences]: number of words up to the end of each */
    size_t sentences;      /* 0: ends of sentences are not known */
} tz_side;

typedef struct tz_pair {
    tz_side document, abstract;
} tz_pair;

/* Splits a text into words, at blanks or by the tokeniser. Memory is the arena's, here and below.
 * TZ_NO_MEMORY. */
tz_status tz_side_of_text(tz_arena *arena, tz_tokeniser *opt_tokeniser, const char *text,
                          tz_side *ret_side);

/* Reads {"document": .., "abstract": ..}, or "source" and "target". Each is a string, a list of
 * sentences, which are strings, or a list of lists of words; lists tell where sentences end. A
 * missing text has no words (NULL). TZ_BAD_ARGUMENT with a message that begins with the key;
 * TZ_NO_MEMORY. */
tz_status tz_pair_read(tz_arena *arena, tz_tokeniser *opt_tokeniser, const json_t *object,
                       tz_pair *ret_pair, tz_error *error);

/* Where sentences begin: sentence s is words begin[s]..begin[s + 1] - 1; begin[*ret_sentences] is
 * the number of words. A text without known ends is one sentence. TZ_NO_MEMORY. */
tz_status tz_side_sentences(tz_arena *arena, const tz_side *side, const uint32_t **ret_begin,
                            size_t *ret_sentences);

#endif
