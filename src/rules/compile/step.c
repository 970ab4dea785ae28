/* step.c - from terms of a rule to a step of the draft, and what a step and its terms are.
 *
 * SPDX-License-Identifier: MIT */
#include "rules/compile/step.h"

#include <string.h>

#include "rules/message.h"
#include "rules/polyhedra/prove.h"

/* One cut by a `!=` can make room for another, as with i != 0, i != 1. */
enum { MAX_PASSES = 4 };

uint32_t tz_form_variables(const tz_form *form) {
    uint32_t set = 0;
    for (unsigned v = 0; v < TZ_MAX_VARIABLES; v++)
        if (form->column[v] != 0)
            set |= 1u << v;
    return set;
}

uint32_t tz_term_variables(const tz_term *term) {
    uint32_t set = 0;
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        set |= tz_form_variables(&term->index[q]);
    return set;
}

unsigned tz_term_rank(const tz_draft *draft, const tz_term *term) {
    return term->what == TZ_WEIGHT ? draft->rules->weight[term->which].rank
                                   : draft->kind[term->which].rank;
}

const tz_domain *tz_term_domain(const tz_draft *draft, const tz_term *term) {
    return term->what == TZ_WEIGHT ? &draft->rules->weight[term->which].domain
                                   : &draft->kind[term->which].domain;
}

tz_status tz_step_system(const tz_draft *draft, const tz_draft_step *step, unsigned givens,
                         tz_system *ret_system) {
    tz_status status = tz_system_init(ret_system, draft->rules->lengths, givens, step->variables);
    for (uint32_t c = 0; status == TZ_OK && c < step->constraints; c++)
        if (step->constraint[c].relation != TZ_NE)
            status =
                tz_system_add(ret_system, &step->constraint[c].form, step->constraint[c].relation);
    if (status != TZ_OK)
        tz_system_free(ret_system);
    return status;
}

tz_status tz_step_hull(const tz_draft *draft, const tz_draft_step *step, tz_system *ret_system) {
    tz_status status = tz_step_system(draft, step, 0, ret_system);
    if (status != TZ_OK)
        return status;
    bool changed = true;
    for (unsigned pass = 0; pass < MAX_PASSES && changed && status == TZ_OK; pass++) {
        changed = false;
        for (uint32_t c = 0; status == TZ_OK && c < step->constraints; c++)
            if (step->constraint[c].relation == TZ_NE)
                status = tz_system_exclude(ret_system, &step->constraint[c].form, &changed);
    }
    if (status != TZ_OK)
        tz_system_free(ret_system);
    return status;
}

/* ---- From a rule to a step ------------------------------------------------------------------- */

bool tz_renumber_form(tz_form *form, const int8_t *number) {
    tz_form old = *form;
    memset(form->column, 0, sizeof form->column);
    for (unsigned v = 0; v < TZ_MAX_VARIABLES; v++) {
        if (old.column[v] == 0)
            continue;
        if (number[v] < 0)
            return false;
        form->column[number[v]] = old.column[v];
    }
    return true;
}

bool tz_renumber_term(tz_term *term, const int8_t *number) {
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        if (!tz_renumber_form(&term->index[q], number))
            return false;
    return true;
}

/* Numbers the variables of a set in order of appearance. */
static unsigned number_set(uint32_t set, int8_t *number) {
    unsigned count = 0;
    for (unsigned v = 0; v < TZ_MAX_VARIABLES; v++)
        number[v] = set & 1u << v ? (int8_t)count++ : -1;
    return count;
}

tz_status tz_too_many(tz_draft *draft, const tz_rule *rule, const char *what) {
    return tz_bad_rules(draft->error, draft->file, rule->line, 1,
                        "too many %s at rule \"%s\": split the rule set in two", what, rule->name);
}

static tz_status add_constraints(tz_draft_step *step, const tz_domain *domain, const tz_form *index,
                                 unsigned rank, const int8_t *number) {
    for (uint32_t c = 0; c < domain->count; c++) {
        tz_constraint *to = &step->constraint[step->constraints];
        to->relation = domain->at[c].relation;
        to->form = domain->at[c].form;
        if (index != NULL && !tz_form_compose(&to->form, &to->form, index, rank))
            return TZ_TOO_LARGE;
        if (tz_renumber_form(&to->form, number))
            step->constraints++;
    }
    return TZ_OK;
}

