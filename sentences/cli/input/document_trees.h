/* document_trees.h - gives the trees of documents, sentence by sentence: from a file, or by a
 * model.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_INPUT_DOCUMENT_TREES_H
#define TZ_SENTENCES_CLI_INPUT_DOCUMENT_TREES_H

#include "sentences/align/model/cover.h"
#include "sentences/align/texts/pair.h"
#include "sentences/cli/input/treebank.h"

typedef struct tz_document_trees {
    tz_treebank treebank;
    struct tz_analyser *analyser; /* NULL: from the file */
} tz_document_trees;

/* Exactly one of opt_file and opt_model is not NULL: a CoNLL-U file with the documents' sentences
 * in their order, or a model that tags, parses and labels. Returns 0, or the exit code after a
 * message; close it in either case. */
int tz_document_trees_open(const char *command, const char *opt_file, const char *opt_model,
                           unsigned threads, tz_document_trees *ret_trees);
/* Does nothing to a zeroed one. */
void tz_document_trees_close(tz_document_trees *trees);

/* The trees of the next document, which was read from `line` of `file`. Memory is the arena's;
 * names may be owned by `trees`. TZ_IO with FILE:LINE; where the words are not the document's, with
 * both places; TZ_NO_MEMORY. */
tz_status tz_document_trees_next(tz_document_trees *trees, tz_arena *arena, const tz_side *document,
                                 const char *file, size_t line,
                                 const tz_cover_sentence **ret_sentence, size_t *ret_sentences,
                                 tz_error *error);
/* After the last document. TZ_IO: the file goes on. */
tz_status tz_document_trees_end(tz_document_trees *trees, tz_error *error);

#endif
