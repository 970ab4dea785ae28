/* speculate.c - speculation: an item divided into what some of its rules add, and what they add to.
 *
 * Where rules hand an index through, from a premise of the item to the conclusion, and mention it
 * nowhere else, what they do does not depend on it. So it can be done once for all values: it is
 * computed before it is known to what it will be added. Here j is such an index:
 *
 *     span[i,m,k]  span[k+1,h,j]                     span[i,m,k]  outer[k+1,h]
 *     -------------------------- * arc[h,m]          ------------------------- * arc[h,m]
 *     span[i,h,j]                                    outer[i,h]
 *
 *     any other rule                                 the same
 *     --------------                   become        --------------
 *     span[h,h,j]                                    inner[h,j]
 *
 *                                                    axiom
 *                                                    ----------
 *                                                    outer[h,h]
 *
 * and span[i,h,j] = outer[i,h] * inner[h,j] wherever it is a premise. The indices of the item are
 * of three sorts: passive ones (j), which the rules hand through; shared ones (h), which they hand
 * through and may mention; and those that they change (i). Where all other rules conclude the same
 * value of a changed index, in terms of shared ones (i = h), `outer` begins there; else it has that
 * value for one more index. Eisner & Blatz 2007, section 5; a derivation of the item is one chain
 * of the rules on one derivation by the others, so that derivations stay, one for one.
 *
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "rules/optimise/program.h"

typedef struct division {
    tz_opt *opt;
    const tz_opt_program *program;
    uint16_t item, outer, inner;
    unsigned rank, passive, shared, changed; /* bit sets of indices */
    unsigned settled;                        /* changed ones whose first value is known: */
    tz_form first[TZ_MAX_RANK];              /* over the item's indices */
    int8_t spine[TZ_OPT_RULES]; /* the premise that hands indices through, or -1: another rule */
    tz_domain domain;           /* of the item, without what is implied */
    const char *step;
} division;

/* ---- Which rules, which indices -------------------------------------------------------------- */

/* Does the premise hand the passive indices through to the conclusion, with nothing else that
 * mentions them, and the shared ones? */
static bool hands_through(const division *d, const tz_opt_rule *rule, const tz_term *premise) {
    for (unsigned q = 0; q < d->rank; q++) {
        unsigned v, other;
        if (((d->passive | d->shared) >> q & 1) == 0)
            continue;
        if (!tz_opt_is_variable(&rule->conclusion.index[q], &v) ||
            !tz_opt_is_variable(&premise->index[q], &other) || v != other)
            return false;
        if (d->passive >> q & 1 && tz_opt_occurrences(rule, v) != 2)
            return false;
    }
    return true;
}

/* true: some rules hand them through, and some do not. */
static bool find_spines(division *d) {
    bool adding = false, other = false;
    for (unsigned r = 0; r < d->program->rules; r++) {
        const tz_opt_rule *rule = d->program->rule[r];
        d->spine[r] = -1;
        if (rule->conclusion.which != d->item)
            continue;
        for (unsigned f = rule->premises; f-- > 0;)
            if (rule->factor[f].which == d->item && hands_through(d, rule, &rule->factor[f]))
                d->spine[r] = (int8_t)f;
        adding |= d->spine[r] >= 0;
        other |= d->spine[r] < 0;
    }
    return adding && other;
}

/* Would the same rules do with more passive indices, or more shared ones? Then they are tried
 * another time. */
static bool has_more(const division *d) {
    for (unsigned q = 0; q < d->rank; q++)
        for (int passive = 0; passive < 2; passive++) {
            division more = *d;
            more.passive |= (unsigned)passive << q;
            more.shared = passive ? d->shared & ~(1U << q) : d->shared | 1U << q;
            if (d->passive >> q & 1 || (more.passive == d->passive && more.shared == d->shared))
                continue;
            if (find_spines(&more) && memcmp(more.spine, d->spine, d->program->rules) == 0)
                return true;
        }
    return false;
}

/* The difference of index q and index `from` (or, at the rank, of nothing) in a conclusion. */
static bool differ(const division *d, const tz_term *conclusion, unsigned q, unsigned from,
                   tz_form *ret) {
    const tz_form difference = {.column = {1, -1}};
    tz_form both[2] = {conclusion->index[q]};
    if (from < d->rank)
        both[1] = conclusion->index[from];
    return tz_form_compose(ret, &difference, both, 2) && !tz_form_has_columns(ret);
}

