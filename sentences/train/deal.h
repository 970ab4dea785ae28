/* deal.h - deals the sentences of a corpus out to ranks: each holds only its share.
 *
 * Every rank knows a sentence by its number, in the order of the file, and its number of words.
 * Which rank holds it may change: before each epoch sentences are dealt anew, so that every batch
 * has equal work for all. A single rank holds all. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TRAIN_DEAL_H
#define TZ_SENTENCES_TRAIN_DEAL_H

#include "sentences/features/outline/outline.h"

typedef struct tz_deal {
    size_t count;           /* of sentences that have words, on all ranks */
    size_t words;           /* of theirs */
    int32_t *length;        /* [count]: words of each */
    uint32_t *holder;       /* [count]: the rank that has it */
    tz_sentence **held;     /* [count]: NULL where another rank has it */
    struct tz_arena *arena; /* where those were that were dealt */
} tz_deal;

/* Makes a deal of the sentences that this rank has read, which are known by the lines where they
 * begin. With several ranks the corpus is emptied when they are dealt out. A sentence with an
 * outline is dealt with it and its compression. TZ_NO_MEMORY; errors of ranks.h. */
tz_status tz_deal_new(tz_corpus *corpus, tz_deal **ret_deal, tz_error *opt_error);
void tz_deal_free(tz_deal *deal);

/* Sentence i goes to rank to[i]. Likewise; in an error the corpus is of no more use. */
tz_status tz_deal_out(tz_deal *deal, tz_corpus *corpus, const uint32_t *to, tz_error *opt_error);

/* Deals the sentences order[first..first + count - 1] so that all ranks have like work, where one
 * of n words is work[n]: writes to[] of them. load: [tz_ranks()], of what was dealt before.
 * TZ_NO_MEMORY. */
tz_status tz_deal_evenly(const tz_deal *deal, const size_t *order, size_t count, const double *work,
                         double *load, uint32_t *to);

/* One number for each sentence, of whoever holds it, to all. Errors of ranks.h. */
tz_status tz_deal_tell(const tz_deal *deal, uint64_t *number, tz_error *opt_error);

#endif