static tz_status make_step(const tz_draft *draft, const tz_raw_step *p, tz_arena *arena,
                           tz_draft_step *step) {
    const tz_rules *rules = draft->rules;
    *step = (tz_draft_step){.rule = (uint16_t)(p->rule - rules->rule), .target = p->target};
    uint32_t set = tz_term_variables(&p->target);
    size_t room = tz_term_domain(draft, &p->target)->count;
    for (unsigned t = 0; t < p->terms; t++) {
        set |= tz_term_variables(p->term[t]);
        room += tz_term_domain(draft, p->term[t])->count;
    }
    for (unsigned d = 0; d < p->domains; d++) {
        room += p->domain[d].count;
        for (uint32_t c = 0; c < p->domain[d].count; c++)
            if ((tz_form_variables(&p->domain[d].at[c].form) & p->drop) == 0)
                set |= tz_form_variables(&p->domain[d].at[c].form);
    }
    int8_t number[TZ_MAX_VARIABLES];
    step->variables = (uint8_t)number_set(set, number);
    for (unsigned v = 0; v < p->rule->variables; v++)
        if (number[v] >= 0)
            step->variable_name[number[v]] = p->rule->variable_name[v];
    step->term = tz_arena_array(arena, p->terms, sizeof *step->term);
    step->constraint = tz_arena_array(arena, room, sizeof *step->constraint);
    if (step->term == NULL || step->constraint == NULL)
        return TZ_NO_MEMORY;

    tz_status status = add_constraints(step, tz_term_domain(draft, &p->target), p->target.index,
                                       tz_term_rank(draft, &p->target), number);
    for (unsigned t = 0; status == TZ_OK && t < p->terms; t++)
        status = add_constraints(step, tz_term_domain(draft, p->term[t]), p->term[t]->index,
                                 tz_term_rank(draft, p->term[t]), number);
    for (unsigned d = 0; status == TZ_OK && d < p->domains; d++)
        status = add_constraints(step, &p->domain[d], NULL, 0, number);
    if (status != TZ_OK)
        return status;
    for (int sparse = 1; sparse >= 0; sparse--)
        for (unsigned t = 0; t < p->terms; t++) {
            bool is_sparse =
                p->term[t]->what == TZ_WEIGHT && rules->weight[p->term[t]->which].sparse;
            if (is_sparse != (sparse == 1))
                continue;
            step->term[step->terms] = *p->term[t];
            tz_renumber_term(&step->term[step->terms++], number);
            step->sparse += (uint8_t)sparse;
        }
    tz_renumber_term(&step->target, number);
    return TZ_OK;
}

tz_status tz_add_step(tz_draft *draft, const tz_raw_step *p) {
    if (draft->steps == TZ_MAX_STEPS)
        return tz_too_many(draft, p->rule, "rules");
    tz_status status = make_step(draft, p, draft->arena, &draft->step[draft->steps]);
    if (status == TZ_OK)
        draft->steps++;
    return status;
}

tz_raw_step tz_whole_rule(const tz_rule *rule) {
    tz_raw_step whole = {.rule = rule, .target = rule->conclusion, .domain = {rule->condition}};
    whole.domains = 1;
    for (unsigned p = 0; p < rule->premises; p++)
        whole.term[whole.terms++] = &rule->premise[p];
    for (unsigned s = 0; s < rule->sides; s++)
        whole.term[whole.terms++] = &rule->side[s];
    for (unsigned w = 0; w < rule->weights; w++)
        whole.term[whole.terms++] = &rule->weight[w];
    return whole;
}

tz_status tz_rule_step(const tz_draft *draft, const tz_rule *rule, tz_arena *arena,
                       tz_draft_step *ret) {
    tz_raw_step whole = tz_whole_rule(rule);
    return make_step(draft, &whole, arena, ret);
}
