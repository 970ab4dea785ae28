/* polyhedron.c - exact integer linear systems: tidying and Fourier-Motzkin projection.
 *
 * SPDX-License-Identifier: MIT */
#include "rules/polyhedra/polyhedron.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "rules/polyhedra/gcd.h"

/* ---- Systems --------------------------------------------------------------------------------- */

void tz_poly_init(tz_poly *poly, unsigned columns) {
    *poly = (tz_poly){.columns = columns};
}

void tz_poly_free(tz_poly *poly) {
    free(poly->row);
    free(poly->equal);
    tz_poly_init(poly, poly->columns);
}

static size_t width(const tz_poly *poly) {
    return (size_t)poly->columns + 1;
}

static bool reserve(tz_poly *poly, size_t rows) {
    void *row = poly->row, *equal = poly->equal;
    size_t capacity = poly->capacity, equal_capacity = poly->capacity;
    bool grown = tz_grow(&row, &capacity, rows, width(poly) * sizeof *poly->row);
    poly->row = row;
    grown = grown && tz_grow(&equal, &equal_capacity, rows, sizeof *poly->equal);
    poly->equal = equal;
    if (grown)
        poly->capacity = capacity;
    return grown;
}

bool tz_poly_copy(tz_poly *ret, const tz_poly *poly) {
    tz_poly_init(ret, poly->columns);
    if (!reserve(ret, poly->rows)) {
        tz_poly_free(ret);
        return false;
    }
    if (poly->rows > 0) {
        memcpy(ret->row, poly->row, poly->rows * width(poly) * sizeof *poly->row);
        memcpy(ret->equal, poly->equal, poly->rows * sizeof *poly->equal);
    }
    ret->rows = poly->rows;
    return true;
}

bool tz_poly_add(tz_poly *poly, const int64_t *row, bool equal) {
    if (!reserve(poly, poly->rows + 1))
        return false;
    memcpy(poly->row + poly->rows * width(poly), row, width(poly) * sizeof *row);
    poly->equal[poly->rows++] = equal;
    return true;
}

/* ---- Projections ----------------------------------------------------------------------------- */

/* Of distinct directions in a system that is tidied. A projection can square the number of rows;
 * those of differences, as spans make, keep them few. */
enum { MAX_ROWS = 128 };

enum reduced { KEEP, DROP, IMPOSSIBLE, TOO_LARGE };

/* Divides a row by the gcd of its coefficients and says what is to become of it. */
static enum reduced reduce_row(int64_t *row, size_t width, bool equal) {
    uint64_t common = 0;
    for (size_t c = 0; c < width; c++) {
        if (row[c] == INT64_MIN)
            return TOO_LARGE;
        if (c > 0 && common != 1)
            common = tz_gcd((uint64_t)llabs(row[c]), common);
    }
    if (common == 0)
        return (equal ? row[0] == 0 : row[0] >= 0) ? DROP : IMPOSSIBLE;
    if (common == 1)
        return KEEP;
    int64_t divisor = (int64_t)common, rest = row[0] % divisor;
    if (equal && rest != 0)
        return IMPOSSIBLE;
    for (size_t c = 0; c < width; c++)
        row[c] /= divisor;
    row[0] -= rest < 0;
    return KEEP;
}

/* Do two inequalities differ in their constants only? Linear programs would find the weaker one
 * too, at a thousand times the cost. */
static bool parallel(const tz_poly *poly, size_t a, size_t b) {
    const int64_t *left = poly->row + a * width(poly), *right = poly->row + b * width(poly);
    return !poly->equal[a] && !poly->equal[b] &&
           memcmp(left + 1, right + 1, (width(poly) - 1) * sizeof *left) == 0;
}

/* Marks the weaker of parallel inequalities. */
static void drop_parallel(const tz_poly *poly, bool *skip) {
    for (size_t a = 0; a < poly->rows; a++) {
        for (size_t b = a + 1; b < poly->rows && !skip[a]; b++) {
            if (!skip[b] && parallel(poly, a, b)) {
                bool first = poly->row[a * width(poly)] <= poly->row[b * width(poly)];
                skip[first ? b : a] = true;
            }
        }
    }
}

