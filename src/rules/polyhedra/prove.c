/* prove.c - emptiness, bounds and signs by linear programs over the rationals; unequal pairs are
 * used where they cut off a face. SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/polyhedra/prove.h"

/* One cut can make room for another, as with i != 0, i != 1; beyond this, possible is assumed. */
enum { TZ_MAX_PASSES = 4 };

tz_status tz_facts_add(tz_facts *facts, const tz_domain *domain, const tz_term *from,
                       unsigned rank) {
    for (uint32_t c = 0; c < domain->count; c++) {
        tz_constraint new = domain->at[c];
        if (from != NULL && !tz_form_compose(&new.form, &new.form, from->index, rank))
            return TZ_TOO_LARGE;
        unsigned f = 0;
        while (f < facts->count && (facts->fact[f].constraint.relation != new.relation ||
                                    !tz_form_equal(&facts->fact[f].constraint.form, &new.form)))
            f++;
        if (f == TZ_MAX_FACTS)
            return TZ_TOO_LARGE;
        if (f == facts->count)
            facts->fact[facts->count++] = (struct tz_known){new, &domain->at[c], from};
    }
    return TZ_OK;
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

/* The facts as a system without TZ_NE; TZ_NONE if it is empty. Free it in any case. */
static tz_status make_system(const tz_facts *facts, tz_system *ret_system) {
    tz_status status = tz_system_init(ret_system, facts->lengths, 0, facts->columns);
    for (unsigned f = 0; f < facts->count && status == TZ_OK; f++) {
        const tz_constraint *c = &facts->fact[f].constraint;
        if (c->relation != TZ_NE)
            status = tz_system_add(ret_system, &c->form, c->relation);
    }
    if (status == TZ_OK)
        status = tz_system_tidy(ret_system);
    bool changed = true;
    for (unsigned pass = 0; pass < TZ_MAX_PASSES && changed && status == TZ_OK; pass++) {
        changed = false;
        for (unsigned f = 0; f < facts->count && status == TZ_OK; f++)
            if (facts->fact[f].constraint.relation == TZ_NE)
                status = tz_system_exclude(ret_system, &facts->fact[f].constraint.form, &changed);
        if (changed && status == TZ_OK)
            status = tz_system_tidy(ret_system);
    }
    return status;
}

tz_status tz_facts_possible(const tz_facts *facts) {
    tz_system system;
    tz_status status = make_system(facts, &system);
    tz_system_free(&system);
    return status == TZ_TOO_LARGE ? TZ_OK : status;
}

tz_status tz_facts_clash(tz_facts *facts) {
    struct tz_known *fact = facts->fact;
    for (unsigned f = 0; f < facts->count;) {
        struct tz_known spared = fact[f];
        facts->count--;
        memmove(&fact[f], &fact[f + 1], (facts->count - f) * sizeof fact[0]);
        tz_status status = tz_facts_possible(facts);
        if (status == TZ_NO_MEMORY)
            return status;
        if (status == TZ_NONE)
            continue;
        memmove(&fact[f + 1], &fact[f], (facts->count - f) * sizeof fact[0]);
        facts->count++;
        fact[f++] = spared;
    }
    return TZ_OK;
}

tz_status tz_facts_bounded(const tz_facts *facts, unsigned column, int sign) {
    tz_system cone; /* directions to infinity for fixed lengths */
    tz_status status = tz_system_init(&cone, 0, 0, facts->columns);
    for (unsigned f = 0; f < facts->count && status == TZ_OK; f++) {
        tz_form form = facts->fact[f].constraint.form;
        tz_relation relation = facts->fact[f].constraint.relation;
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

tz_status tz_facts_at_least_0(const tz_facts *facts, const tz_form *form) {
    tz_system system;
    tz_status status = make_system(facts, &system);
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
