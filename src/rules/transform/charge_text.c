/* charge_text.c - the lines of a charged rule set: those of the rule set with amounts added.
 * SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "rules/polyhedra/form.h"
#include "rules/show/show.h"
#include "rules/transform/charge.h"

void tz_charge_refuse(tz_charging *w, tz_status status, const char *format, ...) {
    char what[768];
    va_list arguments;
    if (w->status != TZ_OK)
        return;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    w->status = tz_fail(w->opt_error, status, "%s: %s", w->rules->name, what);
}

static void put(tz_charging *w, const char *text) {
    tz_text_put(w->to, text);
}

/* ---- Expressions ----------------------------------------------------------------------------- */

typedef const char *const *names;

/* Room for a letter and a number. */
enum { NAME = 24 };

/* factor times name, as "+n+n"; the first of an expression without "+". */
static void put_times(tz_charging *w, int factor, const char *name, bool *first) {
    for (; factor != 0; factor += factor < 0 ? 1 : -1) {
        put(w, factor < 0 ? "-" : *first ? "" : "+");
        put(w, name);
        *first = false;
    }
}

static void put_constant(tz_charging *w, int32_t constant, bool first) {
    char text[16];
    if (constant == 0 && !first)
        return;
    snprintf(text, sizeof text, first ? "%ld" : "%+ld", (long)constant);
    put(w, text);
}

/* What the notation allows of a form: each column at most once. Positive terms come first. */
static void put_form_after(tz_charging *w, const tz_form *form, names column_name, bool first) {
    for (int sign = 1; sign >= -1; sign -= 2) {
        for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
            if (form->length[l] * sign > 0)
                put_times(w, form->length[l], w->rules->length_name[l], &first);
        for (unsigned c = 0; c < TZ_MAX_COLUMNS; c++)
            if (form->column[c] * sign > 0)
                put_times(w, sign, column_name[c], &first);
    }
    put_constant(w, form->constant, first);
}

static void put_form(tz_charging *w, const tz_form *form, names column_name) {
    put_form_after(w, form, column_name, true);
}

/* "[index,...", open at its end; nothing for no index. */
static void put_indices(tz_charging *w, const tz_term *term, unsigned rank, names column_name) {
    for (unsigned q = 0; q < rank; q++) {
        put(w, q == 0 ? "[" : ",");
        put_form(w, &term->index[q], column_name);
    }
}

/* A term with one more index. */
static void put_longer_term(tz_charging *w, const char *name, const tz_term *term, unsigned rank,
                            names column_name, const char *last) {
    put(w, name);
    put_indices(w, term, rank, column_name);
    put(w, rank > 0 ? "," : "[");
    put(w, last);
    put(w, "]");
}

/* The term that a declaration shows: every index is itself. */
static tz_term declared_term(unsigned rank) {
    tz_term term = {.what = TZ_INSIDE};
    for (unsigned q = 0; q < rank; q++)
        term.index[q] = tz_form_column(q);
    return term;
}

/* ---- Header lines ---------------------------------------------------------------------------- */

static void put_domain(tz_charging *w, const char *text) {
    put(w, text[0] == '\0' ? "" : "  ");
    put(w, text);
}

static bool is_constant(const tz_form *form) {
    return !tz_form_has_columns(form) && !tz_form_has_lengths(form);
}

/* `0 <= u <= total`, with a constant for 0 if that is a bound, and the other bounds. */
static void put_amount_domain(tz_charging *w, const tz_item *item, const tz_amounts *amounts) {
    bool constant = amounts->has_least && is_constant(&amounts->least);
    bool fixed =
        amounts->has_least && amounts->has_most && tz_form_equal(&amounts->least, &amounts->most);
    bool least = amounts->has_least && !constant && !fixed;
    put(w, item->domain_text[0] == '\0' ? "  " : ", ");
    put_constant(w, constant && amounts->least.constant > 0 ? amounts->least.constant : 0, true);
    put(w, " <= ");
    put(w, w->amount);
    put(w, " <= ");
    put(w, w->total);
    if (!least && !amounts->has_most)
        return;
    put(w, ", ");
    if (least) {
        put_form(w, &amounts->least, item->index_name);
        put(w, " <= ");
    }
    put(w, w->amount);
    if (amounts->has_most) {
        put(w, fixed ? " = " : " <= ");
        put_form(w, &amounts->most, item->index_name);
    }
}

static void put_item(tz_charging *w, const tz_notation *to, const tz_item *item,
                     const tz_amounts *amounts) {
    const size_t line = w->text.size;
    put(w, "item    ");
    tz_term term = declared_term(item->rank);
    put_longer_term(w, item->name, &term, item->rank, item->index_name, w->amount);
    put_domain(w, item->domain_text);
    put_amount_domain(w, item, amounts);
    tz_put_comment(to, w->text.size - line, item->comment);
    put(w, "\n");
}

