/* lm_train.h - trains n-gram language models from text: interpolated modified Kneser-Ney.
 *
 * Chen & Goodman 1998, section 3; in the form of Heafield, Pouzyrevsky, Clark & Koehn 2013,
 * section 3. With the counts a of lm_counts.h, for a context h, h' being h without its first word:
 *
 *   P(w | h) = (a(h w) - D(a(h w))) / S(h) + G(h) P(w | h')     S(h) = sum over w of a(h w)
 *   P(w)     = (a(w) - D(a(w))) / S + G / V                     V words: all but <s>
 *
 * where G, the backoff weight, makes the sum 1. The discount D is 0 for count 0, and D_1, D_2, D_3
 * for counts of 1, 2, and 3 or more. Each order has its own, from the number t_k of n-grams with a
 * = k:
 *
 *   D_k = k - (k + 1) Y t_(k+1) / t_k                           Y = t_1 / (t_1 + 2 t_2)
 *
 * Where that is undefined or not between 0 and k, as in little text, all three are 0.5, 1, 1.5.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LM_LM_TRAIN_H
#define TZ_SENTENCES_LM_LM_TRAIN_H

#include "sentences/lm/lm.h"

/* Collects text, sentence by sentence. */
typedef struct tz_lm_trainer tz_lm_trainer;

/* NULL when memory is out. */
tz_lm_trainer *tz_lm_trainer_new(void);
void tz_lm_trainer_free(tz_lm_trainer *trainer);
/* Adds a word to the sentence: UTF-8 without blanks, tabs and line ends; case matters. <unk> is
 * counted as an unknown word. TZ_BAD_ARGUMENT: <s> or </s>, which stand for a sentence's ends, or
 * no word; TZ_NO_MEMORY; TZ_TOO_LARGE: the text has 2^32 words. */
tz_status tz_lm_trainer_word(tz_lm_trainer *trainer, const char *text, size_t size);
/* Ends the sentence. A sentence without words is ignored. */
tz_status tz_lm_trainer_end(tz_lm_trainer *trainer);
/* Words and sentences so far. */
size_t tz_lm_trainer_words(const tz_lm_trainer *trainer);
size_t tz_lm_trainer_sentences(const tz_lm_trainer *trainer);

typedef struct tz_lm_settings {
    unsigned order;     /* 1..TZ_LM_ORDER */
    uint32_t min_count; /* words that occur less often become <unk> */
    /* n-grams that occur less often are left out, and their share of the probability goes to
     * backing off: cutoff[2..order], none less than the one before. 0 and 1 keep all. */
    uint32_t cutoff[TZ_LM_ORDER + 1];
    void (*progress)(void *user, const char *what); /* or NULL */
    void *user;
    tz_error *opt_error; /* the message of another rank that failed */
} tz_lm_settings;

/* Figures of the training. */
typedef struct tz_lm_report {
    double discount[TZ_LM_ORDER + 1][4]; /* [n][k], k = 1..3 */
    bool fallback[TZ_LM_ORDER + 1];      /* the discounts are the fixed ones */
    size_t sentences, words;             /* of the text */
    size_t unknown;                      /* occurrences of <unk> */
} tz_lm_report;

/* Learns a model from the sentences that have been ended. Of several ranks each has a share of
 * them; rank 0 gets the model, the others NULL. Its words are in the order of their bytes, and the
 * order of the sentences does not matter. TZ_NONE: there is no sentence; TZ_NO_MEMORY;
 * TZ_TOO_LARGE; TZ_BAD_ARGUMENT: settings out of range. Cost for T words of text, V different ones:
 * O(N^2 (T + V)) for counting, O(N^2 T log V) for looking up contexts; O(N T + V) memory. */
tz_status tz_lm_train(const tz_lm_trainer *trainer, const tz_lm_settings *settings, tz_lm **ret_lm,
                      tz_lm_report *opt_report);

#endif
