/* run_facts.c - what is required of derivations: as forbidden cells where that says the same, which
 * any semiring can be asked under at full speed; else by required(SEMIRING).
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "cli/run.h"

tz_status tz_runner_take_facts(const tz_runner *r, tz_slot *slot, tz_error *error) {
    const tz_problem *problem = &slot->input.problem;
    bool required = false;
    tz_facts_free(slot->facts);
    slot->facts = NULL;
    slot->required = slot->impossible = false;
    for (size_t f = 0; f < problem->fact_count; f++)
        required |= problem->facts[f].required;
    if (!required)
        return TZ_OK;
    /* What is forbidden so holds for the goal alone, which is another one for each amount. */
    bool amounts = r->charged != NULL && !r->exactly;
    tz_status status = TZ_LAW;
    if (!amounts && r->charged == NULL)
        status = tz_facts_new(r->rules, problem, &slot->facts, error);
    if (status == TZ_LAW && !amounts && problem->inputs != NULL)
        return status; /* a divergence would need q's total under them too */
    slot->required = status == TZ_LAW || status == TZ_NONE;
    slot->impossible = status == TZ_NONE;
    return slot->required ? TZ_OK : status;
}

const tz_plan *tz_runner_required_plan(tz_runner *r, tz_error *error) {
    static const char format[] = "required(%s)";
    if (r->required != NULL)
        return r->required;
    size_t size = strlen(r->semiring->name) + sizeof format;
    char *text = malloc(size);
    if (text == NULL) {
        *error = (tz_error){TZ_NO_MEMORY, "out of memory"};
        return NULL;
    }
    snprintf(text, size, format, r->semiring->name);
    tz_status status = TZ_OK;
    if (r->required_semiring == NULL)
        status = tz_semiring_new(text, r->set.precision, &r->required_semiring, error);
    if (status == TZ_OK)
        status = tz_plan_new(r->charged != NULL ? r->charged : r->rules, r->required_semiring,
                             r->set.force ? TZ_FORCE : 0, &r->required, error);
    free(text);
    return status == TZ_OK ? r->required : NULL;
}
