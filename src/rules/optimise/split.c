/* split.c - the sum of a rule worked out in parts: a fold for each.
 *
 * Which parts take least is known from compile/eliminate.c. That keeps the order of premises, for
 * the sake of proof trees; here other orders are tried as well.
 *
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/optimise/program.h"

enum { MOST_ORDERED = 4 }; /* premises whose orders are all tried */

/* The next order of `count` numbers; false after the last. Knuth, algorithm 7.2.1.2L. */
static bool next_order(uint8_t *order, unsigned count) {
    unsigned i = count, j = count;
    while (i > 1 && order[i - 2] > order[i - 1])
        i--;
    if (i <= 1)
        return false;
    while (order[j - 1] < order[i - 2])
        j--;
    uint8_t swap = order[i - 2];
    order[i - 2] = order[j - 1];
    order[j - 1] = swap;
    for (j = count; i < j; i++, j--) {
        swap = order[i - 1];
        order[i - 1] = order[j - 1];
        order[j - 1] = swap;
    }
    return true;
}

/* Fewer steps of the highest degree, or as many and fewer of the next one, ... */
static bool is_better(const tz_parts *a, const tz_parts *b) {
    for (unsigned d = TZ_MAX_VARIABLES + 1; d-- > 0;)
        if (a->steps[d] != b->steps[d])
            return a->steps[d] < b->steps[d];
    return false;
}

static tz_status choose(const tz_opt *opt, const tz_opt_rule *rule, const tz_assumptions *assumed,
                        tz_opt_split *split) {
    uint8_t order[TZ_MOST_FACTORS];
    tz_constraint limit[TZ_MAX_ASSUMPTIONS];
    tz_parts best = {.count = 0};
    for (unsigned k = 0; k < assumed->count; k++)
        limit[k] = assumed->known[k].constraint;
    for (unsigned f = 0; f < rule->factors; f++)
        order[f] = (uint8_t)f;
    do {
        if (rule->premises > 1 && order[0] > order[rule->premises - 1])
            continue; /* the same neighbours as backwards */
        tz_sum sum = {.factors = rule->factors,
                      .premises = rule->premises,
                      .kept = tz_opt_term_set(&rule->conclusion),
                      .used = (UINT32_C(1) << rule->variables) - 1,
                      .limits = {limit, assumed->count}};
        tz_parts parts;
        for (unsigned f = 0; f < rule->factors; f++)
            sum.variables[f] = tz_opt_term_set(&rule->factor[order[f]]);
        tz_status status = tz_choose_parts(&sum, opt->rules->lengths, &parts);
        if (status == TZ_NO_MEMORY)
            return status;
        if (status != TZ_OK || parts.count == 0 || (best.count > 0 && !is_better(&parts, &best)))
            continue;
        best = parts;
        split->parts = parts.count;
        memset(split->part, 0, sizeof split->part);
        for (unsigned p = 0; p < parts.count; p++)
            for (unsigned f = 0; f < rule->factors; f++)
                split->part[p] |= (uint32_t)(parts.part[p].factors >> f & 1) << order[f];
    } while (rule->premises <= MOST_ORDERED && next_order(order, rule->premises));
    return TZ_OK;
}

tz_status tz_opt_split_of(const tz_opt *opt, const tz_opt_rule *rule, const tz_opt_split **ret) {
    tz_opt_split *split = &rule->taken->split;
    tz_assumptions assumed;
    tz_status status = TZ_OK;
    *ret = split;
    if (split->known || rule->factors < 2 || rule->factors > TZ_MOST_FACTORS || rule->sparse)
        return TZ_OK;
    status = tz_opt_assume(opt, rule, -1, &assumed);
    if (status == TZ_OK)
        status = choose(opt, rule, &assumed, split);
    split->known = status == TZ_OK;
    return status;
}

/* ---- Folding the parts ----------------------------------------------------------------------- */

