/* show_dot.c - the shape of derivations as a Graphviz graph: an ellipse for every kind of item, a
 * box for every rule, an edge from each premise and one to the conclusion, which bear the indices;
 * those of side conditions are dashed. SPDX-License-Identifier: MIT */
#include "rules/show/show.h"

#include <string.h>

/* A quoted string of Graphviz, without its end. */
static void quoted(FILE *file, const char *text) {
    putc('"', file);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putc('\\', file);
        putc(*text, file);
    }
}

/* "[i,k+1]" of "rtri[i,k+1]". */
static void edge_label(const tz_rules *rules, const tz_rule *rule, const tz_term *term,
                       FILE *file) {
    char text[TZ_TERM_TEXT];
    tz_term_text(rules, term, rule->variable_name, text);
    const char *indices = strchr(text, '[');
    quoted(file, indices ? indices : "");
    putc('"', file);
}

static void one_rule(const tz_rules *rules, const tz_rule *rule, unsigned number, FILE *file) {
    char text[TZ_TERM_TEXT];
    fprintf(file, "    rule%u [shape=box, label=", number);
    quoted(file, rule->name);
    for (unsigned w = 0; w < rule->weights; w++) {
        tz_term_text(rules, &rule->weight[w], rule->variable_name, text);
        fprintf(file, "\\n× %s", text);
    }
    if (rule->condition_text[0])
        fprintf(file, "\\nif %s", rule->condition_text);
    fputs("\"]\n", file);
    for (unsigned p = 0; p < rule->premises; p++) {
        fprintf(file, "    item%u -> rule%u [label=", rule->premise[p].which, number);
        edge_label(rules, rule, &rule->premise[p], file);
        fputs(", arrowhead=none]\n", file);
    }
    for (unsigned s = 0; s < rule->sides; s++) {
        fprintf(file, "    item%u -> rule%u [label=", rule->side[s].which, number);
        edge_label(rules, rule, &rule->side[s], file);
        fputs(", arrowhead=none, style=dashed]\n", file);
    }
    fprintf(file, "    rule%u -> item%u [label=", number, rule->conclusion.which);
    edge_label(rules, rule, &rule->conclusion, file);
    fputs("]\n", file);
}

tz_status tz_show_dot(const tz_rules *rules, FILE *file) {
    fputs("digraph ", file);
    quoted(file, rules->name);
    fputs("\" {\n    rankdir=BT\n    node [fontname=\"sans-serif\"]\n"
          "    edge [fontname=\"sans-serif\", fontsize=10]\n",
          file);
    for (unsigned i = 0; i < rules->items; i++) {
        char text[TZ_TERM_TEXT];
        const tz_item *item = &rules->item[i];
        tz_declared_text(item->name, item->index_name, item->rank, text);
        fprintf(file, "    item%u [shape=ellipse%s, label=", i,
                i == rules->goal.which ? ", peripheries=2" : "");
        quoted(file, text);
        fputs("\"]\n", file);
    }
    unsigned count;
    const tz_rule *rule = tz_rules_written(rules, &count);
    for (unsigned r = 0; r < count; r++)
        one_rule(rules, &rule[r], r, file);
    fputs("}\n", file);
    return TZ_OK;
}
