/* accumulate.c - accumulation: a sum whose only tie to the rest of its rule is how far it goes.
 *
 *     at[i]                                        accumulated:
 *     ----- * open[i] * close[j]  if i < j              so_far[j-1]      at[i]
 *     at[j]                                             -----------      ----------- * open[i]
 *                                                       so_far[j]        so_far[i+1]
 *
 *                                                  and  so_far[j]
 *                                                       --------- * close[j]
 *                                                       at[j]
 *
 * so_far[j] is the sum over i < j of at[i] * open[i]: that to j - 1, and one more. A derivation of
 * it is the choice of i, and so derivations stay, one for one. It begins where there is something
 * to sum: its domain has no lower bounds for j but those of what is summed.
 *
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/optimise/program.h"

typedef struct accumulation {
    tz_opt *opt;
    const tz_opt_rule *rule;
    unsigned condition, summed, limit; /* how far the variable `summed` goes, by `limit` */
    uint32_t factors, local;           /* bit sets: what is summed, over which variables */
    tz_opt_rule product;               /* without the condition; concludes the item */
} accumulation;

/* Which factors are summed over which variables; TZ_NONE: something else ties them to the rest. */
static tz_status find_sum(accumulation *a) {
    const tz_opt_rule *rule = a->rule;
    uint32_t own = 0, outside = tz_opt_term_set(&rule->conclusion);
    for (unsigned f = 0; f < rule->factors; f++) {
        uint32_t set = tz_opt_term_set(&rule->factor[f]);
        a->factors |= (set >> a->summed & 1) << f;
        *(set >> a->summed & 1 ? &own : &outside) |= set;
    }
    a->local = own & ~outside;
    for (bool less = true; less;) {
        less = false;
        for (unsigned c = 0; c < rule->conditions; c++) {
            uint32_t set = tz_opt_form_set(&rule->condition[c].form);
            if (c != a->condition && (set & a->local) != 0 && (set & ~own) != 0) {
                a->local &= ~set;
                less = true;
            }
        }
    }
    return (a->local >> a->summed & 1) != 0 && (own >> a->limit & 1) == 0 ? TZ_OK : TZ_NONE;
}

static void extract(accumulation *a) {
    const tz_opt_rule *rule = a->rule;
    tz_opt_rule *product = &a->product;
    *product = (tz_opt_rule){.name = rule->name, .note = "", .variables = rule->variables};
    memcpy(product->variable_name, rule->variable_name, sizeof product->variable_name);
    for (unsigned f = 0; f < rule->factors; f++)
        if (a->factors >> f & 1) {
            product->factor[product->factors++] = rule->factor[f];
            product->premises += f < rule->premises;
        }
    for (unsigned c = 0; c < rule->conditions; c++)
        if (c != a->condition && (tz_opt_form_set(&rule->condition[c].form) & a->local) != 0)
            product->condition[product->conditions++] = rule->condition[c];
}

/* The item's domain: wherever there is something to sum that the rule asks for, or that is on the
 * way to it. */
static tz_status find_domain(accumulation *a, uint32_t keep, const tz_term *use, int direction,
                             tz_opt_item *item) {
    tz_opt_rule sums = a->product;
    tz_domain asked, limits;
    unsigned column = 0;
    for (unsigned v = 0; v < a->limit; v++)
        column += keep >> v & 1;
    tz_status status = tz_opt_project(a->opt, a->rule, keep, &asked);
    if (status != TZ_OK)
        return status;
    tz_constraint *kept = tz_arena_array(a->opt->arena, asked.count + 1, sizeof *kept);
    if (kept == NULL)
        return TZ_NO_MEMORY;
    limits = (tz_domain){kept, 0};
    for (uint32_t c = 0; c < asked.count; c++) {
        const int factor = asked.at[c].form.column[column];
        if (factor != 0 && asked.at[c].relation == TZ_EQ)
            return TZ_NONE;
        if (factor == 0 || (factor * direction < 0 && asked.at[c].relation == TZ_GE))
            kept[limits.count++] = asked.at[c];
    }
    if (sums.conditions == TZ_MAX_CONSTRAINTS)
        return TZ_TOO_LARGE;
    sums.condition[sums.conditions++] = a->rule->condition[a->condition];
    status = tz_opt_require(&sums, &limits, use, item->rank);
    return status == TZ_OK ? tz_opt_project(a->opt, &sums, keep, &item->domain) : status;
}

static const char *name_item(const accumulation *a) {
    return tz_opt_text(a->opt, "%.40s_so_far", tz_opt_name(a->opt, &a->product.factor[0]));
}