static tz_status fold_part(tz_opt *opt, uint32_t part, uint32_t *stands_for, tz_opt_taken *to) {
    tz_opt_match match;
    tz_opt_rule folded;
    int8_t from[TZ_OPT_FACTORS];
    uint32_t factors = 0, before[TZ_OPT_FACTORS];
    for (unsigned f = 0; f < to->rule->factors; f++)
        factors |= (uint32_t)((stands_for[f] & ~part) == 0) << f;
    tz_status status = tz_opt_fold_item(opt, to->rule, factors, true, &match);
    if (status != TZ_OK)
        return status;
    tz_opt_fold(to->rule, &match, &folded, from);
    memcpy(before, stands_for, sizeof before);
    for (unsigned f = 0; f < folded.factors; f++)
        stands_for[f] = from[f] < 0 ? part : before[from[f]];
    to->item[to->items++] = match.use.which;
    return tz_opt_tidy(opt, &folded, &to->rule);
}

static tz_status take_apart(tz_opt *opt, const tz_opt_rule *rule, tz_opt_taken *ret) {
    const tz_opt_split *split;
    uint32_t stands_for[TZ_OPT_FACTORS];
    ret->rule = rule;
    ret->items = 0;
    tz_status status = tz_opt_split_of(opt, rule, &split);
    for (unsigned f = 0; f < TZ_OPT_FACTORS; f++)
        stands_for[f] = UINT32_C(1) << f;
    for (unsigned p = 0; p < split->parts && status == TZ_OK; p++)
        status = fold_part(opt, split->part[p], stands_for, ret);
    if (status == TZ_NONE || status == TZ_TOO_LARGE) {
        ret->rule = rule;
        ret->items = 0;
        return TZ_OK;
    }
    return status;
}

static bool is_derived(const tz_opt_program *before, const tz_opt_program *program, unsigned item) {
    return tz_opt_derives(before, item) || tz_opt_derives(program, item);
}

static tz_status put_together(tz_opt *opt, const tz_opt_program *program, const tz_opt_taken *all,
                              tz_opt_program *ret) {
    tz_status status = TZ_OK;
    *ret = (tz_opt_program){.goal = program->goal};
    for (unsigned r = 0; r < program->rules && status == TZ_OK; r++) {
        for (unsigned i = 0; i < all[r].items && status == TZ_OK; i++)
            if (!is_derived(program, ret, all[r].item[i]))
                status = tz_opt_add(opt, ret, opt->item[all[r].item[i]].definition);
        if (status == TZ_OK)
            status = tz_opt_add(opt, ret, all[r].rule);
    }
    if (status == TZ_OK)
        tz_opt_sweep(ret);
    return status;
}

/* Are there two made items for one product, the earlier one with a smaller domain? */
static bool could_share(const tz_opt *opt, const tz_opt_taken *all, unsigned rules) {
    for (unsigned r = 0; r < rules; r++)
        for (unsigned i = 0; i < all[r].items; i++)
            for (unsigned q = 0; q < r; q++)
                for (unsigned j = 0; j < all[q].items; j++) {
                    const tz_opt_item *one = &opt->item[all[q].item[j]];
                    const tz_opt_item *other = &opt->item[all[r].item[i]];
                    tz_opt_match match;
                    if (one != other && tz_opt_find(opt, other->definition, one->definition,
                                                    UINT32_MAX, true, &match) == TZ_OK)
                        return true;
                }
    return false;
}

/* Rules share a part where its item covers what both ask of it: which of them makes the item may
 * tell. So where an earlier one could have used a later one's, they are gone through backwards. */
tz_status tz_opt_split_all(tz_opt *opt, const tz_opt_program *program, tz_opt_program *ret) {
    tz_opt_taken all[TZ_OPT_RULES];
    tz_status status = TZ_OK;
    for (unsigned r = 0; r < program->rules && status == TZ_OK; r++) {
        tz_opt_taken *taken = program->rule[r]->taken;
        if (taken->rule == NULL)
            status = take_apart(opt, program->rule[r], taken);
        all[r] = *taken;
    }
    if (status == TZ_OK && could_share(opt, all, program->rules))
        for (unsigned r = program->rules; r-- > 0 && status == TZ_OK;)
            status = take_apart(opt, program->rule[r], &all[r]);
    return status == TZ_OK ? put_together(opt, program, all, ret) : status;
}
