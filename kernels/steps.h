/* steps.h - operations on columns of numbers, for semirings that are programs
 * (semirings/written.h).
 *
 * Each computes whole vectors of columns, which stand in arrays. Two operations, where the second
 * takes the result of the first, can be one function, which spares a store and a load. After
 * semirings/written.h, which gives the place of each in the list, and functions.h, `number` being
 * double. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_STEPS_H
#define TZ_KERNELS_STEPS_H

#include "picks.h"

/* `to` is none of the others. */
typedef void operate(number *restrict to, const number *a, const number *b, const number *c,
                     const number *d, size_t vectors);

#define A numbers_load(a + i)
#define B numbers_load(b + i)
#define C numbers_load(c + i)
#define D numbers_load(d + i)
#define STEP(name, expression)                                                                     \
    static void step_##name(number *restrict to, const number *a, const number *b,                 \
                            const number *c, const number *d, size_t vectors) {                    \
        (void)a, (void)b, (void)c, (void)d;                                                        \
        for (size_t i = 0; i < vectors * VECTOR_ELEMENTS; i += VECTOR_ELEMENTS)                    \
            numbers_store(to + i, expression);                                                     \
    }

#define OF_ADD(x, y)      ((x) + (y))
#define OF_SUBTRACT(x, y) ((x) - (y))
#define OF_MULTIPLY(x, y) ((x) * (y))
#define OF_DIVIDE(x, y)   ((x) / (y))
#define OF_MIN(x, y)      numbers_smaller(x, y)
#define OF_MAX(x, y)      numbers_larger(x, y)
#define OF_LESS(x, y)     is_larger(y, x)
#define OF_AT_MOST(x, y)  is_at_most(x, y)
#define OF_EQUAL(x, y)    is_equal(x, y)
#define OF_DIFFER(x, y)   is_other(x, y)

#define EACH_OF_TWO(OF)                                                                            \
    OF(ADD)                                                                                        \
    OF(SUBTRACT)                                                                                   \
    OF(MULTIPLY)                                                                                   \
    OF(DIVIDE)                                                                                     \
    OF(MIN)                                                                                        \
    OF(MAX)
#define FUSED_STEPS(f)                                                                             \
    STEP(f##_ADD, OF_##f(A, OF_ADD(B, C)))                                                         \
    STEP(f##_SUBTRACT, OF_##f(A, OF_SUBTRACT(B, C)))                                               \
    STEP(f##_MULTIPLY, OF_##f(A, OF_MULTIPLY(B, C)))                                               \
    STEP(f##_DIVIDE, OF_##f(A, OF_DIVIDE(B, C)))                                                   \
    STEP(f##_MIN, OF_##f(A, OF_MIN(B, C)))                                                         \
    STEP(f##_MAX, OF_##f(A, OF_MAX(B, C)))
#define TWO_STEPS(f) STEP(f, OF_##f(A, B))
#define COMPARISON(f)                                                                              \
    STEP(f, numbers_chosen(OF_##f(A, B), numbers_of(1), numbers_of(0)))                            \
    STEP(f##_PICK, numbers_chosen(OF_##f(A, B), C, D))

EACH_OF_TWO(TWO_STEPS)
EACH_OF_TWO(FUSED_STEPS)
COMPARISON(LESS)
COMPARISON(AT_MOST)
COMPARISON(EQUAL)
COMPARISON(DIFFER)
STEP(CHOOSE, numbers_chosen(is_other(A, numbers_of(0)), B, C))
STEP(NEGATE, -A)
STEP(ABS, numbers_abs(A))
STEP(SQRT, numbers_sqrt(A))
STEP(FLOOR, numbers_floor(A))
STEP(EXP, numbers_exp(A))
STEP(LOG, numbers_log(A))

#define NAMED(f) step_##f,
#define NAMED_FUSED(f)                                                                             \
    step_##f##_ADD, step_##f##_SUBTRACT, step_##f##_MULTIPLY, step_##f##_DIVIDE, step_##f##_MIN,   \
        step_##f##_MAX,
static operate *const step_of[TZ_STEPS] = {EACH_OF_TWO(NAMED) EACH_OF_TWO(NAMED_FUSED) step_LESS,
                                           step_AT_MOST,
                                           step_EQUAL,
                                           step_DIFFER,
                                           step_LESS_PICK,
                                           step_AT_MOST_PICK,
                                           step_EQUAL_PICK,
                                           step_DIFFER_PICK,
                                           step_CHOOSE,
                                           step_NEGATE,
                                           step_ABS,
                                           step_SQRT,
                                           step_FLOOR,
                                           step_EXP,
                                           step_LOG};

#undef A
#undef B
#undef C
#undef D

#endif
