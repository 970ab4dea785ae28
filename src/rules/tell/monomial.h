/* monomial.h - sums of products of powers, as growth is told. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_TELL_MONOMIAL_H
#define TZ_RULES_TELL_MONOMIAL_H

#include "rules/table.h"

/* A product of powers of lengths, of one of a sum of lengths, and of numbers of sparse entries. */
typedef struct tz_monomial {
    unsigned length[TZ_MAX_LENGTHS];
    unsigned added, power;                   /* added: the lengths of the sum, bit l */
    unsigned weights, weight[TZ_MAX_SPARSE]; /* ascending */
} tz_monomial;

/* A sum of which no term divides another. Begins zeroed, but for room in `at` for all that is
 * added.
 */
typedef struct tz_monomials {
    size_t count;
    tz_monomial *at;
} tz_monomials;

/* Adds one, if none that is there grows at least as fast; removes those that it does. */
void tz_monomials_add(tz_monomials *sum, const tz_monomial *m);
/* Writes the sum, "n^2 T + |arc|", if the status so far is TZ_OK, and frees it in any case. Returns
 * that status; TZ_TOO_LARGE: the text does not fit. TZ_NO_MEMORY. */
tz_status tz_monomials_put(const tz_rules *rules, tz_monomials *sum, tz_status status,
                           char *ret_text, size_t size);

#endif