/* Moves the rows of work that are not skipped together. */
static void compact(tz_poly *work, const bool *skip) {
    size_t kept = 0;
    for (size_t r = 0; r < work->rows; r++) {
        if (!skip[r]) {
            memmove(work->row + kept * width(work), work->row + r * width(work),
                    width(work) * sizeof *work->row);
            work->equal[kept++] = work->equal[r];
        }
    }
    work->rows = kept;
}

/* Is the least value of sign * row over the polyhedron at least 0? */
static tz_lp implied(const tz_poly *poly, const int64_t *row, int sign, int64_t *form,
                     bool *ret_implied) {
    int64_t num, den;
    for (size_t c = 0; c < width(poly); c++)
        form[c] = sign * row[c];
    tz_lp result = tz_poly_minimise(poly, form, &num, &den);
    *ret_implied = result == TZ_LP_OPTIMUM && num >= 0;
    return result == TZ_LP_UNBOUNDED ? TZ_LP_OPTIMUM : result;
}

/* Drops rows that the others imply. Inequalities go before equations, late rows before early ones,
 * so that of two rows that can stand for each other the plainer stays. row and form have a row's
 * room. */
static tz_lp drop_implied(tz_poly *work, int64_t *row, int64_t *form) {
    size_t wide = width(work), bytes = wide * sizeof *row;
    for (int equal = 0; equal <= 1; equal++) {
        for (size_t r = work->rows; r-- > 0;) {
            if (work->equal[r] != (equal == 1))
                continue;
            int64_t *here = work->row + r * wide;
            size_t after = --work->rows - r;
            memcpy(row, here, bytes);
            memmove(here, here + wide, after * bytes);
            memmove(work->equal + r, work->equal + r + 1, after * sizeof *work->equal);

            bool gone;
            tz_lp result = implied(work, row, 1, form, &gone);
            if (result == TZ_LP_OPTIMUM && gone && equal)
                result = implied(work, row, -1, form, &gone);
            if (result != TZ_LP_OPTIMUM)
                return result;
            if (!gone) {
                memmove(here + wide, here, after * bytes);
                memmove(work->equal + r + 1, work->equal + r, after * sizeof *work->equal);
                memcpy(here, row, bytes);
                work->equal[r] = equal == 1;
                work->rows++;
            }
        }
    }
    return TZ_LP_OPTIMUM;
}

/* Tidies work in place, leaving it half done on failure. */
static tz_lp tidy(tz_poly *work) {
    int64_t num, den, *row = calloc(2 * width(work), sizeof *row);
    bool *skip = calloc(work->rows + 1, sizeof *skip);
    tz_lp result = TZ_LP_NO_MEMORY;
    if (!row || !skip)
        goto done;
    for (size_t r = 0; r < work->rows; r++) {
        enum reduced now = reduce_row(work->row + r * width(work), width(work), work->equal[r]);
        if (now == IMPOSSIBLE || now == TOO_LARGE) {
            result = now == IMPOSSIBLE ? TZ_LP_EMPTY : TZ_LP_OVERFLOW;
            goto done;
        }
        skip[r] = now == DROP;
    }
    drop_parallel(work, skip);
    compact(work, skip);
    if (work->rows > MAX_ROWS) {
        result = TZ_LP_OVERFLOW;
        goto done;
    }
    result = tz_poly_minimise(work, row, &num, &den);
    if (result == TZ_LP_OPTIMUM)
        result = drop_implied(work, row, row + width(work));
done:
    free(row);
    free(skip);
    return result;
}

tz_lp tz_poly_tidy(tz_poly *poly) {
    tz_poly work;
    if (!tz_poly_copy(&work, poly))
        return TZ_LP_NO_MEMORY;
    tz_lp result = tidy(&work);
    if (result == TZ_LP_OPTIMUM) {
        tz_poly_free(poly);
        *poly = work;
    } else {
        tz_poly_free(&work);
    }
    return result;
}

