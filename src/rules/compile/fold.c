/* fold.c - work that rules share or would repeat, found and given a name.
 *
 * Three kinds of fold, all plain items to everything after this file:
 *   a sum     when weights of a rule mention only its conclusion's variables, or when several rules
 *             multiply the same premises, the sum over splits is an item of its own, and each rule
 *             multiplies it by its weights (attach-left and attach-right of Eisner 1996);
 *   a factor  when a weight mentions only one premise's variables but not only the conclusion's,
 *             the premise times the weight is an item, so that the loop over splits does not repeat
 *             it;
 *   a part    what is left of a sum is worked out part by part, where that takes fewer products
 *             (sum_apart.c).
 * The fold transformation is Eisner & Blatz 2007 ("Program transformations for optimization of
 * parsing algorithms and other weighted logic programs"), section 3.
 *
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/compile/step.h"
#include "rules/polyhedra/prove.h"

/* ---- Products that rules share --------------------------------------------------------------- */

/* The part of a rule that would be a sum: premises, then weights and conditions that mention
 * variables which the conclusion does not. */
typedef struct product {
    const tz_term *term[TZ_MAX_TERMS];
    unsigned terms;
    uint32_t kept;                      /* variables of the conclusion */
    int8_t canonical[TZ_MAX_VARIABLES]; /* by first appearance in the terms */
    bool sharable;
    unsigned users;
    bool folded;       /* the fold is made: */
    tz_term fold_term; /* over the variables of the first user's rule */
    tz_apart apart;    /* variables that parts of the sum sum out */
} product;

static void number_product(product *product) {
    unsigned count = 0;
    memset(product->canonical, -1, sizeof product->canonical);
    for (unsigned t = 0; t < product->terms; t++)
        for (unsigned q = 0; q < TZ_MAX_RANK; q++)
            for (unsigned v = 0; v < TZ_MAX_VARIABLES; v++)
                if (product->term[t]->index[q].column[v] != 0 && product->canonical[v] < 0)
                    product->canonical[v] = (int8_t)count++;
}

static bool same_product(const product *a, const product *b) {
    if (a->terms != b->terms)
        return false;
    for (unsigned t = 0; t < a->terms; t++)
        if (a->term[t]->what != b->term[t]->what || a->term[t]->which != b->term[t]->which)
            return false;
    for (unsigned v = 0; v < TZ_MAX_VARIABLES; v++)
        for (unsigned w = 0; w < TZ_MAX_VARIABLES; w++)
            if (a->canonical[v] >= 0 && a->canonical[v] == b->canonical[w] &&
                (a->kept >> v & 1) != (b->kept >> w & 1))
                return false;
    for (unsigned t = 0; t < a->terms; t++) {
        tz_term x = *a->term[t], y = *b->term[t];
        if (!tz_renumber_term(&x, a->canonical) || !tz_renumber_term(&y, b->canonical))
            return false;
        for (unsigned q = 0; q < TZ_MAX_RANK; q++)
            if (!tz_form_equal(&x.index[q], &y.index[q]))
                return false;
    }
    return true;
}

/* The use of a fold, indexed by variables of `made`, by a rule with an equal product: the variables
 * that take the same place. */
static tz_term use_fold(const tz_term *target, const product *made, const product *user) {
    tz_term term = {.what = TZ_INSIDE, .which = target->which};
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        for (unsigned v = 0; v < TZ_MAX_VARIABLES; v++)
            if (target->index[q].column[v] != 0)
                for (unsigned w = 0; w < TZ_MAX_VARIABLES; w++)
                    if (user->canonical[w] == made->canonical[v])
                        term.index[q] = tz_form_column(w);
    return term;
}

/* Does every variable stand alone, up to a constant, in one of the term's indices? Then a fold over
 * these variables is no larger than the item. */
static bool plain(const tz_term *term) {
    uint32_t all = tz_term_variables(term), alone = 0;
    for (unsigned q = 0; q < TZ_MAX_RANK; q++) {
        uint32_t set = tz_form_variables(&term->index[q]);
        if (set != 0 && (set & (set - 1)) == 0)
            alone |= set;
    }
    return all == alone;
}

