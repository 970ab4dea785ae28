/* tuple.h - elements that are PARTS numbers each: vectors of them, as PARTS of numbers.
 *
 * Includes numbers.h. The file that includes it has defined PARTS, `number` and FIELDS(type), the
 * members of an element, all of them of that type; element is a struct of FIELDS(number). A vector
 * has the same members, vectors of numbers each: so a semiring's sum and product read alike for
 * both. In memory elements stand one after the other; they are dealt to the members as they are
 * loaded. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_TUPLE_H
#define TZ_KERNELS_TUPLE_H

#include "deal.h"

typedef struct vector {
    FIELDS(numbers)
} vector;

_Static_assert(sizeof(element) == PARTS * sizeof(number), "an element is PARTS numbers");
_Static_assert(sizeof(vector) == PARTS * sizeof(numbers), "a vector has the members of an element");

/* Members by their numbers. */
typedef union members {
    vector of;
    numbers at[PARTS];
} members;

enum { VECTOR_REGISTERS = PARTS };
#define HOLD(a) (void)(a)

#define SET_ELEMENT(a, i, to)                                                                      \
    do {                                                                                           \
        const element set = (to);                                                                  \
        UNROLLED for (int p = 0; p < PARTS; p++) {                                                 \
            ((number *)((numbers *)&(a) + p))[i] = ((const number *)&set)[p];                      \
        }                                                                                          \
    } while (0)

/* ---- From elements to members and back ------------------------------------------------------- */

#if (PARTS & (PARTS - 1)) == 0
FORCED void to_members(numbers a[PARTS]) {
    deal(a, PARTS);
}

FORCED void to_elements(numbers a[PARTS]) {
    take_together(a, PARTS);
}
#elif defined(__AVX512F__)
/* Chooses from the numbers of a, then of b, which are numbered after them. */
FORCED numbers numbers_choose(numbers a, vector_mask from, numbers b) {
    return SELECT((numbers)_mm512_permutex2var_ps((__m512)a, (__m512i)from, (__m512)b),
                  (numbers)_mm512_permutex2var_pd((__m512d)a, (__m512i)from, (__m512d)b));
}

FORCED void to_members(numbers a[PARTS]) {
    const vector_mask places = vector_places();
    numbers ret[PARTS];
    UNROLLED for (whole p = 0; p < PARTS; p++) {
        const vector_mask from = places * (whole)PARTS + p; /* among all numbers */
        ret[p] = numbers_choose(a[0], from & (whole)(2 * VECTOR_ELEMENTS - 1), a[1]);
        UNROLLED for (whole v = 2; v < PARTS; v++) {
            const vector_mask here = from >= v * VECTOR_ELEMENTS;
            const vector_mask at = from - (v - 1) * VECTOR_ELEMENTS;
            ret[p] = numbers_choose(ret[p], (at & here) | (places & ~here), a[v]);
        }
    }
    memcpy(a, ret, sizeof ret);
}

FORCED void to_elements(numbers a[PARTS]) {
    const vector_mask places = vector_places();
    numbers ret[PARTS];
    UNROLLED for (whole v = 0; v < PARTS; v++) {
        const vector_mask all = places + v * VECTOR_ELEMENTS, lane = all / (whole)PARTS;
        const vector_mask member = all - lane * (whole)PARTS;
        ret[v] = numbers_choose(a[0], lane + (member & 1) * VECTOR_ELEMENTS, a[1]);
        UNROLLED for (whole p = 2; p < PARTS; p++) {
            const vector_mask here = member == p;
            ret[v] = numbers_choose(
                ret[v], ((lane + (whole)VECTOR_ELEMENTS) & here) | (places & ~here), a[p]);
        }
    }
    memcpy(a, ret, sizeof ret);
}
#else
FORCED void to_members(numbers a[PARTS]) {
    number all[PARTS * VECTOR_ELEMENTS], ret[PARTS * VECTOR_ELEMENTS];
    memcpy(all, a, sizeof all);
    UNROLLED for (int p = 0; p < PARTS; p++) {
        UNROLLED for (int i = 0; i < VECTOR_ELEMENTS; i++) {
            ret[p * VECTOR_ELEMENTS + i] = all[i * PARTS + p];
        }
    }
    memcpy(a, ret, sizeof ret);
}

