/* deletion.c - a tree's constituents kept or dropped for rules/delete-tree.rules: entry after
 * entry, the nodes from the last to the first. One sentence has no use for vectors: a node has few
 * entries, each of which reads elsewhere. SPDX-License-Identifier: MIT */
#include "bench/plain/lift.h"

enum { WORD, FIRST, KEEP, DROP, KEEP_LAST, DROP_LAST, WEIGHTS };

static size_t uses(const int32_t *length) {
    return 3 * (size_t)length[1];
}

static double steps(const int32_t *length) {
    (void)length;
    return 1;
}

/* The entries of node x of a weight are order[from[x]..from[x + 1] - 1]. */
typedef struct entries {
    const int32_t *index;
    size rank, count;
    size *from, *order;
    const number *score;
} entries;

typedef struct deletion {
    size N, Q;
    entries of[WEIGHTS];
    number *node, *rest; /* rest[x * Q + q] */
} deletion;

static void sort_entries(plain_room *room, const tz_scores *scores, size N, entries *e) {
    e->count = (size)scores->entries;
    e->index = scores->index;
    e->from = plain_take(room, ((size_t)N + 3) * sizeof *e->from);
    e->order = plain_take(room, scores->entries * sizeof *e->order);
    memset(e->from, 0, ((size_t)N + 3) * sizeof *e->from);
    for (size i = 0; i < e->count; i++)
        e->from[e->index[i * e->rank] + 2]++;
    for (size x = 0; x <= N; x++)
        e->from[x + 2] += e->from[x + 1];
    for (size i = 0; i < e->count; i++)
        e->order[e->from[e->index[i * e->rank] + 1]++] = i;
}

/* What an entry of a node's rules multiplies its score with; where it says y, r: rest[y,r]. */
static const number *rest_of(const deletion *d, int weight, const int32_t *at) {
    return weight == FIRST                    ? &d->rest[at[1] * d->Q + at[2]]
           : weight == KEEP || weight == DROP ? &d->rest[at[1] * d->Q + at[3]]
                                              : NULL;
}

/* The state that an entry is for. */
static size state_of(int weight, const int32_t *at) {
    return weight == KEEP || weight == DROP ? at[2] : at[1];
}

static number product_of(const deletion *d, int weight, size entry, size x) {
    const entries *e = &d->of[weight];
    const number *rest = rest_of(d, weight, e->index + entry * e->rank);
    number product = e->score[entry];
    if (rest != NULL)
        product = number_times(product, *rest);
    return weight == KEEP || weight == KEEP_LAST ? number_times(product, d->node[x]) : product;
}

static void inside(const deletion *d) {
    for (size x = d->N; x >= 1; x--)
        for (int w = WORD; w < WEIGHTS; w++) {
            const entries *e = &d->of[w];
            for (size i = e->from[x]; i < e->from[x + 1]; i++) {
                const int32_t *at = e->index + e->order[i] * e->rank;
                number *to = w <= FIRST ? &d->node[x] : &d->rest[x * d->Q + state_of(w, at)];
                *to = number_plus(*to, product_of(d, w, e->order[i], x));
            }
        }
}

#if !PLAIN_SUMS
typedef struct item {
    size x, q; /* q -1: node[x] */
} item;

static item *take_apart(const deletion *d, int lane, item it, item *top, plain_answer *answer) {
    const number *value = it.q < 0 ? &d->node[it.x] : &d->rest[it.x * d->Q + it.q];
    for (int w = it.q < 0 ? WORD : KEEP; w < WEIGHTS; w++) {
        const entries *e = &d->of[w];
        for (size i = e->from[it.x]; i < e->from[it.x + 1]; i++) {
            const int32_t *at = e->index + e->order[i] * e->rank;
            const number product = product_of(d, w, e->order[i], it.x);
            if ((it.q >= 0 && state_of(w, at) != it.q) ||
                lane_of(&product, lane) != lane_of(value, lane))
                continue;
            use(answer, w, e->order[i]);
            if (w == KEEP || w == KEEP_LAST)
                *top++ = (item){it.x, -1};
            if (rest_of(d, w, at) != NULL)
                *top++ = (item){at[1], w == FIRST ? at[2] : at[3]};
            return top;
        }
    }
    return top;
}

static void trace(plain_room *room, const deletion *d, int lane, plain_answer *answer) {
    item *stack = plain_take(room, (2 * (size_t)d->N + 2) * sizeof *stack), *top = stack;
    *top++ = (item){1, -1};
    while (top > stack) {
        top--;
        top = take_apart(d, lane, *top, top, answer);
    }
}
#else
static void marginals(plain_room *room, const deletion *d, number Z, plain_answer *answer) {
    number *node = take_empty(room, d->N + 1), *rest = take_empty(room, (d->N + 1) * d->Q),
           *marginal[WEIGHTS];
    for (int w = 0; w < WEIGHTS; w++)
        marginal[w] = take(room, d->of[w].count);
    node[1] = inverse(Z);
    for (size x = 1; x <= d->N; x++)
        for (int w = WEIGHTS - 1; w >= WORD; w--) {
            const entries *e = &d->of[w];
            for (size i = e->from[x]; i < e->from[x + 1]; i++) {
                const size entry = e->order[i];
                const int32_t *at = e->index + entry * e->rank;
                const number *in = rest_of(d, w, at);
                const bool kept = w == KEEP || w == KEEP_LAST;
                const number out = w <= FIRST ? node[x] : rest[x * d->Q + state_of(w, at)];
                const number scored = number_times(out, e->score[entry]);
                marginal[w][entry] = number_times(out, product_of(d, w, entry, x));
                if (kept)
                    node[x] = number_plus(node[x], in != NULL ? number_times(scored, *in) : scored);
                if (in != NULL)
                    rest[in - d->rest] = number_plus(
                        rest[in - d->rest], kept ? number_times(scored, d->node[x]) : scored);
            }
        }
    for (int w = 0; w < WEIGHTS; w++)
        give(answer, w, 0, marginal[w], d->of[w].count);
}
#endif

static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    static const size ranks[WEIGHTS] = {2, 3, 4, 4, 2, 2};
    const size N = problem->length[1], Q = problem->length[2];
    deletion d = {
        .N = N, .Q = Q, .node = take_empty(room, N + 1), .rest = take_empty(room, (N + 1) * Q)};
    for (int w = 0; w < WEIGHTS; w++) {
        const tz_scores *scores = &problem->scores[w];
        d.of[w].rank = ranks[w];
        sort_entries(room, scores, N, &d.of[w]);
        d.of[w].score = lift(room, problem, w, (size)scores->entries, 0);
    }
    inside(&d);
    const number goal = d.node[1];
    give_value(problem, answer, goal, 0);
#if PLAIN_SUMS
    if (answer->marginal != NULL)
        marginals(room, &d, goal, answer);
#else
    for (int l = 0; l < LANES; l++)
        trace(room, &d, l, &answer[l]);
#endif
}

YARDSTICK(deletion) = {"delete-tree", LANES, solve, uses, steps};
