/* pcfg_problem.h - makes the part of a grammar (pcfg.h) that matters for a sentence a problem of
 * the rule set `pcfg`.
 *
 * The goal of the rule set is label 0. It stands for all labels of roots: each of their rules has a
 * copy with 0 in the label's place, times the label's probability as a root; of equal copies only
 * the likelier one is kept.
 *
 * A sentence that has no tree is derived in pieces: the goal stands for any constituent, and is a
 * piece with more pieces on its right. Words whose tag the grammar does not know are pieces, too.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TREES_PCFG_PROBLEM_H
#define TZ_SENTENCES_TREES_PCFG_PROBLEM_H

#include "sentences/trees/pcfg.h"

/* Labels outside the grammar: words of unknown tags; a piece with more pieces on its right. */
#define TZ_PCFG_UNKNOWN (TZ_NO_NODE - 1)
#define TZ_PCFG_GLUE    (TZ_NO_NODE - 2)

/* Data computed once for a grammar, and memory that sentences share. */
typedef struct tz_pcfg_scratch {
    const tz_pcfg *pcfg;
    size_t binary, word; /* weights of the rule set */
    uint64_t uses;       /* of all labels of constituents */
    /* of the sentence at hand */
    uint8_t *mark;   /* of labels */
    int32_t *number; /* of labels */
    int32_t *tag;    /* [words]: numbers of tags; -1 unknown */
    size_t tag_capacity;
} tz_pcfg_scratch;

/* TZ_NO_MEMORY. Free *ret_scratch in any case. */
tz_status tz_pcfg_scratch_new(const tz_pcfg *pcfg, tz_pcfg_scratch *ret_scratch);
void tz_pcfg_scratch_free(tz_pcfg_scratch *scratch);

/* A rule with labels of one sentence, in which the goal is 0. */
typedef struct tz_pcfg_entry {
    int32_t a, b, c; /* for a -> word, b is the word and c is 0 */
    uint32_t label;  /* the grammar's label that a stands for */
    double score;
} tz_pcfg_entry;

typedef struct tz_pcfg_problem {
    uint32_t words;
    bool pieces;
    uint32_t *label;      /* [1..labels-1]: the grammar's labels */
    int32_t labels;       /* number, with the goal's */
    int32_t unknown;      /* the label of words with an unknown tag; 0: there are none */
    tz_pcfg_entry *entry; /* rules, then words; first those of the goal */
    size_t rules, entries, capacity;
    int32_t *index; /* of rules, three numbers each, then of words, two each */
    double *score;
    int32_t lengths[2];  /* for tz_problem, */
    tz_scores scores[2]; /* likewise */
} tz_pcfg_problem;

/* Makes the problem of a sentence; `pieces`: one without a tree. TZ_NO_MEMORY. Free *ret_problem in
 * any case. Cost: a few times the number of rules. */
tz_status tz_pcfg_problem_new(tz_pcfg_scratch *scratch, const tz_tree_word *word, uint32_t words,
                              bool pieces, tz_pcfg_problem *ret_problem);
void tz_pcfg_problem_free(tz_pcfg_problem *problem);

/* The grammar's label that the goal stands for in a derivation, over labels b and c or over word
 * b. */
uint32_t tz_pcfg_standing(const tz_pcfg_problem *problem, bool word, int32_t b, int32_t c);

#endif
