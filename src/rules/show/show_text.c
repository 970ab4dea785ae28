/* show_text.c - a rule set as text: the header, and inference figures as papers print them. The
 * reader takes it for a rule file.
 * SPDX-License-Identifier: MIT */
#include "rules/show/show.h"

#include "rules/show/notation.h"

static void closures(const tz_rules *rules, FILE *file) {
    const char *separator = "closure    ";
    for (unsigned i = 0; i < rules->items; i++) {
        if (!rules->item[i].closure)
            continue;
        fprintf(file, "%s%s", separator, rules->item[i].name);
        separator = ", ";
    }
    if (tz_has_closures(rules))
        putc('\n', file);
}

static void header(const tz_notation *to) {
    const tz_rules *rules = to->rules;
    char text[TZ_TERM_TEXT];
    tz_put_title(to, rules->name, "");
    tz_put_claims(to, true);
    tz_put_lengths(to, NULL);
    tz_put_declarations(to);
    tz_put_items(to);
    closures(rules, to->file);
    tz_put_keyword(to, "goal");
    tz_term_text(rules, &rules->goal, NULL, text);
    tz_put(to, text);
    tz_put(to, "\n");
    tz_put_resources(to);
}

tz_status tz_show_text(const tz_rules *rules, FILE *file) {
    tz_text failed = {0};
    const tz_notation to = {.rules = rules, .file = file, .text = &failed, .columns = true};
    tz_figure figure = {0};
    unsigned count;
    const tz_rule *rule = tz_rules_written(rules, &count);
    header(&to);
    for (unsigned r = 0; r < count; r++)
        tz_put_rule(&to, rules, &rule[r], rule[r].name, &figure);
    tz_figure_free(&figure);
    return failed.failed ? TZ_NO_MEMORY : TZ_OK;
}
