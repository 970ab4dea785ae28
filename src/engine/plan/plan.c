/* plan.c - rules x semiring: index expressions composed down to the columns of the loops.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "engine/ask/trace.h"
#include "engine/chart/bind.h"
#include "engine/pass/pass.h"
#include "rules/tell/cost.h"

/* ---- Composition --------------------------------------------------------------------------------
 */

static tz_status bind_term(tz_plan *plan, const tz_term *term, const tz_nest *nest,
                           const tz_step *step, bool in_pass, tz_bound_term *ret) {
    const tz_rules *rules = plan->rules;
    bool weight = term->what == TZ_WEIGHT;
    const tz_kind *kind = weight ? NULL : &rules->kind[term->which];
    unsigned rank = weight ? rules->weight[term->which].rank : kind->rank;
    tz_form *index = tz_arena_array(plan->arena, rank, sizeof *index);
    tz_form *coordinate = tz_arena_array(plan->arena, rank, sizeof *coordinate);
    const tz_form *layout = weight ? rules->weight[term->which].coordinate : kind->coordinate;
    if (index == NULL || coordinate == NULL)
        return TZ_NO_MEMORY;
    for (unsigned q = 0; q < rank; q++)
        if (!tz_form_compose(&index[q], &term->index[q], nest->variable, nest->variables))
            return TZ_TOO_LARGE;
    *ret = (tz_bound_term){.what = term->what,
                           .which = term->which,
                           .rank = (uint8_t)rank,
                           .still = true,
                           .index = index,
                           .coordinate = coordinate};
    unsigned columns = (unsigned)nest->givens + nest->loops;
    for (unsigned q = 0; q < rank && in_pass; q++) {
        if (step->has_run)
            ret->still &= index[q].column[columns - 1] == 0;
        if (step->has_split)
            ret->inner |= index[q].column[columns - 1u - step->has_run] != 0;
    }
    ret->address = (uint32_t)plan->addresses++;
    for (unsigned c = 0; c < rank; c++)
        if (!tz_form_compose(&coordinate[c], &layout[c], index, rank))
            return TZ_TOO_LARGE;
    if (!weight)
        return TZ_OK;
    const tz_domain *domain = &rules->weight[term->which].domain;
    tz_constraint *constraint = tz_arena_array(plan->arena, domain->count, sizeof *constraint);
    if (constraint == NULL)
        return TZ_NO_MEMORY;
    for (uint32_t c = 0; c < domain->count; c++) {
        constraint[c].relation = domain->at[c].relation;
        if (!tz_form_compose(&constraint[c].form, &domain->at[c].form, index, rank))
            return TZ_TOO_LARGE;
    }
    ret->constraint = constraint;
    ret->constraints = domain->count;
    return TZ_OK;
}

/* Do bounds only ever widen when a length grows? */
static bool range_grows(const tz_range *range) {
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++) {
        for (unsigned b = 0; b < range->lowers; b++)
            if (range->lower[b].form.length[l] > 0)
                return false;
        for (unsigned b = 0; b < range->uppers; b++)
            if (range->upper[b].form.length[l] < 0)
                return false;
    }
    return true;
}

bool tz_domain_grows(const tz_domain *domain) {
    for (uint32_t c = 0; c < domain->count; c++)
        for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++) {
            int16_t grows = domain->at[c].form.length[l];
            if (grows < 0 || (grows > 0 && domain->at[c].relation != TZ_GE))
                return false;
        }
    return true;
}

static bool nest_grows(const tz_nest *nest) {
    if (!tz_domain_grows(&nest->entry))
        return false;
    for (unsigned q = 0; q < nest->loops; q++)
        if (!range_grows(&nest->range[q]))
            return false;
    return true;
}

/* Is all that lengths bound a largest index? Then the shape tells where the domain ends. */
static bool domain_nests(const tz_domain *domain) {
    bool nests = tz_domain_grows(domain);
    for (uint32_t c = 0; c < domain->count; c++) {
        const tz_form *form = &domain->at[c].form;
        unsigned upper = 0, columns = 0;
        for (unsigned q = 0; q < TZ_MAX_RANK; q++) {
            upper += form->column[q] < 0;
            columns += form->column[q] != 0;
        }
        nests &= !tz_form_has_lengths(form) || (upper == 1 && columns == 1);
    }
    return nests;
}

