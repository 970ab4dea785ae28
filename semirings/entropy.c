/* entropy.c - expectations over the distribution of derivations: entropy, cost, cross-entropy.
 *
 *   element  p = m * 2^e, as in log.c, and p times expectations over what p sums: of a
 *            derivation's score (less e ln 2), of its cost, and of its score in the input q
 *   zero     {0, -inf}, 0, 0, 0             one  {1, 0}, 0, 0, 0
 *   a + b    p + p', sums                   a * b  p p', p r' + p' r for expectations r
 *   laws     commutative
 *
 * The first-order expectation semiring (Eisner 2002, ACL; Li & Eisner 2009, EMNLP, section 3) for
 * three expectations at once. They share p's exponent, so they neither overflow nor underflow, and
 * a small p' is never lost to zero where it brings an infinite expectation along: a q of -infinity
 * stays one and becomes no NaN. The expected score is kept less the exponent's part of log p, which
 * it nearly cancels in the entropy log p - E[score]: that is as exact at log Z = 1e5 as at 0.
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include <trapeze/semiring.h>

#include "kernels/explog.h"
#include "kernels/real.h"
#define NAME entropy

/* m in [1, 2) or 0 */
#define FIELDS(type) type m, e, score, cost, other;

typedef struct element {
    FIELDS(real)
} element;

static const element zero = {.m = 0, .e = -INFINITY}, one = {.m = 1, .e = 0};

#define LN2 ((real)LN2_HIGH)

/* m in [1, 4) or 0. Adding 0 turns -0.0 into 0.0. */
static inline element normal(element a) {
    if (a.m >= 2) {
        a.m *= (real)0.5;
        a.e += 1;
        a.score = a.score * (real)0.5 - a.m * LN2;
        a.cost = a.cost * (real)0.5 + 0;
        a.other = a.other * (real)0.5 + 0;
    }
    return a;
}

static inline element sum(element a, element b) {
    element large = b.e > a.e ? b : a, small = b.e > a.e ? a : b;
    real shift = small.e - large.e;    /* NaN where both are zero */
    shift = shift > -64 ? shift : -64; /* below, small is lost in rounding */
    real power = power_of_two(shift);
    return normal((element){
        .m = large.m + small.m * power,
        .e = large.e,
        .score = large.score + (small.score + small.m * (shift * LN2)) * power,
        .cost = large.cost + small.cost * power,
        .other = large.other + small.other * power,
    });
}

static inline element product(element a, element b) {
    element ret = {
        .m = a.m * b.m,
        .e = a.e + b.e,
        .score = a.m * b.score + b.m * a.score,
        .cost = a.m * b.cost + b.m * a.cost,
        .other = a.m * b.other + b.m * a.other, /* NaN where 0 meets -infinity */
    };
    return ret.m == 0 ? zero : normal(ret);
}

#define HAS_VECTORS
#define BUNDLES 0
#define PARTS   5
typedef real number;
#include "kernels/tuple.h"

#include "kernels/powers.h"

/* Those above, of vectors. */

FORCED vector vector_normal(vector a) {
    const vector_mask large = a.m >= 2;
    const numbers half = numbers_pick(large, numbers_of((real)0.5), numbers_of(1));
    a.m *= half;
    a.e += (numbers)((vector_mask)numbers_of(1) & large);
    a.score = a.score * half - (numbers)((vector_mask)(a.m * LN2) & large);
    a.cost = a.cost * half + 0;
    a.other = a.other * half + 0;
    return a;
}

/* Whichever is smaller is scaled, and the other by 1. */
FORCED vector vector_sum(vector a, vector b) {
    const numbers e = numbers_larger(b.e, a.e), least = numbers_of(-64);
    const numbers from = numbers_larger(a.e - e, least), to = numbers_larger(b.e - e, least);
    const numbers p = numbers_scaled(numbers_of(1), from), q = numbers_scaled(numbers_of(1), to);
    return vector_normal((vector){
        .m = a.m * p + b.m * q,
        .e = e,
        .score = (a.score + a.m * (from * LN2)) * p + (b.score + b.m * (to * LN2)) * q,
        .cost = a.cost * p + b.cost * q,
        .other = a.other * p + b.other * q,
    });
}

FORCED vector vector_product(vector a, vector b) {
    const vector ret = {
        .m = a.m * b.m,
        .e = a.e + b.e,
        .score = a.m * b.score + b.m * a.score,
        .cost = a.m * b.cost + b.m * a.cost,
        .other = a.m * b.other + b.m * a.other,
    };
    return vector_pick(ret.m == 0, vector_of(zero), vector_normal(ret));
}

