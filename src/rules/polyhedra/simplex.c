/* simplex.c - exact linear programs by fraction-free pivoting.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "rules/polyhedra/gcd.h"
#include "rules/polyhedra/polyhedron.h"

__extension__ typedef __int128 wide;

/* A dictionary in the sense of Chvatal 1983: line 0 is the objective, every other line a variable
 * that must be >= 0, each written as (at[0] + sum of at[1 + c] * column c) / den with den > 0. All
 * numbers are minors of the system given (Edmonds 1967), so divisions by den leave no rest. */
struct dictionary {
    int64_t den;
    size_t lines, columns, stride;
    int64_t *at;
    size_t *line_is, *column_is; /* the constraint whose slack it is, for Bland's rule */
};

static int64_t *line_of(const struct dictionary *d, size_t line) {
    return d->at + line * d->stride;
}

static void drop_line(struct dictionary *d, size_t line) {
    size_t last = --d->lines;
    if (line != last) {
        memcpy(line_of(d, line), line_of(d, last), (d->columns + 1) * sizeof *d->at);
        d->line_is[line] = d->line_is[last];
    }
}

static void drop_column(struct dictionary *d, size_t column) {
    size_t last = --d->columns;
    if (column != last) {
        for (size_t i = 0; i < d->lines; i++)
            line_of(d, i)[1 + column] = line_of(d, i)[1 + last];
        d->column_is[column] = d->column_is[last];
    }
}

/* (a * p - b * q) / den, known to be whole; false if it does not fit. The arguments lie in
 * -INT64_MAX..INT64_MAX, which keeps the difference inside 128 bits. */
static bool cross(int64_t a, int64_t p, int64_t b, int64_t q, int64_t den, int64_t *ret) {
    wide value = (wide)a * p - (wide)b * q;
    int64_t narrow = (int64_t)value;
    if (narrow == value) {
        *ret = den == 1 ? narrow : narrow / den;
    } else {
        value /= den;
        *ret = (int64_t)value;
        if (*ret != value)
            return false;
    }
    return *ret != INT64_MIN;
}

/* Exchanges a line with a column in which it is not zero. */
static bool pivot(struct dictionary *d, size_t line, size_t column) {
    int64_t *by = line_of(d, line);
    int64_t sign = by[1 + column] < 0 ? -1 : 1, p = sign * by[1 + column];
    for (size_t i = 0; i < d->lines; i++) {
        int64_t *at = line_of(d, i), factor = sign * at[1 + column];
        if (i == line || (factor == 0 && p == d->den))
            continue;
        for (size_t c = 0; c <= d->columns; c++)
            if (!cross(at[c], p, factor, by[c], d->den, &at[c]))
                return false;
        at[1 + column] = factor;
    }
    for (size_t c = 0; c <= d->columns; c++)
        by[c] *= -sign;
    by[1 + column] = sign * d->den;
    d->den = p;

    size_t is = d->line_is[line];
    d->line_is[line] = d->column_is[column];
    d->column_is[column] = is;
    return true;
}

/* Solves every equation for one of the free columns and drops both. */
static tz_lp use_equations(struct dictionary *d, const bool *equal) {
    for (size_t i = 1; i < d->lines;) {
        if (!equal[d->line_is[i]]) {
            i++;
            continue;
        }
        const int64_t *at = line_of(d, i);
        size_t best = d->columns;
        for (size_t c = 0; c < d->columns; c++)
            if (at[1 + c] != 0 && (best == d->columns || llabs(at[1 + c]) < llabs(at[1 + best])))
                best = c;
        if (best == d->columns) {
            if (at[0] != 0)
                return TZ_LP_EMPTY;
        } else {
            if (!pivot(d, i, best))
                return TZ_LP_OVERFLOW;
            drop_column(d, best);
        }
        drop_line(d, i);
    }
    return TZ_LP_OPTIMUM;
}

/* Replaces every free column by the slack of a line; the line, now a free unknown, says no more.
 * A column in no line is dropped: then TZ_LP_UNBOUNDED if the objective has it. */
static tz_lp use_free_columns(struct dictionary *d) {
    tz_lp result = TZ_LP_OPTIMUM;
    for (size_t c = 0; c < d->columns;) {
        size_t best = 0;
        for (size_t i = 1; i < d->lines; i++) {
            int64_t a = line_of(d, i)[1 + c];
            if (a != 0 && (best == 0 || llabs(a) < llabs(line_of(d, best)[1 + c])))
                best = i;
        }
        if (best == 0) {
            if (line_of(d, 0)[1 + c] != 0)
                result = TZ_LP_UNBOUNDED;
            drop_column(d, c);
            continue;
        }
        if (!pivot(d, best, c))
            return TZ_LP_OVERFLOW;
        drop_line(d, best);
        c++;
    }
    return result;
}

