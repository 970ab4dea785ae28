/* kinds.h - finds the kinds of words by the lists of table.h. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_GUARDS_KINDS_H
#define TZ_SENTENCES_GUARDS_KINDS_H

#include "sentences/features/sentence/corpus.h"

struct tz_arena;

/* The lists by hashes; never changes once made. */
typedef struct tz_kinds tz_kinds;

/* Memory is the arena's. TZ_NO_MEMORY. */
tz_status tz_kinds_new(struct tz_arena *arena, tz_kinds **ret_kinds);

/* ret_is[1..words]: the classes (TZ_IS_...) of each word, by word and by tag. ret_more[w]: how many
 * words behind w are of one phrase with it, as 1 of "rule" in "rule out"; 0 of all but the first
 * word of one. Of phrases that begin at a word the longest counts. O(words * log(list)). */
void tz_kinds_find(const tz_kinds *kinds, const tz_sentence *sentence, unsigned *ret_is,
                   int32_t *ret_more);

#endif
