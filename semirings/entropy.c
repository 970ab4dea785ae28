/* entropy.c - expectations over the distribution of derivations: entropy, cost, cross-entropy.
 *
 *   element    p, and p times expectations over what p sums: of a derivation's score, of its cost,
 *              and of its score in the input q; each m * 2^e, as the elements of log.c are
 *   zero       0, 0, 0, 0                      one    1, 0, 0, 0
 *   a + b      sums                            a * b  p p', p r' + p' r for expectations r
 *   a + b * c  products of a number each are added with one rounding: p' r first
 *   laws       commutative
 *
 * The first-order expectation semiring (Eisner 2002, ACL; Li & Eisner 2009, EMNLP, section 3) for
 * three expectations at once. Nothing overflows or underflows: it is what the engine falls back on
 * where the plain numbers of entropy_narrow.c do. A q of -infinity is a number far below all
 * others, of which no zero makes a NaN; there are no narrow ones so small.
 *
 * The entropy is log p - E[score]; so that not all of it cancels, the engine takes scores less what
 * all derivations have in common (tz_semiring.relative). SPDX-License-Identifier: MIT */
#include <math.h>

#include <trapeze/kernel.h>

#include "kernels/explog.h"
#include "kernels/real.h"
#define NAME entropy

/* One of an element's numbers. */
typedef struct element {
    real m, e;
} element;
static const element zero = {0, -INFINITY};

#include "kernels/pairs.h"

enum { P, SCORE, COST, OTHER, NUMBERS };
/* Exponent of what stands for infinity; and of what is surely made of it. */
static const real infinite __attribute__((unused)) = 0x1p50,
                           surely __attribute__((unused)) = 0x1p40;

static inline number zero_number(int p, int parts) {
    (void)parts;
    return p % 2 == 0 ? 0 : -INFINITY;
}

/* A vector of elements is one of each number's m and e. */
FORCED vector number_of(const numbers *a, int n) {
    return (vector){a[2 * n], a[2 * n + 1]};
}

FORCED void set_number(numbers *a, int n, vector to) {
    a[2 * n] = to.m;
    a[2 * n + 1] = to.e;
}

FORCED void add(numbers *acc, const numbers *a, const int parts) {
    (void)parts;
    UNROLLED for (int n = 0; n < NUMBERS; n++) {
        set_number(acc, n, vector_sum(number_of(acc, n), number_of(a, n)));
    }
}

FORCED void product_of(numbers *ret, const numbers *a, const numbers *b) {
    const vector p = number_of(a, P), q = number_of(b, P);
    UNROLLED for (int n = P + 1; n < NUMBERS; n++) {
        const vector ones = vector_product(p, number_of(b, n));
        set_number(ret, n, vector_sum(ones, vector_product(q, number_of(a, n))));
    }
    set_number(ret, P, vector_product(p, q));
}

FORCED void multiply(numbers *acc, const numbers *a, const int parts) {
    (void)parts;
    product_of(acc, acc, a);
}

FORCED void add_product(numbers *acc, const numbers *a, const numbers *b, const int parts) {
    numbers made[2 * NUMBERS];
    product_of(made, a, b);
    add(acc, made, parts);
}

#include "kernels/lean.h"

LEAN(8)

static const lean *lean_of(const tz_semiring *self) {
    (void)self;
    return &lean_of_8;
}

#include "kernels/lean_contract.h"

#ifdef TZ_DESCRIPTOR

typedef struct expectations {
    element of[NUMBERS];
} expectations;

static const expectations nothing =
                              {{{0, -INFINITY}, {0, -INFINITY}, {0, -INFINITY}, {0, -INFINITY}}},
                          unit = {{{1, 0}, {0, -INFINITY}, {0, -INFINITY}, {0, -INFINITY}}};

static void plus(const tz_semiring *self, void *ret, const void *a, const void *b) {
    const expectations *x = a, *y = b;
    (void)self;
    for (int n = 0; n < NUMBERS; n++)
        ((expectations *)ret)->of[n] = sum(x->of[n], y->of[n]);
}

static void times(const tz_semiring *self, void *ret, const void *a, const void *b) {
    const expectations *x = a, *y = b;
    expectations made;
    (void)self;
    made.of[P] = product(x->of[P], y->of[P]);
    for (int n = P + 1; n < NUMBERS; n++)
        made.of[n] = sum(product(x->of[P], y->of[n]), product(y->of[P], x->of[n]));
    *(expectations *)ret = made;
}

