/* sibling.c - dependency trees with neighbouring siblings for rules/sibling.rules.
 * SPDX-License-Identifier: MIT */
#include "bench/plain/lift.h"

enum { RTRI, LTRI, RTRAP, LTRAP, BOX, KINDS };

static size_t uses(const int32_t *length) {
    return (size_t)length[0];
}

static double steps(const int32_t *length) {
    return length[0] > 0 ? length[0] : 1;
}

/* An item to be taken apart. */
typedef struct node {
    int kind;
    size i, j;
} node;

/* Where an item was made from two others at split k, with the score of cell; cell -1: none. */
typedef struct parts {
    node left, right;
    ptrdiff_t cell;
} parts;

/* cell[h,s,m] of sib */
static size cell_of(size side, size h, size s, size m) {
    return (h * side + s) * side + m;
}

#if !PLAIN_SUMS
/* k is the split; the first modifier on a side: k = i to the right, k = j to the left. */
static parts parts_of(size side, node x, size k) {
    const size i = x.i, j = x.j;
    switch (x.kind) {
    case RTRI:
        return (parts){{RTRAP, i, k}, {RTRI, k, j}, -1};
    case LTRI:
        return (parts){{LTRI, i, k}, {LTRAP, k, j}, -1};
    case BOX:
        return (parts){{RTRI, i, k}, {LTRI, k + 1, j}, -1};
    case RTRAP:
        return k == i ? (parts){{RTRI, i, i}, {LTRI, i + 1, j}, cell_of(side, i, i, j)}
                      : (parts){{RTRAP, i, k}, {BOX, k, j}, cell_of(side, i, k, j)};
    default:
        return k == j ? (parts){{RTRI, i, j - 1}, {LTRI, j, j}, cell_of(side, j, j, i)}
                      : (parts){{BOX, i, k}, {LTRAP, k, j}, cell_of(side, j, k, i)};
    }
}

/* The splits of an item. */
static void splits_of(node x, size *ret_first, size *ret_last) {
    *ret_first = x.kind == RTRI || x.kind == LTRAP ? x.i + 1 : x.i;
    *ret_last = x.kind == RTRI || x.kind == LTRAP ? x.j : x.j - 1;
}
#endif

#if BACK_POINTERS
typedef struct tables {
    size side;
    real *value[KINDS];
    int *back[KINDS];
} tables;

static size split_of(const tables *t, int lane, node x) {
    (void)lane;
    return t->back[x.kind][x.i * t->side + x.j];
}
#else
/* Between rows of scores there is room for what vectors store besides. */
enum { BETWEEN = PLAIN_FORM == 1 ? STEP : 0 };

/* value[kind][w * W + i] is that of i..i+w: a width stands side by side. right: cell[i,i+v,i+w] at
 * first[w] + v * stride(w) + i for v = 0..w-1; left: cell[i+w,i+v,i] at v - 1 for v = 1..w. */
typedef struct tables {
    size n, side, W;
    number *value[KINDS];
    size *first;
    number *right, *left;
} tables;

static size stride_of_width(const tables *t, size w) {
    return whole_rows(t->side - w) + BETWEEN;
}

#if !PLAIN_SUMS
static real value_of(const tables *t, int lane, node x) {
    return lane_of(&t->value[x.kind][(x.j - x.i) * t->W + x.i], lane);
}

static size split_of(const tables *t, int lane, node x) {
    const real value = value_of(t, lane, x);
    const size w = x.j - x.i, stride = stride_of_width(t, w);
    size k, last;
    for (splits_of(x, &k, &last); k < last; k++) {
        const parts p = parts_of(t->side, x, k);
        const real product = value_of(t, lane, p.left) + value_of(t, lane, p.right);
        const number *score = x.kind == RTRAP
                                  ? &t->right[t->first[w] + (k - x.i) * stride + x.i]
                                  : &t->left[t->first[w] + (k - x.i - 1) * stride + x.i];
        if ((p.cell < 0 ? product : product + lane_of(score, lane)) == value)
            break;
    }
    return k;
}
#endif
#endif

#if !PLAIN_SUMS
static void trace(plain_room *room, const tables *t, int lane, plain_answer *answer, size n) {
    node *stack = plain_take(room, (2 * (size_t)n + 2) * sizeof *stack), *top = stack;
    *top++ = (node){RTRI, 0, n};
    while (top > stack) {
        const node x = *--top;
        if (x.i == x.j)
            continue;
        const parts p = parts_of(t->side, x, split_of(t, lane, x));
        if (p.cell >= 0)
            use(answer, 0, p.cell);
        *top++ = p.left;
        *top++ = p.right;
    }
}
#endif

