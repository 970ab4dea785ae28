/* hand_single.c - Eisner's algorithm for one sentence, with vectors along the diagonals.
 *
 * Diagonal w of a table holds the cells [i, i + w] by i, zero before and after, so that vectors may
 * reach over the ends. For V items [i, i + w] the splits at distance d are two loads: cells [i, i +
 * d] and [i + d, i + w]. Several diagonals at a time share the first; that is what the load ports
 * are short of, since most of the second straddle cache lines.
 * SPDX-License-Identifier: MIT */
#include "hand_kernel.h"
#include "hand_vector.h"

typedef struct chart {
    size_t n, pitch;
    /* [w * pitch + i]: items, what is outside them, and arcs, which become marginals */
    real *rtri, *ltri, *rtrap, *ltrap, *right, *left, *out_rtri, *out_ltri, *out_both, *spare;
} chart;

enum {
    TABLES = HAND_LOG ? 10 : 6,
    LONG = 64, /* words from which four diagonals at a time pay */
    VERY_LONG = 256,
    FAR = 16,
    BLOCKS = VECTOR_BYTES == 64 ? 2 : 1 /* vectors that registers have room for */
};

static size_t pitch(size_t n) {
    return (n + 1 + V - 1) / V * V + 2 * V;
}

static size_t cells(size_t n) {
    return (n + 1) * pitch(n) + V;
}

static size_t bytes(size_t n) {
    return (TABLES * cells(n) + V) * sizeof(real);
}

static chart chart_of(const hand_chart *of) {
    size_t table = cells(of->n);
    chart c = {.n = of->n, .pitch = pitch(of->n), .rtri = (real *)of->memory + V};
    c.ltri = c.rtri + table;
    c.rtrap = c.ltri + table;
    c.ltrap = c.rtrap + table;
    c.right = c.ltrap + table;
    c.left = c.right + table;
    c.out_rtri = c.left + table;
    c.out_ltri = c.out_rtri + table;
    c.out_both = c.out_ltri + table;
    c.spare = c.out_both + table;
    return c;
}

/* The first `count` elements; zero after. */
INLINE vec keep(vec a, size_t count) {
    mask number, bound = (mask){0} + (whole)(count < V ? count : V);
    for (int l = 0; l < V; l++)
        number[l] = l;
    mask inside = number < bound;
    return (vec)(((mask)a & inside) | ((mask)all(zero) & ~inside));
}

static bool bind(hand_chart *of, const void *const *arc) {
    chart c = chart_of(of);
    size_t side = c.n + 1;
    mask bad = {0};
    for (size_t w = 1; w <= c.n; w++) {
        const real *above = (const real *)arc[0] + w, *below = (const real *)arc[0] + w * side;
        real *right = c.right + w * c.pitch, *left = c.left + w * c.pitch;
        size_t count = side - w;
        for (size_t i = 0; i < count; i++) {
            right[i] = above[i * (side + 1)];
            left[i] = below[i * (side + 1)];
        }
        left[0] = 0; /* nothing is the root's head: see ltri[0] */
        for (size_t i = 0; i < count; i += V) {
            vec r = load(right + i), l = load(left + i);
            bad |= unfit(r) | unfit(l);
#if HAND_LOG
            r = exponential(r - of->scale[0]);
            l = exponential(l - of->scale[0]);
#endif
            store(right + i, keep(r, count - i));
            store(left + i, keep(l, count - i));
        }
    }
    for (size_t i = 0; i <= c.n; i += V) {
        store(c.rtri + i, keep(all(one), side - i));
        store(c.ltri + i, keep(all(one), side - i));
    }
    c.ltri[0] = zero;
    return !any(bad);
}

/* ---- Inside -------------------------------------------------------------------------------- */

/* Adds to the sums for items [i, i + w + t], t < widths, i.. of `blocks` vectors, the splits
 * [i, i + d], first <= d < last (`both`: d - 1). */