enum { INPUTS = NUMBERS - COST };

static const tz_input inputs[INPUTS] = {{.name = "cost", .finite = 1}, {.name = "q"}};

/* p times a number. */
static element expected(element p, double x) {
    int e;
    if (x == -INFINITY)
        return (element){-1, infinite};
    const double m = frexp((double)(real)x, &e);
    return m == 0 ? zero : normal(p.m * (real)(2 * m), p.e + (real)(e - 1));
}

static void lift_inputs(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                        const double *const *input, size_t n) {
    (void)self;
    expectations *to = ret;
    for (size_t i = 0; i < n; i++, to += stride) {
        *to = nothing;
        if (score[i] == -INFINITY)
            continue;
        real e, m = (real)exp_split(score[i], &e);
        const element p = m < 1 ? (element){m * 2, e - 1} : (element){m, e};
        to->of[P] = p;
        to->of[SCORE] = expected(p, score[i]);
        for (int k = 0; k < INPUTS; k++)
            to->of[COST + k] = expected(p, input[k][i]);
    }
}

static void lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n) {
    static const double none[1] = {0};
    const double *const absent[INPUTS] = {none, none};
    for (size_t i = 0; i < n; i++)
        lift_inputs(self, (expectations *)ret + (ptrdiff_t)i * stride, 0, score + i, absent, 1);
}

static double value(const tz_semiring *self, const void *a) {
    (void)self;
    const element *p = a;
    return p->m == 0 ? -INFINITY : log_joined((double)p->m, (double)p->e);
}

/* part / whole, down to the smallest number there is; see log.c. */
static double quotient(element part, element whole) {
    const double shift = (double)part.e - (double)whole.e;
    return scaled_f64((double)part.m / (double)whole.m, shift);
}

static size_t values(const tz_semiring *self, const void *a, double *ret) {
    const expectations *x = a;
    const element p = x->of[P], other = x->of[OTHER];
    ret[0] = value(self, a);
    ret[1] = ret[2] = ret[3] = 0;
    if (p.m > 0) {
        const double entropy = ret[0] - quotient(x->of[SCORE], p);
        ret[1] = entropy > 0 ? entropy : 0; /* but for rounding it is */
        ret[2] = quotient(x->of[COST], p) + 0;
        ret[3] = other.e - p.e > surely ? -INFINITY : quotient(other, p) + 0;
    }
    return 4;
}

static double share(const tz_semiring *self, const void *part, const void *whole) {
    (void)self;
    return quotient(*(const element *)part, *(const element *)whole);
}

/* 1 / (1 - p), and its derivative times each sum. */
static _Bool star(const tz_semiring *self, void *ret, const void *a) {
    (void)self;
    expectations *to = ret;
    const expectations x = *(const expectations *)a;
    if (!(x.of[P].e < 0))
        return 0;
    const real shift = x.of[P].e > -64 ? x.of[P].e : -64; /* below, it is nothing beside 1 */
    const element once = normal(1 / (1 - x.of[P].m * power_of_two(shift)), 0);
    const element twice = product(once, once);
    to->of[P] = once;
    for (int n = P + 1; n < NUMBERS; n++)
        to->of[n] = product(twice, x.of[n]);
    return 1;
}

static const char *const number_name[] = {"log_z", "entropy", "cost", "q"};

static double largest(const tz_semiring *self, const void *a, ptrdiff_t stride, size_t n) {
    (void)self;
    const expectations *from = a;
    real most = -INFINITY;
    for (size_t i = 0; i < n; i++, from += stride)
        most = from->of[P].e > most ? from->of[P].e : most;
    return (double)most * LN2_HIGH;
}

extern const tz_semiring DESCRIPTOR(entropy_narrow);

static const tz_kernels kernels = {
    .contract = CONTRACTS(NAME),
    .prepare = PREPARES(NAME),
    .narrow = &DESCRIPTOR(entropy_narrow),
};

const tz_semiring DESCRIPTOR(NAME) = {
    .name = "entropy",
    .summary = "log partition function; entropy, expected cost, expected score in q",
    .laws = TZ_COMMUTATIVE,
    .gives = TZ_GIVES_SCORE,
    .size = sizeof(expectations),
    .align = sizeof(real),
    .zero = &nothing,
    .one = &unit,
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
    .relative = 1,
    .share = share,
    .star = star,
    .exact = EXACT,
    .largest = largest,
    .kernels = &kernels,
};

#endif
