/* plan7.c - a profile against a sequence for rules/gallery/plan7.rules: Viterbi's algorithm, and
 * forward-backward. SPDX-License-Identifier: MIT */
#include "bench/plain/scan.h"

enum { MATCH, ENTER, MM, MI, MD, IM, II, DM, DD, LOOP, MOVE, EJ, EC, WEIGHTS };
enum { M, I, D, STATES };

/* Every position may be passed over after each symbol. */
static size_t uses(const int32_t *length) {
    return 1 + (size_t)length[0] * ((size_t)length[1] + 6);
}

/* A symbol: of a match, an insertion or the background. */
static double steps(const int32_t *length) {
    return length[0];
}

static inline size letter(const plain_problem *problem, int lane, size i) {
    return problem[lane].numbers[0].data[i - 1];
}

/* A cell of position k of 1..K. */
static inline size cell_of(const plain_problem *problem, int lane, int weight, size i, size k) {
    return weight == MATCH ? k * problem->length[2] + letter(problem, lane, i) : k;
}

#if BACK_POINTERS
/* Where M, I and D came from: a state; ENTERED from B. */
enum { ENTERED = STATES };
typedef unsigned char pointer;

typedef struct choice {
    real best;
    pointer from;
} choice;

static inline choice better(choice a, real score, pointer from) {
    return score > a.best ? (choice){score, from} : a;
}

/* The scores of a hit that ends with symbol i; returns the symbol before it. */
static size trace_hit(const plain_problem *problem, pointer *const back[STATES], choice end, size k,
                      size i, plain_answer *answer) {
    static const int weight[STATES][STATES] = {{MM, IM, DM}, {MI, II, -1}, {MD, -1, DD}};
    const size side = problem->length[1] + 1;
    for (int state = end.from;;) {
        const int from = back[state][i * side + k];
        if (state == M)
            use(answer, MATCH, cell_of(problem, 0, MATCH, i, k));
        i -= state != D;
        if (from == ENTERED) {
            use(answer, ENTER, k);
            return i;
        }
        k -= state != I;
        use(answer, weight[state][from], k);
        state = from;
    }
}

static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const size n = problem->length[0], K = problem->length[1], side = K + 1;
    const real *w[WEIGHTS];
    for (int s = 0; s < WEIGHTS; s++)
        w[s] = data_of(problem, 0, s);
    const real loop = *w[LOOP], move = *w[MOVE];
    real *row[2][STATES], *N = take(room, n + 1), *J = take(room, n + 1), *C = take(room, n + 1),
                          *E = take(room, n + 1);
    pointer *back[STATES], *state = plain_take(room, (size_t)n + 1);
    int *last = plain_take(room, (size_t)(n + 1) * sizeof *last);
    for (int s = 0; s < STATES; s++) {
        back[s] = plain_take(room, (size_t)((n + 1) * side));
        for (int r = 0; r < 2; r++) {
            row[r][s] = take(room, side);
            fill(row[r][s], side, -INFINITY);
        }
    }
    N[0] = 0;
    J[0] = C[0] = -INFINITY;
    for (size i = 1; i <= n; i++) {
        real *const *before = row[(i - 1) % 2], *const *now = row[i % 2];
        const real B = row_plus(N[i - 1], J[i - 1]) + move;
        choice end = {-INFINITY, M};
        for (size k = 1; k <= K; k++) {
            const size at = i * side + k;
            choice m = {B + w[ENTER][k], ENTERED}, in = {-INFINITY, M}, d = {-INFINITY, M};
            if (k > 1) {
                m = better(m, before[M][k - 1] + w[MM][k - 1], M);
                m = better(m, before[I][k - 1] + w[IM][k - 1], I);
                m = better(m, before[D][k - 1] + w[DM][k - 1], D);
                d = better(d, now[M][k - 1] + w[MD][k - 1], M);
                d = better(d, now[D][k - 1] + w[DD][k - 1], D);
            }
            if (k < K) {
                in = better(in, before[M][k] + w[MI][k], M);
                in = better(in, before[I][k] + w[II][k], I);
            }
            now[M][k] = m.best + w[MATCH][cell_of(problem, 0, MATCH, i, k)];
            now[I][k] = in.best;
            now[D][k] = d.best;
            back[M][at] = m.from;
            back[I][at] = in.from;
            back[D][at] = d.from;
            const real was = end.best;
            end = better(better(end, now[M][k], M), now[D][k], D);
            if (end.best > was)
                last[i] = (int)k;
        }
        E[i] = end.best;
        state[i] = end.from;
        N[i] = N[i - 1] + loop;
        J[i] = row_plus(E[i] + *w[EJ], J[i - 1] + loop);
        C[i] = row_plus(E[i] + *w[EC], C[i - 1] + loop);
    }
    give_value(problem, answer, C[n] + move, 0);
    use(answer, MOVE, 0);
    size i = n;
    for (const real *after = C;; after = J) {
        const int leave = after == C ? EC : EJ;
        for (; E[i] + *w[leave] != after[i]; i--)
            use(answer, LOOP, 0);
        use(answer, leave, 0);
        i = trace_hit(problem, back, (choice){0, state[i]}, last[i], i, answer);
        use(answer, MOVE, 0);
        if (N[i] >= J[i])
            break;
    }
    for (; i > 0; i--)
        use(answer, LOOP, 0);
}
#else

