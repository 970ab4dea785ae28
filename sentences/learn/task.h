/* task.h - tasks to learn: sentences, the structures that a rule set derives for them, and the
 * features of its weights.
 *
 * An *answer* is a structure as one number per word: its tag, its head. It stands for cells of the
 * rule set's weights (tz_best's uses). The score of a cell is the sum of its *parts*, each of which
 * sees some of the cell's indices: sib[h,s,m] is the part of the arc (h,m) and that of the siblings
 * (h,s,m). A part is scored once for each tuple of indices that it sees, by the weights of its
 * features. Several rule sets may serve a task: its *variants*. Scoring, decoding and training
 * (score.h, decode.h, train.h) know nothing else of a task. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LEARN_TASK_H
#define TZ_SENTENCES_LEARN_TASK_H

#include "sentences/features/sentence/corpus.h"
#include "sentences/features/templates/template.h"

enum {
    TZ_TASK_WEIGHTS = 3, /* of a variant's rule set at most */
    TZ_TASK_PARTS = 8    /* of a variant at most */
};

typedef struct tz_cell {
    size_t weight;
    int32_t index[TZ_MAX_RANK];
} tz_cell;

/* Compares by weight, then indices. */
int tz_cell_compare(const tz_cell *a, const tz_cell *b);

typedef struct tz_part {
    const char *weight;         /* its cells are scored; several parts of one weight add up */
    unsigned rank;              /* how many of the cell's indices it sees, */
    uint8_t index[TZ_MAX_RANK]; /* and which */
    /* Features by templates over places, which is fast; NULL: none. */
    const tz_template_set *set;
    /* Adds other features for these indices, index[0..rank-1]; NULL: none. Called for indices of
     * declared cells (of those that set->look accepts); may add none where no derivation uses
     * them. */
    void (*features)(const tz_sentence *sentence, const int32_t *index, tz_features *features);
    uint64_t (*templates)(void); /* a hash that identifies these features */
} tz_part;

typedef struct tz_variant {
    const char *rules;   /* a built-in rule set; NULL: the end of a list */
    const tz_part *part; /* ends with weight NULL */
    /* The cells of an answer, at most 2 * words + 1. Where possible a word's cell has a fixed
     * place, so that answers that agree on the word have the same cell there. */
    size_t (*cells)(const tz_sentence *sentence, const int32_t *answer, tz_cell *ret_cells);
    /* The answer of a derivation: ret_answer[1..words]; entries that no use determines stay. */
    void (*answer)(const tz_derivation *derivation, int32_t *ret_answer);
} tz_variant;

typedef struct tz_task {
    const char *name;          /* "tagger": in model files */
    const tz_variant *variant; /* the usual one first */
    const char *measure;       /* name of the measure of right answers, "UPOS accuracy"; see
                                  agreement */
    int column;                /* the column of a CoNLL-U file with its answers */
    unsigned needs;            /* columns that its features need: 1 << TZ_HEAD, ... */
    /* The last index of every weight is a label, which no part sees, and a feature has one weight
     * for each label; else it has one weight. */
    bool labelled;
    /* The rule set's lengths. */
    void (*lengths)(const tz_sentence *sentence, size_t labels, int32_t *ret_lengths);
    /* The right answer, answer[1..words]. */
    const int32_t *(*gold)(const tz_sentence *sentence);
    /* How right an answer is, from 0 to 1, for a sentence with words; the mean over sentences is
     * reported. NULL: the share of words with the right answer, over all sentences. */
    double (*agreement)(const tz_sentence *sentence, const int32_t *answer);
} tz_task;

/* UPOS tags, XPOS tags, and the labels of a tree's arcs (DEPREL), by a linear chain. */
extern const tz_task tz_tagger, tz_fine_tagger, tz_labeller;
/* UPOS and XPOS together (joint.h), likewise. */
extern const tz_task tz_joint_tagger;
/* With which words of a paragraph sentences end (split.h), likewise. */
extern const tz_task tz_sentence_splitter;
/* With which characters of a sentence words end (find_words.h), likewise. */
extern const tz_task tz_word_tokeniser;
/* Heads by projective parsing. */
extern const tz_task tz_parser;
/* The tree of the compressed sentence: tz_sentence.compression. Sees the sentence's outline. */
extern const tz_task tz_compressor;

/* The task of this name, or NULL. */
const tz_task *tz_task_find(const char *name);
/* The variant of a rule set, or NULL. */
const tz_variant *tz_task_variant(const tz_task *task, const char *rules);
/* A hash of the features of its parts. A model fits only the features it was made with. */
uint64_t tz_variant_templates(const tz_variant *variant);

/* For .lengths: the one length n, the number of words. */
void tz_lengths_words(const tz_sentence *sentence, size_t labels, int32_t *ret_lengths);

#endif
