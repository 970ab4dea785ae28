/* eisner.c - dependency trees for rules/eisner.rules. Numbers along the diagonals: for all i at
 * once, the cells [i, i + w]. SPDX-License-Identifier: MIT */
#include "bench/plain/lift.h"

enum { RTRI, LTRI, RTRAP, LTRAP, KINDS };

static size_t uses(const int32_t *length) {
    return (size_t)length[0];
}

static double steps(const int32_t *length) {
    return length[0];
}

/* What is left to trace: the cell [i, i + w]. */
typedef struct cell {
    int kind;
    size w, i;
} cell;

#if BACK_POINTERS
/* The split that is best of count ones; a and b are further by these steps each time. */
static real best_split(const real *a, size a_step, const real *b, size b_step, size count,
                       int *ret_split) {
    real best = a[0] + b[0];
    *ret_split = 0;
    for (size d = 1; d < count; d++) {
        const real score = a[d * a_step] + b[d * b_step];
        if (score > best)
            best = score, *ret_split = (int)d;
    }
    return best;
}

static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const size n = problem->length[0], side = n + 1, by_row = stride_of(problem, 0);
    const real *arc = data_of(problem, 0, 0);
    real *value[KINDS];
    int *back[KINDS];
    for (int kind = 0; kind < KINDS; kind++) {
        value[kind] = take(room, side * side);
        back[kind] = plain_take(room, (size_t)(side * side) * sizeof **back);
    }
    real *rtri = value[RTRI], *ltri = value[LTRI], *rtrap = value[RTRAP], *ltrap = value[LTRAP];
    for (size i = 0; i < side; i++)
        rtri[i * side + i] = ltri[i * side + i] = 0;
    for (size w = 1; w < side; w++)
        for (size i = 0; i + w < side; i++) {
            const size j = i + w, at = i * side + j;
            const real both = best_split(rtri + i * side + i, 1, ltri + (i + 1) * side + j, side, w,
                                         &back[RTRAP][at]);
            back[LTRAP][at] = back[RTRAP][at];
            rtrap[at] = both + arc[i * by_row + j];
            ltrap[at] = i > 0 ? both + arc[j * by_row + i] : zero;
            rtri[at] = best_split(rtrap + i * side + i + 1, 1, rtri + (i + 1) * side + j, side, w,
                                  &back[RTRI][at]);
            ltri[at] =
                best_split(ltri + i * side + i, 1, ltrap + i * side + j, side, w, &back[LTRI][at]);
        }
    give_value(problem, answer, rtri[n], (double)n);
    cell *stack = plain_take(room, (size_t)(2 * n + 2) * sizeof *stack), *top = stack;
    *top++ = (cell){RTRI, n, 0};
    while (top > stack) {
        const cell c = *--top;
        if (c.w == 0)
            continue;
        const size d = back[c.kind][c.i * side + c.i + c.w];
        if (c.kind == RTRI) {
            *top++ = (cell){RTRAP, d + 1, c.i};
            *top++ = (cell){RTRI, c.w - d - 1, c.i + d + 1};
        } else if (c.kind == LTRI) {
            *top++ = (cell){LTRI, d, c.i};
            *top++ = (cell){LTRAP, c.w - d, c.i + d};
        } else {
            const size j = c.i + c.w;
            use(answer, 0, c.kind == RTRAP ? c.i * by_row + j : j * by_row + c.i);
            *top++ = (cell){RTRI, d, c.i};
            *top++ = (cell){LTRI, c.w - 1 - d, c.i + d + 1};
        }
    }
}
#else

/* value[kind][w * W + i]: [i, i + w]; right and left likewise: the arcs between its ends. */
typedef struct tables {
    size n, side, W, by_row;
    number *value[KINDS], *right, *left;
} tables;

static number *at(const tables *t, int kind, size w) {
    return t->value[kind] + w * t->W;
}

static tables new_tables(plain_room *room, const plain_problem *problem) {
    const size n = problem->length[0], W = whole_rows(n + 1);
    tables t = {.n = n, .side = n + 1, .W = W, .by_row = stride_of(problem, 0)};
    for (int kind = 0; kind < KINDS; kind++)
        t.value[kind] = take_empty(room, (n + 1) * W);
    number *scores = take(room, t.side * t.by_row);
    t.right = take_empty(room, t.side * W);
    t.left = take_empty(room, t.side * W);
    copy_scores(scores, problem, 0, 0, t.side * t.by_row);
    for (size w = 1; w <= n; w++)
        for (size i = 0; i + w <= n; i++) {
            t.right[w * W + i] = scores[i * (t.by_row + 1) + w];
            t.left[w * W + i] = scores[i * (t.by_row + 1) + w * t.by_row];
        }
    raise_scores(t.right, problem, t.side * W, 1);
    raise_scores(t.left, problem, t.side * W, 1);
    for (size w = 1; w <= n; w++)
        t.left[w * W] = NONE; /* nothing is the root's head */
    fill(at(&t, RTRI, 0), n + 1, ONE);
    fill(at(&t, LTRI, 0) + 1, n, ONE);
    return t;
}