static tz_status make_item(accumulation *a, int direction, tz_term *ret_use) {
    uint32_t own = 0;
    const char *wanted[TZ_MAX_RANK], *name = name_item(a);
    uint16_t which;
    for (unsigned f = 0; f < a->product.factors; f++)
        own |= tz_opt_term_set(&a->product.factor[f]);
    const uint32_t keep = (own & ~a->local) | UINT32_C(1) << a->limit;
    if (__builtin_popcount(keep) > TZ_MAX_RANK)
        return TZ_NONE;
    tz_status status = name != NULL ? tz_opt_new_item(a->opt, name, &which) : TZ_NO_MEMORY;
    if (status != TZ_OK)
        return status;
    tz_opt_item *item = &a->opt->item[which];
    *ret_use = (tz_term){.what = TZ_INSIDE, .which = which};
    for (unsigned v = 0; v < TZ_MAX_COLUMNS; v++)
        if (keep >> v & 1) {
            wanted[item->rank] = a->rule->variable_name[v];
            ret_use->index[item->rank++] = tz_form_column(v);
        }
    a->product.conclusion = *ret_use;
    item->step = "accumulation";
    status = tz_opt_column_names(a->opt, wanted, item->rank, item->index_name);
    if (status == TZ_OK)
        status = find_domain(a, keep, ret_use, direction, item);
    const char *what = tz_opt_product_text(a->opt, &a->product);
    item->comment = what == NULL ? NULL
                                 : tz_opt_text(a->opt, "%s, as far as %s allows", what,
                                               a->rule->variable_name[a->limit]);
    return status == TZ_OK && item->comment == NULL ? TZ_NO_MEMORY : status;
}

static tz_status add(const accumulation *a, tz_opt_rule *rule, tz_opt_program *program) {
    const tz_opt_rule *made;
    tz_status status = tz_opt_tidy(a->opt, rule, &made);
    return status == TZ_OK ? tz_opt_add(a->opt, program, made) : status;
}

/* What the next value of the limit adds: where the condition is an equation. */
static tz_status add_next(const accumulation *a, tz_opt_program *program) {
    tz_opt_rule next = a->product;
    tz_form equation = a->rule->condition[a->condition].form;
    next.note = "accumulation";
    tz_status status = tz_opt_solve(&next, &equation, 1);
    return status == TZ_OK ? add(a, &next, program) : status;
}

/* What there was before it. */
static tz_status add_so_far(const accumulation *a, int direction, const tz_term *use,
                            tz_opt_program *program) {
    tz_opt_rule on = {.name = tz_opt_text(a->opt, "%.48s-on", a->opt->item[use->which].name),
                      .note = "accumulation",
                      .premises = 1,
                      .factors = 1,
                      .variables = a->rule->variables,
                      .factor = {*use},
                      .conclusion = *use};
    if (on.name == NULL)
        return TZ_NO_MEMORY;
    memcpy(on.variable_name, a->rule->variable_name, sizeof on.variable_name);
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        on.factor[0].index[q].constant -= use->index[q].column[a->limit] != 0 ? direction : 0;
    return add(a, &on, program);
}

static tz_status add_asking(const accumulation *a, const tz_term *use, tz_opt_program *program) {
    const tz_opt_match match = {.factors = a->factors, .summed = a->local, .use = *use};
    tz_opt_rule folded;
    int8_t from[TZ_OPT_FACTORS];
    tz_opt_fold(a->rule, &match, &folded, from);
    return add(a, &folded, program);
}

tz_status tz_opt_accumulate(tz_opt *opt, const tz_opt_program *program, unsigned r,
                            unsigned condition, unsigned summed, unsigned *ret_item,
                            tz_opt_program *ret) {
    const tz_opt_rule *rule = program->rule[r];
    const tz_form *form = &rule->condition[condition].form;
    const uint32_t both = tz_opt_form_set(form);
    accumulation a = {.opt = opt, .rule = rule, .condition = condition, .summed = summed};
    tz_term use;
    *ret = (tz_opt_program){.goal = program->goal};
    if (rule->sparse || rule->condition[condition].relation != TZ_GE ||
        __builtin_popcount(both) != 2 || (both >> summed & 1) == 0)
        return TZ_NONE;
    a.limit = (unsigned)__builtin_ctz(both & ~(UINT32_C(1) << summed));
    const int direction = form->column[a.limit];
    if ((direction != 1 && direction != -1) || form->column[summed] != -direction)
        return TZ_NONE;
    tz_status status = find_sum(&a);
    if (status == TZ_OK) {
        extract(&a);
        *ret_item = opt->items;
        status = make_item(&a, direction, &use);
    }
    if (status == TZ_OK)
        status = add_next(&a, ret);
    if (status == TZ_OK)
        status = add_so_far(&a, direction, &use, ret);
    for (unsigned q = 0; q < program->rules && status == TZ_OK; q++)
        status = q == r ? add_asking(&a, &use, ret) : tz_opt_add(opt, ret, program->rule[q]);
    if (status == TZ_OK)
        tz_opt_sweep(ret);
    return status;
}
