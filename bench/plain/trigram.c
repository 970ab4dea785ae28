/* trigram.c - labels scored three by three, for rules/gallery/trigram.rules.
 * SPDX-License-Identifier: MIT */
#include "bench/plain/lift.h"

enum { START, SECOND, TRANS, EMIT };

static size_t uses(const int32_t *length) {
    return 2 * (size_t)length[0] + 1;
}

static double steps(const int32_t *length) {
    return length[0];
}

#if BACK_POINTERS
static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const int n = problem->length[0], T = problem->length[1], pairs = T * T;
    const real *start = data_of(problem, 0, START), *second = data_of(problem, 0, SECOND),
               *trans = data_of(problem, 0, TRANS), *emit = data_of(problem, 0, EMIT);
    real *state = take(room, (n + 1) * pairs);
    int *back = plain_take(room, (size_t)(n + 1) * (size_t)pairs * sizeof *back);
    for (int a = 0; a < T; a++)
        for (int b = 0; b < T && n > 1; b++)
            state[2 * pairs + a * T + b] =
                start[a] + emit[T + a] + second[a * T + b] + emit[2 * T + b];
    for (int i = 3; i <= n; i++)
        for (int b = 0; b < T; b++)
            for (int c = 0; c < T; c++) {
                real best = -INFINITY;
                int from = 0;
                for (int a = 0; a < T; a++) {
                    real score = state[(i - 1) * pairs + a * T + b] + trans[a * pairs + b * T + c];
                    if (score > best)
                        best = score, from = a;
                }
                state[i * pairs + b * T + c] = best + emit[i * T + c];
                back[i * pairs + b * T + c] = from;
            }
    const real *end = state + n * pairs;
    int last = 0, most = n > 1 ? pairs : T;
    for (int a = 0; a < T && n == 1; a++)
        state[pairs + a] = start[a] + emit[T + a];
    for (int p = 1; p < most; p++)
        last = end[p] > end[last] ? p : last;
    give_value(problem, answer, end[last], n);
    int b = last / T, c = last % T;
    for (int i = n; i > 2; i--) {
        int a = back[i * pairs + b * T + c];
        use(answer, EMIT, i * T + c);
        use(answer, TRANS, a * pairs + b * T + c);
        c = b;
        b = a;
    }
    if (n > 1) {
        use(answer, EMIT, 2 * T + c);
        use(answer, SECOND, b * T + c);
    }
    use(answer, EMIT, T + (n > 1 ? b : c));
    use(answer, START, n > 1 ? b : c);
}
#else

/* Scores and states stand in rows of W labels, states[i] in T rows: state i, a, b is
 * state[i * P + a * W + b]. */
typedef struct trigram {
    size n, T, W, P;
    const number *start, *second, *emit;
    number *trans; /* a, b, c: [(b * T + a) * W + c] */
    number *first, *state;
} trigram;

/* The rows of one label b between the others stand together. */
static number *lift_trans(plain_room *room, const plain_problem *problem, size T, size W) {
    number *trans = take(room, T * T * W);
    for (size a = 0; a < T; a++)
        for (size b = 0; b < T; b++) {
            number *to = trans + (b * T + a) * W;
            const size first = (a * T + b) * T;
            if (W == T)
                copy_scores(to, problem, TRANS, first, T);
            else
                copy_row(to, data_of(problem, 0, TRANS) + first, T, T * T * T - first);
        }
    raise_scores(trans, problem, T * T * W, 0);
    return trans;
}

