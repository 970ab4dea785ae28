/* fold.c - fold: an item in place of a product, summed over what nothing else mentions.
 *
 *     span[i,h,k]  span[k+1,m,j]                          span[k+1,m,j]
 *     -------------------------- * arc[h,m]    becomes    ------------- * arc[h,m]
 *     span[i,h,j]                                         hook[k,h,j]
 *
 *                                               and       span[i,h,k]  hook[k,h,j]
 *                                                         ------------------------
 *                                                         span[i,h,j]
 *
 * By the distributive law the values stay, and so do derivations, one for one: a derivation of the
 * hook is the choice of what it sums. Eisner & Blatz 2007, section 3; first Burstall & Darlington
 * 1977.
 *
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "rules/optimise/program.h"

static uint32_t factor_variables(const tz_opt_rule *rule, uint32_t factors) {
    uint32_t set = 0;
    for (unsigned f = 0; f < rule->factors; f++)
        if (factors >> f & 1)
            set |= tz_opt_term_set(&rule->factor[f]);
    return set;
}

uint32_t tz_opt_local(const tz_opt_rule *rule, uint32_t factors) {
    uint32_t own = factor_variables(rule, factors);
    uint32_t local = own & ~factor_variables(rule, ~factors) & ~tz_opt_term_set(&rule->conclusion);
    for (bool less = true; less;) {
        less = false;
        for (unsigned c = 0; c < rule->conditions; c++) {
            uint32_t limited = tz_opt_form_set(&rule->condition[c].form);
            if ((limited & local) != 0 && (limited & ~own) != 0) {
                local &= ~limited;
                less = true;
            }
        }
    }
    return local;
}

/* ---- Finding a product ----------------------------------------------------------------------- */

typedef struct finding {
    const tz_opt *opt;
    const tz_opt_rule *definition, *rule;
    uint32_t among;
    bool whole;
    uint8_t at[TZ_OPT_FACTORS]; /* where each factor of the definition is found */
    uint32_t used;
    tz_form by[TZ_MAX_COLUMNS]; /* what each of its variables is there */
    tz_opt_match *match;
} finding;

/* form = to, where all variables of the form but one are known: then that one is, too. */
static bool learn(const tz_form *form, const tz_form *to, const uint32_t *known, tz_form *by,
                  unsigned *ret_variable) {
    uint32_t open = tz_opt_form_set(form) & ~*known;
    if (__builtin_popcount(open) != 1)
        return false;
    unsigned v = (unsigned)__builtin_ctz(open);
    int sign = form->column[v];
    /* v = sign * (to - the rest of the form) */
    tz_form rest = *form, difference;
    rest.column[v] = 0;
    tz_form sum = {.column = {1, -1}};
    tz_form parts[2] = {*to};
    if ((sign != 1 && sign != -1) || !tz_form_compose(&parts[1], &rest, by, TZ_MAX_COLUMNS) ||
        !tz_form_compose(&difference, &sum, parts, 2))
        return false;
    tz_form times = {.column = {(int16_t)sign}};
    *ret_variable = v;
    return tz_form_compose(&by[v], &times, &difference, 1);
}

/* What the definition's variables are, from the index expressions. */
static bool solve(finding *f) {
    const tz_opt_rule *definition = f->definition;
    uint32_t known = 0;
    memset(f->by, 0, sizeof f->by);
    for (bool more = true; more;) {
        more = false;
        for (unsigned i = 0; i < definition->factors; i++) {
            const tz_term *from = &definition->factor[i], *to = &f->rule->factor[f->at[i]];
            for (unsigned q = 0; q < TZ_MAX_RANK; q++) {
                unsigned v;
                if (learn(&from->index[q], &to->index[q], &known, f->by, &v)) {
                    known |= UINT32_C(1) << v;
                    more = true;
                }
            }
        }
    }
    for (unsigned i = 0; i < definition->factors; i++) {
        const tz_term *from = &definition->factor[i], *to = &f->rule->factor[f->at[i]];
        for (unsigned q = 0; q < TZ_MAX_RANK; q++) {
            tz_form there;
            if ((tz_opt_form_set(&from->index[q]) & ~known) != 0 ||
                !tz_form_compose(&there, &from->index[q], f->by, TZ_MAX_COLUMNS) ||
                !tz_form_equal(&there, &to->index[q]))
                return false;
        }
    }
    return true;
}

/* Are what is summed there variables of the rule, each by itself, that nothing else mentions? */
static bool check_summed(finding *f) {
    uint32_t kept = tz_opt_term_set(&f->definition->conclusion), elsewhere = 0;
    f->match->summed = 0;
    for (unsigned v = 0; v < f->definition->variables; v++) {
        uint32_t there = tz_opt_form_set(&f->by[v]);
        if (kept >> v & 1) {
            elsewhere |= there;
            continue;
        }
        if (__builtin_popcount(there) != 1 || (there & f->match->summed) != 0)
            return false;
        int factor = f->by[v].column[__builtin_ctz(there)];
        if (factor != 1 && factor != -1)
            return false;
        f->match->summed |= there;
    }
    return (f->match->summed & (elsewhere | ~tz_opt_local(f->rule, f->used))) == 0;
}