static unsigned bits(uint32_t set) {
    return (unsigned)__builtin_popcount(set);
}

/* Condition constraints that mention a variable which the conclusion does not. */
static unsigned inner_conditions(const tz_rule *rule, uint32_t kept) {
    unsigned count = 0;
    for (uint32_t c = 0; c < rule->condition.count; c++)
        count += (tz_form_variables(&rule->condition.at[c].form) & ~kept) != 0;
    return count;
}

typedef struct folder {
    tz_draft *draft;
    product *product;         /* one per rule; terms 0: the rule has none */
    tz_term *factor;          /* [premises of all rules] each premise, or the factor fold for it */
    const tz_term **absorbed; /* weights taken by a factor, per rule: see is_absorbed */
    unsigned absorbed_count;
} folder;

static bool is_absorbed(const folder *f, const tz_term *weight) {
    for (unsigned a = 0; a < f->absorbed_count; a++)
        if (f->absorbed[a] == weight)
            return true;
    return false;
}

/* Looks for an earlier fold with the same product as the raw step, to be reused. */
static bool find_factor(const tz_draft *draft, const tz_raw_step *p, uint32_t keep,
                        tz_term *ret_term) {
    product wanted = {.terms = p->terms, .kept = keep}, have;
    memcpy(wanted.term, p->term, p->terms * sizeof *p->term);
    number_product(&wanted);
    for (unsigned s = 0; s < draft->steps; s++) {
        const tz_draft_step *step = &draft->step[s];
        if (step->target.which < draft->rules->items || step->terms != p->terms ||
            step->sparse != 0)
            continue;
        have.terms = step->terms;
        have.kept = tz_term_variables(&step->target);
        for (unsigned t = 0; t < step->terms; t++)
            have.term[t] = &step->term[t];
        number_product(&have);
        if (same_product(&wanted, &have)) {
            *ret_term = use_fold(&step->target, &have, &wanted);
            return true;
        }
    }
    return false;
}

/* Multiplies weights that mention only variables of premise `at` into it. */
static tz_status make_factors(folder *f, const tz_rule *rule, tz_term *premise) {
    tz_draft *draft = f->draft;
    uint32_t kept = tz_term_variables(&rule->conclusion), all = kept;
    for (unsigned p = 0; p < rule->premises; p++)
        all |= tz_term_variables(&rule->premise[p]);
    for (unsigned p = 0; p < rule->premises; p++) {
        uint32_t own = tz_term_variables(&rule->premise[p]);
        if (own == all || bits(own) > TZ_MAX_RANK || !plain(&rule->premise[p]))
            continue;
        tz_raw_step raw = {.rule = rule, .term = {&rule->premise[p]}, .terms = 1};
        for (unsigned w = 0; w < rule->weights; w++) {
            uint32_t set = tz_term_variables(&rule->weight[w]);
            if ((set & ~own) == 0 && (set & ~kept) != 0 && !is_absorbed(f, &rule->weight[w])) {
                raw.term[raw.terms++] = &rule->weight[w];
                f->absorbed[f->absorbed_count++] = &rule->weight[w];
            }
        }
        if (raw.terms == 1)
            continue;
        tz_term term;
        if (!find_factor(draft, &raw, own, &term)) {
            tz_status status = tz_add_fold(draft, &raw, own, &term);
            if (status != TZ_OK)
                return status;
        }
        premise[p] = term;
    }
    return TZ_OK;
}

/* Can the rule's sum be an item of its own, given the variables of its terms? Every constraint of
 * the condition must fall wholly inside or outside it. */
static bool foldable(const tz_rule *rule, uint32_t kept, uint32_t in_terms) {
    for (uint32_t c = 0; c < rule->condition.count; c++) {
        uint32_t set = tz_form_variables(&rule->condition.at[c].form);
        if ((set & ~kept) != 0 && (set & ~in_terms) != 0)
            return false;
    }
    return in_terms != 0 && plain(&rule->conclusion) && bits(kept & in_terms) <= TZ_MAX_RANK;
}

