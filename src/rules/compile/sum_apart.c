/* sum_apart.c - makes the parts of a sum that eliminate.c chooses.
 *
 * A part is a fold over what its terms allow, and within the rule as far as its variables tell. So
 * it may have items that no instance of the rule needs, and its number of points is checked again.
 * Sums with sparse weights stay as they are: their entries are few, and a fold of the other terms
 * would not know which.
 *
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/compile/eliminate.h"
#include "rules/compile/step.h"
#include "rules/polyhedra/prove.h"

/* A sum while parts of it are made. */
typedef struct parting {
    tz_draft *draft;
    tz_raw_step *whole;
    tz_domain limits;                     /* all that its instances satisfy */
    const tz_term *term[TZ_MOST_FACTORS]; /* that are left: */
    uint16_t factors[TZ_MOST_FACTORS];    /* which of the sum's each stands for */
    unsigned terms;
    uint32_t summed; /* variables that are gone */
} parting;

static bool has_sparse(const tz_draft *draft, const tz_raw_step *p) {
    for (unsigned t = 0; t < p->terms; t++)
        if (p->term[t]->what == TZ_WEIGHT && draft->rules->weight[p->term[t]->which].sparse)
            return true;
    return false;
}

static tz_status assume_term(const tz_draft *draft, const tz_term *term, tz_assumptions *to) {
    return tz_assumptions_add(to, tz_term_domain(draft, term), term, tz_term_rank(draft, term));
}

static tz_status assume_terms(const tz_draft *draft, const tz_raw_step *p, tz_assumptions *to) {
    tz_status status = TZ_OK;
    *to = (tz_assumptions){.lengths = draft->rules->lengths, .columns = p->rule->variables};
    for (unsigned t = 0; t < p->terms && status == TZ_OK; t++)
        status = assume_term(draft, p->term[t], to);
    return status;
}

/* Adds a constraint, unless the others imply it: then it need not keep factors together. */
static tz_status assume_new(const tz_constraint *constraint, tz_assumptions *to) {
    tz_status status =
        constraint->relation == TZ_GE ? tz_assumptions_at_least_0(to, &constraint->form) : TZ_NONE;
    if (status == TZ_NONE || status == TZ_TOO_LARGE)
        status = tz_assumptions_add(to, &(tz_domain){constraint, 1}, NULL, 0);
    return status;
}

/* All constraints of the sum. */
static tz_status find_limits(parting *p, const tz_term *opt_target) {
    const tz_raw_step *whole = p->whole;
    tz_assumptions assumed;
    tz_status status = assume_terms(p->draft, whole, &assumed);
    if (status == TZ_OK && opt_target != NULL)
        status = assume_term(p->draft, opt_target, &assumed);
    for (unsigned d = 0; d < whole->domains; d++)
        for (uint32_t c = 0; c < whole->domain[d].count && status == TZ_OK; c++)
            if ((tz_form_variables(&whole->domain[d].at[c].form) & whole->drop) == 0)
                status = assume_new(&whole->domain[d].at[c], &assumed);
    if (status != TZ_OK)
        return status;
    tz_constraint *at = tz_arena_array(p->draft->arena, assumed.count, sizeof *at);
    if (at == NULL)
        return TZ_NO_MEMORY;
    for (unsigned c = 0; c < assumed.count; c++)
        at[c] = assumed.known[c].constraint;
    p->limits = (tz_domain){at, assumed.count};
    return TZ_OK;
}

/* The sum as eliminate.c sees it. */
static tz_sum describe(const parting *p, uint32_t kept) {
    tz_sum sum = {.factors = p->terms, .kept = kept, .used = kept, .limits = p->limits};
    for (unsigned t = 0; t < p->terms; t++) {
        sum.premises += p->term[t]->what == TZ_INSIDE;
        sum.variables[t] = tz_term_variables(p->term[t]);
        sum.used |= sum.variables[t];
    }
    for (uint32_t c = 0; c < p->limits.count; c++)
        sum.used |= tz_form_variables(&p->limits.at[c].form);
    return sum;
}

/* ---- A part ---------------------------------------------------------------------------------- */

/* Which constraints of the sum a part is under, besides those of its terms: all that mention what
 * it sums out, and what else it may know. */
static tz_status limit_part(const parting *p, tz_raw_step *part, uint32_t all, uint32_t summed,
                            tz_assumptions *assumed) {
    tz_constraint *at = tz_arena_array(p->draft->arena, p->limits.count, sizeof *at);
    uint32_t count = 0;
    tz_status status = at != NULL ? assume_terms(p->draft, part, assumed) : TZ_NO_MEMORY;
    for (uint32_t c = 0; c < p->limits.count && status == TZ_OK; c++) {
        const tz_constraint *limit = &p->limits.at[c];
        uint32_t set = tz_form_variables(&limit->form);
        unsigned before = assumed->count;
        if (set == 0 || (set & ~all) != 0)
            continue;
        if ((set & summed) != 0)
            status = tz_assumptions_add(assumed, &(tz_domain){limit, 1}, NULL, 0);
        else if (limit->relation != TZ_NE)
            status = assume_new(limit, assumed);
        if (assumed->count > before)
            at[count++] = *limit;
    }
    part->domain[part->domains++] = (tz_domain){at, count};
    return status;
}

