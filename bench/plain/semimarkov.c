/* semimarkov.c - segments and labels for rules/semimarkov.rules. SPDX-License-Identifier: MIT */
#include "bench/plain/lift.h"

enum { SEGMENT, TRANS };

static size_t uses(const int32_t *length) {
    return 2 * (size_t)length[0];
}

static double steps(const int32_t *length) {
    return length[0];
}

#if BACK_POINTERS
static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const int n = problem->length[0], T = problem->length[1];
    const real *segment = data_of(problem, 0, SEGMENT), *trans = data_of(problem, 0, TRANS);
    const size by_start = stride_of(problem, SEGMENT);
    real *open = take(room, (n + 1) * T), *closed = take(room, (n + 1) * T);
    int *start = plain_take(room, (size_t)(n + 1) * (size_t)T * sizeof *start);
    int *label = plain_take(room, (size_t)(n + 1) * (size_t)T * sizeof *label);
    for (int a = 0; a < T; a++)
        open[a] = 0;
    for (int j = 1; j <= n; j++) {
        for (int a = 0; a < T; a++) {
            real best = -INFINITY;
            int from = 0;
            for (int i = 0; i < j; i++) {
                real score = open[i * T + a] + segment[(i + 1) * by_start + j * T + a];
                if (score > best)
                    best = score, from = i;
            }
            closed[j * T + a] = best;
            start[j * T + a] = from;
        }
        for (int b = 0; b < T; b++) {
            real best = -INFINITY;
            int from = 0;
            for (int a = 0; a < T; a++) {
                real score = closed[j * T + a] + trans[a * T + b];
                if (score > best)
                    best = score, from = a;
            }
            open[j * T + b] = best;
            label[j * T + b] = from;
        }
    }
    int last = 0;
    for (int a = 1; a < T; a++)
        last = closed[n * T + a] > closed[n * T + last] ? a : last;
    give_value(problem, answer, closed[n * T + last], n);
    for (int j = n;;) {
        int i = start[j * T + last];
        use(answer, SEGMENT, (i + 1) * by_start + j * T + last);
        if (i == 0)
            break;
        int from = label[i * T + last];
        use(answer, TRANS, from * T + last);
        last = from;
        j = i;
    }
}
#else

/* Segments from i, of any end and label, stand side by side, and so do the values of closed: `open`
 * of i, repeated for each end, is multiplied with them. */
typedef struct segments {
    size n, T, W, by_start;
    const number *trans; /* in whole rows */
    number *segment;     /* as the scores */
    number *closed;      /* [(n + 1) * T] */
    number *open;        /* [(n + 1) * W] */
} segments;

/* again[0..T-1], and some more of the same, so that a row can be read from any label. */
static void repeat(number *again, const number *row, size T) {
    for (size a = 0; a < T + STEP; a++)
        again[a] = row[a % T];
}

/* The label of a row's first number, STEP numbers further on. */
static inline size after_step(size a, size T) {
    for (a += STEP; a >= T; a -= T)
        ;
    return a;
}