static uint32_t product_variables(const product *product) {
    uint32_t set = 0;
    for (unsigned t = 0; t < product->terms; t++)
        set |= tz_term_variables(product->term[t]);
    return set;
}

/* Do the constraints of a sum bound its variables? Some may have been bounded by what stands
 * outside it alone, as i and j of  x[i+j] y[k] / z[i,j]. */
static tz_status is_bounded(const tz_draft *draft, const tz_raw_step *sum, bool *ret) {
    tz_assumptions assumed = {.lengths = draft->rules->lengths, .columns = sum->rule->variables};
    tz_status status = TZ_OK;
    uint32_t set = 0;
    for (unsigned t = 0; t < sum->terms && status == TZ_OK; t++) {
        const tz_term *term = sum->term[t];
        set |= tz_term_variables(term);
        status = tz_assumptions_add(&assumed, tz_term_domain(draft, term), term,
                                    tz_term_rank(draft, term));
    }
    for (unsigned d = 0; d < sum->domains; d++)
        for (uint32_t c = 0; c < sum->domain[d].count && status == TZ_OK; c++) {
            tz_domain one = {&sum->domain[d].at[c], 1};
            if ((tz_form_variables(&one.at->form) & sum->drop) == 0)
                status = tz_assumptions_add(&assumed, &one, NULL, 0);
        }
    for (unsigned v = 0; v < sum->rule->variables; v++)
        for (int sign = -1; sign <= 1 && (set >> v & 1) != 0 && status == TZ_OK; sign += 2)
            status = tz_assumptions_bounded(&assumed, v, sign);
    *ret = status == TZ_OK;
    return status == TZ_NO_MEMORY ? status : TZ_OK;
}

/* The sum of a product that several rules share: over all that its terms allow. */
static tz_raw_step shared_sum(const tz_rule *rule, const product *product) {
    tz_raw_step sum = {.rule = rule, .terms = product->terms, .drop = ~product_variables(product)};
    memcpy(sum.term, product->term, product->terms * sizeof *sum.term);
    return sum;
}

/* The sum of a product that one rule needs: nothing outside the rule's own instances. outer: the
 * weights that stand outside it. */
static tz_status own_sum(const tz_draft *draft, const tz_rule *rule, const product *product,
                         const tz_term *const *outer, unsigned outers, tz_raw_step *ret) {
    *ret = shared_sum(rule, product);
    ret->domain[ret->domains++] = rule->condition;
    size_t room = tz_term_domain(draft, &rule->conclusion)->count;
    for (unsigned w = 0; w < outers; w++)
        room += tz_term_domain(draft, outer[w])->count;
    tz_constraint *at = tz_arena_array(draft->arena, room, sizeof *at);
    if (at == NULL)
        return TZ_NO_MEMORY;
    uint32_t count = 0;
    for (unsigned w = 0; w <= outers; w++) {
        const tz_term *from = w < outers ? outer[w] : &rule->conclusion;
        const tz_domain *domain = tz_term_domain(draft, from);
        for (uint32_t c = 0; c < domain->count; c++) {
            at[count] = domain->at[c];
            if (!tz_form_compose(&at[count].form, &at[count].form, from->index,
                                 tz_term_rank(draft, from)))
                return TZ_TOO_LARGE;
            if ((tz_form_variables(&at[count].form) & ret->drop) == 0)
                count++;
        }
    }
    ret->domain[ret->domains++] = (tz_domain){at, count};
    return TZ_OK;
}

/* The variables of a product that take the place of those of an equal one. */
static tz_apart same_apart(const product *made, const product *user) {
    tz_apart apart = {.count = made->apart.count};
    for (unsigned i = 0; i < apart.count; i++)
        for (uint8_t w = 0; w < TZ_MAX_VARIABLES; w++)
            if (user->canonical[w] == made->canonical[made->apart.variable[i]])
                apart.variable[i] = w;
    return apart;
}