/* ---- The profile ------------------------------------------------------------------------------
 */

/* Position k stands at k - 1. */
typedef struct profile {
    const plain_problem *problem;
    size n, K, letters;
    size width, W;            /* of what is computed; W: whole vectors */
    const number *w[WEIGHTS]; /* those after MATCH */
    real *match[LANES];       /* [letter * W + position] */
    number *line;             /* the scores of a symbol, where they must be put together */
} profile;

static inline size positions(const profile *p, int weight) {
    return weight == ENTER ? p->K : p->K - 1;
}

/* Rows of letters, which is how a symbol needs them. */
static real *lift_match(plain_room *room, const profile *p, int lane) {
    const size K = p->K, letters = p->letters, W = p->W, cells = K * letters;
    const real *from = data_of(p->problem, lane, MATCH) + letters;
    real *to = plain_take(room, (size_t)(letters * W + 2 * V) * sizeof *to);
    const real scale = HAND_LOG ? (real)p->problem[lane].scale : 0;
#if TEXTBOOK
    for (size v = 0; v < letters; v++)
        for (size k = 0; k < W; k++)
            to[v * W + k] = k < K ? exp(from[k * letters + v] - scale) : zero;
    (void)cells;
#else
    for (size k = 0; k < W; k += V)
        for (size v = 0; v < letters; v += V) {
            vec block[V];
            for (size i = 0; i < V; i++) {
                const size at = (k + i) * letters + v;
                block[i] = all(-INFINITY);
                if (at + V <= cells)
                    block[i] = load(from + at);
                else if (at < cells)
                    memcpy(&block[i], from + at, (size_t)(cells - at) * sizeof *from);
            }
            transpose(block);
            for (size i = 0; i < V && v + i < letters; i++)
#if HAND_LOG
                store(to + (v + i) * W + k, exponential(block[i] - scale));
#else
                store(to + (v + i) * W + k, block[i]);
#endif
        }
    (void)scale;
#endif
    return to;
}

static const number *lift_positions(plain_room *room, const profile *p, int weight) {
    number *to = take_line(room, p->width);
    fill(to, p->width, NUMBER(-INFINITY));
    copy_scores(to, p->problem, weight, 1, positions(p, weight));
    raise_scores(to, p->problem, p->width, weight == MI || weight == II);
    return to;
}

static profile lifted(plain_room *room, const plain_problem *problem) {
    const size K = problem->length[1];
    profile p = {.problem = problem,
                 .n = problem->length[0],
                 .K = K,
                 .letters = problem->length[2],
                 .width = whole_rows(K),
                 .W = (K + V - 1) / V * (size)V};
    for (int l = 0; l < LANES; l++)
        p.match[l] = lift_match(room, &p, l);
    for (int w = ENTER; w <= DD; w++)
        p.w[w] = lift_positions(room, &p, w);
    for (int w = LOOP; w < WEIGHTS; w++)
        p.w[w] = lift(room, problem, w, 1, w == LOOP);
    p.line = take(room, p.W);
    return p;
}

