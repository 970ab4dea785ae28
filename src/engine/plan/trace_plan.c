/* trace_plan.c - which kinds can be traced directly, and their steps as linear forms.
 *
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/arena.h"
#include "engine/plan/implied.h"
#include "engine/plan/trace_plan.h"

typedef struct builder {
    tz_plan *plan;
    struct tz_trace_plan *to;
    const tz_kind *kind;       /* whose steps are being added */
    const tz_bound_step *step; /* which of them */
    const tz_form *given;      /* what its givens are, over the kind's indices; NULL: those */
    bool apart, folded;        /* apart: not through folds; folded: some step goes through one */
} builder;

/* ---- Linear forms -------------------------------------------------------------------------------
 */

/* A form, or a pair of them. */
static bool add_form(builder *b, const tz_form *one, const tz_form *two) {
    static const tz_form none;
    const tz_nest *nest = b->step->nest;
    tz_form pair[2] = {*one, two != NULL ? *two : none};
    tz_form *first = &pair[0], *second = &pair[1];
    if (b->given != NULL) {
        tz_form column[TZ_MAX_COLUMNS];
        unsigned columns = (unsigned)nest->givens + nest->loops;
        for (unsigned c = 0; c < columns; c++)
            column[c] =
                c < nest->givens ? b->given[c] : tz_form_column(TZ_MAX_RANK + c - nest->givens);
        for (unsigned i = 0; i < 2; i++)
            if (!tz_form_compose(&pair[i], &pair[i], column, columns))
                return false;
    }
    unsigned givens = b->given != NULL ? TZ_MAX_RANK : nest->givens;
    tz_linear *to = &b->to->form[b->to->forms];
    *to = (tz_linear){.base = tz_pair_change(first->constant, second->constant)};
    to->base += two != NULL ? (int64_t)TZ_PAIR_BIAS : 0;
    for (unsigned q = 0; q < givens; q++)
        to->index[q] = tz_pair_change(first->column[q], second->column[q]);
    unsigned last = givens + nest->loops - 1u;
    if (nest->loops > 0)
        to->last = tz_pair_change(first->column[last], second->column[last]);
    if (nest->loops > 1)
        to->outer = tz_pair_change(first->column[last - 1], second->column[last - 1]);
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        b->to->length[b->to->forms][l] = tz_pair_change(first->length[l], second->length[l]);
    b->to->forms++;
    return true;
}

static bool add_conditions(builder *b, tz_trace_step *to) {
    const tz_domain *entry = &b->step->nest->entry;
    tz_known k = tz_known_of(b->kind, b->step->nest);
    for (uint32_t c = 0; c < entry->count; c++) {
        tz_known new = {0};
        if (entry->at[c].relation == TZ_NE)
            return false;
        tz_learn_constraint(&new, &entry->at[c]);
        for (unsigned i = 0; i < new.count; i++) {
            if (tz_follows(&k, &new.form[i]))
                continue;
            if (to->conditions == UINT8_MAX || !add_form(b, &new.form[i], NULL))
                return false;
            to->conditions++;
        }
    }
    return true;
}

static bool add_bounds(builder *b, const tz_bound *bound, unsigned bounds) {
    if (bounds == 0 || bounds >= UINT8_MAX)
        return false;
    for (unsigned i = 0; i < bounds; i++)
        if (bound[i].divisor != 1 || !add_form(b, &bound[i].form, NULL))
            return false;
    return true;
}

static const tz_form nothing;

/* The indices of the step's premises or weights; in *which, which they are. */
static bool add_terms(builder *b, bool weights, uint16_t *which) {
    for (unsigned t = 0; t < b->step->terms; t++) {
        const tz_bound_term *term = &b->step->term[t];
        if ((term->what == TZ_WEIGHT) != weights)
            continue;
        *which++ = term->which;
        for (unsigned q = 0; q < 2 * b->to->pairs; q += 2)
            if (!add_form(b, q < term->rank ? &term->index[q] : &nothing,
                          q + 1 < term->rank ? &term->index[q + 1] : &nothing))
                return false;
    }
    return true;
}

static void add_cell(builder *b, const tz_bound_term *term) {
    struct tz_trace_plan *to = b->to;
    to->operand[to->cells] = term;
    to->given[to->cells] = b->given;
    to->nest[to->cells++] = b->step->nest;
}

/* Do the loops visit the points in the order of the rule's variables? */
static bool in_order(const tz_bound_step *step) {
    const tz_nest *nest = step->nest;
    unsigned q = 0; /* loops before it are settled by the variables so far */
    for (unsigned v = 0; v < nest->variables && q < nest->loops; v++) {
        const int16_t *column = nest->variable[v].column + nest->givens;
        for (unsigned later = q + 1; later < nest->loops; later++)
            if (column[later] != 0)
                return false;
        if (column[q] < 0)
            return false;
        q += column[q] > 0;
    }
    return q == nest->loops;
}

