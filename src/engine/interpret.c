/* interpret.c - the specification: inside, outside and the weights' pass as they are defined.
 *
 * An instance of a step is a point of its loops, with an entry for each of its sparse weights, at
 * which the target and all terms lie in their domains. With plus and times of the semiring, over
 * all instances,
 *
 *   inside(target) += product of the terms                               Goodman 1999, section 2
 *   outside(item)  += outside(target) * product of the terms but that    Goodman 1999, section 4
 *   through(cell)  += outside(target) * product of the terms
 *
 * forwards through groups, stages, kinds and steps, or backwards from the goal, whose outside is
 * one; `item` and `cell` (of a weight) are any of the terms. A tangent is the same sum with one
 * factor after the other replaced by its own tangent.
 *
 * All that the fast pass does is to do this many at a time. Items stand where they do in any chart,
 * so that whatever asks a chart can ask this one; weights are read where the caller has them.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/chart/weights.h"
#include "engine/interpret.h"
#include "engine/layout/address.h"
#include "engine/layout/space.h"

enum { FACTORS = TZ_MAX_TERMS + 1 }; /* the terms, then the outside of the target */

typedef struct interpreter interpreter;
struct interpreter {
    tz_chart *chart;
    size_t lane;
    bool tangents;
    void (*use)(interpreter *); /* what becomes of an instance */

    /* The instance at hand; place FACTORS - 1 is the target's. */
    const tz_step *step;
    uint8_t order[TZ_MAX_TERMS];         /* in which terms are multiplied */
    size_t entry[TZ_MAX_SPARSE];         /* of sparse weights, the first terms */
    int64_t index[FACTORS][TZ_MAX_RANK]; /* of the term */
    ptrdiff_t cell[FACTORS];             /* where an item stands */
    const char *element[FACTORS], *tangent[FACTORS];
    char *product,
        *lifted; /* room for one element, and for FACTORS of weights and their tangents */

    unsigned weight; /* of through, with its shape and its cells */
    const tz_shape *shape;
    char *cells;
};

/* ---- Sums of products ----------------------------------------------------------------------- */

static char *item_at(const interpreter *p, tz_space space, unsigned place) {
    return tz_cell(p->chart, tz_space_of(space, p->tangents), p->cell[place], p->lane);
}

/* *to += the product of the factors, the outside of the target among them or not, but for one. */
static void add_product(interpreter *p, char *to, bool outside, unsigned but) {
    const tz_semiring *s = p->chart->algebra->semiring;
    unsigned terms = p->step->terms, factor[FACTORS], factors = 0;
    if (outside)
        factor[factors++] = FACTORS - 1;
    for (unsigned i = 0; i < terms; i++)
        if (p->order[i] != but)
            factor[factors++] = p->order[i];
    for (unsigned moved = 0; moved < (p->tangents ? factors : 1); moved++) {
        memcpy(p->product, p->chart->algebra->one, p->chart->algebra->size);
        for (unsigned f = 0; f < factors; f++)
            s->times(s, p->product, p->product,
                     p->tangents && f == moved ? p->tangent[factor[f]] : p->element[factor[f]]);
        s->plus(s, to, to, p->product);
    }
}

static void add_inside(interpreter *p) {
    add_product(p, item_at(p, TZ_AT_INSIDE, FACTORS - 1), false, FACTORS);
}

static void add_outside(interpreter *p) {
    for (unsigned t = 0; t < p->step->terms; t++)
        if (p->step->term[t].what != TZ_WEIGHT)
            add_product(p, item_at(p, TZ_AT_OUTSIDE, t), true, t);
}

static void add_through(interpreter *p) {
    for (unsigned t = 0; t < p->step->terms; t++) {
        if (p->step->term[t].what != TZ_WEIGHT || p->step->term[t].which != p->weight)
            continue;
        size_t cell = p->shape->sparse ? p->entry[t] : 0;
        for (unsigned q = 0; q < p->shape->rank && !p->shape->sparse; q++)
            cell =
                cell * (size_t)p->shape->extent[q] + (size_t)(p->index[t][q] - p->shape->origin[q]);
        add_product(p, p->cells + cell * p->chart->algebra->size, true, FACTORS);
    }
}

