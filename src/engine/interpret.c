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
 * one; `item` and `cell` (of a weight) are any of the terms. A side condition is a term that is one
 * where its item is not zero, and hands nothing on to it. A tangent is the same sum with one
 * factor after the other replaced by its own tangent.
 *
 * Where items of a closure need one another, with one item of it among the terms of a step, the
 * inside sums are equations, x = M x + b, and so are those of outside values, with arcs the other
 * way. Only items that are not zero take part. Their tangents obey equations of the same M.
 *
 * Of items that facts speak of, inside and outside values are zero, or have a mark, once all has
 * been added to them.
 *
 * All that the fast pass does is to do this many at a time. Items stand where they do in any chart,
 * so that whatever asks a chart can ask this one; weights are read where the caller has them.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/chart/facts.h"
#include "engine/chart/weights.h"
#include "engine/closure/solve.h"
#include "engine/interpret.h"
#include "engine/layout/address.h"
#include "engine/layout/space.h"

enum { FACTORS = TZ_MAX_TERMS + 1, TARGET = TZ_MAX_TERMS }; /* the terms, then the target */
enum { INSTANCE = 64 }; /* products of kernels that take as long as an instance here */

typedef struct interpreter interpreter;
struct interpreter {
    tz_chart *chart;
    const tz_rules *rules;
    size_t size, lane; /* size: of an element */
    const int32_t *length;
    bool tangents, forwards;    /* forwards: inside */
    void (*use)(interpreter *); /* what becomes of an instance */

    /* The instance at hand. */
    const tz_step *step;
    uint8_t order[TZ_MAX_TERMS]; /* in which terms are multiplied */
    size_t entry[FACTORS];       /* of sparse weights, the first terms */
    int64_t index[FACTORS][TZ_MAX_RANK];
    ptrdiff_t cell[FACTORS];      /* where an item stands */
    const char *element[FACTORS]; /* inside, of the target outside; of weights in `lifted` */
    const char *tangent[FACTORS];
    char *product, *arc, *lifted; /* one element each; one, and its tangent, for each term */
    tz_status status;             /* of closures, and of the watch */

    unsigned weight; /* of through, with its shape and its cells */
    const tz_shape *shape;
    char *cells;
};

/* ---- Sums of products ----------------------------------------------------------------------- */

static char *item_at(const interpreter *p, tz_space space, unsigned place) {
    return tz_cell(p->chart, tz_space_of(space, p->tangents), p->cell[place], p->lane);
}

/* *to += the product of the factors, the outside of the target among them or not, but for one.
 * still: a factor whose tangent has no part in it. */
static void add_product(interpreter *p, char *to, bool outside, unsigned but, unsigned still) {
    const tz_semiring *s = p->chart->algebra->semiring;
    unsigned factor[FACTORS], factors = 0;
    if (outside)
        factor[factors++] = TARGET;
    for (unsigned i = 0; i < p->step->terms; i++)
        if (p->order[i] != but)
            factor[factors++] = p->order[i];
    for (unsigned moved = 0; moved < (p->tangents ? factors : 1); moved++) {
        if (p->tangents && factor[moved] == still)
            continue;
        memcpy(p->product, p->chart->algebra->one, p->size);
        for (unsigned f = 0; f < factors; f++)
            s->times(s, p->product, p->product,
                     p->tangents && f == moved ? p->tangent[factor[f]] : p->element[factor[f]]);
        s->plus(s, to, to, p->product);
    }
}

/* The term that is solved for together with the target, or FACTORS. */
static unsigned source_of(const tz_step *step) {
    return step->within > 0 ? step->within - 1u : FACTORS;
}

static void add_inside(interpreter *p) {
    const unsigned source = source_of(p->step);
    if (source != FACTORS && !p->tangents)
        return;
    if (!tz_is_presence(p->rules, p->step))
        add_product(p, item_at(p, TZ_AT_INSIDE, TARGET), false, FACTORS, source);
    else if (!p->tangents && !tz_is_zero(p->chart, p->element[0]))
        memcpy(item_at(p, TZ_AT_INSIDE, TARGET), p->chart->algebra->one, p->size);
}

static void add_outside(interpreter *p) {
    for (unsigned t = 0; t < p->step->terms; t++)
        if (p->step->term[t].what != TZ_WEIGHT && t != source_of(p->step) &&
            !p->rules->kind[p->step->term[t].which].presence)
            add_product(p, item_at(p, TZ_AT_OUTSIDE, t), true, t, FACTORS);
}

