/* show_text.c - a rule set as text: the header, and inference figures as papers print them. The
 * reader takes it for a rule file.
 * SPDX-License-Identifier: MIT */
#include "rules/show/show.h"

#include <string.h>

#include "rules/polyhedra/form.h"

enum { INDENT = 4, LABEL = 11 };

static void spaces(FILE *file, size_t count) {
    fprintf(file, "%*s", (int)count, "");
}

/* What a header line begins with. */
static void label(FILE *file, const char *name) {
    fprintf(file, "%-*s", LABEL, name);
}

/* A declaration, its domain and its comment, in columns. */
static void declaration(FILE *file, const char *term, size_t width, const char *domain,
                        size_t domain_width, const char *comment) {
    fprintf(file, "%s", term);
    if (domain_width > 0 && (domain[0] || comment[0])) {
        spaces(file, width + 2 - strlen(term));
        fprintf(file, "%s", domain);
    }
    if (comment[0]) {
        spaces(file, (domain_width > 0 ? domain_width - strlen(domain) : width - strlen(term)) + 2);
        fprintf(file, "# %s", comment);
    }
    putc('\n', file);
}

static size_t longer(size_t a, size_t b) {
    return a > b ? a : b;
}

static void names(const tz_rules *rules, FILE *file) {
    for (unsigned i = 0; i < rules->labelled; i++) {
        const tz_rules_labels *labels = &rules->labels[i];
        label(file, "names");
        fprintf(file, "%s ", rules->length_name[labels->length]);
        for (unsigned n = 0; n < labels->names; n++)
            fprintf(file, " %s", labels->name[n]);
        fprintf(file, "%s%s\n", labels->comment[0] ? "  # " : "", labels->comment);
    }
}

static void inputs(const tz_rules *rules, FILE *file) {
    char term[TZ_TERM_TEXT];
    size_t width = 0, domain = 0;
    for (unsigned i = 0; i < rules->inputs; i++) {
        width = longer(width, tz_input_text(rules, &rules->input[i], term));
        domain = longer(domain, strlen(rules->input[i].domain_text));
    }
    for (unsigned i = 0; i < rules->inputs; i++) {
        const tz_rules_input *input = &rules->input[i];
        tz_input_text(rules, input, term);
        label(file, "input");
        declaration(file, term, width, input->domain_text, domain, input->comment);
    }
}

static void weights(const tz_rules *rules, FILE *file) {
    char term[TZ_TERM_TEXT];
    size_t width = 0, domain = 0;
    unsigned count;
    const tz_weight *declared = tz_declared_weights(rules, &count);
    for (unsigned w = 0; w < count; w++) {
        const tz_weight *weight = &declared[w];
        width =
            longer(width, tz_declared_text(weight->name, weight->index_name, weight->rank, term) +
                              (weight->sparse ? strlen(" sparse") : 0));
        domain = longer(domain, strlen(weight->domain_text));
    }
    for (unsigned w = 0; w < count; w++) {
        const tz_weight *weight = &declared[w];
        size_t size = tz_declared_text(weight->name, weight->index_name, weight->rank, term);
        if (weight->sparse)
            snprintf(term + size, sizeof term - size, " sparse");
        label(file, "weight");
        declaration(file, term, width, weight->domain_text, domain, weight->comment);
    }
}

static void relations(const tz_rules *rules, FILE *file) {
    char term[TZ_TERM_TEXT];
    size_t width = 0, tuples = 0;
    for (unsigned i = 0; i < rules->relations; i++) {
        const tz_listed *relation = &rules->relation[i];
        width = longer(
            width, tz_declared_text(relation->name, relation->index_name, relation->rank, term));
        tuples = longer(tuples, strlen(relation->tuples_text));
    }
    for (unsigned i = 0; i < rules->relations; i++) {
        const tz_listed *relation = &rules->relation[i];
        tz_declared_text(relation->name, relation->index_name, relation->rank, term);
        label(file, "relation");
        declaration(file, term, width, relation->tuples_text, tuples, relation->comment);
    }
}

static void items(const tz_rules *rules, FILE *file) {
    char term[TZ_TERM_TEXT];
    size_t width = 0, domain = 0;
    for (unsigned i = 0; i < rules->items; i++) {
        const tz_item *item = &rules->item[i];
        width = longer(width, tz_declared_text(item->name, item->index_name, item->rank, term));
        domain = longer(domain, strlen(item->domain_text));
    }
    for (unsigned i = 0; i < rules->items; i++) {
        const tz_item *item = &rules->item[i];
        tz_declared_text(item->name, item->index_name, item->rank, term);
        label(file, "item");
        declaration(file, term, width, item->domain_text, domain, item->comment);
    }
}

static void resources(const tz_rules *rules, FILE *file) {
    char text[TZ_TERM_TEXT];
    unsigned weights, charges;
    const tz_weight *declared = tz_declared_weights(rules, &weights);
    const tz_charge *charge = tz_declared_charges(rules, &charges);
    for (const tz_charge *end = charge + charges; charge < end; charge++) {
        const tz_weight *weight = &declared[charge->weight];
        label(file, "resource");
        tz_declared_text(weight->name, weight->index_name, weight->rank, text);
        fprintf(file, "%s %s ", rules->resource[charge->resource].name, text);
        tz_form_notation(&charge->amount, rules->length_name, weight->index_name, text,
                         sizeof text);
        fprintf(file, "%s\n", text);
    }
    for (unsigned r = 0; r < rules->resources; r++) {
        const tz_resource *resource = &rules->resource[r];
        if (resource->other < 0)
            continue;
        label(file, "resource");
        tz_form_notation(&resource->total, rules->length_name, NULL, text, sizeof text);
        fprintf(file, "%s = %s - %s\n", resource->name, text,
                rules->resource[resource->other].name);
    }
}

static void comment(const tz_rules *rules, FILE *file) {
    for (const char *line = rules->comment; *line != '\0';) {
        size_t size = strcspn(line, "\n");
        fprintf(file, "#%s%.*s\n", size > 0 ? " " : "", (int)size, line);
        line += size + (line[size] == '\n');
    }
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
    char text[TZ_TERM_TEXT];
    comment(rules, file);
    label(file, "rules");
    fprintf(file, "%s\n", rules->name);
    for (uint32_t c = 0; c < rules->cites; c++) {
        label(file, "cite");
        fprintf(file, "%s\n", rules->cite[c]);
    }
    for (uint32_t c = 0; c < rules->counts; c++)
        fprintf(file, "%s%.0f%s", c == 0 ? "count      " : " ", rules->count[c],
                c + 1 < rules->counts ? "" : "\n");
    if (rules->ambiguous)
        fputs("ambiguous\n", file);
    if (rules->derivations)
        fputs("structures derivations\n", file);
    for (unsigned l = 0; l < rules->lengths; l++)
        fprintf(file, "%s%s%s", l == 0 ? "length     " : ", ", rules->length_name[l],
                l + 1u < rules->lengths ? "" : "\n");
    names(rules, file);
    inputs(rules, file);
    weights(rules, file);
    relations(rules, file);
    items(rules, file);
    closures(rules, file);
    label(file, "goal");
    tz_term_text(rules, &rules->goal, NULL, text);
    fprintf(file, "%s\n", text);
    resources(rules, file);
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
