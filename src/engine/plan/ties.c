/* ties.c - the conditions under which a step goes through its loops, sorted by what they say of the
 * entries of its sparse weights: so that entries which fit are found rather than tried.
 * SPDX-License-Identifier: MIT */
#include "engine/plan/ties.h"

#include <string.h>

#include "base/arena.h"

static bool mentions(const tz_form *form, unsigned first, unsigned end) {
    for (unsigned c = first; c < end; c++)
        if (form->column[c] != 0)
            return true;
    return false;
}

/* Does the weight's domain say so already? All entries lie in it. first: the column of the weight's
 * first index. */
static bool goes_without_saying(const tz_constraint *constraint, const tz_domain *domain,
                                unsigned first, unsigned rank) {
    for (uint32_t d = 0; d < domain->count; d++) {
        const tz_constraint *known = &domain->at[d];
        if (known->relation == constraint->relation &&
            known->form.constant == constraint->form.constant &&
            memcmp(known->form.length, constraint->form.length, sizeof known->form.length) == 0 &&
            memcmp(known->form.column, constraint->form.column + first,
                   rank * sizeof *known->form.column) == 0)
            return true;
    }
    return false;
}

static bool loops_mention(const tz_nest *nest, unsigned first, unsigned end) {
    for (unsigned q = 0; q < nest->loops; q++) {
        const tz_range *range = &nest->range[q];
        for (unsigned b = 0; b < range->lowers; b++)
            if (mentions(&range->lower[b].form, first, end))
                return true;
        for (unsigned b = 0; b < range->uppers; b++)
            if (mentions(&range->upper[b].form, first, end))
                return true;
    }
    return false;
}

/* Does each coordinate of the target depend on the run or on entries, not on both? */
static bool whole_rows(const tz_bound_step *bound, unsigned first) {
    const tz_nest *nest = bound->nest;
    const unsigned run = (unsigned)nest->givens + nest->loops - 1u;
    for (unsigned q = 0; q < bound->target.rank && bound->step->has_run; q++) {
        const tz_form *at = &bound->target.coordinate[q];
        if (at->column[run] != 0 && mentions(at, first, nest->givens))
            return false;
    }
    return true;
}

static bool new_list(tz_plan *plan, tz_conditions *list, uint32_t most) {
    list->at = tz_arena_array(plan->arena, most, sizeof(const tz_constraint *));
    return list->at != NULL;
}

static void add(tz_conditions *list, const tz_constraint *constraint) {
    list->at[list->count++] = constraint;
}

tz_status tz_bind_ties(tz_plan *plan, tz_bound_step *bound) {
    const tz_domain *entry = &bound->nest->entry;
    unsigned sparse = bound->step->sparse, first = bound->nest->givens;
    if (sparse == 0)
        return TZ_OK;
    tz_ties *ties = tz_arena_array(plan->arena, 1, sizeof *ties);
    tz_constraint *before = tz_arena_array(plan->arena, entry->count, sizeof *before);
    if (ties == NULL || before == NULL)
        return TZ_NO_MEMORY;
    ties->before.at = before;
    for (unsigned t = sparse; t-- > 0;) {
        tz_tie *tie = &ties->term[t];
        first -= bound->term[t].rank;
        tie->first = (uint8_t)first;
        tie->number = (uint32_t)(plan->sparse_terms + t);
        if (!new_list(plan, &tie->own, entry->count) ||
            !new_list(plan, &tie->equation, entry->count) ||
            !new_list(plan, &tie->other, entry->count))
            return TZ_NO_MEMORY;
    }
    plan->sparse_terms += sparse;
    for (uint32_t c = 0; c < entry->count; c++) {
        const tz_constraint *constraint = &entry->at[c];
        unsigned t = sparse; /* the last term that it mentions */
        while (t > 0 && !mentions(&constraint->form, ties->term[t - 1].first,
                                  ties->term[t - 1].first + bound->term[t - 1].rank))
            t--;
        if (t == 0) {
            before[ties->before.count++] = *constraint;
            continue;
        }
        tz_tie *tie = &ties->term[--t];
        unsigned rank = bound->term[t].rank;
        const tz_domain *domain = &plan->rules->weight[bound->term[t].which].domain;
        bool alone = !mentions(&constraint->form, 0, tie->first);
        if (alone && goes_without_saying(constraint, domain, tie->first, rank))
            continue;
        add(alone                           ? &tie->own
            : constraint->relation == TZ_EQ ? &tie->equation
                                            : &tie->other,
            constraint);
        ties->lengths |= tz_form_has_lengths(&constraint->form);
        ties->staged |= mentions(&constraint->form, 0, first);
    }
    plan->tied_lengths |= ties->lengths;
    ties->rows = whole_rows(bound, first);
    ties->apart = !loops_mention(bound->nest, first, bound->nest->givens);
    bound->ties = ties;
    return TZ_OK;
}