static bool ranges_grow(const tz_range *range, unsigned count) {
    bool grow = true;
    for (unsigned q = 0; q < count; q++)
        grow &= range_grows(&range[q]);
    return grow;
}

/* Are the cells used for shorter lengths among those used for longer ones? */
static bool uses_nest(const tz_weight *weight) {
    bool nest = true;
    for (unsigned u = 0; u < weight->uses; u++) {
        nest &= nest_grows(&weight->used[u]);
        for (unsigned q = 0; q < weight->rank; q++)
            nest &= !tz_form_has_lengths(&weight->used[u].variable[q]);
    }
    return nest;
}

/* See tz_plan.nested. */
static bool cells_nest(const tz_rules *rules) {
    bool nest = true;
    for (unsigned k = 0; k < rules->kinds; k++)
        nest &= ranges_grow(rules->kind[k].coordinate_range, rules->kind[k].rank);
    for (unsigned w = 0; w < rules->weights; w++) {
        const tz_weight *weight = &rules->weight[w];
        nest &= weight->sparse || (ranges_grow(weight->coordinate_range, weight->rank) &&
                                   domain_nests(&weight->domain) && uses_nest(weight));
    }
    return nest;
}

/* The stage of each operand that is computed together with the target. */
static tz_status bind_stages(tz_plan *plan, tz_bound_step *bound) {
    const tz_rules *rules = plan->rules;
    if (bound->stages != 1)
        return TZ_OK;
    uint16_t group = rules->kind[bound->target.which].group;
    for (unsigned t = 0; t < bound->terms; t++) {
        tz_bound_term *term = &bound->term[t];
        if (term->what != bound->target.what || rules->kind[term->which].group != group)
            continue;
        tz_form *stage = tz_arena_array(plan->arena, 1, sizeof *stage);
        if (stage == NULL)
            return TZ_NO_MEMORY;
        if (!tz_form_compose(stage, &rules->kind[term->which].stage[0], term->index, term->rank))
            return TZ_TOO_LARGE;
        term->stage = stage;
    }
    return TZ_OK;
}

static tz_status bind_steps(tz_plan *plan, const tz_step *step, unsigned steps, bool trace,
                            tz_bound_step **ret) {
    tz_bound_step *bound = tz_arena_array(plan->arena, steps, sizeof *bound);
    if (bound == NULL)
        return TZ_NO_MEMORY;
    for (unsigned s = 0; s < steps; s++) {
        const tz_nest *nest = trace ? &step[s].trace : &step[s].nest;
        bound[s] = (tz_bound_step){
            .step = &step[s], .nest = nest, .terms = step[s].terms, .growing = nest_grows(nest)};
        if (!trace && step[s].has_split && step[s].has_run)
            bound[s].edged = tz_nest_edged(nest, nest->givens + nest->loops - 2u);
        if (step[s].target.what != TZ_WEIGHT)
            bound[s].stages =
                plan->rules->group[plan->rules->kind[step[s].target.which].group].stages;
        bound[s].term = tz_arena_array(plan->arena, step[s].terms, sizeof *bound[s].term);
        if (bound[s].term == NULL)
            return TZ_NO_MEMORY;
        if (step[s].terms > TZ_MAX_TERMS)
            return TZ_TOO_LARGE;
        tz_status status =
            bind_term(plan, &step[s].target, nest, &step[s], !trace, &bound[s].target);
        for (unsigned t = 0; t < step[s].terms && status == TZ_OK; t++)
            status = bind_term(plan, &step[s].term[t], nest, &step[s], !trace, &bound[s].term[t]);
        if (status != TZ_OK)
            return status;
    }
    for (unsigned s = 0; s < steps && !trace; s++) {
        tz_status status = bind_stages(plan, &bound[s]);
        if (status != TZ_OK)
            return status;
    }
    *ret = bound;
    return TZ_OK;
}