/* Emits the steps of one rule, given its product and the first rule's that has an equal one. */
static tz_status emit_rule(folder *f, const tz_rule *rule, product *product,
                           struct product *first) {
    tz_draft *draft = f->draft;
    uint32_t kept = product->kept, in_terms = product_variables(product);
    tz_raw_step whole = {.rule = rule, .target = rule->conclusion}, sum;
    const tz_term *outer[TZ_MAX_TERMS];
    unsigned after = 0;
    for (unsigned w = 0; w < rule->weights; w++)
        if ((tz_term_variables(&rule->weight[w]) & ~kept) == 0)
            outer[after++] = &rule->weight[w];
    bool fold = first->users > 1;
    tz_status status = TZ_OK;
    if (fold) {
        sum = shared_sum(rule, product);
    } else if ((in_terms & ~kept) != 0 && after > 0 && foldable(rule, kept, in_terms)) {
        status = own_sum(draft, rule, product, outer, after, &sum);
        if (status == TZ_OK)
            status = is_bounded(draft, &sum, &fold);
        if (status != TZ_OK)
            return status;
    }
    tz_term term = {.what = TZ_INSIDE};
    if (!fold) {
        memcpy(whole.term, product->term, product->terms * sizeof *whole.term);
        whole.terms = product->terms;
    } else if (!first->folded) {
        status = tz_sum_apart(draft, &sum, kept & in_terms, NULL, &first->apart);
        if (status == TZ_OK)
            status = tz_add_fold(draft, &sum, kept & in_terms, &term);
        if (status != TZ_OK)
            return status;
        first->fold_term = term;
        first->folded = true;
    } else {
        term = use_fold(&first->fold_term, first, product);
        product->apart = same_apart(first, product);
    }
    if (fold) {
        whole.term[whole.terms++] = &term;
        whole.drop = ~kept;
    }
    for (unsigned w = 0; w < after; w++)
        whole.term[whole.terms++] = outer[w];
    whole.domain[whole.domains++] = rule->condition;
    if (!fold)
        status = tz_sum_apart(draft, &whole, kept, &rule->conclusion, &product->apart);
    return status == TZ_OK ? tz_add_step(draft, &whole) : status;
}

/* ---- Rules again ----------------------------------------------------------------------------- */

/* The rule with the variables that parts sum out numbered last: the order that decides ties. */
static tz_status renumber_rule(tz_arena *arena, const tz_apart *apart, tz_rule *rule) {
    int8_t number[TZ_MAX_VARIABLES] = {0};
    uint8_t count = 0;
    for (unsigned i = 0; i < apart->count; i++)
        number[apart->variable[i]] = (int8_t)(rule->variables - apart->count + i);
    for (unsigned v = 0; v < TZ_MAX_VARIABLES; v++) {
        bool last = false;
        for (unsigned i = 0; i < apart->count; i++)
            last |= apart->variable[i] == v;
        if (!last)
            number[v] = (int8_t)(v < rule->variables ? count++ : v);
    }
    const char **name = tz_arena_array(arena, rule->variables, sizeof *name);
    tz_term *premise = tz_arena_array(arena, rule->premises, sizeof *premise);
    tz_term *weight = tz_arena_array(arena, rule->weights, sizeof *weight);
    tz_constraint *condition = tz_arena_array(arena, rule->condition.count, sizeof *condition);
    if (name == NULL || premise == NULL || weight == NULL || condition == NULL)
        return TZ_NO_MEMORY;
    for (unsigned v = 0; v < rule->variables; v++)
        name[number[v]] = rule->variable_name[v];
    for (unsigned p = 0; p < rule->premises; p++) {
        premise[p] = rule->premise[p];
        tz_renumber_term(&premise[p], number);
    }
    for (unsigned w = 0; w < rule->weights; w++) {
        weight[w] = rule->weight[w];
        tz_renumber_term(&weight[w], number);
    }
    for (uint32_t c = 0; c < rule->condition.count; c++) {
        condition[c] = rule->condition.at[c];
        tz_renumber_form(&condition[c].form, number);
    }
    tz_renumber_term(&rule->conclusion, number);
    rule->variable_name = name;
    rule->premise = premise;
    rule->weight = weight;
    rule->condition.at = condition;
    return TZ_OK;
}

