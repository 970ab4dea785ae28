/* stages.h - the loops over the stages of a group. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_STAGES_H
#define TZ_ENGINE_PASS_STAGES_H

#include "engine/engine.h"

/* The kinds first .. end-1 of a group's order, which share the loops over the components of their
 * stages before some level. A part of them that is one kind with no more components is that kind;
 * any other shares the next loop. */
typedef struct tz_part {
    unsigned first, end;
} tz_part;

/* The first part of the kinds first .. end-1 at a level, or the last one. */
tz_part tz_part_at(const tz_group *group, unsigned first, unsigned end, unsigned level, bool last);

/* Is the part one kind that has all its loops around it? */
static inline bool tz_is_kind(const tz_rules *rules, const tz_group *group, tz_part part,
                              unsigned level) {
    return rules->kind[group->kind[part.first]].stages == level;
}

/* Widens *low .. *high by a component of the stages of a part, for these lengths. */
void tz_stages_widen(const tz_rules *rules, const tz_group *group, tz_part part, unsigned level,
                     const int32_t *length, int64_t *low, int64_t *high);
/* The same where the chart's pass computes only new items: for kinds that have some, from the stage
 * at which these begin. */
void tz_stages_widen_newer(const tz_chart *chart, const tz_group *group, tz_part part,
                           unsigned level, int64_t *low, int64_t *high);

#endif
