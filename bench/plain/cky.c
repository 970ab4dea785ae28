/* cky.c - binary trees with a grammar: rules/cky.rules, and rules/gallery/cky-dense.rules with all
 * rules. SPDX-License-Identifier: MIT */
#include "bench/plain/lift.h"

enum { BINARY, SPAN };

static size_t uses(const int32_t *length) {
    return 3 * (size_t)length[0];
}

static double steps(const int32_t *length) {
    return length[0];
}

/* The labels of every rule; where the grammar has all, in their order. */
static void list_rules(plain_room *room, const plain_problem *problem, tz_scores *ret_rules) {
    const int32_t T = problem->length[1];
    *ret_rules = problem->scores[BINARY];
    if (ret_rules->index != NULL)
        return;
    ret_rules->entries = (size_t)T * (size_t)T * (size_t)T;
    int32_t *abc = plain_take(room, 3 * ret_rules->entries * sizeof *abc);
    ret_rules->index = abc;
    for (int32_t a = 0; a < T; a++)
        for (int32_t b = 0; b < T; b++)
            for (int32_t c = 0; c < T; c++, abc += 3)
                abc[0] = a, abc[1] = b, abc[2] = c;
}

/* Item phrase[a,i,i+w] that is still to be taken apart. */
typedef struct node {
    size w, i, a;
} node;

#if BACK_POINTERS
typedef struct back {
    int32_t split, rule;
} back;

static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const int n = problem->length[0], T = problem->length[1], side = n + 1;
    tz_scores all;
    list_rules(room, problem, &all);
    const tz_scores *rules = &all;
    const real *binary = data_of(problem, 0, BINARY), *span = data_of(problem, 0, SPAN);
    const size by_label = stride_of(problem, SPAN), by_start = problem->scores[SPAN].stride[1];
    real *phrase = take(room, side * side * T), *best = take(room, T);
    back *from = plain_take(room, (size_t)(side * side * T) * sizeof *from),
         *best_from = plain_take(room, (size_t)T * sizeof *best_from);
#define AT(i, j) (((i)*side + (j)) * T)
    for (int w = 0; w < n; w++)
        for (int i = 1; i + w <= n; i++) {
            const int j = i + w;
            for (int a = 0; a < T; a++)
                best[a] = w == 0 ? 0 : -INFINITY;
            for (int k = i; k < j; k++)
                for (size_t r = 0; r < rules->entries; r++) {
                    const int32_t *abc = rules->index + 3 * r;
                    real score =
                        phrase[AT(i, k) + abc[1]] + phrase[AT(k + 1, j) + abc[2]] + binary[r];
                    if (score > best[abc[0]]) {
                        best[abc[0]] = score;
                        best_from[abc[0]] = (back){k, (int32_t)r};
                    }
                }
            for (int a = 0; a < T; a++) {
                phrase[AT(i, j) + a] = best[a] + span[a * by_label + i * by_start + j];
                from[AT(i, j) + a] = best_from[a];
            }
        }
    give_value(problem, answer, phrase[AT(1, n)], n);
    node *stack = plain_take(room, ((size_t)n + 1) * sizeof *stack), *top = stack;
    *top++ = (node){n - 1, 1, 0};
    while (top > stack) {
        const node x = *--top;
        const size j = x.i + x.w;
        use(answer, SPAN, x.a * by_label + x.i * by_start + j);
        if (x.w == 0)
            continue;
        const back b = from[AT(x.i, j) + x.a];
        const int32_t *abc = rules->index + 3 * b.rule;
        use(answer, BINARY, b.rule);
        *top++ = (node){b.split - x.i, x.i, abc[1]};
        *top++ = (node){j - b.split - 1, b.split + 1, abc[2]};
    }
#undef AT
}
#else

/* A rule, and the rules of one pair of labels b, c: they share the sum over splits. */
typedef struct rule {
    int32_t a, b, c, entry;
} rule;

typedef struct pair {
    int32_t b, c;
    size first, end; /* of rule */
} pair;

