/* labels_all.h - joins the names in the ranks' shares of a corpus into one list.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TRAIN_LABELS_ALL_H
#define TZ_SENTENCES_TRAIN_LABELS_ALL_H

#include "sentences/features/sentence/corpus.h"

/* Makes the labels of column TZ_UPOS, TZ_XPOS or TZ_DEPREL those of all ranks, in the order in
 * which they come in the file, and renumbers the corpus. TZ_NO_MEMORY; errors of ranks.h. */
tz_status tz_labels_all(tz_corpus *corpus, int column, tz_labels *labels, tz_error *opt_error);

#endif
