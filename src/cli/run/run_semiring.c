/* run_semiring.c - `-s`: what is run. SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/run/run.h"
#include "cli/semiring_argument.h"
#include "rules/table.h"

static const char command[] = TZ_RUN;

void tz_run_list_semirings(char text[TZ_RUN_LIST]) {
    const char *form;
    size_t used = 0;
    static const char last[] = "or resource(NAME,D,SEMIRING)";
    size_t room = TZ_RUN_LIST - sizeof last;
    for (size_t i = 0; (form = tz_semiring_form(i)) != NULL && used + strlen(form) + 2 < room; i++)
        used += (size_t)snprintf(text + used, TZ_RUN_LIST - used, "%s, ", form);
    snprintf(text + used, TZ_RUN_LIST - used, "%s", last);
}

static int take(tz_runner *r, int status, const tz_charged *found) {
    r->semiring = found->semiring;
    r->charged = found->rules;
    r->limit_length = found->limit_length;
    r->limit = found->limit;
    return status;
}

/* The resource of this name, if all that is known of it is what it leaves; else -1. */
static int find_rest(const tz_rules *rules, const char *name) {
    for (int i = 0; i < rules->resources; i++)
        if (strcmp(rules->resource[i].name, name) == 0 && !tz_resource_is_sum(rules, (size_t)i))
            return i;
    return -1;
}

int tz_run_charge_exactly(tz_runner *r, const char *resource, long amount) {
    tz_charged found = {.semiring = r->semiring};
    r->exactly = true;
    r->rest = find_rest(r->rules, resource);
    if (r->rest >= 0)
        resource = r->rules->resource[r->rules->resource[r->rest].other].name;
    int status = tz_charged_exactly(command, r->rules, resource, amount, &found);
    if (status == 0) {
        r->goal.weight = TZ_ITEM + found.rules->goal.which;
        for (size_t q = 0; q < TZ_MAX_RANK; q++)
            r->goal.index[q] = TZ_ANY;
        r->no_goal = (tz_fact){.cells = &r->goal, .count = 1};
    }
    return take(r, status, &found);
}

int tz_run_open_semiring(tz_runner *r) {
    if (r->set.semiring == NULL) {
        char known[TZ_RUN_LIST];
        tz_run_list_semirings(known);
        return tz_usage_error(command, "which semiring? give -s %s", known);
    }
    tz_charged found;
    r->rest = -1;
    int status = tz_charged_open(command, r->set.semiring, r->set.precision, r->rules, &found);
    return take(r, status, &found);
}

int32_t tz_run_limit(const tz_runner *r, const int32_t *lengths) {
    const tz_charged found = {.limit_length = r->limit_length, .limit = r->limit};
    size_t other;
    int64_t total;
    if (r->rest < 0 ||
        tz_rules_resource_complement(r->rules, (size_t)r->rest, lengths, &other, &total) != TZ_OK)
        return tz_charged_limit(&found, r->rules, lengths);
    total -= r->limit;
    return total < 0 ? -1 : total > INT32_MAX ? INT32_MAX : (int32_t)total;
}
