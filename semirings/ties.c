/* ties.c - max-plus and counting: the score of the best derivation, and how many have it.
 *
 *   element  a score and a count      zero  -inf, 0      one  0, 1
 *   a + b    that of the greater score; where they tie, the score and the sum of the counts
 *   a * b    scores added, counts multiplied
 *   laws     commutative
 *
 * The lexicographic product of max and count. It is distributive because adding a score to two
 * others keeps their order and their ties; so it holds as far as scores add up without rounding, as
 * whole numbers do. Derivations tie where their rounded scores are equal. Counts are doubles, as
 * those of count.c: exact to 2^53. Goodman 1999, section 2; Gondran & Minoux 2008, chapter 1.
 * SPDX-License-Identifier: MIT */
#include <float.h>
#include <math.h>

#include <trapeze/semiring.h>

#include "kernels/real.h"
#define NAME ties

/* The score is a `real` in the room of a double, so that no byte of an element is left open. */
typedef struct element {
    double score, count;
} element;
static const element zero = {-INFINITY, 0}, one = {0, 1};

static inline double saturated(double a) {
    return a < DBL_MAX ? a : DBL_MAX;
}

static inline element sum(element a, element b) {
    if (a.score != b.score)
        return a.score > b.score ? a : b;
    return (element){a.score, saturated(a.count + b.count)};
}

static inline element product(element a, element b) {
    return (element){(real)a.score + (real)b.score, saturated(a.count * b.count)};
}

#include "kernels/block.h"

#ifdef TZ_DESCRIPTOR

/* -0.0 becomes 0.0. */
static void lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n) {
    (void)self;
    element *to = ret;
    for (size_t i = 0; i < n; i++)
        to[(ptrdiff_t)i * stride] = score[i] == -INFINITY ? zero : (element){(real)score[i] + 0, 1};
}

static double value(const tz_semiring *self, const void *a) {
    (void)self;
    return ((const element *)a)->score;
}

static size_t values(const tz_semiring *self, const void *a, double *ret) {
    (void)self;
    ret[0] = ((const element *)a)->score;
    ret[1] = ((const element *)a)->count;
    return 2;
}

/* Going round makes no derivation better, and none that is as good unless it costs nothing. */
static _Bool star(const tz_semiring *self, void *ret, const void *a) {
    (void)self;
    if (!(((const element *)a)->score < 0))
        return 0;
    *(element *)ret = one;
    return 1;
}

static const char *const number_name[] = {"score", "count"};

static const tz_kernels kernels = {
    .contract = CONTRACTS(NAME),
};

const tz_semiring DESCRIPTOR(NAME) = {
    .name = "ties",
    .summary = "score of the best derivation; how many derivations have it",
    .laws = TZ_COMMUTATIVE,
    .gives = TZ_GIVES_SCORE,
    .size = sizeof(element),
    .align = sizeof(double),
    .zero = &zero,
    .one = &one,
    .limit = REAL_LIMIT,
    .plus = plus,
    .times = times,
    .lift = lift,
    .value = value,
    .numbers = 2,
    .number_name = number_name,
    .values = values,
    .star = star,
    .kernels = &kernels,
};

#endif
