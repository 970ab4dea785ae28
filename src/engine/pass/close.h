/* close.h - solves closures, the fast way. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_CLOSE_H
#define TZ_ENGINE_PASS_CLOSE_H

#include "engine/engine.h"

/* Does the step of a pass, or of its tangents, use a value that is solved for together with its
 * target? Then it is not part of b. */
static inline bool tz_is_within(const tz_bound_step *step, bool tangents) {
    return step->step->within > 0 && (!tangents || step->term[step->step->within - 1].tangent);
}

/* Solves a group's closure at a stage, in all lanes: inside, outside, or the tangents of either,
 * when all other steps have been added. TZ_DIVERGES, TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_close(tz_chart *chart, const tz_group *group, const int64_t *stage, tz_pass pass);

#endif
