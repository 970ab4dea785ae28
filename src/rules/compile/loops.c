/* loops.c - which loops visit the instances of a step: the run and the split.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "rules/compile/draft.h"

enum { MAX_TURNS = 5 };

static const tz_form *term_coordinates(const tz_draft *draft, const tz_term *term) {
    return term->what == TZ_WEIGHT ? draft->rules->weight[term->which].coordinate
                                   : draft->kind[term->which].coordinate;
}

/* How far the term moves along each coordinate of its kind or weight. */
static void coordinate_move(const tz_draft *draft, const tz_term *term, const tz_form *basis,
                            unsigned variables, const int8_t *run, int64_t *move) {
    int64_t variable[TZ_MAX_VARIABLES] = {0}, index[TZ_MAX_RANK] = {0};
    for (unsigned v = 0; v < variables; v++)
        for (unsigned u = 0; u < variables; u++)
            variable[v] += basis[v].column[u] * run[u];
    unsigned rank = tz_term_rank(draft, term);
    const tz_form *coordinate = term_coordinates(draft, term);
    for (unsigned q = 0; q < rank; q++)
        for (unsigned v = 0; v < variables; v++)
            index[q] += term->index[q].column[v] * variable[v];
    for (unsigned c = 0; c < rank; c++) {
        move[c] = 0;
        for (unsigned q = 0; q < rank; q++)
            move[c] += coordinate[c].column[q] * index[q];
    }
}

typedef enum motion { STILL, UNIT, FAR } motion;

static motion term_motion(const tz_draft *draft, const tz_term *term, const tz_form *basis,
                          unsigned variables, const int8_t *run) {
    int64_t move[TZ_MAX_RANK];
    coordinate_move(draft, term, basis, variables, run, move);
    unsigned rank = tz_term_rank(draft, term);
    motion motion = STILL;
    for (unsigned c = 0; c < rank; c++)
        if (move[c] != 0)
            motion = c + 1 == rank && move[c] == 1 && motion == STILL ? UNIT : FAR;
    return motion;
}

/* Where nothing moves the target, it is summed along the run, TZ_CHAINS products side by side: most
 * operands should move by neighbours. That scores less than any target that moves. Of a target for
 * each of the entries of a sparse weight, the splits are summed instead. */
static int sum_score(const tz_draft *draft, const tz_draft_step *step, const tz_form *basis,
                     const int8_t *run) {
    int score = 1, moving = 0;
    for (unsigned t = step->sparse; t < step->terms; t++)
        score += term_motion(draft, &step->term[t], basis, step->variables, run) == UNIT;
    for (unsigned v = 0; v < step->variables; v++)
        moving += run[v] != 0;
    const bool may = step->sparse == 0 || step->target.what == TZ_WEIGHT;
    return may && moving == 1 && score < 100 ? score : 0;
}

/* How well a direction serves as the run: the target should move, by neighbours if it can be, and
 * so should the operands, or stand still, which kernels take as well; the fewer loops move, the
 * fewer splits have edges. The weights of inside steps have no layout yet: it will follow the run
 * (tz_layout_weights). */
static int run_score(const tz_draft *draft, const tz_draft_step *step, const tz_form *basis,
                     const int8_t *run) {
    motion target = term_motion(draft, &step->target, basis, step->variables, run);
    if (target == STILL)
        return sum_score(draft, step, basis, run);
    int score = target == UNIT ? 1000 : 100;
    for (unsigned t = 0; t < step->terms; t++) {
        if (step->term[t].what == TZ_WEIGHT && (t < step->sparse || step->target.what == TZ_INSIDE))
            continue;
        motion motion = term_motion(draft, &step->term[t], basis, step->variables, run);
        score += motion == FAR ? 0 : 40;
    }
    for (unsigned v = 0; v < step->variables; v++)
        score -= run[v] != 0;
    return score;
}

/* Tries every direction with components in -1, 0, 1 (of two variables at most where there are
 * many). ret_run is all 0 if none serves; the score it has. */
