/* polyhedron.h - exact integer linear systems: proofs, projections.
 *
 * A row of `columns` + 1 int64_t is the constraint row[0] + sum of row[1 + c] * x[c] >= 0 (or = 0)
 * over unknown integers x. Arithmetic is exact: what does not fit is reported, never rounded.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_POLYHEDRA_POLYHEDRON_H
#define TZ_RULES_POLYHEDRA_POLYHEDRON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tz_poly {
    unsigned columns;
    size_t rows, capacity;
    int64_t *row; /* rows * (columns + 1), row-major */
    bool *equal;  /* [rows] the row is an equation */
} tz_poly;

typedef enum tz_lp {
    TZ_LP_OPTIMUM,
    TZ_LP_UNBOUNDED,
    TZ_LP_EMPTY,    /* no rational point */
    TZ_LP_OVERFLOW, /* undecided: a number left the range of int64_t, or too many rows */
    TZ_LP_NO_MEMORY
} tz_lp;

void tz_poly_init(tz_poly *poly, unsigned columns);
void tz_poly_free(tz_poly *poly);
/* false when memory is out; then ret is an empty system that may be freed. */
bool tz_poly_copy(tz_poly *ret, const tz_poly *poly);
/* Appends a row; false when memory is out (nothing changed). */
bool tz_poly_add(tz_poly *poly, const int64_t *row, bool equal);

/* The least value of objective[0] + sum objective[1 + c] * x[c] over the rational points: *ret_num
 * / *ret_den in lowest terms, ret_den > 0. Simplex with Bland's rule over fractions; it always
 * ends. An infeasible system gives TZ_LP_EMPTY whatever the objective. */
tz_lp tz_poly_minimise(const tz_poly *poly, const int64_t *objective, int64_t *ret_num,
                       int64_t *ret_den);

/* Divides rows by the gcd of their coefficients, rounding the constant of an inequality towards
 * the integer points; drops duplicates, constants that hold, and every row that the others imply
 * over the rationals. The order of the rows left is kept. TZ_LP_OPTIMUM, TZ_LP_EMPTY (no integer
 * point: nothing changed), TZ_LP_OVERFLOW (also for more than 128 rows that no parallel row makes
 * superfluous), TZ_LP_NO_MEMORY. */
tz_lp tz_poly_tidy(tz_poly *poly);

/* Projects x[column] away (Fourier-Motzkin; by substitution where an equation has coefficient +-1
 * for it), leaving that column zero in every row, and tidies. Results as tz_poly_tidy. */
tz_lp tz_poly_eliminate(tz_poly *poly, unsigned column);

#endif
