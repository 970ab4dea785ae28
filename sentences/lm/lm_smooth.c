/* lm_smooth.c - see lm_smooth.h; the formulas stand in lm_train.h. SPDX-License-Identifier: MIT */
#include "sentences/lm/lm_smooth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* discount[0..3] of n-grams of one order; true where the fixed ones had to do. */
static bool find_discounts(const tz_lm_counts *counts, double *discount) {
    static const double fixed[4] = {0, 0.5, 1, 1.5};
    double t[5] = {0}; /* n-grams that have a count of 1..4 */
    bool good = true;
    for (size_t i = 0; i < counts->count; i++)
        t[counts->gram[i].count <= 4 ? counts->gram[i].count : 0]++;
    discount[0] = 0;
    for (int k = 1; k <= 3; k++) {
        good = good && t[k] > 0;
        discount[k] = good ? k - (k + 1) * t[1] / (t[1] + 2 * t[2]) * t[k + 1] / t[k] : 0;
        good = good && discount[k] > 0 && discount[k] < k;
    }
    if (!good)
        memcpy(discount, fixed, sizeof fixed);
    return !good;
}

static double discount_of(const double *discount, uint32_t count) {
    return discount[count < 3 ? count : 3];
}

static float log10_of(double probability) {
    return (float)log10(probability);
}

/* Level 1: every word, counted or not. */
static void smooth_words(const uint32_t *text, const tz_lm_counts *counts, const double *discount,
                         tz_lm *lm, double *prob) {
    size_t words = lm->words.count;
    double sum = 0, left = 0;
    for (size_t i = 0; i < counts->count; i++) {
        sum += counts->gram[i].count;
        left += discount_of(discount, counts->gram[i].count);
    }
    for (size_t word = 0; word < words; word++)
        prob[word] = left / sum / (double)(words - 1);
    for (size_t i = 0; i < counts->count; i++) {
        uint32_t count = counts->gram[i].count;
        prob[text[counts->gram[i].at]] += (count - discount_of(discount, count)) / sum;
    }
    prob[TZ_LM_BEGIN] = 0;
    for (uint32_t word = 0; word < words; word++)
        tz_lm_level_add(lm, 1, &word, log10_of(prob[word]));
}

/* The n-grams gram[0..size-1] have their first n - 1 words in common. shorter: the probabilities of
 * level n - 1. Appends to prob, the same of level n. */
static void smooth_context(const uint32_t *text, const tz_lm_gram *gram, size_t size, unsigned n,
                           uint32_t cutoff, const double *discount, tz_lm *lm,
                           const double *shorter, double *prob) {
    double sum = 0, left = 0;
    size_t kept = 0;
    for (size_t i = 0; i < size; i++) {
        uint32_t count = gram[i].count;
        bool keep = gram[i].raw >= cutoff;
        sum += count;
        left += keep ? discount_of(discount, count) : count;
        kept += keep;
    }
    if (kept == 0)
        return;
    for (size_t i = 0; i < size; i++) {
        if (gram[i].raw >= cutoff) {
            /* What is kept has its parts kept: they occur as often, and cutoffs do not fall. */
            const uint32_t *word = text + gram[i].at;
            double own = (gram[i].count - discount_of(discount, gram[i].count)) / sum;
            double p = own + left / sum * shorter[tz_lm_node(lm, word + 1, n - 1)];
            prob[lm->level[n].count] = p;
            tz_lm_level_add(lm, n, word, log10_of(p));
        }
    }
    uint32_t context = tz_lm_node(lm, text + gram[0].at, n - 1);
    lm->level[n - 1].backoff[context] = log10_of(left / sum);
}

static void smooth_level(const uint32_t *text, const tz_lm_counts *counts, unsigned n,
                         uint32_t cutoff, const double *discount, tz_lm *lm, const double *shorter,
                         double *prob) {
    for (size_t first = 0, end; first < counts->count; first = end) {
        const tz_lm_gram *gram = counts->gram + first;
        for (end = first + 1; end < counts->count; end++)
            if (memcmp(text + gram->at, text + counts->gram[end].at, (n - 1) * sizeof *text) != 0)
                break;
        smooth_context(text, gram, end - first, n, cutoff, discount, lm, shorter, prob);
    }
}

tz_status tz_lm_smooth(const uint32_t *text, const tz_lm_counts *counts,
                       const tz_lm_settings *settings, tz_lm *lm, tz_lm_report *report) {
    double *shorter = NULL, *prob = NULL;
    tz_status status = TZ_OK;
    for (unsigned n = 1; n <= lm->order && status == TZ_OK; n++) {
        size_t count = n == 1 ? lm->words.count : 0;
        for (size_t i = 0; n > 1 && i < counts[n].count; i++)
            count += counts[n].gram[i].raw >= settings->cutoff[n];
        free(shorter);
        shorter = prob;
        prob = malloc((count + 1) * sizeof *prob);
        status = prob ? tz_lm_level_new(lm, n, count) : TZ_NO_MEMORY;
        if (status == TZ_OK) {
            double *discount = report->discount[n];
            report->fallback[n] = find_discounts(&counts[n], discount);
            if (n == 1)
                smooth_words(text, &counts[n], discount, lm, prob);
            else
                smooth_level(text, &counts[n], n, settings->cutoff[n], discount, lm, shorter, prob);
            tz_lm_level_end(lm, n);
        }
    }
    free(shorter);
    free(prob);
    return status;
}