/* What positions score for symbol i. */
INLINE const number *emissions(const profile *p, size i) {
#if BATCH
    const real *from[V];
    for (int l = 0; l < V; l++)
        from[l] = p->match[l] + letter(p->problem, l, i) * p->W;
    for (size q = 0; q < p->W; q += V) {
        vec block[V];
        for (int l = 0; l < V; l++)
            block[l] = load(from[l] + q);
        transpose(block);
        for (int j = 0; j < V; j++)
            p->line[q + j] = block[j];
    }
    return p->line;
#else
    return p->match[0] + letter(p->problem, 0, i) * p->W;
#endif
}

/* ---- Values -----------------------------------------------------------------------------------
 */

/* A row for each symbol, or one for all of them, where nothing is asked but the value. */
typedef struct values {
    number *state[STATES]; /* [i * stride + position] */
    size stride;
    number *N, *B, *J, *C, *E; /* [i] */
} values;

/* A row after symbol i; returns the sum over those who may leave. into[k]: what comes to M[k + 1]
 * of the next row; `from` of this one. */
INLINE number compute_row(const profile *p, const scan *s, const values *v, size i,
                          const number *from, number *into) {
    const number *em = emissions(p, i), *const *w = p->w;
    const size before = (i - 1) * v->stride, at = i * v->stride;
    const row B = row_of(v->B[i - 1]);
    row passed = row_of(NONE), carry = passed, end = passed;
    for (size q = 0; q < p->width; q += STEP) {
        const row m = row_times(row_with(row_load(from + q - 1), B, row_load(w[ENTER] + q)),
                                row_load(em + q)),
                  in = row_with(row_times(row_load(v->state[M] + before + q), row_load(w[MI] + q)),
                                row_load(v->state[I] + before + q), row_load(w[II] + q)),
                  pass = row_times(m, row_load(w[MD] + q)),
                  d = run_scan(s, q, neighbours(pass, passed, false), carry, false);
        passed = pass;
        carry = carry_of(d, false);
        end = row_plus(end, row_plus(m, d));
        row_store(v->state[M] + at + q, m);
        row_store(v->state[I] + at + q, in);
        row_store(v->state[D] + at + q, d);
        row_store(into + q,
                  row_with(row_with(row_times(m, row_load(w[MM] + q)), in, row_load(w[IM] + q)), d,
                           row_load(w[DM] + q)));
    }
    return total(end);
}

static values inside(plain_room *room, const profile *p, bool keep) {
    const size n = p->n;
    const number loop = *p->w[LOOP], move = *p->w[MOVE];
    const scan s = new_scan(room, p->w[DD], p->width, false);
    number *row[] = {take_line(room, p->width), take_line(room, p->width)};
    values v = {.stride = keep ? p->width : 0,
                .N = take(room, n + 1),
                .B = take(room, n + 1),
                .J = take(room, n + 1),
                .C = take(room, n + 1),
                .E = take(room, n + 1)};
    for (int t = 0; t < STATES; t++) {
        v.state[t] = take(room, (keep ? n + 1 : 1) * p->width);
        fill(v.state[t], p->width, NONE);
    }
    v.N[0] = ONE;
    v.B[0] = move;
    v.J[0] = v.C[0] = v.E[0] = NONE;
    for (size i = 1; i <= n; i++) {
        const number E = compute_row(p, &s, &v, i, row[i % 2], row[(i + 1) % 2]);
        v.E[i] = E;
        v.N[i] = number_times(v.N[i - 1], loop);
        v.J[i] = number_plus(number_times(v.J[i - 1], loop), number_times(E, *p->w[EJ]));
        v.C[i] = number_plus(number_times(v.C[i - 1], loop), number_times(E, *p->w[EC]));
        v.B[i] = number_times(number_plus(v.N[i], v.J[i]), move);
    }
    return v;
}

#if !HAND_LOG
/* ---- The best derivation ----------------------------------------------------------------------
 */

static real value_of(const values *v, int lane, int state, size i, size k) {
    return k == 0 ? -INFINITY : lane_of(&v->state[state][i * v->stride + k - 1], lane);
}

/* The scores of a hit that ends with symbol i; returns the symbol before it. Each state is the best
 * that there is: sums within a row may have been rounded otherwise. */
