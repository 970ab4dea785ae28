/* notation.c - the header of a rule file. SPDX-License-Identifier: MIT */
#include "rules/show/notation.h"

#include <string.h>

#include "rules/polyhedra/form.h"
#include "rules/read/read.h"
#include "rules/show/show.h"

static void put_bytes(const tz_notation *to, const char *bytes, size_t size) {
    if (to->file != NULL && size > 0)
        fwrite(bytes, 1, size, to->file);
    else if (to->text != NULL)
        tz_text_add(to->text, bytes, size);
}

void tz_put(const tz_notation *to, const char *text) {
    put_bytes(to, text, strlen(text));
}

static void put_spaces(const tz_notation *to, size_t count) {
    while (count-- > 0)
        tz_put(to, " ");
}

void tz_put_keyword(const tz_notation *to, const char *keyword) {
    size_t size = strlen(keyword), width = to->columns ? 10 : 7;
    tz_put(to, keyword);
    put_spaces(to, (size < width ? width - size : 0) + 1);
}

/* ---- What the rule set is -------------------------------------------------------------------- */

void tz_put_title(const tz_notation *to, const char *name, const char *end) {
    const size_t most = TZ_MAX_NAME - strlen(end), size = strlen(name);
    for (const char *line = to->rules->comment; *line != '\0';) {
        size_t bytes = strcspn(line, "\n");
        tz_put(to, bytes > 0 ? "# " : "#");
        put_bytes(to, line, bytes);
        tz_put(to, "\n");
        line += bytes + (line[bytes] == '\n');
    }
    tz_put_keyword(to, "rules");
    put_bytes(to, name, size < most ? size : most);
    tz_put(to, end);
    tz_put(to, "\n");
}

void tz_put_claims(const tz_notation *to, bool counts) {
    const tz_rules *rules = to->rules;
    char number[320];
    for (uint32_t c = 0; c < rules->cites; c++) {
        tz_put_keyword(to, "cite");
        tz_put(to, rules->cite[c]);
        tz_put(to, "\n");
    }
    for (uint32_t c = 0; counts && c < rules->counts; c++) {
        if (c == 0)
            tz_put_keyword(to, "count");
        snprintf(number, sizeof number, c == 0 ? "%.0f" : " %.0f", rules->count[c]);
        tz_put(to, number);
        tz_put(to, c + 1 < rules->counts ? "" : "\n");
    }
    tz_put(to, rules->ambiguous ? "ambiguous\n" : "");
    tz_put(to, rules->derivations ? "structures derivations\n" : "");
}

void tz_put_lengths(const tz_notation *to, const char *opt_more) {
    const unsigned lengths = to->rules->lengths, all = lengths + (opt_more != NULL);
    for (unsigned l = 0; l < all; l++) {
        if (l == 0)
            tz_put_keyword(to, "length");
        tz_put(to, l == 0 ? "" : ", ");
        tz_put(to, l < lengths ? to->rules->length_name[l] : opt_more);
    }
    tz_put(to, all > 0 ? "\n" : "");
}

/* ---- Declarations ---------------------------------------------------------------------------- */

void tz_put_comment(const tz_notation *to, size_t size, const char *comment) {
    if (comment[0] == '\0' || size + strlen(comment) + 4 > TZ_MAX_LINE)
        return;
    tz_put(to, "  # ");
    tz_put(to, comment);
}

/* A line's parts behind its keyword. */
typedef struct declaration {
    char term[TZ_TERM_TEXT];
    const char *after, *comment;
} declaration;

static declaration declared(const char *name, const char *const *index_name, unsigned rank,
                            const char *after, const char *comment) {
    declaration d = {.after = after, .comment = comment};
    tz_declared_text(name, index_name, rank, d.term);
    return d;
}

static declaration input(const tz_notation *to, unsigned which) {
    const tz_rules_input *in = &to->rules->input[which];
    declaration d = {.after = in->domain_text, .comment = in->comment};
    tz_input_text(to->rules, in, d.term);
    return d;
}

