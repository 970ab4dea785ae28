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

/* The shares of a vector's elements. */
FORCED void write_pairs(double *ret, vector part, element whole) {
    enum { PIECES = VECTOR_ELEMENTS / DOUBLES };
    fewer m[PIECES], e[PIECES];
    memcpy(m, &part.m, sizeof m);
    memcpy(e, &part.e, sizeof e);
    UNROLLED for (int p = 0; p < PIECES; p++) {
        doubles share = scaled_doubles(__builtin_convertvector(m[p], doubles) / (double)whole.m,
                                       __builtin_convertvector(e[p], doubles) - (double)whole.e);
        memcpy(ret + p * DOUBLES, &share, sizeof share);
    }
}

/* Elements that are brought side by side before they are loaded as vectors. */
enum { PLACES = 64 };

DECLARE_ALL_SHARES(NAME);

void SHARES(NAME, TZ_ISA)(const tz_semiring *self, double *ret, ptrdiff_t ret_stride,
                          const void *part, ptrdiff_t stride, size_t n, const void *whole) {
    const element *from = part;
    element some[PLACES] = {{0}};
    double share[PLACES];
    (void)self;
    for (size_t done = 0, count; done < n; done += count) {
        count = n - done < PLACES ? n - done : PLACES;
        for (size_t i = 0; i < count; i++, from += stride)
            some[i] = *from;
        for (size_t i = 0; i < count; i += VECTOR_ELEMENTS)
            write_pairs(share + i, vector_load(some + i), *(const element *)whole);
        for (size_t i = 0; i < count; i++, ret += ret_stride)
            *ret = share[i];
    }
}

/* Takes the elements of cells, in one of so many lanes; zero where a number is negative. */
FORCED void take_cells(element *to, const element *base, const int32_t *cell, size_t count,
                       size_t lanes) {
    for (size_t i = 0; i < count; i++)
        to[i] = cell[i] < 0 ? zero : base[(size_t)cell[i] * lanes];
}

DECLARE_ALL_PRODUCT_SHARES(NAME);

void PRODUCT_SHARES(NAME, TZ_ISA)(const tz_semiring *self, double *const *ret,
                                  const tz_products *of, size_t n, const void *whole) {
    element some[TZ_MAX_FACTORS][PLACES] = {{{0}}};
    double share[PLACES];
    (void)self;
    for (size_t at = 0, count; at < n; at += count) {
        count = n - at < PLACES ? n - at : PLACES;
        for (size_t lane = 0; lane < of->lanes; lane++) {
            for (unsigned f = 0; f < of->factors; f++) {
                const element *base = (const element *)of->base[f] + lane;
                if (of->lanes == 1)
                    take_cells(some[f], base, of->cell[f] + at, count, 1);
                else
                    take_cells(some[f], base, of->cell[f] + at, count, of->lanes);
            }
            for (size_t i = 0; i < count; i += VECTOR_ELEMENTS) {
                vector product = vector_load(some[0] + i);
                for (unsigned f = 1; f < of->factors; f++)
                    product = vector_product(product, vector_load(some[f] + i));
                write_pairs(share + i, product, ((const element *)whole)[lane]);
            }
            memcpy(ret[lane] + at, share, count * sizeof *share);
        }
    }
}

#endif