static size trace_hit(const profile *p, const values *v, int lane, size i, plain_answer *answer) {
    static const int weight[STATES][STATES] = {{MM, IM, DM}, {MI, II, -1}, {MD, -1, DD}};
    const real end = lane_of(&v->E[i], lane);
    size k = 1;
    while (value_of(v, lane, M, i, k) != end && value_of(v, lane, D, i, k) != end)
        k++;
    for (int state = value_of(v, lane, M, i, k) == end ? M : D;;) {
        int from = -1;
        real best = -INFINITY;
        if (state == M) {
            use(answer, MATCH, cell_of(p->problem, lane, MATCH, i, k));
            best = lane_of(&v->B[i - 1], lane) + data_of(p->problem, lane, ENTER)[k];
        }
        i -= state != D;
        for (int t = 0; t < STATES; t++) {
            const int w = weight[state][t];
            const size at = k - (state != I);
            if (w < 0 || at == 0)
                continue;
            const real score = value_of(v, lane, t, i, at) + data_of(p->problem, lane, w)[at];
            if (score > best)
                best = score, from = t;
        }
        if (from < 0) {
            use(answer, ENTER, k);
            return i;
        }
        k -= state != I;
        use(answer, weight[state][from], k);
        state = from;
    }
}

static void trace(const profile *p, const values *v, int lane, plain_answer *answer) {
    size i = p->n;
    use(answer, MOVE, 0);
    for (const number *after = v->C;; after = v->J) {
        const int leave = after == v->C ? EC : EJ;
        const real score = *data_of(p->problem, lane, leave);
        for (; lane_of(&v->E[i], lane) + score != lane_of(&after[i], lane); i--)
            use(answer, LOOP, 0);
        use(answer, leave, 0);
        i = trace_hit(p, v, lane, i, answer);
        use(answer, MOVE, 0);
        if (lane_of(&v->N[i], lane) >= lane_of(&v->J[i], lane))
            break;
    }
    for (; i > 0; i--)
        use(answer, LOOP, 0);
}
#else
/* ---- Marginals --------------------------------------------------------------------------------
 */

/* What is outside, after symbol i: of states, and times what a symbol scores. */
typedef struct outside {
    scan scan;
    number *next, *M, *I; /* next: of M after symbol i + 1, with that symbol's score */
    number *used;         /* marginals of match, of this symbol */
    number *sum[DD + 1];  /* of weights, without their own factor */
    real *match[LANES];   /* [letter * W + position] */
} outside;

static outside new_outside(plain_room *room, const profile *p) {
    outside o = {.scan = new_scan(room, p->w[DD], p->width, true),
                 .next = take_line(room, p->width),
                 .M = take_line(room, p->width),
                 .I = take_line(room, p->width),
                 .used = take_empty(room, p->W)};
    for (int w = ENTER; w <= DD; w++)
        o.sum[w] = take_line(room, p->width);
    const size_t bytes = (size_t)(p->letters * p->W + 2 * V) * sizeof(real);
    for (int l = 0; l < LANES; l++)
        o.match[l] = memset(plain_take(room, bytes), 0, bytes);
    return o;
}

INLINE void add_to(number *sum, size q, row a, row b) {
    row_store(sum + q, row_with(row_load(sum + q), a, b));
}

/* From the row after symbol i + 1 to that after i; returns what is outside B[i - 1]. end: outside
 * E[i]. */
INLINE number go_back(const profile *p, const values *v, const outside *o, size i, number end) {
    const number *em = emissions(p, i), *const *w = p->w;
    const row B = row_of(v->B[i - 1]), leave = row_of(end);
    row begin = row_of(NONE), right = begin, carry = begin;
    for (size q = p->width - STEP; q >= 0; q -= STEP) {
        const size at = i * v->stride + q;
        const row m = row_load(v->state[M] + at), in = row_load(v->state[I] + at),
                  d = row_load(v->state[D] + at), next = row_load(o->next + q + 1),
                  insert = row_load(o->I + q);
        const row out = run_scan(&o->scan, q, row_with(leave, row_load(w[DM] + q), next), carry,
                                 true),
                  passed = neighbours(out, right, true);
        right = out;
        carry = carry_of(out, true);
        add_to(o->sum[MM], q, m, next);
        add_to(o->sum[MI], q, m, insert);
        add_to(o->sum[MD], q, m, passed);
        add_to(o->sum[IM], q, in, next);
        add_to(o->sum[II], q, in, insert);
        add_to(o->sum[DM], q, d, next);
        add_to(o->sum[DD], q, d, passed);
        const row match = row_with(row_with(row_with(leave, row_load(w[MM] + q), next),
                                            row_load(w[MI] + q), insert),
                                   row_load(w[MD] + q), passed),
                  with = row_times(match, row_load(em + q));
        row_store(o->I + q,
                  row_with(row_times(row_load(w[IM] + q), next), row_load(w[II] + q), insert));
        row_store(o->used + q, row_times(m, match));
        row_store(o->M + q, with);
        add_to(o->sum[ENTER], q, B, with);
        begin = row_with(begin, row_load(w[ENTER] + q), with);
    }
    return total(begin);
}

