/* semiring.h - the contract between the engine and a semiring.
 *
 * A semiring is one constant descriptor (what tz_semiring_new makes is one, too). Only `name`,
 * `plus` and `times` are mandatory; what is left zero has this meaning: an element is one double
 * holding a log score, zero is -INFINITY, one is 0.0, a score is its own element, and an element is
 * its own score.
 *
 * Elements are plain bytes: the engine copies them with memcpy and never frees anything in them.
 * Functions may be called from several threads at once and must not fail. Results may be written
 * over an argument: `ret` can equal `a` or `b`.
 *
 * Goodman 1999 (Computational Linguistics 25:4), section 2. SPDX-License-Identifier: MIT */
#ifndef TRAPEZE_SEMIRING_H
#define TRAPEZE_SEMIRING_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tz_semiring tz_semiring;

/* Laws a semiring declares; the law test checks each, and algorithms refuse by name what lacks the
 * one they need. Every semiring must be associative, distributive and have the two identities. */
enum {
    TZ_COMMUTATIVE = 1 << 0, /* a * b = b * a; plans need it */
    TZ_IDEMPOTENT = 1 << 1,  /* a + a = a; ambiguous rule sets need it */
    TZ_PATH = 1 << 2,        /* a + b is a or b, and a where they tie; best derivations need it */
    TZ_EXACT = 1 << 3        /* plus never rounds: the sum has the same bits in any order */
};

/* What the value of an item means, and so how it is printed. */
typedef enum tz_gives {
    TZ_GIVES_SCORE, /* a log score; -INFINITY where there is no derivation */
    TZ_GIVES_NUMBER,
    TZ_GIVES_TRUTH
} tz_gives;

/* A block of the innermost computation:
 *
 *   target[x * run + l] += (product of outer) * (sum over s < splits of product of inner)
 *
 * for x < width and l < lanes, where operand o is read at o.base + s * o.split + x * o.run + l;
 * all strides are in elements and may be zero or negative; `outer` operands do not depend on s.
 * Split s takes part in the sum of x only where x >= at + s * step for every edge of `low`, and
 * x < at + s * step for every edge of `high`; what takes no part is not read. An empty list of
 * operands is the product one; with no `inner`, splits is 1 and there are no edges. Where run is 0
 * every x adds to the same target. The target overlaps no operand. Of a `padded` block, what takes
 * no part can be read all the same, and an inner operand is zero there, so that it may be added.
 *
 * The order, which decides the last bits where plus or times round: for x ascending and each l,
 *   acc = zero;  for s ascending: acc = acc + ((inner[0] * inner[1]) * inner[2]) ...;
 *   acc = (acc * outer[0]) * outer[1] ...;  target = target + acc
 * and with no inner operand and splits 1, acc = (outer[0] * outer[1]) ... instead. Where there are
 * two inner operands or more, the last product of each split and its addition to acc are one
 * plus_times; what is added to the target is a plain plus.
 *
 * Where `first_write` has bit t set (bit 0 for what is not a bundle), member t's target holds
 * nothing yet and counts as zero: it is written without being read, for all x; run is not 0.
 *
 * The `row_end` elements after the last of the target hold zero, are nobody else's, and may be
 * written zero: vectors that are stored whole are faster to load again. (Of a bundle: after the
 * last of the widest member; where row_end is not 0, what the others have less may be written as
 * well.) Where row_end is not 0, run is lanes.
 *
 * A bundle is several such blocks that read some of the same elements: its member t < bundle has
 * everything t times the stride `member` further on, in the target and in each operand, is
 * t * widening wider, and sums splits t * skew <= s < bundle_splits only (member 0: all). Only
 * blocks of semirings with `bundles` are bundles: of two inner operands, the first of them shared
 * (its stride `member` is 0), or of three where the semiring is TZ_EXACT and there are no edges; no
 * outer one, every run equal to lanes, other strides below 2^31 bytes, skew at most 255,
 * bundle_splits > (bundle - 1) * skew, and skew 0 and bundle_splits = splits where there are edges.
 * They are 2, 4 or 16 blocks, of three operands 2 or 4. Else bundle is 1. */
typedef struct tz_operand {
    const void *base;
    ptrdiff_t split, run, member;
} tz_operand;