INLINE void sum_splits(const chart *c, size_t w, size_t i, size_t first, size_t last, int widths,
                       int blocks) {
    ptrdiff_t pitch = (ptrdiff_t)c->pitch, at = (ptrdiff_t)w * pitch + (ptrdiff_t)i;
    ptrdiff_t a = (ptrdiff_t)first * pitch + (ptrdiff_t)i, b = at - (ptrdiff_t)first * (pitch - 1);
    vec both[4][2], right[4][2], left[4][2];
    for (int t = 0; t < widths; t++) {
        for (int x = 0; x < blocks; x++) {
            both[t][x] = load(c->rtrap + at + t * pitch + x * V);
            right[t][x] = load(c->rtri + at + t * pitch + x * V);
            left[t][x] = load(c->ltri + at + t * pitch + x * V);
        }
    }
    for (size_t d = first; d < last; d++, a += pitch, b -= pitch - 1) {
        for (int x = 0; x < blocks; x++) {
            vec rtri = load(c->rtri + a - pitch + x * V), rtrap = load(c->rtrap + a + x * V),
                ltri = load(c->ltri + a + x * V);
            for (int t = 0; t < widths; t++) {
                ptrdiff_t next = b + t * pitch + x * V;
                both[t][x] = add_product(both[t][x], rtri, load(c->ltri + next));
                right[t][x] = add_product(right[t][x], rtrap, load(c->rtri + next));
                left[t][x] = add_product(left[t][x], ltri, load(c->ltrap + next));
            }
        }
    }
    for (int t = 0; t < widths; t++) {
        for (int x = 0; x < blocks; x++) {
            store(c->rtrap + at + t * pitch + x * V, both[t][x]);
            store(c->rtri + at + t * pitch + x * V, right[t][x]);
            store(c->ltri + at + t * pitch + x * V, left[t][x]);
        }
    }
}

/* Items [i, i + w] from the sums over [i, i + d], least <= d < start (both: d - 1). */
INLINE void finish(const chart *c, size_t w, size_t i, size_t least, size_t start) {
    size_t pitch = c->pitch, at = w * pitch + i;
    vec both = load(c->rtrap + at), right = load(c->rtri + at), left = load(c->ltri + at);
    const real *rtri = c->rtri + i, *ltri = c->ltri + i, *rtrap = c->rtrap + i,
               *ltrap = c->ltrap + i;
    for (size_t d = 0; d + 1 < least; d++)
        both = add_product(both, load(rtri + d * pitch), load(ltri + (w - 1 - d) * pitch + d + 1));
    for (size_t d = start - 1; d < w; d++)
        both = add_product(both, load(rtri + d * pitch), load(ltri + (w - 1 - d) * pitch + d + 1));
    vec arc_right = times(both, load(c->right + at)), arc_left = times(both, load(c->left + at));
    for (size_t d = 1; d < least; d++) {
        right = add_product(right, load(rtrap + d * pitch), load(rtri + (w - d) * pitch + d));
        left = add_product(left, load(ltri + d * pitch), load(ltrap + (w - d) * pitch + d));
    }
    for (size_t d = start; d < w; d++) {
        right = add_product(right, load(rtrap + d * pitch), load(rtri + (w - d) * pitch + d));
        left = add_product(left, load(ltri + d * pitch), load(ltrap + (w - d) * pitch + d));
    }
    right = plus(right, arc_right);
    left = add_product(left, load(ltri), arc_left);
    size_t count = c->n + 1 - w - i;
    store(c->rtrap + at, keep(arc_right, count));
    store(c->ltrap + at, keep(arc_left, count));
    store(c->rtri + at, keep(right, count));
    store(c->ltri + at, keep(left, count));
}

/* sum_splits for all i. */
INLINE void sum_diagonals(const chart *c, size_t w, size_t first, size_t last, int widths) {
    size_t i = 0;
    if (BLOCKS > 1 && widths == 4)
        for (; i + w + V <= c->n; i += 2 * V)
            sum_splits(c, w, i, first, last, widths, 2);
    for (; i + w <= c->n; i += V)
        sum_splits(c, w, i, first, last, widths, 1);
}

static void clear_diagonal(const chart *c, size_t w) {
    for (size_t i = 0; i + w <= c->n; i += V) {
        size_t at = w * c->pitch + i;
        store(c->rtrap + at, all(zero));
        store(c->rtri + at, all(zero));
        store(c->ltri + at, all(zero));
    }
}

/* Diagonals w .. w + widths - 1 from those below. */
INLINE void inside_widths(const chart *c, size_t w, int widths) {
    for (size_t t = 0; t < (size_t)widths; t++)
        clear_diagonal(c, w + t);
    sum_diagonals(c, w, (size_t)widths, w, widths);
    for (size_t t = 0; t < (size_t)widths; t++)
        for (size_t i = 0; i + w + t <= c->n; i += V)
            finish(c, w + t, i, (size_t)widths, w);
}