static tz_status renumber_rules(folder *f) {
    tz_rules *rules = f->draft->rules;
    tz_status status = TZ_OK;
    if (f->draft->parts == 0)
        return TZ_OK;
    tz_rule *rule = tz_arena_array(f->draft->arena, rules->rule_count, sizeof *rule);
    if (rule == NULL)
        return TZ_NO_MEMORY;
    memcpy(rule, rules->rule, rules->rule_count * sizeof *rule);
    for (unsigned r = 0; r < rules->rule_count && status == TZ_OK; r++)
        if (f->product[r].apart.count > 0)
            status = renumber_rule(f->draft->arena, &f->product[r].apart, &rule[r]);
    rules->rule = rule;
    return status;
}

static tz_status find_sharable(const tz_draft *draft, const tz_rule *rule, product *product) {
    product->sharable = product->terms > 1 && inner_conditions(rule, product->kept) == 0 &&
                        foldable(rule, product->kept, product_variables(product));
    if (!product->sharable)
        return TZ_OK;
    tz_raw_step sum = shared_sum(rule, product);
    return is_bounded(draft, &sum, &product->sharable);
}

static bool is_alone(const tz_draft *draft, unsigned rule) {
    return draft->unshared != NULL && draft->unshared[rule];
}

tz_status tz_fold(tz_draft *draft) {
    const tz_rules *rules = draft->rules;
    size_t premises = 0, weights = 0;
    if (rules->rule_count > TZ_MAX_STEPS)
        return tz_too_many(draft, &rules->rule[TZ_MAX_STEPS], "rules");
    for (unsigned r = 0; r < rules->rule_count; r++) {
        premises += rules->rule[r].premises;
        weights += rules->rule[r].weights;
    }
    folder f = {.draft = draft};
    f.product = tz_arena_array(draft->arena, rules->rule_count, sizeof *f.product);
    f.factor = tz_arena_array(draft->arena, premises, sizeof *f.factor);
    f.absorbed = tz_arena_array(draft->arena, weights, sizeof *f.absorbed);
    if (f.product == NULL || f.factor == NULL || f.absorbed == NULL)
        return TZ_NO_MEMORY;

    tz_term *premise = f.factor;
    for (unsigned r = 0; r < rules->rule_count; r++) {
        const tz_rule *rule = draft->at = &rules->rule[r];
        product *product = &f.product[r];
        if (is_alone(draft, r))
            continue;
        memcpy(premise, rule->premise, rule->premises * sizeof *premise);
        tz_status status = make_factors(&f, rule, premise);
        if (status != TZ_OK)
            return status;
        product->kept = tz_term_variables(&rule->conclusion);
        for (unsigned p = 0; p < rule->premises; p++)
            product->term[product->terms++] = &premise[p];
        for (unsigned w = 0; w < rule->weights; w++)
            if ((tz_term_variables(&rule->weight[w]) & ~product->kept) != 0 &&
                !is_absorbed(&f, &rule->weight[w]))
                product->term[product->terms++] = &rule->weight[w];
        number_product(product);
        status = find_sharable(draft, rule, product);
        if (status != TZ_OK)
            return status;
        premise += rule->premises;
    }
    for (unsigned r = 0; r < rules->rule_count; r++) {
        product *first = &f.product[r];
        draft->at = &rules->rule[r];
        if (is_alone(draft, r)) {
            tz_raw_step whole = tz_whole_rule(&rules->rule[r]);
            tz_status status = tz_add_step(draft, &whole);
            if (status != TZ_OK)
                return status;
            continue;
        }
        /* A product of one term is not worth sharing, and conditions inside the sum may differ. */
        for (unsigned s = 0; s < rules->rule_count && first->sharable; s++)
            if (f.product[s].sharable && same_product(&f.product[s], &f.product[r])) {
                if (s < r) {
                    first = &f.product[s];
                    break;
                }
                first->users++;
            }
        tz_status status = emit_rule(&f, &rules->rule[r], &f.product[r], first);
        if (status != TZ_OK)
            return status;
    }
    return renumber_rules(&f);
}
