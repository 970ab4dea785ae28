/* charge.h - the text behind tz_rules_charge. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_CHARGE_H
#define TZ_RULES_CHARGE_H

#include "rules/table.h"

/* The charged rule set as a rule file, with or without bounds of the amounts but for 0 and the
 * total; *ret_text is to be freed, NULL on failure. Errors as for tz_rules_charge. */
tz_status tz_charge_text(const tz_rules *rules, const char *resource, bool bounded, char **ret_text,
                         size_t *ret_size, tz_error *opt_error);

#endif