typedef struct tz_edge {
    ptrdiff_t at, step;
} tz_edge;

typedef struct tz_block {
    void *target;
    ptrdiff_t run;
    size_t splits, width, lanes, row_end;
    const tz_operand *inner, *outer;
    const tz_edge *low, *high;
    unsigned inners, outers, lows, highs;
    unsigned bundle, skew, first_write;
    _Bool padded;
    size_t bundle_splits;
    ptrdiff_t member, widening;
} tz_block;

enum { TZ_MAX_BUNDLE = 16 };

/* A block, or a part of one, made ready to be computed again and again: data of the semiring's own
 * after the function that computes it and returns what comes next to it in memory. */
typedef struct tz_ready {
    const struct tz_ready *(*run)(const struct tz_ready *ready);
    const void *data[7];
} tz_ready;

enum { TZ_MAX_READY = 256 };

/* Products of elements of several problems, which stand side by side: at place i, problem l's is
 * (a_0 * a_1) * a_2 ..., a_f being read at base[f] + cell[f][i] * lanes + l. Where the number
 * cell[0][i] is negative, the product is zero, and the cell ~cell[0][i] may be read. There is at
 * least one factor. */
enum { TZ_MAX_FACTORS = 4, TZ_LEAST_SHARES = 16 };
typedef struct tz_products {
    const void *base[TZ_MAX_FACTORS];
    const int32_t *cell[TZ_MAX_FACTORS];
    unsigned factors;
    size_t lanes;
} tz_products;

/* Instruction sets that contracts are compiled for; each includes the ones before it. */
typedef enum tz_isa {
    TZ_ISA_BASELINE, /* of the platform: SSE2 on x86-64 */
    TZ_ISA_AVX2,     /* with FMA */
    TZ_ISA_AVX512,   /* F, BW, DQ, VL; with BMI2 */
    TZ_ISAS
} tz_isa;

/* An array of numbers beside the scores, one for each cell of a weight. */
typedef struct tz_input {
    const char *name;
    _Bool finite; /* -INFINITY is refused */
} tz_input;

enum { TZ_MAX_INPUTS = 4 };
/* See tz_semiring.lift_scaled. */
enum { TZ_LIFTED = 8 };

struct tz_semiring {
    const char *name;
    const char *summary; /* what it computes, for lists: "score of the best derivation" */
    unsigned laws;
    tz_gives gives;
    size_t size, align;     /* of an element, in bytes; align a power of two, at most 64 */
    const void *zero, *one; /* elements */
    double limit;           /* scores with |score| above it are refused when bound; 0: 1e290 */

    /* a + b. A path semiring returns a where the two tie. */
    void (*plus)(const tz_semiring *self, void *ret, const void *a, const void *b);
    /* a * b. Zero times anything is zero. */
    void (*times)(const tz_semiring *self, void *ret, const void *a, const void *b);
    /* Optional: a + b * c, where that is not the bits of plus and times: a fused multiply-add. Sums
     * of products are made of it, see tz_block. */
    void (*plus_times)(const tz_semiring *self, void *ret, const void *a, const void *b,
                       const void *c);
    /* The elements of n scores, `stride` elements apart; -INFINITY gives zero. */
    void (*lift)(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n);
    /* The score, number or truth (0 or 1) that an element stands for. */
    double (*value)(const tz_semiring *self, const void *a);
    /* part / whole as a plain number (1.0 where they are equal); whole is not zero. Marginals
     * need it. */
    double (*share)(const tz_semiring *self, const void *part, const void *whole);

    /* Optional: what lift takes besides the scores (tz_problem.inputs), up to TZ_MAX_INPUTS arrays,
     * and the elements of n scores and n numbers of each; what is not given is 0, and lift is for
     * where nothing is. Such a semiring has no use for `narrow` and `lift_copies`. */
    size_t inputs;
    const tz_input *input;
    void (*lift_inputs)(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                        const double *const *input, size_t n);

    /* Optional: all numbers that an element stands for, of which `value` gives one: writes at most
     * `numbers`, and returns how many. number_name: what each is, [numbers]; NULL for a list of
     * like ones. */
    size_t numbers;
    const char *const *number_name;
    size_t (*values)(const tz_semiring *self, const void *a, double *ret);

