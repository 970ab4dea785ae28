/* system.h - systems of constraints over the variables of a rule. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_POLYHEDRA_SYSTEM_H
#define TZ_RULES_POLYHEDRA_SYSTEM_H

#include "rules/polyhedra/form.h"
#include "rules/polyhedra/polyhedron.h"

/* Constraints over lengths (>= 0), givens and variables, in this order of columns.
 * Functions return TZ_OK, TZ_NO_MEMORY, TZ_TOO_LARGE (numbers do not fit) or TZ_NONE (no point). */
typedef struct tz_system {
    unsigned lengths, givens, variables;
    tz_poly poly;
} tz_system;

/* The most columns of a system. */
enum { TZ_SYSTEM_COLUMNS = TZ_MAX_LENGTHS + TZ_MAX_COLUMNS + TZ_MAX_VARIABLES };
/* The column of a variable. */
static inline unsigned tz_system_column(const tz_system *system, unsigned variable) {
    return system->lengths + system->givens + variable;
}

tz_status tz_system_init(tz_system *system, unsigned lengths, unsigned givens, unsigned variables);
void tz_system_free(tz_system *system);
tz_status tz_system_copy(tz_system *ret, const tz_system *system);
/* Adds form >= 0 or form = 0 (not TZ_NE); the form's columns are the variables. */
tz_status tz_system_add(tz_system *system, const tz_form *form, tz_relation relation);
/* Adds every constraint of the domain but TZ_NE ones, with column q of the domain replaced by
 * index[q] (over the variables); index NULL: the columns are the variables. */
tz_status tz_system_add_domain(tz_system *system, const tz_domain *domain, const tz_form *index,
                               unsigned rank);
/* Adds given g = form over the variables. */
tz_status tz_system_given(tz_system *system, unsigned g, const tz_form *form);
/* TZ_NONE for an empty system, TZ_TOO_LARGE for an undecided one, TZ_NO_MEMORY; else TZ_OK. */
tz_status tz_lp_status(tz_lp lp);
/* Least value of the form over the rational points, rounded up. */
tz_lp tz_system_minimum(const tz_system *system, const tz_form *form, int64_t *ret_minimum);
/* TZ_NONE if there is no point. */
tz_status tz_system_tidy(tz_system *system);

/* Uses form != 0 where the form has one sign: *ret_changed becomes true if the system is smaller
 * now. TZ_NONE: the system is empty (the form may be 0 everywhere). TZ_NO_MEMORY. */
tz_status tz_system_exclude(tz_system *system, const tz_form *form, bool *ret_changed);

#endif
