/* treebank.h - CoNLL-U files as arguments. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_INPUT_TREEBANK_H
#define TZ_SENTENCES_CLI_INPUT_TREEBANK_H

#include "cli/text_file.h"
#include "sentences/features/sentence/corpus.h"

/* An open file and its reader. */
typedef struct tz_treebank {
    tz_text_file text;
    tz_conllu *conllu;
} tz_treebank;

/* NULL or "-" is standard input. Returns 0, or the exit code after a message. */
int tz_treebank_open(const char *command, const char *name, tz_treebank *ret_treebank);
void tz_treebank_close(tz_treebank *treebank);
/* From here on, only the sentences of this rank's share are read. */
void tz_treebank_share(tz_treebank *treebank);

/* Reads this rank's share of a file: of n ranks, every n-th sentence. Labels that grow are joined
 * over all ranks. Returns 0, or the exit code after a message; it is an error if no rank has a
 * sentence. */
int tz_treebank_read_share(const char *command, const char *name, const tz_corpus_options *options,
                           tz_corpus *ret_corpus);

/* Reads the whole file. Returns 0, or the exit code after a message; a file without sentences is an
 * error. */
int tz_treebank_read(const char *command, const char *name, const tz_corpus_options *options,
                     tz_corpus *ret_corpus);

#endif