/* TZ_NONE unless every variable is bounded and there are fewer points than the whole sum has. */
static tz_status check_part(const tz_assumptions *assumed, uint32_t all, const unsigned *whole) {
    tz_growth growth;
    unsigned degree[TZ_MAX_LENGTHS];
    tz_status status = TZ_OK;
    for (unsigned v = 0; v < assumed->columns; v++)
        for (int sign = -1; sign <= 1 && (all >> v & 1) != 0 && status == TZ_OK; sign += 2)
            status = tz_assumptions_bounded(assumed, v, sign);
    if (status != TZ_OK)
        return status;
    status = tz_growth_init(&growth, assumed->lengths, assumed->columns, assumed->count);
    for (unsigned c = 0; c < assumed->count && status == TZ_OK; c++)
        tz_growth_add_domain(&growth, &(tz_domain){&assumed->known[c].constraint, 1});
    if (status == TZ_OK)
        status = tz_growth_find(&growth);
    if (status == TZ_OK)
        status = tz_growth_onto(&growth, all, degree);
    tz_growth_free(&growth);
    return status != TZ_OK || tz_is_less(degree, whole, assumed->lengths) ? status : TZ_NONE;
}

/* Takes the terms of these factors out of the list, and puts the part's fold in place of the first.
 */
static tz_status make_part(parting *p, unsigned factors, uint32_t kept, const unsigned *whole) {
    tz_raw_step part = {.rule = p->whole->rule};
    tz_term *fold = tz_arena_array(p->draft->arena, 1, sizeof *fold);
    uint32_t all = 0;
    unsigned left = 0, place = 0;
    if (fold == NULL)
        return TZ_NO_MEMORY;
    for (unsigned t = 0; t < p->terms; t++) {
        bool own = (p->factors[t] & ~factors) == 0;
        if (own) {
            all |= tz_term_variables(p->term[t]);
            part.term[part.terms++] = p->term[t];
        }
        if (own && part.terms == 1)
            place = left;
        if (!own || part.terms == 1) {
            p->term[left] = p->term[t];
            p->factors[left++] = p->factors[t];
        }
    }
    tz_assumptions assumed;
    tz_status status = limit_part(p, &part, all, all & ~kept, &assumed);
    if (status == TZ_OK)
        status = check_part(&assumed, all, whole);
    if (status == TZ_OK)
        status = tz_add_fold(p->draft, &part, kept, fold);
    p->term[place] = fold;
    p->factors[place] = (uint16_t)factors;
    p->terms = left;
    p->summed |= all & ~kept;
    p->draft->parts++;
    return status;
}

static tz_status make_parts(parting *p, const tz_parts *parts, uint32_t used, tz_apart *ret) {
    uint32_t gone[2 * TZ_MOST_FACTORS];
    tz_status status = TZ_OK;
    for (unsigned i = 0; i < parts->count && status == TZ_OK; i++) {
        uint32_t before = p->summed;
        status = make_part(p, parts->part[i].factors, parts->part[i].kept, parts->whole);
        gone[i] = p->summed & ~before;
    }
    if (status != TZ_OK)
        return status;
    for (unsigned i = parts->count; i-- > 0;)
        for (unsigned v = 0; v < TZ_MAX_VARIABLES; v++)
            if (gone[i] >> v & 1)
                ret->variable[ret->count++] = (uint8_t)v;
    /* The last step, like the parts: */
    tz_raw_step last = {.rule = p->whole->rule, .terms = p->terms};
    memcpy(last.term, p->term, p->terms * sizeof *p->term);
    tz_assumptions assumed;
    status = limit_part(p, &last, used & ~p->summed, 0, &assumed);
    return status == TZ_OK ? check_part(&assumed, used & ~p->summed, parts->whole) : status;
}

tz_status tz_sum_apart(tz_draft *draft, tz_raw_step *whole, uint32_t kept,
                       const tz_term *opt_target, tz_apart *ret) {
    if (draft->undivided || whole->terms < 2 || whole->terms > TZ_MOST_FACTORS ||
        has_sparse(draft, whole))
        return TZ_OK;
    parting p = {.draft = draft, .whole = whole, .terms = whole->terms};
    for (unsigned t = 0; t < whole->terms; t++) {
        p.term[t] = whole->term[t];
        p.factors[t] = (uint16_t)(1 << t);
    }
    const unsigned kinds = draft->kinds, steps = draft->steps, made = draft->parts;
    tz_apart before = *ret;
    tz_parts parts = {.count = 0};
    tz_status status = find_limits(&p, opt_target);
    if (status == TZ_OK) {
        tz_sum sum = describe(&p, kept);
        status = tz_choose_parts(&sum, draft->rules->lengths, &parts);
        if (status == TZ_OK && parts.count > 0)
            status = make_parts(&p, &parts, sum.used, ret);
    }
    if (status == TZ_OK && parts.count > 0) {
        memcpy(whole->term, p.term, p.terms * sizeof *p.term);
        whole->terms = p.terms;
        whole->domain[0] = p.limits;
        whole->domains = 1;
        whole->drop |= p.summed;
    }
    if (status == TZ_NONE || status == TZ_TOO_LARGE) {
        draft->kinds = kinds;
        draft->steps = steps;
        draft->parts = made;
        *ret = before;
        return TZ_OK;
    }
    return status;
}
