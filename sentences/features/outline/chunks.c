/* chunks.c - see chunks.h. SPDX-License-Identifier: MIT */
#include "sentences/features/outline/chunks.h"

#include <stdbool.h>
#include <string.h>

#include "sentences/features/tables/hash.h"

static bool is_any(uint64_t upos, const char *const *name) {
    for (; *name; name++)
        if (upos == tz_hash_text(*name, strlen(*name)))
            return true;
    return false;
}

static tz_chunk_kind kind_of_head(uint64_t upos) {
    static const char *const noun[] = {"NOUN", "PROPN", "PRON", "NUM", "SYM", NULL};
    static const char *const verb[] = {"VERB", "AUX", NULL};
    static const char *const modifier[] = {"ADJ", "ADV", "INTJ", NULL};
    return is_any(upos, noun)       ? TZ_CHUNK_NOUN
           : is_any(upos, verb)     ? TZ_CHUNK_VERB
           : is_any(upos, modifier) ? TZ_CHUNK_MODIFIER
                                    : TZ_CHUNK_OTHER;
}

/* Can it be in a chunk of this kind, before the head? */
static bool fits(uint64_t upos, tz_chunk_kind kind) {
    static const char *const noun[] = {"DET", "ADJ", "NUM",  "NOUN", "PROPN",
                                       "ADV", "SYM", "PART", NULL};
    static const char *const verb[] = {"AUX", "PART", "ADV", "VERB", NULL};
    static const char *const modifier[] = {"ADV", "PART", NULL};
    return kind == TZ_CHUNK_NOUN   ? is_any(upos, noun)
           : kind == TZ_CHUNK_VERB ? is_any(upos, verb)
                                   : kind == TZ_CHUNK_MODIFIER && is_any(upos, modifier);
}

void tz_chunks(const uint64_t *upos, const int32_t *head, int32_t n, int32_t *ret_chunk,
               uint8_t *ret_kind) {
    /* From the right, a chunk takes the words before it while their heads are in it: whatever
     * depends on them from outside stands further left, and ends the chunk there. */
    for (int32_t last = n; last >= 1;) {
        tz_chunk_kind kind = kind_of_head(upos[last]);
        int32_t first = last;
        while (first > 1 && head[first - 1] >= first && head[first - 1] <= last &&
               fits(upos[first - 1], kind))
            first--;
        for (int32_t w = first; w <= last; w++) {
            ret_chunk[w] = first;
            ret_kind[w] = (uint8_t)kind;
        }
        last = first - 1;
    }
}
