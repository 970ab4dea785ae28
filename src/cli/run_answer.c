/* run_answer.c - runs problems and writes what their charts say.
 *
 * Under resource(NAME,D,..) the rules are charged: they have one more length, the limit. With
 * --amount they run twice, once for the values up to D and once for the derivations of that amount,
 * so that a line is written in two parts. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "cli/run.h"

/* What one run writes. */
typedef enum part { ALL, VALUES, ASKED } part;

typedef struct answering {
    tz_runner *r;
    part part;
    size_t first; /* of the problems that it runs */
} answering;

size_t tz_runner_thread(void) {
#ifdef _OPENMP
    return (size_t)omp_get_thread_num();
#else
    return 0;
#endif
}

/* Another for every place of the input, whatever the batch. */
static uint64_t seed_of(const tz_runner *r, const tz_slot *slot) {
    return r->set.wanted.seed + slot->place * 0x9e3779b97f4a7c15u;
}

/* One value for each amount? */
static bool by_amounts(const tz_runner *r) {
    return r->charged != NULL && !r->exactly;
}

/* ---- Writing -------------------------------------------------------------------------------- */

static tz_status write_value(const tz_runner *r, tz_slot *slot, const tz_problem *problem,
                             const tz_chart *chart, size_t lane, bool *ret_none) {
    size_t row = (size_t)(slot - r->slots);
    if (r->output != NULL && by_amounts(r))
        return tz_npz_output_amounts(r->output, row, r->charged, problem->lengths, chart, lane);
    if (r->output != NULL)
        return tz_npz_output_value(r->output, row, chart, lane, ret_none);
    tz_json_open(&slot->text, &slot->input);
    if (by_amounts(r))
        return tz_json_amounts(&slot->text, &slot->scratch, r->semiring, r->charged,
                               problem->lengths, chart, lane);
    return tz_json_value(&slot->text, &slot->scratch, &slot->input, r->semiring, slot->log_q, chart,
                         lane, ret_none);
}

/* The decoder's derivation for the marginals of a lane; NULL: none. */
static tz_status decode(const tz_runner *r, tz_chart *chart, size_t lane, bool none,
                        const tz_derivation **ret_derivation) {
    *ret_derivation = NULL;
    if (none)
        return TZ_OK;
    tz_chart *decoder = r->decoder_chart[tz_runner_thread()];
    tz_status status = tz_bind_risk(decoder, chart, lane, NULL, NULL);
    if (status == TZ_OK)
        status = tz_best(decoder, 0, ret_derivation);
    return status == TZ_NONE ? TZ_OK : status;
}

static tz_status write_asked(const tz_runner *r, tz_slot *slot, tz_chart *chart, size_t lane,
                             bool none) {
    const tz_derivation *decoded = NULL;
    uint64_t seed = seed_of(r, slot);
    size_t row = (size_t)(slot - r->slots);
    tz_status status;
    if (r->output != NULL)
        status = tz_npz_output_asked(r->output, row, &slot->input.problem, seed, chart, lane, none);
    else
        status = tz_json_asked(&slot->text, &slot->scratch, &slot->input, &r->set.wanted, seed,
                               chart, lane, none);
    if (status == TZ_OK && r->set.wanted.min_risk) {
        status = decode(r, chart, lane, none, &decoded);
        if (status == TZ_OK && r->output != NULL)
            status = tz_npz_output_min_risk(r->output, row, &slot->input.problem, decoded);
        else if (status == TZ_OK)
            tz_json_optional(&slot->text, "min_risk", slot->input.rules, decoded);
    }
    if (status == TZ_OK && slot->input.facts.structure)
        status = tz_json_probability(&slot->text, &slot->input.facts, chart, lane, none);
    return status;
}

