/* lm.h - n-gram language models: the probability of a word given the words before it.
 *
 * A model of order N lists n-grams of 1 to N words with the log probability of the last word after
 * the others, and a backoff weight for the n-gram as a context. The probability of a word after a
 * context is that of the longest n-gram listed, times the backoff weights of the longer contexts
 * (Katz 1987; for interpolated models likewise, Chen & Goodman 1998, section 2.8). Models never
 * change once made and may be shared by threads.
 *
 * Words are numbered from 0; the first three numbers stand for <unk>, <s> and </s> in every model.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LM_LM_H
#define TZ_SENTENCES_LM_LM_H

#include <stdbool.h>
#include <stdio.h>

#include <trapeze/trapeze.h>

enum { TZ_LM_ORDER = 8 }; /* most words of an n-gram */
enum {
    TZ_LM_UNKNOWN, /* <unk>: every word that is not in the model */
    TZ_LM_BEGIN,   /* <s>: before the first word; its own probability is 0 in trained models */
    TZ_LM_END,     /* </s>: after the last word */
    TZ_LM_SPECIAL  /* how many these are */
};

typedef struct tz_lm tz_lm;

void tz_lm_free(tz_lm *lm);
/* The model's order, 1..TZ_LM_ORDER. */
unsigned tz_lm_order(const tz_lm *lm);
/* The number of n-grams of n words, 1 <= n <= order; for n = 1 <unk>, <s> and </s> are included. */
size_t tz_lm_count(const tz_lm *lm, unsigned n);
/* The number of a word, TZ_LM_UNKNOWN where it is not in the model. Constant time. */
uint32_t tz_lm_word(const tz_lm *lm, const char *text, size_t size);
/* The text of a word < tz_lm_count(lm, 1); owned by the model. */
const char *tz_lm_text(const tz_lm *lm, uint32_t word);

/* True where the model's file had no <unk>: unknown words then have the probability of the rarest
 * word that it lists, so that probabilities sum to more than 1. ret_log_prob: that of <unk>, a
 * natural log. */
bool tz_lm_floor(const tz_lm *lm, double *ret_log_prob);

/* log P(word | before[0] ... before[count-1]), a natural log; before[count-1] is the word just
 * before. Only the last order - 1 words count. -INFINITY: impossible, as <s> is. A word out of
 * range is <unk>. Over all words but <s> the probabilities sum to 1, if those of the model do.
 * Cost: O(N^2 log V) at most, N words of context; one binary search for a bigram that is listed.
 *
 * With one word of context this is the bigram probability log P(w_j | w_i). In a model of order 2
 * it is the usual one. In a model of a higher order it is the estimate for backing off, which
 * counts contexts instead of occurrences (Kneser & Ney 1995) and is worse when used alone. */
double tz_lm_log_prob(const tz_lm *lm, const uint32_t *before, size_t count, uint32_t word);
/* The log probability of a sentence: its words after <s>, then </s>. */
double tz_lm_sentence(const tz_lm *lm, const uint32_t *word, size_t words);

/* The next word of a line of words between blanks, tabs and CRs: moves *text behind it and returns
 * its beginning, NULL at the end of the line. */
const char *tz_lm_next(const char **text, size_t *ret_size);

/* ---- Files --------------------------------------------------------------------------------- */

/* Reads an ARPA file, called `name` in messages. Text before \data\ is skipped; orders go up to
 * TZ_LM_ORDER; fields are separated by blanks or tabs; backoff weights may be missing (then 1), and
 * are ignored in the highest order; a log of -99 or less is -INFINITY; <UNK> is <unk>. <s> and </s>
 * may be missing, and are then impossible; so may <unk> (tz_lm_floor). Every n-gram's first n-1
 * words must be listed. TZ_IO with FILE:LINE, TZ_NO_MEMORY, TZ_TOO_LARGE. Cost: O(N (size + V)). */
tz_status tz_lm_read(FILE *file, const char *name, tz_lm **ret_lm, tz_error *opt_error);
/* Writes an ARPA file that reads back as the same model, n-grams in the order of word numbers; a
 * backoff weight of 1 is left out. TZ_IO: errno says why. */
tz_status tz_lm_write(const tz_lm *lm, FILE *file);

#endif
