/* scan.h - recurrences along a row, in which a number waits for its neighbour.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_BENCH_PLAIN_SCAN_H
#define TZ_BENCH_PLAIN_SCAN_H

#include "bench/plain/lift.h"

/* a[q] += a[q - 1] * dd[q - 1], or, back, a[q] += a[q + 1] * dd[q], one row after the other. Within
 * a row by doubling: step[t][q] is the product of the 2^t scores before q, NONE where not all of
 * them are within the row; the last one, of all those from the row's edge. */
enum { TURNS = STEP == 16 ? 4 : STEP == 8 ? 3 : STEP == 4 ? 2 : STEP == 2 ? 1 : 0 };
typedef struct scan {
    number *step[TURNS + 1];
} scan;

/* Numbers of all positions, and NONE on both sides. */
static inline number *take_line(plain_room *room, size width) {
    return take_empty(room, width + STEP) + STEP;
}

static inline scan new_scan(plain_room *room, const number *dd, size width, bool back) {
    scan s;
    const number *score = back ? dd : dd - 1;
    const size edge = back ? STEP - 1 : 0, before = back ? 1 : -1;
    for (int t = 0; t <= TURNS; t++)
        s.step[t] = take_line(room, width);
    for (size q = 0; q < width && TURNS > 0; q++)
        s.step[0][q] = q % STEP == edge ? NONE : score[q];
    for (int t = 1; t < TURNS; t++)
        multiply_rows(s.step[t], width, s.step[t - 1],
                      s.step[t - 1] + before * ((size)1 << (t - 1)));
    number *reach = s.step[TURNS];
    for (size c = 0; c < width; c++) {
        const size q = back ? width - 1 - c : c;
        reach[q] = q % STEP == edge ? score[q] : number_times(reach[q + before], score[q]);
    }
    return s;
}

#if PLAIN_FORM == 1
#define WITHIN(s) ((s) < V ? (s) : 0)
#define DOUBLE(t)                                                                                  \
    if (TURNS > (t))                                                                               \
    a = add_product(                                                                               \
        a, back ? WINDOW(a, none, WITHIN(1 << (t))) : WINDOW(none, a, V - WITHIN(1 << (t))),       \
        load(s->step[TURNS > (t) ? (t) : 0] + q))
#define FOLD(t)                                                                                    \
    if (TURNS > (t))                                                                               \
    a = plus(a, WINDOW(a, a, WITHIN(1 << (t))))
#endif

/* carry: the number before the row, everywhere. */
INLINE row run_scan(const scan *s, size q, row a, row carry, bool back) {
#if PLAIN_FORM == 1
    const vec none = all(zero);
    DOUBLE(0);
    DOUBLE(1);
    DOUBLE(2);
    DOUBLE(3);
#else
    (void)back;
#endif
    return row_with(a, carry, row_load(s->step[TURNS] + q));
}

/* The row's last number everywhere, or, back, its first. */
INLINE row carry_of(row a, bool back) {
#if PLAIN_FORM == 1
    return back ? SPREAD(a, 0) : SPREAD(a, V - 1);
#else
    (void)back;
    return a;
#endif
}

/* The numbers one position before, or, back, one after; `next` is the row there. */
INLINE row neighbours(row a, row next, bool back) {
#if PLAIN_FORM == 1
    return back ? WINDOW(a, next, 1) : WINDOW(next, a, V - 1);
#else
    (void)a, (void)back;
    return next;
#endif
}

INLINE number total(row a) {
#if PLAIN_FORM == 1
    FOLD(3);
    FOLD(2);
    FOLD(1);
    FOLD(0);
    return a[0];
#else
    return a;
#endif
}

#endif