/* Spans of a width stand side by side: phrase[(w * T + a) * W + i - 1], NONE where there are none.
 * What two labels' phrases sum to over all splits, at every start, is computed for each pair first,
 * then what the rules of each label make of it. */
typedef struct grammar {
    size n, T, W, rules, pairs, by_label, by_start;
    rule *rule;     /* by pairs of labels */
    int32_t *label; /* [rules] a of each */
    pair *pair;
    const number *binary; /* [rules] */
    int32_t *first;       /* the rules of label a are place[first[a]..first[a + 1] - 1] */
    int32_t *place, *of;  /* [rules] in rule, and in pair */
    number *by_place;     /* [rules] as binary */
    number *span;         /* as phrase */
    number *phrase, *sum; /* sum: [pairs * W] of one width */
} grammar;

/* By pairs of labels: as the library, it takes any grammar with each sentence. */
static void sort_rules(plain_room *room, const tz_scores *scores, grammar *g) {
    g->rules = (size)scores->entries;
    g->rule = plain_take(room, scores->entries * sizeof *g->rule);
    g->pair = plain_take(room, scores->entries * sizeof *g->pair);
    const size T = g->T, buckets = T * T;
    size *bucket = plain_take(room, ((size_t)buckets + 1) * sizeof *bucket);
    memset(bucket, 0, ((size_t)buckets + 1) * sizeof *bucket);
    for (size r = 0; r < g->rules; r++)
        bucket[scores->index[3 * r + 1] * T + scores->index[3 * r + 2] + 1]++;
    for (size b = 0; b < buckets; b++) {
        if (bucket[b + 1] > 0)
            g->pair[g->pairs++] =
                (pair){(int32_t)(b / T), (int32_t)(b % T), bucket[b], bucket[b] + bucket[b + 1]};
        bucket[b + 1] += bucket[b];
    }
    for (size r = 0; r < g->rules; r++) {
        const int32_t *abc = scores->index + 3 * r;
        g->rule[bucket[abc[1] * T + abc[2]]++] = (rule){abc[0], abc[1], abc[2], (int32_t)r};
    }
}

/* The same rules by their first labels. */
static void sort_by_label(plain_room *room, grammar *g) {
    const size_t bytes = (size_t)g->rules * sizeof(int32_t);
    g->first = plain_take(room, ((size_t)g->T + 2) * sizeof *g->first);
    g->label = plain_take(room, bytes);
    g->place = plain_take(room, bytes);
    g->of = plain_take(room, bytes);
    memset(g->first, 0, ((size_t)g->T + 2) * sizeof *g->first);
    for (size r = 0; r < g->rules; r++) {
        g->label[r] = g->rule[r].a;
        g->first[g->label[r] + 2]++;
    }
    for (size a = 0; a < g->T; a++)
        g->first[a + 2] += g->first[a + 1];
    for (size p = 0; p < g->pairs; p++)
        for (size r = g->pair[p].first; r < g->pair[p].end; r++) {
            const int32_t to = g->first[g->label[r] + 1]++;
            g->place[to] = (int32_t)r;
            g->of[to] = (int32_t)p;
        }
}

static number *at(const number *table, const grammar *g, size w, size a) {
    return (number *)table + (w * g->T + a) * g->W;
}

static void lift_grammar(plain_room *room, const plain_problem *problem, grammar *g) {
    const size n = g->n, T = g->T, W = g->W;
    number *raw = lift(room, problem, BINARY, g->rules, 0), *binary = take(room, g->rules);
    for (size r = 0; r < g->rules; r++)
        binary[r] = raw[g->rule[r].entry];
    g->binary = binary;
    g->by_place = take(room, g->rules);
    for (size r = 0; r < g->rules; r++)
        g->by_place[r] = binary[g->place[r]];
    g->span = take_empty(room, n * T * W);
    number *line = take(room, n + 1);
    for (size a = 0; a < T; a++)
        for (size i = 1; i <= n; i++) {
            copy_scores(line, problem, SPAN, a * g->by_label + i * g->by_start + i, n - i + 1);
            scale_scores(line, problem, 1, 1);
            raise_scores(line, problem, n - i + 1, 0);
            for (size w = 0; i + w <= n; w++)
                at(g->span, g, w, a)[i - 1] = line[w];
        }
}