static void add_match(const profile *p, const outside *o, size i) {
#if BATCH
    for (size q = 0; q < p->W; q += V) {
        vec block[V];
        for (int j = 0; j < V; j++)
            block[j] = o->used[q + j];
        transpose(block);
        for (int l = 0; l < V; l++) {
            real *to = o->match[l] + letter(p->problem, l, i) * p->W + q;
            store(to, load(to) + block[l]);
        }
    }
#else
    number *to = o->match[0] + letter(p->problem, 0, i) * p->W;
    for (size q = 0; q < p->width; q += STEP)
        row_store(to + q, row_plus(row_load(to + q), row_load(o->used + q)));
#endif
}

static void give_match(const profile *p, const outside *o, plain_answer *answer) {
    const size letters = p->letters, K = p->K, W = p->W;
    for (int l = 0; l < LANES; l++) {
        const real *from = o->match[l];
        double *to = answer[l].marginal[MATCH] + letters;
#if TEXTBOOK
        for (size k = 0; k < K; k++)
            for (size v = 0; v < letters; v++)
                to[k * letters + v] = from[v * W + k];
#else
        for (size k = 0; k < K; k += V)
            for (size v = 0; v < letters; v += V) {
                const size count = letters - v < V ? letters - v : V;
                vec block[V] = {{0}};
                for (size i = 0; i < count; i++)
                    block[i] = load(from + (v + i) * W + k);
                transpose(block);
                for (size i = 0; i < V && k + i < K; i++)
                    memcpy(to + (k + i) * letters + v, &block[i], (size_t)count * sizeof *to);
            }
#endif
    }
}

static void marginals(plain_room *room, const profile *p, const values *v, number Z,
                      plain_answer *answer) {
    const number loop = *p->w[LOOP], move = *p->w[MOVE], ej = *p->w[EJ], ec = *p->w[EC];
    outside o = new_outside(room, p);
    number N = NONE, J = NONE, C = move * inverse(Z), sum[WEIGHTS];
    for (int w = LOOP; w < WEIGHTS; w++)
        sum[w] = NONE;
    for (size i = p->n; i > 0; i--) {
        const number B = go_back(p, v, &o, i, ej * J + ec * C);
        add_match(p, &o, i);
        number *swap = o.next;
        o.next = o.M;
        o.M = swap;
        sum[LOOP] += v->N[i - 1] * N + v->J[i - 1] * J + v->C[i - 1] * C;
        sum[MOVE] += (v->N[i - 1] + v->J[i - 1]) * B;
        sum[EJ] += v->E[i] * J;
        sum[EC] += v->E[i] * C;
        N = loop * N + move * B;
        J = loop * J + move * B;
        C = loop * C;
    }
    sum[MOVE] += v->C[p->n] * inverse(Z);
    for (int w = LOOP; w < WEIGHTS; w++) {
        sum[w] *= *p->w[w];
        give(answer, w, 0, &sum[w], 1);
    }
    for (int w = ENTER; w <= DD; w++) {
        multiply_rows(o.sum[w], p->width, o.sum[w], p->w[w]);
        give(answer, w, 1, o.sum[w], positions(p, w));
    }
    give_match(p, &o, answer);
}
#endif

static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const profile p = lifted(room, problem);
    const values v = inside(room, &p, !HAND_LOG || answer->marginal != NULL);
    const number goal = number_times(v.C[p.n], *p.w[MOVE]);
    give_value(problem, answer, goal, (double)p.n);
#if HAND_LOG
    if (answer->marginal != NULL)
        marginals(room, &p, &v, goal, answer);
#else
    for (int l = 0; l < LANES; l++)
        trace(&p, &v, l, &answer[l]);
#endif
}
#endif

YARDSTICK(plan7) = {"plan7", LANES, solve, uses, steps};
