/* amounts.h - how much of a resource the derivations of an item can use.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_TRANSFORM_AMOUNTS_H
#define TZ_RULES_TRANSFORM_AMOUNTS_H

#include "rules/table.h"

/* Every derivation of the item uses an amount with least <= amount <= most. Columns: the item's
 * indices. An amount without a known bound is still at least 0, as all charges are. */
typedef struct tz_amounts {
    tz_form least, most;
    bool has_least, has_most;
} tz_amounts;

/* Finds bounds for each item that hold for all lengths: they are guessed from small lengths and
 * proved by induction over the rules; those without a proof are left out. ret: one per item. Fails
 * with TZ_NO_MEMORY only. */
tz_status tz_find_amounts(const tz_rules *rules, unsigned resource, tz_amounts *ret);

/* The sum of the amounts that the weights among the terms use; its columns are those of their
 * indices. False where a coefficient does not fit. */
bool tz_terms_charge(const tz_rules *rules, unsigned resource, const tz_term *term, unsigned terms,
                     tz_form *ret_charge);

#endif
