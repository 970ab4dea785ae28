/* align.c - forward and backward with jumps for rules/align-hmm.rules. SPDX-License-Identifier: MIT
 */
#include "bench/plain/lift.h"

enum { REWRITE, NOWHERE, JUMP };

static size_t uses(const int32_t *length) {
    return 2 * (size_t)length[0] + 1;
}

static double steps(const int32_t *length) {
    return length[0];
}

#if BACK_POINTERS
static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const int m = problem->length[0], n = problem->length[1], side = n + 1;
    const real *rewrite = data_of(problem, 0, REWRITE), *nowhere = data_of(problem, 0, NOWHERE),
               *jump = data_of(problem, 0, JUMP) + n;
    const size by_word = stride_of(problem, REWRITE);
    real *at = take(room, (m + 1) * side);
    int *back = plain_take(room, (size_t)(m + 1) * (size_t)side * sizeof *back);
    for (int i = 0; i <= n; i++)
        at[i] = i == 0 ? 0 : -INFINITY;
    for (int t = 1; t <= m; t++)
        for (int j = 0; j <= n; j++) {
            const real *before = at + (t - 1) * side;
            real best = -INFINITY;
            int from = 0;
            for (int i = 0; i <= n && j > 0; i++) {
                real score = before[i] + jump[j - i];
                if (score > best)
                    best = score, from = i;
            }
            real made = j > 0 ? best + rewrite[t * by_word + j] : -INFINITY,
                 none = before[j] + nowhere[t];
            at[t * side + j] = made > none ? made : none;
            back[t * side + j] = made > none ? from : -1;
        }
    int last = 0;
    for (int i = 1; i <= n; i++)
        if (at[m * side + i] + jump[n + 1 - i] > at[m * side + last] + jump[n + 1 - last])
            last = i;
    give_value(problem, answer, at[m * side + last] + jump[n + 1 - last], m);
    use(answer, JUMP, 2 * n + 1 - last);
    for (int t = m; t > 0; t--) {
        int from = back[t * side + last];
        if (from < 0) {
            use(answer, NOWHERE, t);
            continue;
        }
        use(answer, REWRITE, t * by_word + last);
        use(answer, JUMP, n + last - from);
        last = from;
    }
}
#else

/* Rows of W positions. jump[d] is at jump[n + d]. landed: the sum over where a jump came from. */
typedef struct alignment {
    size m, n, W, by_word;
    const number *rewrite, *nowhere, *jump;
    number *at, *landed;
} alignment;

#if !PLAIN_SUMS
static void trace(const alignment *a, int lane, plain_answer *answer) {
    const size n = a->n, W = a->W;
    const number *at = a->at + a->m * W;
    size j = 0;
    while ((double)(lane_of(&at[j], lane) + lane_of(&a->jump[2 * n + 1 - j], lane)) !=
           answer->value)
        j++;
    use(answer, JUMP, 2 * n + 1 - j);
    for (size t = a->m; t > 0; t--) {
        const number *before = a->at + (t - 1) * W;
        const real value = lane_of(&a->at[t * W + j], lane);
        if (lane_of(&before[j], lane) + lane_of(&a->nowhere[t], lane) == value) {
            use(answer, NOWHERE, t);
            continue;
        }
        const real landed = lane_of(&a->landed[t * W + j], lane);
        size i = 0;
        while (lane_of(&before[i], lane) + lane_of(&a->jump[n + j - i], lane) != landed)
            i++;
        use(answer, REWRITE, t * a->by_word + j);
        use(answer, JUMP, n + j - i);
        j = i;
    }
}
#else
static size least_of(size a, size b) {
    return a < b ? a : b;
}

static size most_of(size a, size b) {
    return a > b ? a : b;
}

