/* ambiguity.h - is a rule set ambiguous that does not say so? All derivations of small lengths are
 * told apart, and derivations of longer ones are drawn. SPDX-License-Identifier: MIT */
#ifndef TZ_AMBIGUITY_AMBIGUITY_H
#define TZ_AMBIGUITY_AMBIGUITY_H

#include "ambiguity/draw.h"

typedef struct tz_doubt {
    tz_exploring where;
    tz_explored explored;
    tz_drawn drawn;
    bool ambiguous;
} tz_doubt;

/* A quick look, of some hundredths of a second, at a rule set that says neither that it is
 * ambiguous nor that derivations are what is counted. TZ_NO_MEMORY; to be freed in any case. */
tz_status tz_doubt_look(const tz_rules *rules, tz_doubt *ret);
void tz_doubt_free(tz_doubt *doubt);
/* "with n = 13, 2 derivations have one structure". Truncates. */
void tz_doubt_text(const tz_rules *rules, const tz_doubt *doubt, char *ret_text, size_t size);

#endif
