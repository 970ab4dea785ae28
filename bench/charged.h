/* charged.h - compressive parsing with at most so many words kept, as a C loop: the yardstick for
 * charged rule sets. SPDX-License-Identifier: MIT */
#ifndef TZ_BENCH_CHARGED_H
#define TZ_BENCH_CHARGED_H

#include <stddef.h>

/* Reals from one span to the next, a whole number of cache lines; and in a workspace for n words of
 * which `most` are kept, which should be aligned to them. */
static inline size_t charged_row(int most) {
    return ((size_t)most + 16) / 16 * 16;
}
static inline size_t charged_cells(int n, int most) {
    return 4 * ((size_t)n + 1) * ((size_t)n + 1) * charged_row(most);
}

/* The maximum over the derivations of rules/compress.rules that keep exactly `most` of n words.
 * arc[h * (n + 1) + m] and bigram[i * (n + 2) + j] as there; chart has charged_cells(n, most)
 * elements. -INFINITY: there is none. O(n^3 most^2), a span of w words keeping w at most. */
double charged_f64(int n, int most, const double *arc, const double *bigram, double *chart);
float charged_f32(int n, int most, const float *arc, const float *bigram, float *chart);

#endif
