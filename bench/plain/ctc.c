/* ctc.c - connectionist temporal classification for rules/gallery/ctc.rules.
 * SPDX-License-Identifier: MIT */
#include "bench/plain/lift.h"

enum { EMIT, DIFFER };

static size_t uses(const int32_t *length) {
    return (size_t)length[0] + (size_t)length[1];
}

static double steps(const int32_t *length) {
    return length[0];
}

/* Label u of the transcript, u = 1.. */
static inline size said(const plain_problem *problem, int lane, size u) {
    return problem[lane].numbers[0].data[u - 1];
}

#if BACK_POINTERS
static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    enum { BLANK, LABEL };
    const size n = problem->length[0], U = problem->length[1], V = problem->length[2], side = U + 1;
    const real *emit = data_of(problem, 0, EMIT), *differ = data_of(problem, 0, DIFFER);
    real *value[] = {take(room, (n + 1) * side), take(room, (n + 1) * side)};
    char *back = plain_take(room, (size_t)((n + 1) * side) * 2); /* of both: where it came from */
    enum { FROM_BLANK, FROM_LABEL, NEXT, DIRECTLY };
    for (size u = 0; u <= U; u++) {
        value[BLANK][u] = u == 0 ? 0 : -INFINITY;
        value[LABEL][u] = -INFINITY;
    }
    for (size t = 1; t <= n; t++)
        for (size u = 0; u <= U; u++) {
            const size at = t * side + u, before = at - side;
            bool label = value[LABEL][before] > value[BLANK][before];
            back[2 * at] = label ? FROM_LABEL : FROM_BLANK;
            value[BLANK][at] = value[label][before] + emit[t * V];
            value[LABEL][at] = -INFINITY;
            if (u == 0)
                continue;
            real best = value[LABEL][before];
            char from = FROM_LABEL;
            if (value[BLANK][before - 1] > best)
                best = value[BLANK][before - 1], from = NEXT;
            if (u > 1) {
                real score = value[LABEL][before - 1] +
                             differ[said(problem, 0, u - 1) * V + said(problem, 0, u)];
                if (score > best)
                    best = score, from = DIRECTLY;
            }
            value[LABEL][at] = best + emit[t * V + said(problem, 0, u)];
            back[2 * at + 1] = from;
        }
    const size end = n * side + U;
    bool label = value[LABEL][end] > value[BLANK][end];
    give_value(problem, answer, value[label][end], (double)n);
    for (size t = n, u = U; t > 0; t--) {
        const char from = back[2 * (t * side + u) + label];
        use(answer, EMIT, t * V + (label ? said(problem, 0, u) : 0));
        if (from == DIRECTLY)
            use(answer, DIFFER, said(problem, 0, u - 1) * V + said(problem, 0, u));
        u -= from == NEXT || from == DIRECTLY;
        label = from == FROM_LABEL || from == DIRECTLY;
    }
}
#else

/* Rows of W numbers, one for each frame: of label u, from 0 to U, where label 0 is none. What
 * stands before a row and behind U makes no difference: no label is derived there. */
typedef struct frames {
    size n, U, V, W;
    number *emit_blank;    /* [t] */
    number *emit_label;    /* [t * W + u] */
    number *differ;        /* [u]: of u - 1 and u */
    number *blank, *label; /* values: [t * W + u] */
} frames;

static inline void set_lane(number *to, int lane, real score) {
    ((real *)to)[lane] = score;
}

static frames lifted(plain_room *room, const plain_problem *problem) {
    const size n = problem->length[0], U = problem->length[1], V = problem->length[2],
               W = whole_rows(U + 1);
    frames f = {n,
                U,
                V,
                W,
                take(room, n + 1),
                take(room, (n + 1) * W),
                take(room, W),
                take_empty(room, (n + 1) * W + STEP) + STEP,
                take_empty(room, (n + 1) * W + STEP) + STEP};
    fill(f.emit_label + W, n * W, NUMBER(-INFINITY));
    fill(f.differ, W, NUMBER(-INFINITY));
    for (int l = 0; l < LANES; l++) {
        const real *emit = data_of(problem, l, EMIT), *differ = data_of(problem, l, DIFFER);
        for (size t = 1; t <= n; t++) {
            set_lane(&f.emit_blank[t], l, emit[t * V]);
            for (size u = 1; u <= U; u++)
                set_lane(&f.emit_label[t * W + u], l, emit[t * V + said(problem, l, u)]);
        }
        for (size u = 2; u <= U; u++)
            set_lane(&f.differ[u], l, differ[said(problem, l, u - 1) * V + said(problem, l, u)]);
    }
    raise_scores(f.emit_blank + 1, problem, n, 1);
    raise_scores(f.emit_label + W, problem, n * W, 1);
    raise_scores(f.differ, problem, W, 0);
    return f;
}

