/* marks.h - punctuation of kept words: how a token relates to its neighbours, and which marks are
 * shown.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TEXT_MARKS_H
#define TZ_SENTENCES_TEXT_MARKS_H

#include "sentences/text/tokens.h"

typedef enum tz_role {
    TZ_ROLE_WORD,
    TZ_ROLE_CLITIC,    /* 's right after a word */
    TZ_ROLE_JOINER,    /* a hyphen or slash without white space around it */
    TZ_ROLE_OPENING,   /* a bracket, or a quotation mark that can only open */
    TZ_ROLE_CLOSING,   /* likewise */
    TZ_ROLE_QUOTE,     /* a quotation mark that looks the same on both sides */
    TZ_ROLE_SEPARATOR, /* a comma, semicolon, colon or dash */
    TZ_ROLE_STOP,
    TZ_ROLE_NOTE, /* what stands in a footnote mark: [1] */
    TZ_ROLE_OTHER /* $, %, &, ... */
} tz_role;

typedef struct tz_kept {
    const char *line;
    const tz_token *token;
    size_t count;
    bool *shown;
    const tz_kept_tree *opt_tree;
} tz_kept;

tz_role tz_role_of(const tz_kept *s, size_t t);
/* Is there white space or nothing before, after the token? */
bool tz_blank_before(const tz_kept *s, size_t t);
bool tz_blank_after(const tz_kept *s, size_t t);
/* Does a quotation mark that looks the same on both sides open its quotation? */
bool tz_quote_opens(const tz_kept *s, size_t t);
/* Does a text, a token have a letter or a digit? */
bool tz_wordlike(const char *text, size_t size);
bool tz_has_word(const tz_kept *s, size_t t);
/* Is the first letter of a token a capital? */
bool tz_has_capital(const tz_kept *s, size_t t);

/* The end of the footnote marks at text[at]: [1], [a][12]; `at` if there is none. They are footnote
 * marks only right behind something. */
size_t tz_footnotes(const char *text, size_t size, size_t at);

/* Is a token a stop after which another sentence begins? */
bool tz_ends_sentence(const tz_kept *s, size_t t);

/* The stop to be moved before the quotation mark t: the next token shown, where a comma stood
 * before t ("We won," he said.). t: there is none. */
size_t tz_stop_within(const tz_kept *s, size_t t);

/* The number of tokens at the beginning that mark an item of a list or a quoted line. */
size_t tz_marker_tokens(const tz_kept *s);

/* Shows and hides marks where something is left out, by the rules of tokens.h. Returns whether a
 * full stop that is not a token of the line must follow the shown tokens. */
bool tz_rebuild_marks(const tz_kept *s);

#endif
