/* rows.h - sums of products, a tile of rows in registers at a time. SPDX-License-Identifier: MIT */
#ifndef TZ_BENCH_PLAIN_ROWS_H
#define TZ_BENCH_PLAIN_ROWS_H

#include "bench/plain/number.h"

enum { MOST_SUMS = 8 };

/* What is multiplied, for k of 0..count-1: a number of a with a row of b, or a row of a with one of
 * b; each so many numbers further for the next k. */
typedef struct terms {
    const number *a, *b;
    size a_step, b_step, count;
    bool a_is_row;
} terms;

/* Some rows, each summed up in so many chains: a sum waits for the one before it. */
INLINE void sum_tile(number *to, bool add, const terms *t, int rows, int chains) {
    row sum[MOST_SUMS];
#pragma GCC unroll 8
    for (int s = 0; s < rows * chains; s++)
        sum[s] = add && s < rows ? row_load(to + s * STEP) : row_of(NONE);
    const number *a = t->a, *b = t->b;
    size k = 0;
    for (; k + chains <= t->count; k += chains, a += chains * t->a_step, b += chains * t->b_step)
#pragma GCC unroll 8
        for (int c = 0; c < chains; c++)
#pragma GCC unroll 8
            for (int r = 0; r < rows; r++)
                sum[c * rows + r] = row_with(sum[c * rows + r],
                                             t->a_is_row ? row_load(a + c * t->a_step + r * STEP)
                                                         : row_of(a[c * t->a_step]),
                                             row_load(b + c * t->b_step + r * STEP));
    for (; k < t->count; k++, a += t->a_step, b += t->b_step)
#pragma GCC unroll 8
        for (int r = 0; r < rows; r++)
            sum[r] = row_with(sum[r], t->a_is_row ? row_load(a + r * STEP) : row_of(*a),
                              row_load(b + r * STEP));
#pragma GCC unroll 8
    for (int c = 1; c < chains; c++)
#pragma GCC unroll 8
        for (int r = 0; r < rows; r++)
            sum[r] = row_plus(sum[r], sum[c * rows + r]);
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++)
        row_store(to + r * STEP, sum[r]);
}

/* For j of 0..width-1, and up to the end of the last row: to[j], or nothing, + the sum over k. */
INLINE void sum_terms(number *to, size width, bool add, terms t) {
    for (size j = 0; j < width;) {
        size left = (width - j + STEP - 1) / STEP;
        int rows = left >= 8 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
        if (rows == 8)
            sum_tile(to, add, &t, 8, 1);
        else if (rows == 4)
            sum_tile(to, add, &t, 4, 2);
        else if (rows == 2)
            sum_tile(to, add, &t, 2, 4);
        else
            sum_tile(to, add, &t, 1, 4);
        j += rows * STEP;
        to += rows * STEP;
        t.b += rows * STEP;
        t.a += t.a_is_row ? rows * STEP : 0;
    }
}

/* to[j] = sum over k of a[k * a_step] * b[k * b_step + j]; with add, to[j] + that. */
static inline void sum_scaled(number *to, size width, bool add, const number *a, size a_step,
                              const number *b, size b_step, size count) {
    sum_terms(to, width, add, (terms){a, b, a_step, b_step, count, false});
}

/* to[j] = sum over k of a[k * a_step + j] * b[k * b_step + j]; with add, to[j] + that. */
static inline void sum_pairs(number *to, size width, bool add, const number *a, size a_step,
                             const number *b, size b_step, size count) {
    sum_terms(to, width, add, (terms){a, b, a_step, b_step, count, true});
}

INLINE void sum_listed_tile(number *to, const number *a, const number *b, size b_step,
                            const int32_t *list, size count, int rows) {
    row sum[MOST_SUMS];
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++)
        sum[r] = row_of(NONE);
    for (size k = 0; k < count; k++) {
        const number *with = b + list[k] * b_step;
        const row factor = row_of(a[k]);
#pragma GCC unroll 8
        for (int r = 0; r < rows; r++)
            sum[r] = row_with(sum[r], factor, row_load(with + r * STEP));
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; r++)
        row_store(to + r * STEP, sum[r]);
}

