/* language.c - see language.h. SPDX-License-Identifier: MIT */
#include "sentences/deletions/language.h"

#include <math.h>
#include <string.h>

#include "sentences/features/outline/bigrams.h"

#define RULED_OUT (-99 * M_LN10)

static uint32_t number_of(const tz_lm *lm, const char *text) {
    return tz_lm_word(lm, text, strlen(text));
}

tz_status tz_deletion_lm_word(const tz_lm *lm, const char *form, uint32_t *ret_word) {
    tz_text lower = {0};
    uint32_t word = number_of(lm, form);
    if (word == TZ_LM_UNKNOWN) {
        tz_text_add_lower(&lower, form, strlen(form));
        if (!lower.failed && lower.data)
            word = tz_lm_word(lm, lower.data, lower.size);
    }
    if (word == TZ_LM_UNKNOWN && strpbrk(form, "0123456789"))
        word = number_of(lm, "#");
    bool failed = lower.failed;
    tz_text_free(&lower);
    *ret_word = word;
    return failed ? TZ_NO_MEMORY : TZ_OK;
}

/* Of context[count] after those before it. */
static double log_prob(const tz_lm *lm, const uint32_t *context, size_t count) {
    return fmax(tz_lm_log_prob(lm, context, count, context[count]), RULED_OUT);
}

double tz_deletion_lm_sentence(const tz_lm *lm, const uint32_t *word, const uint8_t *keep,
                               uint32_t words, uint32_t *context) {
    double sum = 0;
    size_t count = 0;
    context[0] = TZ_LM_BEGIN;
    for (uint32_t w = 0; w < words; w++) {
        if (keep[w]) {
            context[++count] = word[w];
            sum += log_prob(lm, context, count);
        }
    }
    context[++count] = TZ_LM_END;
    return sum + log_prob(lm, context, count);
}

/* ---- The search ------------------------------------------------------------------------------ */

/* By the pack's bigrams. */
static tz_status add_sketched(const tz_deletion_how *how, const tz_outward *tree, tz_arena *arena,
                              double *bigram) {
    size_t width = (size_t)tree->words + 2;
    uint64_t *word = tz_arena_array(arena, width, sizeof *word);
    if (!word)
        return TZ_NO_MEMORY;
    word[0] = tz_word_outside(0).lower;
    word[width - 1] = tz_word_outside(1).lower;
    for (uint32_t x = 0; x < tree->nodes; x++)
        if (tree->node[x].first == TZ_NO_NODE)
            word[tree->node[x].begin + 1] = tree->node[x].word;
    for (size_t i = 0; i < width; i++)
        for (size_t j = i + 1; j < width; j++)
            bigram[i * width + j] =
                how->lambda * tz_bigrams_log_prob(how->bigrams, word[i], word[j]);
    return TZ_OK;
}

/* By those of the language model. */
static void add_own(const tz_deletion_how *how, const tz_deletion_item *item, double *bigram) {
    size_t words = item->tree->words, width = words + 2;
    for (size_t i = 0; i < width; i++) {
        for (size_t j = i + 1; j < width; j++) {
            const uint32_t pair[] = {i == 0 ? (uint32_t)TZ_LM_BEGIN : item->opt_word[i - 1],
                                     j > words ? (uint32_t)TZ_LM_END : item->opt_word[j - 1]};
            bigram[i * width + j] = how->weight * log_prob(how->opt_lm, pair, 1);
        }
    }
}

tz_status tz_deletion_bigrams(const tz_deletion_how *how, const tz_deletion_item *item,
                              tz_arena *arena, double **ret_bigram) {
    size_t width = (size_t)item->tree->words + 2;
    *ret_bigram = tz_arena_array(arena, width * width, sizeof **ret_bigram);
    if (!*ret_bigram)
        return TZ_NO_MEMORY;
    if (how->lambda != 0)
        return add_sketched(how, item->tree, arena, *ret_bigram);
    add_own(how, item, *ret_bigram);
    return TZ_OK;
}

/* ---- Once more ------------------------------------------------------------------------------- */

bool tz_deletion_rescored(const tz_deletion_how *how) {
    return how->opt_lm && (how->lambda != 0 || tz_lm_order(how->opt_lm) > 2);
}

/* The words that a derivation keeps, and what it scores but for bigrams. */
static double read_choice(const tz_derivation *derivation, uint32_t words, uint8_t *keep) {
    double score = 0;
    memset(keep, 0, words);
    for (size_t u = 0; u < derivation->uses; u++) {
        const tz_use *use = &derivation->use[u];
        if (use->weight == TZ_DELETE_WORD)
            keep[use->index[1] - 1] = 1;
        if (use->weight != TZ_DELETE_BIGRAM)
            score += use->score;
    }
    return score;
}

tz_status tz_deletion_rescore(const tz_deletion_how *how, tz_chart *chart, size_t lane,
                              tz_arena *arena, tz_deletion_item *item) {
    uint32_t words = item->tree->words;
    uint8_t *keep = tz_arena_array(arena, words, sizeof *keep);
    uint32_t *context = tz_arena_array(arena, (size_t)words + 2, sizeof *context);
    tz_kbest *list = NULL;
    const tz_derivation *next;
    tz_status status =
        keep && context ? tz_kbest_new(chart, lane, false, &list, NULL) : TZ_NO_MEMORY;
    for (size_t k = 0; k < how->candidates && status == TZ_OK; k++) {
        status = tz_kbest_next(list, &next);
        if (status != TZ_OK)
            break;
        double score = read_choice(next, words, keep);
        score += how->weight *
                 tz_deletion_lm_sentence(how->opt_lm, item->opt_word, keep, words, context);
        if (k == 0 || score > item->score) {
            item->score = score;
            memcpy(item->keep, keep, words);
        }
    }
    tz_kbest_free(list);
    return status == TZ_NONE ? TZ_OK : status; /* there is one choice at least */
}