/* pairs[(b, c)] of one width: sum over splits. */
static void sum_splits(const grammar *g, const pair *p, size w, number *sum) {
    const size by_width = g->T * g->W;
    /* The left part is v wide, v = 0..w-1, the right one w - 1 - v and starts at i + v + 1. */
    sum_pairs(sum, g->n - w, false, at(g->phrase, g, 0, p->b), by_width,
              at(g->phrase, g, w - 1, p->c) + 1, 1 - by_width, w);
}

static void inside(const grammar *g) {
    const size n = g->n, T = g->T, W = g->W;
    memcpy(g->phrase, g->span, (size_t)(T * W) * sizeof *g->phrase);
    for (size w = 1; w < n; w++) {
        const size width = n - w;
        for (size p = 0; p < g->pairs; p++)
            sum_splits(g, &g->pair[p], w, g->sum + p * W);
        for (size a = 0; a < T; a++) {
            number *to = at(g->phrase, g, w, a);
            const size first = g->first[a];
            sum_listed(to, width, g->by_place + first, g->sum, W, g->of + first,
                       g->first[a + 1] - first);
            multiply_rows(to, width, to, at(g->span, g, w, a));
            fill(to + width, W - width, NONE);
        }
    }
}

#if !PLAIN_SUMS
/* The values of all labels over the splits of one node side by side, left and right; then its rules
 * one after the other. */
typedef struct tracer {
    const grammar *g;
    real *left, *right; /* [label * stride + split] */
    size stride;
} tracer;

static void gather(const tracer *t, int lane, const node *x) {
    const grammar *g = t->g;
    for (size a = 0; a < g->T; a++)
        for (size v = 0; v < x->w; v++) {
            t->left[a * t->stride + v] = lane_of(at(g->phrase, g, v, a) + x->i - 1, lane);
            t->right[a * t->stride + v] =
                lane_of(at(g->phrase, g, x->w - 1 - v, a) + x->i + v, lane);
        }
}

/* The rule, by its place, and *ret_split. */
static size find(const tracer *t, int lane, const node *x, size *ret_split) {
    const grammar *g = t->g;
    const real value = lane_of(at(g->phrase, g, x->w, x->a) + x->i - 1, lane),
               span = lane_of(at(g->span, g, x->w, x->a) + x->i - 1, lane);
    for (int32_t k = g->first[x->a];; k++) {
        const rule *r = &g->rule[g->place[k]];
        const real *left = t->left + r->b * t->stride, *right = t->right + r->c * t->stride;
        const real binary = lane_of(&g->by_place[k], lane);
        for (size v = 0; v < x->w; v += V) {
            const mask found = binary + (load(left + v) + load(right + v)) + span == value;
            for (int i = 0; any(found) && i < V && v + i < x->w; i++)
                if (found[i]) {
                    *ret_split = v + i;
                    return g->place[k];
                }
        }
    }
}

static void trace(plain_room *room, const grammar *g, const tracer *t, int lane,
                  plain_answer *answer) {
    node *stack = plain_take(room, ((size_t)g->n + 1) * sizeof *stack), *top = stack;
    *top++ = (node){g->n - 1, 1, 0};
    while (top > stack) {
        const node x = *--top;
        use(answer, SPAN, x.a * g->by_label + x.i * g->by_start + x.i + x.w);
        if (x.w == 0)
            continue;
        size split;
        gather(t, lane, &x);
        const rule *r = &g->rule[find(t, lane, &x, &split)];
        use(answer, BINARY, r->entry);
        *top++ = (node){split, x.i, r->b};
        *top++ = (node){x.w - 1 - split, x.i + split + 1, r->c};
    }
}

