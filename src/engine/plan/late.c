/* late.c - rules of which tracing finds own uses late: in a fold that is multiplied by only after
 * a premise has been gone through. SPDX-License-Identifier: MIT */
#include "engine/plan/late.h"
#include "base/arena.h"

/* Is a weight of the step's, or of its folds', found after some item? */
static bool is_late(const tz_plan *plan, const tz_bound_step *step, bool *item) {
    bool late = false;
    for (unsigned t = 0; t < step->terms; t++)
        late |= step->term[t].what == TZ_WEIGHT && *item;
    for (unsigned t = 0; t < step->terms; t++) {
        const tz_bound_term *term = &step->term[t];
        if (term->what == TZ_WEIGHT)
            continue;
        if (term->which < plan->rules->items)
            *item = true;
        else
            late |= is_late(plan, &plan->trace[plan->rules->kind[term->which].inside], item);
    }
    return late;
}

tz_status tz_find_late(tz_plan *plan) {
    const tz_rules *rules = plan->rules;
    uint16_t *step = tz_arena_array(plan->arena, rules->rule_count + 1u, sizeof *step);
    bool late = false;
    if (step == NULL)
        return TZ_NO_MEMORY;
    for (unsigned s = 0; s < rules->steps; s++) {
        bool item = false;
        if (rules->step[s].target.which >= rules->items)
            continue;
        step[rules->step[s].rule] = (uint16_t)s;
        late |= is_late(plan, &plan->trace[s], &item);
    }
    plan->late = late ? step : NULL;
    return TZ_OK;
}
