/* used.c - which cells of a weight any step uses: binding need not lift the others, and views,
 * which nobody sees, have no others.
 *
 * The cells that a step uses are the projection of its instances onto the weight's indices. What is
 * found is the rational projection, which may hold a few more: they are lifted for nothing. Where
 * nearly all cells are used, the domain's own rows are longer, and there are fewer.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "rules/compile/draft.h"

enum {
    MOST_USES = 16, /* of one weight; those of more are lifted whole */
    SAMPLE = 8      /* all lengths when cells are counted */
};

/* The projection of a step's instances onto the indices of its term t. */
static tz_status project(const tz_draft *draft, const tz_draft_step *step, unsigned t,
                         tz_domain *ret) {
    const tz_term *term = &step->term[t];
    unsigned rank = tz_term_rank(draft, term);
    tz_system system;
    tz_nest nest = {0};
    tz_status status = tz_step_system(draft, step, rank, &system);
    if (status != TZ_OK)
        return status;
    for (unsigned q = 0; q < rank && status == TZ_OK; q++)
        status = tz_system_given(&system, q, &term->index[q]);
    if (status == TZ_OK)
        status = tz_nest_build(&system, NULL, draft->arena, &nest);
    tz_system_free(&system);
    *ret = nest.entry; /* where there is a point for the indices that are given */
    return status;
}

static tz_status domain_system(const tz_draft *draft, const tz_domain *domain, unsigned rank,
                               tz_system *ret) {
    tz_status status = tz_system_init(ret, draft->rules->lengths, 0, rank);
    if (status != TZ_OK)
        return status;
    status = tz_system_add_domain(ret, domain, NULL, 0);
    if (status != TZ_OK)
        tz_system_free(ret);
    return status;
}

static tz_form negative(const tz_form *form) {
    tz_form ret = {.constant = -form->constant};
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        ret.length[l] = (int16_t)-form->length[l];
    for (unsigned c = 0; c < TZ_MAX_COLUMNS; c++)
        ret.column[c] = (int16_t)-form->column[c];
    return ret;
}

/* Does the convex domain `all` hold every point of `part`? Where numbers grow too large: no. */
static tz_status holds(const tz_draft *draft, const tz_domain *all, const tz_domain *part,
                       unsigned rank, bool *ret) {
    tz_system system;
    *ret = false;
    tz_status status = domain_system(draft, part, rank, &system);
    if (status != TZ_OK)
        return status == TZ_NO_MEMORY ? status : TZ_OK;
    bool every = true;
    for (uint32_t c = 0; c < all->count && every; c++) {
        const tz_form form[2] = {all->at[c].form, negative(&all->at[c].form)};
        for (unsigned side = 0; side < (all->at[c].relation == TZ_EQ ? 2 : 1) && every; side++) {
            int64_t least;
            tz_lp lp = tz_system_minimum(&system, &form[side], &least);
            every = lp == TZ_LP_EMPTY || (lp == TZ_LP_OPTIMUM && least >= 0);
            status = lp == TZ_LP_NO_MEMORY ? TZ_NO_MEMORY : status;
        }
    }
    tz_system_free(&system);
    *ret = every;
    return status;
}

typedef struct uses {
    tz_domain at[MOST_USES];
    unsigned count;
} uses;

/* Adds a domain, unless one that is there holds it; those that it holds go. TZ_TOO_LARGE. */
static tz_status add_use(const tz_draft *draft, const tz_domain *domain, unsigned rank, uses *to) {
    unsigned kept = 0;
    bool held = false;
    for (unsigned u = 0; u < to->count && !held; u++) {
        tz_status status = holds(draft, &to->at[u], domain, rank, &held);
        if (status != TZ_OK)
            return status;
    }
    if (held)
        return TZ_OK;
    for (unsigned u = 0; u < to->count; u++) {
        tz_status status = holds(draft, domain, &to->at[u], rank, &held);
        if (status != TZ_OK)
            return status;
        if (!held)
            to->at[kept++] = to->at[u];
    }
    to->count = kept;
    if (kept == MOST_USES)
        return TZ_TOO_LARGE;
    to->at[to->count++] = *domain;
    return TZ_OK;
}

static size_t count_cells(const tz_draft *draft, const tz_nest *nest) {
    int32_t length[TZ_MAX_LENGTHS];
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        length[l] = SAMPLE;
    tz_walk walk;
    size_t cells = 0;
    for (tz_walk_start(&walk, nest, draft->rules->lengths, length, NULL); tz_walk_next(&walk);)
        cells++;
    return cells;
}

static tz_status find_uses(tz_draft *draft, unsigned w, tz_pieces *p, uses *ret) {
    unsigned rank = draft->rules->weight[w].rank;
    tz_status status = TZ_OK;
    for (unsigned s = 0; s < draft->steps && status == TZ_OK; s++) {
        const tz_draft_step *step = &draft->step[s];
        bool concerns = false;
        for (unsigned t = 0; t < step->terms; t++)
            concerns |= step->term[t].what == TZ_WEIGHT && step->term[t].which == w;
        if (!concerns)
            continue;
        status = tz_split_pieces(draft, step, p);
        for (unsigned i = 0; i < p->count && status == TZ_OK; i++)
            for (unsigned t = 0; t < step->terms && status == TZ_OK; t++) {
                tz_domain domain;
                if (step->term[t].what != TZ_WEIGHT || step->term[t].which != w)
                    continue;
                status = project(draft, &p->step[i], t, &domain);
                if (status == TZ_OK)
                    status = add_use(draft, &domain, rank, ret);
                else if (status == TZ_NONE)
                    status = TZ_OK;
            }
    }
    return status;
}

