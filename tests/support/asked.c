/* asked.c - see asked.h. SPDX-License-Identifier: MIT */
#include "asked.h"

#include "engine/engine.h"
#include "tests/support/need.h"

void make_asked(const tz_rules *rules, const int32_t *lengths, score_source source,
                random_state *random, asked *ret) {
    const size_t weights = tz_rules_weights(rules);
    memset(ret, 0, sizeof *ret);
    make_problem(rules, lengths, source, random, &ret->p);
    for (unsigned k = 0; k < (ASKED_INPUTS + 1) * weights; k++) {
        unsigned w = k % weights;
        tz_scores *to = k < ASKED_INPUTS * weights ? &ret->inputs[k] : &ret->direction[w];
        ret->more[k] = need(malloc((ret->p.cells[w] + 1) * sizeof(double)));
        for (size_t c = 0; c < ret->p.cells[w]; c++)
            ret->more[k][c] = random_between(random, -1, 1);
        *to = ret->p.scores[w];
        to->data = ret->more[k];
    }
    ret->p.problem.direction = ret->direction;
}

void free_asked(const tz_rules *rules, asked *asked) {
    for (unsigned k = 0; k < (ASKED_INPUTS + 1) * tz_rules_weights(rules); k++)
        free(asked->more[k]);
    free_problem(rules, &asked->p);
}

/* A random cell of the best derivation, or of any other. */
static void draw_cell(const tz_rules *rules, const asked *asked, const tz_derivation *best,
                      random_state *random, tz_cells *ret) {
    if (best != NULL && best->uses > 0 && random_below(random, 4) > 0) {
        const tz_use *use = &best->use[random_below(random, best->uses)];
        ret->weight = use->weight;
        memcpy(ret->index, use->index, sizeof ret->index);
        return;
    }
    for (unsigned tries = 0; tries < 100 && tz_rules_weights(rules) > 0; tries++) {
        ret->weight = random_below(random, tz_rules_weights(rules));
        if (asked->p.cells[ret->weight] == 0)
            continue;
        cell_index(&asked->p, (unsigned)ret->weight,
                   random_below(random, asked->p.cells[ret->weight]), ret->index);
        if (tz_rules_declared(rules, ret->weight, asked->p.lengths, ret->index))
            return;
    }
    ret->weight = tz_rules_weights(rules); /* there is none */
}

void draw_facts(const tz_rules *rules, asked *asked, random_state *random) {
    evaluation e = evaluate(rules, "max", &asked->p);
    const tz_derivation *best;
    if (tz_best(e.chart, 0, &best) != TZ_OK)
        best = NULL;
    draw_cell(rules, asked, NULL, random, &asked->cells[0]);
    draw_cell(rules, asked, best, random, &asked->cells[1]);
    draw_cell(rules, asked, best, random, &asked->cells[2]);
    evaluation_free(&e);
    asked->fact[0] = (tz_fact){false, asked->cells, 2};
    asked->fact[1] = (tz_fact){true, asked->cells + 2, 1};
    for (unsigned c = 0; c < 3; c++)
        if (asked->cells[c].weight == tz_rules_weights(rules))
            return;
    asked->p.problem.facts = asked->fact;
    asked->p.problem.fact_count = 2;
}

tz_problem asked_under(const tz_plan *plan, const asked *asked) {
    const tz_semiring *semiring = plan->wide.semiring;
    tz_problem ret = asked->p.problem;
    ret.inputs = semiring->inputs > 0 ? asked->inputs : NULL;
    if (ret.fact_count > 0 &&
        (semiring->mark == NULL || tz_problem_check(plan, &ret, NULL) != TZ_OK))
        ret.fact_count = 1;
    return ret;
}