#if BACK_POINTERS
static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const size n = problem->length[0], side = n + 1;
    const real *sib = data_of(problem, 0, 0);
    tables t = {.side = side};
    for (int kind = 0; kind < KINDS; kind++) {
        t.value[kind] = take(room, side * side);
        t.back[kind] = plain_take(room, (size_t)(side * side) * sizeof *t.back[kind]);
    }
    for (size i = 0; i <= n; i++)
        t.value[RTRI][i * side + i] = t.value[LTRI][i * side + i] = 0;
    for (size w = 1; w <= n; w++)
        for (size i = 0; i + w <= n; i++) {
            static const int order[] = {BOX, RTRAP, LTRAP, RTRI, LTRI};
            for (int o = 0; o < KINDS; o++) {
                const node x = {order[o], i, i + w};
                if (i == 0 && x.kind != RTRI && x.kind != RTRAP)
                    continue;
                size first, last;
                splits_of(x, &first, &last);
                real best = -INFINITY;
                size from = first;
                for (size k = first; k <= last; k++) {
                    const parts p = parts_of(side, x, k);
                    real score = t.value[p.left.kind][p.left.i * side + p.left.j] +
                                 t.value[p.right.kind][p.right.i * side + p.right.j];
                    if (p.cell >= 0)
                        score += sib[p.cell];
                    if (score > best)
                        best = score, from = k;
                }
                t.value[x.kind][i * side + x.j] = best;
                t.back[x.kind][i * side + x.j] = (int)from;
            }
        }
    give_value(problem, answer, t.value[RTRI][n], (double)n);
    trace(room, &t, 0, answer, n);
}
#else

#if PLAIN_FORM == 1
/* Rows of the scores become rows of the widths by exchanging rows and columns of vectors. */
static void turn_right(const tables *t, const real *sib) {
    const size n = t->n, side = t->side;
    for (size v = 0; v < n; v++)
        for (size i = 0; i + v < n; i += V)
            for (size w = v + 1; w <= n - i; w += V) {
                vec block[V];
                for (size r = 0; r < V; r++)
                    block[r] = i + r + w <= n
                                   ? load(sib + cell_of(side, i + r, i + r + v, i + r + w))
                                   : all(zero);
                transpose(block);
                for (size c = 0; c < V && w + c <= n - i; c++)
                    store(t->right + t->first[w + c] + v * stride_of_width(t, w + c) + i, block[c]);
            }
}

/* Of heads j.. and their siblings j - d..; vector c of a block is of width w + V - 1 - c and begins
 * with the modifier j - that. */
static void turn_left(const tables *t, const real *sib) {
    const size n = t->n, side = t->side;
    for (size d = 0; d < n; d++)
        for (size j = d + 1; j <= n; j += V)
            for (size w = d + 1; w < j + V; w += V) {
                vec block[V];
                for (size r = 0; r < V; r++) {
                    const size first = cell_of(side, j + r, j + r - d, j + r - w - V + 1);
                    block[r] = j + r <= n && first >= 0 ? load(sib + first) : all(zero);
                }
                transpose(block);
                for (size c = 0; c < V; c++) {
                    const size width = w + V - 1 - c, from = j - width;
                    if (width > n || from + V <= 1 || from > n - width)
                        continue;
                    real *to = t->left + t->first[width] +
                               (width - d - 1) * stride_of_width(t, width) + from;
                    store(to, block[c]);
                }
            }
}

static void turn_scores(plain_room *room, const plain_problem *problem, const tables *t) {
    (void)room;
    turn_right(t, data_of(problem, 0, 0));
    turn_left(t, data_of(problem, 0, 0));
}
#else
/* A line of scores of one head and sibling is scattered over the widths. */
static void turn_scores(plain_room *room, const plain_problem *problem, const tables *t) {
    const size n = t->n, side = t->side;
    number *line = take(room, side);
    for (size i = 0; i <= n; i++)
        for (size v = 0; i + v < n; v++) {
            const size from = i + v + 1;
            copy_scores(line, problem, 0, cell_of(side, i, i + v, from), side - from);
            for (size j = from; j <= n; j++)
                t->right[t->first[j - i] + v * stride_of_width(t, j - i) + i] = line[j - from];
        }
    for (size j = 1; j <= n; j++)
        for (size s = 2; s <= j; s++) {
            copy_scores(line, problem, 0, cell_of(side, j, s, 1), s - 1);
            for (size i = 1; i < s; i++)
                t->left[t->first[j - i] + (s - i - 1) * stride_of_width(t, j - i) + i] =
                    line[i - 1];
        }
}
#endif

