/* run_npz.c - `trapeze run` on the arrays of a .npz file, to arrays or to JSON Lines.
 *
 * A batch of rows goes from the file into memory that the problems point into, and from there to
 * the engine without a copy. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "cli/run/run.h"
#include "rules/table.h"

/* Rows read at a time, unless --batch says: enough that many have like lengths, since lanes of like
 * lengths share their schedules. */
enum { BATCH_BYTES = 1 << 25, BATCH_LEAST = 16, BATCH_MOST = 4096 };

typedef struct arrays {
    tz_npz *npz;
    tz_npz_input *input;
    int32_t (*extent)[TZ_MAX_RANK];      /* of every weight's array */
    int32_t (*item_extent)[TZ_MAX_RANK]; /* and of every item's, with -o */
    uint64_t next;                       /* row to be read */
} arrays;

static tz_npz_asked asked_of(const tz_runner *r, const arrays *a) {
    bool amounts = tz_runner_by_amounts(r);
    return (tz_npz_asked){r->rules, r->semiring, &r->set.questions,
                          amounts ? (size_t)r->limit + 1 : 0, a->item_extent};
}

static size_t choose_batch(const tz_runner *r, const arrays *a) {
    const tz_npz_input *input = a->input;
    size_t row = tz_npz_input_row(input), batch = (size_t)r->set.batch;
    if (r->output != NULL)
        row += tz_npz_output_row(r->output);
    if (batch == 0) {
        batch = row < BATCH_BYTES ? BATCH_BYTES / (row + 1) : 1;
        batch = batch < BATCH_LEAST ? BATCH_LEAST : batch > BATCH_MOST ? BATCH_MOST : batch;
    }
    uint64_t problems = tz_npz_input_problems(input);
    return batch < problems ? batch : problems > 0 ? (size_t)problems : 1;
}

static tz_status open_arrays(tz_runner *r, FILE *file, arrays *a, tz_error *error) {
    const tz_questions *questions = &r->set.questions;
    tz_status status = tz_npz_open(file, r->name, &a->npz, error);
    if (status == TZ_OK)
        status = tz_npz_input_new(a->npz, r->rules, r->semiring, &a->input, error);
    if (status == TZ_OK && r->set.output != NULL) {
        a->item_extent = calloc(questions->wanted[TZ_ASK_ITEMS] + 1, sizeof *a->item_extent);
        if (a->item_extent == NULL)
            status = tz_fail(error, TZ_NO_MEMORY, "out of memory");
        if (status == TZ_OK && questions->wanted[TZ_ASK_ITEMS] > 0)
            status = tz_npz_item_extents(a->npz, r->rules, tz_npz_input_problems(a->input),
                                         questions->wanted[TZ_ASK_ITEMS], questions->item,
                                         a->item_extent, error);
        const tz_npz_asked asked = asked_of(r, a);
        if (status == TZ_OK)
            status = tz_npz_output_new(r->set.output, a->input, &asked, &r->output, error);
    }
    size_t weights = tz_rules_count(r->rules, TZ_WEIGHTS);
    if (status == TZ_OK && (a->extent = calloc(weights + 1, sizeof *a->extent)) == NULL)
        status = tz_fail(error, TZ_NO_MEMORY, "out of memory");
    for (size_t w = 0; w < weights && status == TZ_OK; w++)
        memcpy(a->extent[w], tz_npz_input_extent(a->input, w), sizeof *a->extent);
    return status;
}

/* ---- Answers ------------------------------------------------------------------------------- */

static size_t row_of(const tz_runner *r, const tz_slot *slot) {
    return (size_t)(slot - r->slots);
}

static tz_status value(tz_runner *r, tz_slot *slot, const int32_t *lengths, tz_chart *chart,
                       size_t lane, bool *ret_none) {
    return tz_runner_by_amounts(r)
               ? tz_npz_output_amounts(r->output, row_of(r, slot), r->charged, lengths, chart, lane)
               : tz_npz_output_value(r->output, row_of(r, slot), slot->log_q, chart, lane,
                                     ret_none);
}

static tz_status asked(tz_runner *r, tz_slot *slot, const int32_t *lengths,
                       const tz_asking *asking) {
    (void)lengths;
    return tz_npz_output_asked(r->output, row_of(r, slot), &slot->input.problem, asking);
}

static tz_status end(tz_slot *slot) {
    (void)slot;
    return TZ_OK;
}

static tz_status limited(tz_runner *r, tz_slot *slot, const tz_limited *opt_limited) {
    return tz_npz_output_limited(r->output, row_of(r, slot), &slot->input.problem, opt_limited);
}