tz_status tz_plan_new(const tz_rules *rules, const tz_semiring *semiring, unsigned flags,
                      tz_plan **ret_plan, tz_error *opt_error) {
    *ret_plan = NULL;
    tz_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return tz_fail(opt_error, TZ_NO_MEMORY, "%s", tz_status_name(TZ_NO_MEMORY));
    plan->rules = rules;
    plan->plain = (flags & TZ_PLAIN) != 0;
    tz_status status = tz_algebra_take(&plan->wide, semiring, flags, opt_error);
    plan->has_narrow = status == TZ_OK && plan->wide.kernels->narrow != NULL &&
                       !(semiring->laws & TZ_PATH) && semiring->inputs == 0;
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
    if (status != TZ_OK) {
        free(plan);
        return status;
    }
    plan->arena = tz_arena_new();
    status = plan->arena == NULL ? TZ_NO_MEMORY : TZ_OK;
    if (status == TZ_OK)
        status = bind_steps(plan, rules->step, rules->steps, false, &plan->inside);
    if (status == TZ_OK)
        status = bind_steps(plan, rules->outside_step, rules->outside_steps, false, &plan->outside);
    if (status == TZ_OK)
        status =
            bind_steps(plan, rules->weight_step, rules->weight_steps, false, &plan->weight_pass);
    if (status == TZ_OK)
        status = bind_steps(plan, rules->step, rules->steps, true, &plan->trace);
    if (status == TZ_OK)
        status = tz_trace_plan_new(plan);
    if (status != TZ_OK) {
        tz_plan_free(plan);
        return tz_fail(opt_error, status, "%s: %s", rules->name, tz_status_name(status));
    }
    plan->growing = true;
    for (unsigned k = 0; k < rules->kinds; k++)
        plan->growing &=
            ranges_grow(rules->kind[k].stage_range, rules->group[rules->kind[k].group].stages);
    plan->nested = cells_nest(rules);
    for (unsigned s = 0; s < rules->steps; s++)
        if (rules->step[s].has_split && rules->step[s].shared_lengths != TZ_ALL_LENGTHS)
            plan->shared_lengths |= rules->step[s].shared_lengths & (uint8_t)~1u;
    for (unsigned s = 0; s < rules->steps; s++)
        plan->inside[s].bundles = tz_step_bundles(&plan->inside[s], plan);
    for (unsigned s = 0; s < rules->outside_steps; s++)
        plan->outside[s].bundles = tz_step_bundles(&plan->outside[s], plan);
    if (semiring->multiples != NULL && semiring->share != NULL)
        status = tz_bind_tangents(plan);
    if (status != TZ_OK) {
        tz_plan_free(plan);
        return tz_fail(opt_error, status, "%s: %s", rules->name, tz_status_name(status));
    }
    if (semiring->mark != NULL) {
        plan->uses = plan;
        if (semiring != &tz_semiring_uses_f32)
            status = tz_plan_new(rules, &tz_semiring_uses_f32, flags, &plan->uses, opt_error);
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

void tz_term_order(const tz_plan *plan, const tz_step *step, uint8_t *ret_order) {
    const tz_bound_step *bound = &plan->inside[step - plan->rules->step];
    for (int inner = 1; inner >= 0; inner--)
        for (unsigned t = 0; t < step->terms; t++)
            if (bound->term[t].inner == (inner == 1))
                *ret_order++ = (uint8_t)t;
}

tz_isa tz_plan_isa(const tz_plan *plan) {
    return plan->has_narrow ? plan->narrow.isa : plan->wide.isa;
}

tz_status tz_plan_products(const tz_plan *plan, const int32_t *lengths, double *ret_products) {
    for (unsigned l = 0; l < plan->rules->lengths; l++)
        if (lengths[l] < 0 || lengths[l] > TZ_MAX_LENGTH)
            return TZ_BAD_ARGUMENT;
    return tz_rules_products(plan->rules, lengths, ret_products);
}
