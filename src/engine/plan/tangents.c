/* tangents.c - steps by which the tangents of values are computed: how inside, outside and weight
 * values change where the scores move.
 *
 * Every value is a sum of products, so by the product rule its tangent is the same sum with one
 * term of each product, in turn, replaced by that term's tangent: forward-mode differentiation,
 * dual numbers whose second parts have a space of their own. From each step of a pass there follow
 * as many as it has terms, which go through the same loops, blocks and kernels.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/arena.h"
#include "engine/plan/tangents.h"

/* How many terms the step's targets change with: a presence stays one or zero. */
static unsigned factors(const tz_plan *plan, const tz_bound_step *step) {
    return tz_is_presence(plan->rules, step->step) ? 0 : step->terms;
}

static tz_status derive(tz_plan *plan, const tz_bound_step *step, unsigned steps, tz_pass pass) {
    size_t count = 0;
    for (unsigned s = 0; s < steps; s++)
        count += factors(plan, &step[s]);
    tz_bound_step *tangent = tz_arena_array(plan->arena, count, sizeof *tangent);
    uint32_t *first = tz_arena_array(plan->arena, steps + 1u, sizeof *first);
    if (tangent == NULL || first == NULL)
        return TZ_NO_MEMORY;
    plan->tangent[pass] = tangent;
    plan->tangent_first[pass] = first;
    for (unsigned s = 0; s < steps; s++) {
        first[s + 1] = first[s] + factors(plan, &step[s]);
        for (unsigned moved = 0; moved < factors(plan, &step[s]); moved++) {
            tz_bound_step *to = &tangent[first[s] + moved];
            tz_bound_term *term = tz_arena_array(plan->arena, step[s].terms, sizeof *term);
            if (term == NULL)
                return TZ_NO_MEMORY;
            memcpy(term, step[s].term, step[s].terms * sizeof *term);
            term[moved].tangent = true;
            *to = step[s];
            to->term = term;
            to->target.tangent = true;
        }
    }
    return TZ_OK;
}

tz_status tz_bind_tangents(tz_plan *plan) {
    const tz_rules *rules = plan->rules;
    tz_status status = derive(plan, plan->inside, rules->steps, TZ_PASS_INSIDE);
    if (status == TZ_OK)
        status = derive(plan, plan->outside, rules->outside_steps, TZ_PASS_OUTSIDE);
    if (status == TZ_OK)
        status = derive(plan, plan->weight_pass, rules->weight_steps, TZ_PASS_WEIGHTS);
    return status;
}
