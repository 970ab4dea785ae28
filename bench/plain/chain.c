/* chain.c - Viterbi's algorithm and forward-backward for rules/chain.rules.
 * SPDX-License-Identifier: MIT */
#include "bench/plain/lift.h"

enum { START, TRANS, EMIT };

static size_t uses(const int32_t *length) {
    return 2 * (size_t)length[0] + 1;
}

static double steps(const int32_t *length) {
    return length[0];
}

#if BACK_POINTERS
static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const int n = problem->length[0], T = problem->length[1];
    const real *start = data_of(problem, 0, START), *trans = data_of(problem, 0, TRANS),
               *emit = data_of(problem, 0, EMIT);
    real *state = take(room, (n + 1) * T);
    int *back = plain_take(room, (size_t)(n + 1) * (size_t)T * sizeof *back);
    for (int a = 0; a < T; a++)
        state[T + a] = start[a] + emit[T + a];
    for (int i = 2; i <= n; i++)
        for (int b = 0; b < T; b++) {
            real best = -INFINITY;
            int from = 0;
            for (int a = 0; a < T; a++) {
                real score = state[(i - 1) * T + a] + trans[a * T + b];
                if (score > best)
                    best = score, from = a;
            }
            state[i * T + b] = best + emit[i * T + b];
            back[i * T + b] = from;
        }
    int last = 0;
    for (int a = 1; a < T; a++)
        last = state[n * T + a] > state[n * T + last] ? a : last;
    give_value(problem, answer, state[n * T + last], n);
    for (int i = n; i > 1; i--) {
        int from = back[i * T + last];
        use(answer, EMIT, i * T + last);
        use(answer, TRANS, from * T + last);
        last = from;
    }
    use(answer, EMIT, T + last);
    use(answer, START, last);
}
#else

/* Scores and states stand in rows of W labels. */
typedef struct chain {
    size n, T, W;
    const number *start, *trans, *emit;
    number *state;
} chain;

#if !PLAIN_SUMS
/* A label of position i - 1 from which label b of position i got its value. */
static size before(const chain *c, int lane, size i, size b) {
    real value = lane_of(&c->state[i * c->W + b], lane),
         emit = lane_of(&c->emit[i * c->W + b], lane);
    const number *state = c->state + (i - 1) * c->W;
    size a = 0;
    while (lane_of(&state[a], lane) + lane_of(&c->trans[a * c->W + b], lane) + emit != value)
        a++;
    return a;
}

static void trace(const chain *c, int lane, plain_answer *answer) {
    size label = 0;
    while ((double)lane_of(&c->state[c->n * c->W + label], lane) != answer->value)
        label++;
    for (size i = c->n; i > 1; i--) {
        size from = before(c, lane, i, label);
        use(answer, EMIT, i * c->T + label);
        use(answer, TRANS, from * c->T + label);
        label = from;
    }
    use(answer, EMIT, c->T + label);
    use(answer, START, label);
}
#else
/* after[i] is emit[i] * what is outside state[i]. */
static void marginals(plain_room *room, const chain *c, number Z, plain_answer *answer) {
    const size n = c->n, T = c->T, W = c->W;
    number *turned = take_empty(room, T * W), *after = take(room, (n + 1) * W),
           *outside = take(room, W), *state = take_empty(room, (n + 1) * W), *trans = take(room, W);
    for (size a = 0; a < T; a++)
        for (size b = 0; b < T; b++)
            turned[b * W + a] = c->trans[a * W + b];
    fill(outside, W, inverse(Z));
    for (size i = n; i >= 1; i--) {
        multiply_rows(after + i * W, T, outside, c->emit + i * W);
        multiply_rows(state + i * W, T, outside, c->state + i * W);
        if (i > 1)
            sum_scaled(outside, T, false, after + i * W, 1, turned, W, T);
    }
    give_rows(answer, EMIT, 0, state, n + 1, T);
    give_rows(answer, START, 0, state + W, 1, T);
    for (size a = 0; a < T; a++) {
        sum_scaled(trans, T, false, c->state + W + a, W, after + 2 * W, W, n - 1);
        multiply_rows(trans, T, trans, c->trans + a * W);
        give(answer, TRANS, a * T, trans, T);
    }
}
#endif

static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const size n = problem->length[0], T = problem->length[1], W = whole_rows(T);
    chain c = {n,
               T,
               W,
               lift(room, problem, START, T, 0),
               lift_rows(room, problem, TRANS, 0, T, T, 0),
               lift_rows(room, problem, EMIT, 0, n + 1, T, 1),
               take(room, (n + 1) * W)};
    multiply_rows(c.state + W, T, c.start, c.emit + W);
    for (size i = 2; i <= n; i++) {
        number *state = c.state + i * W;
        sum_scaled(state, T, false, state - W, 1, c.trans, W, T);
        multiply_rows(state, T, state, c.emit + i * W);
    }
    number goal = sum_row(c.state + n * W, T);
    give_value(problem, answer, goal, (double)n);
#if PLAIN_SUMS
    if (answer->marginal != NULL)
        marginals(room, &c, goal, answer);
#else
    for (int l = 0; l < LANES; l++)
        trace(&c, l, &answer[l]);
#endif
}
#endif

YARDSTICK(chain) = {"chain", LANES, solve, uses, steps};
