/* textbook.h - Eisner's algorithm as the textbooks print it: the yardstick that speed is told by.
 *
 * Eisner 1996, figures 3 and 4; Kuebler, McDonald & Nivre 2009, figure 4.6. Four square tables,
 * three nested loops, back-pointers. The root (position 0) may have several words: the trees of
 * rules/eisner.rules. SPDX-License-Identifier: MIT */
#ifndef TZ_BENCH_TEXTBOOK_H
#define TZ_BENCH_TEXTBOOK_H

#include <stddef.h>

/* Reals in a workspace for n words, and ints. */
static inline size_t textbook_cells(int n) {
    return 4 * ((size_t)n + 1) * ((size_t)n + 1);
}

/* The score of the best tree over words 1..n. arc[h * (n + 1) + m] scores m as a modifier of h;
 * chart and back have textbook_cells(n) elements, and back tells the tree. -INFINITY: there is
 * none. O(n^3). */
double textbook_f64(int n, const double *arc, double *chart, int *back);
float textbook_f32(int n, const float *arc, float *chart, int *back);

/* After that: heads[m] for 1 <= m <= n. Only where there is a tree. stack has 6 (n + 1) ints. */
void textbook_heads(int n, const int *back, int *heads, int *stack);

#endif
