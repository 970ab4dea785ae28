/* compose.c - steps with their index expressions composed down to the columns of their loops.
 * SPDX-License-Identifier: MIT */
#include "engine/plan/compose.h"
#include "base/arena.h"
#include "engine/plan/ties.h"
#include "engine/plan/traits.h"

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

/* The stage of each operand that is computed together with the target. */
static tz_status bind_stages(tz_plan *plan, tz_bound_step *bound) {
    const tz_rules *rules = plan->rules;
    if (bound->step->target.what == TZ_WEIGHT)
        return TZ_OK;
    const uint16_t group = rules->kind[bound->target.which].group;
    if (rules->group[group].stages != 1)
        return TZ_OK;
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

tz_status tz_compose_steps(tz_plan *plan, const tz_step *step, unsigned steps, bool trace,
                           tz_bound_step **ret) {
    tz_bound_step *bound = tz_arena_array(plan->arena, steps, sizeof *bound);
    if (bound == NULL)
        return TZ_NO_MEMORY;
    for (unsigned s = 0; s < steps; s++) {
        const tz_nest *nest = trace ? &step[s].trace : &step[s].nest;
        bound[s] = (tz_bound_step){
            .step = &step[s],
            .nest = nest,
            .terms = trace && tz_is_presence(plan->rules, &step[s]) ? 0 : step[s].terms,
            .growing = tz_nest_grows(nest)};
        if (!trace && step[s].has_split && step[s].has_run)
            bound[s].edged = tz_nest_edged(nest, nest->givens + nest->loops - 2u);
        bound[s].stages = step[s].stages;
        bound[s].term = tz_arena_array(plan->arena, step[s].terms, sizeof *bound[s].term);
        if (bound[s].term == NULL)
            return TZ_NO_MEMORY;
        if (step[s].terms > TZ_MAX_TERMS)
            return TZ_TOO_LARGE;
        tz_status status =
            bind_term(plan, &step[s].target, nest, &step[s], !trace, &bound[s].target);
        for (unsigned t = 0; t < bound[s].terms && status == TZ_OK; t++)
            status = bind_term(plan, &step[s].term[t], nest, &step[s], !trace, &bound[s].term[t]);
        if (status == TZ_OK)
            status = tz_bind_ties(plan, &bound[s]);
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

void tz_term_order(const tz_plan *plan, const tz_step *step, uint8_t *ret_order) {
    const tz_bound_step *bound = &plan->inside[step - plan->rules->step];
    for (int inner = 1; inner >= 0; inner--)
        for (unsigned t = 0; t < step->terms; t++)
            if (bound->term[t].inner == (inner == 1))
                *ret_order++ = (uint8_t)t;
}