static void trace_all(plain_room *room, const grammar *g, plain_answer *answer) {
    const size T = g->T, stride = (g->n + V - 1) / V * V;
    tracer t = {g, plain_take(room, (size_t)(T * stride) * sizeof(real)),
                plain_take(room, (size_t)(T * stride) * sizeof(real)), stride};
    for (size k = 0; k < T * stride; k++)
        t.left[k] = t.right[k] = zero;
    for (int l = 0; l < LANES; l++)
        trace(room, g, &t, l, &answer[l]);
}
#else
/* outside[] as phrase; that of a width is complete when the wider ones are done. */
static void marginals(plain_room *room, const grammar *g, number Z, plain_answer *answer) {
    const size n = g->n, T = g->T, W = g->W, by_width = T * W;
    number *outside = take_empty(room, n * T * W), *binary = take_empty(room, g->rules),
           *scaled = take(room, T * W), *sum = take(room, W + MOST_SUMS * STEP),
           *back = take(room, W + MOST_SUMS * STEP);
    at(outside, g, n - 1, 0)[0] = inverse(Z);
    for (size w = n - 1; w >= 1; w--) {
        const size width = n - w;
        for (size a = 0; a < T; a++)
            multiply_rows(at(scaled, g, 0, a), width, at(outside, g, w, a), at(g->span, g, w, a));
        for (const pair *p = g->pair; p < g->pair + g->pairs; p++) {
            sum_splits(g, p, w, sum);
            for (size i = width; i < W; i++)
                sum[i] = NONE;
            sum_listed(back, width, g->binary + p->first, scaled, W, g->label + p->first,
                       p->end - p->first);
            for (size r = p->first; r < p->end; r++)
                binary[r] =
                    number_plus(binary[r], sum_products(at(scaled, g, 0, g->label[r]), sum, width));
            number *left_out = at(outside, g, 0, p->b),
                   *right_out = at(outside, g, w - 1, p->c) + 1;
            const number *left = at(g->phrase, g, 0, p->b),
                         *right = at(g->phrase, g, w - 1, p->c) + 1;
            for (size i = 0; i < width; i += STEP) {
                const row around = row_load(back + i);
                for (size v = 0; v < w; v++) {
                    const size l = v * by_width + i, r = v * (1 - by_width) + i;
                    row_store(left_out + l,
                              row_with(row_load(left_out + l), around, row_load(right + r)));
                    row_store(right_out + r,
                              row_with(row_load(right_out + r), around, row_load(left + l)));
                }
            }
        }
    }
    number *entries = take(room, g->rules), *line = take(room, n + 1);
    for (size r = 0; r < g->rules; r++)
        entries[g->rule[r].entry] = number_times(binary[r], g->binary[r]);
    give(answer, BINARY, 0, entries, g->rules);
    for (size a = 0; a < T; a++)
        for (size i = 1; i <= n; i++) {
            for (size w = 0; i + w <= n; w++)
                line[w] = number_times(at(outside, g, w, a)[i - 1], at(g->phrase, g, w, a)[i - 1]);
            give(answer, SPAN, a * g->by_label + i * g->by_start + i, line, n - i + 1);
        }
}
#endif

static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const size n = problem->length[0], T = problem->length[1], W = whole_rows(n);
    grammar g = {.n = n,
                 .T = T,
                 .W = W,
                 .by_label = stride_of(problem, SPAN),
                 .by_start = problem->scores[SPAN].stride[1]};
    tz_scores rules;
    list_rules(room, problem, &rules);
    sort_rules(room, &rules, &g);
    sort_by_label(room, &g);
    lift_grammar(room, problem, &g);
    g.phrase = take_empty(room, n * T * W);
    g.sum = take(room, g.pairs * W);
    inside(&g);
    number goal = at(g.phrase, &g, n - 1, 0)[0];
    give_value(problem, answer, goal, (double)n);
#if PLAIN_SUMS
    if (answer->marginal != NULL)
        marginals(room, &g, goal, answer);
#else
    trace_all(room, &g, answer);
#endif
}
#endif

YARDSTICK(cky) = {"cky", LANES, solve, uses, steps};
YARDSTICK(cky_dense) = {"cky-dense", LANES, solve, uses, steps};