FORCED void to_elements(numbers a[PARTS]) {
    number all[PARTS * VECTOR_ELEMENTS];
    UNROLLED for (int p = 0; p < PARTS; p++) {
        UNROLLED for (int i = 0; i < VECTOR_ELEMENTS; i++) {
            all[i * PARTS + p] = a[p][i];
        }
    }
    memcpy(a, all, sizeof all);
}
#endif

/* ---- Loading and storing --------------------------------------------------------------------- */

/* The numbers of a part of a vector as it stands in memory: those in register v of PARTS. */
FORCED vector_part part_of_register(vector_part part, int v) {
#if defined(__AVX512F__)
    const int first = __builtin_ctz(part | 1u << VECTOR_ELEMENTS);
    const int end = 32 - __builtin_clz(part * 2u + 1) - 1;
#elif defined(__AVX2__)
    const unsigned bits =
        (unsigned)SELECT(_mm256_movemask_ps((__m256)part), _mm256_movemask_pd((__m256d)part));
    const int first = __builtin_ctz(bits | 1u << VECTOR_ELEMENTS);
    const int end = 32 - __builtin_clz(bits * 2u + 1) - 1;
#else
    const int first = part.first, end = part.end;
#endif
    return part_of(first * PARTS - v * VECTOR_ELEMENTS, end * PARTS - v * VECTOR_ELEMENTS);
}

FORCED vector vector_load(const element *from) {
    members ret;
    UNROLLED for (int v = 0; v < PARTS; v++) {
        ret.at[v] = numbers_load((const number *)from + v * VECTOR_ELEMENTS);
    }
    to_members(ret.at);
    return ret.of;
}

FORCED void vector_store(element *to, vector a) {
    members all = {a};
    to_elements(all.at);
    UNROLLED for (int v = 0; v < PARTS; v++) {
        numbers_store((number *)to + v * VECTOR_ELEMENTS, all.at[v]);
    }
}

FORCED vector vector_load_some(const element *from, vector_part part) {
    members ret;
    UNROLLED for (int v = 0; v < PARTS; v++) {
        ret.at[v] = numbers_load_some((const number *)from + v * VECTOR_ELEMENTS,
                                      part_of_register(part, v));
    }
    to_members(ret.at);
    return ret.of;
}

FORCED void vector_store_part(element *to, vector_part part, vector a) {
    members all = {a};
    to_elements(all.at);
    UNROLLED for (int v = 0; v < PARTS; v++) {
        numbers_store_part((number *)to + v * VECTOR_ELEMENTS, part_of_register(part, v),
                           all.at[v]);
    }
}

FORCED vector vector_of(element a) {
    members ret;
    UNROLLED for (int p = 0; p < PARTS; p++) {
        ret.at[p] = numbers_of(((const number *)&a)[p]);
    }
    return ret.of;
}

/* a where the mask is set, else b. */
FORCED __attribute__((unused)) vector vector_pick(vector_mask mask, vector a, vector b) {
    members ret = {a}, other = {b};
    UNROLLED for (int p = 0; p < PARTS; p++) {
        ret.at[p] = numbers_pick(mask, ret.at[p], other.at[p]);
    }
    return ret.of;
}

FORCED vector vector_take(vector a, vector_mask from) {
    members ret = {a};
    UNROLLED for (int p = 0; p < PARTS; p++) {
        ret.at[p] = numbers_take(ret.at[p], from);
    }
    return ret.of;
}

/* zero where there is no part. */
FORCED vector vector_keep(vector_part part, vector a) {
    members ret = {a};
    UNROLLED for (int p = 0; p < PARTS; p++) {
        ret.at[p] = numbers_keep(part, ret.at[p], numbers_of(((const number *)&zero)[p]));
    }
    return ret.of;
}

/* zero where there is no part. */
FORCED vector vector_load_part(const element *from, vector_part part) {
    return vector_keep(part, vector_load_some(from, part));
}

/* v[i][l] becomes v[l][i]. */
FORCED void vector_exchange(vector v[VECTOR_ELEMENTS]) {
    UNROLLED for (int p = 0; p < PARTS; p++) {
        numbers square[VECTOR_ELEMENTS];
        for (int i = 0; i < VECTOR_ELEMENTS; i++)
            square[i] = ((const numbers *)&v[i])[p];
        numbers_exchange(square);
        for (int i = 0; i < VECTOR_ELEMENTS; i++)
            ((numbers *)&v[i])[p] = square[i];
    }
}

#endif