static declaration weight(const tz_notation *to, unsigned which) {
    unsigned count;
    const tz_weight *w = &tz_declared_weights(to->rules, &count)[which];
    declaration d = declared(w->name, w->index_name, w->rank, w->domain_text, w->comment);
    size_t size = strlen(d.term);
    if (w->sparse)
        snprintf(d.term + size, sizeof d.term - size, to->columns ? " sparse" : "  sparse");
    return d;
}

static declaration relation(const tz_notation *to, unsigned which) {
    const tz_listed *r = &to->rules->relation[which];
    return declared(r->name, r->index_name, r->rank, r->tuples_text, r->comment);
}

static declaration item(const tz_notation *to, unsigned which) {
    const tz_item *i = &to->rules->item[which];
    return declared(i->name, i->index_name, i->rank, i->domain_text, i->comment);
}

static size_t longer(size_t a, size_t b) {
    return a > b ? a : b;
}

/* The lines of one keyword: in columns, or with so many blanks between their parts. */
static void put_lines(const tz_notation *to, const char *keyword, unsigned count,
                      declaration (*get)(const tz_notation *to, unsigned which), unsigned between) {
    size_t width = 0, after = 0;
    for (unsigned i = 0; i < count && to->columns; i++) {
        declaration d = get(to, i);
        width = longer(width, strlen(d.term));
        after = longer(after, strlen(d.after));
    }
    for (unsigned i = 0; i < count; i++) {
        declaration d = get(to, i);
        const size_t term = strlen(d.term), rest = strlen(d.after);
        const bool comes = after > 0 && d.comment[0] != '\0';
        tz_put_keyword(to, keyword);
        tz_put(to, d.term);
        if (rest > 0 || comes)
            put_spaces(to, to->columns ? width + 2 - term : between);
        tz_put(to, d.after);
        if (to->columns && d.comment[0] != '\0')
            put_spaces(to, after > 0 ? after - rest : width - term);
        tz_put_comment(to, 8 + longer(width, term) + between + longer(after, rest), d.comment);
        tz_put(to, "\n");
    }
}

static void put_names(const tz_notation *to) {
    for (unsigned i = 0; i < to->rules->labelled; i++) {
        const tz_rules_labels *labels = &to->rules->labels[i];
        const char *length = to->rules->length_name[labels->length];
        size_t size = 8 + strlen(length);
        tz_put_keyword(to, "names");
        tz_put(to, length);
        tz_put(to, to->columns ? " " : "");
        for (unsigned n = 0; n < labels->names; n++) {
            tz_put(to, " ");
            tz_put(to, labels->name[n]);
            size += 1 + strlen(labels->name[n]);
        }
        tz_put_comment(to, size, labels->comment);
        tz_put(to, "\n");
    }
}

void tz_put_declarations(const tz_notation *to) {
    unsigned weights;
    tz_declared_weights(to->rules, &weights);
    put_names(to);
    put_lines(to, "input", to->rules->inputs, input, 2);
    put_lines(to, "weight", weights, weight, 2);
    put_lines(to, "relation", to->rules->relations, relation, 1);
}

void tz_put_items(const tz_notation *to) {
    put_lines(to, "item", to->rules->items, item, 2);
}

/* ---- Resources ------------------------------------------------------------------------------- */

static void put_form(const tz_notation *to, const tz_form *form, const char *const *column_name) {
    char text[TZ_TERM_TEXT];
    tz_form_notation(form, to->rules->length_name, column_name, text, sizeof text);
    tz_put(to, text);
}

