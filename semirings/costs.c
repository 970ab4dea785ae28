/* costs.c - costs(K): the scores of the K best derivations, and what each of them costs.
 *
 *   element  K pairs of a log score and a cost, best first: the greater score, then the lesser
 *            cost; {-inf, 0} where there are fewer
 *   zero     no pair                   one    {0, 0} alone
 *   a + b    the K best of both        a * b  the K best sums of one of each
 *   laws     commutative, exact; costs(1), the best score at the least cost, is idempotent as well
 *
 * kbest(K) over the lexicographic product of max-plus scores and min-plus costs, whose order sums
 * keep: as in ties.c, as far as they do not round. Costs may be negative; they are the input
 * "cost", 0 where it is not given. As in kbest.c, nothing can fail: what is being made stands on
 * the stack, hence LIMIT. Of two sorted lists only pairs (i, j) with (i+1)(j+1) <= K can be among
 * the K best. Goodman 1999, section 2.2; Gondran & Minoux 2008, chapter 1.
 * SPDX-License-Identifier: MIT */
#include <math.h>

#include <trapeze/semiring.h>

#include "kernels/real.h"
#define NAME costs

#ifdef TZ_DESCRIPTOR

#include <stdbool.h>
#include <string.h>

#include "maker.h"

enum { LIMIT = 256 /* of K: an element is 4 KB */ };

typedef struct pair {
    real score, cost;
} pair;

static const pair none = {-INFINITY, 0};

static size_t k_of(const tz_semiring *self) {
    return self->size / sizeof(pair);
}

static bool is_better(pair a, pair b) {
    return a.score != b.score ? a.score > b.score : a.cost < b.cost;
}

/* Into its place among to[0..k), whose last falls out; behind those that are as good. */
static void insert(pair *to, size_t k, pair p) {
    if (!is_better(p, to[k - 1]))
        return;
    size_t at = k - 1;
    for (; at > 0 && is_better(p, to[at - 1]); at--)
        to[at] = to[at - 1];
    to[at] = p;
}

static void plus(const tz_semiring *self, void *ret, const void *a, const void *b) {
    size_t k = k_of(self);
    pair sum[LIMIT];
    const pair *more = b;
    memcpy(sum, a, self->size);
    for (size_t i = 0; i < k && more[i].score > -INFINITY; i++)
        insert(sum, k, more[i]);
    memcpy(ret, sum, self->size);
}

static void times(const tz_semiring *self, void *ret, const void *a, const void *b) {
    size_t k = k_of(self);
    pair product[LIMIT];
    const pair *x = a, *y = b;
    memcpy(product, self->zero, self->size);
    for (size_t i = 0; i < k && x[i].score > -INFINITY; i++)
        for (size_t j = 0; (i + 1) * (j + 1) <= k && y[j].score > -INFINITY; j++)
            insert(product, k, (pair){x[i].score + y[j].score, x[i].cost + y[j].cost});
    memcpy(ret, product, self->size);
}

/* -0.0 becomes 0.0. */
static void lift_inputs(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                        const double *const *input, size_t n) {
    for (size_t i = 0; i < n; i++) {
        pair *to = (pair *)ret + (ptrdiff_t)i * stride * (ptrdiff_t)k_of(self);
        memcpy(to, self->zero, self->size);
        if (score[i] > -INFINITY)
            to[0] = (pair){(real)score[i] + 0, (real)input[0][i] + 0};
    }
}

static void lift(const tz_semiring *self, void *ret, ptrdiff_t stride, const double *score,
                 size_t n) {
    static const double nothing[1] = {0};
    const double *const absent[1] = {nothing};
    for (size_t i = 0; i < n; i++)
        lift_inputs(self, (pair *)ret + (ptrdiff_t)i * stride * (ptrdiff_t)k_of(self), 0, score + i,
                    absent, 1);
}

static double value(const tz_semiring *self, const void *a) {
    (void)self;
    return ((const pair *)a)->score;
}

static size_t values(const tz_semiring *self, const void *a, double *ret) {
    const pair *x = a;
    size_t count = 0;
    for (size_t i = 0; i < k_of(self) && x[i].score > -INFINITY; i++) {
        ret[count++] = x[i].score;
        ret[count++] = x[i].cost;
    }
    return count;
}

static const tz_input inputs[] = {{.name = "cost", .finite = 1}};

static tz_status make(const tz_semiring_argument *argument, tz_semiring **ret_semiring,
                      const char **ret_why) {
    const size_t k = argument[0].number;
    const pair first = {0, 0};
    if (k > LIMIT) {
        *ret_why = "K is 256 at most";
        return TZ_TOO_LARGE;
    }
    const tz_semiring of = {
        .summary = "scores of the K best derivations, and their costs",
        .laws = TZ_COMMUTATIVE | TZ_EXACT | (k == 1 ? TZ_IDEMPOTENT : 0),
        .gives = TZ_GIVES_SCORE,
        .align = sizeof(real),
        .limit = REAL_LIMIT,
        .plus = plus,
        .times = times,
        .lift = lift,
        .inputs = sizeof inputs / sizeof *inputs,
        .input = inputs,
        .lift_inputs = lift_inputs,
        .value = value,
        .numbers = 2 * k,
        .each = 2,
        .values = values,
    };
    *ret_semiring = tz_semiring_of_lists(&of, "costs", k, &none, &first, sizeof first);
    return *ret_semiring != NULL ? TZ_OK : TZ_NO_MEMORY;
}

const tz_semiring_maker MAKER(NAME) = {
    .name = "costs",
    .form = "costs(K)",
    .summary = "scores of the K best derivations, and their costs",
    .takes = "n",
    .make = make,
};

#endif
