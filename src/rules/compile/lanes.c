/* lanes.c - which steps can be computed for lanes of different lengths at once.
 *
 * Lanes go through the loops of the longest lengths. An instance that a shorter lane lacks must add
 * nothing there: some operand is zero, for weights are outside their domains, and so are items. Or
 * it adds to an item that the lane lacks: this one then holds what means nothing (it spills), and
 * is no zero where it is an operand. That is good where other operands are zero wherever it is
 * read, as a fold whose products are multiplied by the word at a position, or where only such items
 * are reached by it, as a state after the last word that goes on and on. So items are let spill
 * beyond the bounds of some lengths where more steps can be computed at once, and none fewer.
 *
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/compile/draft.h"

/* Of inside and outside values of kinds: the lengths whose bounds items may lie beyond (bit l) and
 * hold something, all others being kept. */
typedef struct spilling {
    uint8_t of[2][TZ_MAX_KINDS];
} spilling;

static uint8_t spills(const spilling *s, const tz_term *term) {
    return term->what != TZ_WEIGHT ? s->of[term->what == TZ_OUTSIDE][term->which] : 0;
}

static uint8_t lengths_of(const tz_form *form) {
    uint8_t set = 0;
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        set |= (uint8_t)((form->length[l] != 0) << l);
    return set;
}

/* A constraint of a term's domain over the step's variables. */
static tz_status constraint_of(const tz_draft *draft, const tz_term *term, uint32_t c,
                               tz_constraint *ret) {
    *ret = tz_term_domain(draft, term)->at[c];
    return tz_form_compose(&ret->form, &ret->form, term->index, tz_term_rank(draft, term))
               ? TZ_OK
               : TZ_TOO_LARGE;
}

/* The constraints of a term's domain but those that mention such lengths. */
static tz_status add_domain(const tz_draft *draft, const tz_term *term, uint8_t but,
                            tz_system *to) {
    const tz_domain *domain = tz_term_domain(draft, term);
    tz_status status = TZ_OK;
    for (uint32_t c = 0; c < domain->count && status == TZ_OK; c++) {
        tz_constraint constraint;
        if (domain->at[c].relation == TZ_NE || (lengths_of(&domain->at[c].form) & but) != 0)
            continue;
        status = constraint_of(draft, term, c, &constraint);
        if (status == TZ_OK)
            status = tz_system_add(to, &constraint.form, constraint.relation);
    }
    return status;
}

/* The points where no operand is zero for sure, under the constraints that mention no other lengths
 * than `given`. */
static tz_status taken_points(const tz_draft *draft, const tz_draft_step *step, const spilling *s,
                              uint8_t given, tz_system *ret) {
    tz_status status = tz_system_init(ret, draft->rules->lengths, 0, step->variables);
    for (unsigned t = 0; status == TZ_OK && t < step->terms; t++)
        status = add_domain(draft, &step->term[t], spills(s, &step->term[t]), ret);
    for (uint32_t c = 0; status == TZ_OK && c < step->constraints; c++)
        if ((lengths_of(&step->constraint[c].form) & ~given) == 0)
            status = tz_system_add(ret, &step->constraint[c].form, step->constraint[c].relation);
    return status;
}

/* Adds the lengths of a constraint that does not follow at these points, where it mentions others
 * than `given`. */
static tz_status follow(const tz_system *points, const tz_constraint *constraint, uint8_t given,
                        uint8_t *shared) {
    int64_t least;
    const uint8_t lengths = lengths_of(&constraint->form);
    if ((lengths & ~given) == 0)
        return TZ_OK;
    const tz_lp lp = tz_system_minimum(points, &constraint->form, &least);
    const bool follows =
        lp == TZ_LP_EMPTY || (lp == TZ_LP_OPTIMUM && least >= 0 && constraint->relation == TZ_GE);
    *shared |= follows ? 0 : lengths;
    return lp == TZ_LP_NO_MEMORY ? TZ_NO_MEMORY : TZ_OK;
}

/* Which of the constraints that mention other lengths than `shared` have to hold, and do not
 * follow? Adds the lengths of these: of what the target's domain keeps where it spills; then, where
 * the target is an item, of all. */
static tz_status follow_all(const tz_draft *draft, const tz_draft_step *step, const spilling *s,
                            uint8_t *shared) {
    tz_system points;
    const uint8_t given = *shared, beyond = spills(s, &step->target);
    tz_status status = taken_points(draft, step, s, given, &points);
    const uint32_t kept = beyond != 0 ? tz_term_domain(draft, &step->target)->count : 0;
    for (uint32_t c = 0; status == TZ_OK && c < kept; c++) {
        tz_constraint constraint;
        status = constraint_of(draft, &step->target, c, &constraint);
        if (status == TZ_OK && (lengths_of(&constraint.form) & beyond) == 0)
            status = follow(&points, &constraint, given, shared);
    }
    if (status == TZ_OK && beyond != 0)
        status = add_domain(draft, &step->target, 0, &points);
    for (uint32_t c = 0; status == TZ_OK && c < step->constraints; c++)
        status = follow(&points, &step->constraint[c], given, shared);
    tz_system_free(&points);
    return status;
}

