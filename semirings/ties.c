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
#define FIELDS(type) type score, count;

typedef struct element {
    FIELDS(double)
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

#define HAS_VECTORS
#define BUNDLES     0
#define PARTS       2
#define NUMBER_BITS 64
typedef double number;
#include "kernels/picks.h"
#include "kernels/tuple.h"

/* Those above, of vectors. */

static inline numbers rounded(numbers a) {
    typedef real reals __attribute__((vector_size(VECTOR_ELEMENTS * sizeof(real))));
    return __builtin_convertvector(__builtin_convertvector(a, reals), numbers);
}

static inline numbers numbers_saturated(numbers a) {
    return numbers_smaller(a, numbers_of(DBL_MAX));
}

static inline vector vector_sum(vector a, vector b) {
    const numbers larger = numbers_chosen(is_larger(a.score, b.score), a.count, b.count);
    return (vector){
        .score = numbers_larger(b.score, a.score),
        .count = numbers_chosen(is_equal(a.score, b.score), numbers_saturated(a.count + b.count),
                                larger),
    };
}

static inline vector vector_product(vector a, vector b) {
    return (vector){rounded(a.score + b.score), numbers_saturated(a.count * b.count)};
}

#include "kernels/block.h"

/* -0.0 becomes 0.0. */
static inline element lifted(double score) {
    return score == -INFINITY ? zero : (element){(real)score + 0, 1};
}

#include "kernels/lift.h"

#ifdef TZ_DESCRIPTOR

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
    .placed = 1,
    .prepare = PREPARES(NAME),
    .lifts = ALL_LIFTS(NAME),
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
