/* find_words.h - finds the words of a sentence's text: by English rules, or by a model learnt from
 * a treebank.
 *
 * The model (tz_word_tokeniser) labels characters: a word goes on; a word ends and its token goes
 * on (do|n't); a token ends; or a token ends that stands for other words ("im in dem": a token
 * whose lower case is the first of these is the others, all capitals or the first one where it has
 * them). At white space every token ends. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LEARN_FIND_WORDS_H
#define TZ_SENTENCES_LEARN_FIND_WORDS_H

#include "sentences/learn/analyse.h"

enum { TZ_WORD_IN, TZ_WORD_PART, TZ_WORD_END, TZ_WORD_LABELS };
extern const char *const tz_word_label[TZ_WORD_LABELS];

typedef struct tz_word_finder tz_word_finder;

/* opt_model: a model of tz_word_tokeniser; borrowed. NULL: by rules alone. TZ_NO_MEMORY, TZ_IO (the
 * Unicode library lacks its data). */
tz_status tz_word_finder_new(const tz_model *opt_model, tz_word_finder **ret_finder,
                             tz_error *opt_error);
void tz_word_finder_free(tz_word_finder *finder);

/* Finds the words in the text of one sentence, valid UTF-8 without zero bytes, and how many there
 * are; the finder keeps them until the next call. Cost: linear, and by a model that of features.
 * TZ_NO_MEMORY, TZ_TOO_LARGE (a model takes TZ_CONLLU_WORDS characters). */
tz_status tz_find_words(tz_word_finder *finder, const char *text, size_t size, size_t *ret_words);
/* Likewise, but finds whole tokens; owned by the finder until the next call. */
tz_status tz_find_tokens(tz_word_finder *finder, const char *text, size_t size,
                         const tz_token **ret_token, size_t *ret_tokens);
/* Makes the words found last, in the same text, a sentence to be analysed; memory is the arena's.
 * (*ret_token)[0..words-1]: where they stand. Of the words that one token stands for, the first has
 * all the token's bytes, the others none, at its end. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_found_words(const tz_word_finder *finder, struct tz_arena *arena, const char *text,
                         const tz_token **ret_token, tz_analysed *ret_analysed);

/* The characters of a sentence's text as a model of words sees them, without white space around
 * them; (*ret_character)[0..words-1]: where they stand. In the tz_word of a character, form, lower
 * and shape are its own; UPOS says whether a word ends there by rules; XPOS and DEPREL are the text
 * between white space up to the character and from it; suffix and prefix are likewise the run of
 * letters and digits (0), and 2, 3, 4 neighbours. Memory is the arena's. TZ_NO_MEMORY,
 * TZ_TOO_LARGE. */
tz_status tz_text_characters(tz_word_finder *finder, struct tz_arena *arena, const char *text,
                             size_t size, tz_sentence *ret_characters,
                             const tz_token **ret_character);

#endif