    /* Optional: a times x, where x is larger than any element of a chart that is not a multiple of
     * it. The engine marks the elements of required cells so (tz_fact): elements are then leading
     * terms of polynomials in x. required(BASE) makes them of any semiring's. */
    void (*mark)(const tz_semiring *self, void *a);
    /* With mark: what a has x^power times, if that is the power of its leading term; else zero.
     * value and share do not look at the power of `a` and `whole`; a part of a lower power than
     * the whole has the share 0. */
    void (*coefficient)(const tz_semiring *self, void *ret, const void *a, size_t power);

    /* Optional, of a semiring whose elements are real numbers: n elements a[i * stride], each times
     * a number of either sign. plus, times, share and contract take such elements as well; `value`
     * need not. Tangents need it (tz_marginal_tangents). */
    void (*multiples)(const tz_semiring *self, void *ret, ptrdiff_t ret_stride, const void *a,
                      ptrdiff_t stride, const double *x, size_t n);

    /* Optional, of a path semiring whose times keeps the order of plus (a + b = a gives ac + bc =
     * ac) and gives the same bits for a * b as for b * a: the first s < splits where the product
     * (operand[0] * operand[1]) * operand[2] ... equals *value, operand o being read at
     * o.base + s * o.split; splits if there is none. Best derivations are found by it. */
    size_t (*find)(const tz_semiring *self, const void *value, const tz_operand *operand,
                   unsigned operands, size_t splits);

    /* An element is a real, a double or a float by its size, and lift gives the score itself, with
     * 0 for -0: scores of that type are then copied instead. */
    _Bool lift_copies;

    /* Faster ways, with the same bits, for each instruction set; a plan takes the last one that is
     * there and that the machine can run. contract computes `count` blocks, one after the other. */
    void (*contract[TZ_ISAS])(const tz_semiring *self, const tz_block *block, size_t count);

    /* With contract, optional: makes a block ready, which stays where it is and as it is. Adds at
     * most TZ_MAX_READY to list[count], and may change what the blocks before it have become;
     * returns the new count. Running the list, one after the other, is contract. */
    size_t (*prepare[TZ_ISAS])(const tz_semiring *self, const tz_block *block, tz_ready *list,
                               size_t count);

    _Bool bundles; /* contract takes bundles; all of them or none */

    /* The share of each of n elements part[i * stride]. */
    void (*shares[TZ_ISAS])(const tz_semiring *self, double *ret, ptrdiff_t ret_stride,
                            const void *part, ptrdiff_t stride, size_t n, const void *whole);
    /* With shares, optional: ret[l][i] is the share in the l-th element of `whole` of problem l's
     * product at place i, i < n; n is at least TZ_LEAST_SHARES. A whole that is zero gives any
     * numbers. */
    void (*product_shares[TZ_ISAS])(const tz_semiring *self, double *const *ret,
                                    const tz_products *products, size_t n, const void *whole);

    /* A semiring whose elements have too wide a range for fast arithmetic may name one with the
     * same answers while nothing leaves its range. The engine multiplies the scores by powers of
     * two that cancel in every derivation, watches the floating-point flags for underflow and
     * overflow, and starts again with the wide elements where one is raised. */
    const tz_semiring *narrow;
    /* Of a narrow semiring: element i, i < n, is that of score[i] times 2^-shift[i], which are
     * whole numbers; false if one does not fit. n is a multiple of TZ_LIFTED. */
    _Bool (*lift_scaled[TZ_ISAS])(const tz_semiring *self, void *ret, const double *score,
                                  const double *shift, size_t n);
    /* Of a narrow semiring: the wide element of a narrow one times 2^exponent, a whole number. */
    void (*widen)(const tz_semiring *self, void *ret, const void *narrow, double exponent);
    /* Of a narrow semiring: the exponent e of an element in [2^e, 2^(e+1)); not of zero. */
    double (*exponent)(const tz_semiring *self, const void *narrow);

    /* Of one that tz_semiring_new has composed: what it is made of; freed with it. */
    tz_semiring *part;
};

#ifdef __cplusplus
}
#endif
#endif
