/* unfold.c - unfold: the rules of an item in place of a premise; and unfold with fold, by which a
 * product gets rules of its own.
 *
 *     s[i,p] = sum over j of rtri[i,j,p]                   wanted: only the sum is ever asked for
 *
 *     rtrap[i,k]  rtri[k,j,p]         unfolded             rtrap[i,k]  rtri[k,j,p]
 *     -----------------------         in s gives           -----------------------
 *     rtri[i,j,p]                                          s[i,p]
 *
 *     folded again:  rtrap[i,k]  s[k,p]
 *                    ------------------                    and rtri is asked for no more
 *                    s[i,p]
 *
 * Every rule of the new item comes from one unfolding, so derivations are those of what the item
 * stands for, one for one (Tamaki & Sato 1984: Unfold/fold transformation of logic programs).
 *
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/optimise/program.h"

/* ---- One premise ----------------------------------------------------------------------------- */

static void shift_form(tz_form *form, unsigned by) {
    memmove(form->column + by, form->column, (TZ_MAX_COLUMNS - by) * sizeof *form->column);
    memset(form->column, 0, by * sizeof *form->column);
}

static tz_term shifted(const tz_term *term, unsigned by) {
    tz_term moved = *term;
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        shift_form(&moved.index[q], by);
    return moved;
}

/* The factors of both; by's variables come after the rule's. */
static void join_factors(const tz_opt_rule *rule, unsigned premise, const tz_opt_rule *by,
                         tz_opt_rule *ret) {
    ret->factors = 0;
    for (unsigned f = 0; f < rule->factors; f++) {
        if (f == premise)
            for (unsigned g = 0; g < by->premises; g++)
                ret->factor[ret->factors++] = shifted(&by->factor[g], rule->variables);
        else
            ret->factor[ret->factors++] = rule->factor[f];
    }
    for (unsigned g = by->premises; g < by->factors; g++)
        ret->factor[ret->factors++] = shifted(&by->factor[g], rule->variables);
    ret->premises = rule->premises - 1 + by->premises;
}

tz_status tz_opt_unfold(const tz_opt *opt, const tz_opt_rule *rule, unsigned premise,
                        const tz_opt_rule *by, tz_opt_rule *ret) {
    const tz_term *asked = &rule->factor[premise];
    const tz_term concluded = shifted(&by->conclusion, rule->variables);
    const tz_form difference = {.column = {1, -1}};
    tz_form form[TZ_MAX_RANK];
    unsigned rank = tz_opt_rank(opt, asked);
    if (rule->factors - 1 + by->factors > TZ_OPT_FACTORS ||
        rule->variables + by->variables > TZ_MAX_COLUMNS ||
        rule->conditions + by->conditions > TZ_MAX_CONSTRAINTS)
        return TZ_TOO_LARGE;
    *ret = *rule;
    join_factors(rule, premise, by, ret);
    for (unsigned v = 0; v < by->variables; v++)
        ret->variable_name[ret->variables++] = by->variable_name[v];
    for (unsigned c = 0; c < by->conditions; c++) {
        ret->condition[ret->conditions] = by->condition[c];
        shift_form(&ret->condition[ret->conditions++].form, rule->variables);
    }
    tz_status status = tz_opt_require(ret, tz_opt_domain(opt, asked), asked, rank);
    for (unsigned q = 0; q < rank && status == TZ_OK; q++) {
        tz_form both[2] = {asked->index[q], concluded.index[q]};
        if (!tz_form_compose(&form[q], &difference, both, 2))
            return TZ_TOO_LARGE;
    }
    return status == TZ_OK ? tz_opt_solve(ret, form, rank) : status;
}

/* The same, tidy. */
static tz_status unfold(const tz_opt *opt, const tz_opt_rule *rule, unsigned premise,
                        const tz_opt_rule *by, const char *name, const char *note,
                        const tz_opt_rule **ret) {
    tz_opt_rule made;
    tz_status status = tz_opt_unfold(opt, rule, premise, by, &made);
    made.name = name;
    made.note = note;
    return status == TZ_OK ? tz_opt_tidy(opt, &made, ret) : status;
}

/* The first premise of this item, or -1. */
static int find_premise(const tz_opt_rule *rule, unsigned item) {
    for (unsigned f = 0; f < rule->premises; f++)
        if (rule->factor[f].which == item)
            return (int)f;
    return -1;
}