static bool has_condition(const tz_opt_rule *rule, const tz_constraint *condition) {
    for (unsigned c = 0; c < rule->conditions; c++)
        if (rule->condition[c].relation == condition->relation &&
            tz_form_equal(&rule->condition[c].form, &condition->form))
            return true;
    return false;
}

/* What is summed must be under the same conditions. */
static bool check_conditions(const finding *f) {
    const tz_opt_rule *rule = f->rule;
    unsigned here = 0;
    for (unsigned c = 0; c < rule->conditions; c++)
        here += (tz_opt_form_set(&rule->condition[c].form) & f->match->summed) != 0;
    if (here != f->definition->conditions)
        return false;
    for (unsigned c = 0; c < f->definition->conditions; c++) {
        tz_constraint there = f->definition->condition[c];
        if (!tz_form_compose(&there.form, &there.form, f->by, TZ_MAX_COLUMNS) ||
            !has_condition(rule, &there))
            return false;
    }
    return true;
}

/* Does the item's domain have all that the rule asks of it? */
static tz_status check_domain(finding *f) {
    const tz_term *conclusion = &f->definition->conclusion;
    const tz_domain *domain = tz_opt_domain(f->opt, conclusion);
    tz_term *use = &f->match->use;
    *use = (tz_term){.what = TZ_INSIDE, .which = conclusion->which};
    for (unsigned q = 0; q < tz_opt_rank(f->opt, conclusion); q++)
        if (!tz_form_compose(&use->index[q], &conclusion->index[q], f->by, TZ_MAX_COLUMNS))
            return TZ_NONE;
    tz_assumptions assumed;
    tz_status status = tz_opt_assume(f->opt, f->rule, -1, &assumed);
    for (uint32_t c = 0; c < domain->count && status == TZ_OK; c++) {
        tz_constraint there = domain->at[c];
        if (!tz_form_compose(&there.form, &there.form, use->index, TZ_MAX_RANK))
            return TZ_NONE;
        status = tz_opt_implied(&assumed, &there);
    }
    return status == TZ_TOO_LARGE ? TZ_NONE : status;
}

/* Places factor number i of the definition and those after it. */
static tz_status place(finding *f, unsigned i) {
    if (i == f->definition->factors) {
        if (f->whole && f->used != f->among)
            return TZ_NONE;
        if (!solve(f) || !check_summed(f) || !check_conditions(f))
            return TZ_NONE;
        f->match->factors = f->used;
        return check_domain(f);
    }
    const tz_term *wanted = &f->definition->factor[i];
    for (unsigned at = 0; at < f->rule->factors; at++) {
        const tz_term *there = &f->rule->factor[at];
        if ((f->among >> at & 1) == 0 || (f->used >> at & 1) != 0 || there->what != wanted->what ||
            there->which != wanted->which)
            continue;
        f->at[i] = (uint8_t)at;
        f->used |= UINT32_C(1) << at;
        tz_status status = place(f, i + 1);
        if (status != TZ_NONE)
            return status;
        f->used &= ~(UINT32_C(1) << at);
    }
    return TZ_NONE;
}

tz_status tz_opt_find(const tz_opt *opt, const tz_opt_rule *definition, const tz_opt_rule *rule,
                      uint32_t among, bool whole, tz_opt_match *ret) {
    finding f = {.opt = opt,
                 .definition = definition,
                 .rule = rule,
                 .among = among & ((UINT32_C(1) << rule->factors) - 1),
                 .whole = whole,
                 .match = ret};
    if (whole && definition->factors != (unsigned)__builtin_popcount(f.among))
        return TZ_NONE;
    return place(&f, 0);
}

/* ---- Making its item ------------------------------------------------------------------------- */

/* "span_arc"; "span_sum", "span_at" of one premise; "part" where that is long. */
static void name_product(const tz_opt *opt, const tz_opt_rule *product, bool sums, char *ret,
                         size_t size) {
    const size_t most = 24;
    size_t used = 0;
    for (unsigned f = 0; f < product->factors && used < size; f++) {
        bool again = false;
        for (unsigned g = 0; g < f; g++)
            again |= product->factor[g].what == product->factor[f].what &&
                     product->factor[g].which == product->factor[f].which;
        if (!again)
            used += (size_t)snprintf(ret + used, size - used, "%s%s", used > 0 ? "_" : "",
                                     tz_opt_name(opt, &product->factor[f]));
    }
    if (product->factors == 1 && used < size)
        used += (size_t)snprintf(ret + used, size - used, sums ? "_sum" : "_at");
    if (used > most)
        snprintf(ret, size, "part");
}

