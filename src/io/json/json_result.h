/* json_result.h - writes the answers of charts about a problem as one line of JSON.
 *
 * {"id":..,"n":4,"words":[..],"value":x,"rounded":true,"best":{..},"kbest":[..],"samples":[..],
 *  "items":{..},"marginals":{..},"item_marginals":{..},"max_marginals":{..},
 *  "item_max_marginals":{..},"derivation":{..}}, of which only what there is and what is asked for.
 * A line is opened, gets its parts in order, and is closed; a failed allocation shows at the end.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_JSON_JSON_RESULT_H
#define TZ_IO_JSON_JSON_RESULT_H

#include <trapeze/trapeze.h>

#include "base/buffer.h"
#include "base/text.h"
#include "io/json/json_problem.h"
#include "io/questions.h"

/* Working memory of writers; reused. A zeroed one is empty. */
typedef struct tz_json_scratch {
    tz_buffer number, open, order;
} tz_json_scratch;

/* Where the answers of a problem are written, and what writing them needs. */
typedef struct tz_json_answer {
    tz_text *text;
    tz_json_scratch *scratch;
    const tz_json_problem *problem; /* whose rules' names are written */
    const tz_semiring *semiring;
    const tz_questions *questions;
    const tz_rules *rules;  /* those that derive, which may be charged, */
    const int32_t *lengths; /* and their lengths */
} tz_json_answer;

void tz_json_scratch_free(tz_json_scratch *scratch);

/* Replaces text with the beginning of a line: id, lengths, words. */
void tz_json_open(tz_text *text, const tz_json_problem *problem);
/* Writes "value" of the problem bound as `lane`, or "values" where the semiring's elements stand
 * for a list of numbers. Where they stand for several different numbers, these follow by name
 * (tz_read_value); a number that depends on an input, only if the input was given. *ret_none: there
 * is no derivation. Errors of tz_goal; TZ_NO_MEMORY. */
tz_status tz_json_value(const tz_json_answer *to, double log_q, const tz_chart *chart, size_t lane,
                        bool *ret_none);
/* Writes "values" of a charged goal (tz_rules_charge) at amounts 0..the last of the lengths. */
tz_status tz_json_amounts(const tz_json_answer *to, const tz_chart *chart, size_t lane);
/* Writes "best" at each of these amounts, null where there is no derivation. */
tz_status tz_json_best_amounts(tz_json_answer *to, tz_chart *chart, size_t lane);
/* Writes "value", "best" if asked, and how they were found; opt_limited: NULL if there is none. */
void tz_json_limited(tz_json_answer *to, const char *resource, const tz_limited *opt_limited);
/* Writes all that is asked. Errors of the questions; TZ_NO_MEMORY. */
tz_status tz_json_asked(tz_json_answer *to, const tz_asking *asking);
/* Writes "structure": score and log probability of the structure given, null where it has no
 * derivation. Errors of tz_structure. */
tz_status tz_json_probability(const tz_json_answer *to, const tz_asking *asking);
/* Ends the line, LF included. TZ_NO_MEMORY: some of it was lost. */
tz_status tz_json_close(tz_text *text);

/* Replaces text with {"id":..,"error":message}. TZ_NO_MEMORY. */
tz_status tz_json_failure(tz_text *text, const tz_json_problem *problem, const char *message);

#endif
