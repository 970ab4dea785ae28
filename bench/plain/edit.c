/* edit.c - edit distance for rules/edit.rules. SPDX-License-Identifier: MIT */
#include "bench/plain/wave.h"

enum { SUB, DEL, INS };

static size_t uses(const int32_t *length) {
    return (size_t)length[0] + (size_t)length[1];
}

static double steps(const int32_t *length) {
    return (double)length[0] + (double)length[1];
}

#if !PLAIN_SUMS
/* By the scores themselves: value[i * stride + j]. */
static void trace(const plain_problem *problem, int lane, const number *value, size stride,
                  plain_answer *answer) {
    const real *sub = data_of(problem, lane, SUB), *del = data_of(problem, lane, DEL);
    const size by_sub = stride_of(problem, SUB), by_del = stride_of(problem, DEL),
               by_ins = stride_of(problem, INS);
    size i = problem->length[0], j = problem->length[1];
    while (i > 0 || j > 0) {
        const number *at = value + i * stride + j;
        const real best = lane_of(at, lane);
        if (i > 0 && j > 0 && lane_of(at - stride - 1, lane) + sub[i * by_sub + j] == best) {
            use(answer, SUB, i * by_sub + j);
            i--, j--;
        } else if (i > 0 && lane_of(at - stride, lane) + del[i * by_del + j] == best) {
            use(answer, DEL, i * by_del + j);
            i--;
        } else {
            use(answer, INS, i * by_ins + j);
            j--;
        }
    }
}
#endif

#if BACK_POINTERS
static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const size n = problem->length[0], m = problem->length[1], side = m + 1;
    const real *sub = data_of(problem, 0, SUB), *del = data_of(problem, 0, DEL),
               *ins = data_of(problem, 0, INS);
    const size by_sub = stride_of(problem, SUB), by_del = stride_of(problem, DEL),
               by_ins = stride_of(problem, INS);
    real *value = take(room, (n + 1) * side);
    for (size i = 0; i <= n; i++)
        for (size j = 0; j <= m; j++) {
            real *at = value + i * side + j, best = i == 0 && j == 0 ? 0 : -INFINITY;
            if (i > 0 && j > 0)
                best = row_plus(best, at[-side - 1] + sub[i * by_sub + j]);
            if (i > 0)
                best = row_plus(best, at[-side] + del[i * by_del + j]);
            if (j > 0)
                best = row_plus(best, at[-1] + ins[i * by_ins + j]);
            *at = best;
        }
    give_value(problem, answer, value[n * side + m], 0);
    trace(problem, 0, value, side, answer);
}
#else

/* Scores of row i are in row slot(i): all are kept for marginals, else those of a wave. */
typedef struct grid {
    size n, m, stride;
    bool keep;
    number *sub, *del, *ins, *value;
} grid;

static size slot(const grid *g, size i) {
    return (g->keep || i == 0 ? i : 1 + (i - 1) % WAVE) * g->stride;
}

static grid new_grid(plain_room *room, size n, size m, bool keep) {
    const size rows = keep ? n : WAVE;
    return (grid){n,
                  m,
                  wave_stride(m),
                  keep,
                  take_table(room, rows, m),
                  take_table(room, rows, m),
                  take_table(room, rows, m),
                  take_table(room, n, m)};
}

static void lift_row(const grid *g, const plain_problem *problem, size i) {
    number *const to[] = {g->sub + slot(g, i), g->del + slot(g, i), g->ins + slot(g, i)};
    for (int w = i > 0 ? SUB : INS; w <= INS; w++) {
        copy_scores(to[w], problem, w, i * stride_of(problem, w), g->m + 1);
        raise_scores(to[w], problem, g->m + 1, w == SUB ? 2 : 1);
        if (w != DEL)
            to[w][0] = NONE;
    }
}

