/* nest.h - makes loops that visit the points of a system, and ranges of its variables. Functions
 * return TZ_OK, TZ_NO_MEMORY, TZ_TOO_LARGE (numbers do not fit) or TZ_NONE (no point).
 * SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_POLYHEDRA_NEST_H
#define TZ_RULES_POLYHEDRA_NEST_H

#include "base/arena.h"
#include "rules/polyhedra/system.h"

/* A direction through the variables, for the two innermost loops. */
typedef struct tz_nest_shape {
    /* Moves every variable by run[v] for each step of the innermost loop; NULL: no run. */
    const int8_t *run;
    int base;  /* the free variable, of those that the run moves, whose loop it takes; or -1 */
    int split; /* the variable whose loop stands around the run, or -1 */
} tz_nest_shape;

/* Variables that remain loops once the equations are solved, as a bit set: what `run` and `split`
 * can be made of. basis[v] (over the variables; [variables]) expresses each variable by the free
 * ones, lengths left out. */
tz_status tz_system_free_variables(const tz_system *system, uint32_t *ret_free, tz_form *basis);

/* Loops over every integer point, outermost in order of the variables, the split and run last.
 * shape may be NULL. TZ_NONE if there is no point for any lengths. */
tz_status tz_nest_build(const tz_system *system, const tz_nest_shape *shape, tz_arena *arena,
                        tz_nest *ret_nest);

/* Range of a form over the indices of a domain, as bounds over lengths. TZ_NONE likewise. */
tz_status tz_range_build(const tz_domain *domain, unsigned rank, const tz_form *form,
                         unsigned lengths, tz_arena *arena, tz_range *ret_range);

/* The projection onto the kept variables (a bit set) as constraints whose columns are the kept
 * ones, in order. TZ_NONE likewise. */
tz_status tz_domain_build(const tz_system *system, uint32_t keep, tz_arena *arena,
                          tz_domain *ret_domain);

#endif