/* Do all other rules conclude index q as index `from` and the same more? */
static bool begins_at(division *d, unsigned q, unsigned from) {
    bool found = false;
    for (unsigned r = 0; r < d->program->rules; r++) {
        const tz_opt_rule *rule = d->program->rule[r];
        tz_form more;
        if (rule->conclusion.which != d->item || d->spine[r] >= 0)
            continue;
        if (!differ(d, &rule->conclusion, q, from, &more) ||
            (found && !tz_form_equal(&more, &d->first[q])))
            return false;
        d->first[q] = more;
        found = true;
    }
    if (from < d->rank)
        d->first[q].column[from] = 1;
    return found;
}

static void find_firsts(division *d) {
    d->settled = 0;
    for (unsigned q = 0; q < d->rank; q++)
        for (unsigned from = 0; from <= d->rank; from++)
            if (d->changed >> q & 1 && !(d->settled >> q & 1) &&
                (from == d->rank || d->shared >> from & 1) && begins_at(d, q, from))
                d->settled |= 1U << q;
}

/* Constraints between changed and passive indices must follow from the rest: nobody sees both. */
static tz_status divide_domain(division *d) {
    const tz_domain *all = &d->opt->item[d->item].domain;
    tz_constraint *kept = tz_arena_array(d->opt->arena, all->count, sizeof *kept);
    if (kept == NULL)
        return TZ_NO_MEMORY;
    memcpy(kept, all->at, all->count * sizeof *kept);
    d->domain = (tz_domain){kept, all->count};
    for (uint32_t c = 0; c < d->domain.count;) {
        uint32_t set = tz_opt_form_set(&kept[c].form);
        if ((set & d->changed) == 0 || (set & d->passive) == 0) {
            c++;
            continue;
        }
        tz_constraint mixed = kept[c];
        tz_assumptions rest = {.lengths = d->opt->rules->lengths, .columns = d->rank};
        d->domain.count--;
        memmove(&kept[c], &kept[c + 1], (d->domain.count - c) * sizeof *kept);
        tz_status status = tz_assumptions_add(&rest, &d->domain, NULL, 0);
        if (status == TZ_OK)
            status = tz_opt_implied(&rest, &mixed);
        if (status != TZ_OK)
            return status;
    }
    return TZ_OK;
}

/* ---- The two items --------------------------------------------------------------------------- */

/* The indices in which the two agree although the rules change them: further ones of `outer`. */
static unsigned open_indices(const division *d) {
    return d->changed & ~d->settled;
}

/* The item's use as one of `outer`, whose further indices are columns from `begin` on. */
static tz_term outer_term(const division *d, const tz_term *term, unsigned begin) {
    tz_term made = {.what = TZ_INSIDE, .which = d->outer};
    unsigned rank = 0;
    for (unsigned q = 0; q < d->rank; q++)
        if (!(d->passive >> q & 1))
            made.index[rank++] = term->index[q];
    for (unsigned q = 0; q < d->rank; q++)
        if (open_indices(d) >> q & 1)
            made.index[rank++] = tz_form_column(begin++);
    return made;
}

/* The same of `inner`; begin NULL: with the term's own indices. */
static tz_term inner_term(const division *d, const tz_term *term, const unsigned *begin) {
    tz_term made = {.what = TZ_INSIDE, .which = d->inner};
    unsigned rank = 0, next = begin != NULL ? *begin : 0;
    for (unsigned q = 0; q < d->rank; q++) {
        if (d->settled >> q & 1)
            continue;
        made.index[rank++] =
            begin != NULL && open_indices(d) >> q & 1 ? tz_form_column(next++) : term->index[q];
    }
    return made;
}

/* Every index is itself. */
static tz_term plain_term(const division *d) {
    tz_term term = {.what = TZ_INSIDE, .which = d->item};
    for (unsigned q = 0; q < d->rank; q++)
        term.index[q] = tz_form_column(q);
    return term;
}

/* Adds the != constraints of the item that mention indices of the set only, at the term's indices;
 * number: the new item's index of each column. */
static tz_status add_unequal(const division *d, const tz_term *at, uint32_t set,
                             const unsigned *number, tz_domain *domain) {
    tz_constraint *all =
        tz_arena_array(d->opt->arena, domain->count + d->domain.count, sizeof *all);
    if (all == NULL)
        return TZ_NO_MEMORY;
    if (domain->count > 0)
        memcpy(all, domain->at, domain->count * sizeof *all);
    for (uint32_t c = 0; c < d->domain.count; c++) {
        tz_constraint one = d->domain.at[c];
        if (one.relation != TZ_NE)
            continue;
        if (!tz_form_compose(&one.form, &one.form, at->index, d->rank))
            return TZ_TOO_LARGE;
        uint32_t mentioned = tz_opt_form_set(&one.form);
        if ((mentioned & ~set) != 0)
            continue;
        tz_form moved = one.form;
        memset(moved.column, 0, sizeof moved.column);
        for (unsigned q = 0; q < TZ_MAX_COLUMNS; q++)
            if (one.form.column[q] != 0)
                moved.column[number[q]] = one.form.column[q];
        one.form = moved;
        all[domain->count++] = one;
    }
    domain->at = all;
    return TZ_OK;
}