static tz_status use_weight(tz_draft *draft, unsigned w, tz_weight *weight, tz_pieces *p) {
    uses u = {.count = 0};
    tz_status status = find_uses(draft, w, p, &u);
    tz_nest *used = tz_arena_array(draft->arena, u.count, sizeof *used);
    if (status == TZ_OK && used == NULL)
        status = TZ_NO_MEMORY;
    size_t cells = 0;
    for (unsigned at = 0; at < u.count && status == TZ_OK; at++) {
        tz_system system;
        status = domain_system(draft, &u.at[at], weight->rank, &system);
        if (status != TZ_OK)
            break;
        status = tz_nest_build(&system, NULL, draft->arena, &used[at]);
        tz_system_free(&system);
        if (status == TZ_OK)
            cells += count_cells(draft, &used[at]);
    }
    if (status == TZ_OK && cells < count_cells(draft, &weight->cells) / 4 * 3) {
        weight->used = used;
        weight->uses = (uint16_t)u.count;
    }
    return status;
}

tz_status tz_find_used(tz_draft *draft) {
    tz_weight *weight = draft->weight;
    tz_pieces *p = malloc(sizeof *p);
    tz_status status = p == NULL ? TZ_NO_MEMORY : TZ_OK;
    for (unsigned w = 0; w < draft->rules->weights && status == TZ_OK; w++) {
        if (weight[w].sparse || weight[w].rank == 0)
            continue;
        status = use_weight(draft, w, &weight[w], p);
        if (status == TZ_TOO_LARGE || status == TZ_NONE)
            status = TZ_OK; /* it is lifted whole */
    }
    free(p);
    return status;
}

/* ---- Views ----------------------------------------------------------------------------------- */

/* Adds what of the constraint holds for all uses: it, or one side of an equation. */
static tz_status add_common(const tz_draft *draft, const tz_constraint *constraint, unsigned rank,
                            const uses *of, tz_constraint *at, uint32_t *count) {
    const tz_constraint side[] = {
        *constraint, {constraint->form, TZ_GE}, {negative(&constraint->form), TZ_GE}};
    bool common = false;
    for (unsigned s = 0; s < (constraint->relation == TZ_EQ ? 3 : 1) && !common; s++) {
        const tz_domain one = {&side[s], 1};
        bool every = true, known = false;
        for (unsigned u = 0; u < of->count && every; u++) {
            tz_status status = holds(draft, &one, &of->at[u], rank, &every);
            if (status != TZ_OK)
                return status;
        }
        for (uint32_t c = 0; c < *count; c++)
            known |=
                at[c].relation == side[s].relation && tz_form_equal(&at[c].form, &side[s].form);
        if (every && !known)
            at[(*count)++] = side[s];
        common = every && s == 0;
    }
    return TZ_OK;
}

/* The cells that rules use of a view, all in one convex domain. TZ_TOO_LARGE: not known. */
static tz_status reach_view(tz_draft *draft, unsigned w, tz_domain *domain) {
    const tz_rules *rules = draft->rules;
    const unsigned rank = rules->weight[w].rank;
    uses u = {.count = 0};
    size_t room = domain->count;
    for (unsigned r = 0; r < rules->rule_count; r++) {
        tz_draft_step step;
        tz_domain use;
        bool concerns = false;
        for (unsigned t = 0; t < rules->rule[r].weights; t++)
            concerns |= rules->rule[r].weight[t].which == w;
        tz_status status =
            concerns ? tz_rule_step(draft, &rules->rule[r], draft->arena, &step) : TZ_OK;
        for (unsigned t = 0; concerns && t < step.terms && status == TZ_OK; t++) {
            if (step.term[t].what != TZ_WEIGHT || step.term[t].which != w)
                continue;
            status = project(draft, &step, t, &use);
            if (status == TZ_OK)
                status = add_use(draft, &use, rank, &u);
            status = status == TZ_NONE ? TZ_OK : status;
        }
        if (status != TZ_OK)
            return status;
    }
    for (unsigned i = 0; i < u.count; i++)
        room += 2 * (size_t)u.at[i].count;
    tz_constraint *at = tz_arena_array(draft->arena, room, sizeof *at);
    if (at == NULL)
        return TZ_NO_MEMORY;
    uint32_t count = 0;
    /* What all uses have in common may forget what each keeps by other relations. */
    for (uint32_t c = 0; c < domain->count; c++)
        at[count++] = domain->at[c];
    for (unsigned i = 0; i < u.count; i++)
        for (uint32_t c = 0; c < u.at[i].count; c++) {
            tz_status status = add_common(draft, &u.at[i].at[c], rank, &u, at, &count);
            if (status != TZ_OK)
                return status;
        }
    if (u.count > 0)
        *domain = (tz_domain){at, count};
    return TZ_OK;
}

tz_status tz_reach_views(tz_draft *draft, tz_weight *weight, unsigned weights) {
    tz_status status = TZ_OK;
    for (unsigned w = 0; w < weights && status == TZ_OK; w++) {
        if (weight[w].view != NULL && weight[w].rank > 0)
            status = reach_view(draft, w, &weight[w].domain);
        status = status == TZ_TOO_LARGE ? TZ_OK : status; /* it stays as it was */
    }
    return status;
}
