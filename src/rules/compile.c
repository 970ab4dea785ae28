/* compile.c - from checked rules to tables: folds, order, layout, then loops for every step, inside
 * and outside.
 *
 * The outside rules are derived, not written: a step  C += A * B  gives  outside(A) += outside(C) *
 * B and  outside(B) += outside(C) * A, over the same instances (Goodman 1999, section 4).
 *
 * SPDX-License-Identifier: MIT */
#include "rules/compile.h"

#include <stdlib.h>
#include <string.h>

#include "rules/draft.h"

enum { MAX_PIECES = 64, MAX_TURNS = 5 };

/* ---- Convex pieces ------------------------------------------------------------------------------
 */

/* The step without its TZ_NE constraints, as steps over disjoint convex sets of instances. */
typedef struct pieces {
    tz_draft_step step[MAX_PIECES];
    unsigned count;
} pieces;

static tz_status has_points(const tz_draft *draft, const tz_draft_step *step) {
    tz_system system;
    tz_status status = tz_step_system(draft, step, 0, &system);
    if (status != TZ_OK)
        return status;
    status = tz_system_tidy(&system);
    tz_system_free(&system);
    return status;
}

/* Appends piece i with one more constraint, if it then has points. */
static tz_status refine(tz_draft *draft, pieces *to, const tz_draft_step *from, const tz_form *form,
                        int64_t sign, tz_relation relation) {
    tz_draft_step step = *from;
    step.constraint = tz_arena_array(draft->arena, from->constraints + 1u, sizeof *step.constraint);
    if (step.constraint == NULL)
        return TZ_NO_MEMORY;
    memcpy(step.constraint, from->constraint, from->constraints * sizeof *step.constraint);
    tz_form *added = &step.constraint[step.constraints].form;
    added->constant = (int32_t)(sign * form->constant - (relation == TZ_GE));
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        added->length[l] = (int16_t)(sign * form->length[l]);
    for (unsigned c = 0; c < TZ_MAX_COLUMNS; c++)
        added->column[c] = (int16_t)(sign * form->column[c]);
    step.constraint[step.constraints++].relation = relation;
    tz_status status = has_points(draft, &step);
    if (status != TZ_OK || to == NULL)
        return status;
    if (to->count == MAX_PIECES)
        return TZ_TOO_LARGE;
    to->step[to->count++] = step;
    return TZ_OK;
}

static tz_status split_pieces(tz_draft *draft, const tz_draft_step *step, pieces *ret) {
    pieces *next = malloc(sizeof *next);
    if (next == NULL)
        return TZ_NO_MEMORY;
    ret->step[0] = *step;
    ret->count = 1;
    tz_status status = TZ_OK;
    for (uint32_t c = 0; c < step->constraints && status == TZ_OK; c++) {
        if (step->constraint[c].relation != TZ_NE)
            continue;
        const tz_form *form = &step->constraint[c].form;
        next->count = 0;
        for (unsigned p = 0; p < ret->count && status == TZ_OK; p++) {
            status = refine(draft, NULL, &ret->step[p], form, 1, TZ_EQ);
            if (status == TZ_NONE) { /* it cannot be 0 here anyway */
                if (next->count == MAX_PIECES) {
                    status = TZ_TOO_LARGE;
                    break;
                }
                next->step[next->count++] = ret->step[p];
                status = TZ_OK;
                continue;
            }
            for (int sign = 1; sign >= -1 && (status == TZ_OK || status == TZ_NONE); sign -= 2)
                status = refine(draft, next, &ret->step[p], form, sign, TZ_GE);
            if (status == TZ_NONE)
                status = TZ_OK;
        }
        if (status == TZ_OK)
            *ret = *next;
    }
    free(next);
    for (unsigned p = 0; p < ret->count && status == TZ_OK; p++) {
        tz_draft_step *piece = &ret->step[p];
        tz_constraint *at = tz_arena_array(draft->arena, piece->constraints, sizeof *at);
        if (at == NULL)
            return TZ_NO_MEMORY;
        uint32_t count = 0;
        for (uint32_t c = 0; c < piece->constraints; c++)
            if (piece->constraint[c].relation != TZ_NE)
                at[count++] = piece->constraint[c];
        piece->constraint = at;
        piece->constraints = count;
    }
    return status;
}

/* ---- Innermost loops ----------------------------------------------------------------------------
 */

