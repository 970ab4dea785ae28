/* pair_shares.h - shares of elements {m, e} in a whole (pairs.h), several at a time.
 *
 * After block.h and fused.h. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_PAIR_SHARES_H
#define TZ_KERNELS_PAIR_SHARES_H

/* low <= a <= high; of NaN, any. */
static inline doubles clamped(doubles a, double low, double high) {
    masks above = a > low, below = a < high;
    a = (doubles)(((masks)a & above) | ((masks)all(low) & ~above));
    return (doubles)(((masks)a & below) | ((masks)all(high) & ~below));
}

/* power_f64. */
static inline doubles powers(doubles e) {
    typedef uint64_t wrapping __attribute__((vector_size(VECTOR_BYTES)));
    return (doubles)((wrapping)(e + (0x1.8p52 + 1023)) << 52);
}

/* x * 2^e as scaled_f64 has it. */
static inline doubles scaled_doubles(doubles x, doubles e) {
    doubles first = clamped(e, -1022, 1022);
    return x * powers(first) * powers(clamped(e - first, -978, 0));
}

/* The shares of V elements. */
FORCED void write_pairs(double *ret, vector part, const element *whole) {
    enum { PIECES = VECTOR_ELEMENTS / DOUBLES };
    fewer m[PIECES], e[PIECES];
    memcpy(m, &part.m, sizeof m);
    memcpy(e, &part.e, sizeof e);
    UNROLLED for (int p = 0; p < PIECES; p++) {
        doubles share = scaled_doubles(__builtin_convertvector(m[p], doubles) / (double)whole->m,
                                       __builtin_convertvector(e[p], doubles) - (double)whole->e);
        memcpy(ret + p * DOUBLES, &share, sizeof share);
    }
}

/* Elements `stride` apart, `count` of a vector, and zeros. */
FORCED vector load_apart(const element *from, ptrdiff_t stride, ptrdiff_t count) {
    vector ret = vector_of(zero);
    UNROLLED for (ptrdiff_t i = 0; i < VECTOR_ELEMENTS; i++) {
        if (i < count)
            ret = vector_set(ret, (int)i, from[i * stride]);
    }
    return ret;
}

DECLARE_ALL_SHARES(NAME);

void SHARES(NAME, TZ_ISA)(const tz_semiring *self, double *ret, ptrdiff_t ret_stride,
                          const void *part, ptrdiff_t stride, size_t n, const void *whole) {
    const element *from = part;
    (void)self;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i += VECTOR_ELEMENTS) {
        const ptrdiff_t left = (ptrdiff_t)n - i;
        double share[VECTOR_ELEMENTS];
        if (left >= VECTOR_ELEMENTS)
            write_pairs(share, load_apart(from + i * stride, stride, VECTOR_ELEMENTS), whole);
        else
            write_pairs(share, load_apart(from + i * stride, stride, left), whole);
        for (ptrdiff_t k = 0; k < VECTOR_ELEMENTS && k < left; k++)
            ret[(i + k) * ret_stride] = share[k];
    }
}

/* Those of so many lanes, at base, whose cells are numbered. */
FORCED vector load_cells(const element *base, const int32_t *cell, size_t lanes) {
    vector ret = vector_of(zero);
    UNROLLED for (int i = 0; i < VECTOR_ELEMENTS; i++) {
        const ptrdiff_t at = cell[i] < 0 ? ~cell[i] : cell[i];
        const element a = base[at * (ptrdiff_t)lanes];
        ret = vector_set(ret, i, cell[i] < 0 ? zero : a);
    }
    return ret;
}

DECLARE_ALL_PRODUCT_SHARES(NAME);

void PRODUCT_SHARES(NAME, TZ_ISA)(const tz_semiring *self, double *const *ret,
                                  const tz_products *of, size_t n, const void *whole) {
    (void)self;
    for (size_t done = 0; done < n; done += VECTOR_ELEMENTS) {
        /* The last may overlap those before. */
        const size_t at = n - done >= VECTOR_ELEMENTS ? done : n - VECTOR_ELEMENTS;
        for (size_t lane = 0; lane < of->lanes; lane++) {
            const element *base = of->base[0];
            vector product = load_cells(base + lane, of->cell[0] + at, of->lanes);
            for (unsigned f = 1; f < of->factors; f++) {
                base = of->base[f];
                product =
                    vector_product(product, load_cells(base + lane, of->cell[f] + at, of->lanes));
            }
            write_pairs(ret[lane] + at, product, (const element *)whole + lane);
        }
    }
}

#endif