/* Do addresses or stages depend on a length, so that lanes stand at different items? */
static bool stands_elsewhere(const tz_draft *draft, const tz_draft_step *step) {
    for (unsigned t = 0; t <= step->terms; t++) {
        const tz_term *term = t < step->terms ? &step->term[t] : &step->target;
        for (unsigned q = 0; q < TZ_MAX_RANK; q++)
            if (tz_form_has_lengths(&term->index[q]))
                return true;
    }
    for (unsigned s = 0; s < step->stages; s++)
        if (tz_form_has_lengths(&draft->kind[step->target.which].stage[s]))
            return true;
    return false;
}

/* Which lengths must lanes share to share the step's loops? */
static tz_status find_lengths(const tz_draft *draft, const tz_draft_step *step, const spilling *s,
                              uint8_t *ret) {
    *ret = TZ_ALL_LENGTHS;
    if (stands_elsewhere(draft, step))
        return TZ_OK;
    uint8_t before, shared = 0;
    tz_status status;
    do {
        before = shared;
        status = follow_all(draft, step, s, &shared);
    } while (status == TZ_OK && shared != before);
    *ret = shared;
    return status;
}

/* ---- All steps ------------------------------------------------------------------------------- */

/* Step i of all of the table, with its loops; *ret_made: without. NULL: there are no more. */
static tz_step *step_at(const tz_draft *draft, unsigned i, const tz_draft_step **ret_made) {
    const tz_rules *rules = draft->rules;
    const tz_step *const step[] = {rules->step, rules->outside_step, rules->weight_step};
    const unsigned count[] = {rules->steps, rules->outside_steps, rules->weight_steps};
    for (unsigned sort = 0; sort < TZ_SORTS; i -= count[sort++])
        if (i < count[sort]) {
            *ret_made = &draft->made[sort][i];
            return (tz_step *)&step[sort][i];
        }
    return NULL;
}

static bool may_spill(const tz_draft *draft, const tz_term *target) {
    return target->what != TZ_WEIGHT && !draft->kind[target->which].presence &&
           !tz_is_closure(draft, target->which);
}

static bool reads_any(const tz_draft_step *step, const spilling *s) {
    bool any = spills(s, &step->target);
    for (unsigned t = 0; t < step->terms; t++)
        any |= spills(s, &step->term[t]);
    return any;
}

/* Lets the targets spill by which steps have fewer lengths to share; whether any more does. */
static tz_status let_spill(const tz_draft *draft, spilling *s, bool *ret_more) {
    const tz_draft_step *made;
    tz_status status = TZ_OK;
    *ret_more = false;
    for (unsigned i = 0; status == TZ_OK; i++) {
        const tz_step *step = step_at(draft, i, &made);
        if (step == NULL)
            break;
        uint8_t without = step->shared_lengths, with;
        if (!may_spill(draft, &made->target) || without == TZ_ALL_LENGTHS)
            continue;
        if (reads_any(made, s))
            status = find_lengths(draft, made, s, &without);
        if (status != TZ_OK || without == 0)
            continue;
        uint8_t *spill = &s->of[made->target.what == TZ_OUTSIDE][made->target.which];
        const uint8_t before = *spill;
        *spill |= without;
        status = find_lengths(draft, made, s, &with);
        *spill = before | (uint8_t)(without & ~with);
        *ret_more |= *spill != before;
    }
    return status;
}

/* What a step reads or makes lies no more beyond these lengths; if it did not, beyond none. */
static void hold(const tz_draft_step *step, spilling *s, uint8_t lengths) {
    uint8_t all = 0;
    for (unsigned t = 0; t <= step->terms; t++)
        all |= spills(s, t < step->terms ? &step->term[t] : &step->target);
    for (unsigned t = 0; t <= step->terms; t++) {
        const tz_term *term = t < step->terms ? &step->term[t] : &step->target;
        if (term->what != TZ_WEIGHT)
            s->of[term->what == TZ_OUTSIDE][term->which] &=
                (all & lengths) != 0 ? (uint8_t)~lengths : 0;
    }
}

/* The lengths of steps where items spill. *ret_held: some step had more to share than without, and
 * fewer items spill now. */
static tz_status find_spilled(const tz_draft *draft, spilling *s, bool *ret_held) {
    const tz_draft_step *made;
    tz_step *step;
    tz_status status = TZ_OK;
    *ret_held = false;
    for (unsigned i = 0; status == TZ_OK && (step = step_at(draft, i, &made)) != NULL; i++) {
        step->spilled_lengths = step->shared_lengths;
        if (reads_any(made, s) && step->shared_lengths != TZ_ALL_LENGTHS)
            status = find_lengths(draft, made, s, &step->spilled_lengths);
        const uint8_t worse = step->spilled_lengths & (uint8_t)~step->shared_lengths;
        if (worse != 0)
            hold(made, s, worse);
        *ret_held |= worse != 0;
    }
    return status;
}

tz_status tz_find_lanes(tz_draft *draft) {
    spilling s = {{{0}}};
    const tz_draft_step *made;
    tz_step *step;
    tz_status status = TZ_OK;
    bool more = true, held = true;
    for (unsigned i = 0; status == TZ_OK && (step = step_at(draft, i, &made)) != NULL; i++)
        status = find_lengths(draft, made, &s, &step->shared_lengths);
    while (status == TZ_OK && more)
        status = let_spill(draft, &s, &more);
    while (status == TZ_OK && held)
        status = find_spilled(draft, &s, &held);
    return status;
}