/* The same for FAR diagonals, four at a time: what they share stays in the second-level cache. */
static void inside_far(const chart *c, size_t w) {
    for (size_t t = 0; t < FAR; t++)
        clear_diagonal(c, w + t);
    for (size_t i = 0; i + w <= c->n; i += 2 * V) {
        for (size_t t = 0; t < FAR && i + w + t <= c->n; t += 4) {
            if (BLOCKS > 1 && i + w + t + V <= c->n) {
                sum_splits(c, w + t, i, FAR, w, 4, 2);
            } else {
                sum_splits(c, w + t, i, FAR, w, 4, 1);
                if (i + w + t + V <= c->n)
                    sum_splits(c, w + t, i + V, FAR, w, 4, 1);
            }
        }
    }
    for (size_t t = 0; t < FAR; t += 4) {
        sum_diagonals(c, w + t, 4, FAR, 4);
        sum_diagonals(c, w + t, w, w + t, 4);
        for (size_t s = 0; s < 4; s++)
            for (size_t i = 0; i + w + t + s <= c->n; i += V)
                finish(c, w + t + s, i, 4, w + t);
    }
}

static void inside(hand_chart *of, double *ret_value) {
    chart made = chart_of(of);
    const chart *c = &made;
    size_t w = 1;
    for (; w < 4 && w <= c->n; w++)
        inside_widths(c, w, 1);
    if (c->n >= VERY_LONG) {
        for (; w < FAR; w += 4)
            inside_widths(c, w, 4);
        for (; w + FAR <= c->n + 1; w += FAR)
            inside_far(c, w);
    }
    if (c->n >= LONG)
        for (; w + 3 <= c->n; w += 4)
            inside_widths(c, w, 4);
    for (; w + 1 <= c->n; w += 2)
        inside_widths(c, w, 2);
    for (; w <= c->n; w++)
        inside_widths(c, w, 1);
    double value = (double)c->rtri[c->n * c->pitch];
    ret_value[0] = HAND_LOG ? log(value) + (double)c->n * of->scale[0] : value;
}

#if HAND_LOG
/* ---- Outside ------------------------------------------------------------------------------- */

/* What is outside items [i, i + w], i.. of a vector, from the sums over [i, v] above it for v >
 * last, and over [i - e, i + w] for e >= least. */
static void finish_outside(const chart *c, double total, size_t w, size_t i, size_t least,
                           size_t last, const real *ltrap_sum) {
    size_t pitch = c->pitch, at = w * pitch + i, count = c->n + 1 - w - i;
    vec rtri = load(c->out_rtri + at), ltri = load(c->out_ltri + at),
        rtrap = load(c->out_both + at), ltrap = load(ltrap_sum + i);
    for (size_t v = w + 1; v <= last && v + i <= c->n; v++) {
        size_t above = v * pitch + i, next = (v - w) * pitch + i + w;
        rtri = add_product(rtri, load(c->out_both + above), load(c->ltri + next - pitch + 1));
        ltri = add_product(ltri, load(c->out_ltri + above), load(c->ltrap + next));
        rtrap = add_product(rtrap, load(c->out_rtri + above), load(c->rtri + next));
    }
    for (size_t e = 1; e < least && w + e <= c->n; e++) {
        size_t above = (w + e) * pitch + i - e, next = e * pitch + i - e;
        rtri = add_product(rtri, load(c->out_rtri + above), load(c->rtrap + next));
        ltri = add_product(ltri, load(c->out_both + above), load(c->rtri + next - pitch));
        ltrap = add_product(ltrap, load(c->out_ltri + above), load(c->ltri + next));
    }
    if (w == c->n)
        rtri[0] = total;
    rtrap += rtri;
    ltrap += ltri * load(c->ltri + i);
    vec right = load(c->right + at), left = load(c->left + at);
    store(c->out_rtri + at, keep(rtri, count));
    store(c->out_ltri + at, keep(ltri, count));
    store(c->out_both + at, keep(rtrap * right + ltrap * left, count));
    store(c->right + at, keep(rtrap * load(c->rtrap + at), count));
    store(c->left + at, keep(ltrap * load(c->ltrap + at), count));
}

