/* textbook.c - see textbook.h. Compiled once with TZ_REAL_BITS 32 and once with 64.
 *
 * What a good C programmer writes without vectors: the sum that both attachments share is scanned
 * once, rows are contiguous, the best score stays in a register. SPDX-License-Identifier: MIT */
#include <math.h>

#include "textbook.h"

#if TZ_REAL_BITS == 64
typedef double real;
#define TEXTBOOK textbook_f64
#else
typedef float real;
#define TEXTBOOK textbook_f32
#endif

real TEXTBOOK(int n, const real *arc, real *chart, int *back) {
    size_t side = (size_t)n + 1, square = side * side;
    real *rtri = chart, *ltri = chart + square, *rtrap = ltri + square, *ltrap = rtrap + square;
    int *rtri_back = back, *ltri_back = back + square;
    int *rtrap_back = ltri_back + square, *ltrap_back = rtrap_back + square;
    for (size_t i = 0; i < side; i++)
        rtri[i * side + i] = ltri[i * side + i] = 0;

    for (size_t w = 1; w < side; w++) {
        for (size_t i = 0; i + w < side; i++) {
            size_t j = i + w, split = i;
            real best = -INFINITY;
            for (size_t k = i; k < j; k++) {
                real score = rtri[i * side + k] + ltri[(k + 1) * side + j];
                if (score > best) {
                    best = score;
                    split = k;
                }
            }
            rtrap[i * side + j] = best + arc[i * side + j];
            rtrap_back[i * side + j] = (int)split;
            ltrap[i * side + j] = i > 0 ? best + arc[j * side + i] : (real)-INFINITY;
            ltrap_back[i * side + j] = (int)split;

            best = -INFINITY;
            split = j;
            for (size_t k = i + 1; k <= j; k++) {
                real score = rtrap[i * side + k] + rtri[k * side + j];
                if (score > best) {
                    best = score;
                    split = k;
                }
            }
            rtri[i * side + j] = best;
            rtri_back[i * side + j] = (int)split;

            best = -INFINITY;
            split = i;
            for (size_t k = i; k < j; k++) {
                real score = ltri[i * side + k] + ltrap[k * side + j];
                if (score > best) {
                    best = score;
                    split = k;
                }
            }
            ltri[i * side + j] = best;
            ltri_back[i * side + j] = (int)split;
        }
    }
    return rtri[n];
}

#if TZ_REAL_BITS == 64
enum { RTRI, LTRI, RTRAP, LTRAP };

static int *push(int *top, int kind, int i, int j) {
    top[0] = kind, top[1] = i, top[2] = j;
    return top + 3;
}

void textbook_heads(int n, const int *back, int *heads, int *stack) {
    size_t side = (size_t)n + 1, square = side * side;
    int *top = push(stack, RTRI, 0, n);
    while (top > stack) {
        top -= 3;
        int kind = top[0], i = top[1], j = top[2];
        if (i == j)
            continue;
        int k = back[(size_t)kind * square + (size_t)i * side + (size_t)j];
        if (kind == RTRI) {
            top = push(push(top, RTRAP, i, k), RTRI, k, j);
        } else if (kind == LTRI) {
            top = push(push(top, LTRI, i, k), LTRAP, k, j);
        } else {
            heads[kind == RTRAP ? j : i] = kind == RTRAP ? i : j;
            top = push(push(top, RTRI, i, k), LTRI, k + 1, j);
        }
    }
}
#endif
