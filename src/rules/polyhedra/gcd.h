/* gcd.h - the greatest common divisor. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_POLYHEDRA_GCD_H
#define TZ_RULES_POLYHEDRA_GCD_H

#include <stdint.h>

/* The greatest common divisor; that of 0 and a is a. */
static inline uint64_t tz_gcd(uint64_t a, uint64_t b) {
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