#include "kernels/block.h"

#ifdef TZ_DESCRIPTOR

enum { COST, OTHER, INPUTS };

static const tz_input inputs[INPUTS] = {
    [COST] = {.name = "cost", .finite = 1},
    [OTHER] = {.name = "q"},
};

static void lift_inputs(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                        const double *const *input, size_t n) {
    (void)self;
    element *to = ret;
    for (size_t i = 0; i < n; i++, to += stride) {
        if (score[i] == -INFINITY) {
            *to = zero;
            continue;
        }
        real e, m = (real)exp_split(score[i], &e);
        to->m = m < 1 ? m * 2 : m;
        to->e = m < 1 ? e - 1 : e;
        to->score = to->m * (real)log_joined((double)to->m, 0);
        to->cost = to->m * (real)input[COST][i] + 0;
        to->other = to->m * (real)input[OTHER][i] + 0;
    }
}

static void lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n) {
    static const double none[1] = {0};
    const double *const absent[INPUTS] = {none, none};
    for (size_t i = 0; i < n; i++)
        lift_inputs(self, (element *)ret + (ptrdiff_t)i * stride, 0, score + i, absent, 1);
}

static double value(const tz_semiring *self, const void *a) {
    (void)self;
    const element *x = a;
    return x->m == 0 ? -INFINITY : log_joined((double)x->m, (double)x->e);
}

static size_t values(const tz_semiring *self, const void *a, double *ret) {
    const element *x = a;
    double m = (double)x->m;
    ret[0] = value(self, a);
    ret[1] = ret[2] = ret[3] = 0;
    if (m > 0) {
        double entropy = log_joined(m, 0) - (double)x->score / m;
        ret[1] = entropy > 0 ? entropy : 0; /* but for rounding it is */
        ret[2] = (double)x->cost / m;
        ret[3] = (double)x->other / m;
    }
    return 4;
}

/* As that of log. */
static double share(const tz_semiring *self, const void *part, const void *whole) {
    (void)self;
    const element *p = part, *w = whole;
    double shift = (double)p->e - (double)w->e, ratio = (double)p->m / (double)w->m;
    return scaled_f64(ratio, shift);
}

/* 1 / (1 - p), and its derivative times each sum. */
static _Bool star(const tz_semiring *self, void *ret, const void *a) {
    (void)self;
    element x = *(const element *)a;
    if (!(x.e < 0))
        return 0;
    real shift = x.e > -64 ? x.e : -64; /* below, it is nothing beside 1 */
    real power = power_of_two(shift), k, inverse = 1 / (1 - x.m * power);
    element *to = ret;
    to->m = split_normal(inverse, &k);
    to->e = k;
    /* All times 2^-k, so that m is; the scores of these sums are less k log 2. */
    real by = to->m * inverse * power;
    to->score = by * (x.score + x.m * (shift * LN2)) - to->m * (k * LN2);
    to->cost = by * x.cost + 0;
    to->other = by * x.other + 0;
    return 1;
}

static const char *const number_name[] = {"log_z", "entropy", "cost", "q"};

static double largest(const tz_semiring *self, const void *a, ptrdiff_t stride, size_t n) {
    (void)self;
    const element *from = a;
    real most = -INFINITY;
    for (size_t i = 0; i < n; i++, from += stride)
        most = from->e > most ? from->e : most;
    return (double)most * LN2_HIGH;
}

static const tz_kernels kernels = {
    .contract = CONTRACTS(NAME),
    .placed = 1,
    .prepare = PREPARES(NAME),
};

const tz_semiring DESCRIPTOR(NAME) = {
    .name = "entropy",
    .summary = "log partition function; entropy, expected cost, expected score in q",
    .laws = TZ_COMMUTATIVE,
    .gives = TZ_GIVES_SCORE,
    .size = sizeof(element),
    .align = sizeof(real),
    .zero = &zero,
    .one = &one,
    .limit = REAL_LIMIT,
    .plus = plus,
    .times = times,
    .lift = lift,
    .inputs = INPUTS,
    .input = inputs,
    .lift_inputs = lift_inputs,
    .value = value,
    .numbers = 4,
    .number_name = number_name,
    .values = values,
    .share = share,
    .star = star,
    .exact = EXACT,
    .largest = largest,
    .kernels = &kernels,
};

#endif
