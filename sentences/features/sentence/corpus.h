/* corpus.h - sentences as learning and decoding see them, from a CoNLL-U file or made by hand.
 *
 * Features see the hashes of `word`, and the heads where there is a tree; `tag`, `fine`, `head`,
 * `label` and `compression` are also what is right, where it is known. Multiword tokens and empty
 * nodes are no words. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_FEATURES_SENTENCE_CORPUS_H
#define TZ_SENTENCES_FEATURES_SENTENCE_CORPUS_H

#include "io/conllu/conllu.h"
#include "sentences/features/sentence/words.h"
#include "sentences/features/tables/labels.h"

struct tz_arena;
struct tz_outline;

enum { TZ_PADDING = 3 }; /* positions that may be read on either side of 0..n+1 */

/* All arrays but `word` are indexed by positions 0..words; entry 0 has no meaning. */
typedef struct tz_sentence {
    int32_t words;
    tz_word *word;     /* word[-TZ_PADDING] .. word[words + 1 + TZ_PADDING]; word[0]: the root;
                          NULL where nothing but the outline and the compression was kept */
    const char **form; /* as written */
    int32_t *head;     /* -1 unknown */
    int32_t *tag, *fine, *label; /* UPOS, XPOS, DEPREL as numbers of labels; -1: not among them */
    int32_t *compression; /* the tree of the compressed sentence: a head, -1 where the word is
                             dropped; NULL if there is none */
    const struct tz_outline *outline; /* what the compressor sees (outline.h); NULL until made */
    /* Scores that replace those of the compressor's model: of arcs and of bigrams, each an array
     * with two indices from 0; NULL: none. */
    const tz_scores *given;
    int32_t *same_fine, *same_coarse; /* the nearest word before with the same xpos, upos; -1:
                                         none */
    size_t line;                      /* where the sentence begins */
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
    tz_labels *labels[TZ_COLUMNS]; /* of TZ_UPOS, TZ_XPOS, TZ_DEPREL; NULL: not numbered */
    bool both;                     /* UPOS is numbered together with XPOS: "NOUN NN" */
    bool grow;                     /* names that are not among the labels become new ones */
    unsigned need;                 /* 1 << TZ_UPOS | ...: columns where `_` is an error */
    size_t limit;                  /* sentences at most; 0: all */
    size_t words;                  /* no further sentence after so many words; 0: any number */
} tz_corpus_options;

/* Reads the next sentences. Errors: of tz_conllu_next, also for `_` in a column that is needed;
 * then the corpus is empty. */
tz_status tz_corpus_read(tz_conllu *conllu, const tz_corpus_options *options, tz_corpus *ret_corpus,
                         tz_error *opt_error);
void tz_corpus_free(tz_corpus *corpus);

/* ---- Sentences by hand ----------------------------------------------------------------------- */

/* A sentence of so many words, 0..TZ_CONLLU_WORDS, with everything unknown and no compression.
 * Memory is the arena's. TZ_NO_MEMORY. */
tz_status tz_sentence_new(struct tz_arena *arena, int32_t words, tz_sentence *ret_sentence);
/* Sets word w, 1..words, to a non-empty UTF-8 form, which is copied. Its tags and label become
 * unknown. TZ_NO_MEMORY. */
tz_status tz_sentence_form(struct tz_arena *arena, tz_sentence *sentence, int32_t w,
                           const char *form);
/* Sets what features see in column TZ_UPOS, TZ_XPOS or TZ_DEPREL of word w. `_` as XPOS stands for
 * UPOS, which must be set before. */
void tz_sentence_column(tz_sentence *sentence, int32_t w, int column, const char *name);
/* Call when all tags are set: fills same_fine and same_coarse. Cost: words times different tags. */
void tz_sentence_tagged(tz_sentence *sentence);

#endif
