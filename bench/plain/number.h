/* number.h - the form and the algebra that a unit is compiled for. The same loops serve all forms:
 *
 *            number                    row, STEP of which are handled at once
 *   textbook a real                    a real
 *   vector   a real                    a vector of neighbouring numbers
 *   batch    one real of each lane     a number
 *
 * Compiled with PLAIN_FORM 0 (textbook), 1 (vector) or 2 (batch), PLAIN_SUMS 0 or 1, and
 * PLAIN_UNIT, what the unit is called. SPDX-License-Identifier: MIT */
#ifndef TZ_BENCH_PLAIN_NUMBER_H
#define TZ_BENCH_PLAIN_NUMBER_H

#include <stdbool.h>

#include "bench/plain/plain.h"
#include "bench/plain/vector.h"

#define TEXTBOOK (PLAIN_FORM == 0)
#define BATCH    (PLAIN_FORM == 2)
/* One sentence under max, with back-pointers. */
#define BACK_POINTERS (TEXTBOOK && !PLAIN_SUMS)

#if PLAIN_FORM == 0
typedef real number, row;
enum { STEP = 1, LANES = 1 };
#elif PLAIN_FORM == 1
typedef real number;
typedef vec row;
enum { STEP = V, LANES = 1 };
#else
typedef vec number, row;
enum { STEP = 1, LANES = V };
#endif

typedef ptrdiff_t size; /* of rows, columns, strides: in numbers */

/* row_of: a number in every element. Loads and stores may stand at any number. */
#if PLAIN_FORM == 0
INLINE row row_of(number a) {
    return a;
}
INLINE row row_load(const number *from) {
    return *from;
}
INLINE void row_store(number *to, row a) {
    *to = a;
}
#if PLAIN_SUMS
INLINE row row_plus(row a, row b) {
    return a + b;
}
INLINE row row_times(row a, row b) {
    return a * b;
}
INLINE row row_with(row sum, row a, row b) {
    return sum + a * b;
}
#else
INLINE row row_plus(row a, row b) {
    return a > b ? a : b;
}
INLINE row row_times(row a, row b) {
    return a + b;
}
INLINE row row_with(row sum, row a, row b) {
    return row_plus(sum, a + b);
}
#endif
#else
INLINE row row_plus(row a, row b) {
    return plus(a, b);
}
INLINE row row_times(row a, row b) {
    return times(a, b);
}
/* sum + a * b */
INLINE row row_with(row sum, row a, row b) {
    return add_product(sum, a, b);
}
#if BATCH
INLINE row row_of(number a) {
    return a;
}
INLINE row row_load(const number *from) {
    return *from;
}
INLINE void row_store(number *to, row a) {
    *to = a;
}
#else
INLINE row row_of(number a) {
    return all(a);
}
INLINE row row_load(const number *from) {
    return load(from);
}
INLINE void row_store(number *to, row a) {
    store(to, a);
}
#endif
#endif

/* The same of single numbers. */
#if PLAIN_FORM == 1 && PLAIN_SUMS
INLINE number number_plus(number a, number b) {
    return a + b;
}
INLINE number number_times(number a, number b) {
    return a * b;
}
#elif PLAIN_FORM == 1
INLINE number number_plus(number a, number b) {
    return a > b ? a : b;
}
INLINE number number_times(number a, number b) {
    return a + b;
}
#else
INLINE number number_plus(number a, number b) {
    return row_plus(a, b);
}
INLINE number number_times(number a, number b) {
    return row_times(a, b);
}
#endif

#if BATCH
#define NUMBER(a) all(a)
#else
#define NUMBER(a) (a)
#endif
/* number_zero, number_one */
#define NONE NUMBER(zero)
#define ONE  NUMBER(one)

/* One lane of a number. */
INLINE real lane_of(const number *a, int lane) {
    return ((const real *)a)[lane];
}

INLINE size whole_rows(size count) {
    return (count + STEP - 1) / STEP * STEP;
}

#define PLAIN_PASTE(a, b) a##_##b
#define PLAIN_JOIN(a, b)  PLAIN_PASTE(a, b)
/* The yardstick of a unit. */
#define YARDSTICK(name)                                                                            \
    extern const plain_yardstick PLAIN_JOIN(name, PLAIN_UNIT);                                     \
    const plain_yardstick PLAIN_JOIN(name, PLAIN_UNIT)

#endif
