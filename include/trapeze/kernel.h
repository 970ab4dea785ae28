/* kernel.h - the contract between the engine and the kernels of a semiring: fast forms of plus,
 * times, lift, value and share, which compute one element at a time.
 *
 * A semiring is complete without kernels. Each is optional and gives the same bits as the functions
 * of the descriptor. Sums of products are computed a *block* at a time: all products that are
 * contiguous in memory. Every pass over problems of the same lengths has the same blocks, so a
 * kernel may make them *ready* once.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TRAPEZE_KERNEL_H
#define TRAPEZE_KERNEL_H

#include <stdint.h>

#include <trapeze/isa.h>
#include <trapeze/semiring.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A block of the innermost computation:
 *
 *   target[x * run + l] += (product of outer) * (sum over s < splits of product of inner)
 *
 * for x < width and l < lanes, where operand o is read at o.base + s * o.split + x * o.run + l. All
 * strides are in elements and may be zero or negative. `outer` operands do not depend on s. Split s
 * takes part in the sum of x only where x >= at + s * step for every edge of `low`, and
 * x < at + s * step for every edge of `high`; elements of other splits are not read. An empty list
 * of operands is the product one, so with no `inner` the sum counts the splits that take part.
 * There are at most TZ_MAX_OPERANDS. Where run is 0 every x adds to the same target. The target
 * overlaps no operand. In a `padded` block the elements of other splits can be read all the same,
 * and an inner operand is zero there, so that they may be added.
 *
 * Where `places` is not 0, the block is computed at so many places, one after the other: at place p
 * the target, and each operand, is moved by place[p * record + its `member`] elements. (Where the
 * inner operands stand as at the place before, the sums over splits are the same again.) Targets of
 * two places are the same or have no element in common. Such a block is no bundle, first_write and
 * row_end are 0, and it is not made ready. Only kernels with `placed` are given such blocks.
 *
 * Where `places` is not 0 and `place` is NULL, the move is p times the `member`: a recurrence along
 * a row, of one column with one split and no edges, whose product has at most 3 operands. One of
 * these is at the next place what the target is at this one. Such a block may be a first_write and
 * may be made ready.
 *
 * The order, which decides the last bits where plus or times round: for x ascending and each l,
 *   acc = zero;  for s ascending: acc = acc + ((inner[0] * inner[1]) * inner[2]) ...;
 *   acc = (acc * outer[0]) * outer[1] ...;  target = target + acc
 * With no inner operand, one split and no edges, acc = (outer[0] * outer[1]) ... instead. Where
 * there are two inner operands or more, the last product of each split and its addition to acc are
 * one plus_times; what is added to the target is a plain plus. Where run is 0, columns TZ_CHAINS
 * apart are added up to c[x % TZ_CHAINS] first, for x ascending, zero standing for those past the
 * last; then c[x] = c[x] + c[x + d] for d = TZ_CHAINS / 2, ..., 2, 1 and x < d, and target = target
 * + c[0].
 *
 * Where `first_write` has bit t set (bit 0 for what is not a bundle), member t's target holds
 * nothing yet and counts as zero: it is written without being read, for all x; run is not 0.
 *
 * The `row_end` elements after the last of the target hold zero, belong to nothing else, and may be
 * overwritten with zero: vectors that are stored whole are faster to load again. (In a bundle:
 * after the last of the widest member; where row_end is not 0, narrower members may be written as
 * far, too.) Where row_end is not 0, run is lanes.
 *
 * A bundle is several such blocks that read some of the same elements. In its member t < bundle the
 * target and each operand stand t times their stride `member` further on; it is t * widening wider,
 * and sums only splits t * skew <= s < bundle_splits (member 0: all). Only kernels with `bundles`
 * are given bundles. A bundle has 2 or 4 blocks; two inner operands, the first of them shared (its
 * stride `member` is 0), and no outer one; every run equal to lanes; other strides below 2^31
 * bytes; skew at most 255; bundle_splits > (bundle - 1) * skew; with edges, skew 0 and
 * bundle_splits = splits. Where there is no bundle, `bundle` is 1. */
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
    size_t places, record;
    const ptrdiff_t *place;
} tz_block;

enum { TZ_MAX_BUNDLE = 4, TZ_CHAINS = 16, TZ_MAX_OPERANDS = 80 };

/* The block as it stands at a place; its operands are written to operand[inners + outers]. size: of
 * an element, in bytes. */
static inline tz_block tz_block_at(const tz_block *block, size_t place, size_t size,
                                   tz_operand *operand) {
    const ptrdiff_t *by = block->place != NULL ? block->place + place * block->record : NULL;
    const ptrdiff_t all = (ptrdiff_t)place * (ptrdiff_t)size;
    tz_block moved = *block;
    moved.places = 0;
    moved.target = (char *)block->target +
                   (by != NULL ? by[block->member] * (ptrdiff_t)size : block->member * all);
    moved.inner = operand;
    moved.outer = operand + block->inners;
    for (unsigned o = 0; o < block->inners + block->outers; o++) {
        operand[o] = o < block->inners ? block->inner[o] : block->outer[o - block->inners];
        operand[o].base =
            (const char *)operand[o].base +
            (by != NULL ? by[operand[o].member] * (ptrdiff_t)size : operand[o].member * all);
    }
    return moved;
}

