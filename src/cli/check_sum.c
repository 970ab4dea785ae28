/* run_warn.c - what `trapeze run` looks at before it sums: would a structure of the rule file count
 * twice? SPDX-License-Identifier: MIT */
#include "ambiguity/ambiguity.h"
#include "cli/run/run.h"

/* Nothing tells. */
static void warn(const tz_runner *r, const tz_doubt *doubt) {
    char lengths[TZ_LENGTHS_TEXT];
    tz_reached_text(r->rules, &doubt->where, doubt->explored.reach, lengths, sizeof lengths);
    tz_message(TZ_RUN,
               "warning: %s: no lengths up to %s have two derivations, so that nothing tells "
               "whether the sum of %s counts a structure twice: try longer ones by 'trapeze "
               "rules check -n' (--force: it does not)",
               r->set.rules, lengths, r->semiring->name);
}

/* Built-in rules are checked where they are built. */
int tz_run_check_sum(const tz_runner *r) {
    const tz_rules *rules = r->rules;
    tz_doubt doubt;
    int code = 0;
    if (rules->arena == NULL || rules->ambiguous || rules->derivations || r->set.flags & TZ_FORCE ||
        r->semiring->laws & TZ_IDEMPOTENT)
        return 0;
    tz_status status = tz_doubt_look(rules, &doubt);
    if (status != TZ_OK) {
        code = tz_failed(TZ_RUN, status, NULL);
    } else if (doubt.ambiguous) {
        char text[TZ_LENGTHS_TEXT + 128];
        tz_doubt_text(rules, &doubt, text, sizeof text);
        code = tz_usage_error(TZ_RUN,
                              "%s: %s, and the sum of %s counts every derivation: see 'trapeze "
                              "rules check' (--force runs it nevertheless)",
                              r->set.rules, text, r->semiring->name);
    } else if (!r->set.quiet && doubt.explored.derivations <= 1 && doubt.explored.reach >= 0 &&
               !doubt.explored.circles && !doubt.drawn.several) {
        warn(r, &doubt);
    }
    tz_doubt_free(&doubt);
    return code;
}