void tz_put_resources(const tz_notation *to) {
    const tz_rules *rules = to->rules;
    char text[TZ_TERM_TEXT];
    unsigned weights, charges;
    const tz_weight *all = tz_declared_weights(rules, &weights);
    const tz_charge *charge = tz_declared_charges(rules, &charges);
    for (const tz_charge *end = charge + charges; charge < end; charge++) {
        const tz_weight *w = &all[charge->weight];
        tz_put_keyword(to, "resource");
        tz_put(to, rules->resource[charge->resource].name);
        tz_put(to, " ");
        tz_declared_text(w->name, w->index_name, w->rank, text);
        tz_put(to, text);
        tz_put(to, " ");
        put_form(to, &charge->amount, w->index_name);
        tz_put(to, "\n");
    }
    for (unsigned r = 0; r < rules->resources; r++) {
        const tz_resource *resource = &rules->resource[r];
        if (resource->other < 0)
            continue;
        tz_put_keyword(to, "resource");
        tz_put(to, resource->name);
        tz_put(to, " = ");
        put_form(to, &resource->total, NULL);
        tz_put(to, " - ");
        tz_put(to, rules->resource[resource->other].name);
        tz_put(to, "\n");
    }
}

/* ---- Rules ----------------------------------------------------------------------------------- */

enum { INDENT = 4, SHORTEST = 3, LONGEST = 200 };

void tz_figure_premise(tz_figure *f, const char *text) {
    tz_text_put(&f->above, f->above.size > 0 ? "  " : "");
    tz_text_put(&f->above, text);
}

void tz_figure_side(tz_figure *f, const char *text) {
    tz_figure_premise(f, "[");
    tz_text_put(&f->above, text);
    tz_text_put(&f->above, "]");
}

void tz_figure_weight(tz_figure *f, const tz_notation *to, const char *text) {
    tz_text_put(&f->beside, f->beside.size > 0 ? " " : "  ");
    tz_text_put(&f->beside, to->columns ? "× " : "* ");
    tz_text_put(&f->beside, text);
}

/* In columns in the middle of the line. */
static void put_middle(const tz_notation *to, size_t width, const tz_text *text) {
    put_spaces(to, INDENT + (to->columns ? (width - text->size) / 2 : 0));
    put_bytes(to, text->data, text->size);
    tz_put(to, "\n");
}

void tz_put_figure(const tz_notation *to, tz_figure *f, const char *note, const char *name) {
    if (f->above.size == 0)
        tz_text_put(&f->above, "axiom");
    size_t width = longer(longer(f->above.size, f->below.size), SHORTEST);
    tz_put(to, "\n");
    if (note[0] != '\0') {
        put_spaces(to, INDENT);
        tz_put(to, "# ");
        tz_put(to, note);
        tz_put(to, "\n");
    }
    put_middle(to, width, &f->above);
    put_spaces(to, INDENT);
    for (size_t c = 0; c < width && (to->columns || c < LONGEST); c++)
        tz_put(to, to->columns ? "─" : "-");
    tz_put(to, " ");
    tz_put(to, name);
    put_bytes(to, f->beside.data, f->beside.size);
    tz_put(to, "\n");
    put_middle(to, width, &f->below);
    if (to->text != NULL)
        to->text->failed |= f->above.failed || f->beside.failed || f->below.failed;
    tz_text_clear(&f->above);
    tz_text_clear(&f->beside);
    tz_text_clear(&f->below);
}

void tz_put_rule(const tz_notation *to, const tz_rules *rules, const tz_rule *rule,
                 const char *name, tz_figure *f) {
    char text[TZ_TERM_TEXT];
    for (unsigned p = 0; p < rule->premises; p++) {
        tz_term_text(rules, &rule->premise[p], rule->variable_name, text);
        tz_figure_premise(f, text);
    }
    for (unsigned s = 0; s < rule->sides; s++) {
        tz_term_text(rules, &rule->side[s], rule->variable_name, text);
        tz_figure_side(f, text);
    }
    for (unsigned w = 0; w < rule->weights; w++) {
        tz_term_text(rules, &rule->weight[w], rule->variable_name, text);
        tz_figure_weight(f, to, text);
    }
    tz_text_put(&f->beside, rule->condition_text[0] != '\0' ? "  if " : "");
    tz_text_put(&f->beside, rule->condition_text);
    tz_term_text(rules, &rule->conclusion, rule->variable_name, text);
    tz_text_put(&f->below, text);
    tz_put_figure(to, f, "", name);
}

void tz_figure_free(tz_figure *f) {
    tz_text_free(&f->above);
    tz_text_free(&f->beside);
    tz_text_free(&f->below);
}
