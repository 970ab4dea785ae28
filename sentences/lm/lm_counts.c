/* lm_counts.c - see lm_counts.h. SPDX-License-Identifier: MIT */
#include "sentences/lm/lm_counts.h"

#include <stdlib.h>
#include <string.h>

#include "ranks/ranks.h"

typedef struct counting {
    const uint32_t *word;
    size_t size, words, sentences;
    unsigned order;
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

/* Those of n words that begin with <s>. */
static size_t beginnings(const counting *c, unsigned n, tz_lm_gram *gram) {
    size_t count = 0, first = 0;
    for (size_t last = 0; last < c->size && n > 1; last++) {
        first = c->word[last] == TZ_LM_BEGIN ? last : first;
        if (last - first + 1 == n)
            gram[count++] = (tz_lm_gram){(uint32_t)first, 1, 1};
    }
    return count;
}

/* What of n words is to be counted by how often it occurs. */
static size_t occurrences(const counting *c, unsigned n, tz_lm_gram *gram) {
    return n == c->order ? all(c, n, gram) : beginnings(c, n, gram);
}

/* The others of n words once for every different word before: the ends of the n-grams of n + 1
 * words. */
static size_t ends(const tz_lm_counts *longer, tz_lm_gram *gram) {
    for (size_t i = 0; i < longer->count; i++)
        gram[i] = (tz_lm_gram){longer->gram[i].at + 1, 1, longer->gram[i].raw};
    return longer->count;
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

/* Sorts and merges gram[0..count - 1], which become the counts'. */
static tz_status sum_up(const counting *c, unsigned n, tz_lm_gram *gram, size_t count,
                        tz_lm_counts *ret) {
    tz_lm_gram *scratch = malloc((count + 1) * sizeof *scratch);
    if (!scratch) {
        free(gram);
        return TZ_NO_MEMORY;
    }
    tz_lm_sort(gram, count, c->word, 1, n, c->words, scratch, c->start);
    free(scratch);
    ret->gram = gram;
    ret->count = merge(c, n, gram, count);
    tz_lm_gram *smaller = realloc(gram, (ret->count + 1) * sizeof *gram);
    ret->gram = smaller ? smaller : gram;
    return TZ_OK;
}

/* `opt_given`: what occurs, where it is not to be looked for in the text. */
static tz_status count_order(const counting *c, unsigned n, const tz_lm_counts *longer,
                             const tz_lm_counts *opt_given, tz_lm_counts *ret) {
    size_t most = (longer ? longer->count : 0) + (opt_given       ? opt_given->count
                                                  : n == c->order ? c->size
                                                                  : c->sentences);
    tz_lm_gram *gram = malloc((most + 1) * sizeof *gram);
    if (!gram)
        return TZ_NO_MEMORY;
    size_t count = longer ? ends(longer, gram) : 0;
    if (opt_given && opt_given->count > 0)
        memcpy(gram + count, opt_given->gram, opt_given->count * sizeof *gram);
    count += opt_given ? opt_given->count : occurrences(c, n, gram + count);
    return sum_up(c, n, gram, count, ret);
}

static tz_status begin(counting *c) {
    if (c->size > (SIZE_MAX - 1) / sizeof(tz_lm_gram) / 2 || c->size > UINT32_MAX)
        return TZ_TOO_LARGE;
    for (size_t i = 0; i < c->size; i++)
        c->sentences += c->word[i] == TZ_LM_BEGIN;
    c->start = malloc((c->words + 1) * sizeof *c->start);
    return c->start ? TZ_OK : TZ_NO_MEMORY;
}

/* given[n], or NULL: of all orders. */
static tz_status count_all(const counting *c, const tz_lm_counts *opt_given, tz_lm_counts *counts) {
    tz_status status = TZ_OK;
    memset(counts, 0, (c->order + 1) * sizeof *counts);
    for (unsigned n = c->order; n >= 1 && status == TZ_OK; n--)
        status = count_order(c, n, n < c->order ? &counts[n + 1] : NULL,
                             opt_given ? &opt_given[n] : NULL, &counts[n]);
    if (status != TZ_OK)
        tz_lm_counts_free(counts, c->order);
    return status;
}

tz_status tz_lm_counts_new(const uint32_t *word, size_t size, size_t words, unsigned order,
                           tz_lm_counts *counts) {
    counting c = {.word = word, .size = size, .words = words, .order = order};
    memset(counts, 0, (order + 1) * sizeof *counts);
    tz_status status = begin(&c);
    if (status == TZ_OK)
        status = count_all(&c, NULL, counts);
    free(c.start);
    return status;
}

/* ---- Of several ranks ------------------------------------------------------------------------ */

/* What occurs in this rank's text, of n words, to rank 0: its words, then how often. There it is
 * appended to *text, and given. */
static tz_status give(const counting *c, unsigned n, uint32_t **text, size_t *size,
                      tz_lm_counts *given, tz_error *error) {
    tz_lm_counts mine = {0};
    tz_gathered all = {0};
    tz_lm_gram *gram = malloc((c->size + 1) * sizeof *gram);
    tz_status status = gram ? sum_up(c, n, gram, occurrences(c, n, gram), &mine) : TZ_NO_MEMORY;
    uint32_t *told = status == TZ_OK ? malloc((mine.count * (n + 1) + 1) * sizeof *told) : NULL;
    if (status == TZ_OK && !told)
        status = TZ_NO_MEMORY;
    for (size_t i = 0; i < mine.count && told; i++) {
        memcpy(told + i * (n + 1), c->word + mine.gram[i].at, n * sizeof *told);
        told[i * (n + 1) + n] = mine.gram[i].raw;
    }
    if (status == TZ_OK)
        status = tz_ranks_gather_first(told, mine.count * (n + 1) * sizeof *told, &all, error);
    free(told);
    free(mine.gram);
    size_t numbers = status == TZ_OK ? all.at[tz_ranks()] / sizeof **text : 0;
    size_t count = tz_rank() == 0 ? numbers / (n + 1) : 0;
    if (status == TZ_OK && *size + count * n > UINT32_MAX)
        status = TZ_TOO_LARGE;
    if (status == TZ_OK && count > 0) {
        uint32_t *more = realloc(*text, (*size + count * n) * sizeof *more);
        *text = more ? more : *text;
        given->gram = malloc(count * sizeof *given->gram);
        status = more && given->gram ? TZ_OK : TZ_NO_MEMORY;
    }
    for (size_t i = 0; i < count && status == TZ_OK; i++) {
        const uint32_t *from = (const uint32_t *)(const void *)all.data + i * (n + 1);
        memcpy(*text + *size, from, n * sizeof *from);
        given->gram[given->count++] = (tz_lm_gram){(uint32_t)*size, from[n], from[n]};
        *size += n;
    }
    tz_gathered_free(&all);
    return status;
}

tz_status tz_lm_counts_all(const uint32_t *word, size_t size, size_t words, unsigned order,
                           tz_lm_counts *counts, uint32_t **ret_text, tz_error *opt_error) {
    counting c = {.word = word, .size = size, .words = words, .order = order};
    tz_lm_counts given[TZ_LM_ORDER + 1] = {{0}};
    uint32_t *text = malloc(sizeof *text);
    size_t texts = 0;
    memset(counts, 0, (order + 1) * sizeof *counts);
    tz_status status = text ? begin(&c) : TZ_NO_MEMORY;
    for (unsigned n = order; n >= 1 && status == TZ_OK; n--)
        status = give(&c, n, &text, &texts, &given[n], opt_error);
    c.word = text;
    if (status == TZ_OK && tz_rank() == 0)
        status = count_all(&c, given, counts);
    tz_lm_counts_free(given, order);
    free(c.start);
    if (status != TZ_OK) {
        free(text);
        text = NULL;
    }
    *ret_text = text;
    return status;
}

void tz_lm_counts_free(tz_lm_counts *counts, unsigned order) {
    for (unsigned n = 1; n <= order; n++) {
        free(counts[n].gram);
        counts[n] = (tz_lm_counts){0};
    }
}