#if !PLAIN_SUMS
static void trace(const trigram *t, int lane, plain_answer *answer) {
    const size T = t->T, W = t->W, P = t->P;
    size b = 0, c = 0;
    const number *end = t->n > 1 ? t->state + t->n * P : t->first;
    while ((double)lane_of(&end[b * W + c], lane) != answer->value)
        if (++c == T)
            c = 0, b++;
    for (size i = t->n; i > 2; i--) {
        const real value = lane_of(&t->state[i * P + b * W + c], lane),
                   emit = lane_of(&t->emit[i * W + c], lane);
        size a = 0;
        while (lane_of(&t->state[(i - 1) * P + a * W + b], lane) +
                   lane_of(&t->trans[(b * T + a) * W + c], lane) + emit !=
               value)
            a++;
        use(answer, EMIT, i * T + c);
        use(answer, TRANS, (a * T + b) * T + c);
        c = b;
        b = a;
    }
    if (t->n > 1) {
        use(answer, EMIT, 2 * T + c);
        use(answer, SECOND, b * T + c);
        c = b;
    }
    use(answer, EMIT, T + c);
    use(answer, START, c);
}
#else
/* outside: of position i; becomes that of i - 1. after: outside, times the emission of i. */
static void step_back(const trigram *t, number *outside, const number *after, number *column) {
    for (size b = 0; b < t->T; b++) {
        sum_rows(column, after + b * t->W, t->trans + b * t->T * t->W, t->W, t->T, t->T);
        for (size a = 0; a < t->T; a++)
            outside[a * t->W + b] = column[a];
    }
}

static void marginals(plain_room *room, const trigram *t, number Z, plain_answer *answer) {
    const size n = t->n, T = t->T, W = t->W, P = t->P;
    number *after = take(room, (n + 1) * P), *outside = take_empty(room, P),
           *column = take(room, W), *both = take_empty(room, P),
           *emit = take_empty(room, (n + 1) * W);
    for (size a = 0; a < T; a++)
        fill(outside + a * W, T, inverse(Z));
    for (size i = n; i >= 2; i--) {
        for (size b = 0; b < T; b++)
            multiply_rows(after + i * P + b * W, T, outside + b * W, t->emit + i * W);
        multiply_rows(both, P, outside, t->state + i * P);
        for (size b = 0; b < T; b++)
            for (size c = 0; c < W; c += STEP)
                row_store(emit + i * W + c,
                          row_plus(row_load(emit + i * W + c), row_load(both + b * W + c)));
        if (i > 2)
            step_back(t, outside, after + i * P, column);
    }
    if (n > 1) /* both: of the first two positions */
        for (size a = 0; a < T; a++)
            emit[W + a] = sum_row(both + a * W, T);
    else
        multiply_rows(emit + W, T, t->first, outside);
    give_rows(answer, EMIT, 0, emit, n + 1, T);
    give_rows(answer, START, 0, emit + W, 1, T);
    give_rows(answer, SECOND, 0, both, T, T);
    for (size a = 0; a < T; a++)
        for (size b = 0; b < T; b++) {
            sum_scaled(column, T, false, t->state + 2 * P + a * W + b, P, after + 3 * P + b * W, P,
                       n > 2 ? n - 2 : 0);
            multiply_rows(column, T, column, t->trans + (b * T + a) * W);
            give(answer, TRANS, (a * T + b) * T, column, T);
        }
}
#endif

static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const size n = problem->length[0], T = problem->length[1], W = whole_rows(T), P = T * W;
    trigram t = {n,
                 T,
                 W,
                 P,
                 lift(room, problem, START, T, 0),
                 lift_rows(room, problem, SECOND, 0, T, T, 0),
                 lift_rows(room, problem, EMIT, 0, n + 1, T, 1),
                 lift_trans(room, problem, T, W),
                 take(room, W),
                 take(room, (n + 4) * P)};
    multiply_rows(t.first, T, t.start, t.emit + W);
    for (size a = 0; a < T && n > 1; a++) {
        number *row = t.state + 2 * P + a * W;
        scale_row(row, T, t.first[a], t.second + a * W);
        multiply_rows(row, T, row, t.emit + 2 * W);
    }
    for (size i = 3; i <= n; i++)
        for (size b = 0; b < T; b++) {
            number *row = t.state + i * P + b * W;
            sum_scaled(row, T, false, t.state + (i - 1) * P + b, W, t.trans + b * P, W, T);
            multiply_rows(row, T, row, t.emit + i * W);
        }
    number goal = n > 1 ? sum_row(t.state + n * P, P) : sum_row(t.first, T);
    give_value(problem, answer, goal, (double)n);
#if PLAIN_SUMS
    if (answer->marginal != NULL)
        marginals(room, &t, goal, answer);
#else
    for (int l = 0; l < LANES; l++)
        trace(&t, l, &answer[l]);
#endif
}
#endif

YARDSTICK(trigram) = {"trigram", LANES, solve, uses, steps};
