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

#include <trapeze/kernel.h>

#include "kernels/real.h"
#define NAME costs

/* ---- Vectors of short lists ------------------------------------------------------------------
 * As those of kbest.c, of scores and costs in turn; but a pair is inserted alone, since a row of
 * them is out of order where scores that differ are rounded to the same. */

typedef real number;
#include "kernels/numbers.h"
#include "kernels/picks.h"

enum { SHORT = 16 };

/* A vector of lists: K scores, each with its cost. */
FORCED picks is_better_pair(numbers score, numbers cost, const numbers *than) {
    return is_larger(score, than[0]) | is_larger_of(is_equal(score, than[0]), than[1], cost);
}

/* The better pair, and what falls out. */
FORCED void exchange(numbers *of, numbers *score, numbers *cost) {
    const picks better = is_better_pair(*score, *cost, of);
    const numbers larger = numbers_larger(*score, of[0]);
    const numbers first = numbers_chosen(better, *cost, of[1]);
    *score = numbers_smaller(*score, of[0]);
    *cost = numbers_chosen(better, of[1], *cost);
    of[0] = larger;
    of[1] = first;
}

/* The better pair. */
FORCED void keep_better(numbers *of, const numbers *pair) {
    const picks better = is_better_pair(pair[0], pair[1], of);
    of[0] = numbers_larger(pair[0], of[0]);
    of[1] = numbers_chosen(better, pair[1], of[1]);
}

__attribute__((noinline)) static void insert_among(numbers *acc, numbers score, numbers cost,
                                                   int parts) {
    for (int i = 0; i < parts; i += 2)
        exchange(acc + i, &score, &cost);
}

/* Into its place among acc, whose last pair falls out. */
FORCED void insert_pair(numbers *acc, numbers score, numbers cost, const int parts) {
    numbers pair[2] = {score, cost};
    if (parts <= 8) {
        UNROLLED for (int i = 0; i + 2 < parts; i += 2) {
            exchange(acc + i, &pair[0], &pair[1]);
        }
        keep_better(acc + parts - 2, pair);
    } else if (is_any(is_better_pair(score, cost, acc + parts - 2))) {
        insert_among(acc, score, cost, parts);
    }
}

static inline number zero_number(int p, int parts) {
    (void)parts;
    return p % 2 == 0 ? -INFINITY : 0;
}

FORCED void add(numbers *acc, const numbers *a, const int parts) {
    if (parts != 4) {
        UNROLLED for (int i = 0; i < parts; i += 2) {
            insert_pair(acc, a[i], a[i + 1], parts);
        }
        return;
    }
    /* The first of both, then the best of what that leaves. */
    numbers first[2] = {a[0], a[1]};
    exchange(acc, &first[0], &first[1]);
    keep_better(acc + 2, a + 2);
    keep_better(acc + 2, first);
}

/* A pair of each; it costs nothing where there is none. */
FORCED void join(numbers *score, numbers *cost, const numbers *a, const numbers *b) {
    *score = a[0] + b[0];
    const picks some = is_larger(*score, numbers_of(-INFINITY));
    *cost = numbers_chosen(some, a[1] + b[1], (numbers){0});
}

/* Those products that may be among the K best. */
FORCED void add_pairs(numbers *acc, const numbers *a, const numbers *b, const int parts) {
    const int k = parts / 2;
    UNROLLED for (int i = 0; i < k; i++) {
        UNROLLED for (int j = 0; j < k / (i + 1); j++) {
            numbers score, cost;
            join(&score, &cost, a + 2 * i, b + 2 * j);
            insert_pair(acc, score, cost, parts);
        }
    }
}

FORCED void product(numbers *ret, const numbers *a, const numbers *b, const int parts) {
    UNROLLED for (int p = 0; p < parts; p++) {
        ret[p] = numbers_of(zero_number(p, parts));
    }
    add_pairs(ret, a, b, parts);
}

/* Lists of two. Scores that are rounded to the same may leave the first sum behind another one. */
FORCED void add_product_of_two(numbers *acc, const numbers *a, const numbers *b) {
    numbers first[2], second[2], third[2];
    join(&first[0], &first[1], a, b);
    join(&second[0], &second[1], a, b + 2);
    join(&third[0], &third[1], a + 2, b);
    keep_better(second, third);
    if (__builtin_expect(is_any(is_better_pair(second[0], second[1], first)), 0)) {
        add_pairs(acc, a, b, 4);
        return;
    }
    exchange(acc, &first[0], &first[1]);
    keep_better(first, second);
    keep_better(acc + 2, first);
}

FORCED void add_product(numbers *acc, const numbers *a, const numbers *b, const int parts) {
    const numbers best = a[0] + b[0], least = acc[parts - 2];
    if (parts == 4)
        add_product_of_two(acc, a, b);
    else if (parts == 2 || is_any(is_larger(best, least) | is_equal(best, least)))
        add_pairs(acc, a, b, parts);
}

FORCED void multiply(numbers *acc, const numbers *a, const int parts) {
    numbers more[2 * SHORT];
    product(more, acc, a, parts);
    UNROLLED for (int p = 0; p < parts; p++) {
        acc[p] = more[p];
    }
}

#include "kernels/lean.h"

LEAN(2)
LEAN(4)
LEAN(8)
LEAN(16)
LEAN(32)

static const lean *lean_of(const tz_semiring *self) {
    static const lean *const of[] = {&lean_of_2, &lean_of_4, &lean_of_8, &lean_of_16, &lean_of_32};
    const size_t k = self->size / (2 * sizeof(real));
    return of[k == 1 ? 0 : k == 2 ? 1 : k == 4 ? 2 : k == 8 ? 3 : 4];
}

#include "kernels/lean_contract.h"

DECLARE_ALL_LIFTS(NAME);

/* -0.0 becomes 0.0. */
_Bool LIFTS(NAME, TZ_ISA)(const tz_semiring *self, void *ret, const tz_lifting *from, size_t n) {
    const size_t parts = self->size / sizeof(real);
    const double *cost = from->input[0];
    real *to = ret;
    for (size_t i = 0; i < n; i++, to += parts) {
        const _Bool some = from->score[i] > -INFINITY;
        to[0] = (real)from->score[i] + 0;
        to[1] = some && cost != NULL ? (real)cost[i] + 0 : 0;
        for (size_t p = 2; p < parts; p += 2) {
            to[p] = -INFINITY;
            to[p + 1] = 0;
        }
    }
    return 1;
}

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
    for (size_t i = 0; i < self->numbers / 2 && x[i].score > -INFINITY; i++) {
        ret[count++] = x[i].score;
        ret[count++] = x[i].cost;
    }
    return count;
}

static const tz_kernels kernels = {
    .contract = CONTRACTS(NAME),
    .prepare = PREPARES(NAME),
    .lifts = ALL_LIFTS(NAME),
};

static const tz_input inputs[] = {{.name = "cost", .finite = 1}};

static tz_status make(const tz_semiring_argument *argument, tz_semiring **ret_semiring,
                      const char **ret_why) {
    const size_t k = argument[0].number;
    const pair first = {0, 0};
    size_t room = k <= SHORT ? 1 : k;
    while (room < k)
        room *= 2;
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
        .kernels = k <= SHORT ? &kernels : NULL,
    };
    *ret_semiring = tz_semiring_of_lists(&of, "costs", k, room, &none, &first, sizeof first);
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