/* Has the step instances along a loop or two, in order? */
static bool is_plain(const tz_bound_step *step) {
    return step->step->sparse == 0 && step->nest->givens <= TZ_MAX_RANK &&
           step->nest->loops <= TZ_TRACE_LOOPS && in_order(step);
}

/* The only step of a fold that is the step's only premise, where the step has no loops: an item of
 * it is an item of the fold too, so both are done at once. `alone`: no other step has an instance
 * where this one has. NULL if there is none. */
static const tz_bound_step *only_fold(const builder *b, bool alone, const tz_form **ret_index) {
    const tz_rules *rules = b->plan->rules;
    const tz_bound_term *premise = NULL;
    for (unsigned t = 0; t < b->step->terms; t++)
        if (b->step->term[t].what != TZ_WEIGHT) {
            if (premise != NULL)
                return NULL;
            premise = &b->step->term[t];
        }
    if (!alone || premise == NULL || b->step->nest->loops > 0 || premise->which < rules->items ||
        rules->kind[premise->which].insides != 1)
        return NULL;
    const tz_bound_step *fold = &b->plan->trace[rules->kind[premise->which].inside];
    if (!is_plain(fold))
        return NULL;
    *ret_index = premise->index;
    return fold;
}

/* The weights of `outer`, if not NULL, go before those of the step. */
static bool add_parts(builder *b, const tz_bound_step *outer, tz_trace_step *to) {
    const tz_nest *nest = b->step->nest;
    static const tz_bound zero = {.divisor = 1};
    static const tz_range point = {&zero, &zero, 1, 1};
    const tz_range *last = nest->loops > 0 ? &nest->range[nest->loops - 1] : &point;
    const tz_range *around = nest->loops > 1 ? &nest->range[0] : NULL;
    unsigned weights = 0, premises = 0, rank = b->kind->rank;
    for (unsigned t = 0; t < b->step->terms; t++) {
        const tz_bound_term *term = &b->step->term[t];
        *(term->what == TZ_WEIGHT ? &weights : &premises) += 1;
        rank = term->what != TZ_WEIGHT && term->rank > rank ? term->rank : rank;
    }
    to->operands = (uint8_t)b->step->terms;
    to->premises = (uint8_t)premises;
    to->lowers = (uint8_t)last->lowers;
    to->uppers = (uint8_t)last->uppers;
    to->weights = (uint8_t)(weights + (outer != NULL ? outer->terms - 1u : 0));
    to->simple = nest->loops <= 1 && last->lowers == 1 && last->uppers == 1;
    to->small = to->simple && to->conditions <= 1 && premises <= TZ_SMALL_PREMISES && rank <= 2 &&
                to->operands <= TZ_SMALL_OPERANDS && to->weights <= 1 &&
                b->to->pairs <= TZ_SMALL_PAIRS;
    to->leaf = to->small && to->alone && to->operands + to->weights + nest->loops == 0;
    uint16_t *which = b->to->which + b->to->terms;
    to->which = which;
    b->to->terms += (size_t)to->premises + to->weights;
    if (!add_bounds(b, last->lower, last->lowers) || !add_bounds(b, last->upper, last->uppers) ||
        !add_terms(b, false, which))
        return false;
    builder of_outer = *b;
    of_outer.step = outer;
    of_outer.given = NULL;
    if (outer != NULL && !add_terms(&of_outer, true, which + premises))
        return false;
    if (!add_terms(b, true, which + to->premises + to->weights - weights))
        return false;
    if (around != NULL) {
        if (!add_bounds(b, around->lower, around->lowers) ||
            !add_bounds(b, around->upper, around->uppers))
            return false;
        to->outer_lowers = (uint8_t)around->lowers;
        to->outer_uppers = (uint8_t)around->uppers;
    }
    return true;
}

/* Adds a step; false where it needs the general way. */
static bool add_step(builder *b, bool alone, tz_trace_step *to) {
    const tz_rules *rules = b->plan->rules;
    const tz_bound_step *bound = b->step, *outer = NULL;
    *to = (tz_trace_step){.form = b->to->form + b->to->forms,
                          .cell = b->to->cell + b->to->cells,
                          .rule = bound->step->rule,
                          .node_premises = rules->rule[bound->step->rule].premises,
                          .alone = alone};
    if (!is_plain(bound) || !add_conditions(b, to))
        return false;
    const tz_form *given = NULL;
    const tz_bound_step *fold = b->apart ? NULL : only_fold(b, alone, &given);
    if (fold != NULL) {
        b->folded = true;
        outer = bound;
        b->step = bound = fold;
        b->given = given;
    }
    if (!add_parts(b, outer, to))
        return false;
    const tz_bound_step *computed = &b->plan->inside[bound->step - rules->step];
    add_cell(b, &bound->target);
    for (int inner = 1; inner >= 0; inner--)
        for (unsigned t = 0; t < bound->terms; t++)
            if (computed->term[t].inner == (inner == 1))
                add_cell(b, &bound->term[t]);
    return true;
}

