/* items.h - every item of a rule set, one after the other. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_ITEMS_H
#define TZ_TESTS_SUPPORT_ITEMS_H

#include "rules/table.h"

/* Calls visit for every index of every item's domain, in order. */
typedef void (*item_visit)(void *user, unsigned item, const int32_t *index);
void each_item(const tz_rules *rules, const int32_t *lengths, item_visit visit, void *user);

#endif
