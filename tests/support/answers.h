/* answers.h - all that a lane of a chart answers, as lists of numbers, and how far two such lists
 * are apart. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_ANSWERS_H
#define TZ_TESTS_SUPPORT_ANSWERS_H

#include "problem.h"

typedef enum question {
    GOAL,    /* tz_item_values of the goal */
    INSIDE,  /* tz_item_values of every item */
    OUTSIDE, /* tz_item_value of every item */
    THROUGH, /* of every cell of every weight */
    MARGINALS,
    TANGENTS,    /* of the goal and of marginals; where the problem has a direction */
    DERIVATIONS, /* the best ones: scores, uses and proof trees */
    QUESTIONS,   /* up to here: those with the same answers, but for rounding, by any engine */
    ITEMS = QUESTIONS, /* tz_items, and tz_marginals and tz_through of items */
    SAMPLES,           /* with and without replacement */
    STRUCTURES,        /* the probability of the first sample's */
    RISK,              /* the derivation of minimum risk; where there is a decoder */
    ALL_QUESTIONS
} question;
extern const char *const question_name[ALL_QUESTIONS];

typedef struct numbers {
    double *at;
    size_t count, room;
} numbers;

typedef struct answers {
    numbers of[ALL_QUESTIONS];
} answers;

/* A lane of a chart, after tz_outside, and who asks it. */
typedef struct asking {
    const tz_rules *rules;
    const random_problem *problem;
    tz_chart *chart;
    size_t lane;
    tz_chart *opt_decoder; /* of the same rules, for minimum risk */
} asking;

/* Adds a question's numbers to a list. How a call ended is among them; what the semiring cannot be
 * asked leaves none. Fails the running test where one is NaN or memory is out. */
void read_answer(const asking *who, question question, numbers *to);
/* All of the first QUESTIONS. */
void read_answers(const tz_rules *rules, const random_problem *problem, tz_chart *chart,
                  size_t lane, answers *ret);
void free_answers(answers *answers);

/* The largest |a - b| / max(1, |b|), the size, of one question, with its place among the numbers; 0
 * where all have the same bits, INFINITY where one list is longer. Of `below` or less, numbers of
 * different bits are INFINITY apart. Of the tangent of a marginal, a difference, size is that of
 * its terms. */
double distance_of(const answers *a, const answers *b, question question, double below,
                   size_t *ret_place);

#endif
