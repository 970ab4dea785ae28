/* fold_kind.c - kinds that the rules do not declare. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "rules/compile/step.h"

/* "rtri ltri * arc", or NULL. */
static const char *fold_name(const tz_draft *draft, const tz_raw_step *p) {
    char name[256] = "";
    size_t used = 0;
    for (unsigned t = 0; t < p->terms && used < sizeof name - 1; t++) {
        bool weight = p->term[t]->what == TZ_WEIGHT;
        const char *part = weight ? draft->rules->weight[p->term[t]->which].name
                                  : draft->kind[p->term[t]->which].name;
        int wrote = snprintf(name + used, sizeof name - used, "%s%s",
                             t == 0   ? ""
                             : weight ? " * "
                                      : " ",
                             part);
        used += wrote < 0 ? 0 : (size_t)wrote;
    }
    return tz_arena_text(draft->arena, name, strlen(name));
}

static bool equal_terms(const tz_term *a, const tz_term *b) {
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        if (!tz_form_equal(&a->index[q], &b->index[q]))
            return false;
    return a->what == b->what;
}

/* The step of an earlier fold that says the same as the last step, or NULL. Steps number their
 * variables in the order of their rules', which the ties of best derivations depend on. */
static const tz_draft_step *find_equal(const tz_draft *draft) {
    const tz_draft_step *last = &draft->step[draft->steps - 1];
    for (const tz_draft_step *s = draft->step; s < last; s++) {
        bool equal = s->target.which >= draft->rules->items &&
                     !draft->kind[s->target.which].presence && s->terms == last->terms &&
                     s->variables == last->variables && s->constraints == last->constraints &&
                     equal_terms(&s->target, &last->target);
        for (unsigned t = 0; t < last->terms && equal; t++)
            equal =
                s->term[t].which == last->term[t].which && equal_terms(&s->term[t], &last->term[t]);
        for (uint32_t c = 0; c < last->constraints && equal; c++)
            equal = s->constraint[c].relation == last->constraint[c].relation &&
                    tz_form_equal(&s->constraint[c].form, &last->constraint[c].form);
        if (equal)
            return s;
    }
    return NULL;
}

tz_status tz_add_fold(tz_draft *draft, tz_raw_step *p, uint32_t keep, tz_term *ret_term) {
    if (draft->kinds == TZ_MAX_KINDS)
        return tz_too_many(draft, p->rule, "items");
    tz_kind *kind = &draft->kind[draft->kinds];
    *kind = (tz_kind){.name = fold_name(draft, p)};
    if (kind->name == NULL)
        return TZ_NO_MEMORY;
    tz_term term = {.what = TZ_INSIDE, .which = (uint16_t)draft->kinds};
    for (unsigned v = 0; v < TZ_MAX_VARIABLES; v++)
        if (keep & 1u << v)
            term.index[kind->rank++] = tz_form_column(v);
    /* The kind has no domain yet, so the step's constraints are the terms' and the raw step's. */
    p->target = term;
    draft->kinds++;
    tz_status status = tz_add_step(draft, p);
    if (status != TZ_OK)
        return status;
    const tz_draft_step *step = &draft->step[draft->steps - 1], *equal = find_equal(draft);
    *ret_term = term;
    if (equal != NULL) {
        draft->steps--;
        draft->kinds--;
        ret_term->which = equal->target.which;
        return TZ_OK;
    }
    tz_system system;
    status = tz_step_hull(draft, step, &system);
    if (status != TZ_OK)
        return status;
    status =
        tz_domain_build(&system, tz_term_variables(&step->target), draft->arena, &kind->domain);
    tz_system_free(&system);
    return status;
}
