/* bigrams.c - see bigrams.h. SPDX-License-Identifier: MIT */
#include "sentences/features/outline/bigrams.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "sentences/features/tables/hash.h"
#include "sentences/lm/lm_model.h"

#define LN10 2.302585092994046

enum { BINS = 16 };

static uint64_t prob_key(uint64_t word) {
    return tz_hash(tz_hash(1, word), 1);
}

static uint64_t backoff_key(uint64_t word) {
    return tz_hash(tz_hash(2, word), 2);
}

static uint64_t bigram_key(uint64_t before, uint64_t word) {
    return tz_hash(tz_hash(tz_hash(3, before), word), 3);
}

/* The unknown word's probability stands there. */
static const uint64_t unknown = 0x756e6b6e6f776eu;

static uint64_t value_of(const tz_lm *lm, uint32_t word) {
    return word == TZ_LM_BEGIN     ? tz_word_outside(0).lower
           : word == TZ_LM_END     ? tz_word_outside(1).lower
           : word == TZ_LM_UNKNOWN ? unknown
                                   : tz_form_value(tz_lm_text(lm, word));
}

tz_status tz_bigrams_new(const tz_lm *lm, tz_sketch **ret_bigrams) {
    *ret_bigrams = NULL;
    if (lm->order < 2)
        return TZ_BAD_ARGUMENT;
    const tz_lm_level *one = &lm->level[1], *two = &lm->level[2];
    uint64_t *value = malloc((one->count + 1) * sizeof *value);
    tz_status status = value ? TZ_OK : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = tz_sketch_new(TZ_SKETCH_BIGRAMS, 2 * one->count + two->count, ret_bigrams);
    for (uint32_t w = 0; w < one->count && status == TZ_OK; w++) {
        value[w] = value_of(lm, w);
        tz_sketch_put(*ret_bigrams, prob_key(value[w]), LN10 * (double)one->prob[w]);
        if (one->child[w + 1] > one->child[w]) /* else the weight is 1 */
            tz_sketch_put(*ret_bigrams, backoff_key(value[w]), LN10 * (double)one->backoff[w]);
    }
    for (uint32_t w = 0; w < one->count && status == TZ_OK; w++) {
        for (uint32_t c = one->child[w]; c < one->child[w + 1]; c++) {
            tz_sketch_put(*ret_bigrams, bigram_key(value[w], value[two->word[c]]),
                          LN10 * (double)two->prob[c]);
        }
    }
    free(value);
    return status;
}

double tz_bigrams_log_prob(const tz_sketch *bigrams, uint64_t before, uint64_t word) {
    double prob = 0, backoff = 0;
    if (tz_sketch_get(bigrams, bigram_key(before, word), &prob))
        return prob;
    if (!tz_sketch_get(bigrams, prob_key(word), &prob))
        tz_sketch_get(bigrams, prob_key(unknown), &prob);
    if (!tz_sketch_get(bigrams, backoff_key(before), &backoff))
        backoff = 0;
    return prob + backoff;
}

const uint8_t *tz_bigrams_bins(const tz_sketch *bigrams, tz_arena *arena,
                               const tz_outline *outline) {
    size_t width = (size_t)outline->words + 2;
    uint8_t *bin = tz_arena_array(arena, width * width, 1);
    for (size_t i = 0; bin && i < width; i++) {
        for (size_t j = i + 1; j < width; j++) {
            double prob =
                tz_bigrams_log_prob(bigrams, outline->word[i].word, outline->word[j].word);
            int whole = (int)-prob;
            bin[i * width + j] = (uint8_t)(1 + (whole < BINS - 1 ? whole : BINS - 1));
        }
    }
    return bin;
}