/* A block, or a part of one, made ready to be computed again and again. `run` computes it and
 * returns the entry that follows it in memory; `data` is the semiring's own. */
typedef struct tz_ready {
    const struct tz_ready *(*run)(const struct tz_ready *ready);
    uint64_t data[7];
} tz_ready;

enum { TZ_MAX_READY = 256, TZ_MANY_SPLITS = 8 };

/* Products of elements of several problems, which stand side by side. The product at place i of
 * problem l is (a_0 * a_1) * a_2 ..., where a_f is read at base[f] + cell[f][i] * lanes + l. Where
 * cell[0][i] is negative, the product is zero, and the cell ~cell[0][i] may be read. There is at
 * least one factor. */
enum { TZ_MAX_FACTORS = 4, TZ_LEAST_SHARES = 16 };
typedef struct tz_products {
    const void *base[TZ_MAX_FACTORS];
    const int32_t *cell[TZ_MAX_FACTORS];
    unsigned factors;
    size_t lanes;
} tz_products;

/* What n elements are lifted from: n of each number. */
typedef struct tz_lifting {
    const double *score;
    const double
        *shift; /* of a narrow semiring: element i times 2^-shift[i], whole; else not read */
    const double *input[TZ_MAX_INPUTS]; /* NULL: zeros */
} tz_lifting;
enum { TZ_LIFTED = 8 }; /* `lifts` takes a multiple of this many scores */

/* The kernels of a semiring. Of an array [TZ_ISAS], a plan takes the last function that is there
 * and that the machine can run. */
struct tz_trail;
typedef struct tz_kernels {
    /* Computes `count` blocks, one after the other. */
    void (*contract[TZ_ISAS])(const tz_semiring *self, const tz_block *block, size_t count);
    /* With contract: makes a block ready, which stays where it is and as it is. Adds at most
     * TZ_MAX_READY entries to list[count]; returns the new count. Running these one after the other
     * computes the same as contract. Where blocks differ only in where they stand and, without
     * edges, in their number of splits, at least TZ_MANY_SPLITS, each word of their lists differs
     * by a linear function of these; or the lists are found by looking at the blocks again. */
    size_t (*prepare[TZ_ISAS])(const tz_semiring *self, const tz_block *block, tz_ready *list,
                               size_t count);
    _Bool bundles; /* contract takes bundles, in every instruction set that it has */
    _Bool placed;  /* contract takes blocks at several places */

    /* lift, or lift_inputs, of n scores, a multiple of TZ_LIFTED, to elements side by side, of at
     * most 64 bytes. In a narrow semiring they are scaled; false if one does not fit. */
    _Bool (*lifts[TZ_ISAS])(const tz_semiring *self, void *ret, const tz_lifting *from, size_t n);

    /* The share in `whole` of each of n elements part[i * stride]. */
    void (*shares[TZ_ISAS])(const tz_semiring *self, double *ret, ptrdiff_t ret_stride,
                            const void *part, ptrdiff_t stride, size_t n, const void *whole);
    /* With shares: ret[l][i] is the share in the l-th element of `whole` of problem l's product at
     * place i, i < n; n is at least TZ_LEAST_SHARES. A whole that is zero gives any numbers. */
    void (*product_shares[TZ_ISAS])(const tz_semiring *self, double *const *ret,
                                    const tz_products *products, size_t n, const void *whole);

    /* For a path semiring whose times keeps the order of plus (a + b = a gives ac + bc = ac) and
     * gives the same bits for a * b as for b * a. Goes on with a best derivation from the item on
     * top of the trail's stack (kernels/strips.h), which is not empty, by at most `count` items.
     * Returns how many items it did: fewer where the stack becomes empty, or the item on top has no
     * instance along its strips that gives its value. */
    size_t (*trace)(const tz_semiring *self, struct tz_trail *trail, size_t count);

    /* Says that an element is one number, a double or a float by its size, and lift gives the score
     * itself, with 0 for -0. Scores of this type are then copied instead. Not with inputs. */
    _Bool lift_copies;

    /* A semiring whose elements have too wide a range for fast arithmetic may name a narrow one,
     * which gives the same answers while nothing leaves its range. The engine multiplies elements
     * by powers of two that cancel in every derivation, watches the floating-point flags for
     * underflow and overflow, and starts again with the wide elements if one is raised. The narrow
     * semiring takes the same inputs and has `lifts`. */
    const tz_semiring *narrow;
    /* In a narrow semiring: the wide element of a narrow one times 2^exponent, a whole number. */
    void (*widen)(const tz_semiring *self, void *ret, const void *narrow, double exponent);
    /* In a narrow semiring: the exponent e of an element in [2^e, 2^(e+1)); not called for zero. */
    double (*exponent)(const tz_semiring *self, const void *narrow);
} tz_kernels;

#ifdef __cplusplus
}
#endif
#endif
