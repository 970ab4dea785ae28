/* ambiguity.h - looks for ambiguity in a rule set that does not declare it: compares all
 * derivations of small lengths, and random ones of larger lengths. SPDX-License-Identifier: MIT */
#ifndef TZ_AMBIGUITY_AMBIGUITY_H
#define TZ_AMBIGUITY_AMBIGUITY_H

#include "ambiguity/draw.h"

typedef struct tz_doubt {
    tz_exploring where;
    tz_explored explored;
    tz_drawn drawn;
    bool ambiguous;
} tz_doubt;

/* Takes a quick look, some hundredths of a second, at a rule set that declares neither `ambiguous`
 * nor that its structures are derivations. TZ_NO_MEMORY; *ret is to be freed in any case. */
tz_status tz_doubt_look(const tz_rules *rules, tz_doubt *ret);
void tz_doubt_free(tz_doubt *doubt);
/* "with n = 13, 2 derivations have one structure". Truncates. */
void tz_doubt_text(const tz_rules *rules, const tz_doubt *doubt, char *ret_text, size_t size);

#endif
