/* run_answer.c - runs problems and writes what their charts say.
 *
 * Under resource(NAME,D,..) the rules are charged: they have one more length, the limit. With
 * --amount they run twice, once for the values up to D and once for the derivations of that amount,
 * so that a line is written in two parts. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "cli/run.h"

/* What one run writes. */
typedef enum part { ALL, VALUES, ASKED } part;

typedef struct answering {
    tz_runner *r;
    part part;
} answering;

/* Another for every place of the input, whatever the batch. */
static uint64_t seed_of(const tz_runner *r, const tz_slot *slot) {
    return r->set.wanted.seed + slot->place * 0x9e3779b97f4a7c15u;
}

static tz_status write_value(const tz_runner *r, tz_slot *slot, const tz_problem *problem,
                             const tz_chart *chart, size_t lane, bool *ret_none) {
    *ret_none = false;
    if (r->output != NULL)
        return r->charged != NULL && !r->exactly
                   ? tz_npz_output_amounts(r->output, (size_t)(slot - r->slots), r->charged,
                                           problem->lengths, chart, lane)
                   : tz_npz_output_value(r->output, (size_t)(slot - r->slots), chart, lane,
                                         ret_none);
    tz_json_open(&slot->text, &slot->input);
    return r->charged != NULL && !r->exactly
               ? tz_json_amounts(&slot->text, &slot->scratch, r->semiring, r->charged,
                                 problem->lengths, chart, lane)
               : tz_json_value(&slot->text, &slot->scratch, r->semiring, chart, lane, ret_none);
}

static tz_status write_asked(const tz_runner *r, tz_slot *slot, tz_chart *chart, size_t lane,
                             bool none) {
    uint64_t seed = seed_of(r, slot);
    if (r->output != NULL)
        return tz_npz_output_asked(r->output, (size_t)(slot - r->slots), &slot->input.problem, seed,
                                   chart, lane, none);
    return tz_json_asked(&slot->text, &slot->scratch, &slot->input, &r->set.wanted, seed, chart,
                         lane, none);
}

static tz_status visit(void *user, size_t which, tz_chart *chart, size_t lane) {
    const answering *a = user;
    tz_runner *r = a->r;
    tz_slot *slot = &r->slots[r->slot_of[which]];
    const tz_problem *problem = &r->problems[which];
    tz_status status = TZ_OK;
    bool none = false, listed = a->part == ALL && r->charged != NULL && !r->exactly;
    if (a->part != ASKED) {
        status = write_value(r, slot, problem, chart, lane, &none);
    } else {
        double value;
        status = tz_goal(chart, lane, &value);
        none = r->semiring->gives == TZ_GIVES_SCORE && value == -INFINITY;
    }
    if (status == TZ_OK && listed && r->set.wanted.best)
        status = tz_json_best_amounts(&slot->text, &slot->input, r->charged, problem->lengths,
                                      chart, lane);
    else if (status == TZ_OK && a->part != VALUES)
        status = write_asked(r, slot, chart, lane, none);
    if (status != TZ_OK || a->part == VALUES)
        return status;
    if (r->output == NULL)
        status = tz_json_close(&slot->text);
    if (status == TZ_OK)
        slot->state = TZ_SLOT_DONE;
    tz_runner_progress(r);
    return status;
}

tz_problem tz_runner_problem(const tz_runner *r, const tz_slot *slot, int32_t *lengths) {
    tz_problem problem = slot->input.problem;
    if (r->charged == NULL)
        return problem;
    size_t count = tz_rules_lengths(r->rules);
    memcpy(lengths, problem.lengths, count * sizeof *lengths);
    lengths[count] = tz_run_limit(r, problem.lengths);
    problem.lengths = lengths;
    return problem;
}

/* The problems of the batch, under the charged rules' limit. */
static void take_problems(tz_runner *r, size_t count) {
    size_t lengths = tz_rules_lengths(r->rules) + 1;
    for (size_t p = 0; p < count; p++)
        r->problems[p] = tz_runner_problem(r, &r->slots[r->slot_of[p]], r->lengths + p * lengths);
}

static tz_status run(tz_runner *r, size_t count, part part, tz_error *error) {
    answering a = {r, part};
    const tz_wanted *wanted = &r->set.wanted;
    const tz_run_options options = {
        .outside = part != VALUES && (wanted->marginals || wanted->max_marginals),
        .threads = (unsigned)r->set.threads,
    };
    return tz_run(r->plan, r->problems, count, &options, visit, &a, error);
}

tz_status tz_runner_answer(tz_runner *r, size_t count, tz_error *error) {
    take_problems(r, count);
    if (r->charged == NULL || r->exactly || r->set.amount < 0)
        return run(r, count, ALL, error);
    tz_status status = run(r, count, VALUES, error);
    size_t last = tz_rules_lengths(r->rules);
    for (size_t p = 0; p < count; p++)
        r->lengths[p * (last + 1) + last] = (int32_t)r->set.amount;
    return status == TZ_OK ? run(r, count, ASKED, error) : status;
}
