/* asked.c - see asked.h. SPDX-License-Identifier: MIT */
#include "asked.h"
#include "tests/support/need.h"

#include "engine/engine.h"

void make_asked(const tz_rules *rules, const int32_t *lengths, score_source source,
                random_state *random, asked *ret) {
    const size_t weights = tz_rules_count(rules, TZ_WEIGHTS);
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
    for (unsigned k = 0; k < (ASKED_INPUTS + 1) * tz_rules_count(rules, TZ_WEIGHTS); k++)
        free(asked->more[k]);
    random_problem_free(&asked->p);
}

void draw_facts(const tz_rules *rules, asked *asked, random_state *random) {
    random_facts_draw(rules, &asked->p, &asked->facts, random);
}

tz_problem asked_under(const tz_plan *plan, const asked *asked) {
    const tz_semiring *semiring = plan->wide.semiring;
    tz_problem ret = asked->p.problem;
    ret.inputs = semiring->inputs > 0 ? asked->inputs : NULL;
    random_facts_askable(plan, semiring, &ret);
    return ret;
}