#if !PLAIN_SUMS
static void trace(const segments *s, int lane, plain_answer *answer) {
    const size n = s->n, T = s->T, W = s->W;
    size j = n, a = 0;
    while ((double)lane_of(&s->closed[n * T + a], lane) != answer->value)
        a++;
    for (;;) {
        const real value = lane_of(&s->closed[j * T + a], lane);
        size i = 0;
        while (lane_of(&s->open[i * W + a], lane) +
                   lane_of(&s->segment[(i + 1) * s->by_start + j * T + a], lane) !=
               value)
            i++;
        use(answer, SEGMENT, (i + 1) * s->by_start + j * T + a);
        if (i == 0)
            return;
        const real open = lane_of(&s->open[i * W + a], lane);
        size from = 0;
        while (lane_of(&s->closed[i * T + from], lane) + lane_of(&s->trans[from * W + a], lane) !=
               open)
            from++;
        use(answer, TRANS, from * T + a);
        a = from;
        j = i;
    }
}
#else
static void marginals(plain_room *room, segments *s, number Z, plain_answer *answer) {
    const size n = s->n, T = s->T, W = s->W;
    number *turned = take_empty(room, T * W), *after = take_empty(room, (n + 1) * W),
           *closed = take(room, (n + 2) * T), *again = take(room, T + STEP), *trans = take(room, W),
           *buffer = take(room, W);
    for (size a = 0; a < T; a++)
        for (size b = 0; b < T; b++)
            turned[b * W + a] = s->trans[a * W + b];
    fill(closed + n * T, T, inverse(Z));
    for (size i = n - 1; i >= 0; i--) {
        const size count = (n - i) * T, end = (i + 1) * T;
        number *segment = s->segment + (i + 1) * s->by_start + end, *outside = after + i * W;
        for (size e = 0; e < count; e += STEP) {
            row_store(buffer, row_times(row_load(segment + e), row_load(closed + end + e)));
            for (size k = e; k < count && k < e + STEP; k++)
                segment[k] = buffer[k - e];
        }
        for (size a = 0; a < T; a += STEP) {
            row sum = row_of(NONE);
            for (size e = 0; e < count; e += T)
                sum = row_plus(sum, row_load(segment + e + a));
            row_store(buffer + a, sum);
        }
        for (size a = 0; a < T; a++)
            outside[a] = buffer[a];
        repeat(again, s->open + i * W, T);
        for (size e = 0, a = 0; e < count; e += STEP, a = after_step(a, T)) {
            row_store(buffer, row_times(row_load(segment + e), row_load(again + a)));
            for (size k = e; k < count && k < e + STEP; k++)
                segment[k] = buffer[k - e];
        }
        give(answer, SEGMENT, (i + 1) * s->by_start + end, segment, count);
        if (i == 0)
            break;
        sum_scaled(buffer, T, false, outside, 1, turned, W, T);
        for (size a = 0; a < T; a++)
            closed[i * T + a] = buffer[a];
    }
    for (size a = 0; a < T; a++) {
        sum_scaled(trans, T, false, s->closed + T + a, T, after + W, W, n - 1);
        multiply_rows(trans, T, trans, s->trans + a * W);
        give(answer, TRANS, a * T, trans, T);
    }
}
#endif

static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const size n = problem->length[0], T = problem->length[1], W = whole_rows(T),
               by_start = stride_of(problem, SEGMENT);
    segments s = {n,
                  T,
                  W,
                  by_start,
                  lift_rows(room, problem, TRANS, 0, T, T, 0),
                  take(room, (n + 1) * by_start),
                  take_empty(room, (n + 2) * T),
                  take(room, (n + 1) * W)};
    number *again = take(room, T + STEP), *buffer = take(room, W);
    fill(s.open, W, ONE);
    for (size i = 0; i < n; i++) {
        const size count = (n - i) * T, end = (i + 1) * T;
        number *segment = s.segment + (i + 1) * by_start + end;
        copy_scores(segment, problem, SEGMENT, (i + 1) * by_start + end, count);
        for (size e = 0; e < count; e += T)
            scale_scores(segment + e, problem, T, (double)(e / T + 1));
        raise_scores(segment, problem, count, 0);
        repeat(again, s.open + i * W, T);
        for (size e = 0, a = 0; e < count; e += STEP, a = after_step(a, T))
            row_store(s.closed + end + e, row_with(row_load(s.closed + end + e),
                                                   row_load(again + a), row_load(segment + e)));
        if (i + 1 < n)
            sum_scaled(s.open + (i + 1) * W, T, false, s.closed + end, 1, s.trans, W, T);
    }
    for (size a = 0; a < T; a++)
        buffer[a] = s.closed[n * T + a];
    fill(buffer + T, W - T, NONE);
    number goal = sum_row(buffer, T);
    give_value(problem, answer, goal, (double)n);
#if PLAIN_SUMS
    if (answer->marginal != NULL)
        marginals(room, &s, goal, answer);
#else
    for (int l = 0; l < LANES; l++)
        trace(&s, l, &answer[l]);
#endif
}
#endif

YARDSTICK(semimarkov) = {"semimarkov", LANES, solve, uses, steps};