/* How far the term's item moves along each of its kind's coordinates. */
static void coordinate_move(const tz_draft *draft, const tz_term *term, const tz_form *basis,
                            unsigned variables, const int8_t *run, int64_t *move) {
    int64_t variable[TZ_MAX_VARIABLES] = {0}, index[TZ_MAX_RANK] = {0};
    for (unsigned v = 0; v < variables; v++)
        for (unsigned u = 0; u < variables; u++)
            variable[v] += basis[v].column[u] * run[u];
    const tz_kind *kind = &draft->kind[term->which];
    for (unsigned q = 0; q < kind->rank; q++)
        for (unsigned v = 0; v < variables; v++)
            index[q] += term->index[q].column[v] * variable[v];
    for (unsigned c = 0; c < kind->rank; c++) {
        move[c] = 0;
        for (unsigned q = 0; q < kind->rank; q++)
            move[c] += kind->coordinate[c].column[q] * index[q];
    }
}

typedef enum motion { STILL, UNIT, FAR } motion;

static motion term_motion(const tz_draft *draft, const tz_term *term, const tz_form *basis,
                          unsigned variables, const int8_t *run) {
    int64_t move[TZ_MAX_RANK];
    coordinate_move(draft, term, basis, variables, run, move);
    unsigned rank = draft->kind[term->which].rank;
    motion motion = STILL;
    for (unsigned c = 0; c < rank; c++)
        if (move[c] != 0)
            motion = c + 1 == rank && move[c] == 1 && motion == STILL ? UNIT : FAR;
    return motion;
}

/* How well a direction serves as the run: the target must move, by neighbours if it can be, and so
 * should the operands, or stand still. Weights are gathered and serve in any direction. */
static int run_score(const tz_draft *draft, const tz_draft_step *step, const tz_form *basis,
                     const int8_t *run) {
    motion target = term_motion(draft, &step->target, basis, step->variables, run);
    if (target == STILL)
        return 0;
    int score = target == UNIT ? 1000 : 100;
    for (unsigned t = 0; t < step->terms; t++) {
        if (step->term[t].what == TZ_WEIGHT)
            continue;
        motion motion = term_motion(draft, &step->term[t], basis, step->variables, run);
        score += motion == UNIT ? 40 : motion == STILL ? 30 : 0;
    }
    for (unsigned v = 0; v < step->variables; v++)
        score -= run[v] != 0;
    return score;
}

/* Tries every direction with components in -1, 0, 1 (of two variables at most where there are
 * many). ret_run is all 0 if none moves the target. */
static void choose_run(const tz_draft *draft, const tz_draft_step *step, const tz_form *basis,
                       uint32_t free_set, int8_t *ret_run) {
    unsigned variable[TZ_MAX_VARIABLES], count = 0, directions = 1;
    for (unsigned v = 0; v < step->variables; v++)
        if (free_set >> v & 1)
            variable[count++] = v;
    bool all = count <= MAX_TURNS;
    for (unsigned c = 0; c < count; c++)
        directions = all ? 3 * directions : 9 * count * count;
    int best = 0;
    memset(ret_run, 0, TZ_MAX_VARIABLES);
    for (unsigned d = 1; d < directions; d++) {
        static const int8_t component[3] = {0, 1, -1};
        int8_t run[TZ_MAX_VARIABLES] = {0};
        if (all) {
            for (unsigned c = 0, rest = d; c < count; c++, rest /= 3)
                run[variable[c]] = component[rest % 3];
        } else {
            run[variable[d / 9 % count]] = component[d % 3];
            run[variable[d / 9 / count]] = component[d / 3 % 3];
        }
        int score = run_score(draft, step, basis, run);
        if (score > best) {
            best = score;
            memcpy(ret_run, run, sizeof run);
        }
    }
}

/* A summed-out variable for the loop around the run, or -1. */
static int choose_split(const tz_draft_step *step, const tz_form *basis, uint32_t free_set,
                        int base) {
    for (unsigned u = 0; u < step->variables; u++) {
        if (!(free_set >> u & 1) || (int)u == base)
            continue;
        bool still = true;
        for (unsigned q = 0; q < TZ_MAX_RANK && still; q++) {
            int64_t move = 0;
            for (unsigned v = 0; v < step->variables; v++)
                move += step->target.index[q].column[v] * basis[v].column[u];
            still = move == 0;
        }
        if (still)
            return (int)u;
    }
    return -1;
}

/* The run takes the loop of one of the variables it moves: one that leaves a split, if it can. */
static tz_nest_shape choose_loops(const tz_draft_step *step, const tz_form *basis,
                                  uint32_t free_set, const int8_t *run) {
    tz_nest_shape shape = {run, -1, -1};
    for (unsigned v = 0; v < step->variables && shape.split < 0; v++) {
        if (run[v] == 0)
            continue;
        int split = choose_split(step, basis, free_set, (int)v);
        if (shape.base < 0 || split >= 0) {
            shape.base = (int)v;
            shape.split = split;
        }
    }
    if (shape.base < 0)
        shape.split = choose_split(step, basis, free_set, -1);
    return shape;
}

