/* charged.c - see charged.h. Compiled once with TZ_REAL_BITS 32 and once with 64.
 *
 * What a good C programmer writes without intrinsics: the amounts of a span stand side by side, the
 * innermost loop adds one amount's score to a row of the other's, which compilers make vectors of,
 * and both attachments share their sum. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "charged.h"

#if TZ_REAL_BITS == 64
typedef double real;
#define CHARGED charged_f64
#else
typedef float real;
#define CHARGED charged_f32
#endif

static int least_of(int a, int b) {
    return a < b ? a : b;
}

/* sum[u + v] = max(sum[u + v], a[u] + b[v]) for u of a_from..a_to, v of b_from..b_to, u + v <= top.
 */
static void convolve(real *restrict sum, int top, const real *restrict a, int a_from, int a_to,
                     const real *restrict b, int b_from, int b_to) {
    for (int u = a_from; u <= a_to; u++) {
        real *restrict to = sum + u, score = a[u];
        int last = least_of(b_to, top - u);
        for (int v = b_from; v <= last; v++) {
            real with = score + b[v];
            to[v] = to[v] > with ? to[v] : with;
        }
    }
}

static void clear(real *row, int top) {
    for (int u = 0; u <= top; u++)
        row[u] = -INFINITY;
}

real CHARGED(int n, int most, const real *arc, const real *bigram, real *chart) {
    size_t side = (size_t)n + 1, row = charged_row(most), square = side * side * row;
    real *rtri = chart, *ltri = chart + square, *rtrap = ltri + square, *ltrap = rtrap + square;
#define AT(table, i, j) ((table) + ((size_t)(i)*side + (size_t)(j)) * row)
    for (int i = 0; i <= n; i++) {
        *AT(rtri, i, i) = bigram[i * (n + 2) + i + 1];
        *AT(ltri, i, i) = i > 0 ? 0 : (real)-INFINITY;
    }
    for (int w = 1; w <= n; w++) {
        for (int i = 0; i + w <= n; i++) {
            int j = i + w, top = least_of(w, most);
            real *right = AT(rtrap, i, j), *left = AT(ltrap, i, j);
            clear(right, top);
            for (int k = i; k < j; k++)
                convolve(right + 1, top - 1, AT(rtri, i, k), 0, least_of(k - i, most),
                         AT(ltri, k + 1, j), 0, least_of(j - k - 1, most));
            for (int u = 0; u <= top; u++) {
                left[u] = right[u] + (i > 0 ? arc[j * (n + 1) + i] : (real)-INFINITY);
                right[u] += arc[i * (n + 1) + j];
            }
            real *sum = AT(rtri, i, j);
            clear(sum, top);
            sum[0] = bigram[i * (n + 2) + j + 1];
            for (int k = i + 1; k <= j; k++)
                convolve(sum, top, AT(rtrap, i, k), 1, least_of(k - i, most), AT(rtri, k, j), 0,
                         least_of(j - k, most));
            sum = AT(ltri, i, j);
            clear(sum, top);
            for (int k = i; k < j && i > 0; k++)
                convolve(sum, top, AT(ltri, i, k), 0, least_of(k - i, most), AT(ltrap, k, j), 1,
                         least_of(j - k, most));
        }
    }
    return most <= n ? AT(rtri, 0, n)[most] : (real)-INFINITY;
#undef AT
}
