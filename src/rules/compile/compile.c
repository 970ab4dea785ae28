/* compile.c - from checked rules to tables: folds, order, layout, then loops for every step, inside
 * and outside.
 *
 * The outside rules are derived, not written: a step  C += A * B  gives  outside(A) += outside(C) *
 * B and  outside(B) += outside(C) * A, over the same instances (Goodman 1999, section 4). Nothing
 * goes out through a side condition.
 *
 * SPDX-License-Identifier: MIT */
#include "rules/compile/compile.h"

#include <stdlib.h>
#include <string.h>

#include "rules/compile/draft.h"
#include "rules/message.h"

/* The step that adds to the outside of term t of an inside step. A weight's has the weight
 * itself as a factor: its sum is that over the derivations which use the weight. */
static tz_status outside_of(tz_draft *draft, const tz_draft_step *step, unsigned t,
                            tz_draft_step *ret) {
    *ret = *step;
    tz_term *term = tz_arena_array(draft->arena, step->terms + 1u, sizeof *term);
    if (term == NULL)
        return TZ_NO_MEMORY;
    unsigned count = 0;
    for (unsigned s = 0; s < step->sparse; s++)
        term[count++] = step->term[s];
    term[count] = step->target;
    term[count++].what = TZ_OUTSIDE;
    for (unsigned o = step->sparse; o < step->terms; o++)
        if (o != t || step->term[t].what == TZ_WEIGHT)
            term[count++] = step->term[o];
    ret->term = term;
    ret->terms = (uint16_t)count;
    ret->target = step->term[t];
    if (ret->target.what == TZ_INSIDE)
        ret->target.what = TZ_OUTSIDE;
    ret->within = step->within == t + 1 ? step->sparse + 1 : 0;
    ret->stages = tz_stages_given(draft, step, t);
    return TZ_OK;
}

typedef struct table {
    tz_sort sort;
    tz_step *step;
    tz_draft_step *made; /* what they are built of */
    unsigned count;
} table;

static tz_status add_built(tz_draft *draft, const tz_draft_step *step, table *to) {
    if (to->count == TZ_MAX_STEPS)
        return TZ_TOO_LARGE;
    tz_status status = tz_build_step(draft, step, &to->step[to->count]);
    if (status == TZ_OK)
        to->made[to->count++] = *step;
    return status == TZ_NONE ? TZ_OK : status;
}

static bool is_operand(const tz_term *term, tz_sort sort, unsigned which) {
    return term->what == (sort == TZ_SORT_WEIGHTS ? TZ_WEIGHT : TZ_INSIDE) && term->which == which;
}

/* All steps of a sort whose target is this kind or weight, in file order. */
static tz_status add_steps_of(tz_draft *draft, unsigned which, tz_pieces *p, table *to) {
    tz_status status = TZ_OK;
    for (unsigned s = 0; s < draft->steps && status == TZ_OK; s++) {
        const tz_draft_step *step = &draft->step[s];
        bool concerns = to->sort == TZ_SORT_INSIDE && step->target.which == which;
        const bool through =
            to->sort != TZ_SORT_INSIDE && !draft->kind[step->target.which].presence;
        for (unsigned t = 0; t < step->terms && through; t++)
            concerns |= is_operand(&step->term[t], to->sort, which);
        if (!concerns)
            continue;
        draft->at = &draft->rules->rule[step->rule];
        status = tz_split_pieces(draft, step, p);
        for (unsigned i = 0; i < p->count && status == TZ_OK; i++) {
            if (to->sort == TZ_SORT_INSIDE)
                status = add_built(draft, &p->step[i], to);
            for (unsigned t = 0; t < step->terms && to->sort != TZ_SORT_INSIDE && status == TZ_OK;
                 t++) {
                tz_draft_step derived;
                if (!is_operand(&step->term[t], to->sort, which))
                    continue;
                status = outside_of(draft, &p->step[i], t, &derived);
                if (status == TZ_OK)
                    status = add_built(draft, &derived, to);
            }
        }
    }
    return status;
}

/* Steps for every kind, or every dense weight, and where each one's stand. */
static tz_status add_steps(tz_draft *draft, tz_pieces *p, table *to) {
    tz_weight *weight = draft->weight;
    tz_status status = TZ_OK;
    unsigned count = to->sort == TZ_SORT_WEIGHTS ? draft->rules->weights : draft->kinds;
    for (unsigned i = 0; i < count && status == TZ_OK; i++) {
        uint16_t first = (uint16_t)to->count;
        if (to->sort == TZ_SORT_WEIGHTS ? !weight[i].sparse
                                        : to->sort == TZ_SORT_INSIDE || !draft->kind[i].presence)
            status = add_steps_of(draft, i, p, to);
        uint16_t added = (uint16_t)(to->count - first);
        switch (to->sort) {
        case TZ_SORT_INSIDE:
            draft->kind[i].inside = first, draft->kind[i].insides = added;
            break;
        case TZ_SORT_OUTSIDE:
            draft->kind[i].outside = first, draft->kind[i].outsides = added;
            break;
        default:
            weight[i].outside = first, weight[i].outsides = added;
        }
    }
    return status;
}

