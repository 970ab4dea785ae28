/* tokens.h - cuts a line of text into tokens, and makes text of kept tokens.
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

/* Bytes begin..end-1 of a line. Between two tokens there is white space or nothing. A token is
 * empty only for a word that shares the token of the word before. */
typedef struct tz_token {
    size_t begin, end;
} tz_token;

/* ---- Tokenising ------------------------------------------------------------------------------ */

typedef struct tz_tokeniser tz_tokeniser;

/* TZ_NO_MEMORY, TZ_IO (the Unicode library lacks its data). */
tz_status tz_tokeniser_new(tz_tokeniser **ret_tokeniser, tz_error *opt_error);
void tz_tokeniser_free(tz_tokeniser *tokeniser);

/* The tokens of a line that holds one sentence: valid UTF-8 without zero bytes. A line of white
 * space has none. *ret_token is the tokeniser's until the next call. The result does not depend on
 * the locale. Cost: linear in size. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_tokenise(tz_tokeniser *tokeniser, const char *text, size_t size,
                      const tz_token **ret_token, size_t *ret_count);

/* ---- Detokenising ---------------------------------------------------------------------------- */

/* A sentence's tree: head[1..count] and deprel[1..count] of its tokens, with the relations of
 * Universal Dependencies ("_": not known). */
typedef struct tz_kept_tree {
    const int32_t *head;
    const char *const *deprel;
} tz_kept_tree;

/* Appends the shown tokens as text that reads well. Where all are shown, that is the line from its
 * first token to its last as it stands. Otherwise punctuation is first corrected in shown[]:
 * 1. A hyphen or slash without white space around it is shown if both tokens beside it are.
 * 2. Footnote marks go: [1]. Of a pair of brackets or quotation marks, one does not stay without
 *    the other, nor both around nothing. They come back around a text that is shown whole, but
 *    quotation marks not if nothing else is shown; and quotation marks around a shown "I" or "we".
 *    One without a partner goes, but for an apostrophe behind a word that is shown.
 * 3. Where marks alone stand between two words that are shown, commas, semicolons, colons, dashes
 *    and stops come back.
 * 4. Where words are left out, a comma comes back if an odd number of commas stood there, since two
 *    commas belong to the text between them. By the tree, it does not come back between a subject
 *    and its predicate, between a modifier (a, the, of, that, new) and what it modifies, or between
 *    a verb and its object, clause or infinitive; but it also does if the text after it is joined
 *    to the text before, as in a list. A stop that ends a sentence comes back, a semicolon, and a
 *    colon if nothing but marks is left out after it.
 * 5. At the end stands the clause's own mark (! or ?) if it has one, else that of the sentence,
 *    within the quotation mark if it, or a comma, stood there. A full stop takes the place of
 *    another mark, as a colon, and is not doubled behind an abbreviation.
 * 6. At a gap, a comma, semicolon, colon or dash is dropped before a closing mark or the end, after
 *    an opening mark or at the beginning; so is the second of two, and 's after no word.
 * 7. The marker of an item of a list or a quoted line at the beginning (layout.h) stays.
 * Tokens next to each other in the line keep the space between them. Over a gap there is one blank,
 * but none before closing punctuation and 's that had none before them, nor after opening
 * punctuation, $ and the like that had none after them. "a" becomes "an", or the reverse, where a
 * new word follows that takes it (article.h). The first letter of a sentence becomes a capital
 * where that of the line's was one, but not in iPad. Cost: linear but for climbs in the tree, at
 * most quadratic. Brackets in more than 32 others are left as they are. */
void tz_detokenise(const char *line, const tz_token *token, size_t count,
                   const tz_kept_tree *opt_tree, bool *shown, tz_text *text);

#endif