static tz_status make_item(division *d, const char *end, const char *comment, const tz_term *at,
                           uint32_t keep, uint16_t *ret_item) {
    tz_opt_rule asks = {.premises = 1, .factors = 1, .variables = 2 * d->rank, .factor = {*at}};
    const tz_opt_item *from = &d->opt->item[d->item];
    const char *wanted[TZ_MAX_RANK];
    char name[TZ_MAX_NAME];
    unsigned number[TZ_MAX_COLUMNS] = {0}, rank = 0;
    if (__builtin_popcount(keep) > TZ_MAX_RANK)
        return TZ_NONE;
    asks.conclusion = *at; /* where it began: */
    for (unsigned q = 0; q < d->rank; q++)
        if (keep >> (d->rank + q) & 1)
            asks.conclusion.index[q] = tz_form_column(d->rank + q);
        else if (d->settled >> q & 1)
            asks.conclusion.index[q] = d->first[q];
    for (unsigned q = 0; q < 2 * d->rank; q++)
        if (keep >> q & 1) {
            wanted[rank] = from->index_name[q % d->rank];
            number[q] = rank++;
        }
    snprintf(name, sizeof name, "%.40s_%s", from->name, end);
    tz_status status = tz_opt_new_item(d->opt, name, ret_item);
    if (status != TZ_OK)
        return status;
    tz_opt_item *item = &d->opt->item[*ret_item];
    item->rank = rank;
    item->comment = comment;
    item->step = d->step;
    status = tz_opt_column_names(d->opt, wanted, rank, item->index_name);
    if (status == TZ_OK)
        status = tz_opt_project(d->opt, &asks, keep, &item->domain);
    if (status == TZ_OK)
        status = add_unequal(d, at, keep, number, &item->domain);
    return status;
}

/* "left", "left, right": the rules that hand the indices through. */
static void name_rules(const division *d, char *ret, size_t size) {
    size_t used = 0;
    ret[0] = '\0';
    for (unsigned r = 0; r < d->program->rules && used < size; r++)
        if (d->spine[r] >= 0)
            used += (size_t)snprintf(ret + used, size - used, "%s%s", used > 0 ? ", " : "",
                                     d->program->rule[r]->name);
}

static tz_status make_items(division *d) {
    const char *name = d->opt->item[d->item].name;
    char rules[256];
    name_rules(d, rules, sizeof rules);
    d->step = tz_opt_text(d->opt, "speculation on %s", name);
    const char *adds = tz_opt_text(d->opt, "what %s adds to %s", rules, name);
    const char *is = tz_opt_text(d->opt, "%s as it is before %s", name, rules);
    if (d->step == NULL || adds == NULL || is == NULL)
        return TZ_NO_MEMORY;
    tz_term term = plain_term(d);
    uint32_t own = (UINT32_C(1) << d->rank) - 1, open = (uint32_t)open_indices(d);
    tz_status status =
        make_item(d, "outer", adds, &term, (own & ~d->passive) | open << d->rank, &d->outer);
    for (unsigned q = 0; q < d->rank; q++)
        if (d->settled >> q & 1)
            term.index[q] = d->first[q];
    if (status == TZ_OK)
        status = make_item(d, "inner", is, &term, own & ~d->settled, &d->inner);
    return status;
}

/* ---- The rules ------------------------------------------------------------------------------- */

/* Puts the two in place of every premise of the item. */
static tz_status replace_premises(const division *d, tz_opt_rule *rule) {
    const tz_opt_rule old = *rule;
    rule->factors = rule->premises = 0;
    for (unsigned f = 0; f < old.factors; f++) {
        bool divided = f < old.premises && old.factor[f].which == d->item;
        if (rule->factors + 1 + divided > TZ_OPT_FACTORS ||
            rule->variables + d->rank > TZ_MAX_COLUMNS)
            return TZ_TOO_LARGE;
        rule->premises += (f < old.premises) + divided;
        if (!divided) {
            rule->factor[rule->factors++] = old.factor[f];
            continue;
        }
        unsigned begin = rule->variables;
        for (unsigned q = 0; q < d->rank; q++)
            if (open_indices(d) >> q & 1)
                rule->variable_name[rule->variables++] = d->opt->item[d->item].index_name[q];
        rule->factor[rule->factors++] = outer_term(d, &old.factor[f], begin);
        rule->factor[rule->factors++] = inner_term(d, &old.factor[f], &begin);
    }
    return TZ_OK;
}

