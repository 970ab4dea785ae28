/* prove.h - proofs about domains and conditions for all lengths at once. SPDX-License-Identifier:
 * MIT */
#ifndef TZ_RULES_POLYHEDRA_PROVE_H
#define TZ_RULES_POLYHEDRA_PROVE_H

#include "rules/polyhedra/system.h"

enum { TZ_MAX_ASSUMPTIONS = 256 };

/* A conjunction over columns (the indices of a declaration, the variables of a rule), and the term
 * that each part comes from. */
typedef struct tz_assumptions {
    unsigned lengths, columns, count;
    struct tz_known {
        tz_constraint constraint;
        const tz_constraint *declared; /* as it stands in the domain */
        const tz_term *from;           /* NULL: not from a term */
    } known[TZ_MAX_ASSUMPTIONS];
} tz_assumptions;

/* Adds a domain with its column q replaced by from->index[q]; as it stands if from is NULL. What is
 * already there is left out. TZ_TOO_LARGE when there are too many or numbers do not fit. */
tz_status tz_assumptions_add(tz_assumptions *assumed, const tz_domain *domain, const tz_term *from,
                             unsigned rank);

/* TZ_NONE: no integers >= 0 for the lengths, and integers for the columns, satisfy the assumptions.
 * TZ_OK where that is not proved. TZ_NO_MEMORY. */
tz_status tz_assumptions_possible(const tz_assumptions *assumed);
/* Reduces impossible assumptions to a minimal subset that cannot hold together. */
tz_status tz_assumptions_clash(tz_assumptions *assumed);
/* Is the column bounded above (sign 1) or below (sign -1) for any given lengths? TZ_NONE if not,
 * TZ_TOO_LARGE if that is undecided, TZ_NO_MEMORY. The assumptions must be possible. */
tz_status tz_assumptions_bounded(const tz_assumptions *assumed, unsigned column, int sign);
/* Is the form at least 0 wherever the assumptions hold? Results as for tz_assumptions_bounded. */
tz_status tz_assumptions_at_least_0(const tz_assumptions *assumed, const tz_form *form);

#endif