static void compute_width(const tables *t, size w) {
    const size width = t->side - w, W = t->W;
    number *rtrap = at(t, RTRAP, w), *ltrap = at(t, LTRAP, w);
    sum_pairs(ltrap, width, false, at(t, RTRI, 0), W, at(t, LTRI, w - 1) + 1, 1 - W, w);
    multiply_rows(rtrap, width, ltrap, t->right + w * W);
    multiply_rows(ltrap, width, ltrap, t->left + w * W);
    sum_pairs(at(t, RTRI, w), width, false, at(t, RTRAP, 1), W, at(t, RTRI, w - 1) + 1, 1 - W, w);
    sum_pairs(at(t, LTRI, w), width, false, at(t, LTRI, 0), W, ltrap, 1 - W, w);
    for (int kind = 0; kind < KINDS; kind++)
        fill(at(t, kind, w) + width, W - width, NONE);
}

#if !PLAIN_SUMS
/* Where a[d] + b[d] + more is the value. */
static size split_of(real value, const number *a, size a_step, const number *b, size b_step,
                     real more, int lane) {
    size d = 0;
    while (lane_of(a + d * a_step, lane) + lane_of(b + d * b_step, lane) + more != value)
        d++;
    return d;
}

static void trace(plain_room *room, const tables *t, int lane, plain_answer *answer) {
    const size W = t->W;
    cell *stack = plain_take(room, (size_t)(2 * t->n + 2) * sizeof *stack), *top = stack;
    *top++ = (cell){RTRI, t->n, 0};
    while (top > stack) {
        const cell c = *--top;
        if (c.w == 0)
            continue;
        const real value = lane_of(at(t, c.kind, c.w) + c.i, lane);
        if (c.kind == RTRI) {
            const size d = split_of(value, at(t, RTRAP, 1) + c.i, W, at(t, RTRI, c.w - 1) + c.i + 1,
                                    1 - W, 0, lane);
            *top++ = (cell){RTRAP, d + 1, c.i};
            *top++ = (cell){RTRI, c.w - d - 1, c.i + d + 1};
        } else if (c.kind == LTRI) {
            const size d =
                split_of(value, at(t, LTRI, 0) + c.i, W, at(t, LTRAP, c.w) + c.i, 1 - W, 0, lane);
            *top++ = (cell){LTRI, d, c.i};
            *top++ = (cell){LTRAP, c.w - d, c.i + d};
        } else {
            const size j = c.i + c.w;
            const number *arc = (c.kind == RTRAP ? t->right : t->left) + c.w * W + c.i;
            const size d = split_of(value, at(t, RTRI, 0) + c.i, W, at(t, LTRI, c.w - 1) + c.i + 1,
                                    1 - W, lane_of(arc, lane), lane);
            use(answer, 0, c.kind == RTRAP ? c.i * t->by_row + j : j * t->by_row + c.i);
            *top++ = (cell){RTRI, d, c.i};
            *top++ = (cell){LTRI, c.w - 1 - d, c.i + d + 1};
        }
    }
}
#else
static void send_width(const tables *t, const tables *o, size w, number *both) {
    const size width = t->side - w, W = t->W;
    number *right = t->right + w * W, *left = t->left + w * W;
    number *rtrap = at(o, RTRAP, w), *ltrap = at(o, LTRAP, w);
    for (int kind = 0; kind < KINDS; kind++)
        fill(at(o, kind, w) + width, W - width, NONE);
    send_pairs(at(o, RTRI, w), width, at(t, RTRAP, 1), at(o, RTRAP, 1), W, at(t, RTRI, w - 1) + 1,
               at(o, RTRI, w - 1) + 1, 1 - W, w);
    send_pairs(at(o, LTRI, w), width, at(t, LTRI, 0), at(o, LTRI, 0), W, at(t, LTRAP, w), ltrap,
               1 - W, w);
    for (size i = 0; i < width; i += STEP)
        row_store(both + i, row_with(row_times(row_load(rtrap + i), row_load(right + i)),
                                     row_load(ltrap + i), row_load(left + i)));
    send_pairs(both, width, at(t, RTRI, 0), at(o, RTRI, 0), W, at(t, LTRI, w - 1) + 1,
               at(o, LTRI, w - 1) + 1, 1 - W, w);
    multiply_rows(right, width, rtrap, at(t, RTRAP, w));
    multiply_rows(left, width, ltrap, at(t, LTRAP, w));
}

static void marginals(plain_room *room, const tables *t, number Z, plain_answer *answer) {
    const size n = t->n, side = t->side, W = t->W;
    tables o = *t;
    number *line = take_empty(room, side);
    for (int kind = 0; kind < KINDS; kind++)
        o.value[kind] = take_empty(room, side * W);
    at(&o, RTRI, n)[0] = inverse(Z);
    for (size w = n; w >= 1; w--)
        send_width(t, &o, w, line);
    for (size h = 0; h <= n; h++) {
        for (size m = 0; m <= n; m++)
            line[m] = m > h ? t->right[(m - h) * W + h] : m < h ? t->left[(h - m) * W + m] : NONE;
        give(answer, 0, h * t->by_row, line, side);
    }
}
#endif

static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const tables t = new_tables(room, problem);
    for (size w = 1; w <= t.n; w++)
        compute_width(&t, w);
    const number goal = at(&t, RTRI, t.n)[0];
    give_value(problem, answer, goal, (double)t.n);
#if PLAIN_SUMS
    if (answer->marginal != NULL)
        marginals(room, &t, goal, answer);
#else
    for (int l = 0; l < LANES; l++)
        trace(room, &t, l, &answer[l]);
#endif
}
#endif

YARDSTICK(eisner) = {"eisner", LANES, solve, uses, steps};
