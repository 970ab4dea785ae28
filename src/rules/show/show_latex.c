/* show_latex.c - a rule set as a document for pdflatex. Names and comments may hold anything that a
 * rule file may: specials are escaped, ligatures broken, and characters that the fonts lack are
 * shown by their code. SPDX-License-Identifier: MIT */
#include "rules/show/show.h"

#include <string.h>

#include "base/utf8.h"
#include "rules/polyhedra/form.h"

/* Running text. */
static void prose(FILE *file, const char *text) {
    static const char ligating[] = "-`'?!";
    for (const char *c = text; *c; c++) {
        switch (*c) {
        case '\\':
            fputs("\\textbackslash{}", file);
            break;
        case '~':
            fputs("\\textasciitilde{}", file);
            break;
        case '^':
            fputs("\\textasciicircum{}", file);
            break;
        case '<':
            fputs("\\textless{}", file);
            break;
        case '>':
            fputs("\\textgreater{}", file);
            break;
        case '|':
            fputs("\\textbar{}", file);
            break;
        case '{':
        case '}':
        case '$':
        case '&':
        case '#':
        case '_':
        case '%':
            fprintf(file, "\\%c", *c);
            break;
        default:
            putc(*c, file);
            if (strchr(ligating, *c) && c[1] && strchr(ligating, c[1]))
                fputs("{}", file);
        }
    }
}

/* A name in a formula: one letter as a variable, more as a word. */
static size_t name(FILE *file, const char *text) {
    size_t size = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");
    if (size > 1)
        fputs("\\mathit{", file);
    for (size_t c = 0; c < size; c++)
        fprintf(file, "%s%c", text[c] == '_' ? "\\" : "", text[c]);
    if (size > 1)
        putc('}', file);
    return size;
}

/* Expressions, relations and terms as they stand in a rule file, as formulas; a comma outside
 * brackets ends one formula and begins the next, so that lines can break there. */