/* sum[n + d] += the sum over i of at[i] * word[i + d], word being there for 1..n. */
static void correlate(number *sum, const number *at, const number *word, size n) {
    enum { WIDTH = MOST_SUMS * STEP };
    for (size x = 0; x <= 2 * n; x += WIDTH) {
        const size first = most_of(0, n + 1 - (x + WIDTH - 1)), last = least_of(n, 2 * n - x);
        sum_scaled(sum + x, least_of(WIDTH, 2 * n + 1 - x), true, at + first, 1,
                   word + first + x - n, 1, last - first + 1);
    }
}

static void marginals(plain_room *room, const alignment *a, number Z, plain_answer *answer) {
    enum { WIDTH = MOST_SUMS * STEP };
    const size m = a->m, n = a->n, W = a->W, jumps = 2 * n + 2;
    number *turned = take_empty(room, jumps + W),
           *word = take_empty(room, n + 3 * W + 2 * WIDTH) + W + WIDTH,
           *outside = take_empty(room, W), *next = take_empty(room, W),
           *row_of_words = take(room, W), *jump = take_empty(room, jumps + WIDTH),
           *nowhere = take_empty(room, m + 1);
    for (size x = 0; x < jumps; x++)
        turned[jumps - 1 - x] = a->jump[x];
    for (size i = 0; i <= n; i++) {
        const number final = number_times(a->jump[2 * n + 1 - i], inverse(Z));
        outside[i] = final;
        jump[2 * n + 1 - i] = number_times(a->at[m * W + i], inverse(Z));
    }
    for (size t = m; t >= 1; t--) {
        const number *before = a->at + (t - 1) * W;
        multiply_rows(word, n + 1, a->rewrite + t * W, outside);
        fill(word + n + 1, W - n - 1, NONE);
        multiply_rows(row_of_words, n + 1, word, a->landed + t * W);
        give(answer, REWRITE, t * a->by_word, row_of_words, n + 1);
        nowhere[t] = number_times(a->nowhere[t], sum_products(before, outside, n + 1));
        correlate(jump, before, word, n);
        scale_row(next, n + 1, a->nowhere[t], outside);
        sum_scaled(next, n + 1, true, word, 1, turned + n + 1, -1, n + 1);
        memcpy(outside, next, (size_t)(n + 1) * sizeof *next);
    }
    multiply_rows(jump, jumps, jump, a->jump);
    give(answer, JUMP, 0, jump, jumps);
    give(answer, NOWHERE, 0, nowhere, m + 1);
}
#endif

static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const size m = problem->length[0], n = problem->length[1], W = whole_rows(n + 1);
    alignment a = {m,
                   n,
                   W,
                   stride_of(problem, REWRITE),
                   lift_rows(room, problem, REWRITE, 0, m + 1, n + 1, 1),
                   lift(room, problem, NOWHERE, m + 1, 1),
                   lift(room, problem, JUMP, 2 * n + 2, 0),
                   take_empty(room, (m + 1) * W),
                   take(room, (m + 1) * W)};
    a.at[0] = ONE;
    for (size t = 1; t <= m; t++) {
        number *at = a.at + t * W, *landed = a.landed + t * W,
               *rewrite = (number *)a.rewrite + t * W;
        rewrite[0] = NONE;
        sum_scaled(landed, n + 1, false, at - W, 1, a.jump + n, -1, n + 1);
        for (size j = 0; j <= n; j += STEP)
            row_store(at + j, row_with(row_times(row_load(landed + j), row_load(rewrite + j)),
                                       row_load(at - W + j), row_of(a.nowhere[t])));
        fill(at + n + 1, W - n - 1, NONE);
    }
    number goal = NONE;
    for (size i = 0; i <= n; i++)
        goal = number_plus(goal, number_times(a.at[m * W + i], a.jump[2 * n + 1 - i]));
    give_value(problem, answer, goal, (double)m);
#if PLAIN_SUMS
    if (answer->marginal != NULL)
        marginals(room, &a, goal, answer);
#else
    for (int l = 0; l < LANES; l++)
        trace(&a, l, &answer[l]);
#endif
}
#endif

YARDSTICK(align) = {"align-hmm", LANES, solve, uses, steps};
