/* affine.c - alignment with affine gaps for rules/gallery/affine-gaps.rules.
 * SPDX-License-Identifier: MIT */
#include "bench/plain/wave.h"

enum { SUB, OPEN, DEL, INS };
enum { PAIR, DOWN, RIGHT, TABLES };

static size_t uses(const int32_t *length) {
    return 2 * ((size_t)length[0] + (size_t)length[1]);
}

static double steps(const int32_t *length) {
    return (double)length[0] + (double)length[1];
}

#if !PLAIN_SUMS
/* By the scores themselves, from the best of the tables at the end. */
static void trace(const plain_problem *problem, int lane, number *const value[TABLES], size stride,
                  plain_answer *answer) {
    const real *sub = data_of(problem, lane, SUB), *del = data_of(problem, lane, DEL),
               *ins = data_of(problem, lane, INS), open = *data_of(problem, lane, OPEN);
    const size by_sub = stride_of(problem, SUB);
    size i = problem->length[0], j = problem->length[1];
    int table = PAIR;
    while ((double)lane_of(&value[table][i * stride + j], lane) != answer->value)
        table++;
    while (i > 0 || j > 0) {
        const real best = lane_of(&value[table][i * stride + j], lane);
        const int now = table;
        real score = now == PAIR ? sub[i * by_sub + j] : now == DOWN ? del[i] : ins[j];
        i -= now != RIGHT, j -= now != DOWN;
        for (table = PAIR; table < TABLES; table++) {
            const bool opened = now != PAIR && now != table;
            const real before = lane_of(&value[table][i * stride + j], lane);
            if (now == RIGHT && table == DOWN)
                continue;
            if ((opened ? open + before + score : before + score) != best)
                continue;
            if (opened)
                use(answer, OPEN, 0);
            break;
        }
        use(answer,
            now == PAIR   ? SUB
            : now == DOWN ? DEL
                          : INS,
            now == PAIR   ? (i + 1) * by_sub + j + 1
            : now == DOWN ? i + 1
                          : j + 1);
    }
}
#endif

#if BACK_POINTERS
static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const size n = problem->length[0], m = problem->length[1], side = m + 1;
    const real *sub = data_of(problem, 0, SUB), *del = data_of(problem, 0, DEL),
               *ins = data_of(problem, 0, INS), open = *data_of(problem, 0, OPEN);
    const size by_sub = stride_of(problem, SUB);
    real *value[TABLES];
    for (int t = 0; t < TABLES; t++)
        value[t] = take(room, (n + 1) * side);
    for (size i = 0; i <= n; i++)
        for (size j = 0; j <= m; j++) {
            const size at = i * side + j, corner = at - side - 1, up = at - side, left = at - 1;
            value[PAIR][at] = i == 0 && j == 0 ? 0 : -INFINITY;
            value[DOWN][at] = value[RIGHT][at] = -INFINITY;
            if (i > 0 && j > 0)
                value[PAIR][at] = row_plus(row_plus(value[PAIR][corner], value[DOWN][corner]),
                                           value[RIGHT][corner]) +
                                  sub[i * by_sub + j];
            if (i > 0)
                value[DOWN][at] = row_plus(row_plus(open + value[PAIR][up], value[DOWN][up]),
                                           open + value[RIGHT][up]) +
                                  del[i];
            if (j > 0)
                value[RIGHT][at] = row_plus(open + value[PAIR][left], value[RIGHT][left]) + ins[j];
        }
    const size end = n * side + m;
    give_value(problem, answer,
               row_plus(row_plus(value[PAIR][end], value[DOWN][end]), value[RIGHT][end]), 0);
    trace(problem, 0, value, side, answer);
}
#else

/* Three tables, from the beginning; or, `back`, from the end: then with the scores turned around,
 * and each cell of a table multiplied with the score by which a derivation comes to it. */
typedef struct grid {
    size n, m, stride;
    bool back;
    number open;
    number *sub, *del, *ins; /* ins: of column -j, where a wave reads it */
    number *value[TABLES];
} grid;

