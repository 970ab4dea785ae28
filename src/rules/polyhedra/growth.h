/* growth.h - how the number of points of a system grows with the lengths: the dimension of what
 * they fill. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_POLYHEDRA_GROWTH_H
#define TZ_RULES_POLYHEDRA_GROWTH_H

#include <stddef.h>

#include "rules/table.h"

/* sum of length[l] * (length l) + sum of column[c] * (column c), >= 0 or = 0. */
typedef struct tz_growth_row {
    int64_t length[TZ_MAX_LENGTHS], column[TZ_MAX_COLUMNS];
    bool equal;
} tz_growth_row;

/* Constraints over columns, without their constants, which do not matter for large lengths. */
typedef struct tz_growth {
    unsigned lengths, columns;
    size_t rows;
    tz_growth_row *at;
    /* The lengths, each much larger than the next: as they are declared, unless changed. */
    uint8_t order[TZ_MAX_LENGTHS];
    size_t tight[TZ_MAX_LENGTHS]; /* found: the first so many constraints bind where order[l]
                                     grows */
} tz_growth;

/* Room for so many constraints; TZ_NO_MEMORY. To be freed in any case. */
tz_status tz_growth_init(tz_growth *growth, unsigned lengths, unsigned columns, size_t room);
void tz_growth_free(tz_growth *growth);
/* Adds form * sign + pivot * column >= 0, or = 0. */
void tz_growth_add(tz_growth *growth, const tz_form *form, int sign, unsigned column, int64_t pivot,
                   bool equal);
/* Adds every constraint but TZ_NE ones. */
void tz_growth_add_domain(tz_growth *growth, const tz_domain *domain);
/* Call this when all constraints are added and the order is set; the functions below need it.
 * TZ_NONE: no points for large lengths. TZ_TOO_LARGE: there are too many constraints, or a number
 * does not fit. TZ_NO_MEMORY. */
tz_status tz_growth_find(tz_growth *growth);
/* The degree of the number of points in each length, where the columns of the set (bit c) are
 * given. */
tz_status tz_growth_given(const tz_growth *growth, uint32_t given, unsigned *ret_degree);
/* The same for the projection of the points to the columns of the set. */
tz_status tz_growth_onto(const tz_growth *growth, uint32_t set, unsigned *ret_degree);

#endif