static tz_status build_steps(tz_draft *draft, tz_sort sort) {
    tz_rules *rules = draft->rules;
    tz_pieces *p = malloc(sizeof *p);
    table to = {.sort = sort,
                .step = calloc(TZ_MAX_STEPS, sizeof *to.step),
                .made = calloc(TZ_MAX_STEPS, sizeof *to.made)};
    const bool room = p != NULL && to.step != NULL && to.made != NULL;
    tz_status status = room ? add_steps(draft, p, &to) : TZ_NO_MEMORY;
    tz_step *step = status == TZ_OK ? tz_arena_array(draft->arena, to.count, sizeof *step) : NULL;
    if (step != NULL) {
        memcpy(step, to.step, to.count * sizeof *step);
        const tz_step **steps[] = {&rules->step, &rules->outside_step, &rules->weight_step};
        uint16_t *counts[] = {&rules->steps, &rules->outside_steps, &rules->weight_steps};
        *steps[sort] = step;
        *counts[sort] = (uint16_t)to.count;
    } else if (status == TZ_OK) {
        status = TZ_NO_MEMORY;
    }
    free(p);
    free(to.step);
    free(draft->made[sort]);
    draft->made[sort] = to.made;
    return status;
}

static tz_status build_inside(tz_draft *draft) {
    return build_steps(draft, TZ_SORT_INSIDE);
}

static tz_status build_outside(tz_draft *draft) {
    return build_steps(draft, TZ_SORT_OUTSIDE);
}

static tz_status build_weight_steps(tz_draft *draft) {
    return build_steps(draft, TZ_SORT_WEIGHTS);
}

/* ---- Weights, items and the whole ------------------------------------------------------------ */

/* The smallest and largest value of each index. */
static tz_status build_extents(tz_draft *draft, const tz_domain *domain, unsigned rank,
                               tz_range *ret_extent) {
    tz_status status = TZ_OK;
    for (unsigned q = 0; q < rank && status == TZ_OK; q++) {
        tz_form form = tz_form_column(q);
        status = tz_range_build(domain, rank, &form, draft->rules->lengths, draft->arena,
                                &ret_extent[q]);
    }
    return status;
}

/* The cells of a domain, and the range of each index. */
static tz_status build_cells(tz_draft *draft, const tz_domain *domain, unsigned rank,
                             tz_nest *ret_cells, tz_range *ret_extent) {
    tz_system system;
    tz_status status = tz_system_init(&system, draft->rules->lengths, 0, rank);
    if (status == TZ_OK)
        status = tz_system_add_domain(&system, domain, NULL, 0);
    if (status == TZ_OK)
        status = tz_nest_build(&system, NULL, draft->arena, ret_cells);
    tz_system_free(&system);
    if (status == TZ_OK)
        status = build_extents(draft, domain, rank, ret_extent);
    return status;
}

static tz_status build_weights(tz_draft *draft, const tz_weight *from, unsigned weights,
                               tz_weight **ret_weight) {
    tz_weight *weight = tz_arena_array(draft->arena, weights, sizeof *weight);
    if (weight == NULL)
        return TZ_NO_MEMORY;
    memcpy(weight, from, weights * sizeof *weight);
    tz_status status = tz_reach_views(draft, weight, weights);
    for (unsigned w = 0; w < weights && status == TZ_OK; w++)
        status = build_cells(draft, &weight[w].domain, weight[w].rank, &weight[w].cells,
                             weight[w].extent);
    *ret_weight = weight;
    return status;
}

/* What problems give where there are inputs. */
static tz_status build_given(tz_draft *draft) {
    tz_rules *rules = draft->rules;
    if (rules->declareds == 0)
        return TZ_OK;
    tz_weight *declared;
    tz_status status = build_weights(draft, rules->declared, rules->declareds, &declared);
    tz_rules_input *input = tz_arena_array(draft->arena, rules->inputs, sizeof *input);
    if (status != TZ_OK || input == NULL)
        return status != TZ_OK ? status : TZ_NO_MEMORY;
    memcpy(input, rules->input, rules->inputs * sizeof *input);
    rules->declared = declared;
    for (unsigned i = 0; i < rules->inputs && status == TZ_OK; i++)
        status =
            build_cells(draft, &input[i].domain, input[i].rank, &input[i].cells, input[i].extent);
    rules->input = input;
    return status;
}

static tz_status build_items(tz_draft *draft) {
    tz_rules *rules = draft->rules;
    tz_item *item = tz_arena_array(draft->arena, rules->items, sizeof *item);
    tz_status status = item != NULL ? TZ_OK : TZ_NO_MEMORY;
    for (unsigned i = 0; i < rules->items && status == TZ_OK; i++) {
        item[i] = rules->item[i];
        status = build_extents(draft, &item[i].domain, item[i].rank, item[i].extent);
    }
    if (status == TZ_OK)
        rules->item = item;
    return status;
}

static tz_status build_declared(tz_draft *draft) {
    tz_rules *rules = draft->rules;
    tz_status status = build_weights(draft, rules->weight, rules->weights, &draft->weight);
    rules->weight = draft->weight;
    return status == TZ_OK ? build_items(draft) : status;
}

