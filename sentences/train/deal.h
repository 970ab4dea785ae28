/* deal.h - deals the sentences of a corpus out to ranks: each holds only its share.
 *
 * Every rank knows a sentence by its number, in the order of the file, and its number of words.
 * Which rank holds it may change: before each epoch sentences are dealt anew, so that every batch
 * has equal work for all. A single rank holds all. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TRAIN_DEAL_H
#define TZ_SENTENCES_TRAIN_DEAL_H

#include "sentences/features/outline/outline.h"

typedef struct tz_deal {
    size_t count;           /* number of sentences with words, on all ranks */
    size_t words;           /* number of their words */
    int32_t *length;        /* [count]: words of each */
    uint32_t *holder;       /* [count]: the rank that has it */
    tz_sentence **held;     /* [count]: NULL where another rank has it */
    struct tz_arena *arena; /* memory of sentences dealt to this rank */
} tz_deal;

/* Makes a deal of the sentences that this rank has read, which the lines where they begin identify.
 * With several ranks the corpus is emptied when they are dealt out. A sentence with an outline is
 * dealt with it and its compression. TZ_NO_MEMORY; errors of ranks.h. */
tz_status tz_deal_new(tz_corpus *corpus, tz_deal **ret_deal, tz_error *opt_error);
void tz_deal_free(tz_deal *deal);

/* Sends sentence i to rank to[i]. Errors likewise; after one the corpus cannot be used. */
tz_status tz_deal_out(tz_deal *deal, tz_corpus *corpus, const uint32_t *to, tz_error *opt_error);

/* Deals the sentences order[first..first + count - 1] so that all ranks have about the same work,
 * where a sentence of n words is work[n]: writes their to[]. load: [tz_ranks()], the work dealt
 * before; updated. TZ_NO_MEMORY. */
tz_status tz_deal_evenly(const tz_deal *deal, const size_t *order, size_t count, const double *work,
                         double *load, uint32_t *to);

/* Gives all ranks the number of each sentence from the rank that holds it. Errors of ranks.h. */
tz_status tz_deal_tell(const tz_deal *deal, uint64_t *number, tz_error *opt_error);

#endif
