/* closure.c - items that need one another in a circle: which steps stay within a stage.
 *
 * A closure is a linear system: at one stage, the values of its items are x = M x + b. So a rule
 * may have one premise at the stage of its conclusion; its step is cut into the instances that stay
 * there, which make M, and the others, which make b with all other steps. To the rest of the
 * compiler both are steps like any; the engine solves where they would be evaluated.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "rules/compile/step.h"

bool tz_is_closure(const tz_draft *draft, unsigned kind) {
    return kind < draft->rules->items && draft->rules->item[kind].closure;
}

/* Do target and term t belong to one closure? */
static bool closes(const tz_draft *draft, const tz_draft_step *step, unsigned t) {
    return step->term[t].what == TZ_INSIDE && tz_is_closure(draft, step->term[t].which) &&
           tz_is_closure(draft, step->target.which) &&
           draft->kind[step->term[t].which].group == draft->kind[step->target.which].group;
}

/* How much later the target is than term t, in component s of the stage. */
static tz_status gain(const tz_draft *draft, const tz_draft_step *step, unsigned t, unsigned s,
                      tz_form *ret) {
    const tz_term *term = &step->term[t];
    return tz_stage_difference(step, term, &draft->kind[term->which].stage[s],
                               &draft->kind[step->target.which].stage[s], ret)
               ? TZ_OK
               : TZ_TOO_LARGE;
}

/* Has the step instances? TZ_OK or TZ_NONE. */
static tz_status has_instances(const tz_draft *draft, const tz_draft_step *step) {
    tz_system system;
    tz_status status = tz_step_hull(draft, step, &system);
    if (status == TZ_OK) {
        status = tz_system_tidy(&system);
        tz_system_free(&system);
    }
    return status;
}

/* The step where the form is 0, or (TZ_GE) at least 1; TZ_NONE: nowhere. */
static tz_status restrict_to(tz_draft *draft, const tz_draft_step *from, const tz_form *form,
                             tz_relation relation, tz_draft_step *ret) {
    const tz_constraint *old = from->constraint;
    *ret = *from;
    ret->constraint = tz_arena_array(draft->arena, from->constraints + 1u, sizeof *old);
    if (ret->constraint == NULL)
        return TZ_NO_MEMORY;
    if (ret->constraints > 0)
        memcpy(ret->constraint, old, ret->constraints * sizeof *old);
    if (relation == TZ_GE || tz_form_has_columns(form) || tz_form_has_lengths(form) ||
        form->constant != 0) {
        tz_constraint *added = &ret->constraint[ret->constraints++];
        *added = (tz_constraint){.form = *form, .relation = relation};
        added->form.constant -= relation == TZ_GE;
    }
    return has_instances(draft, ret);
}

/* ---- Which rules ----------------------------------------------------------------------------- */

/* Has the step instances with term t at the stage of the target? TZ_OK or TZ_NONE. */
static tz_status may_stay(tz_draft *draft, const tz_draft_step *step, unsigned t) {
    const unsigned stages = draft->group[draft->kind[step->target.which].group].stages;
    tz_draft_step stays = *step;
    tz_status status = TZ_OK;
    for (unsigned s = 0; s < stages && status == TZ_OK; s++) {
        tz_form form;
        status = gain(draft, step, t, s, &form);
        if (status == TZ_OK)
            status = restrict_to(draft, &stays, &form, TZ_EQ, &stays);
    }
    return status;
}

