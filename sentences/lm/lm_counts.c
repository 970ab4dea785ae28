/* lm_counts.c - see lm_counts.h. SPDX-License-Identifier: MIT */
#include "sentences/lm/lm_counts.h"

#include <stdlib.h>
#include <string.h>

typedef struct counting {
    const uint32_t *word;
    size_t size, words, sentences;
    size_t *start; /* [words + 1], for sorting */
} counting;

/* Every n-gram of the text. */
static size_t all(const counting *c, unsigned n, tz_lm_gram *gram) {
    size_t count = 0, first = 0; /* of the sentence */
    for (size_t last = 0; last < c->size; last++) {
        first = c->word[last] == TZ_LM_BEGIN ? last : first;
        if (last - first + 1 >= n && last > first)
            gram[count++] = (tz_lm_gram){(uint32_t)(last - n + 1), 1, 1};
    }
    return count;
}

/* Those of n words that begin with <s>, and the others once for every different word before: the
 * ends of the n-grams of n + 1 words. */
static size_t ends(const counting *c, unsigned n, const tz_lm_counts *longer, tz_lm_gram *gram) {
    size_t count = 0, first = 0;
    for (size_t i = 0; i < longer->count; i++)
        gram[count++] = (tz_lm_gram){longer->gram[i].at + 1, 1, longer->gram[i].raw};
    for (size_t last = 0; last < c->size && n > 1; last++) {
        first = c->word[last] == TZ_LM_BEGIN ? last : first;
        if (last - first + 1 == n)
            gram[count++] = (tz_lm_gram){(uint32_t)first, 1, 1};
    }
    return count;
}

/* Makes one of equal neighbours. */
static size_t merge(const counting *c, unsigned n, tz_lm_gram *gram, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        tz_lm_gram *last = kept > 0 ? &gram[kept - 1] : NULL;
        if (last && memcmp(c->word + last->at, c->word + gram[i].at, n * sizeof *c->word) == 0) {
            last->count += gram[i].count;
            last->raw += gram[i].raw;
            last->at = gram[i].at < last->at ? gram[i].at : last->at;
        } else {
            gram[kept++] = gram[i];
        }
    }
    return kept;
}

static tz_status count_order(const counting *c, unsigned n, const tz_lm_counts *longer,
                             tz_lm_counts *ret) {
    size_t most = longer ? longer->count + c->sentences : c->size;
    tz_lm_gram *gram = malloc((most + 1) * sizeof *gram);
    tz_lm_gram *scratch = malloc((most + 1) * sizeof *scratch);
    if (!gram || !scratch) {
        free(gram);
        free(scratch);
        return TZ_NO_MEMORY;
    }
    size_t count = longer ? ends(c, n, longer, gram) : all(c, n, gram);
    tz_lm_sort(gram, count, c->word, 1, n, c->words, scratch, c->start);
    free(scratch);
    ret->gram = gram;
    ret->count = merge(c, n, gram, count);
    tz_lm_gram *smaller = realloc(gram, (ret->count + 1) * sizeof *gram);
    ret->gram = smaller ? smaller : gram;
    return TZ_OK;
}

tz_status tz_lm_counts_new(const uint32_t *word, size_t size, size_t words, unsigned order,
                           tz_lm_counts *counts) {
    counting c = {.word = word, .size = size, .words = words};
    tz_status status = TZ_OK;
    memset(counts, 0, (order + 1) * sizeof *counts);
    if (size > (SIZE_MAX - 1) / sizeof(tz_lm_gram) / 2 || size > UINT32_MAX)
        return TZ_TOO_LARGE;
    for (size_t i = 0; i < size; i++)
        c.sentences += word[i] == TZ_LM_BEGIN;
    c.start = malloc((words + 1) * sizeof *c.start);
    if (!c.start)
        return TZ_NO_MEMORY;
    for (unsigned n = order; n >= 1 && status == TZ_OK; n--)
        status = count_order(&c, n, n < order ? &counts[n + 1] : NULL, &counts[n]);
    free(c.start);
    if (status != TZ_OK)
        tz_lm_counts_free(counts, order);
    return status;
}

void tz_lm_counts_free(tz_lm_counts *counts, unsigned order) {
    for (unsigned n = 1; n <= order; n++) {
        free(counts[n].gram);
        counts[n] = (tz_lm_counts){0};
    }
}
