/* nussinov.c - nested pairs for rules/gallery/nussinov.rules. SPDX-License-Identifier: MIT */
#include "bench/plain/lift.h"

enum { PAIR, SINGLE };

static size_t uses(const int32_t *length) {
    return (size_t)length[0];
}

static double steps(const int32_t *length) {
    return length[0];
}

typedef struct span {
    size i, j;
} span;

#if BACK_POINTERS
static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const int n = problem->length[0], side = n + 2;
    const real *pair = data_of(problem, 0, PAIR), *single = data_of(problem, 0, SINGLE);
    const size by_row = stride_of(problem, PAIR);
    real *fold = take(room, side * side);
    int *back = plain_take(room, (size_t)side * (size_t)side * sizeof *back);
    for (int i = 1; i <= n + 1; i++)
        fold[i * side + i - 1] = 0;
    for (int w = 1; w <= n; w++)
        for (int i = 1; i + w - 1 <= n; i++) {
            const int j = i + w - 1;
            real best = single[i] + fold[(i + 1) * side + j];
            int partner = 0;
            for (int k = i + 2; k <= j; k++) {
                real score =
                    pair[i * by_row + k] + fold[(i + 1) * side + k - 1] + fold[(k + 1) * side + j];
                if (score > best)
                    best = score, partner = k;
            }
            fold[i * side + j] = best;
            back[i * side + j] = partner;
        }
    give_value(problem, answer, fold[side + n], n);
    span *stack = plain_take(room, ((size_t)n + 1) * sizeof *stack), *top = stack;
    *top++ = (span){1, n};
    while (top > stack) {
        span s = *--top;
        if (s.i > s.j)
            continue;
        int k = back[s.i * side + s.j];
        if (k == 0) {
            use(answer, SINGLE, s.i);
            *top++ = (span){s.i + 1, s.j};
        } else {
            use(answer, PAIR, s.i * by_row + k);
            *top++ = (span){s.i + 1, k - 1};
            *top++ = (span){k + 1, s.j};
        }
    }
}
#else

/* fold[i * W + j]; NONE below j = i - 1, so that whole rows of j can be summed. closed[i * W + k]:
 * the pair of i and k with all that is inside. */
typedef struct folds {
    size n, W, by_row;
    const number *pair, *single;
    number *fold, *closed;
} folds;

/* The place of the row that j stands in. */
static size row_at(size j) {
    return j / STEP * STEP;
}

enum { TILE_WIDTH = MOST_SUMS * STEP };

static size least_of(size a, size b) {
    return a < b ? a : b;
}

static void inside(const folds *f) {
    const size n = f->n, W = f->W;
    for (size i = 1; i <= n + 1; i++)
        f->fold[i * W + i - 1] = ONE;
    for (size i = n; i >= 1; i--) {
        number *to = f->fold + i * W, *closed = f->closed + i * W;
        if (i + 2 <= n)
            multiply_rows(closed + i + 2, n - i - 1, f->pair + i * f->by_row + i + 2,
                          to + W + i + 1);
        for (size J = row_at(i); J <= n; J += TILE_WIDTH) {
            const size width = least_of(TILE_WIDTH, n + 1 - J), last = least_of(n, J + width - 1);
            scale_row(to + J, width, f->single[i], to + W + J);
            if (last >= i + 2)
                sum_scaled(to + J, width, true, closed + i + 2, 1, f->fold + (i + 3) * W + J, W,
                           last - i - 1);
        }
        to[i - 1] = ONE;
    }
}

#if !PLAIN_SUMS
static void trace(plain_room *room, const folds *f, int lane, plain_answer *answer) {
    const size W = f->W;
    span *stack = plain_take(room, ((size_t)f->n + 1) * sizeof *stack), *top = stack;
    *top++ = (span){1, f->n};
    while (top > stack) {
        const span s = *--top;
        if (s.i > s.j)
            continue;
        const number *fold = f->fold + s.i * W, *closed = f->closed + s.i * W;
        const real value = lane_of(&fold[s.j], lane);
        if (lane_of(&f->single[s.i], lane) + lane_of(&fold[W + s.j], lane) == value) {
            use(answer, SINGLE, s.i);
            *top++ = (span){s.i + 1, s.j};
            continue;
        }
        size k = s.i + 2;
        while (lane_of(&closed[k], lane) + lane_of(&f->fold[(k + 1) * W + s.j], lane) != value)
            k++;
        use(answer, PAIR, s.i * f->by_row + k);
        *top++ = (span){s.i + 1, k - 1};
        *top++ = (span){k + 1, s.j};
    }
}
#else
/* outside[i * W + j] from row_at(i - 1) on; left of i - 1 there is anything finite. */
static void marginals(plain_room *room, const folds *f, number Z, plain_answer *answer) {
    const size n = f->n, W = f->W;
    number *outside = take_empty(room, (n + 2) * W), *beside = take_empty(room, n + 2 + STEP),
           *inner = take_empty(room, n + 2 + STEP), *pair = take_empty(room, n + 2 + STEP),
           *single = take_empty(room, n + 1), *column = take(room, n + 1);
    outside[W + n] = inverse(Z);
    for (size i = 1; i <= n; i++) {
        number *to = outside + i * W;
        const size J = row_at(i - 1);
        if (i > 1) {
            scale_row(to + J, n + 1 - J, f->single[i - 1], to - W + J);
            for (size j = J; j <= n; j += STEP)
                row_store(to + j, row_plus(row_load(to + j), row_load(inner + j)));
        }
        for (size h = 1; h + 2 < i; h++)
            column[h] = f->closed[h * W + i - 1];
        if (i > 3)
            sum_scaled(to + J, n + 1 - J, true, column + 1, 1, outside + W + J, W, i - 3);
        single[i] = number_times(
            f->single[i],
            sum_products(to + row_at(i), f->fold + (i + 1) * W + row_at(i), n + 1 - row_at(i)));
        if (i + 2 > n)
            continue;
        const size first = i + 2, count = n + 1 - first;
        for (size k = first; k <= n; k += TILE_WIDTH)
            sum_rows(beside + k, to + row_at(k), f->fold + (k + 1) * W + row_at(k), W,
                     least_of(TILE_WIDTH, n + 1 - k), n + 1 - row_at(k));
        fill(inner, i + 1, NONE);
        multiply_rows(inner + first - 1, count, beside + first, f->pair + i * f->by_row + first);
        fill(inner + n, 1 + STEP, NONE);
        multiply_rows(pair + first, count, beside + first, f->closed + i * W + first);
        give(answer, PAIR, i * f->by_row + first, pair + first, count);
    }
    give(answer, SINGLE, 0, single, n + 1);
}
#endif

static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const size n = problem->length[0], W = whole_rows(n + 1), by_row = stride_of(problem, PAIR);
    const size rows = problem->scores[PAIR].extent[0];
    folds f = {n,
               W,
               by_row,
               lift(room, problem, PAIR, rows * by_row, 2),
               lift(room, problem, SINGLE, n + 1, 1),
               take_empty(room, (n + 3) * W),
               take(room, (n + 1) * W)};
    inside(&f);
    number goal = f.fold[W + n];
    give_value(problem, answer, goal, (double)n);
#if PLAIN_SUMS
    if (answer->marginal != NULL)
        marginals(room, &f, goal, answer);
#else
    for (int l = 0; l < LANES; l++)
        trace(room, &f, l, &answer[l]);
#endif
}
#endif

YARDSTICK(nussinov) = {"nussinov", LANES, solve, uses, steps};
