/* vector.h - vectors of elements that are one number each, float or double.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_VECTOR_H
#define TZ_KERNELS_VECTOR_H

typedef element number;

#include "numbers.h"

typedef numbers vector;
enum { VECTOR_REGISTERS = 1 }; /* that a vector of elements takes */
#define HOLD(a)               IN_REGISTER(a)
#define SET_ELEMENT(a, i, to) (a)[i] = (to)
#define vector_load           numbers_load
#define vector_store          numbers_store
#define vector_of             numbers_of
#define vector_pick           numbers_pick
#define vector_larger         numbers_larger
#define vector_smaller        numbers_smaller
#define vector_take           numbers_take
#define vector_exchange       numbers_exchange
#define vector_load_some      numbers_load_some
#define vector_store_part     numbers_store_part

/* zero where there is no part. */
static inline vector vector_load_part(const element *from, vector_part part) {
    return numbers_load_part(from, part, vector_of(zero));
}

/* zero where there is no part. */
static inline vector vector_keep(vector_part part, vector a) {
    return numbers_keep(part, a, vector_of(zero));
}

#endif