/* Rows first..first + WAVE - 1. */
static void compute_rows(const grid *g, size first) {
    const size stride = g->stride;
    const number *above = g->value + (first - 1) * stride;
    number *value = g->value + first * stride;
    const number *sub = g->sub + slot(g, first), *del = g->del + slot(g, first),
                 *ins = g->ins + slot(g, first);
#if PLAIN_FORM == 1
    vec left = all(zero), corner = all(zero);
    for (size at = 0; at < g->m + V; at += V) {
        vec subs[V], dels[V], inss[V], values[V];
        read_wave(subs, sub, stride, at);
        read_wave(dels, del, stride, at);
        read_wave(inss, ins, stride, at);
#pragma GCC unroll 16
        for (int s = 0; s < V; s++) {
            const vec up = enter(left, above[at + s]);
            left = add_product(add_product(times(corner, subs[s]), up, dels[s]), left, inss[s]);
            corner = up;
            values[s] = left;
        }
        write_wave(value, stride, at, values);
    }
#else
    row left = row_of(NONE), corner = row_of(NONE);
    for (size j = 0; j <= g->m; j++) {
        left = row_with(row_with(row_times(corner, sub[j]), above[j], del[j]), left, ins[j]);
        corner = above[j];
        value[j] = left;
    }
#endif
}

/* problem: whose scores are still to be lifted; NULL: none. */
static void compute(const grid *g, const plain_problem *problem) {
    if (problem != NULL)
        lift_row(g, problem, 0);
    g->value[0] = ONE;
    for (size j = 1; j <= g->m; j++)
        g->value[j] = number_times(g->value[j - 1], g->ins[j]);
    for (size i = 1; i <= g->n; i += WAVE) {
        for (size r = i; r < i + WAVE && r <= g->n && problem != NULL; r++)
            lift_row(g, problem, r);
        compute_rows(g, i);
    }
}

#if PLAIN_SUMS
/* What is outside a cell: the same table from the other end. */
static grid turned(plain_room *room, const grid *g) {
    const size n = g->n, m = g->m, stride = g->stride;
    grid t = new_grid(room, n, m, true);
    for (size i = 0; i <= n; i++) {
        turn(t.ins + i * stride + 1, g->ins + (n - i) * stride + 1, m - 1);
        if (i == 0)
            continue;
        turn(t.del + i * stride, g->del + (n - i + 1) * stride, m);
        turn(t.sub + i * stride + 1, g->sub + (n - i + 1) * stride + 1, m - 1);
    }
    compute(&t, NULL);
    return t;
}

/* to[j] = value[j] * score[j] * outside[j] */
static void multiply(number *to, const number *value, const number *score, const number *outside,
                     size count) {
    for (size j = 0; j < count; j += STEP)
        row_store(to + j, row_times(row_times(row_load(value + j), row_load(score + j)),
                                    row_load(outside + j)));
}

static void marginals(plain_room *room, const plain_problem *problem, const grid *g, number Z,
                      plain_answer *answer) {
    const size n = g->n, m = g->m, stride = g->stride;
    const grid back = turned(room, g);
    number *outside = take(room, m + 1), *line = take(room, m + 1);
    for (size i = 0; i <= n; i++) {
        const number *value = g->value + i * stride;
        turn(outside, back.value + (n - i) * stride, m);
        scale_row(outside, m + 1, inverse(Z), outside);
        line[0] = NONE;
        multiply(line + 1, value, g->ins + i * stride + 1, outside + 1, m);
        give(answer, INS, i * stride_of(problem, INS), line, m + 1);
        if (i == 0)
            continue;
        multiply(line + 1, value - stride, g->sub + i * stride + 1, outside + 1, m);
        give(answer, SUB, i * stride_of(problem, SUB), line, m + 1);
        multiply(line, value - stride, g->del + i * stride, outside, m + 1);
        give(answer, DEL, i * stride_of(problem, DEL), line, m + 1);
    }
}
#endif

static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const size n = problem->length[0], m = problem->length[1];
    const grid g = new_grid(room, n, m, answer->marginal != NULL);
    compute(&g, problem);
    const number goal = g.value[n * g.stride + m];
    give_value(problem, answer, goal, (double)(n + m));
#if PLAIN_SUMS
    if (answer->marginal != NULL)
        marginals(room, problem, &g, goal, answer);
#else
    for (int l = 0; l < LANES; l++)
        trace(problem, l, g.value, g.stride, &answer[l]);
#endif
}
#endif

YARDSTICK(edit) = {"edit", LANES, solve, uses, steps};
