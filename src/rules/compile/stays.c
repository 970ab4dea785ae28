/* stays.c - whose items stay as they are where a length grows by one, and so by any number, from
 * TZ_GROWS_FROM on: many rule sets derive the first items of a row by rules that the empty one
 * lacks.
 *
 * A kind's do if all of them are items of the greater length, and their instances the same: an
 * instance of n + 1 that concludes an item of n satisfies every condition and domain of n as well,
 * and its premises stay, too. All of it is proved from the rules, for every n at once, by linear
 * programs over their variables.
 * SPDX-License-Identifier: MIT */
#include "rules/compile/draft.h"

/* Does all that mentions the length only ever come to hold as it grows? */
static bool only_widens(const tz_constraint *at, uint32_t count, unsigned l) {
    for (uint32_t c = 0; c < count; c++)
        if (at[c].form.length[l] < 0 || (at[c].form.length[l] > 0 && at[c].relation != TZ_GE))
            return false;
    return true;
}

/* Can the kind's own cells stay? */
static bool may_stay(const tz_draft *draft, unsigned k, unsigned l) {
    const tz_kind *kind = &draft->kind[k];
    bool may = only_widens(kind->domain.at, kind->domain.count, l);
    for (unsigned s = 0; s < kind->stages; s++)
        may &= kind->stage[s].length[l] == 0;
    return may;
}

/* Is it the same item, or the same cell with the same score? */
static bool stands_still(const tz_draft *draft, const tz_term *term, unsigned l) {
    bool still = true;
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        still &= term->index[q].length[l] == 0;
    return still &&
           (term->what != TZ_WEIGHT || !tz_view_mentions(&draft->rules->weight[term->which], l));
}

/* The instances of n + 1 whose item `old` is one of n, where length l stands for n. */
static tz_status older_instances(const tz_draft *draft, const tz_draft_step *step,
                                 const tz_term *old, unsigned l, tz_system *ret) {
    tz_status status = tz_system_init(ret, draft->rules->lengths, 0, step->variables);
    for (uint32_t c = 0; c < step->constraints && status == TZ_OK; c++) {
        tz_form later = step->constraint[c].form;
        later.constant += later.length[l];
        if (step->constraint[c].relation != TZ_NE)
            status = tz_system_add(ret, &later, step->constraint[c].relation);
    }
    tz_form from = {.constant = -TZ_GROWS_FROM};
    from.length[l] = 1;
    if (status == TZ_OK)
        status = tz_system_add(ret, &from, TZ_GE);
    if (status == TZ_OK)
        status = tz_system_add_domain(ret, tz_term_domain(draft, old), old->index,
                                      tz_term_rank(draft, old));
    if (status != TZ_OK)
        tz_system_free(ret);
    return status;
}

/* Are all instances of n + 1 whose item `old` is one of n instances of n? Where that is not
 * proved: no. */
static tz_status are_older(const tz_draft *draft, const tz_draft_step *step, const tz_term *old,
                           unsigned l, bool *ret) {
    tz_system system;
    bool older = true;
    *ret = false;
    tz_status status = older_instances(draft, step, old, l, &system);
    if (status != TZ_OK)
        return status == TZ_NO_MEMORY ? status : TZ_OK;
    for (uint32_t c = 0; c < step->constraints && older; c++) {
        int64_t least;
        if (step->constraint[c].form.length[l] == 0)
            continue;
        tz_lp lp = tz_system_minimum(&system, &step->constraint[c].form, &least);
        older = lp == TZ_LP_EMPTY || (lp == TZ_LP_OPTIMUM && least >= 0);
        if (lp == TZ_LP_NO_MEMORY)
            status = TZ_NO_MEMORY;
    }
    tz_system_free(&system);
    *ret = older;
    return status;
}

/* Has the step the same instances for items of n at n + 1? In a closure, items that are solved for
 * together are all old or all new, besides. */
static tz_status step_stays(const tz_draft *draft, const tz_draft_step *step, unsigned l,
                            bool *ret) {
    bool stays = only_widens(step->constraint, step->constraints, l);
    for (unsigned t = 0; t <= step->terms; t++)
        stays &= stands_still(draft, t < step->terms ? &step->term[t] : &step->target, l);
    tz_status status = stays ? are_older(draft, step, &step->target, l, &stays) : TZ_OK;
    if (status == TZ_OK && stays && step->within > 0)
        status = are_older(draft, step, &step->term[step->within - 1], l, &stays);
    *ret = stays;
    return status;
}

/* Is an operand of the step computed anew? */
static bool reads_anew(const tz_draft *draft, const tz_draft_step *step, unsigned l) {
    for (unsigned t = 0; t < step->terms; t++)
        if (step->term[t].what == TZ_INSIDE && draft->kind[step->term[t].which].anew[l] != 0)
            return true;
    return false;
}

static tz_status find_staying(tz_draft *draft, unsigned l) {
    for (unsigned k = 0; k < draft->kinds; k++)
        draft->kind[k].anew[l] = 0;
    for (unsigned s = 0; s < draft->steps; s++) {
        const tz_draft_step *step = &draft->step[s];
        uint16_t *anew = &draft->kind[step->target.which].anew[l];
        bool stays = *anew == 0 && may_stay(draft, step->target.which, l);
        tz_status status = stays ? step_stays(draft, step, l, &stays) : TZ_OK;
        if (status != TZ_OK)
            return status;
        if (!stays && *anew == 0)
            *anew = step->rule + 1u;
    }
    for (bool more = true; more;) {
        more = false;
        for (unsigned s = 0; s < draft->steps; s++) {
            const tz_draft_step *step = &draft->step[s];
            uint16_t *anew = &draft->kind[step->target.which].anew[l];
            if (*anew != 0 || !reads_anew(draft, step, l))
                continue;
            *anew = step->rule + 1u;
            more = true;
        }
    }
    return TZ_OK;
}

tz_status tz_find_staying(tz_draft *draft) {
    tz_status status = TZ_OK;
    for (unsigned l = 0; l < draft->rules->lengths && status == TZ_OK; l++)
        status = find_staying(draft, l);
    return status;
}
