/* ngrams.c - see ngrams.h. SPDX-License-Identifier: MIT */
#include "sentences/eval/ngrams.h"

#include <stdlib.h>

typedef struct ngram {
    int32_t word[TZ_NGRAM]; /* 0 beyond n */
} ngram;

static int compare(const void *first, const void *second) {
    const ngram *a = first, *b = second;
    for (int i = 0; i < TZ_NGRAM; i++)
        if (a->word[i] != b->word[i])
            return a->word[i] < b->word[i] ? -1 : 1;
    return 0;
}

/* All n-grams in order. */
static void sorted(unsigned n, const int32_t *word, size_t count, ngram *ret_ngram) {
    for (size_t i = 0; i < count; i++) {
        ret_ngram[i] = (ngram){{0}};
        for (unsigned w = 0; w < n; w++)
            ret_ngram[i].word[w] = word[i + w];
    }
    qsort(ret_ngram, count, sizeof *ret_ngram, compare);
}

tz_status tz_ngrams_shared(unsigned n, const int32_t *first, size_t first_words,
                           const int32_t *second, size_t second_words, size_t *ret_shared) {
    size_t ends[2] = {tz_ngrams(n, first_words), tz_ngrams(n, second_words)};
    ngram *a = calloc(ends[0] + ends[1] + 1, sizeof *a), *b = a ? a + ends[0] : NULL;
    if (!a)
        return TZ_NO_MEMORY;
    sorted(n, first, ends[0], a);
    sorted(n, second, ends[1], b);
    size_t shared = 0;
    for (size_t i = 0, j = 0; i < ends[0] && j < ends[1];) {
        int order = compare(&a[i], &b[j]);
        shared += order == 0;
        i += order <= 0;
        j += order >= 0;
    }
    free(a);
    *ret_shared = shared;
    return TZ_OK;
}
