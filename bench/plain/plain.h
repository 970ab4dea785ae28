/* plain.h - yardsticks: one rule set under one algebra, as a programmer would write it who needs no
 * other: without rules, plan or interpreter. They tell how fast the library could be.
 *
 * Three forms of each:
 *   textbook  one number at a time. Under max with back-pointers, loops as the textbooks have them;
 *             under log the loops of the other forms, run number by number.
 *   vector    one sentence, with vectors along labels or positions.
 *   batch     as many sentences side by side as a vector has elements, each with its own scores.
 *
 * Two algebras: max in float, with best derivations; the sum of exp(score) in double, in the linear
 * domain, with marginals, forward and backward by hand. All but the textbook find best derivations
 * by looking for the split once more.
 *
 * Against the library they have it easy: their caller knows a scale that suffices, their bits
 * differ between machines, they sum in any order, check no score, and have no fallback where a
 * number leaves its range. SPDX-License-Identifier: MIT */
#ifndef TZ_BENCH_PLAIN_PLAIN_H
#define TZ_BENCH_PLAIN_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <trapeze/trapeze.h>

typedef enum plain_algebra { PLAIN_MAX, PLAIN_LOG, PLAIN_ALGEBRAS } plain_algebra;
typedef enum plain_form { PLAIN_TEXTBOOK, PLAIN_VECTOR, PLAIN_BATCH, PLAIN_FORMS } plain_form;

/* Memory that is taken piece by piece, and all given back at once. */
typedef struct plain_room plain_room;
/* bytes at a line of the cache, not cleared; ends the program where memory is out. */
void *plain_take(plain_room *room, size_t bytes);

/* Scores stand contiguously, row-major for the shape (tz_rules_shape) or entry after entry: float
 * under max, double under log. */
typedef struct plain_problem {
    const int32_t *length;
    const tz_scores *scores;         /* [weight] */
    const tz_input_numbers *numbers; /* [input], contiguous */
    double scale; /* log: log Z / steps, so that no sum leaves the range of double */
} plain_problem;

/* Score `cell` of a weight's data is used once. */
typedef struct plain_use {
    int32_t weight;
    size_t cell;
} plain_use;

typedef struct plain_answer {
    double value;      /* the best score, or log Z */
    plain_use *use;    /* max: of the best derivation, in any order; there is room */
    size_t uses;       /* how many */
    double **marginal; /* log: [weight], like the data; NULL: not wanted */
} plain_answer;

/* Of problems of the same lengths; sparse weights have the same entries. */
typedef struct plain_yardstick {
    const char *rules;
    size_t lanes; /* problems that are solved at a time */
    void (*solve)(plain_room *room, const plain_problem *problem, plain_answer *answer);
    /* Uses of a derivation at most, and in how many steps each derivation scales its scores. */
    size_t (*uses)(const int32_t *length);
    double (*steps)(const int32_t *length);
} plain_yardstick;

/* NULL: there is none for these rules, or the machine lacks the instruction set. */
const plain_yardstick *plain_find(const char *rules, plain_algebra algebra, plain_form form,
                                  tz_isa isa);

plain_room *plain_room_new(void);
void plain_room_free(plain_room *room);
/* Solves yardstick->lanes problems in the room's memory. */
void plain_solve(const plain_yardstick *yardstick, plain_room *room, const plain_problem *problem,
                 plain_answer *answer);

#endif
