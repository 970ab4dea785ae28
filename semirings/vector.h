/* vector.h - the widest vectors of the instruction set that a kernel is compiled for, of `element`,
 * which is float or double. SPDX-License-Identifier: MIT */
#ifndef TZ_SEMIRINGS_VECTOR_H
#define TZ_SEMIRINGS_VECTOR_H

#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif

typedef element vector __attribute__((vector_size(VECTOR_BYTES)));
/* The same where it may stand at any element. */
typedef element loose_vector
    __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(element)), may_alias));
/* All bits of an element set or none. */
typedef __typeof__((vector){0} < (vector){0}) vector_mask;

enum { VECTOR_ELEMENTS = VECTOR_BYTES / sizeof(element) };

static inline vector vector_load(const element *from) {
    return *(const loose_vector *)from;
}

static inline void vector_store(element *to, vector a) {
    *(loose_vector *)to = a;
}

static inline vector vector_of(element a) {
    return a - (vector){0};
}

/* a where the mask is set, else b. */
static inline vector vector_pick(vector_mask mask, vector a, vector b) {
    return (vector)(((vector_mask)a & mask) | ((vector_mask)b & ~mask));
}

#endif