static int choose_run(const tz_draft *draft, const tz_draft_step *step, const tz_form *basis,
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
    return best;
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

/* The step's constraints with the target's stage (trace: its indices) and sparse entries given. */
static tz_status given_system(const tz_draft *draft, const tz_draft_step *step, bool trace,
                              tz_system *ret_system) {
    const tz_kind *kind = &draft->kind[step->target.which]; /* of a weight: not asked */
    unsigned fixed = trace ? kind->rank : step->stages, sparse = 0;
    for (unsigned t = 0; t < step->sparse; t++)
        sparse += tz_term_rank(draft, &step->term[t]);
    tz_status status = tz_step_system(draft, step, fixed + sparse, ret_system);
    if (status != TZ_OK)
        return status;
    for (unsigned g = 0; g < fixed && status == TZ_OK; g++) {
        tz_form form = step->target.index[g];
        if (!trace && !tz_form_compose(&form, &kind->stage[g], step->target.index, kind->rank))
            status = TZ_TOO_LARGE;
        else
            status = tz_system_given(ret_system, g, &form);
    }
    if (status == TZ_OK)
        status = add_sparse_givens(draft, step, ret_system, fixed);
    if (status != TZ_OK)
        tz_system_free(ret_system);
    return status;
}

tz_status tz_best_run(const tz_draft *draft, const tz_draft_step *step, int *ret_score) {
    tz_system system;
    tz_form basis[TZ_MAX_VARIABLES];
    int8_t run[TZ_MAX_VARIABLES];
    uint32_t free_set = 0;
    tz_status status = given_system(draft, step, false, &system);
    if (status != TZ_OK)
        return status;
    status = tz_system_free_variables(&system, &free_set, basis);
    if (status == TZ_OK)
        *ret_score = choose_run(draft, step, basis, free_set, run);
    tz_system_free(&system);
    return status;
}

static tz_status run_nest(tz_draft *draft, const tz_draft_step *step, const tz_system *system,
                          const tz_form *basis, uint32_t free_set, const int8_t *run,
                          tz_step *ret) {
    const tz_nest_shape shape = choose_loops(step, basis, free_set, run);
    ret->has_run = shape.base >= 0;
    ret->has_split = shape.split >= 0;
    return tz_nest_build(system, &shape, draft->arena, &ret->nest);
}

/* Products are summed TZ_CHAINS at a time from the first one on. Where that depends on a length,
 * sums would have another order beside longer problems. */
static bool may_sum(const tz_draft *draft, const tz_draft_step *step, const tz_form *basis,
                    const int8_t *run, const tz_step *made) {
    if (!made->has_run || term_motion(draft, &step->target, basis, step->variables, run) != STILL)
        return true;
    const tz_range *range = &made->nest.range[made->nest.loops - 1];
    for (unsigned b = 0; b < range->lowers; b++)
        if (tz_form_has_lengths(&range->lower[b].form))
            return false;
    return true;
}

/* The nest with the target's stage (trace: its indices) given. */
static tz_status step_nest(tz_draft *draft, const tz_draft_step *step, bool trace, tz_step *ret) {
    tz_system system;
    tz_status status = given_system(draft, step, trace, &system);
    if (status != TZ_OK)
        return status;
    if (trace)
        status = tz_nest_build(&system, NULL, draft->arena, &ret->trace);
    if (!trace) {
        tz_form basis[TZ_MAX_VARIABLES];
        int8_t run[TZ_MAX_VARIABLES];
        uint32_t free_set = 0;
        status = tz_system_free_variables(&system, &free_set, basis);
        if (status == TZ_OK) {
            choose_run(draft, step, basis, free_set, run);
            status = run_nest(draft, step, &system, basis, free_set, run, ret);
            if (status == TZ_OK && !may_sum(draft, step, basis, run, ret)) {
                memset(run, 0, sizeof run);
                status = run_nest(draft, step, &system, basis, free_set, run, ret);
            }
        }
    }
    tz_system_free(&system);
    return status;
}

tz_status tz_build_step(tz_draft *draft, const tz_draft_step *step, tz_step *ret) {
    *ret = (tz_step){.rule = step->rule,
                     .variables = step->variables,
                     .sparse = step->sparse,
                     .within = step->within,
                     .stages = step->stages,
                     .target = step->target,
                     .term = step->term,
                     .terms = step->terms};
    tz_status status = step_nest(draft, step, false, ret);
    if (status == TZ_OK && step->target.what == TZ_INSIDE)
        status = step_nest(draft, step, true, ret);
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
