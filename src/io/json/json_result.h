/* json_result.h - what charts say of a problem, as one line of JSON.
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

#include "base/text.h"
#include "io/json/json_problem.h"
#include "io/questions.h"

/* Memory for numbers on their way into text; grown and reused. A zeroed one is empty. */
typedef struct tz_json_scratch {
    double *number;
    uint32_t *open;
    size_t *order;
    size_t number_capacity, open_capacity, order_capacity;
} tz_json_scratch;

/* What derivations are of, and whether paths are wanted of them. */
typedef struct tz_json_paths {
    const tz_rules *rules; /* whose names are written */
    bool wanted;
    const tz_rules *bound;  /* those that derive, which may be charged, */
    const int32_t *lengths; /* and their lengths */
    tz_json_scratch *scratch;
} tz_json_paths;

void tz_json_scratch_free(tz_json_scratch *scratch);

/* Replaces text by the beginning of a line: id, lengths, words. */
void tz_json_open(tz_text *text, const tz_json_problem *problem);
/* "value" of the problem bound as `lane`, or "values" where the semiring's elements stand for a
 * list of numbers. Where they stand for several different ones, these follow by name; what an input
 * of that name makes of the derivations, only if it was given; of the input q, the scores of
 * another distribution, "kl", with its log partition function log_q. ret_none: there is no
 * derivation. Errors of tz_goal; TZ_NO_MEMORY. */
tz_status tz_json_value(tz_text *text, tz_json_scratch *scratch, const tz_json_problem *problem,
                        const tz_semiring *semiring, double log_q, const tz_chart *chart,
                        size_t lane, bool *ret_none);
/* "values" of a charged goal (tz_rules_charge) at amounts 0..limit; lengths: of the charged rules,
 * the last of them `limit`. */
tz_status tz_json_amounts(tz_text *text, tz_json_scratch *scratch, const tz_semiring *semiring,
                          const tz_rules *charged, const int32_t *lengths, const tz_chart *chart,
                          size_t lane);
/* "best" at each of these amounts, null where there is no derivation. */
tz_status tz_json_best_amounts(tz_text *text, const tz_json_paths *paths, const tz_rules *charged,
                               const int32_t *lengths, tz_chart *chart, size_t lane);
/* "value", "best" if asked, and how they were found; opt_limited: NULL if there is none. */
void tz_json_limited(tz_text *text, const tz_json_paths *paths, const char *resource, bool best,
                     const tz_limited *opt_limited);
/* What is questions, of which there is `none`, but for values of items; seed: of the problem's
 * samples. Errors of tz_best, tz_kbest_next, tz_sampler_next, tz_marginals, tz_through and
 * tz_items; TZ_NO_MEMORY. */
tz_status tz_json_asked(tz_text *text, const tz_json_paths *paths, const tz_json_problem *problem,
                        const tz_semiring *semiring, const tz_questions *questions, uint64_t seed,
                        tz_chart *chart, size_t lane, bool none);
/* "key": the derivation, or null. */
void tz_json_optional(tz_text *text, const char *key, const tz_json_paths *paths,
                      const tz_derivation *opt_derivation);
/* "structure": score and log probability of the structure given, null where it has no derivation.
 * Errors of tz_structure. */
tz_status tz_json_probability(tz_text *text, const tz_json_facts *facts, tz_chart *chart,
                              size_t lane, bool none);
/* The end of the line, LF included. TZ_NO_MEMORY: some of it was lost. */
tz_status tz_json_close(tz_text *text);

/* Replaces text by {"id":..,"error":message}. TZ_NO_MEMORY. */
tz_status tz_json_failure(tz_text *text, const tz_json_problem *problem, const char *message);

#endif
