/* hand_batch.c - Eisner's algorithm for V sentences at once, an element of a vector each.
 *
 * A cell is a vector, tables are square and row-major. Tiles of TILE x TILE items are computed like
 * a matrix product, the splits between the tile's rows and columns in registers: 2 TILE loads for
 * TILE^2 products, which is what counts where the chart is larger than the first-level cache. The
 * few splits inside the tile's own rows and columns follow, item by item.
 * SPDX-License-Identifier: MIT */
#include "hand_kernel.h"
#include "hand_vector.h"

typedef struct chart {
    size_t n, side;
    /* [i * side + j]: items, what is outside them, and arcs, which become marginals */
    vec *rtri, *ltri, *rtrap, *ltrap, *out_rtri, *out_ltri, *out_both, *arc;
} chart;

enum { TABLES = HAND_LOG ? 8 : 5 };

static size_t cells(size_t n) {
    return (n + 1) * (n + 1) + 1; /* an odd number of vectors apart */
}

static size_t bytes(size_t n) {
    return TABLES * cells(n) * sizeof(vec);
}

static chart chart_of(const hand_chart *of) {
    vec *memory = of->memory;
    size_t table = cells(of->n);
    chart c = {.n = of->n, .side = of->n + 1, .rtri = memory};
    c.ltri = c.rtri + table;
    c.rtrap = c.ltri + table;
    c.ltrap = c.rtrap + table;
    c.arc = c.ltrap + table;
    c.out_rtri = c.arc + table;
    c.out_ltri = c.out_rtri + table;
    c.out_both = c.out_ltri + table;
    return c;
}

static bool bind(hand_chart *of, const void *const *arc) {
    chart c = chart_of(of);
    size_t total = c.side * c.side;
    mask bad = {0};
#if HAND_LOG
    vec scale = load(of->scale);
#endif
    for (size_t at = 0; at < total; at += V) {
        vec v[V];
        size_t count = total - at < V ? total - at : V;
        for (size_t l = 0; l < V; l++) {
            const real *from = (const real *)arc[l] + at;
            v[l] = (vec){0};
            if (count == V)
                v[l] = load(from);
            else
                memcpy(&v[l], from, count * sizeof(real));
            bad |= unfit(v[l]);
        }
        transpose(v);
        for (size_t i = 0; i < count; i++) {
#if HAND_LOG
            v[i] = exponential(v[i] - scale);
#endif
            c.arc[at + i] = v[i];
        }
    }
    for (size_t h = 0; h < c.side; h++) {
        c.arc[h * c.side] = c.arc[h * c.side + h] = all(zero);
        c.rtri[h * c.side + h] = c.ltri[h * c.side + h] = all(one);
    }
    c.ltri[0] = all(zero); /* nothing is the root's head */
    return !any(bad);
}

/* sum[r][s] += sum over k < count of a[r * ar + k * ak] * b[s * bs + k * bk] */
INLINE void multiply(vec sum[TILE][TILE], int columns, size_t count, const vec *a, size_t ar,
                     size_t ak, const vec *b, size_t bs, size_t bk) {
    vec acc[TILE][TILE];
    for (int r = 0; r < TILE; r++)
        for (int s = 0; s < columns; s++)
            acc[r][s] = sum[r][s];
    for (size_t k = 0; k < count; k++) {
        vec x[TILE];
        for (int s = 0; s < columns; s++)
            x[s] = b[(size_t)s * bs];
        for (int r = 0; r < TILE; r++) {
            vec y = a[(size_t)r * ar];
            for (int s = 0; s < columns; s++)
                acc[r][s] = add_product(acc[r][s], y, x[s]);
        }
        a += ak;
        b += bk;
    }
    for (int r = 0; r < TILE; r++)
        for (int s = 0; s < columns; s++)
            sum[r][s] = acc[r][s];
}

/* ---- Inside -------------------------------------------------------------------------------- */