tz_status tz_find_unshared(tz_draft *draft) {
    tz_rules *rules = draft->rules;
    const tz_rule *joined = rules->rule;
    const unsigned steps = draft->steps;
    draft->unshared = NULL;
    if (!tz_has_closures(rules))
        return TZ_OK;
    bool *unshared = tz_arena_array(draft->arena, rules->rule_count, sizeof *unshared);
    tz_status status = unshared != NULL ? TZ_OK : TZ_NO_MEMORY;
    for (unsigned r = 0; r < rules->rule_count && status == TZ_OK; r++) {
        tz_raw_step whole = tz_whole_rule(&rules->rule[r]);
        unshared[r] = false;
        status = tz_add_step(draft, &whole);
    }
    rules->rule = draft->written; /* as cycles are told */
    if (status == TZ_OK)
        status = tz_order(draft);
    rules->rule = joined;
    for (unsigned i = steps; i < draft->steps && status == TZ_OK; i++) {
        const tz_draft_step *step = &draft->step[i];
        draft->at = &rules->rule[step->rule];
        for (unsigned t = 0; t < step->terms && status == TZ_OK; t++) {
            if (!closes(draft, step, t))
                continue;
            status = may_stay(draft, step, t);
            unshared[step->rule] |= status == TZ_OK;
            status = status == TZ_NONE ? TZ_OK : status;
        }
    }
    draft->steps = steps;
    draft->groups = 0;
    draft->unshared = unshared;
    return status;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

typedef struct cutting {
    tz_draft *draft;
    tz_draft_step *step; /* [TZ_MAX_STEPS] */
    unsigned steps;
} cutting;

static tz_status keep(cutting *c, const tz_draft_step *step) {
    if (c->steps == TZ_MAX_STEPS)
        return tz_too_many(c->draft, &c->draft->rules->rule[step->rule], "rules");
    c->step[c->steps++] = *step;
    return TZ_OK;
}

/* Cuts off what stays with term t or a later one; the stage of the others' terms is lower. */
static tz_status cut(cutting *c, const tz_draft_step *step, unsigned t) {
    tz_draft *draft = c->draft;
    while (t < step->terms && !closes(draft, step, t))
        t++;
    if (t == step->terms)
        return keep(c, step);
    tz_status status = may_stay(draft, step, t);
    if (status == TZ_NONE)
        return cut(c, step, t + 1);
    const unsigned stages = draft->group[draft->kind[step->target.which].group].stages;
    tz_draft_step stays = *step, later;
    for (unsigned s = 0; s < stages && status == TZ_OK; s++) {
        tz_form form;
        status = gain(draft, step, t, s, &form);
        if (status == TZ_OK)
            status = restrict_to(draft, &stays, &form, TZ_GE, &later);
        if (status == TZ_OK)
            status = cut(c, &later, t + 1);
        if (status == TZ_OK || status == TZ_NONE)
            status = restrict_to(draft, &stays, &form, TZ_EQ, &stays);
    }
    stays.within = (uint8_t)(t + 1);
    return status == TZ_OK ? keep(c, &stays) : status;
}

/* The kinds of a group that are solved for together, if there are any: order.c has put them side by
 * side. */
static void mark(const tz_draft *draft, tz_group *group) {
    bool any = false;
    for (unsigned i = 0; i < draft->steps && !any; i++)
        any = draft->step[i].within > 0 &&
              &draft->group[draft->kind[draft->step[i].target.which].group] == group;
    for (uint16_t k = group->kinds; any && k-- > 0;)
        if (tz_is_closure(draft, group->kind[k])) {
            group->closed = k;
            group->closeds++;
        }
}

tz_status tz_cut_closures(tz_draft *draft) {
    if (!tz_has_closures(draft->rules))
        return TZ_OK;
    cutting c = {.draft = draft, .step = calloc(TZ_MAX_STEPS, sizeof *c.step)};
    tz_status status = c.step != NULL ? TZ_OK : TZ_NO_MEMORY;
    for (unsigned i = 0; i < draft->steps && status == TZ_OK; i++) {
        draft->at = &draft->rules->rule[draft->step[i].rule];
        status = cut(&c, &draft->step[i], 0);
    }
    if (status == TZ_OK) {
        memcpy(draft->step, c.step, c.steps * sizeof *c.step);
        draft->steps = c.steps;
        for (unsigned g = 0; g < draft->groups; g++)
            mark(draft, &draft->group[g]);
    }
    free(c.step);
    return status;
}
