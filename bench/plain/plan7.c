/* plan7.c - a profile against a sequence for rules/gallery/plan7.rules: Viterbi's algorithm, and
 * forward-backward. SPDX-License-Identifier: MIT */

/* A batch is solved one after the other. Side by side, its profiles would not stay in the
 * first-level cache: that takes 1.3 to 4 times as long. */
#if PLAIN_FORM == 2
#undef PLAIN_FORM
#define PLAIN_FORM 1
#endif
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

static inline size letter(const plain_problem *problem, size i) {
    return problem->numbers[0].data[i - 1];
}

#if !PLAIN_SUMS
/* What position k of 1..K scores for symbol i. */
static inline size match_cell(const plain_problem *problem, size i, size k) {
    return k * problem->length[2] + letter(problem, i);
}
#endif

#if BACK_POINTERS
/* Where M, I and D came from: a state; ENTERED from B. */
enum { ENTERED = STATES };
typedef unsigned char pointer;

typedef struct choice {
    real best;
    pointer from;
} choice;

static inline choice better(choice a, real score, pointer from) {
    const bool more = score > a.best;
    return (choice){more ? score : a.best, more ? from : a.from};
}

/* The scores of a hit that ends with symbol i; returns the symbol before it. */
static size trace_hit(const plain_problem *problem, pointer *const back[STATES], choice end, size k,
                      size i, plain_answer *answer) {
    static const int weight[STATES][STATES] = {{MM, IM, DM}, {MI, II, -1}, {MD, -1, DD}};
    const size side = problem->length[1] + 1;
    for (int state = end.from;;) {
        const int from = back[state][i * side + k];
        if (state == M)
            use(answer, MATCH, match_cell(problem, i, k));
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
            now[M][k] = m.best + w[MATCH][match_cell(problem, i, k)];
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

/* ---- The profile ----------------------------------------------------------------------------- */

/* Position k stands at k - 1. */
typedef struct profile {
    const plain_problem *problem;
    size n, K, letters;
    size width;               /* whole rows of positions */
    const number *w[WEIGHTS]; /* those after MATCH */
    const number *match;      /* [letter * width + position] */
} profile;

static inline size positions(const profile *p, int weight) {
    return weight == ENTER ? p->K : p->K - 1;
}

/* to[c * to_stride + r] = from[r * from_stride + c]; `known` numbers may be read. */
static void turn_table(real *to, size to_stride, const real *from, size from_stride, size rows,
                       size columns, size known) {
#if TEXTBOOK
    (void)known;
    for (size r = 0; r < rows; r++)
        for (size c = 0; c < columns; c++)
            to[c * to_stride + r] = from[r * from_stride + c];
#else
    for (size r = 0; r < rows; r += V)
        for (size c = 0; c < columns; c += V) {
            const size height = rows - r < V ? rows - r : V;
            vec block[V] = {{0}};
            for (size i = 0; i < height; i++) {
                const size at = (r + i) * from_stride + c;
                if (at + V <= known)
                    block[i] = load(from + at);
                else
                    memcpy(&block[i], from + at, (size_t)(known - at) * sizeof *from);
            }
            transpose(block);
            for (size i = 0; i < V && c + i < columns; i++)
                if (height == V)
                    store(to + (c + i) * to_stride + r, block[i]);
                else
                    memcpy(to + (c + i) * to_stride + r, &block[i], (size_t)height * sizeof *to);
        }
#endif
}

/* Rows of letters, which is how a symbol needs them. */
static const number *lift_match(plain_room *room, const profile *p) {
    const size cells = p->letters * p->width;
    number *to = take(room, cells);
    fill(to, cells, -INFINITY);
    turn_table(to, p->width, data_of(p->problem, 0, MATCH) + p->letters, p->letters, p->K,
               p->letters, p->K * p->letters);
    raise_scores(to, p->problem, cells, 1);
    return to;
}

static const number *lift_positions(plain_room *room, const profile *p, int weight) {
    number *to = take_line(room, p->width);
    fill(to, p->width, -INFINITY);
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
                 .width = whole_rows(K)};
    p.match = lift_match(room, &p);
    for (int w = ENTER; w <= DD; w++)
        p.w[w] = lift_positions(room, &p, w);
    for (int w = LOOP; w < WEIGHTS; w++)
        p.w[w] = lift(room, problem, w, 1, w == LOOP);
    return p;
}

/* What positions score for symbol i. */
static inline const number *emissions(const profile *p, size i) {
    return p->match + letter(p->problem, i) * p->width;
}

/* ---- Values ---------------------------------------------------------------------------------- */

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

#if !PLAIN_SUMS
/* ---- The best derivation --------------------------------------------------------------------- */

static real value_of(const values *v, int state, size i, size k) {
    return k == 0 ? -INFINITY : v->state[state][i * v->stride + k - 1];
}

/* The scores of a hit that ends with symbol i; returns the symbol before it. Each state is the best
 * that there is: sums within a row may have been rounded otherwise. */
static size trace_hit(const profile *p, const values *v, size i, plain_answer *answer) {
    static const int weight[STATES][STATES] = {{MM, IM, DM}, {MI, II, -1}, {MD, -1, DD}};
    const real end = v->E[i];
    size k = 1;
    while (value_of(v, M, i, k) != end && value_of(v, D, i, k) != end)
        k++;
    for (int state = value_of(v, M, i, k) == end ? M : D;;) {
        int from = -1;
        real best = -INFINITY;
        if (state == M) {
            use(answer, MATCH, match_cell(p->problem, i, k));
            best = v->B[i - 1] + data_of(p->problem, 0, ENTER)[k];
        }
        i -= state != D;
        for (int t = 0; t < STATES; t++) {
            const int w = weight[state][t];
            const size at = k - (state != I);
            if (w < 0 || at == 0)
                continue;
            const real score = value_of(v, t, i, at) + data_of(p->problem, 0, w)[at];
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

static void trace(const profile *p, const values *v, plain_answer *answer) {
    size i = p->n;
    use(answer, MOVE, 0);
    for (const number *after = v->C;; after = v->J) {
        const int leave = after == v->C ? EC : EJ;
        const real score = *data_of(p->problem, 0, leave);
        for (; v->E[i] + score != after[i]; i--)
            use(answer, LOOP, 0);
        use(answer, leave, 0);
        i = trace_hit(p, v, i, answer);
        use(answer, MOVE, 0);
        if (v->N[i] >= v->J[i])
            break;
    }
    for (; i > 0; i--)
        use(answer, LOOP, 0);
}
#else
/* ---- Marginals ------------------------------------------------------------------------------- */

/* What is outside, after symbol i: of states, and times what a symbol scores. */
typedef struct outside {
    scan scan;
    number *next, *M, *I; /* next: of M after symbol i + 1, with that symbol's score */
    number *sum[DD + 1];  /* of weights, without their own factor */
    number *match;        /* the same, of match: [letter * width + position] */
} outside;

static outside new_outside(plain_room *room, const profile *p) {
    outside o = {.scan = new_scan(room, p->w[DD], p->width, true),
                 .next = take_line(room, p->width),
                 .M = take_line(room, p->width),
                 .I = take_line(room, p->width),
                 .match = take_empty(room, p->letters * p->width)};
    for (int w = ENTER; w <= DD; w++)
        o.sum[w] = take_line(room, p->width);
    return o;
}

INLINE void add_to(number *sum, size q, row a, row b) {
    row_store(sum + q, row_with(row_load(sum + q), a, b));
}

/* From the row after symbol i + 1 to that after i; returns what is outside B[i - 1]. end: outside
 * E[i]. */
INLINE number go_back(const profile *p, const values *v, const outside *o, size i, number end) {
    const number *em = emissions(p, i), *const *w = p->w;
    number *used = o->match + (em - p->match);
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
        add_to(used, q, m, match);
        row_store(o->M + q, with);
        add_to(o->sum[ENTER], q, B, with);
        begin = row_with(begin, row_load(w[ENTER] + q), with);
    }
    return total(begin);
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
    turn_table(answer->marginal[MATCH] + p->letters, p->letters, o.match, p->width, p->letters,
               p->K, p->letters * p->width);
}
#endif

static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const profile p = lifted(room, problem);
    const values v = inside(room, &p, !PLAIN_SUMS || answer->marginal != NULL);
    const number goal = number_times(v.C[p.n], *p.w[MOVE]);
    give_value(problem, answer, goal, (double)p.n);
#if PLAIN_SUMS
    if (answer->marginal != NULL)
        marginals(room, &p, &v, goal, answer);
#else
    trace(&p, &v, answer);
#endif
}
#endif

YARDSTICK(plan7) = {"plan7", LANES, solve, uses, steps};