/* ---- Instances ------------------------------------------------------------------------------ */

/* A term's indices, given the step's variables; false outside its domain. */
static bool find_index(interpreter *p, const tz_term *term, const int64_t *variable,
                       unsigned place) {
    const tz_rules *rules = p->chart->plan->rules;
    const int32_t *length = tz_lane_length(p->chart, p->lane);
    bool weight = term->what == TZ_WEIGHT;
    unsigned rank = weight ? rules->weight[term->which].rank : rules->kind[term->which].rank;
    const tz_domain *domain =
        weight ? &rules->weight[term->which].domain : &rules->kind[term->which].domain;
    for (unsigned q = 0; q < rank; q++)
        p->index[place][q] =
            tz_form_value(&term->index[q], rules->lengths, length, p->step->variables, variable);
    if (!weight)
        p->cell[place] = tz_cell_offset(p->chart, term->which, p->index[place]);
    return tz_domain_holds(domain, rules->lengths, length, rank, p->index[place]);
}

/* The element of an item, inside or outside, and its tangent. */
static void find_item(interpreter *p, tz_space space, unsigned place) {
    p->element[place] = tz_cell(p->chart, space, p->cell[place], p->lane);
    if (p->tangents)
        p->tangent[place] = item_at(p, space, place);
}

/* The element of a weight's score, and its tangent. */
static void find_weight(interpreter *p, unsigned t) {
    char *element = p->lifted + 2 * t * p->chart->algebra->size;
    p->element[t] = element;
    p->tangent[t] = element + p->chart->algebra->size;
    tz_lift_cell(p->chart, p->lane, p->step->term[t].which, p->index[t],
                 t < p->step->sparse ? p->entry[t] : 0, element,
                 p->tangents ? element + p->chart->algebra->size : NULL);
}

/* The points of the step's loops. givens: the stage, then the indices of the entries. */
static void each_point(interpreter *p, const int64_t *givens) {
    const tz_step *step = p->step;
    tz_walk walk;
    tz_walk_start(&walk, &step->nest, p->chart->plan->rules->lengths,
                  tz_lane_length(p->chart, p->lane), givens);
    while (tz_walk_next(&walk)) {
        int64_t variable[TZ_MAX_VARIABLES];
        for (unsigned v = 0; v < step->variables; v++)
            variable[v] = tz_walk_variable(&walk, v);
        bool instance = find_index(p, &step->target, variable, FACTORS - 1);
        for (unsigned t = 0; t < step->terms; t++)
            instance = instance && find_index(p, &step->term[t], variable, t);
        if (!instance)
            continue;
        for (unsigned t = 0; t < step->terms; t++)
            if (step->term[t].what == TZ_WEIGHT)
                find_weight(p, t);
            else
                find_item(p, TZ_AT_INSIDE, t);
        if (p->use != add_inside)
            find_item(p, TZ_AT_OUTSIDE, FACTORS - 1);
        p->use(p);
    }
}

/* Every choice of an entry for each of the step's sparse weights. givens: the stage, `stages`. */
static void each_entry(interpreter *p, int64_t *givens, unsigned stages) {
    const tz_rules *rules = p->chart->plan->rules;
    const tz_scores *scores[TZ_MAX_SPARSE];
    unsigned t, sparse = p->step->sparse;
    for (t = 0; t < sparse; t++) {
        scores[t] = &tz_lane_weight(p->chart, p->lane, p->step->term[t].which)->scores;
        p->entry[t] = 0;
        if (scores[t]->entries == 0)
            return;
    }
    do {
        int64_t *given = givens + stages;
        for (t = 0; t < sparse; t++) {
            unsigned rank = rules->weight[p->step->term[t].which].rank;
            for (unsigned q = 0; q < rank; q++)
                *given++ = scores[t]->index[p->entry[t] * rank + q];
        }
        each_point(p, givens);
        while (t > 0 && ++p->entry[t - 1] == scores[t - 1]->entries)
            p->entry[--t] = 0;
    } while (t > 0);
}