/* to[j] = sum over k of a[k] * b[list[k] * b_step + j]. */
static inline void sum_listed(number *to, size width, const number *a, const number *b, size b_step,
                              const int32_t *list, size count) {
    for (size j = 0; j < width;) {
        const size left = (width - j + STEP - 1) / STEP;
        if (left >= 4)
            sum_listed_tile(to + j, a, b + j, b_step, list, count, 4);
        else if (left >= 2)
            sum_listed_tile(to + j, a, b + j, b_step, list, count, 2);
        else
            sum_listed_tile(to + j, a, b + j, b_step, list, count, 1);
        j += (left >= 4 ? 4 : left >= 2 ? 2 : 1) * STEP;
    }
}

/* to[j] = a[j] * b[j]. */
static inline void multiply_rows(number *to, size width, const number *a, const number *b) {
    for (size j = 0; j < width; j += STEP)
        row_store(to + j, row_times(row_load(a + j), row_load(b + j)));
}

/* to[j] = a * b[j]. */
static inline void scale_row(number *to, size width, number a, const number *b) {
    for (size j = 0; j < width; j += STEP)
        row_store(to + j, row_times(row_of(a), row_load(b + j)));
}

static inline void fill(number *to, size count, number a) {
    for (size j = 0; j < count; j++)
        to[j] = a;
}

/* The sum of width numbers; those up to the end of the last row are NONE. */
static inline number sum_row(const number *from, size width) {
    row sum = row_of(NONE);
    for (size j = 0; j < width; j += STEP)
        sum = row_plus(sum, row_load(from + j));
#if PLAIN_FORM == 1
    number all_of = sum[0];
    for (int i = 1; i < V; i++)
        all_of = number_plus(all_of, sum[i]);
    return all_of;
#else
    return sum;
#endif
}

/* The sum over j of a[j] * b[j]; as for sum_row. */
static inline number sum_products(const number *a, const number *b, size width) {
    row sum[4] = {row_of(NONE), row_of(NONE), row_of(NONE), row_of(NONE)};
    size j = 0;
    for (; j + 4 * STEP <= width; j += 4 * STEP)
#pragma GCC unroll 4
        for (int s = 0; s < 4; s++)
            sum[s] = row_with(sum[s], row_load(a + j + s * STEP), row_load(b + j + s * STEP));
    for (; j < width; j += STEP)
        sum[0] = row_with(sum[0], row_load(a + j), row_load(b + j));
    number total[STEP];
    row_store(total, row_plus(row_plus(sum[0], sum[1]), row_plus(sum[2], sum[3])));
    return sum_row(total, STEP);
}

/* to[k] = the sum over j of a[j] * b[k * b_step + j]; as for sum_row. */
static inline void sum_rows(number *to, const number *a, const number *b, size b_step, size count,
                            size width) {
    size k = 0;
#if PLAIN_FORM == 1
    for (; k + V <= count; k += V) {
        vec sum[V], total = all(zero);
        for (int i = 0; i < V; i++)
            sum[i] = all(zero);
        for (size j = 0; j < width; j += V)
#pragma GCC unroll 16
            for (int i = 0; i < V; i++)
                sum[i] = add_product(sum[i], load(a + j), load(b + (k + i) * b_step + j));
        transpose(sum);
        for (int i = 0; i < V; i++)
            total = plus(total, sum[i]);
        store(to + k, total);
    }
#endif
    for (; k < count; k++)
        to[k] = sum_products(a, b + k * b_step, width);
}

#if PLAIN_SUMS
/* What comes to a, b from what is outside their product, for k of 0..count-1. */
static inline void send_pairs(const number *outside, size width, const number *a, number *a_out,
                              size a_step, const number *b, number *b_out, size b_step,
                              size count) {
    for (size i = 0; i < width; i += STEP) {
        const row out = row_load(outside + i);
        for (size k = 0; k < count; k++) {
            const size x = k * a_step + i, y = k * b_step + i;
            row_store(a_out + x, row_with(row_load(a_out + x), out, row_load(b + y)));
            row_store(b_out + y, row_with(row_load(b_out + y), out, row_load(a + x)));
        }
    }
}
#endif

#endif