static tz_status visit(void *user, size_t which, tz_chart *chart, size_t lane) {
    const answering *a = user;
    tz_runner *r = a->r;
    tz_slot *slot = &r->slots[r->slot_of[a->first + which]];
    const tz_problem *problem = &r->problems[a->first + which];
    tz_status status = TZ_OK;
    bool none = false;
    if (a->part != ASKED) {
        status = write_value(r, slot, problem, chart, lane, &none);
    } else {
        double value;
        status = tz_goal(chart, lane, &value);
        none = r->semiring->gives == TZ_GIVES_SCORE && value == -INFINITY;
    }
    if (status == TZ_OK && a->part == ALL && by_amounts(r) && r->set.wanted.best)
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

/* ---- Running -------------------------------------------------------------------------------- */

tz_problem tz_runner_problem(const tz_runner *r, const tz_slot *slot, int32_t *lengths) {
    tz_problem problem = slot->input.problem;
    if (slot->facts != NULL)
        problem.facts = tz_facts_list(slot->facts, &problem.fact_count);
    if (r->charged == NULL)
        return problem;
    size_t count = tz_rules_lengths(r->rules);
    memcpy(lengths, problem.lengths, count * sizeof *lengths);
    lengths[count] = tz_run_limit(r, problem.lengths);
    problem.lengths = lengths;
    return problem;
}

/* Orders the problems so that those for the plan with required facts come last. Returns how many
 * come before them. */
static size_t take_problems(tz_runner *r, size_t count) {
    size_t plain = 0, lengths = tz_rules_lengths(r->rules) + 1;
    for (size_t p = 0; p < count; p++) {
        size_t slot = r->slot_of[p];
        if (r->slots[slot].required)
            continue;
        r->slot_of[p] = r->slot_of[plain];
        r->slot_of[plain++] = slot;
    }
    for (size_t p = 0; p < count; p++)
        r->problems[p] = tz_runner_problem(r, &r->slots[r->slot_of[p]], r->lengths + p * lengths);
    return plain;
}

/* Problems [0, plain) by the plan, the others by that for required facts. */
static tz_status run(tz_runner *r, size_t plain, size_t count, part part, tz_error *error) {
    const tz_wanted *wanted = &r->set.wanted;
    const tz_run_options options = {
        .outside =
            part != VALUES && (wanted->marginals || wanted->max_marginals || wanted->min_risk),
        .threads = (unsigned)r->set.threads,
    };
    answering before = {r, part, 0}, after = {r, part, plain};
    tz_status status = tz_run(r->plan, r->problems, plain, &options, visit, &before, error);
    if (status != TZ_OK || plain == count)
        return status;
    const tz_plan *required = tz_runner_required_plan(r, error);
    if (required == NULL)
        return error->status;
    return tz_run(required, r->problems + plain, count - plain, &options, visit, &after, error);
}

static tz_status keep_log_q(void *user, size_t which, tz_chart *chart, size_t lane) {
    tz_runner *r = user;
    return tz_goal(chart, lane, &r->slots[r->slot_of[which]].log_q);
}

/* The log partition function of q, which divergences from q need. */
static tz_status run_q(tz_runner *r, size_t plain, tz_error *error) {
    const tz_run_options options = {.threads = (unsigned)r->set.threads};
    size_t weights = tz_rules_weights(r->rules), input = 0, count = 0;
    while (input < r->semiring->inputs && strcmp(r->semiring->input[input].name, "q") != 0)
        input++;
    for (size_t p = 0; p < plain && input < r->semiring->inputs; p++)
        count += r->problems[p].inputs != NULL;
    if (count == 0)
        return TZ_OK;
    tz_problem *q = calloc(plain, sizeof *q);
    tz_status status = q != NULL ? TZ_OK : TZ_NO_MEMORY;
    if (status == TZ_OK && r->q == NULL)
        status = tz_plan_new(r->rules, tz_semiring_find("log", r->set.precision),
                             r->set.force ? TZ_FORCE : 0, &r->q, error);
    for (size_t p = 0; p < plain && status == TZ_OK; p++) {
        q[p] = r->problems[p];
        q[p].inputs = NULL;
        if (tz_input_given(&r->problems[p], weights, input))
            q[p].scores = r->problems[p].inputs + input * weights;
    }
    if (status == TZ_OK)
        status = tz_run(r->q, q, plain, &options, keep_log_q, r, error);
    free(q);
    return status;
}

tz_status tz_runner_answer(tz_runner *r, size_t count, tz_error *error) {
    size_t last = tz_rules_lengths(r->rules), plain = take_problems(r, count);
    tz_status status = r->semiring->inputs > 0 ? run_q(r, plain, error) : TZ_OK;
    if (status != TZ_OK)
        return status;
    if (!by_amounts(r) || r->set.amount < 0)
        return run(r, plain, count, ALL, error);
    status = run(r, plain, count, VALUES, error);
    for (size_t p = 0; p < count; p++)
        r->lengths[p * (last + 1) + last] = (int32_t)r->set.amount;
    return status == TZ_OK ? run(r, plain, count, ASKED, error) : status;
}