static void formula(FILE *file, const char *text) {
    static const struct {
        const char *sign, *latex;
    } relation[] = {{"<=", "\\le"}, {">=", "\\ge"}, {"!=", "\\ne"},
                    {"<", "<"},     {">", ">"},     {"=", "="}};
    unsigned depth = 0;
    putc('$', file);
    while (*text) {
        size_t r = 0;
        while (r < sizeof relation / sizeof *relation &&
               strncmp(text, relation[r].sign, strlen(relation[r].sign)) != 0)
            r++;
        if (r < sizeof relation / sizeof *relation) {
            fprintf(file, "%s ", relation[r].latex);
            text += strlen(relation[r].sign);
            text += *text == ' ';
        } else if ((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') ||
                   *text == '_') {
            text += name(file, text);
        } else {
            depth += *text == '[';
            depth -= *text == ']';
            if (*text == ',' && depth == 0)
                fputs("$, $", file);
            else
                putc(*text, file);
            text++;
        }
    }
    putc('$', file);
}

static void term(const tz_rules *rules, const tz_term *term, const char *const *column_name,
                 FILE *file) {
    char text[TZ_TERM_TEXT];
    tz_term_text(rules, term, column_name, text);
    formula(file, text);
}

/* \Known{CHARACTER}{CODE} for every character beyond ASCII, again for each time it occurs. */
static void unusual(FILE *file, const char *text) {
    size_t size = strlen(text);
    while (size > 0) {
        uint32_t code = 0;
        unsigned bytes = tz_utf8_decode(text, size, &code);
        if (bytes > 1)
            fprintf(file, "\\Known{%.*s}{%04lX}\n", (int)bytes, text, (unsigned long)code);
        text += bytes ? bytes : 1;
        size -= bytes ? bytes : 1;
    }
}

static void preamble(const tz_rules *rules, FILE *file) {
    fputs("\\documentclass{article}\n"
          "\\usepackage[utf8]{inputenc}\n"
          "\\usepackage{amsmath}\n"
          "\\usepackage[margin=25mm]{geometry}\n"
          "% premises, conclusion, what stands right of the bar\n"
          "\\newcommand{\\infer}[3]{\\[\\dfrac{\\;#1\\;}{\\;#2\\;}\\quad\\text{#3}\\]}\n"
          "% a character: by its code where the fonts lack it\n"
          "\\newcommand{\\Known}[2]{\\ifcsname u8:\\detokenize{#1}\\endcsname\\else\n"
          "  \\DeclareUnicodeCharacter{#2}{[U+#2]}\\fi}\n"
          "\\setlength{\\parindent}{0pt}\n",
          file);
    unusual(file, rules->comment);
    for (uint32_t c = 0; c < rules->cites; c++)
        unusual(file, rules->cite[c]);
    unsigned weights;
    const tz_weight *declared = tz_declared_weights(rules, &weights);
    for (unsigned w = 0; w < weights; w++)
        unusual(file, declared[w].comment);
    for (unsigned i = 0; i < rules->inputs; i++)
        unusual(file, rules->input[i].comment);
    for (unsigned i = 0; i < rules->labelled; i++) {
        unusual(file, rules->labels[i].comment);
        for (unsigned n = 0; n < rules->labels[i].names; n++)
            unusual(file, rules->labels[i].name[n]);
    }
    for (unsigned i = 0; i < rules->items; i++)
        unusual(file, rules->item[i].comment);
    for (unsigned i = 0; i < rules->relations; i++)
        unusual(file, rules->relation[i].comment);
}

static void declaration(FILE *file, const char *name, const char *const *index_name, unsigned rank,
                        const char *kind, const char *domain, const char *comment) {
    char text[TZ_TERM_TEXT];
    tz_declared_text(name, index_name, rank, text);
    fputs("\\item ", file);
    formula(file, text);
    fputs(kind, file);
    if (domain[0]) {
        fputs(", ", file);
        formula(file, domain);
    }
    if (comment[0]) {
        fputs(": ", file);
        prose(file, comment);
    }
    putc('\n', file);
}

static void resources(const tz_rules *rules, FILE *file) {
    char text[TZ_TERM_TEXT];
    fputs("\\subsection*{Resources}\n\\begin{itemize}\n", file);
    unsigned weights, charges;
    const tz_weight *declared = tz_declared_weights(rules, &weights);
    const tz_charge *charge = tz_declared_charges(rules, &charges);
    for (const tz_charge *end = charge + charges; charge < end; charge++) {
        const tz_weight *weight = &declared[charge->weight];
        fputs("\\item ", file);
        formula(file, rules->resource[charge->resource].name);
        fputs(": ", file);
        tz_declared_text(weight->name, weight->index_name, weight->rank, text);
        formula(file, text);
        fputs(" uses ", file);
        tz_form_text(&charge->amount, rules->length_name, weight->index_name, text, sizeof text);
        formula(file, text);
        putc('\n', file);
    }
    for (unsigned r = 0; r < rules->resources; r++) {
        const tz_resource *resource = &rules->resource[r];
        if (resource->other < 0)
            continue;
        fputs("\\item ", file);
        formula(file, resource->name);
        fputs(" $=$ ", file);
        tz_form_text(&resource->total, rules->length_name, NULL, text, sizeof text);
        formula(file, text);
        fputs(" $-$ ", file);
        formula(file, rules->resource[resource->other].name);
        fputs(" in every derivation\n", file);
    }
    fputs("\\end{itemize}\n", file);
}

static void inputs(const tz_rules *rules, FILE *file) {
    char text[TZ_TERM_TEXT];
    fputs("\\subsection*{Inputs}\n\\begin{itemize}\\raggedright\n", file);
    for (unsigned i = 0; i < rules->inputs; i++) {
        const tz_rules_input *input = &rules->input[i];
        fputs("\\item ", file);
        tz_input_text(rules, input, text);
        formula(file, text);
        fputs(input->domain_text[0] ? ", " : "", file);
        if (input->domain_text[0])
            formula(file, input->domain_text);
        fputs(input->comment[0] ? ": " : "", file);
        prose(file, input->comment);
        putc('\n', file);
    }
    fputs("\\end{itemize}\n", file);
}

/* What the values of a length are called. */
static void labels(const tz_rules *rules, const tz_rules_labels *labels, FILE *file) {
    fputs("\n\\item Names of ", file);
    formula(file, rules->length_name[labels->length]);
    for (unsigned n = 0; n < labels->names; n++) {
        fputs(n ? ", " : ": ", file);
        prose(file, labels->name[n]);
    }
    fputs(labels->comment[0] ? ": " : "", file);
    prose(file, labels->comment);
}

static void closures(const tz_rules *rules, FILE *file) {
    const char *separator = "\\item Solved for, where they need one another: ";
    for (unsigned i = 0; i < rules->items; i++) {
        if (!rules->item[i].closure)
            continue;
        fputs(separator, file);
        formula(file, rules->item[i].name);
        separator = ", ";
    }
    if (tz_has_closures(rules))
        putc('\n', file);
}

static void header(const tz_rules *rules, FILE *file) {
    fputs("\\section*{", file);
    prose(file, rules->name);
    fputs("}\n", file);
    prose(file, rules->comment);
    fputs("\n\n\\begin{itemize}\n", file);
    for (uint32_t c = 0; c < rules->cites; c++) {
        fputs("\\item{} ", file); /* a bracket behind \item would belong to it */
        prose(file, rules->cite[c]);
        putc('\n', file);
    }
    fputs("\\item Lengths", file);
    for (unsigned l = 0; l < rules->lengths; l++) {
        fputs(l ? ", " : " ", file);
        formula(file, rules->length_name[l]);
    }
    for (unsigned i = 0; i < rules->labelled; i++)
        labels(rules, &rules->labels[i], file);
    if (rules->counts > 0) {
        fputs("\n\\item Structures for length 1, 2, \\dots:", file);
        for (uint32_t c = 0; c < rules->counts; c++)
            fprintf(file, " %.0f", rules->count[c]);
    }
    if (rules->ambiguous)
        fputs("\n\\item Ambiguous: some structure has several derivations", file);
    if (rules->derivations)
        fputs("\n\\item Every derivation is a structure of its own", file);
    fputs("\n\\end{itemize}\n", file);

    if (rules->inputs > 0)
        inputs(rules, file);
    unsigned weights;
    const tz_weight *declared = tz_declared_weights(rules, &weights);
    if (weights > 0) {
        fputs("\\subsection*{Weights}\n\\begin{itemize}\\raggedright\n", file);
        for (unsigned w = 0; w < weights; w++) {
            const tz_weight *weight = &declared[w];
            declaration(file, weight->name, weight->index_name, weight->rank,
                        weight->sparse ? " (sparse)" : "", weight->domain_text, weight->comment);
        }
        fputs("\\end{itemize}\n", file);
    }
    if (rules->relations > 0) {
        fputs("\\subsection*{Relations}\n\\begin{itemize}\\raggedright\n", file);
        for (unsigned i = 0; i < rules->relations; i++) {
            const tz_listed *relation = &rules->relation[i];
            declaration(file, relation->name, relation->index_name, relation->rank, "", "",
                        relation->comment);
            fputs("\\\\ holds for ", file);
            formula(file, relation->tuples_text);
            putc('\n', file);
        }
        fputs("\\end{itemize}\n", file);
    }
    fputs("\\subsection*{Items}\n\\begin{itemize}\\raggedright\n", file);
    for (unsigned i = 0; i < rules->items; i++) {
        const tz_item *item = &rules->item[i];
        declaration(file, item->name, item->index_name, item->rank, "", item->domain_text,
                    item->comment);
    }
    closures(rules, file);
    fputs("\\item Goal: ", file);
    term(rules, &rules->goal, NULL, file);
    fputs("\n\\end{itemize}\n", file);
    if (rules->resources > 0)
        resources(rules, file);
}

/* \text makes formulas of the terms possible inside the figure. */
static void figure(const tz_rules *rules, const tz_rule *rule, FILE *file) {
    fputs("\\infer{", file);
    const unsigned premises = (unsigned)rule->premises + rule->sides;
    for (unsigned p = 0; p < premises; p++) {
        const bool side = p >= rule->premises;
        fputs(p ? "\\quad\\text{" : "\\text{", file);
        fputs(side ? "[" : "", file);
        term(rules, side ? &rule->side[p - rule->premises] : &rule->premise[p], rule->variable_name,
             file);
        fputs(side ? "]}" : "}", file);
    }
    fputs(premises ? "}{\\text{" : "\\mathstrut}{\\text{", file);
    term(rules, &rule->conclusion, rule->variable_name, file);
    fputs("}}{\\textsf{", file);
    prose(file, rule->name);
    putc('}', file);
    for (unsigned w = 0; w < rule->weights; w++) {
        fputs(" $\\times$ ", file);
        term(rules, &rule->weight[w], rule->variable_name, file);
    }
    if (rule->condition_text[0]) {
        fputs(" if ", file);
        formula(file, rule->condition_text);
    }
    fputs("}\n", file);
}

tz_status tz_show_latex(const tz_rules *rules, FILE *file) {
    preamble(rules, file);
    fputs("\n\\begin{document}\n", file);
    header(rules, file);
    fputs("\\subsection*{Rules}\n", file);
    unsigned count;
    const tz_rule *rule = tz_rules_written(rules, &count);
    for (unsigned r = 0; r < count; r++)
        figure(rules, &rule[r], file);
    fputs("\\end{document}\n", file);
    return TZ_OK;
}