static tz_status add_tidy(const division *d, tz_opt_rule *rule, tz_opt_program *ret) {
    const tz_opt_rule *made;
    tz_status status = replace_premises(d, rule);
    if (status == TZ_OK)
        status = tz_opt_tidy(d->opt, rule, &made);
    if (status == TZ_OK)
        status = tz_opt_add(d->opt, ret, made);
    return status == TZ_NONE ? TZ_OK : status;
}

static tz_status add_rule(const division *d, unsigned r, tz_opt_program *ret) {
    tz_opt_rule rule = *d->program->rule[r];
    if (d->spine[r] >= 0) {
        unsigned begin = rule.variables;
        tz_term *spine = &rule.factor[d->spine[r]];
        for (unsigned q = 0; q < d->rank; q++)
            if (open_indices(d) >> q & 1) {
                if (rule.variables == TZ_MAX_COLUMNS)
                    return TZ_TOO_LARGE;
                rule.variable_name[rule.variables++] = d->opt->item[d->item].index_name[q];
            }
        *spine = outer_term(d, spine, begin);
        rule.conclusion = outer_term(d, &rule.conclusion, begin);
        rule.note = d->step;
    } else if (rule.conclusion.which == d->item) {
        rule.conclusion = inner_term(d, &rule.conclusion, NULL);
        rule.note = d->step;
    } else if (!tz_opt_asks(&rule, d->item)) {
        return tz_opt_add(d->opt, ret, d->program->rule[r]);
    }
    return add_tidy(d, &rule, ret);
}

/* Nothing added yet. */
static tz_status add_seed(const division *d, tz_opt_program *ret) {
    tz_opt_rule seed = {.name = tz_opt_text(d->opt, "%.48s-seed", d->opt->item[d->outer].name),
                        .note = d->step,
                        .variables = d->rank};
    tz_term term = plain_term(d);
    if (seed.name == NULL)
        return TZ_NO_MEMORY;
    for (unsigned q = 0; q < d->rank; q++) {
        seed.variable_name[q] = d->opt->item[d->item].index_name[q];
        if (d->settled >> q & 1)
            term.index[q] = d->first[q];
    }
    seed.conclusion = outer_term(d, &term, 0);
    unsigned rank = (unsigned)__builtin_popcount(d->shared | d->changed);
    for (unsigned q = 0; q < d->rank; q++)
        if (open_indices(d) >> q & 1)
            seed.conclusion.index[rank++] = term.index[q];
    return add_tidy(d, &seed, ret);
}

/* The goal, where it is the item: the product of the two. */
static tz_status add_goal(const division *d, tz_opt_program *ret) {
    tz_opt_item *goal;
    uint16_t which;
    if (d->program->goal.which != d->item)
        return TZ_OK;
    tz_status status = tz_opt_new_item(d->opt, "total", &which);
    if (status != TZ_OK)
        return status;
    goal = &d->opt->item[which];
    goal->step = d->step;
    goal->comment = "the goal";
    tz_opt_rule rule = {.name = "total", .note = d->step, .premises = 1, .factors = 1};
    rule.factor[0] = d->program->goal;
    rule.conclusion = ret->goal = (tz_term){.what = TZ_INSIDE, .which = which};
    return add_tidy(d, &rule, ret);
}

tz_status tz_opt_speculate(tz_opt *opt, const tz_opt_program *program, unsigned item,
                           unsigned passive, unsigned shared, tz_opt_program *ret) {
    division d = {.opt = opt,
                  .program = program,
                  .item = (uint16_t)item,
                  .rank = opt->item[item].rank,
                  .passive = passive,
                  .shared = shared};
    *ret = (tz_opt_program){.goal = program->goal};
    d.changed = ((1U << d.rank) - 1) & ~passive & ~shared;
    if (d.changed == 0 || passive == 0 || !find_spines(&d) || has_more(&d))
        return TZ_NONE;
    find_firsts(&d);
    tz_status status = divide_domain(&d);
    if (status == TZ_OK)
        status = make_items(&d);
    if (status == TZ_OK)
        status = add_goal(&d, ret);
    if (status == TZ_OK)
        status = add_seed(&d, ret);
    for (unsigned r = 0; r < program->rules && status == TZ_OK; r++)
        status = add_rule(&d, r, ret);
    if (status == TZ_OK)
        tz_opt_sweep(ret);
    return status;
}