static void lift_siblings(plain_room *room, const plain_problem *problem, const tables *t) {
    const size n = t->n;
    turn_scores(room, problem, t);
    raise_scores(t->right, problem, t->first[n + 1], 1);
    raise_scores(t->left, problem, t->first[n + 1], 1);
    for (size w = 1; w <= n; w++)
        for (size v = 0; v < w; v++)
            t->left[t->first[w] + v * stride_of_width(t, w)] = NONE;
}

/* to[i] += the sum over k of a[k * a_step + i] * b[k * b_step + i] * c[k * c_step + i]. */
static void add_triples(number *to, size width, const number *a, size a_step, const number *b,
                        size b_step, const number *c, size c_step, size count) {
    for (size i = 0; i < width; i += STEP) {
        row sum[2] = {row_load(to + i), row_of(NONE)};
        for (size k = 0; k < count; k++)
            sum[k % 2] = row_with(
                sum[k % 2], row_times(row_load(a + k * a_step + i), row_load(b + k * b_step + i)),
                row_load(c + k * c_step + i));
        row_store(to + i, row_plus(sum[0], sum[1]));
    }
}

static number *at(const tables *t, int kind, size w) {
    return t->value[kind] + w * t->W;
}

static void compute_width(const tables *t, size w) {
    const size width = t->side - w, W = t->W, stride = stride_of_width(t, w);
    const number *right = t->right + t->first[w], *left = t->left + t->first[w];
    number *rtrap = at(t, RTRAP, w), *ltrap = at(t, LTRAP, w);
    sum_pairs(at(t, BOX, w), width, false, at(t, RTRI, 0), W, at(t, LTRI, w - 1) + 1, 1 - W, w);
    multiply_rows(rtrap, width, at(t, LTRI, w - 1) + 1, right);
    add_triples(rtrap, width, at(t, RTRAP, 1), W, at(t, BOX, w - 1) + 1, 1 - W, right + stride,
                stride, w - 1);
    multiply_rows(ltrap, width, at(t, RTRI, w - 1), left + (w - 1) * stride);
    add_triples(ltrap, width, at(t, BOX, 1), W, at(t, LTRAP, w - 1) + 1, 1 - W, left, stride,
                w - 1);
    sum_pairs(at(t, RTRI, w), width, false, at(t, RTRAP, 1), W, at(t, RTRI, w - 1) + 1, 1 - W, w);
    at(t, LTRAP, w)[0] = NONE;
    sum_pairs(at(t, LTRI, w), width, false, at(t, LTRI, 0), W, at(t, LTRAP, w), 1 - W, w);
    at(t, LTRI, w)[0] = at(t, BOX, w)[0] = NONE;
    for (int kind = 0; kind < KINDS; kind++)
        fill(at(t, kind, w) + width, W - width, NONE);
}

static tables new_tables(plain_room *room, size n) {
    const size W = whole_rows(n + 1);
    tables t = {.n = n, .side = n + 1, .W = W};
    for (int kind = 0; kind < KINDS; kind++)
        t.value[kind] = take_empty(room, (n + 1) * W);
    t.first = plain_take(room, ((size_t)n + 2) * sizeof *t.first);
    t.first[1] = BETWEEN;
    for (size w = 1; w <= n; w++)
        t.first[w + 1] = t.first[w] + w * stride_of_width(&t, w);
    t.right = take_empty(room, t.first[n + 1]);
    t.left = take_empty(room, t.first[n + 1]);
    return t;
}

