/* counter.h - counts derivations by the engine, for a second or so. SPDX-License-Identifier: MIT */
#ifndef TZ_CLI_RULES_COUNTER_H
#define TZ_CLI_RULES_COUNTER_H

#include "rules/table.h"

typedef struct tz_counter {
    tz_rules rules; /* by place: no numbers are needed */
    tz_plan *plan;  /* under the count semiring */
    tz_chart *chart;
    double work; /* so far */
} tz_counter;

/* Makes a counter, which must stay in its place. Free it in any case. TZ_NO_MEMORY, and errors of
 * tz_plan_new. */
tz_status tz_counter_init(tz_counter *counter, const tz_rules *rules, tz_error *error);
void tz_counter_free(tz_counter *counter);
/* Counts the derivations for these lengths, all scores 0. TZ_TOO_LARGE: this would take too long,
 * together with everything counted before. */
tz_status tz_counter_derivations(tz_counter *counter, const int32_t *lengths, double *ret_count,
                                 tz_error *error);

#endif
