/* random_facts.c - see random_facts.h. SPDX-License-Identifier: MIT */
#include "random_facts.h"

#include <string.h>

#include "evaluate.h"
#include "rules/polyhedra/form.h"

/* Any item there is; false where none was found. */
static bool any_item(const tz_rules *rules, const int32_t *lengths, random_state *random,
                     tz_cells *ret) {
    const size_t which = random_below(random, rules->items);
    *ret = (tz_cells){.weight = TZ_ITEM + which};
    const tz_item *item = &rules->item[which];
    int64_t index[TZ_MAX_RANK];
    tz_shape shape;
    if (tz_rules_shape(rules, TZ_ITEM + which, lengths, &shape) != TZ_OK)
        return false;
    for (unsigned q = 0; q < shape.rank; q++) {
        if (shape.extent[q] == 0)
            return false;
        ret->index[q] = shape.origin[q] + (int32_t)random_below(random, (uint64_t)shape.extent[q]);
        index[q] = ret->index[q];
    }
    return tz_domain_holds(&item->domain, rules->lengths, lengths, item->rank, index);
}

static bool any_cell(const tz_rules *rules, const random_problem *p, random_state *random,
                     tz_cells *ret) {
    *ret = (tz_cells){.weight = random_below(random, tz_rules_count(rules, TZ_WEIGHTS))};
    if (p->cells[ret->weight] == 0)
        return false;
    cell_index(p, (unsigned)ret->weight, random_below(random, p->cells[ret->weight]), ret->index);
    return tz_rules_declared(rules, ret->weight, p->lengths, ret->index);
}

/* A random cell or item of the best derivation, or any other; false where none was found. */
static bool draw_cell(const tz_rules *rules, const random_problem *p, const tz_derivation *best,
                      random_state *random, tz_cells *ret) {
    const bool item = tz_rules_count(rules, TZ_WEIGHTS) == 0 || random_below(random, 3) == 0;
    if (best != NULL && (item || best->uses > 0) && random_below(random, 4) > 0) {
        if (item) {
            const tz_node *node = &best->node[random_below(random, best->nodes)];
            *ret = (tz_cells){.weight = TZ_ITEM + node->item};
            memcpy(ret->index, node->index, sizeof ret->index);
        } else {
            const tz_use *use = &best->use[random_below(random, best->uses)];
            *ret = (tz_cells){.weight = use->weight};
            memcpy(ret->index, use->index, sizeof ret->index);
        }
        return true;
    }
    for (unsigned tries = 0; tries < 100; tries++)
        if (item ? any_item(rules, p->lengths, random, ret) : any_cell(rules, p, random, ret))
            return true;
    return false;
}

void random_facts_draw(const tz_rules *rules, random_problem *p, random_facts *own,
                       random_state *random) {
    p->problem.fact_count = 0;
    evaluation e = evaluate(rules, "max", p);
    const tz_derivation *best;
    bool found = true;
    if (tz_best(e.chart, 0, TZ_GOAL, NULL, &best) != TZ_OK)
        best = NULL;
    for (unsigned c = 0; c < 3; c++)
        found &= draw_cell(rules, p, c == 0 ? NULL : best, random, &own->cells[c]);
    evaluation_free(&e);
    own->fact[0] = (tz_fact){false, own->cells, 2};
    own->fact[1] = (tz_fact){true, own->cells + 2, 1};
    p->problem.facts = own->fact;
    p->problem.fact_count = found ? 2 : 0;
}

void random_facts_askable(const tz_plan *plan, const tz_semiring *semiring, tz_problem *problem) {
    if (problem->fact_count > 0 &&
        (semiring->mark == NULL || tz_problem_check(plan, problem, NULL) != TZ_OK))
        problem->fact_count = 1;
}
