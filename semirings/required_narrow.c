/* required_narrow.c - kernels of the narrow elements of required(log): a degree, and an element of
 * log_narrow.c. All else about them: required.c. SPDX-License-Identifier: MIT */
#include <math.h>

#include <trapeze/kernel.h>

#include "kernels/real.h"
#define NAME required_narrow

typedef real number;
#include "kernels/numbers.h"

#include "kernels/picks.h"
#include "kernels/watched.h"

enum { DEGREE, COEFFICIENT, NUMBERS };

static inline number zero_number(int p, int parts) {
    (void)parts;
    return p == DEGREE ? -INFINITY : 0;
}

FORCED numbers coefficient_if(picks of, const numbers *a) {
    return numbers_chosen(of, a[COEFFICIENT], (numbers){0});
}

FORCED void add(numbers *acc, const numbers *a, const int parts) {
    const numbers degree = numbers_larger(acc[DEGREE], a[DEGREE]);
    const numbers x = coefficient_if(is_equal(acc[DEGREE], degree), acc);
    const numbers y = coefficient_if(is_equal(a[DEGREE], degree), a);
    (void)parts;
    acc[COEFFICIENT] = numbers_watched(x + y, (vector_mask){0});
    acc[DEGREE] = degree;
}

FORCED void multiply(numbers *acc, const numbers *a, const int parts) {
    const vector_mask some = (acc[COEFFICIENT] != 0) & (a[COEFFICIENT] != 0);
    (void)parts, (void)some;
    acc[COEFFICIENT] = numbers_watched(acc[COEFFICIENT] * a[COEFFICIENT], some);
    acc[DEGREE] += a[DEGREE];
}

FORCED void add_product(numbers *acc, const numbers *a, const numbers *b, const int parts) {
    numbers product[NUMBERS] = {a[DEGREE], a[COEFFICIENT]};
    multiply(product, b, parts);
    add(acc, product, parts);
}

#include "kernels/lean.h"

LEAN(2)

static const lean *lean_of(const tz_semiring *self) {
    (void)self;
    return &lean_of_2;
}

#include "kernels/lean_contract.h"

DECLARE_ALL_LIFTS(NAME);
DECLARE_ALL_LIFTS(log_narrow);

enum { SEVERAL = 64 };

_Bool LIFTS(NAME, TZ_ISA)(const tz_semiring *self, void *ret, const tz_lifting *from, size_t n) {
    _Bool fits = 1;
    real *to = ret;
    for (size_t done = 0, count; done < n; done += count) {
        real lifted[SEVERAL];
        count = n - done < SEVERAL ? n - done : SEVERAL;
        const tz_lifting some = {from->score + done, from->shift + done, {0}};
        fits &= LIFTS(log_narrow, TZ_ISA)(self, lifted, &some, count);
        for (size_t i = 0; i < count; i++, to += NUMBERS) {
            to[DEGREE] = lifted[i] == 0 ? -INFINITY : 0;
            to[COEFFICIENT] = lifted[i];
        }
    }
    return fits;
}
