/* columns.h - splits elements that stand side by side into arrays of their parts, and joins them
 * again; up to 8 parts.
 *
 * After numbers.h, and a constant ROW, how far arrays of parts are apart.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_COLUMNS_H
#define TZ_KERNELS_COLUMNS_H

#include "deal.h"

enum { MOST_DEALT = 8 };

/* Vectors that `n` columns take. */
static inline size_t vectors_of(size_t n) {
    return (n + VECTOR_ELEMENTS - 1) / VECTOR_ELEMENTS;
}

FORCED void deal_columns(const number *from, number (*to)[ROW], size_t columns, const int parts) {
    size_t i = 0;
    for (; (parts & (parts - 1)) == 0 && i + VECTOR_ELEMENTS <= columns; i += VECTOR_ELEMENTS) {
        numbers a[MOST_DEALT];
        for (int p = 0; p < parts; p++)
            a[p] = numbers_load(from + i * (size_t)parts + p * VECTOR_ELEMENTS);
        deal(a, parts);
        for (int p = 0; p < parts; p++)
            numbers_store(to[p] + i, a[p]);
    }
    for (; i < columns; i++)
        for (int p = 0; p < parts; p++)
            to[p][i] = from[i * (size_t)parts + (size_t)p];
}

FORCED void join_columns(number *to, const number *const *from, size_t columns, const int parts) {
    size_t i = 0;
    for (; (parts & (parts - 1)) == 0 && i + VECTOR_ELEMENTS <= columns; i += VECTOR_ELEMENTS) {
        numbers a[MOST_DEALT];
        for (int p = 0; p < parts; p++)
            a[p] = numbers_load(from[p] + i);
        take_together(a, parts);
        for (int p = 0; p < parts; p++)
            numbers_store(to + i * (size_t)parts + p * VECTOR_ELEMENTS, a[p]);
    }
    for (; i < columns; i++)
        for (int p = 0; p < parts; p++)
            to[i * (size_t)parts + (size_t)p] = from[p][i];
}

/* of(..., parts), a constant then. */
#define FOR_PARTS(parts, of, ...)                                                                  \
    switch (parts) {                                                                               \
    case 1:                                                                                        \
        of(__VA_ARGS__, 1);                                                                        \
        break;                                                                                     \
    case 2:                                                                                        \
        of(__VA_ARGS__, 2);                                                                        \
        break;                                                                                     \
    case 3:                                                                                        \
        of(__VA_ARGS__, 3);                                                                        \
        break;                                                                                     \
    case 4:                                                                                        \
        of(__VA_ARGS__, 4);                                                                        \
        break;                                                                                     \
    case 5:                                                                                        \
        of(__VA_ARGS__, 5);                                                                        \
        break;                                                                                     \
    case 6:                                                                                        \
        of(__VA_ARGS__, 6);                                                                        \
        break;                                                                                     \
    case 7:                                                                                        \
        of(__VA_ARGS__, 7);                                                                        \
        break;                                                                                     \
    default:                                                                                       \
        of(__VA_ARGS__, 8);                                                                        \
    }

#endif
