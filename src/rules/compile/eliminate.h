/* eliminate.h - chooses which parts of a sum to work out first (variable elimination).
 * SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_COMPILE_ELIMINATE_H
#define TZ_RULES_COMPILE_ELIMINATE_H

#include "rules/polyhedra/growth.h"

enum { TZ_MOST_FACTORS = 8 }; /* of a sum that is taken apart */

/* target += sum of the product of the factors. Sets of variables have bit v for variable v, sets of
 * factors bit f for factor f. */
typedef struct tz_sum {
    unsigned factors, premises; /* the premises come first */
    uint32_t variables[TZ_MOST_FACTORS];
    uint32_t kept; /* variables that are not summed out */
    uint32_t used; /* all variables */
    tz_domain limits;
} tz_sum;

/* Sums of the products of some factors, each before any that it is a part of. */
typedef struct tz_parts {
    unsigned whole[TZ_MAX_LENGTHS]; /* degrees of the sum at once, where count > 0 */
    unsigned count;
    struct {
        uint16_t factors;
        uint32_t kept; /* variables that are left */
    } part[2 * TZ_MOST_FACTORS];
    uint8_t steps[TZ_MAX_VARIABLES + 1]; /* by total degree, where count > 0 */
} tz_parts;

/* Chooses the parts that leave the least work, counted in powers of the lengths. No parts, unless
 * every step that they leave has a number of points that divides the whole sum's and is smaller.
 * TZ_TOO_LARGE, TZ_NONE: not known. TZ_NO_MEMORY. */
tz_status tz_choose_parts(const tz_sum *sum, unsigned lengths, tz_parts *ret);

/* Does a divide b, both being products of powers of the lengths, and is a smaller? */
bool tz_is_less(const unsigned *a, const unsigned *b, unsigned lengths);

#endif
