/* make.c - a plan, made of its parts.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/fail.h"
#include "base/modes.h"
#include "engine/plan/compose.h"
#include "engine/plan/late.h"
#include "engine/plan/strips.h"
#include "engine/plan/tangents.h"
#include "engine/plan/traits.h"
#include "rules/tell/cost.h"
#include "semirings/own.h"

/* The stages of a closure are computed one after the other. */
static bool may_bundle(const tz_plan *plan, const tz_bound_step *step) {
    const tz_rules *rules = plan->rules;
    const tz_group *group = &rules->group[rules->kind[step->target.which].group];
    return group->closeds == 0 && group->stages == 1 && tz_step_bundles(step, plan);
}

/* Which outside steps of a kind are computed for several stages together. One whose operands all
 * lie in other groups is summed whole when the first stage of its four is due, and at its own stage
 * where a short sentence does not have that one: so nothing that waits for its own stage may come
 * before it, or the order of a target's sum would depend on the lengths beside it. */
static void bundle_outside(tz_plan *plan, const tz_kind *kind) {
    bool waits = false;
    for (unsigned s = kind->outside; s < (unsigned)kind->outside + kind->outsides; s++) {
        tz_bound_step *step = &plan->outside[s];
        bool within = false; /* the group has operands of it */
        for (unsigned t = 0; t < step->terms; t++)
            within |= step->term[t].stage != NULL;
        step->bundles = may_bundle(plan, step) && (within || !waits);
        waits |= within || !step->bundles;
    }
}

/* glibc gives free memory at the top of the heap back to the system beyond 128 KB, and takes it
 * again for the next chart: half the time of a middling one's first call. Once a block has been
 * freed that was large enough to be mapped, it keeps up to twice its size (mallopt(3),
 * M_MMAP_THRESHOLD); not where the program has set such bounds itself. */
static bool let_memory_stay(void) {
#ifdef __GLIBC__
    void *volatile block = malloc(1 << 20);
    free(block);
    return block != NULL;
#else
    return true;
#endif
}

tz_status tz_plan_new(const tz_rules *rules, const tz_semiring *semiring, unsigned flags,
                      tz_plan **ret_plan, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    *ret_plan = NULL;
    if (rules == NULL || semiring == NULL)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "there is no %s",
                       rules == NULL ? "rule set" : "semiring");
    tz_plan *plan = let_memory_stay() ? calloc(1, sizeof *plan) : NULL;
    if (plan == NULL)
        return tz_fail(opt_error, TZ_NO_MEMORY, "%s", tz_status_name(TZ_NO_MEMORY));
    plan->rules = rules;
    plan->plain = (flags & TZ_PLAIN) != 0;
    tz_status status = tz_algebra_take(&plan->wide, semiring, flags, opt_error);
    plan->has_narrow =
        status == TZ_OK && plan->wide.kernels->narrow != NULL && !(semiring->laws & TZ_PATH);
    if (plan->has_narrow)
        status = tz_algebra_take(&plan->narrow, plan->wide.kernels->narrow, flags, opt_error);
    if (status == TZ_OK && !(semiring->laws & TZ_COMMUTATIVE))
        status = tz_fail(opt_error, TZ_LAW,
                         "semiring %s does not declare that times is commutative, and plans "
                         "reorder products",
                         semiring->name);
    if (status == TZ_OK && rules->ambiguous && !(semiring->laws & TZ_IDEMPOTENT) &&
        !(flags & TZ_FORCE))
        status = tz_fail(
            opt_error, TZ_AMBIGUOUS,
            "rule set %s is ambiguous: some structures have several derivations, and the sum of "
            "semiring %s is not idempotent (a + a is not a), so it would count them more than "
            "once; use an unambiguous rule set or a semiring such as max, or force it",
            rules->name, semiring->name);
    if (status == TZ_OK && semiring->mark != NULL && semiring != tz_semiring_uses(TZ_F32) &&
        tz_has_closures(rules))
        status =
            tz_fail(opt_error, TZ_LAW,
                    "semiring %s counts required cells, and rule set %s has a closure, where a "
                    "derivation may go round and use one any number of times",
                    semiring->name, rules->name);
    if (status != TZ_OK) {
        free(plan);
        return status;
    }
    plan->arena = tz_arena_new();
    status = plan->arena == NULL ? TZ_NO_MEMORY : TZ_OK;
    if (status == TZ_OK)
        status = tz_compose_steps(plan, rules->step, rules->steps, false, &plan->inside);
    if (status == TZ_OK)
        status = tz_compose_steps(plan, rules->outside_step, rules->outside_steps, false,
                                  &plan->outside);
    if (status == TZ_OK)
        status = tz_compose_steps(plan, rules->weight_step, rules->weight_steps, false,
                                  &plan->weight_pass);
    if (status == TZ_OK)
        status = tz_compose_steps(plan, rules->step, rules->steps, true, &plan->trace);
    if (status == TZ_OK)
        status = tz_strip_plan_new(plan);
    if (status == TZ_OK)
        status = tz_find_late(plan);
    if (status != TZ_OK) {
        tz_plan_free(plan);
        return tz_fail(opt_error, status, "%s: %s", rules->name, tz_status_name(status));
    }
    plan->growing = tz_stages_grow(rules);
    plan->convex = tz_loops_convex(rules);
    plan->nested = tz_cells_nest(rules);
    plan->ends = tz_uses_end(rules);
    plan->exact = tz_exact_limit(rules, semiring);
    for (unsigned s = 0; s < rules->steps; s++)
        if (rules->step[s].has_split && rules->step[s].shared_lengths != TZ_ALL_LENGTHS)
            plan->shared_lengths |= rules->step[s].shared_lengths & (uint8_t)~1u;
    for (unsigned s = 0; s < rules->steps; s++)
        plan->inside[s].bundles = may_bundle(plan, &plan->inside[s]);
    for (unsigned k = 0; k < rules->kinds; k++)
        bundle_outside(plan, &rules->kind[k]);
    if (semiring->multiples != NULL && semiring->share != NULL)
        status = tz_bind_tangents(plan);
    if (status != TZ_OK) {
        tz_plan_free(plan);
        return tz_fail(opt_error, status, "%s: %s", rules->name, tz_status_name(status));
    }
    if (semiring->mark != NULL) {
        plan->uses = plan;
        if (semiring != tz_semiring_uses(TZ_F32))
            status = tz_plan_new(rules, tz_semiring_uses(TZ_F32), flags, &plan->uses, opt_error);
        if (status != TZ_OK) {
            tz_plan_free(plan);
            return status;
        }
    }
    *ret_plan = plan;
    return TZ_OK;
}

void tz_plan_free(tz_plan *plan) {
    if (plan == NULL)
        return;
    if (plan->uses != plan)
        tz_plan_free(plan->uses);
    tz_arena_free(plan->arena);
    free(plan);
}

tz_isa tz_plan_isa(const tz_plan *plan) {
    return plan->has_narrow ? plan->narrow.isa : plan->wide.isa;
}

tz_status tz_plan_products(const tz_plan *plan, const int32_t *lengths, double *ret_products) {
    TZ_DEFAULT_MODES;
    if (plan == NULL)
        return TZ_BAD_ARGUMENT;
    for (unsigned l = 0; l < plan->rules->lengths; l++)
        if (lengths[l] < 0 || lengths[l] > TZ_MAX_LENGTH)
            return TZ_BAD_ARGUMENT;
    return tz_rules_products(plan->rules, lengths, ret_products);
}
