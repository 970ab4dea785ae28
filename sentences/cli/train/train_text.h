/* train_text.h - the text of treebanks, as the splitter and the tokeniser learn from it.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_TRAIN_TRAIN_TEXT_H
#define TZ_SENTENCES_CLI_TRAIN_TRAIN_TEXT_H

#include "sentences/learn/task.h"

/* Reads the text of a CoNLL-U file for a task, with labels as fine tags. For tz_sentence_splitter,
 * its paragraphs (# newpar, # newdoc; PARAGRAPH sentences at most), each as a sentence of the words
 * that rules find in it (learn/split.h); for tz_word_tokeniser, its sentences, each as one of
 * characters (learn/find_words.h). train: of n ranks each has every n-th, and tokens that stand for
 * other words become labels, at most 100. opt_words: the
 * file of a model of words, instead of rules, for tz_sentence_splitter. Returns 0, or the exit code
 * after a message. */
int tz_train_text_read(const char *command, const char *name, const tz_task *task, bool train,
                       const char *opt_words, tz_labels *labels, tz_corpus *ret_corpus);

#endif
