/* prove.c - emptiness, bounds and signs by linear programs over the rationals; unequal pairs are
 * used where they cut off a face. SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/polyhedra/prove.h"

/* One cut can make room for another, as with i != 0, i != 1; beyond this, possible is assumed. */
enum { TZ_MAX_PASSES = 4 };

tz_status tz_assumptions_add(tz_assumptions *assumed, const tz_domain *domain, const tz_term *from,
                             unsigned rank) {
    for (uint32_t c = 0; c < domain->count; c++) {
        tz_constraint new = domain->at[c];
        if (from != NULL && !tz_form_compose(&new.form, &new.form, from->index, rank))
            return TZ_TOO_LARGE;
        unsigned f = 0;
        while (f < assumed->count &&
               (assumed->known[f].constraint.relation != new.relation ||
                !tz_form_equal(&assumed->known[f].constraint.form, &new.form)))
            f++;
        if (f == TZ_MAX_ASSUMPTIONS)
            return TZ_TOO_LARGE;
        if (f == assumed->count)
            assumed->known[assumed->count++] = (struct tz_known){new, &domain->at[c], from};
    }
    return TZ_OK;
}

/* The assumptions as a system without TZ_NE; TZ_NONE if it is empty. Free it in any case. */
static tz_status make_system(const tz_assumptions *assumed, tz_system *ret_system) {
    tz_status status = tz_system_init(ret_system, assumed->lengths, 0, assumed->columns);
    for (unsigned f = 0; f < assumed->count && status == TZ_OK; f++) {
        const tz_constraint *c = &assumed->known[f].constraint;
        if (c->relation != TZ_NE)
            status = tz_system_add(ret_system, &c->form, c->relation);
    }
    if (status == TZ_OK)
        status = tz_system_tidy(ret_system);
    bool changed = true;
    for (unsigned pass = 0; pass < TZ_MAX_PASSES && changed && status == TZ_OK; pass++) {
        changed = false;
        for (unsigned f = 0; f < assumed->count && status == TZ_OK; f++)
            if (assumed->known[f].constraint.relation == TZ_NE)
                status =
                    tz_system_exclude(ret_system, &assumed->known[f].constraint.form, &changed);
        if (changed && status == TZ_OK)
            status = tz_system_tidy(ret_system);
    }
    return status;
}

tz_status tz_assumptions_possible(const tz_assumptions *assumed) {
    tz_system system;
    tz_status status = make_system(assumed, &system);
    tz_system_free(&system);
    return status == TZ_TOO_LARGE ? TZ_OK : status;
}

tz_status tz_assumptions_clash(tz_assumptions *assumed) {
    struct tz_known *known = assumed->known;
    for (unsigned f = 0; f < assumed->count;) {
        struct tz_known spared = known[f];
        assumed->count--;
        memmove(&known[f], &known[f + 1], (assumed->count - f) * sizeof known[0]);
        tz_status status = tz_assumptions_possible(assumed);
        if (status == TZ_NO_MEMORY)
            return status;
        if (status == TZ_NONE)
            continue;
        memmove(&known[f + 1], &known[f], (assumed->count - f) * sizeof known[0]);
        assumed->count++;
        known[f++] = spared;
    }
    return TZ_OK;
}

tz_status tz_assumptions_bounded(const tz_assumptions *assumed, unsigned column, int sign) {
    tz_system cone; /* directions to infinity for fixed lengths */
    tz_status status = tz_system_init(&cone, 0, 0, assumed->columns);
    for (unsigned f = 0; f < assumed->count && status == TZ_OK; f++) {
        tz_form form = assumed->known[f].constraint.form;
        tz_relation relation = assumed->known[f].constraint.relation;
        form.constant = 0;
        if (relation != TZ_NE)
            status = tz_system_add(&cone, &form, relation);
    }
    if (status == TZ_OK) {
        tz_form objective = {0};
        int64_t minimum;
        objective.column[column] = (int16_t)-sign;
        tz_lp lp = tz_system_minimum(&cone, &objective, &minimum);
        status = lp == TZ_LP_UNBOUNDED   ? TZ_NONE
                 : lp == TZ_LP_NO_MEMORY ? TZ_NO_MEMORY
                 : lp == TZ_LP_OVERFLOW  ? TZ_TOO_LARGE
                                         : TZ_OK;
    }
    tz_system_free(&cone);
    return status;
}

tz_status tz_assumptions_at_least_0(const tz_assumptions *assumed, const tz_form *form) {
    tz_system system;
    tz_status status = make_system(assumed, &system);
    if (status == TZ_OK) {
        int64_t minimum = 0;
        tz_lp lp = tz_system_minimum(&system, form, &minimum);
        status = lp == TZ_LP_UNBOUNDED || minimum < 0 ? TZ_NONE
                 : lp == TZ_LP_NO_MEMORY              ? TZ_NO_MEMORY
                 : lp == TZ_LP_OVERFLOW               ? TZ_TOO_LARGE
                                                      : TZ_OK;
    } else if (status == TZ_NONE) {
        status = TZ_OK;
    }
    tz_system_free(&system);
    return status;
}
