/* real.h - the precision that a semiring is compiled for.
 *
 * TZ_REAL_BITS is 64 or 32; the build compiles every semiring once with each.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_REAL_H
#define TZ_KERNELS_REAL_H

#if TZ_REAL_BITS == 64
typedef double real;
#define REAL_LIMIT 1e290
#elif TZ_REAL_BITS == 32
typedef float real;
#define REAL_LIMIT 1e30
#else
#error "TZ_REAL_BITS must be 64 or 32"
#endif

/* With NAME defined as max, DESCRIPTOR(NAME) is tz_semiring_max_f64 or tz_semiring_max_f32. */
#define DESCRIPTOR(name) JOIN3(tz_semiring_, name, TZ_REAL_BITS)
/* With NAME defined as kbest, MAKER(NAME) is tz_semiring_maker_kbest_f64 or its _f32. */
#define MAKER(name) JOIN3(tz_semiring_maker_, name, TZ_REAL_BITS)

/* CONTRACT(NAME, avx2) is tz_contract_max_f64_avx2; CONTRACTS(NAME) initialises a descriptor's. The
 * build compiles every semiring once more for each instruction set that it is to have (TZ_WITH_AVX2
 * is 1, else 0 and the entry NULL), with TZ_ISA its name; the unit with TZ_DESCRIPTOR is that of
 * the least of them. prepare, lifts, shares and product_shares likewise. */
#define CONTRACT(name, isa)       JOIN4(tz_contract_, name, TZ_REAL_BITS, isa)
#define PREPARE(name, isa)        JOIN4(tz_prepare_, name, TZ_REAL_BITS, isa)
#define LIFTS(name, isa)          JOIN4(tz_lifts_, name, TZ_REAL_BITS, isa)
#define SHARES(name, isa)         JOIN4(tz_shares_, name, TZ_REAL_BITS, isa)
#define PRODUCT_SHARES(name, isa) JOIN4(tz_product_shares_, name, TZ_REAL_BITS, isa)
#define CONTRACTS(name)           FOR_EACH_ISA(CONTRACT, name)
#define PREPARES(name)            FOR_EACH_ISA(PREPARE, name)
#define ALL_LIFTS(name)           FOR_EACH_ISA(LIFTS, name)
#define ALL_SHARES(name)          FOR_EACH_ISA(SHARES, name)
#define ALL_PRODUCT_SHARES(name)  FOR_EACH_ISA(PRODUCT_SHARES, name)
#define FOR_EACH_ISA(of, name)    WITH_EACH_ISA(of(name, baseline), of(name, avx2), of(name, avx512))
#define ONE_FOR_EACH(of)          WITH_EACH_ISA(of(baseline), of(avx2), of(avx512))
#define WITH_EACH_ISA(baseline, avx2, avx512)                                                      \
    {                                                                                              \
        [TZ_ISA_BASELINE] = TZ_WITH_BASELINE ? baseline : NULL,                                    \
        [TZ_ISA_AVX2] = TZ_WITH_AVX2 ? avx2 : NULL,                                                \
        [TZ_ISA_AVX512] = TZ_WITH_AVX512 ? avx512 : NULL,                                          \
    }
#define DECLARE_EACH(declare, name)                                                                \
    declare(name, baseline);                                                                       \
    declare(name, avx2);                                                                           \
    declare(name, avx512)
#define DECLARE_CONTRACTS(name)          DECLARE_EACH(DECLARE_CONTRACT, name)
#define DECLARE_PREPARES(name)           DECLARE_EACH(DECLARE_PREPARE, name)
#define DECLARE_ALL_LIFTS(name)          DECLARE_EACH(DECLARE_LIFTS, name)
#define DECLARE_ALL_SHARES(name)         DECLARE_EACH(DECLARE_SHARES, name)
#define DECLARE_ALL_PRODUCT_SHARES(name) DECLARE_EACH(DECLARE_PRODUCT_SHARES, name)
#define DECLARE_CONTRACT(name, isa)                                                                \
    void CONTRACT(name, isa)(const tz_semiring *, const tz_block *, size_t)
#define DECLARE_PREPARE(name, isa)                                                                 \
    size_t PREPARE(name, isa)(const tz_semiring *, const tz_block *, tz_ready *, size_t)
#define DECLARE_LIFTS(name, isa)                                                                   \
    _Bool LIFTS(name, isa)(const tz_semiring *, void *, const tz_lifting *, size_t)
#define DECLARE_SHARES(name, isa)                                                                  \
    void SHARES(name, isa)(const tz_semiring *, double *, ptrdiff_t, const void *, ptrdiff_t,      \
                           size_t, const void *)
#define DECLARE_PRODUCT_SHARES(name, isa)                                                          \
    void PRODUCT_SHARES(name, isa)(const tz_semiring *, double *const *, const tz_products *,      \
                                   size_t, const void *)

/* MOVES(avx2) is tz_moves_f64_avx2, ALL_MOVES tz_moves_f64; see moves.h. */
#define MOVES(isa) JOIN4(tz_, moves, TZ_REAL_BITS, isa)
#define ALL_MOVES  JOIN3(tz_, moves, TZ_REAL_BITS)

#define JOIN3(a, name, bits)       PASTE3(a, name, bits)
#define PASTE3(a, name, bits)      a##name##_f##bits
#define JOIN4(a, name, bits, isa)  PASTE4(a, name, bits, isa)
#define PASTE4(a, name, bits, isa) a##name##_f##bits##_##isa

#endif
