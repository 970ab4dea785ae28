/* train_splitter.h - paragraphs of treebanks, as the splitter learns from them.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_TRAIN_TRAIN_SPLITTER_H
#define TZ_SENTENCES_CLI_TRAIN_TRAIN_SPLITTER_H

#include "sentences/features/sentence/corpus.h"

/* The paragraphs of a CoNLL-U file (# newpar, # newdoc; PARAGRAPH sentences at most), each as a
 * sentence whose words are what the tokeniser finds in its text, with the labels of learn/split.h
 * as fine tags. share: every so manieth of the ranks. Returns 0, or the exit code after a message.
 */
int tz_paragraphs_read(const char *command, const char *name, bool share, tz_labels *labels,
                       tz_corpus *ret_corpus);

#endif
