/* ngrams.h - counts the sequences of words that two texts share. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_EVAL_NGRAMS_H
#define TZ_SENTENCES_EVAL_NGRAMS_H

#include <stddef.h>
#include <stdint.h>

#include <trapeze/trapeze.h>

enum { TZ_NGRAM = 4 };

/* How many n-grams of `first` can be paired with equal ones of `second`, each used once; n in
 * 1..TZ_NGRAM. Cost: k log k for k words. TZ_NO_MEMORY. */
tz_status tz_ngrams_shared(unsigned n, const int32_t *first, size_t first_words,
                           const int32_t *second, size_t second_words, size_t *ret_shared);

static inline size_t tz_ngrams(unsigned n, size_t words) {
    return words >= n ? words - n + 1 : 0;
}

#endif