/* An item that stands there twice is a closure twice. */
static void put_closures(tz_charging *w) {
    const char *separator = "closure ";
    for (unsigned i = 0; i < w->rules->items; i++)
        for (int apart = 0; apart < 2; apart++) {
            const tz_item *item = apart ? &w->apart->item[i] : &w->rules->item[i];
            if (!item->closure || item->name == NULL)
                continue;
            put(w, separator);
            put(w, item->name);
            separator = ", ";
        }
    if (tz_has_closures(w->rules))
        put(w, "\n");
}

static void put_goal(tz_charging *w) {
    const tz_rules *rules = w->rules;
    put_closures(w);
    put(w, "goal    ");
    const tz_item *goal = &rules->item[rules->goal.which];
    put_longer_term(w, goal->name, &rules->goal, goal->rank, NULL, w->total);
    put(w, "\n");
}

/* ---- Rules -----------------------------------------------------------------------------------
 *
 * The conclusion's amount is a variable u plus what charges say of its own variables and lengths;
 * premises share u among them: all but the last have variables u1, u2, ..., and the last has what
 * is left after these and the other charges. So u1, u2, ... are summed out like splits, and work
 * that does not depend on a rule's own charges can be shared among rules (fold.c).
 */

/* A rule's charges by where they go, one of them 0, and the variables they need. */
typedef struct parts {
    tz_form above, below; /* less in the last premise, more in the conclusion */
    unsigned variables;   /* u1, u2, ... in use */
} parts;

static const char *numbered(const tz_charging *w, unsigned number, char *ret_name) {
    snprintf(ret_name, NAME, number == 0 ? "%s" : "%s%u", w->amount, number);
    return ret_name;
}

static bool place_charge(const tz_rules *rules, unsigned resource, const tz_rule *rule,
                         parts *ret) {
    const tz_form minus = {.column = {-1}};
    *ret = (parts){.variables = rule->premises > 0 ? rule->premises - 1u : 0};
    if (!tz_terms_charge(rules, resource, rule->weight, rule->weights, &ret->below))
        return false;
    bool concluded = true;
    for (unsigned v = 0; v < rule->variables; v++) {
        bool mentioned = ret->below.column[v] == 0;
        for (unsigned q = 0; q < rules->item[rule->conclusion.which].rank; q++)
            mentioned |= rule->conclusion.index[q].column[v] != 0;
        concluded &= mentioned;
    }
    if (concluded || rule->premises == 0)
        return true;
    bool fits = tz_form_compose(&ret->above, &minus, &ret->below, 1);
    ret->below = (tz_form){0};
    return fits;
}

/* first + rest, where a variable that is needed k times has k - 1 copies, further variables that a
 * condition equates with it: an expression may mention a variable only once. */
static void put_sum(tz_charging *w, const tz_form *rest, const tz_rule *rule, bool first,
                    unsigned *copies) {
    char name[NAME];
    for (unsigned v = 0; v < rule->variables; v++)
        for (int k = abs(rest->column[v]); k > 1; k--)
            put_times(w, rest->column[v] < 0 ? -1 : 1, numbered(w, ++*copies, name), &first);
    put_form_after(w, rest, rule->variable_name, first);
}

static void put_premises(tz_charging *w, const tz_rule *rule, parts *p) {
    const tz_rules *rules = w->rules;
    char name[NAME];
    for (unsigned i = 0; i < rule->premises; i++) {
        const tz_term *premise = &rule->premise[i];
        unsigned rank = rules->item[premise->which].rank;
        put(w, i == 0 ? "" : "  ");
        put(w, rules->item[premise->which].name);
        put_indices(w, premise, rank, rule->variable_name);
        put(w, rank == 0 ? "[" : ",");
        put(w, numbered(w, i + 1 < rule->premises ? i + 1 : 0, name));
        if (i + 1u == rule->premises) {
            bool first = false;
            for (unsigned other = 1; other < rule->premises; other++)
                put_times(w, -1, numbered(w, other, name), &first);
            put_sum(w, &p->above, rule, false, &p->variables);
        }
        put(w, "]");
    }
}

/* The condition, with equations for copies: those of put_sum above, then below the bar. */
static void put_condition(tz_charging *w, const tz_rule *rule, const parts *p) {
    char name[NAME];
    bool some = rule->condition_text[0] != '\0';
    unsigned before = rule->premises > 0 ? rule->premises - 1u : 0, copy = before;
    put(w, some ? "  if " : "");
    put(w, rule->condition_text);
    for (int below = 0; below < 2; below++)
        for (unsigned v = 0; v < rule->variables; v++)
            for (int k = abs((below ? &p->below : &p->above)->column[v]); k > 1; k--) {
                put(w, some ? ", " : "  if ");
                put(w, numbered(w, ++copy, name));
                put(w, " = ");
                put(w, rule->variable_name[v]);
                some = true;
            }
    if (rule->condition.count + copy - before > TZ_MAX_CONSTRAINTS)
        tz_charge_refuse(
            w, TZ_TOO_LARGE,
            "rule \"%s\" would have more than %d relations with what it uses of %s: leave out "
            "what the others imply, or charge smaller multiples",
            rule->name, TZ_MAX_CONSTRAINTS, w->rules->resource[w->resource].name);
    if (rule->variables + copy + (rule->premises > 0) > TZ_MAX_VARIABLES)
        tz_charge_refuse(
            w, TZ_TOO_LARGE,
            "rule \"%s\" would have more than %d variables with what it uses of %s: split it "
            "in two",
            rule->name, TZ_MAX_VARIABLES, w->rules->resource[w->resource].name);
}

