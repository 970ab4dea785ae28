/* task.h - what can be learned: sentences, the structures a rule set derives for them, and the
 * features of its weights.
 *
 * An *answer* is a structure as one number per word: its tag, its head. It stands for cells of the
 * rule set's weights (tz_best's uses), and the score of a cell is the sum of its features' weights.
 * Decoding and training (decode.h, train.h) know nothing else of a task. SPDX-License-Identifier:
 * MIT */
#ifndef TZ_LEARN_TASK_H
#define TZ_LEARN_TASK_H

#include "learn/corpus.h"
#include "learn/template.h"

enum { TZ_TASK_WEIGHTS = 3 }; /* of a task's rule set at most */

typedef struct tz_cell {
    size_t weight;
    int32_t index[TZ_MAX_RANK];
} tz_cell;

typedef struct tz_task {
    const char *name;         /* "tagger": in model files */
    const char *const *rules; /* the rule sets that serve, the usual one first; then NULL */
    const char *measure;      /* "UPOS accuracy": share of words with the right answer */
    /* The last index of every weight is a label, and a feature has one weight for each label; else
     * it has one weight. */
    bool labelled;
    /* Which templates there are. */
    uint64_t (*templates)(void);
    /* The rule set's lengths. */
    void (*lengths)(const tz_sentence *sentence, size_t labels, int32_t *ret_lengths);
    /* The features of a cell. Labelled: of all cells that differ in the last index alone, which is
     * not read. */
    void (*features)(const tz_sentence *sentence, const tz_cell *cell, tz_features *features);
    /* The right answer, answer[1..words]. */
    const int32_t *(*gold)(const tz_sentence *sentence);
    /* The cells of an answer, at most 2 * words; a fixed cell for a fixed place where possible, so
     * that answers that agree there have the same. */
    size_t (*cells)(const tz_sentence *sentence, const int32_t *answer, tz_cell *ret_cells);
    /* The answer that a derivation stands for: answer[1..words]. */
    void (*answer)(const tz_derivation *derivation, int32_t *ret_answer);
} tz_task;

/* UPOS tags by a linear chain. */
extern const tz_task tz_tagger;
/* Heads by first-order projective parsing. */
extern const tz_task tz_parser;

/* NULL where there is none. */
const tz_task *tz_task_find(const char *name);

#endif
