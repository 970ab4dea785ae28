/* required.c - required(BASE): the derivations that use a cell of each required fact, in BASE.
 *
 *   element  a x^d: the leading term of a polynomial in x; a of BASE
 *   zero     0 x^-inf          one  1 x^0
 *   a + b    the term of higher degree; where the degrees are equal, their sum in BASE
 *   a * b    product in BASE, degrees added
 *   laws     those of BASE
 *
 * x is larger than any number. The engine multiplies the element of every required cell by x; with
 * at most one use for each fact (which it checks), a derivation's degree is the number of facts it
 * agrees with, and the goal's coefficient of x^(number of facts) is the sum over those that agree
 * with all of them. Degrees are exact as far as they matter, and -inf is zero's.
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include <trapeze/kernel.h>

#include "kernels/explog.h"
#include "kernels/real.h"
#define NAME required

/* ---- Vectors of degrees and elements of max or log --------------------------------------------
 * Of max an element is 2 numbers; of log, whose elements are pairs, 4, of which the last is 0. */

typedef struct element {
    real m, e;
} element;
static const element zero = {0, -INFINITY};

#include "kernels/pairs.h"
#include "kernels/picks.h"

enum { OF_MAX = 2, OF_LOG = 4 };

static inline number zero_number(int p, int parts) {
    return p == 0 || p == (parts == OF_MAX ? 1 : 2) ? -INFINITY : 0;
}

FORCED void add(numbers *acc, const numbers *a, const int parts) {
    const picks larger = is_larger(acc[0], a[0]), same = is_equal(acc[0], a[0]);
    const vector sum = parts == OF_MAX ? (vector){.m = numbers_larger(acc[1], a[1])}
                                       : vector_sum((vector){acc[1], acc[2]}, (vector){a[1], a[2]});
    acc[0] = numbers_larger(acc[0], a[0]);
    acc[1] = numbers_chosen(same, sum.m, numbers_chosen(larger, acc[1], a[1]));
    if (parts == OF_LOG)
        acc[2] = numbers_chosen(same, sum.e, numbers_chosen(larger, acc[2], a[2]));
}

FORCED void multiply(numbers *acc, const numbers *a, const int parts) {
    acc[0] += a[0]; /* of a product that is zero, -inf */
    if (parts == OF_MAX) {
        acc[1] += a[1];
        return;
    }
    const vector product = vector_product((vector){acc[1], acc[2]}, (vector){a[1], a[2]});
    acc[1] = product.m;
    acc[2] = product.e;
}

FORCED void add_product(numbers *acc, const numbers *a, const numbers *b, const int parts) {
    numbers product[OF_LOG];
    UNROLLED for (int p = 0; p < parts; p++) {
        product[p] = a[p];
    }
    multiply(product, b, parts);
    add(acc, product, parts);
}

#include "kernels/lean.h"

LEAN(2)
LEAN(4)

static const lean *lean_of(const tz_semiring *self) {
    return self->size == OF_MAX * sizeof(real) ? &lean_of_2 : &lean_of_4;
}

#include "kernels/lean_contract.h"

/* ---- Lifting -------------------------------------------------------------------------------- */

DECLARE_ALL_LIFTS(NAME);
DECLARE_ALL_LIFTS(log);

/* Coefficients are lifted so many at a time. */
enum { SEVERAL = 64 };

_Bool LIFTS(NAME, TZ_ISA)(const tz_semiring *self, void *ret, const tz_lifting *from, size_t n) {
    const double *score = from->score;
    real *to = ret;
    if (self->size == OF_MAX * sizeof(real)) {
        for (size_t i = 0; i < n; i++) {
            to[2 * i] = score[i] == -INFINITY ? -INFINITY : 0;
            to[2 * i + 1] = (real)score[i] + 0;
        }
        return 1;
    }
    for (size_t done = 0, count; done < n; done += count) {
        element lifted[SEVERAL];
        count = n - done < SEVERAL ? n - done : SEVERAL;
        LIFTS(log, TZ_ISA)(self, lifted, &(tz_lifting){.score = score + done}, count);
        for (size_t i = 0; i < count; i++, to += OF_LOG) {
            to[0] = lifted[i].m == 0 ? -INFINITY : 0;
            to[1] = lifted[i].m;
            to[2] = lifted[i].e;
            to[3] = 0;
        }
    }
    return 1;
}

#ifdef TZ_DESCRIPTOR

#include <stdint.h>

#include "maker.h"

extern const tz_semiring DESCRIPTOR(max), DESCRIPTOR(log);
DECLARE_CONTRACTS(required_narrow);
DECLARE_PREPARES(required_narrow);
DECLARE_ALL_LIFTS(required_narrow);

