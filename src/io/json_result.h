/* json_result.h - what a chart says of a problem, as one line of JSON.
 *
 * {"id":..,"n":4,"words":[..],"value":x,"rounded":true,"best":{..},"marginals":{..},
 *  "max_marginals":{..},"derivation":{..}}, of which only what there is and what is asked for.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_JSON_RESULT_H
#define TZ_IO_JSON_RESULT_H

#include <trapeze/trapeze.h>

#include "io/json_problem.h"
#include "io/text.h"

/* What to tell besides the value. */
typedef struct tz_json_wanted {
    bool best, derivation;         /* after tz_inside */
    bool marginals, max_marginals; /* after tz_outside */
} tz_json_wanted;

/* Memory for numbers on their way into text; grown and reused. A zeroed one is empty. */
typedef struct tz_json_scratch {
    double *number;
    uint32_t *open;
    size_t number_capacity, open_capacity;
} tz_json_scratch;

void tz_json_scratch_free(tz_json_scratch *scratch);

/* Replaces text by the line, LF included, for the problem bound as `lane` of the chart. Errors of
 * tz_goal, tz_best, tz_marginals and tz_through; TZ_NO_MEMORY. */
tz_status tz_json_result(tz_text *text, tz_json_scratch *scratch, const tz_json_problem *problem,
                         const tz_semiring *semiring, const tz_json_wanted *wanted, tz_chart *chart,
                         size_t lane);

/* Replaces text by {"id":..,"error":message}. TZ_NO_MEMORY. */
tz_status tz_json_failure(tz_text *text, const tz_json_problem *problem, const char *message);

#endif
