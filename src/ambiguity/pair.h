/* pair.h - two derivations of one structure. SPDX-License-Identifier: MIT */
#ifndef TZ_AMBIGUITY_PAIR_H
#define TZ_AMBIGUITY_PAIR_H

#include "ambiguity/trial.h"

typedef struct tz_pair {
    int32_t lengths[TZ_MAX_LENGTHS];
    size_t uses, nodes[2];
    tz_use *use;      /* of both; weights are those that rules multiply by */
    tz_node *node[2]; /* their proof trees */
} tz_pair;

void tz_pair_free(tz_pair *pair);
/* Are the uses of two derivations the same? */
bool tz_same_uses(const tz_use *one, size_t uses, const tz_use *other, size_t others);

/* Looks among the best derivations of the trial, whose rules are `by place`, for two of one
 * structure: of the structure with these uses, or if opt_use is NULL of any. TZ_NONE: no two that
 * were looked at have the same structure. TZ_NO_MEMORY. */
tz_status tz_pair_find(const tz_trial *trial, const tz_use *opt_use, size_t uses, tz_pair *ret);

#endif
