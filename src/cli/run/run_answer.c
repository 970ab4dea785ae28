/* run_answer.c - runs problems and writes what their charts say.
 *
 * Under resource(NAME,D,..) the rules are charged: they have one more length, the limit. With
 * --amount they run twice, once for the values up to D and once for the derivations of that amount,
 * so that a line is written in two parts. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>

#include "base/threads.h"
#include "cli/run/run.h"
#include "io/values.h"

typedef struct answering {
    tz_runner *r;
    tz_run_part part;
    size_t first; /* of the problems that it runs */
} answering;

static tz_status visit(void *user, size_t which, tz_chart *chart, size_t lane) {
    const answering *a = user;
    tz_runner *r = a->r;
    tz_slot *slot = &r->slots[r->slot_of[a->first + which]];
    const int32_t *lengths = r->problems[a->first + which].lengths;
    tz_status status = TZ_OK;
    bool none = false;
    if (a->part != TZ_RUN_ASKED) {
        status = r->format->value(r, slot, lengths, chart, lane, &none);
    } else {
        double value;
        status = tz_goal(chart, lane, &value);
        none = r->semiring->gives == TZ_GIVES_SCORE && value == -INFINITY;
    }
    if (status != TZ_OK || a->part == TZ_RUN_VALUES)
        return status;
    /* Row 0 has the seed of line 1. */
    const tz_asking asking = {
        .questions = &r->set.questions,
        .chart = chart,
        .lane = lane,
        .seed = tz_seed_at(r->set.questions.seed, slot->place + (r->unit[0] != '\0')),
        .decoder = r->decoder_chart != NULL ? r->decoder_chart[tz_thread_number()] : NULL,
        .none = none,
        .error = &slot->why};
    if (a->part == TZ_RUN_ASKED || !tz_runner_by_amounts(r))
        status = r->format->asked(r, slot, lengths, &asking);
    return tz_runner_end(r, slot, status);
}

/* ---- Running -------------------------------------------------------------------------------- */

/* Orders the problems so that those for the plan with required facts come last. Returns how many
 * come before them. */
static size_t take_problems(tz_runner *r, size_t count, tz_run_part part) {
    size_t plain = 0, lengths = tz_rules_count(r->rules, TZ_LENGTHS) + 1;
    for (size_t p = 0; p < count; p++) {
        size_t slot = r->slot_of[p];
        if (tz_slot_takes_required(&r->slots[slot], part))
            continue;
        r->slot_of[p] = r->slot_of[plain];
        r->slot_of[plain++] = slot;
    }
    for (size_t p = 0; p < count; p++)
        r->problems[p] =
            tz_runner_problem(r, &r->slots[r->slot_of[p]], part, r->lengths + p * lengths);
    return plain;
}

/* Problems [0, plain) by the plan, the others by that for required facts. */
static tz_status run(tz_runner *r, size_t plain, size_t count, tz_run_part part, tz_error *error) {
    tz_run_options options = {.threads = (unsigned)r->set.threads};
    for (tz_ask a = 0; a < TZ_QUESTIONS && part != TZ_RUN_VALUES; a++)
        options.outside |= tz_question_table[a].outside && tz_asked(&r->set.questions, a) > 0;
    answering before = {r, part, 0}, after = {r, part, plain};
    tz_status status = r->charts == NULL ? tz_charts_new(r->plan, &r->charts) : TZ_OK;
    options.charts = r->charts;
    if (status == TZ_OK)
        status = tz_run(r->plan, r->problems, plain, &options, visit, &before, error);
    if (status != TZ_OK) { /* what is tried next may need the memory */
        tz_charts_free(r->charts);
        r->charts = NULL;
    }
    if (status != TZ_OK || plain == count)
        return status;
    options.charts = NULL;
    const tz_plan *required = tz_runner_required_plan(r, error);
    if (required == NULL)
        return error->status;
    return tz_run(required, r->problems + plain, count - plain, &options, visit, &after, error);
}

typedef struct keeping {
    tz_runner *r;
    size_t first;
} keeping;

static tz_status keep_log_q(void *user, size_t which, tz_chart *chart, size_t lane) {
    const keeping *k = user;
    return tz_goal(chart, lane, &k->r->slots[k->r->slot_of[k->first + which]].log_q);
}

/* The log partition function of q, which divergences from q need, of problems [first, first +
 * count). */
static tz_status run_q(tz_runner *r, size_t first, size_t count, bool required, tz_error *error) {
    const tz_run_options options = {.threads = (unsigned)r->set.threads};
    const tz_rules *rules = r->charged != NULL ? r->charged : r->rules;
    size_t weights = tz_rules_count(r->rules, TZ_WEIGHTS), input = tz_find_input(r->semiring, "q");
    size_t given = 0;
    for (size_t p = 0; p < count && input < r->semiring->inputs; p++)
        given += tz_input_given(&r->problems[first + p], weights, input);
    if (given == 0)
        return TZ_OK;
    tz_semiring **semiring = &r->q_semiring[required];
    tz_plan **plan = &r->q[required];
    tz_problem *q = calloc(count, sizeof *q);
    tz_status status = q != NULL ? TZ_OK : TZ_NO_MEMORY;
    if (status == TZ_OK && *semiring == NULL)
        status =
            tz_semiring_new(required ? "required(log)" : "log", r->set.precision, semiring, error);
    if (status == TZ_OK && *plan == NULL)
        status = tz_plan_new(rules, *semiring, r->set.flags, plan, error);
    for (size_t p = 0; p < count && status == TZ_OK; p++) {
        q[p] = r->problems[first + p];
        if (tz_input_given(&q[p], weights, input))
            q[p].scores = q[p].inputs + input * weights;
        q[p].inputs = NULL;
    }
    keeping user = {r, first};
    if (status == TZ_OK)
        status = tz_run(*plan, q, count, &options, keep_log_q, &user, error);
    free(q);
    return status;
}

tz_status tz_runner_answer(tz_runner *r, size_t count, tz_error *error) {
    bool twice = tz_runner_by_amounts(r) && r->set.amount >= 0;
    tz_run_part part = twice ? TZ_RUN_VALUES : TZ_RUN_ALL;
    size_t plain = take_problems(r, count, part);
    tz_status status = TZ_OK;
    if (r->semiring->inputs > 0)
        status = run_q(r, 0, plain, r->semiring->mark != NULL, error);
    if (r->semiring->inputs > 0 && status == TZ_OK)
        status = run_q(r, plain, count - plain, true, error);
    if (status == TZ_OK)
        status = run(r, plain, count, part, error);
    if (!twice || status != TZ_OK)
        return status;
    plain = take_problems(r, count, TZ_RUN_ASKED);
    return run(r, plain, count, TZ_RUN_ASKED, error);
}