static void add_through(interpreter *p) {
    for (unsigned t = 0; t < p->step->terms; t++) {
        if (p->step->term[t].what != TZ_WEIGHT || p->step->term[t].which != p->weight)
            continue;
        size_t cell = p->shape->sparse ? p->entry[t] : 0;
        for (unsigned q = 0; q < p->shape->rank && !p->shape->sparse; q++)
            cell =
                cell * (size_t)p->shape->extent[q] + (size_t)(p->index[t][q] - p->shape->origin[q]);
        add_product(p, p->cells + cell * p->size, true, FACTORS, FACTORS);
    }
}

/* ---- Closures ------------------------------------------------------------------------------- */

/* How the outside of a closure's item changes with all but the outside of another. */
static void add_outside_within(interpreter *p) {
    const unsigned source = source_of(p->step);
    add_product(p, item_at(p, TZ_AT_OUTSIDE, source), true, source, TARGET);
}

/* The number of an item's node. */
static uint32_t node_of(interpreter *p, unsigned kind, unsigned place) {
    if (p->status == TZ_OK && tz_arcs_known(p->chart, p->cell[place]) == 0) {
        tz_arc_node node = {.cell = p->cell[place], .kind = kind};
        for (unsigned q = 0; q < p->rules->kind[kind].rank; q++)
            node.index[q] = (int32_t)p->index[place][q];
        p->status = tz_arcs_add_node(p->chart, p->lane, &node);
    }
    return p->status == TZ_OK ? tz_arcs_known(p->chart, p->cell[place]) - 1 : 0;
}

/* An instance of a step `within`. */
static void add_arc(interpreter *p) {
    const unsigned source = source_of(p->step);
    const bool tangents = p->tangents;
    uint32_t from = node_of(p, p->step->term[source].which, source);
    uint32_t to = node_of(p, p->step->target.which, TARGET);
    if (p->status != TZ_OK ||
        ((!p->forwards || tangents) && tz_is_zero(p->chart, p->element[source])))
        return;
    memcpy(p->arc, p->chart->algebra->zero, p->size);
    p->tangents = false;
    add_product(p, p->arc, false, source, FACTORS);
    p->tangents = tangents;
    p->status = tz_arcs_add(p->chart, p->forwards ? from : to, p->forwards ? to : from, p->arc);
}

/* ---- Instances ------------------------------------------------------------------------------ */

/* Finds a term's indices, given the step's variables, and its element; false outside its domain. */
static bool find(interpreter *p, const tz_term *term, unsigned place, const int64_t *variable) {
    const bool weight = term->what == TZ_WEIGHT;
    const unsigned rank =
        weight ? p->rules->weight[term->which].rank : p->rules->kind[term->which].rank;
    const tz_domain *domain =
        weight ? &p->rules->weight[term->which].domain : &p->rules->kind[term->which].domain;
    const tz_space space = place == TARGET && !p->forwards ? TZ_AT_OUTSIDE : TZ_AT_INSIDE;
    for (unsigned q = 0; q < rank; q++)
        p->index[place][q] = tz_form_value(&term->index[q], p->rules->lengths, p->length,
                                           p->step->variables, variable);
    if (!tz_domain_holds(domain, p->rules->lengths, p->length, rank, p->index[place]))
        return false;
    if (weight) {
        char *element = p->lifted + 2 * place * p->size, *tangent = element + p->size;
        tz_lift_cell(p->chart, p->lane, term->which, p->index[place],
                     place < p->step->sparse ? p->entry[place] : 0, element,
                     p->tangents ? tangent : NULL);
        p->element[place] = element;
        p->tangent[place] = tangent;
    } else {
        p->cell[place] = tz_cell_offset(p->chart, term->which, p->index[place]);
        p->element[place] = tz_cell(p->chart, space, p->cell[place], p->lane);
        p->tangent[place] = p->tangents ? item_at(p, space, place) : NULL;
    }
    return true;
}

/* The points of the step's loops. givens: what these are entered with. */
static void each_point(interpreter *p, const int64_t *givens) {
    tz_walk walk;
    tz_walk_start(&walk, &p->step->nest, p->rules->lengths, p->length, givens);
    while (p->status == TZ_OK && tz_walk_next(&walk)) {
        int64_t variable[TZ_MAX_VARIABLES];
        for (unsigned v = 0; v < p->step->variables; v++)
            variable[v] = tz_walk_variable(&walk, v);
        bool instance = find(p, &p->step->target, TARGET, variable);
        for (unsigned t = 0; t < p->step->terms && instance; t++)
            instance = find(p, &p->step->term[t], t, variable);
        if (instance)
            p->use(p);
        if (tz_stops(p->chart, INSTANCE))
            p->status = TZ_STOPPED;
    }
}

