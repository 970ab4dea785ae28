/* lm.c - language models in memory: questions, and putting one together.
 *
 * SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sentences/lm/lm_model.h"

void tz_lm_free(tz_lm *lm) {
    if (!lm)
        return;
    for (unsigned n = 1; n <= TZ_LM_ORDER; n++) {
        free(lm->level[n].word);
        free(lm->level[n].prob);
        free(lm->level[n].backoff);
        free(lm->level[n].child);
    }
    tz_lm_words_free(&lm->words);
    free(lm);
}

/* ---- Questions ----------------------------------------------------------------------------- */

unsigned tz_lm_order(const tz_lm *lm) {
    return lm->order;
}

size_t tz_lm_count(const tz_lm *lm, unsigned n) {
    return lm->level[n].count;
}

uint32_t tz_lm_word(const tz_lm *lm, const char *text, size_t size) {
    uint32_t word = tz_lm_words_find(&lm->words, text, size);
    return word == TZ_LM_NO_WORD ? TZ_LM_UNKNOWN : word;
}

bool tz_lm_floor(const tz_lm *lm, double *ret_log_prob) {
    *ret_log_prob = (double)lm->level[1].prob[TZ_LM_UNKNOWN] * M_LN10;
    return lm->floored;
}

const char *tz_lm_text(const tz_lm *lm, uint32_t word) {
    return tz_lm_words_text(&lm->words, word);
}

/* The node of level n + 1 that continues `node` of level n with the word. */
static uint32_t child_of(const tz_lm *lm, unsigned n, uint32_t node, uint32_t word) {
    const uint32_t *last = lm->level[n + 1].word;
    uint32_t low = lm->level[n].child[node], end = lm->level[n].child[node + 1], high = end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (last[middle] < word)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end && last[low] == word ? low : TZ_LM_NO_NODE;
}

uint32_t tz_lm_node(const tz_lm *lm, const uint32_t *word, unsigned n) {
    uint32_t node = word[0] < lm->level[1].count ? word[0] : TZ_LM_UNKNOWN;
    for (unsigned k = 1; k < n && node != TZ_LM_NO_NODE; k++)
        node = child_of(lm, k, node, word[k] < lm->level[1].count ? word[k] : TZ_LM_UNKNOWN);
    return node;
}

double tz_lm_log_prob(const tz_lm *lm, const uint32_t *before, size_t count, uint32_t word) {
    unsigned n = count < lm->order ? (unsigned)count : lm->order - 1; /* words of context */
    double sum = 0;
    if (word >= lm->level[1].count)
        word = TZ_LM_UNKNOWN;
    for (; n > 0; n--) {
        uint32_t context = tz_lm_node(lm, before + count - n, n);
        if (context == TZ_LM_NO_NODE)
            continue;
        uint32_t found = child_of(lm, n, context, word);
        if (found != TZ_LM_NO_NODE)
            return (sum + (double)lm->level[n + 1].prob[found]) * M_LN10;
        sum += (double)lm->level[n].backoff[context];
    }
    return (sum + (double)lm->level[1].prob[word]) * M_LN10;
}

double tz_lm_sentence(const tz_lm *lm, const uint32_t *word, size_t words) {
    double sum = 0;
    uint32_t before[TZ_LM_ORDER - 1] = {TZ_LM_BEGIN};
    size_t known = 1;
    for (size_t i = 0; i <= words; i++) {
        uint32_t next = i < words ? word[i] : (uint32_t)TZ_LM_END;
        sum += tz_lm_log_prob(lm, before, known, next);
        if (known == TZ_LM_ORDER - 1)
            memmove(before, before + 1, --known * sizeof *before);
        before[known++] = next;
    }
    return sum;
}

const char *tz_lm_next(const char **text, size_t *ret_size) {
    const char *word = *text + strspn(*text, " \t\r");
    *ret_size = strcspn(word, " \t\r");
    *text = word + *ret_size;
    return *ret_size > 0 ? word : NULL;
}

/* ---- Putting one together ------------------------------------------------------------------ */

tz_status tz_lm_level_new(tz_lm *lm, unsigned n, size_t count) {
    tz_lm_level *level = &lm->level[n];
    if (count >= TZ_LM_NO_NODE || count > SIZE_MAX / sizeof(size_t) - 1)
        return TZ_TOO_LARGE;
    level->word = malloc((count + 1) * sizeof *level->word);
    level->prob = malloc((count + 1) * sizeof *level->prob);
    bool made = level->word && level->prob;
    if (n < lm->order) {
        level->backoff = calloc(count + 1, sizeof *level->backoff);
        level->child = calloc(count + 1, sizeof *level->child);
        made = made && level->backoff && level->child;
    }
    return made ? TZ_OK : TZ_NO_MEMORY;
}

/* The children of all nodes before `end` that had none yet begin, and so end, here. */
static void begin_children(tz_lm *lm, unsigned n, size_t end) {
    tz_lm_level *level = &lm->level[n];
    while (level->parents < end)
        lm->level[n - 1].child[level->parents++] = (uint32_t)level->count;
}

tz_status tz_lm_level_add(tz_lm *lm, unsigned n, const uint32_t *word, float prob) {
    tz_lm_level *level = &lm->level[n];
    if (n > 1) {
        uint32_t parent = tz_lm_node(lm, word, n - 1);
        if (parent == TZ_LM_NO_NODE)
            return TZ_NONE;
        begin_children(lm, n, (size_t)parent + 1);
    }
    level->word[level->count] = word[n - 1];
    level->prob[level->count++] = prob;
    return TZ_OK;
}

void tz_lm_level_end(tz_lm *lm, unsigned n) {
    if (n > 1)
        begin_children(lm, n, lm->level[n - 1].count + 1);
}

void tz_lm_sort(tz_lm_gram *gram, size_t count, const uint32_t *text, size_t stride, unsigned n,
                size_t words, tz_lm_gram *scratch, size_t *start) {
    tz_lm_gram *from = gram, *to = scratch;
    for (unsigned column = n; column-- > 0;) {
        memset(start, 0, (words + 1) * sizeof *start);
        for (size_t i = 0; i < count; i++)
            start[text[stride * from[i].at + column] + 1]++;
        for (size_t word = 0; word < words; word++)
            start[word + 1] += start[word];
        for (size_t i = 0; i < count; i++)
            to[start[text[stride * from[i].at + column]]++] = from[i];
        tz_lm_gram *other = from;
        from = to;
        to = other;
    }
    if (from != gram && count > 0)
        memcpy(gram, from, count * sizeof *gram);
}
