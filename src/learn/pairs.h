/* pairs.h - sentences with their compressions by deletion, from JSON Lines.
 *
 * One pair a line: {"tokens": "A B C .", "keep": "1011", "pos": "NN NN NN ."}. `tokens` is a string
 * of words separated by blanks or an array of strings; `keep` a string of 0 and 1, or an array of
 * the numbers 0 and 1 or of true and false, one for each word; `pos`, which may be missing, fine
 * tags in one of the forms of tokens. Other members, an "id" for instance, are passed over. Empty
 * lines are no pairs. SPDX-License-Identifier: MIT */
#ifndef TZ_LEARN_PAIRS_H
#define TZ_LEARN_PAIRS_H

#include "io/lines.h"

enum { TZ_PAIRS_LINE = 1 << 24 }; /* bytes of a line: a sensible limit for tz_lines_new */

typedef struct tz_pair {
    size_t words;
    const char *const *form; /* form[0..words-1] */
    const char *const *fine; /* likewise; NULL: there are none */
    const bool *keep;
    size_t kept;
    const char *id; /* where there is one that is a string, else NULL */
} tz_pair;

typedef struct tz_pairs tz_pairs;

/* `lines` is borrowed until tz_pairs_free. NULL when memory is out. */
tz_pairs *tz_pairs_new(tz_lines *lines);
void tz_pairs_free(tz_pairs *pairs);
/* The next pair; the reader's, until the next call. TZ_NONE after the last; TZ_IO with FILE:LINE:
 * reading failed or the line is no pair (the next call goes on with the line after it);
 * TZ_NO_MEMORY. */
tz_status tz_pairs_next(tz_pairs *pairs, tz_pair *ret_pair, tz_error *opt_error);

#endif