/* The rule's variables by names that may stand in several places: `_` may not. */
typedef struct renamed {
    const char *name[TZ_MAX_VARIABLES];
    char fresh[TZ_MAX_VARIABLES][NAME];
} renamed;

static void rename_blanks(const tz_rule *rule, renamed *ret) {
    unsigned number = 0, other;
    for (unsigned v = 0; v < rule->variables; v++) {
        ret->name[v] = rule->variable_name[v];
        if (strcmp(ret->name[v], "_") != 0)
            continue;
        ret->name[v] = ret->fresh[v];
        do {
            snprintf(ret->fresh[v], NAME, "_%u", ++number);
            for (other = 0; other < rule->variables; other++)
                if (strcmp(rule->variable_name[other], ret->fresh[v]) == 0)
                    break;
        } while (other < rule->variables);
    }
}

static void put_rule(tz_charging *w, const tz_rule *written, const tz_notation *to, tz_figure *f) {
    const tz_rules *rules = w->rules;
    tz_rule copy = *written;
    const tz_rule *rule = &copy;
    renamed names;
    parts p;
    rename_blanks(written, &names);
    copy.variable_name = names.name;
    if (!place_charge(rules, w->resource, rule, &p)) {
        tz_charge_refuse(w, TZ_TOO_LARGE,
                         "rule \"%s\" uses amounts of %s that do not fit: charge less", rule->name,
                         rules->resource[w->resource].name);
        return;
    }
    w->to = &f->above;
    put_premises(w, rule, &p);
    tz_charge_put_sides(w->apart, rule, f);
    for (unsigned i = 0; i < rule->weights; i++) {
        char text[TZ_TERM_TEXT];
        tz_term_text(rules, &rule->weight[i], rule->variable_name, text);
        tz_figure_weight(f, to, text);
    }
    w->to = &f->beside;
    put_condition(w, rule, &p);
    const tz_item *item = &rules->item[rule->conclusion.which];
    w->to = &f->below;
    put(w, item->name);
    put_indices(w, &rule->conclusion, item->rank, rule->variable_name);
    put(w, item->rank == 0 ? "[" : ",");
    put(w, rule->premises > 0 ? w->amount : "");
    put_sum(w, &p.below, rule, rule->premises == 0, &p.variables);
    put(w, "]");
    tz_put_figure(to, f, "", rule->name);
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* Is some line longer than the reader takes? */
static bool has_long_line(const tz_text *text) {
    const char *line = text->data, *end = line + text->size, *next;
    while ((next = memchr(line, '\n', (size_t)(end - line))) != NULL && next - line <= TZ_MAX_LINE)
        line = next + 1;
    return next != NULL;
}

void tz_charge_write(tz_charging *w) {
    const tz_notation to = {.rules = w->rules, .text = &w->text};
    const char *resource = w->rules->resource[w->resource].name;
    tz_figure figure = {0};
    char end[TZ_MAX_NAME + 1];
    snprintf(end, sizeof end, "-%s", resource);
    w->to = &w->text;
    tz_put_title(&to, w->rules->name, end);
    tz_put_claims(&to, false);
    tz_put_lengths(&to, w->total);
    tz_put_declarations(&to);
    for (unsigned i = 0; i < w->rules->items; i++)
        put_item(w, &to, &w->rules->item[i], &w->amounts[i]);
    tz_charge_put_items(w->apart, &w->text);
    put_goal(w);
    tz_put_resources(&to);
    unsigned count;
    const tz_rule *rule = tz_rules_written(w->rules, &count);
    for (unsigned r = 0; r < count; r++)
        put_rule(w, &rule[r], &to, &figure);
    tz_charge_put_rules(w->apart, &to, &figure);
    tz_figure_free(&figure);
    if (w->text.failed)
        tz_charge_refuse(w, TZ_NO_MEMORY, "%s", tz_status_name(TZ_NO_MEMORY));
    else if (has_long_line(&w->text))
        tz_charge_refuse(w, TZ_TOO_LARGE,
                         "charged for %s, a line would have more than %d bytes: use shorter names",
                         resource, TZ_MAX_LINE);
    if (w->text.size > TZ_MAX_FILE)
        tz_charge_refuse(w, TZ_TOO_LARGE,
                         "charged for %s, the rule set would have more than %d bytes", resource,
                         TZ_MAX_FILE);
}