/* ---- In order ------------------------------------------------------------------------------- */

/* The group's kinds at every stage, whose first s components are set. */
static void each_stage(interpreter *p, const tz_group *group, unsigned s, int64_t *givens) {
    const tz_rules *rules = p->chart->plan->rules;
    const bool forwards = p->use == add_inside;
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (unsigned i = 0; i < group->kinds; i++) {
        const tz_kind *kind = &rules->kind[group->kind[forwards ? i : group->kinds - 1u - i]];
        int64_t low, high;
        for (unsigned in = 0; in < kind->insides && s == group->stages; in++) {
            p->step = &rules->step[kind->inside + in];
            tz_term_order(p->chart->plan, p->step, p->order);
            each_entry(p, givens, s);
        }
        if (s == group->stages)
            continue;
        tz_range_value(&kind->stage_range[s], rules->lengths, tz_lane_length(p->chart, p->lane), 0,
                       NULL, &low, &high);
        first = low <= high && low < first ? low : first;
        last = low <= high && high > last ? high : last;
    }
    for (int64_t at = first; at <= last; at++) {
        givens[s] = forwards ? at : last - (at - first);
        each_stage(p, group, s + 1, givens);
    }
}

static void each_group(interpreter *p) {
    const tz_rules *rules = p->chart->plan->rules;
    int64_t givens[TZ_MAX_COLUMNS];
    for (unsigned g = 0; g < rules->groups; g++)
        each_stage(p, &rules->group[p->use == add_inside ? g : rules->groups - 1u - g], 0, givens);
}

static tz_status start(interpreter *p) {
    size_t size = p->chart->algebra->size;
    tz_status status = tz_buffer_reserve(&p->chart->passes.scratch, 1 + 2 * FACTORS, size);
    p->product = p->chart->passes.scratch.data;
    p->lifted = status == TZ_OK ? p->product + size : NULL;
    return status;
}

tz_status tz_interpret(tz_chart *chart, tz_pass pass) {
    const bool inside = tz_pass_primal(pass) == TZ_PASS_INSIDE, tangents = tz_pass_tangents(pass);
    const tz_space to = tz_space_of(inside ? TZ_AT_INSIDE : TZ_AT_OUTSIDE, tangents);
    interpreter p = {
        .chart = chart, .tangents = tangents, .use = inside ? add_inside : add_outside};
    if (tz_pass_primal(pass) == TZ_PASS_WEIGHTS)
        return TZ_OK;
    tz_status status = tz_space_reserve(chart, to);
    if (status == TZ_OK)
        status = start(&p);
    if (status != TZ_OK)
        return status;
    tz_space_clear(chart, to);
    for (p.lane = 0; p.lane < chart->lanes; p.lane++) {
        ptrdiff_t goal = tz_goal_offset(chart, p.lane);
        if (pass == TZ_PASS_OUTSIDE && goal >= 0)
            memcpy(tz_cell(chart, to, goal, p.lane), chart->algebra->one, chart->algebra->size);
        each_group(&p);
    }
    return TZ_OK;
}

tz_status tz_interpret_weight(tz_chart *chart, size_t lane, unsigned weight, const tz_shape *shape,
                              bool tangents, void *cells) {
    interpreter p = {.chart = chart,
                     .lane = lane,
                     .tangents = tangents,
                     .use = add_through,
                     .weight = weight,
                     .shape = shape,
                     .cells = cells};
    tz_status status = start(&p);
    if (status == TZ_OK)
        each_group(&p);
    return status;
}