#if PLAIN_SUMS
/* send_pairs with scores, which become marginals. */
static void send_triples(const number *outside, size width, const number *a, number *a_out,
                         size a_step, const number *b, number *b_out, size b_step, number *c,
                         size c_step, size count) {
    for (size i = 0; i < width; i += STEP) {
        const row out = row_load(outside + i);
        for (size k = 0; k < count; k++) {
            const size x = k * a_step + i, y = k * b_step + i, z = k * c_step + i;
            const row scored = row_times(out, row_load(c + z)), of_a = row_load(a + x),
                      of_b = row_load(b + y);
            row_store(a_out + x, row_with(row_load(a_out + x), scored, of_b));
            row_store(b_out + y, row_with(row_load(b_out + y), scored, of_a));
            row_store(c + z, row_times(scored, row_times(of_a, of_b)));
        }
    }
}

static void send_width(const tables *t, const tables *o, size w) {
    const size width = t->side - w, W = t->W, stride = stride_of_width(t, w);
    number *right = t->right + t->first[w], *left = t->left + t->first[w];
    for (int kind = 0; kind < KINDS; kind++)
        fill(at(o, kind, w) + width, W - width, NONE);
    send_pairs(at(o, RTRI, w), width, at(t, RTRAP, 1), at(o, RTRAP, 1), W, at(t, RTRI, w - 1) + 1,
               at(o, RTRI, w - 1) + 1, 1 - W, w);
    send_pairs(at(o, LTRI, w), width, at(t, LTRI, 0), at(o, LTRI, 0), W, at(t, LTRAP, w),
               at(o, LTRAP, w), 1 - W, w);
    send_triples(at(o, RTRAP, w), width, at(t, RTRAP, 1), at(o, RTRAP, 1), W, at(t, BOX, w - 1) + 1,
                 at(o, BOX, w - 1) + 1, 1 - W, right + stride, stride, w - 1);
    send_triples(at(o, RTRAP, w), width, at(t, RTRI, 0), at(o, RTRI, 0), 0, at(t, LTRI, w - 1) + 1,
                 at(o, LTRI, w - 1) + 1, 0, right, 0, 1);
    send_triples(at(o, LTRAP, w), width, at(t, BOX, 1), at(o, BOX, 1), W, at(t, LTRAP, w - 1) + 1,
                 at(o, LTRAP, w - 1) + 1, 1 - W, left, stride, w - 1);
    send_triples(at(o, LTRAP, w), width, at(t, RTRI, w - 1), at(o, RTRI, w - 1), 0,
                 at(t, LTRI, 0) + w, at(o, LTRI, 0) + w, 0, left + (w - 1) * stride, 0, 1);
    send_pairs(at(o, BOX, w), width, at(t, RTRI, 0), at(o, RTRI, 0), W, at(t, LTRI, w - 1) + 1,
               at(o, LTRI, w - 1) + 1, 1 - W, w);
}

static void marginals(plain_room *room, const tables *t, number Z, plain_answer *answer) {
    const size n = t->n, side = t->side;
    tables o = *t;
    for (int kind = 0; kind < KINDS; kind++)
        o.value[kind] = take_empty(room, side * t->W);
    at(&o, RTRI, n)[0] = inverse(Z);
    for (size w = n; w >= 1; w--)
        send_width(t, &o, w);
    number *line = take_empty(room, side);
    for (size h = 0; h <= n; h++)
        for (size s = 0; s <= n; s++) {
            fill(line, side, NONE);
            for (size j = s + 1; j <= n && s >= h; j++)
                line[j] = t->right[t->first[j - h] + (s - h) * stride_of_width(t, j - h) + h];
            for (size i = 1; i < s && s <= h; i++)
                line[i] = t->left[t->first[h - i] + (s - i - 1) * stride_of_width(t, h - i) + i];
            give(answer, 0, cell_of(side, h, s, 0), line, side);
        }
}
#endif

static void solve(plain_room *room, const plain_problem *problem, plain_answer *answer) {
    const size n = problem->length[0];
    tables t = new_tables(room, n);
    lift_siblings(room, problem, &t);
    fill(at(&t, RTRI, 0), n + 1, ONE);
    fill(at(&t, LTRI, 0) + 1, n, ONE);
    for (size w = 1; w <= n; w++)
        compute_width(&t, w);
    const number goal = at(&t, RTRI, n)[0];
    give_value(problem, answer, goal, (double)n);
#if PLAIN_SUMS
    if (answer->marginal != NULL)
        marginals(room, &t, goal, answer);
#else
    for (int l = 0; l < LANES; l++)
        trace(room, &t, l, &answer[l], n);
#endif
}
#endif

YARDSTICK(sibling) = {"sibling", LANES, solve, uses, steps};