/* Items i, j from the sums over all splits but those in [i, i_end) and [j_start, j]. */
INLINE void finish(const chart *c, size_t i, size_t i_end, size_t j_start, size_t j, vec both,
                   vec right, vec left) {
    size_t side = c->side, row = i * side;
    for (size_t k = i; k + 1 < i_end; k++)
        both = add_product(both, c->rtri[row + k], c->ltri[(k + 1) * side + j]);
    for (size_t k = j_start; k < j; k++)
        both = add_product(both, c->rtri[row + k], c->ltri[(k + 1) * side + j]);
    vec rtrap = times(both, c->arc[row + j]), ltrap = times(both, c->arc[j * side + i]);
    c->rtrap[row + j] = rtrap;
    c->ltrap[row + j] = ltrap;

    left = add_product(left, c->ltri[row + i], ltrap);
    for (size_t k = i + 1; k < i_end; k++) {
        right = add_product(right, c->rtrap[row + k], c->rtri[k * side + j]);
        left = add_product(left, c->ltri[row + k], c->ltrap[k * side + j]);
    }
    for (size_t k = j_start; k < j; k++) {
        right = add_product(right, c->rtrap[row + k], c->rtri[k * side + j]);
        left = add_product(left, c->ltri[row + k], c->ltrap[k * side + j]);
    }
    c->rtri[row + j] = plus(right, rtrap);
    c->ltri[row + j] = left;
}

/* Items of rows i.. and columns j.., i + TILE <= j. */
INLINE void inside_tile(const chart *c, size_t i, size_t j, int columns) {
    vec both[TILE][TILE], right[TILE][TILE], left[TILE][TILE];
    size_t side = c->side, next = i + TILE, count = j - next;
    for (int r = 0; r < TILE; r++)
        for (int s = 0; s < columns; s++)
            both[r][s] = right[r][s] = left[r][s] = all(zero);
    multiply(both, columns, count + 1, c->rtri + i * side + next - 1, side, 1,
             c->ltri + next * side + j, 1, side);
    multiply(right, columns, count, c->rtrap + i * side + next, side, 1, c->rtri + next * side + j,
             1, side);
    multiply(left, columns, count, c->ltri + i * side + next, side, 1, c->ltrap + next * side + j,
             1, side);
    for (int r = TILE - 1; r >= 0; r--)
        for (int s = 0; s < columns; s++)
            finish(c, i + (size_t)r, next, j, j + (size_t)s, both[r][s], right[r][s], left[r][s]);
}

INLINE void inside_panel(const chart *c, size_t j, int columns) {
    size_t end = j + (size_t)columns, side = c->side;
    for (size_t i = end - 1; i-- > j;)
        for (size_t to = i + 1; to < end; to++)
            finish(c, i, to, to, to, c->rtri[i * side + to - 1], all(zero), all(zero));
    for (size_t i = j; i > 0; i -= TILE)
        inside_tile(c, i - TILE, j, columns);
}

/* Calls f(c, j, columns) for the panel of columns from j, with a constant. */
#define WITH_COLUMNS(f, c, j)                                                                      \
    switch (c->side - (j)) {                                                                       \
    case 1:                                                                                        \
        f(c, j, 1);                                                                                \
        break;                                                                                     \
    case 2:                                                                                        \
        f(c, j, 2);                                                                                \
        break;                                                                                     \
    case 3:                                                                                        \
        f(c, j, 3);                                                                                \
        break;                                                                                     \
    default:                                                                                       \
        f(c, j, TILE);                                                                             \
    }

static void inside(hand_chart *of, double *ret_value) {
    chart made = chart_of(of);
    const chart *c = &made;
    for (size_t j = 0; j < c->side; j += TILE)
        WITH_COLUMNS(inside_panel, c, j)
    for (size_t l = 0; l < V; l++) {
        double value = (double)c->rtri[c->n][l];
        ret_value[l] = HAND_LOG ? log(value) + (double)c->n * of->scale[l] : value;
    }
}

#if HAND_LOG
/* ---- Outside ------------------------------------------------------------------------------- */

/* What is outside items i, j, from the sums over all but rows [i_start, i] and columns [j, j_end);
 * the arcs become marginals. */