/* ---- Steps --------------------------------------------------------------------------------------
 */

/* Do the marked constraints follow from the domains of the operands, which are zero outside them,
 * and the other constraints? */
static tz_status follow(const tz_draft *draft, const tz_draft_step *step, const bool *marked,
                        bool *ret) {
    tz_system system;
    tz_status status = tz_system_init(&system, draft->rules->lengths, 0, step->variables);
    for (unsigned t = 0; status == TZ_OK && t < step->terms; t++)
        status = tz_system_add_domain(&system, tz_term_domain(draft, &step->term[t]),
                                      step->term[t].index, tz_term_rank(draft, &step->term[t]));
    for (uint32_t c = 0; status == TZ_OK && c < step->constraints; c++)
        if (!marked[c])
            status =
                tz_system_add(&system, &step->constraint[c].form, step->constraint[c].relation);
    *ret = true;
    for (uint32_t c = 0; status == TZ_OK && *ret && c < step->constraints; c++) {
        int64_t least;
        if (!marked[c])
            continue;
        tz_lp lp = tz_system_minimum(&system, &step->constraint[c].form, &least);
        *ret = lp == TZ_LP_EMPTY ||
               (lp == TZ_LP_OPTIMUM && least >= 0 && step->constraint[c].relation == TZ_GE);
        if (lp == TZ_LP_NO_MEMORY)
            status = TZ_NO_MEMORY;
    }
    tz_system_free(&system);
    return status;
}

/* May lanes of different lengths share the loops? Then every constraint that mentions a length must
 * follow, and no item may stand at an address that depends on a length. */
static tz_status check_aligned(const tz_draft *draft, const tz_draft_step *step, tz_step *ret) {
    ret->aligned = false;
    if (step->sparse > 0)
        return TZ_OK;
    for (unsigned t = 0; t <= step->terms; t++) {
        const tz_term *term = t < step->terms ? &step->term[t] : &step->target;
        for (unsigned q = 0; q < TZ_MAX_RANK && term->what != TZ_WEIGHT; q++)
            if (tz_form_has_lengths(&term->index[q]))
                return TZ_OK;
    }
    /* Where a stage mentions a length, lanes stand at different items in the same stage. */
    const tz_kind *kind = &draft->kind[step->target.which];
    for (unsigned s = 0; s < draft->group[kind->group].stages; s++)
        if (tz_form_has_lengths(&kind->stage[s]))
            return TZ_OK;
    bool *marked = calloc(step->constraints + 1u, sizeof *marked);
    if (marked == NULL)
        return TZ_NO_MEMORY;
    for (uint32_t c = 0; c < step->constraints; c++)
        marked[c] = tz_form_has_lengths(&step->constraint[c].form);
    tz_status status = follow(draft, step, marked, &ret->aligned);
    free(marked);
    return status;
}

static tz_status add_sparse_givens(const tz_draft *draft, const tz_draft_step *step,
                                   tz_system *system, unsigned given) {
    for (unsigned t = 0; t < step->sparse; t++)
        for (unsigned q = 0; q < tz_term_rank(draft, &step->term[t]); q++) {
            tz_status status = tz_system_given(system, given++, &step->term[t].index[q]);
            if (status != TZ_OK)
                return status;
        }
    return TZ_OK;
}

/* The nest with the target's stage (trace: its indices) given. */
static tz_status step_nest(tz_draft *draft, const tz_draft_step *step, bool trace, tz_step *ret) {
    const tz_kind *kind = &draft->kind[step->target.which];
    unsigned fixed = trace ? kind->rank : draft->group[kind->group].stages, sparse = 0;
    for (unsigned t = 0; t < step->sparse; t++)
        sparse += tz_term_rank(draft, &step->term[t]);
    tz_system system;
    tz_status status = tz_step_system(draft, step, fixed + sparse, &system);
    if (status != TZ_OK)
        return status;
    for (unsigned g = 0; g < fixed && status == TZ_OK; g++) {
        tz_form form = step->target.index[g];
        if (!trace && !tz_form_compose(&form, &kind->stage[g], step->target.index, kind->rank))
            status = TZ_TOO_LARGE;
        else
            status = tz_system_given(&system, g, &form);
    }
    if (status == TZ_OK)
        status = add_sparse_givens(draft, step, &system, fixed);
    if (status == TZ_OK && trace)
        status = tz_nest_build(&system, NULL, draft->arena, &ret->trace);
    if (status == TZ_OK && !trace) {
        tz_form basis[TZ_MAX_VARIABLES];
        int8_t run[TZ_MAX_VARIABLES];
        uint32_t free_set = 0;
        status = tz_system_free_variables(&system, &free_set, basis);
        if (status == TZ_OK) {
            choose_run(draft, step, basis, free_set, run);
            tz_nest_shape shape = choose_loops(step, basis, free_set, run);
            ret->has_run = shape.base >= 0;
            ret->has_split = shape.split >= 0;
            status = tz_nest_build(&system, &shape, draft->arena, &ret->nest);
        }
    }
    tz_system_free(&system);
    return status;
}

