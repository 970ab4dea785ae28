/* lm_model.h - the memory of a language model, and how one is built.
 *
 * A trie: level n has a node for every n-gram of n words, in the order of the word numbers, so that
 * the n-grams that continue a node stand side by side on the next level, sorted by their last word.
 * 16 bytes a node, 8 in the highest order. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LM_LM_MODEL_H
#define TZ_SENTENCES_LM_LM_MODEL_H

#include "sentences/lm/lm.h"
#include "sentences/lm/lm_words.h"

#define TZ_LM_NO_NODE UINT32_MAX

/* Numbers are log10, as in ARPA files, so that a file has the numbers that are used. */
typedef struct tz_lm_level {
    size_t count;
    uint32_t *word;  /* the last one; level 1: word[i] = i */
    float *prob;     /* log10 P(last word | the others) */
    float *backoff;  /* log10, of the n-gram as a context; NULL in the highest order */
    uint32_t *child; /* [count + 1]: those that continue node i are child[i] .. child[i + 1] - 1 of
                        the next level; NULL in the highest order */
    size_t parents;  /* while it is filled: nodes of the level before whose child[] is known */
} tz_lm_level;

struct tz_lm {
    unsigned order;
    bool floored; /* see tz_lm_floor */
    tz_lm_words words;
    tz_lm_level level[TZ_LM_ORDER + 1]; /* level[1..order] */
};

/* The node of n words, n >= 1, or TZ_LM_NO_NODE. */
uint32_t tz_lm_node(const tz_lm *lm, const uint32_t *word, unsigned n);

/* Makes room for `count` nodes on level n, none of which is there yet; level n - 1 is complete.
 * TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_lm_level_new(tz_lm *lm, unsigned n, size_t count);
/* Adds the next n-gram in order; its backoff is 0. TZ_OK; TZ_NONE: its first n - 1 words are not
 * listed. */
tz_status tz_lm_level_add(tz_lm *lm, unsigned n, const uint32_t *word, float prob);
/* After the last n-gram of level n. */
void tz_lm_level_end(tz_lm *lm, unsigned n);

/* ---- n-grams in order ---------------------------------------------------------------------- */

/* An n-gram of some text: its words begin at text[at]. */
typedef struct tz_lm_gram {
    uint32_t at;
    uint32_t count, raw; /* see lm_counts.h */
} tz_lm_gram;

/* Sorts by the n words text[stride * at], ..., each below `words`, and keeps the order of equal
 * ones. Radix sort, a pass for each word (Knuth, The Art of Computer Programming 3, section 5.2.5):
 * O(n (count + words)). scratch[count]; start[words + 1]. */
void tz_lm_sort(tz_lm_gram *gram, size_t count, const uint32_t *text, size_t stride, unsigned n,
                size_t words, tz_lm_gram *scratch, size_t *start);

#endif