#define SUMMARY "BASE over the derivations that agree with required facts"

typedef struct required {
    tz_semiring semiring;
    const tz_semiring *base;
    size_t at; /* where the coefficient stands in an element, after the degree */
} required;

/* What is made, followed by zero and one of both, and the name. */
typedef struct pair {
    required wide, narrow; /* narrow: of log alone */
    tz_kernels kernels;    /* of wide */
} pair;

static const required *of(const tz_semiring *self) {
    return (const required *)self;
}

static real degree(const void *a) {
    real d;
    memcpy(&d, a, sizeof d);
    return d;
}

static void *coefficient_of(const tz_semiring *self, const void *a) {
    return (char *)a + of(self)->at;
}

/* Writes the degree of an element whose coefficient is there, and zeros after the coefficient:
 * elements are compared byte by byte. */
static void finish(const tz_semiring *self, void *ret, real d) {
    const tz_semiring *base = of(self)->base;
    char *end = (char *)coefficient_of(self, ret) + base->size;
    memset(end, 0, (size_t)((char *)ret + self->size - end));
    if (memcmp(coefficient_of(self, ret), base->zero, base->size) == 0)
        d = -INFINITY;
    memcpy(ret, &d, sizeof d);
}

static void plus(const tz_semiring *self, void *ret, const void *a, const void *b) {
    const tz_semiring *base = of(self)->base;
    real x = degree(a), y = degree(b);
    if (x != y) {
        memmove(ret, x > y ? a : b, self->size);
        return;
    }
    base->plus(base, coefficient_of(self, ret), coefficient_of(self, a), coefficient_of(self, b));
    finish(self, ret, x);
}

static void times(const tz_semiring *self, void *ret, const void *a, const void *b) {
    const tz_semiring *base = of(self)->base;
    real d = degree(a) + degree(b);
    base->times(base, coefficient_of(self, ret), coefficient_of(self, a), coefficient_of(self, b));
    finish(self, ret, d);
}

/* How far apart coefficients are whose elements are a stride apart; 0: no whole number of BASE's.
 */
static ptrdiff_t stride_in_base(const tz_semiring *self, ptrdiff_t stride) {
    const tz_semiring *base = of(self)->base;
    return self->size % base->size == 0 ? stride * (ptrdiff_t)(self->size / base->size) : 0;
}

static void lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n) {
    const tz_semiring *base = of(self)->base;
    char *to = ret;
    for (size_t i = 0; i < n; i++, to += stride * (ptrdiff_t)self->size) {
        base->lift(base, coefficient_of(self, to), 1, &score[i], 1);
        finish(self, to, 0);
    }
}

static void lift_inputs(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                        const double *const *input, size_t n) {
    const tz_semiring *base = of(self)->base;
    for (size_t i = 0; i < n; i++) {
        const double *given[TZ_MAX_INPUTS];
        char *to = (char *)ret + (ptrdiff_t)i * stride * (ptrdiff_t)self->size;
        for (size_t k = 0; k < base->inputs; k++)
            given[k] = input[k] + i;
        memcpy(to, self->one, self->size);
        base->lift_inputs(base, coefficient_of(self, to), 1, &score[i], given, 1);
        finish(self, to, 0);
    }
}

static double value(const tz_semiring *self, const void *a) {
    const tz_semiring *base = of(self)->base;
    return base->value(base, coefficient_of(self, a));
}

static size_t values(const tz_semiring *self, const void *a, double *ret) {
    const tz_semiring *base = of(self)->base;
    return base->values(base, coefficient_of(self, a), ret);
}

static double share(const tz_semiring *self, const void *part, const void *whole) {
    const tz_semiring *base = of(self)->base;
    if (degree(part) < degree(whole))
        return 0;
    return base->share(base, coefficient_of(self, part), coefficient_of(self, whole));
}

static double largest(const tz_semiring *self, const void *a, ptrdiff_t stride, size_t n) {
    const tz_semiring *base = of(self)->base;
    const ptrdiff_t apart = stride_in_base(self, stride);
    double most = -INFINITY;
    if (apart != 0)
        return base->largest(base, coefficient_of(self, a), apart, n);
    for (size_t i = 0; i < n; i++) {
        const char *at = (const char *)a + (ptrdiff_t)i * stride * (ptrdiff_t)self->size;
        most = fmax(most, base->largest(base, coefficient_of(self, at), 1, 1));
    }
    return most;
}

static void mark(const tz_semiring *self, void *a) {
    (void)self;
    real d = degree(a) + 1;
    memcpy(a, &d, sizeof d);
}