/* Appends a row unless a parallel one is as strong; a weaker one goes. */
static tz_lp add_strongest(tz_poly *poly, const int64_t *row, bool equal) {
    if (!tz_poly_add(poly, row, equal))
        return TZ_LP_NO_MEMORY;
    size_t wide = width(poly), last = poly->rows - 1, r = 0;
    while (r < last && !parallel(poly, r, last))
        r++;
    if (r < last && poly->row[r * wide] <= row[0]) {
        poly->rows--;
    } else if (r < last) {
        size_t after = last - r;
        memmove(poly->row + r * wide, poly->row + (r + 1) * wide, after * wide * sizeof *row);
        memmove(poly->equal + r, poly->equal + r + 1, after * sizeof *poly->equal);
        poly->rows--;
    }
    return poly->rows > MAX_ROWS ? TZ_LP_OVERFLOW : TZ_LP_OPTIMUM;
}

/* Appends to poly what is left of rows a and b when column at is cancelled: a positive multiple of
 * b plus a multiple of a, which is positive too unless a is an equation. */
static tz_lp cancel(tz_poly *poly, const int64_t *a, const int64_t *b, size_t at, bool equal,
                    int64_t *row) {
    int64_t common = (int64_t)tz_gcd((uint64_t)llabs(a[at]), (uint64_t)llabs(b[at]));
    int64_t by_b = llabs(a[at]) / common;
    int64_t by_a = (a[at] > 0 ? -b[at] : b[at]) / common;
    for (size_t c = 0; c < width(poly); c++) {
        int64_t left, right;
        if (__builtin_mul_overflow(a[c], by_a, &left) ||
            __builtin_mul_overflow(b[c], by_b, &right) ||
            __builtin_add_overflow(left, right, &row[c]))
            return TZ_LP_OVERFLOW;
    }
    switch (reduce_row(row, width(poly), equal)) {
    case IMPOSSIBLE:
        return TZ_LP_EMPTY;
    case TOO_LARGE:
        return TZ_LP_OVERFLOW;
    case DROP:
        return TZ_LP_OPTIMUM;
    case KEEP:
        break;
    }
    return add_strongest(poly, row, equal);
}

/* The equation with the smallest coefficient in the column; poly->rows if there is none. */
static size_t solved_by(const tz_poly *poly, size_t at) {
    size_t best = poly->rows;
    for (size_t r = 0; r < poly->rows; r++) {
        int64_t a = poly->row[r * width(poly) + at];
        if (poly->equal[r] && a != 0 &&
            (best == poly->rows || llabs(a) < llabs(poly->row[best * width(poly) + at])))
            best = r;
    }
    return best;
}

tz_lp tz_poly_eliminate(tz_poly *poly, unsigned column) {
    size_t at = (size_t)column + 1;
    tz_lp result = TZ_LP_OPTIMUM;
    tz_poly work;
    tz_poly_init(&work, poly->columns);
    for (size_t i = 0; i < poly->rows * width(poly); i++)
        if (poly->row[i] == INT64_MIN) /* has no absolute value */
            return TZ_LP_OVERFLOW;
    int64_t *scratch = malloc(width(poly) * sizeof *scratch);
    if (!scratch)
        return TZ_LP_NO_MEMORY;
    size_t equation = solved_by(poly, at);
    for (size_t r = 0; r < poly->rows && result == TZ_LP_OPTIMUM; r++) {
        const int64_t *row = poly->row + r * width(poly);
        if (row[at] == 0) {
            result = add_strongest(&work, row, poly->equal[r]);
        } else if (equation < poly->rows) {
            const int64_t *by = poly->row + equation * width(poly);
            if (r != equation)
                result = cancel(&work, by, row, at, poly->equal[r], scratch);
        } else if (row[at] > 0) {
            for (size_t s = 0; s < poly->rows && result == TZ_LP_OPTIMUM; s++) {
                const int64_t *other = poly->row + s * width(poly);
                if (other[at] < 0)
                    result = cancel(&work, row, other, at, false, scratch);
            }
        }
    }
    if (result == TZ_LP_OPTIMUM)
        result = tidy(&work);
    if (result == TZ_LP_OPTIMUM) {
        tz_poly_free(poly);
        *poly = work;
    } else {
        tz_poly_free(&work);
    }
    free(scratch);
    return result;
}