/* ---- A whole item ---------------------------------------------------------------------------- */

/* The rule with all its premises of the item unfolded, in every way. */
static tz_status unfold_all(tz_opt *opt, const tz_opt_program *program, const tz_opt_rule *rule,
                            unsigned item, const char *note, tz_opt_program *ret) {
    const tz_opt_rule *open[TZ_OPT_FACTORS * TZ_OPT_RULES];
    unsigned opens = 1;
    tz_status status = TZ_OK;
    open[0] = rule;
    while (opens > 0 && status == TZ_OK) {
        const tz_opt_rule *next = open[--opens];
        int premise = find_premise(next, item);
        if (premise < 0) {
            status = tz_opt_add(opt, ret, next);
            continue;
        }
        for (unsigned r = program->rules; r-- > 0 && status == TZ_OK;) {
            if (program->rule[r]->conclusion.which != item)
                continue;
            status = unfold(opt, next, (unsigned)premise, program->rule[r], next->name, note,
                            &open[opens]);
            opens += status == TZ_OK;
            status = status == TZ_NONE ? TZ_OK : status;
        }
    }
    return status;
}

tz_status tz_opt_unfold_item(tz_opt *opt, const tz_opt_program *program, unsigned item,
                             tz_opt_program *ret) {
    *ret = (tz_opt_program){.goal = program->goal};
    if (program->goal.which == item || tz_opt_recursive(program, item))
        return TZ_NONE;
    const char *note = tz_opt_text(opt, "%s unfolded", opt->item[item].name);
    tz_status status = note != NULL ? TZ_OK : TZ_NO_MEMORY;
    for (unsigned r = 0; r < program->rules && status == TZ_OK; r++)
        if (program->rule[r]->conclusion.which != item)
            status = unfold_all(opt, program, program->rule[r], item, note, ret);
    if (status == TZ_OK)
        tz_opt_sweep(ret);
    return status;
}

/* ---- A product that gets rules of its own ---------------------------------------------------- */

/* Folds the product wherever it stands in the rule. */
static tz_status fold_all(const tz_opt *opt, const tz_opt_rule *definition,
                          const tz_opt_rule **rule) {
    for (;;) {
        tz_opt_match match;
        tz_opt_rule folded;
        int8_t from[TZ_OPT_FACTORS];
        tz_status status = tz_opt_find(opt, definition, *rule, UINT32_MAX, false, &match);
        if (status != TZ_OK)
            return status == TZ_NONE ? TZ_OK : status;
        tz_opt_fold(*rule, &match, &folded, from);
        status = tz_opt_tidy(opt, &folded, rule);
        if (status != TZ_OK)
            return status;
    }
}

/* The goal as a rule of itself: what can be folded there. */
static tz_status fold_goal(const tz_opt *opt, const tz_opt_rule *definition, tz_term *goal) {
    tz_opt_rule asks = {.premises = 1, .factors = 1, .factor = {*goal}, .conclusion = *goal};
    tz_opt_match match;
    tz_status status = tz_opt_find(opt, definition, &asks, UINT32_MAX, false, &match);
    if (status == TZ_OK)
        *goal = match.use;
    return status == TZ_NONE ? TZ_OK : status;
}