/* Every choice of an entry for the step's sparse weights, from term t on. givens: the stage and the
 * indices of the entries chosen before, which end at `end`. */
static void each_entry(interpreter *p, unsigned t, int64_t *givens, int64_t *end) {
    if (t == p->step->sparse) {
        each_point(p, givens);
        return;
    }
    unsigned weight = p->step->term[t].which, rank = p->rules->weight[weight].rank;
    const tz_scores *scores = &tz_lane_weight(p->chart, p->lane, weight)->scores;
    for (p->entry[t] = 0; p->entry[t] < scores->entries && p->status == TZ_OK; p->entry[t]++) {
        for (unsigned q = 0; q < rank; q++)
            end[q] = scores->index[p->entry[t] * rank + q];
        each_entry(p, t + 1, givens, end + rank);
    }
}

/* ---- In order ------------------------------------------------------------------------------- */

/* The steps of a kind that are given so many components of its stage; `within`: those of a closure
 * only. */
static void each_step_of(interpreter *p, const tz_kind *kind, bool within, unsigned level,
                         int64_t *stage) {
    for (unsigned in = 0; in < kind->insides; in++) {
        p->step = &p->rules->step[kind->inside + in];
        if ((kind->presence && !p->forwards) || (within && p->step->within == 0) ||
            p->step->stages != level)
            continue;
        tz_term_order(p->chart->plan, p->step, p->order);
        each_entry(p, 0, stage, stage + level);
    }
}

/* Solves for what the other steps have given. */
static void solve(interpreter *p, const tz_group *group, int64_t *stage) {
    void (*use)(interpreter *) = p->use;
    const tz_space space = p->forwards ? TZ_AT_INSIDE : TZ_AT_OUTSIDE;
    p->status = tz_arcs_start(p->chart);
    for (unsigned pass = p->tangents && !p->forwards ? 0 : 1; pass < 2; pass++) {
        p->use = pass == 0 ? add_outside_within : add_arc;
        for (unsigned k = group->closed; k < group->closed + (unsigned)group->closeds; k++)
            each_step_of(p, &p->rules->kind[group->kind[k]], true, group->stages, stage);
    }
    p->use = use;
    if (p->status == TZ_OK)
        p->status =
            tz_arcs_solve(p->chart, tz_space_of(space, p->tangents), p->lane, tz_solve_plain);
}

/* What facts say of a kind's items, which are complete. */
static void keep(interpreter *p, unsigned kind, const int64_t *stage) {
    const tz_space space = p->forwards ? TZ_AT_INSIDE : TZ_AT_OUTSIDE;
    if (p->use != add_through && kind < p->rules->items)
        tz_keep_items(p->chart, tz_space_of(space, p->tangents), kind, stage, p->lane, 1);
}

/* The steps of the kind at a place of the order, at one stage. */
static void each_step(interpreter *p, const tz_group *group, unsigned at, int64_t *stage) {
    const unsigned first = group->closed, end = first + group->closeds;
    const tz_kind *kind = &p->rules->kind[group->kind[at]];
    const bool closed = at >= first && at < end, solved = closed && at == end - 1;
    if (solved && !p->forwards && p->use != add_through)
        solve(p, group, stage);
    if (!p->forwards)
        keep(p, group->kind[at], stage);
    each_step_of(p, kind, false, kind->stages, stage);
    if (solved && p->forwards && p->use != add_through && p->status == TZ_OK)
        solve(p, group, stage);
    /* The kinds of a closure are complete once it is solved. */
    for (unsigned k = solved ? first : at; k < (solved ? end : at + !closed) && p->forwards; k++)
        keep(p, group->kind[k], stage);
}

/* The range of a component of the stages of the kinds first .. end-1 of the order. */
static void find_range(const interpreter *p, const tz_group *group, unsigned first, unsigned end,
                       unsigned level, int64_t *ret_low, int64_t *ret_high) {
    *ret_low = INT64_MAX;
    *ret_high = INT64_MIN;
    for (unsigned at = first; at < end; at++) {
        int64_t low, high;
        tz_range_value(&p->rules->kind[group->kind[at]].stage_range[level], p->rules->lengths,
                       p->length, 0, NULL, &low, &high);
        *ret_low = low <= high && low < *ret_low ? low : *ret_low;
        *ret_high = low <= high && high > *ret_high ? high : *ret_high;
    }
}