static tz_status build_step(tz_draft *draft, const tz_draft_step *step, tz_step *ret) {
    *ret = (tz_step){.rule = step->rule,
                     .variables = step->variables,
                     .sparse = step->sparse,
                     .target = step->target,
                     .term = step->term,
                     .terms = step->terms};
    tz_status status = step_nest(draft, step, false, ret);
    if (status == TZ_OK && step->target.what == TZ_INSIDE)
        status = step_nest(draft, step, true, ret);
    if (status == TZ_OK)
        status = check_aligned(draft, step, ret);
    ret->rectangular = true;
    if (status == TZ_OK && ret->has_split && ret->has_run) {
        const tz_range *range = &ret->nest.range[ret->nest.loops - 1];
        unsigned split = ret->nest.givens + ret->nest.loops - 2u;
        for (unsigned b = 0; b < range->lowers; b++)
            ret->rectangular &= range->lower[b].form.column[split] == 0;
        for (unsigned b = 0; b < range->uppers; b++)
            ret->rectangular &= range->upper[b].form.column[split] == 0;
    }
    return status;
}

/* The step that adds to the outside of term t of an inside step. */
static tz_status outside_of(tz_draft *draft, const tz_draft_step *step, unsigned t,
                            tz_draft_step *ret) {
    *ret = *step;
    tz_term *term = tz_arena_array(draft->arena, step->terms, sizeof *term);
    if (term == NULL)
        return TZ_NO_MEMORY;
    unsigned count = 0;
    for (unsigned s = 0; s < step->sparse; s++)
        term[count++] = step->term[s];
    term[count] = step->target;
    term[count++].what = TZ_OUTSIDE;
    for (unsigned o = step->sparse; o < step->terms; o++)
        if (o != t)
            term[count++] = step->term[o];
    ret->term = term;
    ret->target = step->term[t];
    ret->target.what = TZ_OUTSIDE;
    return TZ_OK;
}

typedef struct table {
    tz_step *step;
    unsigned count;
    bool outside;
} table;

static tz_status add_built(tz_draft *draft, const tz_draft_step *step, table *to) {
    if (to->count == TZ_MAX_STEPS)
        return TZ_TOO_LARGE;
    tz_status status = build_step(draft, step, &to->step[to->count]);
    if (status == TZ_OK)
        to->count++;
    return status == TZ_NONE ? TZ_OK : status;
}

/* All steps that conclude the kind, in file order. */
static tz_status add_kind_steps(tz_draft *draft, unsigned k, pieces *p, table *to) {
    tz_status status = TZ_OK;
    for (unsigned s = 0; s < draft->steps && status == TZ_OK; s++) {
        const tz_draft_step *step = &draft->step[s];
        bool concerns = !to->outside && step->target.which == k;
        for (unsigned t = 0; t < step->terms && to->outside; t++)
            concerns |= step->term[t].what == TZ_INSIDE && step->term[t].which == k;
        if (!concerns)
            continue;
        draft->at = &draft->rules->rule[step->rule];
        status = split_pieces(draft, step, p);
        for (unsigned i = 0; i < p->count && status == TZ_OK; i++) {
            if (!to->outside)
                status = add_built(draft, &p->step[i], to);
            for (unsigned t = 0; t < step->terms && to->outside && status == TZ_OK; t++) {
                tz_draft_step derived;
                if (step->term[t].what != TZ_INSIDE || step->term[t].which != k)
                    continue;
                status = outside_of(draft, &p->step[i], t, &derived);
                if (status == TZ_OK)
                    status = add_built(draft, &derived, to);
            }
        }
    }
    return status;
}

