/* counter.c - see counter.h. SPDX-License-Identifier: MIT */
#include "cli/rules/counter.h"

#include "ambiguity/trial.h"

/* Work for all lengths together; a second or so. */
static const double MOST_WORK = 1e9;

tz_status tz_counter_init(tz_counter *counter, const tz_rules *rules, tz_error *error) {
    *counter = (tz_counter){.rules = tz_rules_by_place(rules)};
    tz_status status = tz_plan_new(&counter->rules, tz_semiring_find("count", TZ_F64), TZ_FORCE,
                                   &counter->plan, error);
    return status == TZ_OK ? tz_chart_new(counter->plan, &counter->chart) : status;
}

void tz_counter_free(tz_counter *counter) {
    tz_chart_free(counter->chart);
    tz_plan_free(counter->plan);
}

static tz_status count_derivations(tz_counter *counter, const int32_t *lengths, double *ret_count,
                                   tz_error *error) {
    tz_trial trial;
    tz_status status = tz_trial_make(&counter->rules, lengths, &trial);
    if (status == TZ_OK)
        status = tz_bind(counter->chart, &trial.problem, 1, error);
    if (status == TZ_OK)
        status = tz_inside(counter->chart);
    if (status == TZ_OK)
        status = tz_goal(counter->chart, 0, ret_count);
    tz_trial_free(&trial);
    return status;
}

tz_status tz_counter_derivations(tz_counter *counter, const int32_t *lengths, double *ret_count,
                                 tz_error *error) {
    double work;
    tz_status status = tz_trial_work(&counter->rules, lengths, &work);
    if (status != TZ_OK)
        return status;
    counter->work += work;
    if (counter->work > MOST_WORK)
        return TZ_TOO_LARGE;
    return count_derivations(counter, lengths, ret_count, error);
}
