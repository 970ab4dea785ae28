/* cost.h - how much work and memory a compiled rule set takes. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_TELL_COST_H
#define TZ_RULES_TELL_COST_H

#include <stddef.h>

#include "rules/table.h"

/* Semiring products (applications of times) of one inside pass for these lengths; sparse weights
 * count as full. The two innermost loops are counted in closed form: O(n^2) at most for rules of
 * n^3. TZ_BAD_ARGUMENT: a length outside 0..TZ_MAX_LENGTH. TZ_TOO_LARGE: too many to count, which
 * takes a fraction of a second to find out; nothing is written. */
tz_status tz_rules_products(const tz_rules *rules, const int32_t *lengths, double *ret_products);
/* The same for the points that the loops visit, with or without a product: the work of the pass. */
tz_status tz_rules_points(const tz_rules *rules, const int32_t *lengths, double *ret_points);

/* How the cost of increasing a length by one grows with the lengths, where items that can stay do
 * (tz_kind.anew). Text and errors as tz_rules_degree. */
tz_status tz_rules_degree_of_one_more(const tz_rules *rules, unsigned length, char *ret_text,
                                      size_t size);

/* Cells of the box that a kind has in a chart for these lengths; infinite: too many to count. */
double tz_kind_cells(const tz_rules *rules, unsigned kind, const int32_t *lengths);

#endif