static tz_status build_steps(tz_draft *draft) {
    tz_rules *rules = draft->rules;
    pieces *p = malloc(sizeof *p);
    tz_step *built = calloc(TZ_MAX_STEPS, sizeof *built);
    tz_status status = p == NULL || built == NULL ? TZ_NO_MEMORY : TZ_OK;
    for (int outside = 0; outside <= 1 && status == TZ_OK; outside++) {
        table to = {.step = built, .outside = outside == 1};
        for (unsigned k = 0; k < draft->kinds && status == TZ_OK; k++) {
            unsigned first = to.count;
            status = add_kind_steps(draft, k, p, &to);
            tz_kind *kind = &draft->kind[k];
            *(outside ? &kind->outside : &kind->inside) = (uint16_t)first;
            *(outside ? &kind->outsides : &kind->insides) = (uint16_t)(to.count - first);
        }
        tz_step *step = tz_arena_array(draft->arena, to.count, sizeof *step);
        if (step == NULL && status == TZ_OK)
            status = TZ_NO_MEMORY;
        if (status != TZ_OK)
            break;
        memcpy(step, built, to.count * sizeof *step);
        *(outside ? &rules->outside_step : &rules->step) = step;
        *(outside ? &rules->outside_steps : &rules->steps) = (uint16_t)to.count;
    }
    free(p);
    free(built);
    return status;
}

/* ---- Weights and the whole ----------------------------------------------------------------------
 */

static tz_status build_weights(tz_draft *draft) {
    tz_rules *rules = draft->rules;
    tz_weight *weight = tz_arena_array(draft->arena, rules->weights, sizeof *weight);
    if (weight == NULL)
        return TZ_NO_MEMORY;
    memcpy(weight, rules->weight, rules->weights * sizeof *weight);
    tz_status status = TZ_OK;
    for (unsigned w = 0; w < rules->weights && status == TZ_OK; w++) {
        tz_system system;
        status = tz_system_init(&system, rules->lengths, 0, weight[w].rank);
        if (status == TZ_OK)
            status = tz_system_add_domain(&system, &weight[w].domain, NULL, 0);
        if (status == TZ_OK)
            status = tz_nest_build(&system, NULL, draft->arena, &weight[w].cells);
        tz_system_free(&system);
        for (unsigned q = 0; q < weight[w].rank && status == TZ_OK; q++) {
            tz_form form = tz_form_column(q);
            status = tz_range_build(&weight[w].domain, weight[w].rank, &form, rules->lengths,
                                    draft->arena, &weight[w].extent[q]);
        }
    }
    rules->weight = weight;
    return status;
}

tz_status tz_compile_rules(const char *file, tz_rules *rules, tz_error *opt_error) {
    tz_arena *arena = rules->arena;
    tz_error ignored, *error = opt_error != NULL ? opt_error : &ignored;
    tz_draft draft = {.file = file, .rules = rules, .arena = arena, .error = error};
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
    for (unsigned i = 0; i < rules->items; i++)
        draft.kind[i] = (tz_kind){.name = rules->item[i].name,
                                  .rank = rules->item[i].rank,
                                  .domain = rules->item[i].domain};
    draft.kinds = rules->items;
    status = build_weights(&draft);
    if (status == TZ_OK)
        status = tz_fold(&draft);
    if (status == TZ_OK)
        status = tz_order(&draft);
    if (status == TZ_OK)
        status = tz_layout(&draft);
    if (status == TZ_OK)
        status = build_steps(&draft);
    if (status == TZ_OK) {
        tz_kind *kind = tz_arena_array(arena, draft.kinds, sizeof *kind);
        tz_group *group = tz_arena_array(arena, draft.groups, sizeof *group);
        if (kind == NULL || group == NULL) {
            status = TZ_NO_MEMORY;
            goto done;
        }
        memcpy(kind, draft.kind, draft.kinds * sizeof *kind);
        memcpy(group, draft.group, draft.groups * sizeof *group);
        rules->kind = kind;
        rules->kinds = (uint16_t)draft.kinds;
        rules->group = group;
        rules->groups = (uint16_t)draft.groups;
    }
done:
    free(draft.kind);
    free(draft.step);
    free(draft.group);
    if ((status == TZ_TOO_LARGE || status == TZ_NONE) && error->message[0] == '\0')
        status = tz_bad_rules(error, file, draft.at != NULL ? draft.at->line : 1, 1,
                              "%s%s%s is too large to compile: use fewer variables, smaller "
                              "constants or fewer relations, or an item between",
                              draft.at != NULL ? "rule \"" : "the rule set",
                              draft.at != NULL ? draft.at->name : "", draft.at != NULL ? "\"" : "");
    return status;
}