typedef struct cell {
    row of[TABLES];
} cell;

INLINE cell step(const grid *g, cell corner, cell up, cell left, row sub, row del, row ins) {
    const row open = row_of(g->open);
    row pair, down, right;
    if (g->back) {
        const row base = row_with(corner.of[PAIR], open, up.of[DOWN]);
        pair = row_with(base, open, left.of[RIGHT]);
        down = row_plus(corner.of[PAIR], up.of[DOWN]);
        right = row_plus(base, left.of[RIGHT]);
    } else {
        pair = row_plus(row_plus(corner.of[PAIR], corner.of[DOWN]), corner.of[RIGHT]);
        down = row_with(row_with(up.of[DOWN], open, up.of[PAIR]), open, up.of[RIGHT]);
        right = row_with(left.of[RIGHT], open, left.of[PAIR]);
    }
    return (cell){{row_times(pair, sub), row_times(down, del), row_times(right, ins)}};
}

static grid new_grid(plain_room *room, size n, size m, bool back) {
    grid g = {.n = n, .m = m, .stride = wave_stride(m), .back = back};
    g.sub = take_table(room, n, m);
    g.del = take_empty(room, n + 1 + WAVE);
    g.ins = take_empty(room, m + 1 + 2 * MARGIN + WAVE) + m + MARGIN;
    for (int t = 0; t < TABLES; t++)
        g.value[t] = take_table(room, n, m);
    return g;
}

/* Row 0, after its first cell. */
static void compute_row(const grid *g) {
    const number none = NONE;
    for (size j = 1; j <= g->m; j++) {
        const number right = g->value[RIGHT][j - 1];
        g->value[PAIR][j] = g->back ? number_times(number_times(g->open, right), g->sub[j]) : none;
        g->value[RIGHT][j] = number_times(
            g->back ? right : number_plus(right, number_times(g->open, g->value[PAIR][j - 1])),
            g->ins[-j]);
    }
}

/* Rows first..first + WAVE - 1. */
INLINE void compute_rows(const grid *g, size first) {
    const size stride = g->stride, at_above = (first - 1) * stride;
    const row none = row_of(NONE);
    const row del = row_load(g->del + first);
    cell left = {{none, none, none}}, corner = left;
#if PLAIN_FORM == 1
    for (size at = 0; at < g->m + V; at += V) {
        vec subs[V], values[TABLES][V];
        read_wave(subs, g->sub + first * stride, stride, at);
#pragma GCC unroll 16
        for (int s = 0; s < V; s++) {
            cell up;
            for (int t = 0; t < TABLES; t++)
                up.of[t] = enter(left.of[t], g->value[t][at_above + at + s]);
            left = step(g, corner, up, left, subs[s], del, load(g->ins - at - s));
            corner = up;
            for (int t = 0; t < TABLES; t++)
                values[t][s] = left.of[t];
        }
        for (int t = 0; t < TABLES; t++)
            write_wave(g->value[t] + first * stride, stride, at, values[t]);
    }
#else
    for (size j = 0; j <= g->m; j++) {
        cell up;
        for (int t = 0; t < TABLES; t++)
            up.of[t] = g->value[t][at_above + j];
        left = step(g, corner, up, left, g->sub[first * stride + j], del, g->ins[-j]);
        corner = up;
        for (int t = 0; t < TABLES; t++)
            g->value[t][first * stride + j] = left.of[t];
    }
#endif
}

static void compute(const grid *g) {
    compute_row(g);
    for (size i = 1; i <= g->n; i += WAVE)
        compute_rows(g, i);
}

static grid lifted(plain_room *room, const plain_problem *problem) {
    const size n = problem->length[0], m = problem->length[1];
    grid g = new_grid(room, n, m, false);
    for (size i = 1; i <= n; i++) {
        number *sub = g.sub + i * g.stride;
        copy_scores(sub, problem, SUB, i * stride_of(problem, SUB), m + 1);
        raise_scores(sub, problem, m + 1, 2);
        sub[0] = NONE;
    }
    g.open = *lift(room, problem, OPEN, 1, 0);
    number *del = lift(room, problem, DEL, n + 1, 1), *ins = lift(room, problem, INS, m + 1, 1);
    for (size i = 1; i <= n; i++)
        g.del[i] = del[i];
    for (size j = 1; j <= m; j++)
        g.ins[-j] = ins[j];
    return g;
}

