/* run_problem.c - what a slot asks of a plan: its problem, with facts and lengths as they are run.
 *
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/fail.h"
#include "cli/run/run.h"

bool tz_runner_by_amounts(const tz_runner *r) {
    return r->charged != NULL && !r->exactly;
}

bool tz_slot_takes_required(const tz_slot *slot, tz_run_part part) {
    return slot->required && (slot->facts == NULL || part == TZ_RUN_VALUES);
}

tz_problem tz_runner_problem(const tz_runner *r, const tz_slot *slot, tz_run_part part,
                             int32_t *lengths) {
    tz_problem problem = slot->input.problem;
    if (slot->facts != NULL && part != TZ_RUN_VALUES) {
        problem.facts = slot->facts;
        problem.fact_count = 1;
    }
    if (r->charged == NULL)
        return problem;
    size_t count = tz_rules_count(r->rules, TZ_LENGTHS);
    bool asked = part == TZ_RUN_ASKED && r->set.amount >= 0;
    memcpy(lengths, problem.lengths, count * sizeof *lengths);
    int32_t most = asked ? (int32_t)r->set.amount : tz_run_limit(r, problem.lengths);
    lengths[count] = most > 0 ? most : 0;
    problem.lengths = lengths;
    if (most < 0) {
        problem.facts = &r->no_goal;
        problem.fact_count = 1;
    }
    return problem;
}

tz_status tz_runner_check_amount(const tz_runner *r, const tz_slot *slot, tz_error *error) {
    if (!tz_runner_by_amounts(r) || r->set.amount <= tz_run_limit(r, slot->input.problem.lengths))
        return TZ_OK;
    return tz_fail(error, TZ_BAD_ARGUMENT,
                   "--amount %ld is more than the limit of %s, which is %d here", r->set.amount,
                   r->set.semiring, (int)tz_run_limit(r, slot->input.problem.lengths));
}
