/* shortest.c - a program's own semiring, over vectors: the least cost and how many derivations have
 * it. Compiled for the machine of the build. SPDX-License-Identifier: MIT */
#define NAME           shortest
#define FIELDS(number) number cost, ways;
#define PARTS          2
#include <trapeze/vectors.h>

static const element zero = {INFINITY, 0}, one = {0, 1};

static inline vector vector_sum(vector a, vector b) {
    const numbers none = numbers_of(0);
    return (vector){
        .cost = numbers_smaller(a.cost, b.cost),
        .ways = numbers_chosen(is_at_most(a.cost, b.cost), a.ways, none) +
                numbers_chosen(is_at_most(b.cost, a.cost), b.ways, none),
    };
}

static inline vector vector_product(vector a, vector b) {
    return (vector){.cost = a.cost + b.cost, .ways = a.ways * b.ways};
}

#define HAS_LIFTED
static inline vector vector_lifted(numbers score, const numbers *input) {
    (void)input;
    return (vector){.cost = score, .ways = numbers_of(1)};
}

#include <trapeze/blocks.h>

static double value(const tz_semiring *self, const void *a) {
    (void)self;
    return ((const element *)a)->cost;
}

extern const tz_semiring shortest_over_vectors;
const tz_semiring shortest_over_vectors = {
    .name = "shortest",
    .laws = TZ_COMMUTATIVE,
    .gives = TZ_GIVES_NUMBER,
    .size = sizeof(element),
    .align = _Alignof(number),
    .zero = &zero,
    .one = &one,
    .plus = plus,
    .times = times,
    .lift = lift,
    .value = value,
    .kernels = &kernels,
};
