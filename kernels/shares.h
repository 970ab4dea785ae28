/* shares.h - shares of real numbers in a whole, several at a time.
 *
 * After block.h and fused.h. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_SHARES_H
#define TZ_KERNELS_SHARES_H

#include "marks.h"

/* x / z, where `inverse` is 1 / z. Rounded as a division is, which takes longer, unless anything
 * underflows, which raises the flag: a quotient that is one of the two numbers around x / z is put
 * right by one step more (Markstein 1990, IBM Journal of Research and Development 34:1), and the
 * first step makes it such. Without hardware for fma, a division. */
static inline doubles quotients(doubles x, double z, double inverse) {
#if defined(__AVX2__)
    doubles near = x * inverse;
    near = fused_doubles(fused_doubles(-near, all(z), x), all(inverse), near);
    return fused_doubles(fused_doubles(-near, all(z), x), all(inverse), near);
#else
    (void)inverse;
    return doubles_watched(x / z, x != 0);
#endif
}

/* Shares of DOUBLES elements, or of `count` fewer. */
FORCED void write_shares(double *ret, ptrdiff_t ret_stride, const element *part, ptrdiff_t stride,
                         ptrdiff_t count, double z, double inverse) {
    fewer several = {0};
    UNROLLED for (ptrdiff_t i = 0; i < count; i++) {
        several[i] = part[i * stride];
    }
    doubles x = quotients(__builtin_convertvector(several, doubles), z, inverse);
    UNROLLED for (ptrdiff_t i = 0; i < count; i++) {
        ret[i * ret_stride] = x[i];
    }
}

DECLARE_ALL_SHARES(NAME);

void SHARES(NAME, TZ_ISA)(const tz_semiring *self, double *ret, ptrdiff_t ret_stride,
                          const void *part, ptrdiff_t stride, size_t n, const void *whole) {
    (void)self;
    const element *p = part;
    const double z = (double)*(const element *)whole, inverse = 1 / z;
    const ptrdiff_t last = (ptrdiff_t)n - DOUBLES; /* vector, which may overlap the one before */
    if (last < 0) {
        write_shares(ret, ret_stride, p, stride, (ptrdiff_t)n, z, inverse);
        return;
    }
    for (ptrdiff_t i = 0, end = 0; end < (ptrdiff_t)n; end = i + DOUBLES) {
        i = end < last ? end : last;
        if (stride == 1 && ret_stride == 1) {
            write_shares(ret + i, 1, p + i, 1, DOUBLES, z, inverse);
        } else if (ret_stride == 1) {
            write_shares(ret + i, 1, p + i * stride, stride, DOUBLES, z, inverse);
        } else {
            write_shares(ret + i * ret_stride, ret_stride, p + i * stride, stride, DOUBLES, z,
                         inverse);
        }
    }
}

/* ---- Of products ----------------------------------------------------------------------------- */

/* The shares of V elements. */
FORCED void write_several(double *ret, vector part, double z, double inverse) {
    fewer piece[V / DOUBLES];
    doubles share[V / DOUBLES];
    memcpy(piece, &part, sizeof part);
    UNROLLED for (int p = 0; p < V / DOUBLES; p++) {
        share[p] = quotients(__builtin_convertvector(piece[p], doubles), z, inverse);
    }
    memcpy(ret, share, sizeof share);
}

/* What a share is a quotient by. */
typedef struct divisors {
    double z[V], inverse[V];
} divisors;

/* Cell number `cell` of V problems or the first `some`, `apart` elements from cell to cell. */
FORCED vector load_cell(const element *from, int32_t cell, ptrdiff_t some, ptrdiff_t apart) {
    const element *a = from + cell * apart;
    return some == V ? vector_load(a) : vector_load_part(a, part_of(0, some));
}

/* V places of V problems or `some`, the first of which is `lane`. Constants are left to the
 * compiler. */
FORCED void share_lanes(double *const *ret, size_t at, const tz_products *of, size_t lane,
                        ptrdiff_t some, ptrdiff_t apart, const divisors *by) {
    const marks present = there(of->cell[0] + at, V);
    vector v[V];
    UNROLLED for (int i = 0; i < V; i++) {
        int32_t cell = of->cell[0][at + (size_t)i];
        v[i] = load_cell((const element *)of->base[0] + lane, cell ^ cell >> 31, some, apart);
    }
    for (unsigned f = 1; f < of->factors; f++) {
        UNROLLED for (int i = 0; i < V; i++) {
            vector a = load_cell((const element *)of->base[f] + lane, of->cell[f][at + (size_t)i],
                                 some, apart);
            v[i] = vector_product(v[i], a);
        }
    }
    vector_exchange(v);
    UNROLLED for (int l = 0; l < V; l++) {
        if (l < some) {
            write_several(ret[l] + at, marked(present, v[l], (vector){0}), by->z[l],
                          by->inverse[l]);
        }
    }
}

/* Where the V places after the first `done` of n begin; the last may overlap those before. */
static inline size_t next_places(size_t done, size_t n) {
    return n - done >= V ? done : n - V;
}

/* One problem. */
static void share_one(double *ret, size_t n, const tz_products *of, double z) {
    const double inverse = 1 / z;
    const vector none = vector_of(0);
    for (size_t done = 0; done < n; done += V) {
        size_t at = next_places(done, n);
        if (!any(there(of->cell[0] + at, V))) {
            memset(ret + at, 0, V * sizeof *ret);
            continue;
        }
        vector v = vector_gather(of->base[0], of->cell[0] + at, V, none);
        for (unsigned f = 1; f < of->factors; f++)
            v = vector_product(v, vector_gather(of->base[f], of->cell[f] + at, V, none));
        write_several(ret + at, v, z, inverse);
    }
}

DECLARE_ALL_PRODUCT_SHARES(NAME);

void PRODUCT_SHARES(NAME, TZ_ISA)(const tz_semiring *self, double *const *ret,
                                  const tz_products *of, size_t n, const void *whole) {
    const element *z = whole;
    (void)self;
    if (of->lanes == 1) {
        share_one(*ret, n, of, (double)*z);
        return;
    }
    for (size_t lane = 0; lane < of->lanes; lane += V) {
        const ptrdiff_t some = of->lanes - lane < V ? (ptrdiff_t)(of->lanes - lane) : V;
        divisors by;
        UNROLLED for (ptrdiff_t l = 0; l < V; l++) {
            by.z[l] = l < some ? (double)z[(ptrdiff_t)lane + l] : 1;
            by.inverse[l] = 1 / by.z[l];
        }
        for (size_t done = 0; done < n; done += V) {
            if (of->lanes == V) {
                share_lanes(ret, next_places(done, n), of, 0, V, V, &by);
            } else {
                share_lanes(ret + lane, next_places(done, n), of, lane, some, (ptrdiff_t)of->lanes,
                            &by);
            }
        }
    }
}

#endif