static tz_status take_kinds(tz_draft *draft) {
    tz_rules *rules = draft->rules;
    tz_kind *kind = tz_arena_array(rules->arena, draft->kinds, sizeof *kind);
    tz_group *group = tz_arena_array(rules->arena, draft->groups, sizeof *group);
    if (kind == NULL || group == NULL)
        return TZ_NO_MEMORY;
    memcpy(kind, draft->kind, draft->kinds * sizeof *kind);
    memcpy(group, draft->group, draft->groups * sizeof *group);
    rules->kind = kind;
    rules->kinds = (uint16_t)draft->kinds;
    rules->group = group;
    rules->groups = (uint16_t)draft->groups;
    return tz_find_gauges(rules);
}

/* What is done, in this order. */
static const struct {
    const char *name;
    tz_status (*run)(tz_draft *draft);
} passes[] = {
    {"declared", build_declared},
    {"join-sides", tz_join_sides},
    {"unshared", tz_find_unshared},
    {"fold", tz_fold},
    {"restore-sides", tz_restore_sides},
    {"order", tz_order},
    {"cut-closures", tz_cut_closures},
    {"staying", tz_find_staying},
    {"layout", tz_layout},
    {"inside", build_inside},
    {"weight-layout", tz_layout_weights},
    {"outside", build_outside},
    {"weights", build_weight_steps},
    {"lanes", tz_find_lanes},
    {"used", tz_find_used},
    {"gauges", take_kinds},
};
enum { PASSES = sizeof passes / sizeof *passes };

const char *tz_compile_pass(size_t pass) {
    return pass < PASSES ? passes[pass].name : NULL;
}

static tz_status run_passes(tz_draft *draft, size_t count) {
    tz_rules *rules = draft->rules;
    for (unsigned i = 0; i < rules->items; i++)
        draft->kind[i] = (tz_kind){.name = rules->item[i].name,
                                   .rank = rules->item[i].rank,
                                   .domain = rules->item[i].domain};
    draft->kinds = rules->items;
    draft->steps = draft->groups = 0;
    draft->at = NULL;
    draft->error->message[0] = '\0';
    draft->written = rules->rule;
    tz_status status = TZ_OK;
    for (size_t p = 0; p < count && p < PASSES && status == TZ_OK; p++)
        status = passes[p].run(draft);
    return status;
}

/* Parts of sums may be more than can be ordered or held: then the rules go without. */
static tz_status run_passes_or_whole(tz_draft *draft, size_t count) {
    tz_rules *rules = draft->rules;
    const tz_rule *rule = rules->rule;
    const tz_weight *weight = rules->weight;
    tz_status status = run_passes(draft, count);
    if (status == TZ_OK || status == TZ_NO_MEMORY || draft->parts == 0)
        return status;
    rules->rule = rule;
    rules->weight = weight;
    draft->undivided = true;
    return run_passes(draft, count);
}

tz_status tz_compile_rules(const char *file, tz_rules *rules, tz_error *opt_error) {
    return tz_compile_until(file, rules, PASSES, NULL, NULL, opt_error);
}

tz_status tz_compile_until(const char *file, tz_rules *rules, size_t count,
                           void (*opt_see)(const tz_draft *draft, void *user), void *user,
                           tz_error *opt_error) {
    tz_error ignored, *error = opt_error != NULL ? opt_error : &ignored;
    tz_draft draft = {.file = file, .rules = rules, .arena = rules->arena, .error = error};
    error->message[0] = '\0';
    draft.kind = calloc(TZ_MAX_KINDS, sizeof *draft.kind);
    draft.step = calloc(TZ_MAX_STEPS, sizeof *draft.step);
    draft.group = calloc(TZ_MAX_KINDS, sizeof *draft.group);
    tz_status status = TZ_NO_MEMORY;
    if (draft.kind == NULL || draft.step == NULL || draft.group == NULL)
        goto done;
    if (rules->items > TZ_MAX_KINDS / 2) {
        status = tz_bad_rules(error, file, rules->item[TZ_MAX_KINDS / 2].line, 1,
                              "too many items: at most %d can be declared", TZ_MAX_KINDS / 2);
        goto done;
    }
    status = build_given(&draft);
    if (status == TZ_OK)
        status = run_passes_or_whole(&draft, count);
    if (status == TZ_OK && opt_see != NULL)
        opt_see(&draft, user);
done:
    free(draft.kind);
    free(draft.step);
    free(draft.group);
    for (unsigned sort = 0; sort < TZ_SORTS; sort++)
        free(draft.made[sort]);
    if ((status == TZ_TOO_LARGE || status == TZ_NONE) && error->message[0] == '\0')
        status = tz_bad_rules(error, file, draft.at != NULL ? draft.at->line : 1, 1,
                              "%s%s%s is too large to compile: use fewer variables, smaller "
                              "constants or fewer relations, or an item between",
                              draft.at != NULL ? "rule \"" : "the rule set",
                              draft.at != NULL ? draft.at->name : "", draft.at != NULL ? "\"" : "");
    return status;
}
