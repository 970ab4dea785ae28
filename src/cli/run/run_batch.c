/* run_batch.c - problems in slots: solved together, printed in order, each with its own errors.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "base/fail.h"
#include "cli/run/run.h"
#include "rules/table.h"

bool tz_runner_reserve(tz_runner *r, size_t batch) {
    r->room = batch;
    r->slots = calloc(batch, sizeof *r->slots);
    r->problems = calloc(batch, sizeof *r->problems);
    r->slot_of = calloc(batch, sizeof *r->slot_of);
    r->lengths = calloc(batch, (tz_rules_count(r->rules, TZ_LENGTHS) + 1) * sizeof *r->lengths);
    if (r->slots != NULL && r->problems != NULL && r->slot_of != NULL && r->lengths != NULL)
        return true;
    tz_message(TZ_RUN, "out of memory");
    return false;
}

void tz_runner_free(tz_runner *r) {
    for (size_t s = 0; s < r->room && r->slots != NULL; s++) {
        tz_json_problem_free(&r->slots[s].input);
        tz_json_scratch_free(&r->slots[s].scratch);
        tz_text_free(&r->slots[s].text);
        tz_facts_free(r->slots[s].facts);
    }
    free(r->slots);
    free(r->problems);
    free(r->slot_of);
    free(r->lengths);
    tz_rounds_free(&r->rounds);
    tz_npz_output_free(r->output);
    tz_run_close_limiter(r);
    tz_run_close_decoder(r);
    for (size_t q = 0; q < 2; q++) {
        tz_plan_free(r->q[q]);
        tz_semiring_free(r->q_semiring[q]);
    }
    tz_plan_free(r->required);
    tz_semiring_free(r->required_semiring);
    tz_charts_free(r->charts);
    tz_plan_free(r->plan);
    tz_semiring_free(r->semiring);
    tz_rules_free(r->charged);
    tz_rules_free(r->rules);
    free(r->item);
}

/* ---- Errors -------------------------------------------------------------------------------- */

void tz_runner_locate(const tz_runner *r, const tz_slot *slot, tz_error *error) {
    char message[sizeof error->message];
    const char *text = error->message[0] != '\0' ? error->message : tz_status_name(error->status);
    snprintf(message, sizeof message, "%s", text);
    snprintf(error->message, sizeof error->message, "%.300s:%s%llu: %.700s", r->name, r->unit,
             (unsigned long long)slot->place, message);
    tz_fail_clean(error);
}

void tz_runner_stop(tz_runner *r, const tz_error *error) {
    r->error = *error;
    r->stopped = r->ended = true;
}

void tz_runner_fail(tz_runner *r, tz_slot *slot, const tz_error *error) {
    enum { SHOWN = 10 };
    if (!r->set.keep_going || r->format->failure(r, slot, error->message) != TZ_OK) {
        tz_runner_stop(r, error);
        return;
    }
    slot->state = TZ_SLOT_DONE;
    r->failed++;
    if (!r->format->mute || r->failed > SHOWN)
        return;
    tz_runner_clear_progress(r);
    tz_message(TZ_RUN, "%s%s", error->message,
               r->failed == SHOWN ? " (more such rows are not shown)" : "");
}

/* ---- A batch ------------------------------------------------------------------------------- */

/* Solves the slots first..last-1 that are TZ_SLOT_READ, together. */
static tz_status solve(tz_runner *r, size_t first, size_t last, tz_error *error) {
    size_t count = 0;
    for (size_t s = first; s < last; s++) {
        if (r->slots[s].state == TZ_SLOT_READ) {
            r->problems[count] = r->slots[s].input.problem;
            r->slot_of[count++] = s;
            r->slots[s].why.message[0] = '\0';
        }
    }
    *error = (tz_error){TZ_OK, ""};
    if (count == 0)
        return TZ_OK;
    error->status =
        r->limiter != NULL ? tz_runner_limit(r, count, error) : tz_runner_answer(r, count, error);
    return error->status;
}

tz_status tz_runner_check(const tz_runner *r, const tz_slot *slot, tz_error *error) {
    int32_t lengths[TZ_MAX_LENGTHS];
    tz_problem problem = tz_runner_problem(r, slot, TZ_RUN_ALL, lengths);
    bool required = tz_slot_takes_required(slot, TZ_RUN_ALL);
    tz_status status = tz_runner_check_amount(r, slot, error);
    if (status != TZ_OK)
        return status;
    if (required && r->required == NULL)
        problem.fact_count = 0; /* which another plan will check */
    return tz_problem_check(required && r->required != NULL ? r->required : r->plan, &problem,
                            error);
}

/* Finds what is wrong with the problems themselves. Returns how many slots come before the one that
 * ends the run. */
static size_t check(tz_runner *r, size_t count) {
    for (size_t s = 0; s < count; s++) {
        tz_slot *slot = &r->slots[s];
        tz_error error = {TZ_OK, ""};
        if (slot->state != TZ_SLOT_READ)
            continue;
        error.status = tz_runner_check(r, slot, &error);
        if (error.status == TZ_OK)
            continue;
        tz_runner_locate(r, slot, &error);
        tz_runner_fail(r, slot, &error);
        if (slot->state != TZ_SLOT_DONE)
            return s;
    }
    return count;
}

size_t tz_runner_solve(tz_runner *r, size_t count) {
    tz_error error;
    if (solve(r, 0, count, &error) == TZ_OK)
        return count;
    count = check(r, count);
    if (solve(r, 0, count, &error) == TZ_OK)
        return count;
    /* What does not fit into memory at once may do so one by one, and else shows which it is. */
    for (size_t s = 0; s < count; s++) {
        if (r->slots[s].state != TZ_SLOT_READ || solve(r, s, s + 1, &error) == TZ_OK)
            continue;
        if (r->slots[s].why.message[0] != '\0')
            error = r->slots[s].why;
        tz_runner_locate(r, &r->slots[s], &error);
        tz_runner_fail(r, &r->slots[s], &error);
        if (r->slots[s].state != TZ_SLOT_DONE)
            return s;
    }
    return count;
}
