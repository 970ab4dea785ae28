/* show_text.c - a rule set as text: the header, and inference figures as papers print them. The
 * reader takes it for a rule file.
 * SPDX-License-Identifier: MIT */
#include "rules/show/show.h"

#include <string.h>

#include "rules/show/notation.h"

enum { INDENT = 4 };

static void spaces(FILE *file, size_t count) {
    fprintf(file, "%*s", (int)count, "");
}

static size_t longer(size_t a, size_t b) {
    return a > b ? a : b;
}

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

static void header(const tz_rules *rules, FILE *file) {
    const tz_notation to = {.rules = rules, .file = file, .columns = true};
    char text[TZ_TERM_TEXT];
    tz_put_title(&to, rules->name, "");
    tz_put_claims(&to, true);
    tz_put_lengths(&to, NULL);
    tz_put_declarations(&to);
    tz_put_items(&to);
    closures(rules, file);
    tz_put_keyword(&to, "goal");
    tz_term_text(rules, &rules->goal, NULL, text);
    fprintf(file, "%s\n", text);
    tz_put_resources(&to);
}

/* Premise p, those in brackets after the others; returns its width. */
static size_t premise(const tz_rules *rules, const tz_rule *rule, unsigned p, char *ret_text) {
    if (p < rule->premises)
        return tz_term_text(rules, &rule->premise[p], rule->variable_name, ret_text);
    ret_text[0] = '[';
    size_t width =
        2 + tz_term_text(rules, &rule->side[p - rule->premises], rule->variable_name, ret_text + 1);
    strcat(ret_text, "]");
    return width;
}

static void figure(const tz_rules *rules, const tz_rule *rule, FILE *file) {
    char text[TZ_TERM_TEXT + 2];
    size_t above = 0, below = tz_term_text(rules, &rule->conclusion, rule->variable_name, text);
    const unsigned premises = (unsigned)rule->premises + rule->sides;
    for (unsigned p = 0; p < premises; p++)
        above += premise(rules, rule, p, text) + (p ? 2 : 0);
    if (premises == 0)
        above = strlen("axiom");
    size_t width = longer(longer(above, below), 3);

    spaces(file, INDENT + (width - above) / 2);
    for (unsigned p = 0; p < premises; p++) {
        premise(rules, rule, p, text);
        fprintf(file, "%s%s", p ? "  " : "", text);
    }
    fputs(premises == 0 ? "axiom\n" : "\n", file);
    spaces(file, INDENT);
    for (size_t c = 0; c < width; c++)
        fputs("─", file);
    fprintf(file, " %s", rule->name);
    for (unsigned w = 0; w < rule->weights; w++) {
        tz_term_text(rules, &rule->weight[w], rule->variable_name, text);
        fprintf(file, "%s× %s", w ? " " : "  ", text);
    }
    if (rule->condition_text[0])
        fprintf(file, "  if %s", rule->condition_text);
    putc('\n', file);
    tz_term_text(rules, &rule->conclusion, rule->variable_name, text);
    spaces(file, INDENT + (width - below) / 2);
    fprintf(file, "%s\n", text);
}

void tz_show_text(const tz_rules *rules, FILE *file) {
    header(rules, file);
    unsigned count;
    const tz_rule *rule = tz_rules_written(rules, &count);
    for (unsigned r = 0; r < count; r++) {
        putc('\n', file);
        figure(rules, &rule[r], file);
    }
}
