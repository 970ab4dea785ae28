/* analyse.h - takes sentences through the models of a pack, stage by stage: each stage sees what
 * those before it found. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LEARN_ANALYSE_H
#define TZ_SENTENCES_LEARN_ANALYSE_H

#include "sentences/learn/decode_compress.h"
#include "sentences/learn/pack.h"
#include "sentences/text/layout.h"
#include "sentences/text/tokens.h"

/* The stages, in their order. */
typedef enum tz_stage {
    TZ_STAGE_TAG,      /* UPOS */
    TZ_STAGE_FINE,     /* XPOS */
    TZ_STAGE_PARSE,    /* HEAD */
    TZ_STAGE_LABEL,    /* DEPREL */
    TZ_STAGE_COMPRESS, /* the tree of the compressed sentence, */
    TZ_STAGE_DELETE,   /* or the same by a grammar of deletions */
    TZ_STAGE_TREE,     /* the tree of constituents */
    TZ_STAGES
} tz_stage;

/* The name of a stage's model in messages. */
const char *tz_stage_name(tz_stage stage);
/* The stages whose results this one uses: 1 << tz_stage each. */
unsigned tz_stages_before(tz_stage stage);

/* A sentence that is being analysed. Memory is the arena's. */
typedef struct tz_analysed {
    struct tz_arena *arena;
    tz_sentence sentence;
    const char **name[TZ_COLUMNS]; /* of UPOS, XPOS, DEPREL: name[c][1..words], "_" unknown */
    const bool *within; /* within[w]: word w and the one before are of one token; NULL: none is */
    unsigned todo;      /* 1 << tz_stage: those to go through */
    int64_t keep, most; /* words of the compression: from keep to most, or exactly keep if `most` is
                           0; keep 0: the number that scores best */
    bool wary;          /* with keep 0: text that is not like news loses only adjuncts */
    const struct tz_tree *tree; /* of constituents (trees/tree.h); NULL: not found */
    const double *kept; /* kept[0..words-1]: P(word is kept), by deletions; NULL: not known */
} tz_analysed;

/* Makes a sentence of tokens, with everything else unknown. TZ_NO_MEMORY. */
tz_status tz_analysed_tokens(struct tz_arena *arena, const char *line, const tz_token *token,
                             size_t count, tz_analysed *ret);
/* Makes a sentence of a CoNLL-U file, read with its rows; the columns that the file fills are
 * known. TZ_NO_MEMORY. */
tz_status tz_analysed_conllu(struct tz_arena *arena, const tz_sentence *sentence, tz_analysed *ret);
/* Finds the words of a compression that are shown, ret_shown[0..words-1]: the kept words, and where
 * a token stands for several words, with each of them the one that has the token. token: where the
 * words stand. */
void tz_analysed_shown(const tz_analysed *item, const tz_token *token, bool *ret_shown);
/* Is the result of a stage unknown for some word? */
bool tz_analysed_lacks(const tz_analysed *item, tz_stage stage);

typedef struct tz_analyser tz_analyser;

/* stages: 1 << tz_stage of those to be loaded, as far as the pack has them. The pack may be freed
 * afterwards. threads: at least 1. TZ_IO: a section is damaged; TZ_NO_MEMORY. */
tz_status tz_analyser_new(const tz_pack *pack, unsigned stages, unsigned threads,
                          tz_analyser **ret_analyser, tz_error *opt_error);
void tz_analyser_free(tz_analyser *analyser);
/* The stages that were loaded. */
unsigned tz_analyser_stages(const tz_analyser *analyser);
/* The grammar of deletions (delete.h); NULL: not loaded. */
struct tz_deleter *tz_analyser_deleter(const tz_analyser *analyser);
/* Does the compressor have neural scores? */
bool tz_analyser_neural(const tz_analyser *analyser);
/* Sets how the compressor decodes; at first, the best under all guards. Does nothing if no
 * compressor was loaded. */
void tz_analyser_compress(tz_analyser *analyser, const tz_compress_how *how);
/* The model of the ends of sentences; NULL: the pack has none. */
const tz_model *tz_analyser_splitter(const tz_analyser *analyser);
/* The model of the words of a sentence; likewise. */
const tz_model *tz_analyser_tokeniser(const tz_analyser *analyser);
/* The model that parses; NULL: not loaded. */
const tz_model *tz_analyser_parser(const tz_analyser *analyser);

/* Takes each sentence through the stages of its `todo` that were loaded. The results do not depend
 * on the number of threads, nor on the other sentences. TZ_NO_MEMORY, TZ_TOO_LARGE, ... */
tz_status tz_analyse(tz_analyser *analyser, tz_analysed *const *item, size_t count,
                     tz_error *opt_error);

/* ---- Lengths of compressions ----------------------------------------------------------------- */

typedef enum tz_length_kind {
    TZ_LENGTH_FREE,
    TZ_LENGTH_WARY, /* free, but text that is not prose or is written like law is kept whole, and
                       text that is not news loses only adjuncts */
    TZ_LENGTH_RATE, /* a rate, or from rate to rate_most where rate_most > 0 */
    TZ_LENGTH_KEEP,
    TZ_LENGTH_DROP
} tz_length_kind;

typedef struct tz_length {
    tz_length_kind kind;
    double rate, rate_most; /* 0..1 */
    long words;             /* to be kept or dropped */
} tz_length;

/* The length for a model of news if nothing is known of its text: a free length becomes a wary one,
 * since such a model's compressions of law are worse than the whole text. */
tz_length tz_length_wary(tz_length length);

/* The numbers for tz_analysed.keep and .most, for a sentence word[0..n-1] of a line of this kind:
 * floor(rate n + 1/2), `words`, or n - words; for two rates all numbers between them, or the
 * nearest if there is none; at least 1, at most n; 0 for a free length or n = 0. For a wary length
 * n (the sentence is written like law or a note, or the line is no prose) or 0. */
tz_words tz_length_of(const tz_length *length, tz_line_kind kind, const char *const *word,
                      int32_t n);

#endif
