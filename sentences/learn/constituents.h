/* constituents.h - finds trees of constituents of tagged sentences, by a grammar from a treebank.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LEARN_CONSTITUENTS_H
#define TZ_SENTENCES_LEARN_CONSTITUENTS_H

#include "sentences/learn/analyse.h"

/* Longer sentences get a flat tree: time is cubic in the number of words. */
enum { TZ_CONSTITUENT_WORDS = 100 };

typedef struct tz_constituents tz_constituents;

/* Makes one from the section of a pack; TZ_NONE where the pack has none. threads: at least 1.
 * TZ_IO: the section is damaged; TZ_NO_MEMORY. */
tz_status tz_constituents_new(const tz_pack *pack, unsigned threads,
                              tz_constituents **ret_constituents, tz_error *opt_error);
void tz_constituents_free(tz_constituents *constituents);

/* Gives tagged sentences of one word or more their trees, by the fine tags, or by UPOS for a word
 * without a fine tag. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_constituents_find(tz_constituents *constituents, tz_analysed *const *item,
                               size_t count, tz_error *opt_error);

#endif
