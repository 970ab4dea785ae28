/* kinds.h - finds the kinds of words by the lists of table.h. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_GUARDS_KINDS_H
#define TZ_SENTENCES_GUARDS_KINDS_H

#include "sentences/features/sentence/corpus.h"

struct tz_arena;

/* The lists by hashes; does not change once made. */
typedef struct tz_kinds tz_kinds;

/* Memory is the arena's. TZ_NO_MEMORY. */
tz_status tz_kinds_new(struct tz_arena *arena, tz_kinds **ret_kinds);

/* Fills in ret_is[1..words], the classes (TZ_IS_...) of each word, by word and by tag; and
 * ret_more[1..words]: for the first word of a phrase, how many further words the phrase has, as 1
 * for "rule" in "rule out"; 0 for other words. Of phrases that begin at a word the longest counts.
 * Cost: words * log(list). */
void tz_kinds_find(const tz_kinds *kinds, const tz_sentence *sentence, unsigned *ret_is,
                   int32_t *ret_more);

#endif