static tz_status failure(tz_runner *r, tz_slot *slot, const char *message) {
    (void)message;
    tz_npz_output_failure(r->output, row_of(r, slot));
    return TZ_OK;
}

static int print(tz_runner *r, size_t count) {
    tz_error error;
    tz_runner_clear_progress(r);
    if (tz_npz_output_write(r->output, count, &error) == TZ_OK)
        return 0;
    tz_message(TZ_RUN, "%s", error.message);
    return TZ_EXIT_INPUT;
}

const tz_run_format tz_run_arrays = {value, asked, end, limited, failure, "NaN", true, print};

/* ---- Problems ------------------------------------------------------------------------------ */

/* A row that has been read, as if it had been a line of JSON. */
static void fill_slot(tz_runner *r, const arrays *a, size_t row) {
    tz_slot *slot = &r->slots[row];
    tz_error error = {TZ_OK, ""};
    tz_problem problem = {0};
    slot->state = TZ_SLOT_READ;
    slot->place = a->next + row;
    tz_text_clear(&slot->text);
    tz_text_clear(&slot->input.id);
    if (r->output == NULL)
        tz_text_number(&slot->input.id, (double)slot->place);
    error.status = slot->input.id.failed ? TZ_NO_MEMORY
                                         : tz_npz_input_problem(a->input, row, &problem, &error);
    slot->input.rules = r->rules;
    slot->input.weight = tz_declared_weights(r->rules, &slot->input.weights);
    slot->input.problem = problem;
    slot->input.lengths = (int32_t *)problem.lengths;
    slot->input.scores = (tz_scores *)problem.scores;
    slot->input.extent = a->extent;
    if (error.status == TZ_OK)
        error.status = tz_runner_check_amount(r, slot, &error);
    if (error.status != TZ_OK) {
        tz_runner_locate(r, slot, &error);
        tz_runner_fail(r, slot, &error);
    }
}

/* Reads at most a batch. Returns how many slots are filled. */
static size_t read_rows(tz_runner *r, arrays *a) {
    tz_error error = {TZ_OK, ""};
    uint64_t left = tz_npz_input_problems(a->input) - a->next;
    size_t count = left < r->room ? (size_t)left : r->room, filled = 0;
    r->ended = count == left;
    tz_status status = count > 0 ? tz_npz_input_read(a->input, count, &error) : TZ_OK;
    if (status == TZ_OK && r->output != NULL)
        status = tz_npz_output_begin(r->output, count, &error);
    if (status != TZ_OK) {
        tz_runner_stop(r, &error);
        return 0;
    }
    while (filled < count && !r->stopped) {
        fill_slot(r, a, filled);
        filled += !r->stopped;
    }
    a->next += count;
    return filled;
}

/* The results there are get their place, also where the run ended early. */
static int finish(tz_runner *r, const arrays *a, uint64_t answered) {
    tz_error error = {TZ_OK, ""};
    if (r->output == NULL || (r->stopped && answered == 0))
        return 0;
    if (tz_npz_output_commit(r->output, &error) != TZ_OK) {
        tz_message(TZ_RUN, "%s", error.message);
        return TZ_EXIT_INPUT;
    }
    if (r->stopped)
        tz_message(TZ_RUN, "%s has the first %llu of %llu rows", r->set.output,
                   (unsigned long long)answered,
                   (unsigned long long)tz_npz_input_problems(a->input));
    return 0;
}

int tz_run_npz(tz_runner *r, FILE *file) {
    arrays a = {0};
    tz_error error = {TZ_OK, ""};
    uint64_t answered = 0;
    int status = 0;
    r->unit = " row ";
    if (open_arrays(r, file, &a, &error) != TZ_OK)
        tz_runner_stop(r, &error);
    else if (!tz_runner_reserve(r, choose_batch(r, &a)))
        status = TZ_EXIT_INPUT;
    while (status == 0 && !r->ended) {
        size_t count = tz_runner_solve(r, read_rows(r, &a));
        status = r->format->print(r, count);
        answered += count;
    }
    if (status == 0 && a.input != NULL)
        status = finish(r, &a, answered);
    for (size_t s = 0; s < r->room && r->slots != NULL; s++) {
        tz_json_problem *input = &r->slots[s].input; /* borrowed, all but the id */
        tz_text_free(&input->id);
        *input = (tz_json_problem){0};
    }
    tz_npz_output_free(r->output);
    r->output = NULL;
    free(a.extent);
    free(a.item_extent);
    tz_npz_input_free(a.input);
    tz_npz_free(a.npz);
    return status;
}
