/* lift.h - scores in, marginals out. SPDX-License-Identifier: MIT */
#ifndef TZ_BENCH_PLAIN_LIFT_H
#define TZ_BENCH_PLAIN_LIFT_H

#include "bench/plain/rows.h"

/* Uninitialised numbers, and some more, so that whole rows may be read and written from any. */
static inline number *take(plain_room *room, size count) {
    return plain_take(room, ((size_t)count + 2 * STEP) * sizeof(number));
}

/* NONE everywhere. */
static inline number *take_empty(plain_room *room, size count) {
    number *numbers = take(room, count);
    for (size i = 0; i < count + 2 * STEP; i++)
        numbers[i] = NONE;
    return numbers;
}

static inline const real *data_of(const plain_problem *problem, int lane, int weight) {
    return problem[lane].scores[weight].data;
}

static inline size stride_of(const plain_problem *problem, int weight) {
    return problem->scores[weight].stride[0];
}

/* count scores of every lane, from data[first] on. */
static inline void copy_scores(number *to, const plain_problem *problem, int weight, size first,
                               size count) {
#if BATCH
    const real *from[V];
    for (int l = 0; l < V; l++)
        from[l] = data_of(problem, l, weight) + first;
    size c = 0;
    for (; c + V <= count; c += V) {
        vec block[V];
        for (int l = 0; l < V; l++)
            block[l] = load(from[l] + c);
        transpose(block);
        for (int i = 0; i < V; i++)
            to[c + i] = block[i];
    }
    for (; c < count; c++)
        for (int l = 0; l < V; l++)
            ((real *)(to + c))[l] = from[l][c];
#else
    memcpy(to, data_of(problem, 0, weight) + first, (size_t)count * sizeof *to);
#endif
}

/* log: scales count scores by so many steps, no more than these. */
static inline void scale_scores(number *to, const plain_problem *problem, size count,
                                double steps) {
    number scale = {0};
    for (int l = 0; l < LANES; l++)
        ((real *)&scale)[l] = (real)(steps * problem[l].scale);
    for (size c = 0; c < count && PLAIN_SUMS; c++)
        to[c] -= scale;
}

/* From scores to elements; each is scaled by so many steps. Up to the end of the last row. */
static inline void raise_scores(number *to, const plain_problem *problem, size count,
                                double steps) {
#if PLAIN_SUMS && TEXTBOOK
    for (size c = 0; c < count; c++)
        to[c] = exp(to[c] - steps * problem->scale);
#elif PLAIN_SUMS
    row scale;
    for (int l = 0; l < V; l++)
        scale[l] = steps * problem[BATCH ? l : 0].scale;
    for (size c = 0; c < count; c += STEP)
        row_store(to + c, exponential(row_load(to + c) - scale));
#else
    (void)to, (void)problem, (void)count, (void)steps;
#endif
}

/* A whole row of count scores and NONE; `known` may be read. */
static inline void copy_row(number *to, const real *from, size count, size known) {
    size c = 0;
    (void)known;
#if PLAIN_FORM == 1
    for (; c < count && c + V <= known; c += V)
        store(to + c, load(from + c));
#endif
    for (; c < count; c++)
        to[c] = NUMBER(from[c]);
    for (c = count; c < whole_rows(count); c++)
        to[c] = NUMBER(-INFINITY);
}

/* rows x columns scores from data[first] on, in whole rows, what is over being NONE. */
static inline number *lift_rows(plain_room *room, const plain_problem *problem, int weight,
                                size first, size rows, size columns, double steps) {
    const size stride = whole_rows(columns);
    number *to = take(room, rows * stride);
    if (stride == columns)
        copy_scores(to, problem, weight, first, rows * columns);
    else
        for (size r = 0; r < rows; r++)
            copy_row(to + r * stride, data_of(problem, 0, weight) + first + r * columns, columns,
                     (rows - r) * columns);
    raise_scores(to, problem, rows * stride, steps);
    return to;
}

/* The first count scores. */
static inline number *lift(plain_room *room, const plain_problem *problem, int weight, size count,
                           double steps) {
    return lift_rows(room, problem, weight, 0, 1, count, steps);
}

/* marginal[first..] of every lane = from[...]. */
static inline void give(plain_answer *answer, int weight, size first, const number *from,
                        size count) {
#if BATCH
    size c = 0;
    for (; c + V <= count; c += V) {
        vec block[V];
        for (int i = 0; i < V; i++)
            block[i] = from[c + i];
        transpose(block);
        for (int l = 0; l < V; l++)
            store((real *)answer[l].marginal[weight] + first + c, block[l]);
    }
    for (; c < count; c++)
        for (int l = 0; l < V; l++)
            answer[l].marginal[weight][first + c] = lane_of(from + c, l);
#else
    real *to = (real *)answer->marginal[weight] + first;
    memcpy(to, from, (size_t)count * sizeof *to);
#endif
}

/* The same of rows x columns, in rows of whole_rows(columns). */
static inline void give_rows(plain_answer *answer, int weight, size first, const number *from,
                             size rows, size columns) {
    const size stride = whole_rows(columns);
    if (stride == columns)
        give(answer, weight, first, from, rows * columns);
    else
        for (size r = 0; r < rows; r++)
            give(answer, weight, first + r * columns, from + r * stride, columns);
}

/* The goal's value, its scores having been scaled by so many steps in all. */
static inline void give_value(const plain_problem *problem, plain_answer *answer, number goal,
                              double steps) {
    for (int l = 0; l < LANES; l++) {
        double value = (double)lane_of(&goal, l);
        answer[l].value = PLAIN_SUMS ? log(value) + steps * problem[l].scale : value;
        answer[l].uses = 0;
    }
}

static inline void use(plain_answer *answer, int weight, size cell) {
    answer->use[answer->uses++] = (plain_use){weight, (size_t)cell};
}

/* 1 / goal */
static inline number inverse(number goal) {
    return NUMBER((real)1) / goal;
}

#endif
