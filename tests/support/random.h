/* random.h - repeatable random numbers for tests.
 *
 * The seed is 1, or what the environment variable TZ_SEED says; random_start prints it.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_RANDOM_H
#define TZ_TESTS_SUPPORT_RANDOM_H

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct random_state {
    uint64_t at;
} random_state;

static inline random_state random_start(const char *test) {
    const char *text = getenv("TZ_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 10) : 1;
    printf("# %s: TZ_SEED=%" PRIu64 "\n", test, seed);
    fflush(stdout);
    return (random_state){seed};
}

/* splitmix64 (Steele, Lea & Flood 2014). */
static inline uint64_t random_bits(random_state *random) {
    uint64_t z = random->at += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* 0 .. n - 1. */
static inline uint64_t random_below(random_state *random, uint64_t n) {
    return random_bits(random) % n;
}

/* [0, 1). */
static inline double random_unit(random_state *random) {
    return (double)(random_bits(random) >> 11) * 0x1p-53;
}

static inline double random_between(random_state *random, double low, double high) {
    return low + (high - low) * random_unit(random);
}

/* A score of any kind that may be bound: ties, zeros, -infinity, subnormals, huge ones. */
static inline double random_score(random_state *random, double limit) {
    double sign = random_below(random, 2) ? 1 : -1;
    switch (random_below(random, 12)) {
    case 0:
        return sign * 0.0;
    case 1:
        return -INFINITY;
    case 2: /* ties */
        return sign * (double)random_below(random, 4);
    case 3: /* subnormal in double, or in float */
        return sign * ldexp(1 + random_unit(random), random_below(random, 2) ? -1060 : -140);
    case 4:
        return sign * ldexp(1 + random_unit(random), -(int)random_below(random, 60));
    case 5:
        return sign * limit;
    case 6: /* any magnitude */
        return sign * pow(limit, random_unit(random));
    case 7:
        return random_between(random, -1e5, 1e5);
    case 8: /* around the place where an exponent is no longer exact: 2^20 .. 2^59 */
        return sign * ldexp(1 + random_unit(random), 20 + (int)random_below(random, 40));
    default:
        return random_between(random, -20, 20);
    }
}

/* Small, beyond what exp can do, close to the limit, or impossible. */
static inline double random_wide_score(random_state *random, double limit) {
    switch (random_below(random, 5)) {
    case 0:
        return random_between(random, -3, 3);
    case 1:
        return random_score(random, limit);
    case 2:
        return -INFINITY;
    case 3: /* on either side of a power of two */
        return random_between(random, -2000, 2000) * 0.6931471805599453;
    default:
        return random_between(random, -1e5, 1e5);
    }
}

/* Gives b the last bit, and returns a number of its size by which the product, of 105 bits, is one
 * unit of its last place below or above the middle of two numbers. */
static inline double next_to_middle(random_state *random, double *b) {
    int exponent;
    uint64_t u = (uint64_t)ldexp(fabs(frexp(*b, &exponent)), 53) | 1, inverse = u;
    *b = ldexp((double)u, exponent - 53);
    for (int i = 0; i < 6; i++)
        inverse *= 2 - u * inverse; /* Newton's iteration modulo 2^64 */
    uint64_t middle = (UINT64_C(1) << 51) + (random_below(random, 2) ? 1 : UINT64_MAX);
    uint64_t c = (middle * inverse & (UINT64_MAX >> 12)) | UINT64_C(1) << 52;
    return ldexp((double)c, exponent - 53);
}

#endif