static void inside(const frames *f) {
    f->blank[0] = ONE;
    for (size t = 1; t <= f->n; t++) {
        const number *blank = f->blank + (t - 1) * f->W, *label = f->label + (t - 1) * f->W,
                     *emit = f->emit_label + t * f->W;
        const row emit_blank = row_of(f->emit_blank[t]);
        for (size u = 0; u < f->W; u += STEP) {
            const row stay = row_load(label + u),
                      next = row_with(row_plus(stay, row_load(blank + u - 1)),
                                      row_load(label + u - 1), row_load(f->differ + u));
            row_store(f->label + t * f->W + u, row_times(next, row_load(emit + u)));
            row_store(f->blank + t * f->W + u,
                      row_times(row_plus(stay, row_load(blank + u)), emit_blank));
        }
    }
}

#if !PLAIN_SUMS
static void trace(const frames *f, const plain_problem *problem, int lane, plain_answer *answer) {
    const size W = f->W, V = f->V;
    size u = f->U;
    bool label = (double)lane_of(&f->label[f->n * W + u], lane) == answer->value;
    for (size t = f->n; t > 0; t--) {
        const size before = (t - 1) * W + u;
        if (!label) {
            const real emit = lane_of(&f->emit_blank[t], lane);
            use(answer, EMIT, t * V);
            label = lane_of(&f->blank[before], lane) + emit != lane_of(&f->blank[before + W], lane);
            continue;
        }
        const real value = lane_of(&f->label[before + W], lane),
                   emit = lane_of(&f->emit_label[before + W], lane);
        use(answer, EMIT, t * V + said(problem, lane, u));
        if (lane_of(&f->label[before], lane) + emit == value)
            continue;
        label = lane_of(&f->blank[before - 1], lane) + emit != value;
        if (label)
            use(answer, DIFFER, said(problem, lane, u - 1) * V + said(problem, lane, u));
        u--;
    }
}
#else
/* What is expected of labels of the transcript, for those of the alphabet. */
static void give_frame(const frames *f, const plain_problem *problem, plain_answer *answer, size t,
                       number blank, const number *label) {
    for (int l = 0; l < LANES; l++) {
        double *to = answer[l].marginal[EMIT] + t * f->V;
        to[0] += lane_of(&blank, l);
        for (size u = 1; u <= f->U; u++)
            to[said(problem, l, u)] += lane_of(&label[u], l);
    }
}

static void marginals(plain_room *room, const plain_problem *problem, const frames *f, number Z,
                      plain_answer *answer) {
    const size n = f->n, U = f->U, V = f->V, W = f->W;
    number *blank = take_empty(room, W), *label = take_empty(room, W), *here = take_empty(room, W),
           *entered = take_empty(room, W + STEP), *differ = take_empty(room, W),
           *next_differ = take_empty(room, W + STEP);
    memcpy(next_differ, f->differ, (size_t)W * sizeof *next_differ);
    for (int l = 0; l < LANES; l++) {
        memset(answer[l].marginal[EMIT], 0, (size_t)((n + 1) * V) * sizeof(double));
        memset(answer[l].marginal[DIFFER], 0, (size_t)(V * V) * sizeof(double));
    }
    blank[U] = label[U] = inverse(Z); /* what is outside blank and label of frame t */
    for (size t = n; t >= 1; t--) {
        const number *before = f->label + (t - 1) * W;
        const row emit_blank = row_of(f->emit_blank[t]);
        multiply_rows(here, W, f->label + t * W, label);
        give_frame(f, problem, answer, t, sum_products(f->blank + t * W, blank, W), here);
        multiply_rows(entered, W, label, f->emit_label + t * W);
        for (size u = 0; u < W; u += STEP)
            row_store(differ + u, row_with(row_load(differ + u), row_load(before + u - 1),
                                           row_load(entered + u)));
        for (size u = 0; u < W; u += STEP) {
            const row wait = row_times(row_load(blank + u), emit_blank),
                      enter = row_load(entered + u + 1);
            row_store(blank + u, row_plus(wait, enter));
            row_store(label + u, row_with(row_plus(wait, row_load(entered + u)), enter,
                                          row_load(next_differ + u + 1)));
        }
    }
    multiply_rows(differ, W, differ, f->differ);
    for (int l = 0; l < LANES; l++)
        for (size u = 2; u <= U; u++)
            answer[l].marginal[DIFFER][said(problem, l, u - 1) * V + said(problem, l, u)] +=
                lane_of(&differ[u], l);
}
#endif

static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const frames f = lifted(room, problem);
    const size end = f.n * f.W + f.U;
    inside(&f);
    number goal = number_plus(f.blank[end], f.label[end]);
    give_value(problem, answer, goal, (double)f.n);
#if PLAIN_SUMS
    if (answer->marginal != NULL)
        marginals(room, problem, &f, goal, answer);
#else
    for (int l = 0; l < LANES; l++)
        trace(&f, problem, l, &answer[l]);
#endif
}
#endif

YARDSTICK(ctc) = {"ctc", LANES, solve, uses, steps};
