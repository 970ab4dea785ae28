/* run_semiring.c - `-s`: what is run. SPDX-License-Identifier: MIT */
#include <string.h>

#include "cli/run/run.h"
#include "cli/semiring_argument.h"

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

int tz_run_charge_exactly(tz_runner *r, const char *resource, long amount) {
    tz_charged found = {.semiring = r->semiring};
    r->exactly = true;
    return take(r, tz_charged_exactly(command, r->rules, resource, amount, &found), &found);
}

int tz_run_open_semiring(tz_runner *r) {
    if (r->set.semiring == NULL) {
        char known[TZ_RUN_LIST];
        tz_run_list_semirings(known);
        return tz_usage_error(command, "which semiring? give -s %s", known);
    }
    tz_charged found;
    int status = tz_charged_open(command, r->set.semiring, r->set.precision, r->rules, &found);
    return take(r, status, &found);
}

int32_t tz_run_limit(const tz_runner *r, const int32_t *lengths) {
    const tz_charged found = {.limit_length = r->limit_length, .limit = r->limit};
    return tz_charged_limit(&found, r->rules, lengths);
}