INLINE void finish_outside(const chart *c, vec total, size_t i_start, size_t i, size_t j,
                           size_t j_end, vec rtri, vec ltri, vec rtrap, vec ltrap) {
    size_t side = c->side, row = i * side;
    for (size_t to = j + 1; to < j_end; to++) {
        rtri = add_product(rtri, c->out_both[row + to], c->ltri[(j + 1) * side + to]);
        ltri = add_product(ltri, c->out_ltri[row + to], c->ltrap[j * side + to]);
        rtrap = add_product(rtrap, c->out_rtri[row + to], c->rtri[j * side + to]);
    }
    for (size_t from = i_start; from < i; from++) {
        size_t at = from * side;
        rtri = add_product(rtri, c->out_rtri[at + j], c->rtrap[at + i]);
        ltri = add_product(ltri, c->out_both[at + j], c->rtri[at + i - 1]);
        ltrap = add_product(ltrap, c->out_ltri[at + j], c->ltri[at + i]);
    }
    if (i == 0 && j == c->n)
        rtri = total;
    rtrap = plus(rtrap, rtri);
    ltrap = add_product(ltrap, ltri, c->ltri[row + i]);
    c->out_rtri[row + j] = rtri;
    c->out_ltri[row + j] = ltri;
    vec right = c->arc[row + j], left = c->arc[j * side + i];
    c->out_both[row + j] = rtrap * right + ltrap * left;
    c->arc[row + j] = rtrap * c->rtrap[row + j];
    c->arc[j * side + i] = ltrap * c->ltrap[row + j];
}

/* Rows i.. and columns j..; where i = j, the items above the diagonal. */
INLINE void outside_tile(const chart *c, vec total, size_t i, size_t j, int columns) {
    vec rtri[TILE][TILE], ltri[TILE][TILE], rtrap[TILE][TILE], ltrap[TILE][TILE];
    size_t side = c->side, row = i * side, next = j + (size_t)columns, count = side - next;
    for (int r = 0; r < TILE; r++)
        for (int s = 0; s < columns; s++)
            rtri[r][s] = ltri[r][s] = rtrap[r][s] = ltrap[r][s] = all(zero);
    multiply(rtri, columns, count, c->out_both + row + next, side, 1,
             c->ltri + (j + 1) * side + next, side, 1);
    multiply(ltri, columns, count, c->out_ltri + row + next, side, 1, c->ltrap + j * side + next,
             side, 1);
    multiply(rtrap, columns, count, c->out_rtri + row + next, side, 1, c->rtri + j * side + next,
             side, 1);
    multiply(rtri, columns, i, c->rtrap + i, 1, side, c->out_rtri + j, 1, side);
    if (i > 0) /* out_both[from, j] rtri[from, i - 1] */
        multiply(ltri, columns, i, c->rtri + i - 1, 1, side, c->out_both + j, 1, side);
    multiply(ltrap, columns, i, c->ltri + i, 1, side, c->out_ltri + j, 1, side);
    for (int r = 0; r < TILE; r++)
        for (int s = columns - 1; s >= 0; s--)
            if (i < j || r < s)
                finish_outside(c, total, i, i + (size_t)r, j + (size_t)s, next, rtri[r][s],
                               ltri[r][s], rtrap[r][s], ltrap[r][s]);
}

INLINE void outside_panel(const chart *c, size_t j, int columns) {
    vec total = all(one) / c->rtri[c->n];
    for (size_t i = 0; i <= j; i += TILE)
        outside_tile(c, total, i, j, columns);
}

static void outside(hand_chart *of) {
    chart made = chart_of(of);
    const chart *c = &made;
    for (size_t j = c->n / TILE * TILE + TILE; j > 0;) {
        j -= TILE;
        WITH_COLUMNS(outside_panel, c, j)
    }
}

static void marginals(const hand_chart *of, double *const *ret_marginals) {
    chart c = chart_of(of);
    size_t total = c.side * c.side;
    for (size_t at = 0; at < total; at += V) {
        vec v[V];
        size_t count = total - at < V ? total - at : V;
        for (size_t i = 0; i < count; i++)
            v[i] = c.arc[at + i];
        for (size_t i = count; i < V; i++)
            v[i] = (vec){0};
        transpose(v);
        for (size_t l = 0; l < V; l++)
            if (count == V)
                store(ret_marginals[l] + at, v[l]);
            else
                memcpy(ret_marginals[l] + at, &v[l], count * sizeof(real));
    }
}
#endif

const hand_kernel HAND_NAME = {
    .lanes = V,
    .bytes = bytes,
    .bind = bind,
    .inside = inside,
#if HAND_LOG
    .outside = outside,
    .marginals = marginals,
#endif
};