#if PLAIN_SUMS
static grid turned(plain_room *room, const grid *g, number Z) {
    const size n = g->n, m = g->m;
    grid t = new_grid(room, n, m, true);
    t.open = g->open;
    for (size i = 0; i <= n; i++) {
        turn(t.sub + i * g->stride, g->sub + (n - i) * g->stride, m);
        t.del[i] = g->del[n - i];
    }
    for (size j = 0; j <= m; j++)
        t.ins[-j] = g->ins[j - m];
    t.value[PAIR][0] = number_times(t.sub[0], inverse(Z));
    t.value[DOWN][0] = number_times(t.del[0], inverse(Z));
    t.value[RIGHT][0] = number_times(t.ins[0], inverse(Z));
    compute(&t);
    return t;
}

static void marginals(plain_room *room, const plain_problem *problem, const grid *g, number Z,
                      plain_answer *answer) {
    const size n = g->n, m = g->m, stride = g->stride;
    const grid back = turned(room, g, Z);
    number *line = take_empty(room, m + 1), *del = take_empty(room, n + 1),
           *ins = take_empty(room, m + 1), *outside[TABLES];
    const row open = row_of(g->open);
    row opened = row_of(NONE);
    for (int t = 0; t < TABLES; t++)
        outside[t] = take_empty(room, m + 1);
    for (size i = 0; i <= n; i++) {
        const number *here[TABLES], *above[TABLES];
        for (int t = 0; t < TABLES; t++) {
            here[t] = g->value[t] + i * stride;
            above[t] = here[t] - stride;
            turn(outside[t], back.value[t] + (n - i) * stride, m);
        }
        for (size j = 1; j <= m; j += STEP) {
            const row out = row_load(outside[RIGHT] + j),
                      opens = row_times(row_times(open, row_load(here[PAIR] + j - 1)), out);
            opened = row_plus(opened, opens);
            row_store(ins + j, row_plus(row_load(ins + j),
                                        row_with(opens, row_load(here[RIGHT] + j - 1), out)));
        }
        if (i == 0)
            continue;
        row down = row_of(NONE);
        for (size j = 0; j <= m; j += STEP) {
            const row out = row_load(outside[DOWN] + j),
                      opens = row_times(row_times(open, row_plus(row_load(above[PAIR] + j),
                                                                 row_load(above[RIGHT] + j))),
                                        out);
            opened = row_plus(opened, opens);
            down = row_plus(down, row_with(opens, row_load(above[DOWN] + j), out));
        }
        number downs[STEP];
        row_store(downs, down);
        del[i] = sum_row(downs, STEP);
        for (size j = 1; j <= m; j += STEP)
            row_store(line + j, row_times(row_plus(row_plus(row_load(above[PAIR] + j - 1),
                                                            row_load(above[DOWN] + j - 1)),
                                                   row_load(above[RIGHT] + j - 1)),
                                          row_load(outside[PAIR] + j)));
        give(answer, SUB, i * stride_of(problem, SUB), line, m + 1);
    }
    number opens[STEP];
    row_store(opens, opened);
    number all_opens = sum_row(opens, STEP);
    give(answer, OPEN, 0, &all_opens, 1);
    give(answer, DEL, 0, del, n + 1);
    give(answer, INS, 0, ins, m + 1);
}
#endif

static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const size n = problem->length[0], m = problem->length[1];
    const grid g = lifted(room, problem);
    g.value[PAIR][0] = ONE;
    compute(&g);
    number goal = NONE;
    for (int t = 0; t < TABLES; t++)
        goal = number_plus(goal, g.value[t][n * g.stride + m]);
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

YARDSTICK(affine) = {"affine-gaps", LANES, solve, uses, steps};
