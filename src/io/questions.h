/* questions.h - the questions about a problem besides its value: one table, by which every format
 * writes its answers, and the command knows which questions a semiring answers.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_QUESTIONS_H
#define TZ_IO_QUESTIONS_H

#include <trapeze/trapeze.h>

/* In the order of results. */
typedef enum tz_ask {
    TZ_ASK_ITEMS,
    TZ_ASK_BEST,
    TZ_ASK_KBEST,
    TZ_ASK_SAMPLES,
    TZ_ASK_MARGINALS,
    TZ_ASK_ITEM_MARGINALS,
    TZ_ASK_MAX_MARGINALS,
    TZ_ASK_ITEM_MAX_MARGINALS,
    TZ_ASK_DERIVATION,
    TZ_ASK_MIN_RISK,
    TZ_QUESTIONS
} tz_ask;

typedef struct tz_questions {
    size_t wanted[TZ_QUESTIONS]; /* number of structures of a list, of names of items; else 1; 0:
                                    not asked */
    const size_t *item;          /* [wanted[TZ_ASK_ITEMS]] */
    bool path;                   /* for every derivation, also its uses in order */
    bool distinct;               /* k best: each structure once; */
    double within;               /* k best: at most so much below the best; INFINITY: any */
    bool without_replacement;    /* samples */
    uint64_t seed;               /* of the samples, see tz_seed_at */
} tz_questions;

/* A solved problem, and the questions about it. */
typedef struct tz_asking {
    const tz_questions *questions;
    tz_chart *chart;
    size_t lane;
    uint64_t seed;     /* of its samples */
    tz_chart *decoder; /* of another plan, for TZ_ASK_MIN_RISK */
    bool none;         /* there is no derivation */
    tz_error *error;   /* for a message of why it cannot be answered; or NULL */
} tz_asking;

/* Takes derivation k of a list; any status but TZ_OK ends the list. The next derivation may reuse
 * its memory. */
typedef tz_status tz_take(void *user, size_t k, const tz_derivation *derivation);

/* The form of an answer: a number for each cell of a weight, or for each item of a name; a
 * structure or a list of them; a proof tree. */
typedef enum tz_answer_form {
    TZ_FORM_CELLS,
    TZ_FORM_ITEMS,
    TZ_FORM_ONE,
    TZ_FORM_LIST,
    TZ_FORM_TREE
} tz_answer_form;

typedef struct tz_question {
    const char *key;    /* in results */
    const char *option; /* of the command; NULL: comes with others */
    tz_answer_form form;
    /* The semirings that answer: any; those whose sum picks one derivation; those whose sum is a
     * log total, or a total, of which each derivation has a share. */
    enum { TZ_OF_ANY, TZ_OF_PATH, TZ_OF_LOG_TOTAL, TZ_OF_TOTAL } semirings;
    bool outside; /* takes tz_run_options.outside */

    /* Numbers: asked about `first` + a weight or item. */
    tz_status (*numbers)(tz_chart *chart, size_t lane, size_t which, const tz_output *output);
    size_t first;
    double nothing; /* the number where it writes none, or where there is no derivation */

    /* Structures: passes the number wanted to `take`, fewer where there are fewer. TZ_OK; errors of
     * tz_best, tz_kbest_next, tz_sampler_next, tz_bind_risk, and of `take`, but for TZ_NONE. */
    tz_status (*structures)(const tz_asking *asking, tz_take *take, void *user);
} tz_question;

extern const tz_question tz_question_table[TZ_QUESTIONS];

/* How many answers to a question are wanted; 0: it is not asked. */
size_t tz_asked(const tz_questions *questions, tz_ask which);

/* A different seed for every place of the input, from 1. */
static inline uint64_t tz_seed_at(uint64_t seed, uint64_t place) {
    return seed + place * 0x9e3779b97f4a7c15u;
}

#endif
