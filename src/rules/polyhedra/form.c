/* form.c - affine forms. SPDX-License-Identifier: MIT */
#include "rules/polyhedra/form.h"

#include <stdio.h>
#include <string.h>

bool tz_form_compose(tz_form *ret, const tz_form *outer, const tz_form *inner, unsigned count) {
    int64_t constant = outer->constant, length[TZ_MAX_LENGTHS], column[TZ_MAX_COLUMNS];
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        length[l] = outer->length[l];
    for (unsigned c = 0; c < TZ_MAX_COLUMNS; c++)
        column[c] = c < count ? 0 : outer->column[c];
    for (unsigned c = 0; c < count; c++) {
        int64_t k = outer->column[c];
        if (k == 0)
            continue;
        constant += k * inner[c].constant;
        for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
            length[l] += k * inner[c].length[l];
        for (unsigned d = 0; d < TZ_MAX_COLUMNS; d++)
            column[d] += k * inner[c].column[d];
    }
    tz_form form = {0};
    if (constant < INT32_MIN / 2 || constant > INT32_MAX / 2)
        return false;
    form.constant = (int32_t)constant;
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++) {
        if (length[l] < INT16_MIN || length[l] > INT16_MAX)
            return false;
        form.length[l] = (int16_t)length[l];
    }
    for (unsigned c = 0; c < TZ_MAX_COLUMNS; c++) {
        if (column[c] < INT16_MIN || column[c] > INT16_MAX)
            return false;
        form.column[c] = (int16_t)column[c];
    }
    *ret = form;
    return true;
}

/* Gauss-Jordan; pivots are made by Euclid's steps. */
bool tz_forms_invert(const tz_form *form, unsigned rank, const unsigned *column, tz_form *ret) {
    int64_t m[TZ_MAX_RANK][2 * TZ_MAX_RANK] = {{0}};
    for (unsigned r = 0; r < rank; r++) {
        for (unsigned c = 0; c < rank; c++)
            m[r][c] = form[r].column[column[c]];
        m[r][rank + r] = 1;
    }
    for (unsigned c = 0; c < rank; c++) {
        for (unsigned r = c + 1; r < rank; r++)
            while (m[r][c] != 0) {
                int64_t times = m[c][c] / m[r][c];
                for (unsigned k = 0; k < 2 * rank; k++) {
                    int64_t rest = m[c][k] - times * m[r][k];
                    m[c][k] = m[r][k];
                    m[r][k] = rest;
                }
            }
        if (m[c][c] != 1 && m[c][c] != -1)
            return false;
        for (unsigned k = 2 * rank; k-- > 0;)
            m[c][k] *= m[c][c];
        for (unsigned r = 0; r < c; r++)
            for (unsigned k = 2 * rank; k-- > c;)
                m[r][k] -= m[r][c] * m[c][k];
    }
    for (unsigned r = 0; r < rank; r++) {
        ret[r] = (tz_form){0};
        for (unsigned c = 0; c < rank; c++) {
            if (m[r][rank + c] > INT16_MAX || m[r][rank + c] < -INT16_MAX)
                return false;
            ret[r].column[c] = (int16_t)m[r][rank + c];
        }
    }
    return true;
}

bool tz_form_equal(const tz_form *a, const tz_form *b) {
    return a->constant == b->constant && memcmp(a->length, b->length, sizeof a->length) == 0 &&
           memcmp(a->column, b->column, sizeof a->column) == 0;
}

bool tz_form_has_columns(const tz_form *form) {
    for (unsigned c = 0; c < TZ_MAX_COLUMNS; c++)
        if (form->column[c] != 0)
            return true;
    return false;
}

bool tz_form_has_lengths(const tz_form *form) {
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        if (form->length[l] != 0)
            return true;
    return false;
}

tz_form tz_form_column(unsigned c) {
    tz_form form = {0};
    form.column[c] = 1;
    return form;
}

typedef struct text {
    char *at;
    size_t left;
    bool empty, repeats; /* repeats: n+n for 2n */
} text;

