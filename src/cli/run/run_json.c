/* run_json.c - `trapeze run` on JSON Lines: one problem a line in, one result a line out, in order.
 *
 * Lines are read, solved and printed in batches, so that memory is bounded by the batch whatever
 * the length of the input. A line that is wrong is an error of that line alone, wherever it comes
 * to light. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/lines.h"
#include "cli/run/run.h"

enum { LINE_LIMIT = 1 << 30, BATCH = 64 };

static bool blank(const char *line) {
    return line[strspn(line, " \t\r")] == '\0';
}

/* Reads one line that is not blank into the slot. false at the end. */
static bool read_slot(tz_runner *r, tz_lines *lines, FILE *file, tz_slot *slot) {
    tz_error error = {TZ_OK, ""};
    char *line = NULL;
    size_t size = 0;
    tz_status status;
    do
        status = tz_lines_next(lines, &line, &size, &error);
    while (status == TZ_OK && blank(line));
    slot->state = TZ_SLOT_EMPTY;
    tz_text_clear(&slot->text);
    tz_text_clear(&slot->input.id);
    if (status == TZ_NONE)
        r->ended = true;
    if (status != TZ_OK) {
        if (status == TZ_IO && !ferror(file))
            tz_runner_fail(r, slot, &error);
        else if (status != TZ_NONE)
            tz_runner_stop(r, &error);
        return !r->ended;
    }

    slot->place = tz_lines_number(lines);
    if (slot->input.rules == NULL)
        status = tz_json_problem_init(&slot->input, r->rules, r->semiring);
    if (status == TZ_OK)
        status = tz_json_problem_read(&slot->input, line, size, &error);
    if (status == TZ_OK)
        status = tz_runner_take_facts(r, slot, &error);
    if (status == TZ_OK)
        status = tz_runner_check(r, slot, &error);
    if (status == TZ_OK && slot->input.facts.structure && !r->gives_structures)
        status = tz_fail(&error, TZ_LAW, "\"structure\" asks for a probability, which takes log%s",
                         r->charged != NULL ? " and, under resource(..), --amount" : "");
    slot->state = TZ_SLOT_READ;
    if (status != TZ_OK) {
        error.status = status;
        tz_runner_locate(r, slot, &error);
        tz_runner_fail(r, slot, &error);
    }
    return !r->ended;
}

/* ---- Answers ------------------------------------------------------------------------------- */

static tz_json_answer answer_of(const tz_runner *r, tz_slot *slot, const int32_t *lengths) {
    return (tz_json_answer){.text = &slot->text,
                            .scratch = &slot->scratch,
                            .problem = &slot->input,
                            .semiring = r->semiring,
                            .questions = &r->set.questions,
                            .rules = r->charged != NULL ? r->charged : r->rules,
                            .lengths = lengths};
}

static tz_status value(tz_runner *r, tz_slot *slot, const int32_t *lengths, tz_chart *chart,
                       size_t lane, bool *ret_none) {
    tz_json_answer to = answer_of(r, slot, lengths);
    tz_json_open(&slot->text, &slot->input);
    if (!tz_runner_by_amounts(r))
        return tz_json_value(&to, slot->log_q, chart, lane, ret_none);
    tz_status status = tz_json_amounts(&to, chart, lane);
    if (status == TZ_OK && r->set.amount < 0 && r->set.questions.wanted[TZ_ASK_BEST] > 0)
        status = tz_json_best_amounts(&to, chart, lane);
    return status;
}

static tz_status asked(tz_runner *r, tz_slot *slot, const int32_t *lengths,
                       const tz_asking *asking) {
    tz_json_answer to = answer_of(r, slot, lengths);
    tz_status status = tz_json_asked(&to, asking);
    return status == TZ_OK && slot->input.facts.structure ? tz_json_probability(&to, asking)
                                                          : status;
}

static tz_status end(tz_slot *slot) {
    return tz_json_close(&slot->text);
}

static tz_status limited(tz_runner *r, tz_slot *slot, const tz_limited *opt_limited) {
    tz_json_answer to = answer_of(r, slot, slot->input.problem.lengths);
    tz_json_open(&slot->text, &slot->input);
    tz_json_limited(&to, tz_run_resource(r), opt_limited);
    return TZ_OK;
}

static tz_status failure(tz_runner *r, tz_slot *slot, const char *message) {
    (void)r;
    return tz_json_failure(&slot->text, &slot->input, message);
}

static int print(tz_runner *r, size_t count) {
    tz_runner_clear_progress(r);
    for (size_t s = 0; s < count; s++)
        tz_text_write(&r->slots[s].text, r->rounds.out != NULL ? r->rounds.out : stdout);
    return tz_flush_results(TZ_RUN);
}

const tz_run_format tz_run_lines = {value, asked, end, limited, failure, "\"error\"", false, print};

/* ---- Problems ------------------------------------------------------------------------------ */

/* Up to the end of the file, or of this rank's block. */
static int run_block(tz_runner *r, tz_lines *lines, FILE *file) {
    int status = 0;
    while (status == 0 && !r->ended) {
        size_t count = 0;
        while (!r->ended && count < r->room)
            count += read_slot(r, lines, file, &r->slots[count]);
        status = r->format->print(r, tz_runner_solve(r, count));
    }
    return status;
}

static int run_rounds(tz_runner *r, tz_lines *lines, FILE *file) {
    tz_lines *const list[] = {lines, NULL};
    tz_error error = {TZ_OK, ""};
    int status = 0;
    tz_status more = tz_rounds_begin(&r->rounds, list, r->room, false, false);
    tz_ranks_speak(r->set.keep_going);
    while (more == TZ_OK && status == 0) {
        r->ended = false;
        status = run_block(r, lines, file);
        error = r->error;
        more = tz_rounds_end(&r->rounds, list, r->stopped ? TZ_IO : TZ_NONE, &error);
    }
    tz_ranks_speak(false);
    uint64_t failed = r->failed;
    if (more == TZ_NONE)
        more = tz_ranks_add(&failed, 1, &error);
    r->failed = (size_t)failed;
    if (more != TZ_OK) {
        if (error.message[0] == '\0')
            tz_fail(&error, more, "%s", tz_status_name(more));
        tz_runner_stop(r, &error);
    }
    return status;
}

int tz_run_json(tz_runner *r, FILE *file) {
    tz_lines *lines = tz_lines_new(file, r->name, LINE_LIMIT);
    int status = 0;
    if (lines == NULL) {
        tz_message(TZ_RUN, "out of memory");
        return TZ_EXIT_INPUT;
    }
    r->unit = "";
    if (!tz_runner_reserve(r, r->set.batch > 0 ? (size_t)r->set.batch : BATCH))
        status = TZ_EXIT_INPUT;
    if (status == 0)
        status = run_rounds(r, lines, file);
    tz_lines_free(lines);
    return status;
}
