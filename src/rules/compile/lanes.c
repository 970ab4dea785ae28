/* lanes.c - which steps can be computed for lanes of different lengths at once.
 *
 * Lanes go through the loops of the longest lengths. An instance that a shorter lane lacks must add
 * nothing there: some operand is zero, for weights are outside their domains, and so are items. Or
 * it adds to an item that the lane lacks: this one then holds what means nothing (it spills), and
 * is no zero where it is an operand. That is good where other operands are zero wherever it is
 * read, as a fold whose products are multiplied by the word at a position, or where only such items
 * are reached by it, as a state after the last word that goes on and on. So items are let spill
 * where more steps can be computed at once, and none fewer.
 *
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/compile/draft.h"

/* Inside and outside values of kinds that spill. */
typedef struct spilling {
    bool of[2][TZ_MAX_KINDS];
} spilling;

static bool spills(const spilling *s, const tz_term *term) {
    return term->what != TZ_WEIGHT && s->of[term->what == TZ_OUTSIDE][term->which];
}

static uint8_t lengths_of(const tz_form *form) {
    uint8_t set = 0;
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        set |= (uint8_t)((form->length[l] != 0) << l);
    return set;
}

static tz_status add_domain(const tz_draft *draft, const tz_term *term, tz_system *to) {
    return tz_system_add_domain(to, tz_term_domain(draft, term), term->index,
                                tz_term_rank(draft, term));
}

/* The points where no operand is zero for sure, and where the target is an item if it matters what
 * others hold; under the constraints that mention no other lengths than `given`. */
static tz_status taken_points(const tz_draft *draft, const tz_draft_step *step, const spilling *s,
                              uint8_t given, tz_system *ret) {
    tz_status status = tz_system_init(ret, draft->rules->lengths, 0, step->variables);
    for (unsigned t = 0; status == TZ_OK && t < step->terms; t++)
        if (!spills(s, &step->term[t]))
            status = add_domain(draft, &step->term[t], ret);
    if (status == TZ_OK && spills(s, &step->target))
        status = add_domain(draft, &step->target, ret);
    for (uint32_t c = 0; status == TZ_OK && c < step->constraints; c++)
        if ((lengths_of(&step->constraint[c].form) & ~given) == 0)
            status = tz_system_add(ret, &step->constraint[c].form, step->constraint[c].relation);
    return status;
}

/* Which constraints that mention other lengths than `shared` do not follow at these points? Adds
 * the lengths of these. */
static tz_status follow(const tz_draft *draft, const tz_draft_step *step, const spilling *s,
                        uint8_t *shared) {
    tz_system system;
    const uint8_t given = *shared;
    tz_status status = taken_points(draft, step, s, given, &system);
    for (uint32_t c = 0; status == TZ_OK && c < step->constraints; c++) {
        int64_t least;
        if ((lengths_of(&step->constraint[c].form) & ~given) == 0)
            continue;
        tz_lp lp = tz_system_minimum(&system, &step->constraint[c].form, &least);
        bool follows = lp == TZ_LP_EMPTY ||
                       (lp == TZ_LP_OPTIMUM && least >= 0 && step->constraint[c].relation == TZ_GE);
        *shared |= follows ? 0 : lengths_of(&step->constraint[c].form);
        if (lp == TZ_LP_NO_MEMORY)
            status = TZ_NO_MEMORY;
    }
    tz_system_free(&system);
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
        status = follow(draft, step, s, &shared);
    } while (status == TZ_OK && shared != before);
    *ret = shared;
    return status;
}

/* ---- All steps --------------------------------------------------------------------------------
 */

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
        if (!may_spill(draft, &made->target) || spills(s, &made->target) ||
            without == TZ_ALL_LENGTHS)
            continue;
        if (reads_any(made, s))
            status = find_lengths(draft, made, s, &without);
        if (status != TZ_OK || without == 0)
            continue;
        bool *spill = &s->of[made->target.what == TZ_OUTSIDE][made->target.which];
        *spill = true;
        status = find_lengths(draft, made, s, &with);
        *spill = with != without;
        *ret_more |= *spill;
    }
    return status;
}

/* The lengths of steps where items spill; *ret_worse: some step has more to share then. */
static tz_status find_spilled(const tz_draft *draft, const spilling *s, bool *ret_worse) {
    const tz_draft_step *made;
    tz_step *step;
    tz_status status = TZ_OK;
    *ret_worse = false;
    for (unsigned i = 0; status == TZ_OK && (step = step_at(draft, i, &made)) != NULL; i++) {
        if (reads_any(made, s) && step->shared_lengths != TZ_ALL_LENGTHS)
            status = find_lengths(draft, made, s, &step->spilled_lengths);
        *ret_worse |= (step->spilled_lengths & ~step->shared_lengths) != 0;
    }
    return status;
}

tz_status tz_find_lanes(tz_draft *draft) {
    spilling s = {{{0}}};
    const tz_draft_step *made;
    tz_step *step;
    tz_status status = TZ_OK;
    bool more = true, worse = false;
    for (unsigned i = 0; status == TZ_OK && (step = step_at(draft, i, &made)) != NULL; i++) {
        status = find_lengths(draft, made, &s, &step->shared_lengths);
        step->spilled_lengths = step->shared_lengths;
    }
    while (status == TZ_OK && more)
        status = let_spill(draft, &s, &more);
    if (status == TZ_OK)
        status = find_spilled(draft, &s, &worse);
    for (unsigned i = 0; worse && (step = step_at(draft, i, &made)) != NULL; i++)
        step->spilled_lengths = step->shared_lengths;
    return status;
}