/* Adds the steps of a kind, which must come in the order of their rules. */
static bool add_steps(builder *b, tz_trace_steps *to) {
    const tz_bound_step *bound = b->plan->trace + b->kind->inside;
    unsigned count = b->kind->insides;
    *to = (tz_trace_steps){.step = b->to->step + b->to->steps,
                           .end = b->to->step + b->to->steps + count};
    for (unsigned s = 0; s < count; s++) {
        tz_trace_step *step = &b->to->step[b->to->steps++];
        bool alone = true;
        for (unsigned o = 0; o < count; o++) {
            if (o == s || tz_exclude(&bound[s], &bound[o]))
                continue;
            alone = false;
            if (o < s ? bound[o].step->rule >= bound[s].step->rule
                      : bound[o].step->rule <= bound[s].step->rule)
                return false;
        }
        b->step = &bound[s];
        b->given = NULL;
        if (!add_step(b, alone, step))
            return false;
    }
    return true;
}

static bool add_kind(builder *b, tz_trace_kind *to) {
    if (!add_steps(b, &to->through))
        return false;
    to->apart = to->through;
    b->apart = true;
    return !b->folded || add_steps(b, &to->apart);
}

tz_status tz_trace_plan_new(tz_plan *plan) {
    const tz_rules *rules = plan->rules;
    if (plan->wide.kernels->find == NULL || !(plan->wide.semiring->laws & TZ_PATH))
        return TZ_OK;
    /* Upper bounds: with the forms and cells of each step may go those of a fold's, and again those
     * of its own. */
    size_t forms = 0, cells = 0, most_forms = 0, most_cells = 0;
    unsigned rank = 0;
    for (unsigned s = 0; s < rules->steps; s++) {
        const tz_nest *nest = plan->trace[s].nest;
        size_t own =
            2 + 2 * (size_t)nest->entry.count + plan->trace[s].terms * (size_t)TZ_TRACE_PAIRS;
        for (unsigned q = 0; q < nest->loops; q++)
            own += (size_t)nest->range[q].lowers + nest->range[q].uppers;
        most_forms = own > most_forms ? own : most_forms;
        forms += own;
        own = 1 + (size_t)plan->trace[s].terms;
        most_cells = own > most_cells ? own : most_cells;
        cells += own;
        for (unsigned t = 0; t < plan->trace[s].terms; t++)
            rank = plan->trace[s].term[t].rank > rank ? plan->trace[s].term[t].rank : rank;
    }
    forms = 2 * forms + rules->steps * most_forms;
    cells = 2 * cells + rules->steps * most_cells;
    for (unsigned k = 0; k < rules->kinds; k++)
        rank = rules->kind[k].rank > rank ? rules->kind[k].rank : rank;
    tz_arena *arena = plan->arena;
    struct tz_trace_plan *to = tz_arena_array(arena, 1, sizeof *to);
    if (to == NULL)
        return TZ_NO_MEMORY;
    *to = (struct tz_trace_plan){
        .pairs = rank <= 2   ? 1
                 : rank <= 4 ? 2
                             : TZ_TRACE_PAIRS,
        .kind = tz_arena_array(arena, rules->kinds, sizeof *to->kind),
        .step = tz_arena_array(arena, 2 * (size_t)rules->steps + 1, sizeof *to->step),
        .form = tz_arena_array(arena, forms + 1, sizeof *to->form),
        .length = tz_arena_array(arena, forms + 1, sizeof *to->length),
        .which = tz_arena_array(arena, cells + 1, sizeof *to->which),
        .cell = tz_arena_array(arena, cells + 1, sizeof *to->cell),
        .operand = tz_arena_array(arena, cells + 1, sizeof *to->operand),
        .nest = tz_arena_array(arena, cells + 1, sizeof *to->nest),
        .given = tz_arena_array(arena, cells + 1, sizeof *to->given),
    };
    if (to->kind == NULL || to->step == NULL || to->form == NULL || to->length == NULL ||
        to->which == NULL || to->cell == NULL || to->operand == NULL || to->nest == NULL ||
        to->given == NULL)
        return TZ_NO_MEMORY;
    for (unsigned k = 0; k < rules->kinds; k++) {
        builder b = {.plan = plan, .to = to, .kind = &rules->kind[k]};
        struct tz_trace_plan before = *to;
        /* In a closure, not every instance of the best value leads to an end: see trace/circle.c.
         */
        if (!tz_is_closed(rules, k) && add_kind(&b, &to->kind[k]))
            continue;
        *to = before;
        to->kind[k] = (tz_trace_kind){0};
    }
    plan->tracing = to;
    return TZ_OK;
}
