/* check_warn.c - what `trapeze rules check` warns of, as compilers do. SPDX-License-Identifier: MIT
 */
#include <stdio.h>

#include "cli/rules/checking.h"

static void warn(const tz_checking *check, uint32_t line, uint32_t column, const char *text) {
    if (check->file != NULL)
        tz_message(check->command, "%s:%lu:%lu: warning: %s", check->file, (unsigned long)line,
                   (unsigned long)column, text);
    else
        tz_message(check->command, "warning: %s", text);
}

static void warn_of_rules(const tz_checking *check, const char *lengths) {
    const tz_rules *rules = check->rules;
    char text[TZ_LENGTHS_TEXT + 256];
    for (unsigned r = 0; r < rules->rule_count;) {
        const tz_rule *rule = &rules->rule[r];
        if (tz_any_used(rules, check->used, &r))
            continue;
        snprintf(
            text, sizeof text,
            "rule \"%s\" is in no derivation with lengths up to %s; if it needs longer ones, give "
            "them by -n",
            rule->name, lengths);
        warn(check, rule->line, rule->column, text);
    }
}

void tz_check_warn(const tz_checking *check) {
    const tz_rules *rules = check->rules;
    const tz_explored *explored = &check->explored;
    char lengths[TZ_LENGTHS_TEXT], text[TZ_LENGTHS_TEXT + 256];
    if (explored->reach < 0 || explored->circles)
        return;
    tz_reached_text(rules, &check->where, explored->reach, lengths, sizeof lengths);
    if (check->most > 0 || explored->derivations > 0) {
        warn_of_rules(check, lengths);
        return;
    }
    snprintf(text, sizeof text,
             "no derivation of the goal with lengths up to %s: mend the rules, or give longer ones "
             "by -n",
             lengths);
    warn(check, rules->goal_line, rules->goal_column, text);
}
