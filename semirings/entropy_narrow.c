/* entropy_narrow.c - the narrow elements of entropy: real numbers, as floating point has them.
 *
 *   element  p, and p times expectations of a derivation's score, cost and score in q
 *   zero     0, 0, 0, 0             one  1, 0, 0, 0
 *   a + b    sums                   a * b  p p', p r' + p' r for expectations r
 *   laws     commutative
 *
 * They are to those of entropy.c what log_narrow.c's are to log.c's: the same numbers, rounded in
 * the same places. Elements stay as they are in memory: each number of a vector is multiplied by
 * the p of its element in the other factor. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include <trapeze/kernel.h>

#include "kernels/explog.h"
#include "kernels/real.h"
#define NAME entropy_narrow

enum { P, SCORE, COST, OTHER, NUMBERS };

typedef real number;
#include "kernels/numbers.h"

#include "kernels/fused.h"

#include "kernels/exp_scaled.h"

#define INTERLEAVED

/* The p of each element, where that element has its numbers. */
FORCED numbers p_of(const numbers *a, int v) {
#if VECTOR_BYTES * 8 == 2 * TZ_REAL_BITS
    return __builtin_shufflevector(a[v & ~1], a[v & ~1], 0, 0);
#elif VECTOR_BYTES * 8 == 4 * TZ_REAL_BITS
    return __builtin_shufflevector(a[v], a[v], 0, 0, 0, 0);
#elif VECTOR_BYTES * 8 == 8 * TZ_REAL_BITS
    return __builtin_shufflevector(a[v], a[v], 0, 0, 0, 0, 4, 4, 4, 4);
#else
    return __builtin_shufflevector(a[v], a[v], 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
#endif
}

/* a with 0 for each p. */
FORCED numbers others_of(const numbers *a, int v) {
    const vector_mask member = (vector_places() + (whole)v * VECTOR_ELEMENTS) & (NUMBERS - 1);
    return (numbers)((vector_mask)a[v] & (member != P));
}

static inline number zero_number(int p, int parts) {
    (void)p, (void)parts;
    return 0;
}

FORCED void add(numbers *acc, const numbers *a, const int parts) {
    UNROLLED for (int v = 0; v < parts; v++) {
        acc[v] = numbers_watched(acc[v] + a[v], (vector_mask){0});
    }
}

/* Of a vector of one factor, whose p is p and other numbers are `others`, and b of the other
 * factor, whose p is q. */
FORCED numbers product(numbers q, numbers b, numbers p, numbers others) {
    const numbers ones = numbers_watched(p * b, (p != 0) & (b != 0));
    const numbers rest = numbers_watched(q * others, (q != 0) & (others != 0));
    return numbers_watched(ones + rest, (vector_mask){0});
}

FORCED void multiply(numbers *acc, const numbers *a, const int parts) {
    numbers made[NUMBERS];
    UNROLLED for (int v = 0; v < parts; v++) {
        made[v] = product(p_of(a, v), a[v], p_of(acc, v), others_of(acc, v));
    }
    memcpy(acc, made, sizeof made);
}

FORCED void add_product(numbers *acc, const numbers *given, const numbers *more, const int parts) {
    numbers a[NUMBERS], b[NUMBERS];
    UNROLLED for (int v = 0; v < parts; v++) {
        a[v] = given[v];
        b[v] = more[v];
        IN_REGISTER(a[v]);
        IN_REGISTER(b[v]);
    }
    UNROLLED for (int v = 0; v < parts; v++) {
        acc[v] += product(p_of(b, v), b[v], p_of(a, v), others_of(a, v));
        acc[v] = numbers_watched(acc[v], (vector_mask){0});
    }
}

#include "kernels/lean.h"

LEAN(4)

static const lean *lean_of(const tz_semiring *self) {
    (void)self;
    return &lean_of_4;
}

#include "kernels/lean_contract.h"

/* ---- Lifting -------------------------------------------------------------------------------- */

/* p times an expectation, of DOUBLES elements; *misfit: it leaves the range of numbers. */
FORCED fewer expected(fewer p, doubles x, masks *misfit) {
    const fewer ret = p * __builtin_convertvector(x, fewer);
    const doubles size = (doubles)((masks) __builtin_convertvector(ret, doubles) & INT64_MAX);
    const masks some = (__builtin_convertvector(p, doubles) != 0) & (x != 0);
    *misfit |= ~(size < SELECT(FLT_MAX, DBL_MAX)) | ((size < SELECT(FLT_MIN, DBL_MIN)) & some);
    return ret;
}

FORCED void lift_vectors(number *to, const tz_lifting *from, size_t at, unsigned chains, range *of,
                         masks *misfit) {
    doubles x[CHAINS], p[CHAINS];
    exp_scaled(from->score + at, from->shift + at, x, p, chains, of);
    to += at * NUMBERS;
    UNROLLED for (unsigned c = 0; c < chains; c++, to += DOUBLES * NUMBERS) {
        numbers all[NUMBERS] = {{0}};
        const fewer part = __builtin_convertvector(p[c], fewer);
        const masks possible = x[c] != -(double)INFINITY;
        const fewer score = expected(part, (doubles)((masks)x[c] & possible), misfit);
        memcpy(&all[P], &part, sizeof part);
        memcpy(&all[SCORE], &score, sizeof score);
        UNROLLED for (int i = 0; i < NUMBERS - COST; i++) {
            doubles given;
            if (from->input[i] == NULL)
                continue;
            memcpy(&given, from->input[i] + at + c * DOUBLES, sizeof given);
            const fewer sum = expected(part, (doubles)((masks)given & possible), misfit);
            memcpy(&all[COST + i], &sum, sizeof sum);
        }
        take_together(all, NUMBERS);
        memcpy(to, all, DOUBLES * NUMBERS * sizeof *to);
    }
}

DECLARE_ALL_LIFTS(NAME);

_Bool LIFTS(NAME, TZ_ISA)(const tz_semiring *self, void *ret, const tz_lifting *from, size_t n) {
    (void)self;
    range of = no_range();
    masks misfit = {0};
    size_t i = 0;
    for (; n - i >= CHAINS * DOUBLES; i += CHAINS * DOUBLES)
        lift_vectors(ret, from, i, CHAINS, &of, &misfit);
    for (; i < n; i += DOUBLES)
        lift_vectors(ret, from, i, 1, &of, &misfit);
    int64_t any = 0;
    for (int k = 0; k < DOUBLES; k++)
        any |= misfit[k];
    return range_fits(&of) && any == 0;
}

#ifdef TZ_DESCRIPTOR

static const real zero[NUMBERS], one[NUMBERS] = {1};

#include "semirings/narrow.h"

static void plus(const tz_semiring *self, void *ret, const void *a, const void *b) {
    const real *x = a, *y = b;
    real *to = ret;
    (void)self;
    for (int i = 0; i < NUMBERS; i++)
        to[i] = watched(x[i] + y[i], 0);
}

static void times(const tz_semiring *self, void *ret, const void *a, const void *b) {
    const real *x = a, *y = b, p = *x, q = *y;
    real *to = ret;
    (void)self;
    for (int i = NUMBERS - 1; i > P; i--)
        to[i] = watched(
            watched(p * y[i], p != 0 && y[i] != 0) + watched(q * x[i], q != 0 && x[i] != 0), 0);
    to[P] = watched(p * q, p != 0 && q != 0);
}

static _Bool star(const tz_semiring *self, void *ret, const void *a) {
    (void)self;
    const real *x = a;
    if (!(x[P] < 1))
        return 0;
    real *to = ret, once = 1 / (1 - x[P]), twice = watched(once * once, 1);
    for (int i = NUMBERS - 1; i > P; i--)
        to[i] = watched(twice * x[i], x[i] != 0);
    to[P] = once;
    return 1;
}

/* Pairs of a number in [1, 2), or its negative, and an exponent. */
static void widen(const tz_semiring *self, void *ret, const void *narrow, double exponent) {
    (void)self;
    const real *from = narrow;
    real *to = ret;
    for (int i = 0; i < NUMBERS; i++, to += 2) {
        int e;
        const double m = frexp((double)from[i], &e);
        to[0] = (real)(2 * m);
        to[1] = m == 0 ? -INFINITY : (real)(e - 1 + exponent);
    }
}

static const tz_kernels kernels = {
    .contract = CONTRACTS(NAME),
    .prepare = PREPARES(NAME),
    .lifts = ALL_LIFTS(NAME),
    .widen = widen,
    .exponent = exponent,
};

const tz_semiring DESCRIPTOR(NAME) = {
    .name = "entropy",
    .summary = "log partition function and expectations, scores of moderate range",
    .laws = TZ_COMMUTATIVE,
    .gives = TZ_GIVES_SCORE,
    .size = sizeof zero,
    .align = sizeof(real),
    .zero = zero,
    .one = one,
    .limit = REAL_LIMIT,
    .plus = plus,
    .times = times,
    .lift = lift,
    .value = value,
    .share = share,
    .star = star,
    .kernels = &kernels,
};

#endif