/* The product alone, concluding `item`, which has no domain yet. */
static void extract(const tz_opt_rule *rule, uint32_t factors, uint32_t summed, uint16_t item,
                    tz_opt_rule *ret) {
    *ret = (tz_opt_rule){.name = rule->name, .note = "", .variables = rule->variables};
    memcpy(ret->variable_name, rule->variable_name, sizeof ret->variable_name);
    for (unsigned f = 0; f < rule->factors; f++)
        if (factors >> f & 1) {
            ret->factor[ret->factors++] = rule->factor[f];
            ret->premises += f < rule->premises;
        }
    for (unsigned c = 0; c < rule->conditions; c++)
        if ((tz_opt_form_set(&rule->condition[c].form) & summed) != 0)
            ret->condition[ret->conditions++] = rule->condition[c];
    ret->conclusion = (tz_term){.what = TZ_INSIDE, .which = item};
}

static tz_status make_item(tz_opt *opt, const tz_opt_rule *rule, uint32_t factors, uint32_t summed,
                           bool within, tz_opt_match *ret) {
    uint32_t kept = factor_variables(rule, factors) & ~summed;
    const unsigned before = opt->items;
    tz_opt_rule product;
    char name[256];
    const char *wanted[TZ_MAX_RANK];
    uint16_t which;
    if (__builtin_popcount(kept) > TZ_MAX_RANK)
        return TZ_NONE;
    extract(rule, factors, summed, 0, &product);
    name_product(opt, &product, summed != 0, name, sizeof name);
    tz_status status = tz_opt_new_item(opt, name, &which);
    if (status != TZ_OK)
        return status;
    tz_opt_item *item = &opt->item[which];
    product.conclusion.which = which;
    product.name = item->name;
    ret->use = (tz_term){.what = TZ_INSIDE, .which = which};
    for (unsigned v = 0; v < TZ_MAX_VARIABLES; v++)
        if (kept >> v & 1) {
            wanted[item->rank] = rule->variable_name[v];
            ret->use.index[item->rank] = product.conclusion.index[item->rank] = tz_form_column(v);
            item->rank++;
        }
    status = tz_opt_column_names(opt, wanted, item->rank, item->index_name);
    if (status == TZ_OK && within) {
        status = tz_opt_project(opt, rule, kept, &item->domain);
        within = status == TZ_OK;
        status = status == TZ_NO_MEMORY ? status : TZ_OK;
    }
    if (status == TZ_OK && !within)
        status = tz_opt_project(opt, &product, kept, &item->domain);
    if (status == TZ_OK)
        status = tz_opt_tidy(opt, &product, &item->definition);
    if (status == TZ_OK) {
        item->within = within;
        item->step = "fold";
    }
    if (status != TZ_OK)
        opt->items = before;
    ret->factors = factors;
    ret->summed = summed;
    return status;
}

tz_status tz_opt_fold_item(tz_opt *opt, const tz_opt_rule *rule, uint32_t factors, bool within,
                           tz_opt_match *ret) {
    uint32_t summed = tz_opt_local(rule, factors);
    for (unsigned i = opt->items; i-- > opt->rules->items;) { /* what was made last, first */
        if (opt->item[i].definition == NULL || (opt->item[i].within && !within))
            continue;
        tz_status status = tz_opt_find(opt, opt->item[i].definition, rule, factors, true, ret);
        if (status == TZ_OK && ret->summed == summed)
            return TZ_OK;
        if (status != TZ_OK && status != TZ_NONE)
            return status;
    }
    return make_item(opt, rule, factors, summed, within, ret);
}

void tz_opt_fold(const tz_opt_rule *rule, const tz_opt_match *match, tz_opt_rule *ret,
                 int8_t *ret_from) {
    *ret = *rule;
    ret->premises = ret->factors = ret->conditions = 0;
    bool placed = false;
    for (unsigned f = 0; f <= rule->factors; f++) {
        bool matched = f < rule->factors && (match->factors >> f & 1) != 0;
        if (!placed && (matched || f >= rule->premises)) {
            ret_from[ret->factors] = -1;
            ret->factor[ret->factors++] = match->use;
            ret->premises++;
            placed = true;
        }
        if (f == rule->factors || matched)
            continue;
        ret_from[ret->factors] = (int8_t)f;
        ret->factor[ret->factors++] = rule->factor[f];
        ret->premises += f < rule->premises;
    }
    for (unsigned c = 0; c < rule->conditions; c++)
        if ((tz_opt_form_set(&rule->condition[c].form) & match->summed) == 0)
            ret->condition[ret->conditions++] = rule->condition[c];
}
