/* boundaries.h - splits a line of text into its sentences.
 *
 * A sentence ends where Unicode says that it may (Standard Annex 29), but
 * 1. not before a small letter, nor before a comma and the like;
 * 2. not behind a number or one letter that begins it (1. The), nor where it has no word yet;
 * 3. not inside brackets, unless it began with one;
 * 4. not behind an abbreviation that a name or number follows (Mr. Smith, No. 5, Jan. 5), nor
 *    behind an initial (J. Smith);
 * 5. behind another abbreviation (Inc., U.S., p.m.) only before a word that often begins a sentence
 *    (The) or a quotation.
 * The lists of words are English (lexicon.h); abbreviations of other languages end a sentence too
 * often.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TEXT_BOUNDARIES_H
#define TZ_SENTENCES_TEXT_BOUNDARIES_H

#include "sentences/text/tokens.h"

typedef struct tz_splitter tz_splitter;

/* TZ_NO_MEMORY, TZ_IO (the Unicode library lacks its data). */
tz_status tz_splitter_new(tz_splitter **ret_splitter, tz_error *opt_error);
void tz_splitter_free(tz_splitter *splitter);

/* The sentences of a line: valid UTF-8 without zero bytes. Between them, before the first and after
 * the last there is white space or nothing; a line of white space has none. *ret_sentence is the
 * splitter's until the next call. Cost: linear. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_split_line(tz_splitter *splitter, const char *text, size_t size,
                        const tz_token **ret_sentence, size_t *ret_count);

#endif
