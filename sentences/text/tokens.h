/* tokens.h - from a line of text to tokens, and from tokens that are kept back to text.
 *
 * Tokens follow the conventions of English treebanks (Penn Treebank, Universal Dependencies'
 * English Web Treebank), because that is what taggers and parsers are trained on: clitics and
 * punctuation are tokens of their own (do n't, it 's, "), hyphenated words are cut (long - term)
 * except behind a prefix (non-profit), abbreviations keep their full stop, and addresses, numbers,
 * smileys and emoji stay whole. Text of any other language is cut as Unicode says.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TEXT_TOKENS_H
#define TZ_SENTENCES_TEXT_TOKENS_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#include <trapeze/trapeze.h>

/* text[begin..end-1] of the line it was found in. Between two tokens there is white space or
 * nothing. */
typedef struct tz_token {
    size_t begin, end;
} tz_token;

/* ---- Tokenising ------------------------------------------------------------------------------ */

typedef struct tz_tokeniser tz_tokeniser;

/* TZ_NO_MEMORY, TZ_IO (the Unicode library lacks its data). */
tz_status tz_tokeniser_new(tz_tokeniser **ret_tokeniser, tz_error *opt_error);
void tz_tokeniser_free(tz_tokeniser *tokeniser);

/* The tokens of a line that holds one sentence: valid UTF-8 without zero bytes. None where it is
 * white space alone. *ret_token is the tokeniser's until the next call. The same for every locale.
 * Cost: linear in size. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_tokenise(tz_tokeniser *tokeniser, const char *text, size_t size,
                      const tz_token **ret_token, size_t *ret_count);

/* ---- Detokenising ---------------------------------------------------------------------------- */

/* Appends the tokens that are shown, as text that reads well; where all are, the line from its
 * first token to its last as it stands. Punctuation that has lost its purpose is taken from
 * shown[0..count-1] before:
 * 1. a hyphen or slash without white space around it, unless both that it joined are shown; and
 * then it is shown as well, if it was not to be;
 * 2. of a pair of brackets or quotation marks, one without the other, and both around nothing;
 * 3. at a gap, where something was left out: a comma, semicolon, colon or dash before what closes
 *    or ends, behind what opens or at the beginning, and the second of two; 's behind no word.
 * Neighbours of the line stand as they stood there. Over a gap there is one blank, but none before
 * closing punctuation and 's that had none before them, nor after opening punctuation, $ and the
 * like that had none after them. "a" and "an" become the other where another word than before
 * follows that takes it (article.h). The first letter becomes a capital where that of the line was
 * one. Cost: linear. Brackets in more than 32 others are left as they are. */
void tz_detokenise(const char *line, const tz_token *token, size_t count, bool *shown,
                   tz_text *text);

#endif
