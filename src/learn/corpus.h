/* corpus.h - sentences of a CoNLL-U file as learning and decoding see them.
 *
 * Multiword tokens and empty nodes are no words. SPDX-License-Identifier: MIT */
#ifndef TZ_LEARN_CORPUS_H
#define TZ_LEARN_CORPUS_H

#include "io/conllu.h"
#include "learn/labels.h"
#include "learn/words.h"

enum { TZ_PADDING = 2 }; /* positions that may be looked at on either side of 0..n+1 */

typedef struct tz_sentence {
    int32_t words;
    const tz_word *word; /* word[-TZ_PADDING] .. word[words + 1 + TZ_PADDING]; word[0]: the root */
    int32_t *head;       /* head[1..words]; -1 unknown */
    int32_t *tag;        /* tag[1..words], a label of the corpus; -1 none of them */
    const int32_t *same_fine, *same_coarse; /* [1..words]: the last word before with the same xpos,
                                               upos; -1 if there is none */
    size_t line;                            /* where it begins */
    /* Kept on request: the rows of the file. */
    size_t rows;
    const tz_conllu_row *row;
} tz_sentence;

typedef struct tz_corpus {
    size_t count;
    tz_sentence *sentence;
    size_t words; /* in all */
    struct tz_arena *arena;
} tz_corpus;

typedef struct tz_corpus_options {
    bool keep_rows;
    bool grow_tags;  /* tags that are not among the labels become new ones */
    bool need_tags;  /* `_` as a tag is an error, */
    bool need_heads; /* and so as a head */
    size_t limit;    /* sentences at most; 0: all */
    size_t words;    /* no further sentence after so many words; 0: any number */
} tz_corpus_options;

/* Reads the next sentences. tags: names of UPOS labels. Errors: of tz_conllu_next, also for what
 * is needed and not there; then the corpus is empty. */
tz_status tz_corpus_read(tz_conllu *conllu, const tz_corpus_options *options, tz_labels *tags,
                         tz_corpus *ret_corpus, tz_error *opt_error);
void tz_corpus_free(tz_corpus *corpus);

#endif