static void coefficient(const tz_semiring *self, void *ret, const void *a, size_t power) {
    if (degree(a) != (real)power) {
        memcpy(ret, self->zero, self->size);
        return;
    }
    memmove(ret, a, self->size);
    finish(self, ret, 0);
}

static double exponent(const tz_semiring *self, const void *narrow) {
    const tz_semiring *base = of(self)->base;
    return base->kernels->exponent(base, coefficient_of(self, narrow));
}

static void widen(const tz_semiring *self, void *ret, const void *narrow, double exponent) {
    const tz_semiring *base = of(self)->base;
    real *to = ret;
    to[0] = degree(narrow);
    base->kernels->widen(base, to + 1, coefficient_of(self, narrow), exponent);
    to[OF_LOG - 1] = 0;
}

static const tz_kernels kernels = {
    .contract = CONTRACTS(NAME),
    .prepare = PREPARES(NAME),
    .lifts = ALL_LIFTS(NAME),
};
/* Of degrees and elements of log_narrow.c: required_narrow.c. */
static const tz_kernels narrow_kernels = {
    .contract = CONTRACTS(required_narrow),
    .prepare = PREPARES(required_narrow),
    .lifts = ALL_LIFTS(required_narrow),
    .widen = widen,
    .exponent = exponent,
};

/* Fills it in, zero and one in `room` for elements of the size; opt_kernels: faster ways. */
static void describe(required *r, const tz_semiring *base, size_t at, size_t align, size_t size,
                     char *room, const char *name, const tz_kernels *opt_kernels) {
    r->base = base;
    r->at = at;
    r->semiring = (tz_semiring){
        .name = name,
        .summary = SUMMARY,
        .laws = base->laws,
        .gives = base->gives,
        .size = size,
        .align = align,
        .zero = room,
        .one = room + size,
        .limit = base->limit,
        .plus = plus,
        .times = times,
        .lift = lift,
        .value = value,
        .share = base->share != NULL ? share : NULL,
        .inputs = base->inputs,
        .input = base->input,
        .lift_inputs = base->inputs > 0 ? lift_inputs : NULL,
        .numbers = base->numbers,
        .each = base->each,
        .number_name = base->number_name,
        .values = base->values != NULL ? values : NULL,
        .relative = base->relative,
        .mark = mark,
        .coefficient = coefficient,
        .exact = base->exact,
        .largest = base->largest != NULL ? largest : NULL,
        .kernels = opt_kernels,
    };
    memcpy(room + at, base->zero, base->size);
    memcpy(room + size + at, base->one, base->size);
    finish(&r->semiring, room, 0);
    finish(&r->semiring, room + size, 0);
}

static tz_status make(const tz_semiring_argument *argument, tz_semiring **ret_semiring,
                      const char **ret_why) {
    static const char format[] = "required(%s)";
    tz_semiring *base = argument[0].semiring;
    if (base->mark != NULL) {
        *ret_why = "its part requires cells already: one required(...) sees to all facts";
        return TZ_LAW;
    }
    const _Bool of_max = base->plus == DESCRIPTOR(max).plus;
    const _Bool of_log = base->plus == DESCRIPTOR(log).plus;
    size_t align = base->align > sizeof(real) ? base->align : sizeof(real);
    size_t at = of_log ? sizeof(real) : align, size = (at + base->size + align - 1) / align * align;
    size = of_log ? OF_LOG * sizeof(real) : size;
    size_t head = (sizeof(pair) + align - 1) / align * align;
    size_t name_size = strlen(base->name) + sizeof format;
    const size_t narrow = of_log ? 2 * sizeof(real) : 0;
    pair *p = size < SIZE_MAX / 8 ? calloc(1, head + 2 * (size + narrow) + name_size) : NULL;
    if (p == NULL)
        return TZ_NO_MEMORY;
    char *room = (char *)p + head, *narrow_room = room + 2 * size, *name = narrow_room + 2 * narrow;
    snprintf(name, name_size, format, base->name);
    describe(&p->wide, base, at, align, size, room, name, of_max || of_log ? &p->kernels : NULL);
    p->wide.semiring.part = base;
    p->kernels = kernels;
    if (of_log) {
        describe(&p->narrow, base->kernels->narrow, sizeof(real), sizeof(real), narrow, narrow_room,
                 name, &narrow_kernels);
        p->kernels.narrow = &p->narrow.semiring;
    }
    *ret_semiring = &p->wide.semiring;
    return TZ_OK;
}

const tz_semiring_maker MAKER(NAME) = {
    .name = "required",
    .form = "required(BASE)",
    .summary = SUMMARY,
    .takes = "s",
    .make = make,
};

#endif
