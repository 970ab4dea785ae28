/* wave.h - tables over two strings, in which a cell waits for its neighbours above and to the left.
 * One sentence: as many rows as a vector has elements are computed together, each a column behind
 * the one above it. SPDX-License-Identifier: MIT */
#ifndef TZ_BENCH_PLAIN_WAVE_H
#define TZ_BENCH_PLAIN_WAVE_H

#include "bench/plain/lift.h"

#if PLAIN_FORM == 1
/* Rows at a time, and what there is of a row left of column 0 and right of the last one. */
enum { WAVE = V, MARGIN = 2 * V };

/* The elements one further, after `first`. */
INLINE vec enter(vec a, real first) {
    vec b = all(first);
    return WINDOW(b, a, V - 1);
}

/* wave[s] has, in element r, column `at` + s - r of row r. */
INLINE void read_wave(vec wave[V], const real *rows, size stride, size at) {
    for (int r = 0; r < V; r++)
        wave[r] = load(rows + r * stride + at - r);
    transpose(wave);
}

/* Changes wave. */
INLINE void write_wave(real *rows, size stride, size at, vec wave[V]) {
    transpose(wave);
    for (int r = 0; r < V; r++)
        store(rows + r * stride + at - r, wave[r]);
}
#else
enum { WAVE = 1, MARGIN = 0 };
#endif

/* Columns 0..m with their margins, and as much after the last row as a wave needs. */
static inline size wave_stride(size m) {
    return whole_rows(m + 1) + 2 * MARGIN;
}

/* A table of rows 0..n, NONE everywhere: where row 0, column 0 is. */
static inline number *take_table(plain_room *room, size n, size m) {
    return take_empty(room, (n + 1 + WAVE) * wave_stride(m)) + MARGIN;
}

/* to[j] = from[last - j] for j of 0..last. */
static inline void turn(number *to, const number *from, size last) {
    for (size j = 0; j <= last; j++)
        to[j] = from[last - j];
}

#endif