static void put_term(text *t, int64_t coefficient, const char *name) {
    char buffer[96];
    for (; t->repeats && name != NULL && (coefficient > 1 || coefficient < -1);
         coefficient -= coefficient > 0 ? 1 : -1) {
        t->repeats = false;
        put_term(t, coefficient > 0 ? 1 : -1, name);
        t->repeats = true;
    }
    const char *sign = coefficient < 0 ? "-" : t->empty ? "" : "+";
    long long magnitude = coefficient < 0 ? -coefficient : coefficient;
    if (name == NULL)
        snprintf(buffer, sizeof buffer, "%s%lld", sign, magnitude);
    else if (magnitude == 1)
        snprintf(buffer, sizeof buffer, "%s%s", sign, name);
    else
        snprintf(buffer, sizeof buffer, "%s%lld%s", sign, magnitude, name);
    size_t length = strlen(buffer);
    if (length >= t->left)
        length = t->left - 1;
    memcpy(t->at, buffer, length);
    t->at += length;
    t->left -= length;
    t->at[0] = '\0';
    t->empty = false;
}

static void put_form(const tz_form *form, const char *const *length_name,
                     const char *const *column_name, text t) {
    t.at[0] = '\0';
    /* Positive terms first, so that j-i is not printed as -i+j. */
    for (int sign = 1; sign >= -1; sign -= 2) {
        for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
            if (form->length[l] * sign > 0)
                put_term(&t, form->length[l], length_name[l]);
        for (unsigned c = 0; c < TZ_MAX_COLUMNS; c++)
            if (form->column[c] * sign > 0)
                put_term(&t, form->column[c], column_name[c]);
    }
    if (form->constant != 0 || t.empty)
        put_term(&t, form->constant, NULL);
}

void tz_form_text(const tz_form *form, const char *const *length_name,
                  const char *const *column_name, char *ret_text, size_t size) {
    put_form(form, length_name, column_name, (text){ret_text, size, true, false});
}

void tz_form_notation(const tz_form *form, const char *const *length_name,
                      const char *const *column_name, char *ret_text, size_t size) {
    put_form(form, length_name, column_name, (text){ret_text, size, true, true});
}

void tz_walk_start(tz_walk *walk, const tz_nest *nest, unsigned lengths, const int32_t *length,
                   const int64_t *givens) {
    walk->nest = nest;
    walk->lengths = lengths;
    walk->length = length;
    walk->left = UINT64_MAX;
    walk->started = false;
    for (unsigned g = 0; g < nest->givens; g++)
        walk->column[g] = givens[g];
}

/* Pays for a step; false where it cannot. */
static bool take(tz_walk *walk, uint64_t steps) {
    bool enough = walk->left >= steps;
    walk->left = enough ? walk->left - steps : 0;
    return enough;
}

bool tz_walk_next(tz_walk *walk) {
    const tz_nest *nest = walk->nest;
    unsigned givens = nest->givens, q;
    if (!take(walk, 1))
        return false;
    if (!walk->started) {
        walk->started = true;
        if (!take(walk, nest->entry.count))
            return false;
        if (!tz_domain_holds(&nest->entry, walk->lengths, walk->length, givens, walk->column))
            return false;
        if (nest->loops == 0)
            return true;
        q = 0;
    } else {
        if (nest->loops == 0)
            return false;
        q = nest->loops;
        while (q > 0 && walk->column[givens + q - 1] == walk->high[q - 1])
            q--;
        if (q == 0)
            return false;
        walk->column[givens + q - 1]++;
    }
    while (q < nest->loops) {
        int64_t low, high;
        if (!take(walk, (uint64_t)nest->range[q].lowers + nest->range[q].uppers))
            return false;
        tz_range_value(&nest->range[q], walk->lengths, walk->length, givens + q, walk->column, &low,
                       &high);
        if (low <= high) {
            walk->column[givens + q] = low;
            walk->high[q] = high;
            q++;
            continue;
        }
        while (q > 0 && walk->column[givens + q - 1] == walk->high[q - 1])
            q--;
        if (q == 0)
            return false;
        walk->column[givens + q - 1]++;
    }
    return true;
}