/* The sums for items [i, i + w - t], t < widths, from the diagonals above w. */
INLINE void sum_outside(const chart *c, size_t w, size_t i, int widths) {
    ptrdiff_t pitch = (ptrdiff_t)c->pitch, above = (ptrdiff_t)((w + 1) * c->pitch + i),
              next = (ptrdiff_t)(c->pitch + i + w);
    vec rtri[4], ltri[4], rtrap[4], ltrap[4];
    for (int t = 0; t < widths; t++)
        rtri[t] = ltri[t] = rtrap[t] = ltrap[t] = all(0);
    /* [i, v] above [i, w - t], next to [w - t, v] */
    for (size_t v = w + 1; v + i <= c->n; v++, above += pitch, next += pitch) {
        vec both = load(c->out_both + above), left = load(c->out_ltri + above),
            right = load(c->out_rtri + above);
        for (int t = 0; t < widths; t++) {
            ptrdiff_t to = next + t * (pitch - 1);
            rtri[t] = add_product(rtri[t], both, load(c->ltri + to - pitch + 1));
            ltri[t] = add_product(ltri[t], left, load(c->ltrap + to));
            rtrap[t] = add_product(rtrap[t], right, load(c->rtri + to));
        }
    }
    /* [i - e, w - t + e] above, next to [i - e, e]; to the last that begins at 0 or after */
    size_t most = c->n + (size_t)widths - 1 - w, e = (size_t)widths;
    most = most < i + V - 1 ? most : i + V - 1;
    above = (ptrdiff_t)((w + e) * c->pitch + i - e);
    next = (ptrdiff_t)(e * c->pitch + i - e);
    for (; e <= most; e++, above += pitch - 1, next += pitch - 1) {
        vec right = load(c->rtrap + next), both = load(c->rtri + next - pitch),
            left = load(c->ltri + next);
        for (int t = 0; t < widths; t++) {
            ptrdiff_t from = above - t * pitch;
            rtri[t] = add_product(rtri[t], load(c->out_rtri + from), right);
            ltri[t] = add_product(ltri[t], load(c->out_both + from), both);
            ltrap[t] = add_product(ltrap[t], load(c->out_ltri + from), left);
        }
    }
    for (int t = 0; t < widths; t++) {
        ptrdiff_t at = (ptrdiff_t)(w * c->pitch + i) - t * pitch;
        store(c->out_rtri + at, rtri[t]);
        store(c->out_ltri + at, ltri[t]);
        store(c->out_both + at, rtrap[t]);
        store(c->spare + t * pitch + (ptrdiff_t)i, ltrap[t]);
    }
}

/* Diagonals w, w - 1, .. w - widths + 1 from those above. */
INLINE void outside_widths(const chart *c, double total, size_t w, int widths) {
    /* the lowest diagonal is the longest */
    for (size_t i = 0; i + w < c->n + (size_t)widths; i += V)
        sum_outside(c, w, i, widths);
    for (size_t t = 0; t < (size_t)widths; t++)
        for (size_t i = 0; i + w - t <= c->n; i += V)
            finish_outside(c, total, w - t, i, (size_t)widths, w, c->spare + t * c->pitch);
}

static void outside(hand_chart *of) {
    chart made = chart_of(of);
    const chart *c = &made;
    double total = 1 / c->rtri[c->n * c->pitch];
    size_t w = c->n;
    for (; w > 0 && (w % 4 != 0 || w + 8 > c->n); w--)
        outside_widths(c, total, w, 1);
    for (; w > 0; w -= 4)
        outside_widths(c, total, w, 4);
}

static void marginals(const hand_chart *of, double *const *ret_marginals) {
    chart c = chart_of(of);
    size_t side = c.n + 1;
    double *to = ret_marginals[0];
    for (size_t h = 0; h < side; h++)
        to[h * side + h] = 0;
    for (size_t w = 1; w <= c.n; w++) {
        const real *right = c.right + w * c.pitch, *left = c.left + w * c.pitch;
        for (size_t i = 0; i + w <= c.n; i++) {
            to[i * (side + 1) + w] = right[i];
            to[i * (side + 1) + w * side] = left[i];
        }
    }
}
#endif

const hand_kernel HAND_NAME = {
    .lanes = 1,
    .bytes = bytes,
    .bind = bind,
    .inside = inside,
#if HAND_LOG
    .outside = outside,
    .marginals = marginals,
#endif
};
