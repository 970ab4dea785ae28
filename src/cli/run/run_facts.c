/* run_facts.c - what is required of derivations: as forbidden cells where that says the same, which
 * any semiring can be asked under at full speed; else by required(SEMIRING).
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "cli/run/run.h"
#include "rules/table.h"

tz_status tz_runner_take_facts(const tz_runner *r, tz_slot *slot, tz_error *error) {
    const tz_questions *questions = &r->set.questions;
    tz_facts_free(slot->facts);
    slot->facts = NULL;
    slot->required = slot->impossible = false;
    for (size_t f = 0; f < slot->input.problem.fact_count; f++)
        slot->required |= slot->input.problem.facts[f].required;
    slot->required &= r->semiring->mark == NULL;
    /* What is forbidden so holds for one goal, not for that of each amount. */
    bool amounts = tz_runner_by_amounts(r) && r->set.amount < 0;
    if (!slot->required || amounts)
        return TZ_OK;
    int32_t lengths[TZ_MAX_LENGTHS];
    tz_problem problem = tz_runner_problem(r, slot, TZ_RUN_ASKED, lengths);
    tz_status status =
        tz_facts_new(r->charged != NULL ? r->charged : r->rules, &problem, &slot->facts, error);
    slot->impossible = status == TZ_NONE;
    if (status == TZ_LAW && (questions->wanted[TZ_ASK_KBEST] > 0 ||
                             questions->wanted[TZ_ASK_MIN_RISK] > 0 || r->limiter != NULL)) {
        snprintf(error->message, sizeof error->message,
                 "%s cannot keep to these required facts, since forbidding other cells would not "
                 "say the same; give -s '%s'",
                 r->limiter != NULL                    ? "--keep, --drop or --rate with max"
                 : questions->wanted[TZ_ASK_KBEST] > 0 ? "--kbest"
                                                       : "--min-risk",
                 r->limiter != NULL                    ? "required(max)"
                 : questions->wanted[TZ_ASK_KBEST] > 0 ? "kbest(K)"
                                                       : "required(log)");
        return status;
    }
    return status == TZ_LAW || status == TZ_NONE ? TZ_OK : status;
}

const tz_plan *tz_runner_required_plan(tz_runner *r, tz_error *error) {
    static const char format[] = "required(%s)";
    if (r->required != NULL)
        return r->required;
    size_t size = strlen(r->semiring->name) + sizeof format;
    char *text = malloc(size);
    if (text == NULL) {
        tz_fail(error, TZ_NO_MEMORY, "out of memory");
        return NULL;
    }
    snprintf(text, size, format, r->semiring->name);
    tz_status status = TZ_OK;
    if (r->required_semiring == NULL)
        status = tz_semiring_new(text, r->set.precision, &r->required_semiring, error);
    if (status == TZ_BAD_ARGUMENT) /* one that has no name */
        tz_fail(error, status,
                "these required facts, which forbidding other cells would not say, take a built-in "
                "semiring, not %s",
                r->semiring->name);
    if (status == TZ_OK)
        status = tz_plan_new(r->charged != NULL ? r->charged : r->rules, r->required_semiring,
                             r->set.flags, &r->required, error);
    free(text);
    return status == TZ_OK ? r->required : NULL;
}
