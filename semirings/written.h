/* written.h - a semiring as a program: lists of operations on numbers, made from its text
 * (engine/plan/written). SPDX-License-Identifier: MIT */
#ifndef TZ_SEMIRINGS_WRITTEN_H
#define TZ_SEMIRINGS_WRITTEN_H

#include <trapeze/kernel.h>

enum {
    TZ_WRITTEN_PARTS = 8, /* numbers of an element */
    TZ_WRITTEN_CELLS = 96 /* of a function: arguments and operations */
};

typedef enum tz_operation {
    TZ_NUMBER,
    TZ_ADD,
    TZ_SUBTRACT,
    TZ_MULTIPLY,
    TZ_DIVIDE,
    TZ_MIN, /* a < b ? a : b */
    TZ_MAX, /* a > b ? a : b */
    TZ_LESS,
    TZ_AT_MOST,
    TZ_EQUAL,
    TZ_DIFFER,
    TZ_CHOOSE, /* a != 0 ? b : c */
    TZ_NEGATE,
    TZ_ABS,
    TZ_SQRT,
    TZ_FLOOR,
    TZ_EXP,
    TZ_LOG
} tz_operation;

/* An operation on the values of earlier cells a, b, c. */
typedef struct tz_written_op {
    tz_operation what;
    uint8_t a, b, c;
    double number;
} tz_written_op;

/* Places in the list of functions (kernels/steps.h), in the order of tz_operation: one operation
 * with two arguments; an operation on a and the result of another on b and c; comparisons of a and
 * b as numbers; comparisons of a and b that choose c or d; a choice by a number; operations with
 * one argument. */
enum {
    TZ_STEP_TWO,
    TZ_STEP_FUSED = TZ_STEP_TWO + 6,
    TZ_STEP_COMPARE = TZ_STEP_FUSED + 36,
    TZ_STEP_PICK = TZ_STEP_COMPARE + 4,
    TZ_STEP_CHOOSE = TZ_STEP_PICK + 4,
    TZ_STEP_ONE,
    TZ_STEPS = TZ_STEP_ONE + 6
};

/* A step of execution: an operation, or two where only the second uses the result of the first. */
typedef struct tz_written_step {
    uint8_t what, to, a, b, c, d; /* cells */
} tz_written_step;

/* Cells 0..arguments-1 are given; each further one is an operation. */
typedef struct tz_function {
    unsigned arguments, cells, results, steps;
    uint8_t result[TZ_WRITTEN_PARTS + 1];
    tz_written_op op[TZ_WRITTEN_CELLS];
    tz_written_step step[TZ_WRITTEN_CELLS];
} tz_function;

/* A block for free(). `semiring` comes first, and is all that other code uses. Elements are `parts`
 * doubles. */
typedef struct tz_written {
    tz_semiring semiring;
    size_t parts;
    double zero[TZ_WRITTEN_PARTS], one[TZ_WRITTEN_PARTS];
    tz_function plus, times, plus_times; /* of two elements, one part after the other; of three */
    tz_function lift;                    /* of a score and the inputs */
    tz_function values;                  /* of an element: the value, and further numbers */
    tz_function share;                   /* of two; no results: there are no shares */
    tz_input input[TZ_MAX_INPUTS];
    const char *part_name[TZ_WRITTEN_PARTS], *number_name[TZ_WRITTEN_PARTS + 1];
    char names[]; /* each ended by a zero byte */
} tz_written;

/* Applies the function to single numbers: ret[f->results]. */
void tz_written_apply(const tz_function *f, const double *argument, double *ret);
/* lift_inputs, and lift where `input` is NULL; n elements. */
void tz_written_lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                     const double *const *input, size_t n);
/* Sets the descriptor's functions and kernels, after all other members. */
void tz_written_finish(tz_written *w);
/* Is an element just its score? */
_Bool tz_written_is_score(const tz_written *w);
/* The program of a semiring given as text; else NULL. */
const tz_written *tz_written_of(const tz_semiring *semiring);

#endif
