/* form.h - affine forms over lengths and columns, and the ranges and nests made of them.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_POLYHEDRA_FORM_H
#define TZ_RULES_POLYHEDRA_FORM_H

#include "rules/table.h"

/* The form's value. `columns` may be NULL if count is 0; columns past count count as 0. */
static inline int64_t tz_form_value(const tz_form *form, unsigned lengths, const int32_t *length,
                                    unsigned count, const int64_t *column) {
    int64_t value = form->constant;
    for (unsigned l = 0; l < lengths; l++)
        value += (int64_t)form->length[l] * length[l];
    for (unsigned c = 0; c < count; c++)
        value += form->column[c] * column[c];
    return value;
}

/* Nearly all divisors are 1, and divisions take long. */
static inline int64_t tz_floor_div(int64_t a, int64_t b) {
    if (b == 1)
        return a;
    int64_t q = a / b;
    return q - (a % b != 0 && (a < 0) != (b < 0));
}

static inline int64_t tz_ceil_div(int64_t a, int64_t b) {
    if (b == 1)
        return a;
    int64_t q = a / b;
    return q + (a % b != 0 && (a < 0) == (b < 0));
}

/* The values from *ret_low to *ret_high that satisfy every bound; empty if *ret_low > *ret_high. */
static inline void tz_range_value(const tz_range *range, unsigned lengths, const int32_t *length,
                                  unsigned count, const int64_t *column, int64_t *ret_low,
                                  int64_t *ret_high) {
    int64_t low = INT64_MIN, high = INT64_MAX;
    for (unsigned b = 0; b < range->lowers; b++) {
        int64_t v = tz_form_value(&range->lower[b].form, lengths, length, count, column);
        v = tz_ceil_div(v, range->lower[b].divisor);
        if (v > low)
            low = v;
    }
    for (unsigned b = 0; b < range->uppers; b++) {
        int64_t v = tz_form_value(&range->upper[b].form, lengths, length, count, column);
        v = tz_floor_div(v, range->upper[b].divisor);
        if (v < high)
            high = v;
    }
    *ret_low = low;
    *ret_high = high;
}

/* Lowers *high and raises *low to the integers x of low..high with at + x * step >= 0. */
static inline void tz_clip(int64_t at, int64_t step, int64_t *low, int64_t *high) {
    if (step > 0) {
        int64_t from = tz_ceil_div(-at, step);
        *low = from > *low ? from : *low;
    } else if (step < 0) {
        int64_t to = tz_floor_div(at, -step);
        *high = to < *high ? to : *high;
    } else if (at < 0) {
        *high = *low - 1;
    }
}

static inline bool tz_domain_holds(const tz_domain *domain, unsigned lengths, const int32_t *length,
                                   unsigned count, const int64_t *column) {
    for (uint32_t c = 0; c < domain->count; c++) {
        int64_t v = tz_form_value(&domain->at[c].form, lengths, length, count, column);
        tz_relation r = domain->at[c].relation;
        if (r == TZ_GE ? v < 0 : r == TZ_EQ ? v != 0 : v == 0)
            return false;
    }
    return true;
}

/* Lowers *high and raises *low to the values of column `last` at which the domain can hold, the
 * columns before it being given; holes (TZ_NE) may be among them. */
static inline void tz_domain_clip(const tz_domain *domain, unsigned lengths, const int32_t *length,
                                  unsigned last, const int64_t *column, int64_t *low,
                                  int64_t *high) {
    for (uint32_t c = 0; c < domain->count; c++) {
        const tz_form *form = &domain->at[c].form;
        int64_t at = tz_form_value(form, lengths, length, last, column);
        if (domain->at[c].relation == TZ_NE)
            continue;
        tz_clip(at, form->column[last], low, high);
        if (domain->at[c].relation == TZ_EQ)
            tz_clip(-at, -form->column[last], low, high);
    }
}

/* *ret = outer with column c replaced by inner[c] for c < count; false where a coefficient does not
 * fit. ret may be outer. */
bool tz_form_compose(tz_form *ret, const tz_form *outer, const tz_form *inner, unsigned count);

/* Inverts the matrix of `rank` forms over as many columns, constants and lengths left out:
 * column[c] of them is ret[c], over the forms. False unless its determinant is 1 or -1, with which
 * all numbers stay whole, or where numbers do not fit. */
bool tz_forms_invert(const tz_form *form, unsigned rank, const unsigned *column, tz_form *ret);

bool tz_form_equal(const tz_form *a, const tz_form *b);
/* Do any of columns 0..TZ_MAX_COLUMNS-1 / any lengths occur? */
bool tz_form_has_columns(const tz_form *form);
bool tz_form_has_lengths(const tz_form *form);
/* The form that is column c alone. */
tz_form tz_form_column(unsigned c);

/* Writes the form as text, as "j-i-1" or "n+1", with these names for its columns. Truncates. */
void tz_form_text(const tz_form *form, const char *const *length_name,
                  const char *const *column_name, char *ret_text, size_t size);
/* The same as a rule file has it: n+n, not 2n. */
void tz_form_notation(const tz_form *form, const char *const *length_name,
                      const char *const *column_name, char *ret_text, size_t size);

/* Visits the points of a nest in order, with an explicit odometer. */
typedef struct tz_walk {
    const tz_nest *nest;
    unsigned lengths;
    const int32_t *length;
    int64_t column[TZ_MAX_COLUMNS]; /* the givens, then the loops */
    int64_t high[TZ_MAX_COLUMNS];
    uint64_t left; /* steps it may still take; set to stop a long walk */
    bool started;
} tz_walk;

void tz_walk_start(tz_walk *walk, const tz_nest *nest, unsigned lengths, const int32_t *length,
                   const int64_t *givens);
/* Moves to the next point; false past the last one, and where no steps are left. A step is a loop
 * moved or a bound evaluated. */
bool tz_walk_next(tz_walk *walk);
/* Variable v of the nest at the current point. */
static inline int64_t tz_walk_variable(const tz_walk *walk, unsigned v) {
    const tz_nest *nest = walk->nest;
    return tz_form_value(&nest->variable[v], walk->lengths, walk->length,
                         (unsigned)nest->givens + nest->loops, walk->column);
}

#endif
