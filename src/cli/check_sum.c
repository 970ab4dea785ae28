/* check_sum.c - what is looked at before a sum: would a structure of the rule file count twice?
 * SPDX-License-Identifier: MIT */
#include "ambiguity/ambiguity.h"
#include "cli/cli.h"
#include "rules/table.h"

/* Nothing tells. */
static void warn(const char *command, const char *name, const tz_rules *rules,
                 const tz_semiring *semiring, const tz_doubt *doubt) {
    char lengths[TZ_LENGTHS_TEXT];
    tz_reached_text(rules, &doubt->where, doubt->explored.reach, lengths, sizeof lengths);
    tz_message(command,
               "warning: %s: no lengths up to %s have two derivations, so that nothing tells "
               "whether the sum of %s counts a structure twice: try longer ones by 'trapeze "
               "rules check -n' (--force: it does not)",
               name, lengths, semiring->name);
}

/* Built-in rules are checked where they are built. */
int tz_check_sum(const char *command, const char *name, const tz_rules *rules,
                 const tz_semiring *semiring, bool quiet) {
    tz_doubt doubt;
    int code = 0;
    if (rules->arena == NULL || rules->ambiguous || rules->derivations ||
        semiring->laws & TZ_IDEMPOTENT)
        return 0;
    tz_status status = tz_doubt_look(rules, &doubt);
    if (status != TZ_OK) {
        code = tz_failed(command, status, NULL);
    } else if (doubt.ambiguous) {
        char text[TZ_LENGTHS_TEXT + 128];
        tz_doubt_text(rules, &doubt, text, sizeof text);
        code = tz_usage_error(command,
                              "%s: %s, and the sum of %s counts every derivation: see 'trapeze "
                              "rules check' (--force runs it nevertheless)",
                              name, text, semiring->name);
    } else if (!quiet && doubt.explored.derivations <= 1 && doubt.explored.reach >= 0 &&
               !doubt.explored.circles && !doubt.drawn.several) {
        warn(command, name, rules, semiring, &doubt);
    }
    tz_doubt_free(&doubt);
    return code;
}