tz_status tz_opt_unfold_fold(tz_opt *opt, const tz_opt_program *program, unsigned r,
                             uint32_t factors, unsigned premise, unsigned *ret_item,
                             tz_opt_program *ret) {
    const tz_opt_rule *rule = program->rule[r];
    unsigned unfolded = rule->factor[premise].which;
    tz_opt_match match;
    *ret = (tz_opt_program){.goal = program->goal};
    const char *step = tz_opt_text(opt, "unfold of %s, and fold", opt->item[unfolded].name);
    if (step == NULL)
        return TZ_NO_MEMORY;
    tz_status status = tz_opt_fold_item(opt, rule, factors, false, &match);
    if (status == TZ_OK && tz_opt_derives(program, match.use.which))
        return TZ_NONE;
    const tz_opt_rule *definition = NULL, *made;
    int from = -1;
    if (status == TZ_OK) {
        *ret_item = match.use.which;
        definition = opt->item[match.use.which].definition;
        from = find_premise(definition, unfolded);
    }
    for (unsigned q = 0; q < program->rules && status == TZ_OK; q++) {
        if (program->rule[q]->conclusion.which != unfolded)
            continue;
        status = unfold(opt, definition, (unsigned)from, program->rule[q], program->rule[q]->name,
                        step, &made);
        if (status == TZ_NONE) {
            status = TZ_OK;
            continue;
        }
        if (status == TZ_OK)
            status = fold_all(opt, definition, &made);
        if (status == TZ_OK)
            status = tz_opt_add(opt, ret, made);
    }
    for (unsigned q = 0; q < program->rules && status == TZ_OK; q++) {
        made = program->rule[q];
        status = fold_all(opt, definition, &made);
        if (status == TZ_OK)
            status = tz_opt_add(opt, ret, made);
    }
    if (status == TZ_OK)
        status = fold_goal(opt, definition, &ret->goal);
    if (status == TZ_OK)
        tz_opt_sweep(ret);
    return status;
}

/* ---- Premises that are always there ---------------------------------------------------------- */

/* Of the rules that can give the premise: how many there are, up to two; the rule with the one that
 * is an axiom in its place. */
static tz_status count_ways(tz_opt *opt, const tz_opt_program *program, const tz_opt_rule *rule,
                            unsigned premise, unsigned *ret_ways, const tz_opt_rule **ret) {
    *ret_ways = 0;
    *ret = NULL;
    for (unsigned q = 0; q < program->rules && *ret_ways < 2; q++) {
        const tz_opt_rule *by = program->rule[q], *made;
        if (by->conclusion.which != rule->factor[premise].which)
            continue;
        tz_status status = unfold(opt, rule, premise, by, rule->name, rule->note, &made);
        if (status == TZ_NO_MEMORY)
            return status;
        *ret_ways += status != TZ_NONE;
        if (status == TZ_OK && by->premises == 0)
            *ret = made;
    }
    return TZ_OK;
}

/* *rule: NULL where it can never apply. Premises with as many variables as indices are hardly ever
 * settled: they are not looked at. */
static tz_status settle(tz_opt *opt, const tz_opt_program *program, const tz_opt_rule **rule) {
    for (unsigned f = 0; f < (*rule)->premises;) {
        const tz_opt_rule *made;
        unsigned ways;
        const tz_term *premise = &(*rule)->factor[f];
        if (premise->which < opt->rules->items ||
            (unsigned)__builtin_popcount(tz_opt_term_set(premise)) == tz_opt_rank(opt, premise)) {
            f++;
            continue;
        }
        tz_status status = count_ways(opt, program, *rule, f, &ways, &made);
        if (status != TZ_OK)
            return status;
        if (ways == 0) {
            *rule = NULL;
            return TZ_OK;
        }
        if (ways == 1 && made != NULL)
            *rule = made;
        else
            f++;
    }
    return TZ_OK;
}

/* A goal that one rule gives from one item, and nothing else: the goal is that item. */
static void shorten_goal(const tz_opt *opt, tz_opt_program *program) {
    const tz_opt_rule *only = NULL;
    unsigned rules = 0;
    for (unsigned r = 0; r < program->rules; r++)
        if (program->rule[r]->conclusion.which == program->goal.which) {
            only = program->rule[r];
            rules++;
        }
    if (rules == 1 && program->goal.which >= opt->rules->items &&
        opt->item[program->goal.which].rank == 0 && only->premises == 1 && only->factors == 1 &&
        only->conditions == 0 && only->variables == 0)
        program->goal = only->factor[0];
}

tz_status tz_opt_settle(tz_opt *opt, const tz_opt_program *program, tz_opt_program *ret) {
    tz_status status = TZ_OK;
    *ret = (tz_opt_program){.goal = program->goal};
    for (unsigned r = 0; r < program->rules && status == TZ_OK; r++) {
        const tz_opt_rule *rule = program->rule[r];
        status = settle(opt, program, &rule);
        if (status == TZ_OK && rule != NULL)
            status = tz_opt_add(opt, ret, rule);
    }
    if (status == TZ_OK) {
        shorten_goal(opt, ret);
        tz_opt_sweep(ret);
    }
    return status;
}
