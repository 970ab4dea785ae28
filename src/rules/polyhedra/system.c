/* system.c - see system.h. SPDX-License-Identifier: MIT */
#include "rules/polyhedra/system.h"

#include <string.h>

tz_status tz_lp_status(tz_lp lp) {
    switch (lp) {
    case TZ_LP_EMPTY:
        return TZ_NONE;
    case TZ_LP_OVERFLOW:
        return TZ_TOO_LARGE;
    case TZ_LP_NO_MEMORY:
        return TZ_NO_MEMORY;
    default:
        return TZ_OK;
    }
}

static void to_row(const tz_system *system, const tz_form *form, int64_t *row) {
    memset(row, 0, (system->poly.columns + 1) * sizeof *row);
    row[0] = form->constant;
    for (unsigned l = 0; l < system->lengths; l++)
        row[1 + l] = form->length[l];
    for (unsigned v = 0; v < system->variables; v++)
        row[1 + tz_system_column(system, v)] = form->column[v];
}

tz_status tz_system_init(tz_system *system, unsigned lengths, unsigned givens, unsigned variables) {
    *system = (tz_system){lengths, givens, variables, {0}};
    if (givens + variables > TZ_MAX_COLUMNS || variables > TZ_MAX_VARIABLES)
        return TZ_TOO_LARGE;
    tz_poly_init(&system->poly, lengths + givens + variables);
    int64_t row[TZ_SYSTEM_COLUMNS + 1] = {0};
    for (unsigned l = 0; l < lengths; l++) {
        row[1 + l] = 1;
        if (!tz_poly_add(&system->poly, row, false)) {
            tz_system_free(system);
            return TZ_NO_MEMORY;
        }
        row[1 + l] = 0;
    }
    return TZ_OK;
}

void tz_system_free(tz_system *system) {
    tz_poly_free(&system->poly);
}

tz_status tz_system_copy(tz_system *ret, const tz_system *system) {
    *ret = *system;
    return tz_poly_copy(&ret->poly, &system->poly) ? TZ_OK : TZ_NO_MEMORY;
}

tz_status tz_system_add(tz_system *system, const tz_form *form, tz_relation relation) {
    int64_t row[TZ_SYSTEM_COLUMNS + 1];
    to_row(system, form, row);
    return tz_poly_add(&system->poly, row, relation == TZ_EQ) ? TZ_OK : TZ_NO_MEMORY;
}

tz_status tz_system_add_domain(tz_system *system, const tz_domain *domain, const tz_form *index,
                               unsigned rank) {
    for (uint32_t c = 0; c < domain->count; c++) {
        if (domain->at[c].relation == TZ_NE)
            continue;
        tz_form form = domain->at[c].form;
        if (index != NULL && !tz_form_compose(&form, &form, index, rank))
            return TZ_TOO_LARGE;
        tz_status status = tz_system_add(system, &form, domain->at[c].relation);
        if (status != TZ_OK)
            return status;
    }
    return TZ_OK;
}

tz_status tz_system_given(tz_system *system, unsigned g, const tz_form *form) {
    int64_t row[TZ_SYSTEM_COLUMNS + 1];
    to_row(system, form, row);
    row[1 + system->lengths + g] = -1;
    return tz_poly_add(&system->poly, row, true) ? TZ_OK : TZ_NO_MEMORY;
}

tz_lp tz_system_minimum(const tz_system *system, const tz_form *form, int64_t *ret_minimum) {
    int64_t row[TZ_SYSTEM_COLUMNS + 1], num, den;
    to_row(system, form, row);
    tz_lp lp = tz_poly_minimise(&system->poly, row, &num, &den);
    if (lp == TZ_LP_OPTIMUM)
        *ret_minimum = tz_ceil_div(num, den);
    return lp;
}

tz_status tz_system_tidy(tz_system *system) {
    return tz_lp_status(tz_poly_tidy(&system->poly));
}

tz_status tz_system_exclude(tz_system *system, const tz_form *form, bool *ret_changed) {
    for (int sign = 1; sign >= -1; sign -= 2) {
        tz_form signed_form = *form;
        signed_form.constant *= sign;
        for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
            signed_form.length[l] = (int16_t)(signed_form.length[l] * sign);
        for (unsigned c = 0; c < TZ_MAX_COLUMNS; c++)
            signed_form.column[c] = (int16_t)(signed_form.column[c] * sign);
        int64_t minimum;
        tz_lp lp = tz_system_minimum(system, &signed_form, &minimum);
        if (lp == TZ_LP_NO_MEMORY)
            return TZ_NO_MEMORY;
        if (lp == TZ_LP_EMPTY)
            return TZ_NONE;
        if (lp != TZ_LP_OPTIMUM || minimum != 0)
            continue;
        signed_form.constant -= 1;
        *ret_changed = true;
        return tz_system_add(system, &signed_form, TZ_GE);
    }
    return TZ_OK;
}