/* Dual simplex under a zero objective. */
static tz_lp find_point(struct dictionary *d) {
    for (;;) {
        size_t line = 0, column = d->columns;
        for (size_t i = 1; i < d->lines; i++)
            if (line_of(d, i)[0] < 0 && (line == 0 || d->line_is[i] < d->line_is[line]))
                line = i;
        if (line == 0)
            return TZ_LP_OPTIMUM;
        for (size_t c = 0; c < d->columns; c++)
            if (line_of(d, line)[1 + c] > 0 &&
                (column == d->columns || d->column_is[c] < d->column_is[column]))
                column = c;
        if (column == d->columns)
            return TZ_LP_EMPTY;
        if (!pivot(d, line, column))
            return TZ_LP_OVERFLOW;
    }
}

/* Primal simplex from a point. */
static tz_lp descend(struct dictionary *d) {
    for (;;) {
        size_t line = 0, column = d->columns;
        for (size_t c = 0; c < d->columns; c++)
            if (line_of(d, 0)[1 + c] < 0 &&
                (column == d->columns || d->column_is[c] < d->column_is[column]))
                column = c;
        if (column == d->columns)
            return TZ_LP_OPTIMUM;
        for (size_t i = 1; i < d->lines; i++) {
            const int64_t *at = line_of(d, i), *least = line_of(d, line);
            if (at[1 + column] >= 0)
                continue;
            if (line != 0) {
                wide mine = (wide)at[0] * -least[1 + column];
                wide other = (wide)least[0] * -at[1 + column];
                if (mine > other || (mine == other && d->line_is[i] > d->line_is[line]))
                    continue;
            }
            line = i;
        }
        if (line == 0)
            return TZ_LP_UNBOUNDED;
        if (!pivot(d, line, column))
            return TZ_LP_OVERFLOW;
    }
}

static bool load_line(struct dictionary *d, size_t line, const int64_t *from) {
    int64_t *at = line_of(d, line);
    for (size_t c = 0; c < d->stride; c++) {
        if (from[c] == INT64_MIN)
            return false;
        at[c] = from[c];
    }
    return true;
}

tz_lp tz_poly_minimise(const tz_poly *poly, const int64_t *objective, int64_t *ret_num,
                       int64_t *ret_den) {
    struct dictionary d = {.den = 1, .columns = poly->columns, .stride = (size_t)poly->columns + 1};
    size_t numbers, names, bytes;
    if (__builtin_mul_overflow(poly->rows + 1, d.stride * sizeof *d.at, &numbers) ||
        __builtin_mul_overflow(poly->rows + 1 + d.columns, sizeof *d.line_is, &names) ||
        __builtin_add_overflow(numbers, names, &bytes))
        return TZ_LP_NO_MEMORY;
    d.at = malloc(bytes);
    if (!d.at)
        return TZ_LP_NO_MEMORY;
    d.line_is = (size_t *)((char *)d.at + numbers);
    d.column_is = d.line_is + poly->rows + 1;

    tz_lp result = TZ_LP_OVERFLOW, bounded;
    if (!load_line(&d, d.lines++, objective))
        goto done;
    for (size_t r = 0; r < poly->rows; r++) {
        d.line_is[d.lines] = r;
        if (!load_line(&d, d.lines++, poly->row + r * d.stride))
            goto done;
    }
    for (size_t c = 0; c < d.columns; c++)
        d.column_is[c] = poly->rows + c;

    result = use_equations(&d, poly->equal);
    if (result != TZ_LP_OPTIMUM)
        goto done;
    bounded = use_free_columns(&d);
    result = bounded == TZ_LP_OVERFLOW ? bounded : find_point(&d);
    if (result != TZ_LP_OPTIMUM)
        goto done;
    result = bounded == TZ_LP_UNBOUNDED ? bounded : descend(&d);
    if (result == TZ_LP_OPTIMUM) {
        int64_t num = line_of(&d, 0)[0];
        int64_t common = (int64_t)tz_gcd((uint64_t)llabs(num), (uint64_t)d.den);
        *ret_num = num / common;
        *ret_den = d.den / common;
    }
done:
    free(d.at);
    return result;
}