/* The kinds first .. end-1 of the order, which share the loops over the components before `level`
 * of their stages; these are set. Those that share the next loop are a part; steps that are given
 * no more come before that loop, and after it where all goes backwards. */
static void each_part(interpreter *p, const tz_group *group, unsigned first, unsigned end,
                      unsigned level, int64_t *stage) {
    const unsigned count = end - first;
    for (unsigned done = 0, size; done < count && p->status == TZ_OK; done += size) {
        unsigned at = p->forwards ? first + done : end - done - 1;
        size = 1;
        while (!p->forwards && at > first && group->joined[at] > level)
            at--, size++;
        while (p->forwards && at + size < end && group->joined[at + size] > level)
            size++;
        if (p->rules->kind[group->kind[at]].stages == level) {
            each_step(p, group, at, stage);
            continue;
        }
        for (unsigned k = 0; level > 0 && p->forwards && k < size; k++)
            each_step_of(p, &p->rules->kind[group->kind[at + k]], false, level, stage);
        int64_t low, high;
        find_range(p, group, at, at + size, level, &low, &high);
        for (int64_t v = low; v <= high && p->status == TZ_OK; v++) {
            stage[level] = p->forwards ? v : high - (v - low);
            each_part(p, group, at, at + size, level + 1, stage);
        }
        for (unsigned k = size; level > 0 && !p->forwards && k-- > 0;)
            each_step_of(p, &p->rules->kind[group->kind[at + k]], false, level, stage);
    }
}

/* Room for elements; the interpreter's chart is set. */
static tz_status start(interpreter *p) {
    p->rules = p->chart->plan->rules;
    p->size = p->chart->algebra->size;
    tz_status status = tz_buffer_reserve(&p->chart->passes.scratch, 2 + 2 * FACTORS, p->size);
    p->product = p->chart->passes.scratch.data;
    p->arc = status == TZ_OK ? p->product + p->size : NULL;
    p->lifted = status == TZ_OK ? p->arc + p->size : NULL;
    return status;
}

/* The groups of a lane. */
static void each_group(interpreter *p, size_t lane) {
    int64_t stage[TZ_MAX_COLUMNS];
    p->lane = lane;
    p->length = tz_lane_length(p->chart, lane);
    for (unsigned g = 0; g < p->rules->groups; g++) {
        const tz_group *group = &p->rules->group[p->forwards ? g : p->rules->groups - 1u - g];
        each_part(p, group, 0, group->kinds, 0, stage);
    }
}

tz_status tz_interpret(tz_chart *chart, tz_pass pass) {
    const bool inside = tz_pass_primal(pass) == TZ_PASS_INSIDE, tangents = tz_pass_tangents(pass);
    const tz_space to = tz_space_of(inside ? TZ_AT_INSIDE : TZ_AT_OUTSIDE, tangents);
    interpreter p = {.chart = chart,
                     .tangents = tangents,
                     .forwards = inside,
                     .use = inside ? add_inside : add_outside};
    if (tz_pass_primal(pass) == TZ_PASS_WEIGHTS)
        return TZ_OK;
    tz_status status = tz_space_reserve(chart, to);
    if (status == TZ_OK)
        status = start(&p);
    if (status != TZ_OK)
        return status;
    tz_space_clear(chart, to);
    for (size_t lane = 0; lane < chart->lanes && p.status == TZ_OK; lane++) {
        ptrdiff_t goal = tz_goal_offset(chart, lane);
        if (pass == TZ_PASS_OUTSIDE && goal >= 0)
            memcpy(tz_cell(chart, to, goal, lane), chart->algebra->one, p.size);
        each_group(&p, lane);
    }
    return p.status;
}

tz_status tz_interpret_weight(tz_chart *chart, size_t lane, unsigned weight, const tz_shape *shape,
                              bool tangents, void *cells) {
    interpreter p = {.chart = chart, .tangents = tangents, .use = add_through};
    p.weight = weight;
    p.shape = shape;
    p.cells = cells;
    tz_status status = start(&p);
    if (status == TZ_OK)
        each_group(&p, lane);
    return status == TZ_OK ? p.status : status;
}
