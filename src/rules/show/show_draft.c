/* show_draft.c - what the compiler has made of a rule set so far, for whoever works on it.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "rules/compile/draft.h"
#include "rules/polyhedra/form.h"
#include "rules/show/show.h"

/* Where forms are written, and what their columns are called. */
typedef struct naming {
    const tz_draft *draft;
    FILE *file;
    const char *const *column;
} naming;

static void put_form(const naming *to, const tz_form *form) {
    char text[TZ_TERM_TEXT];
    tz_form_text(form, to->draft->rules->length_name, to->column, text, sizeof text);
    fputs(text, to->file);
}

/* Behind what stands in front of the first, the forms and what closes them; nothing, if none. */
static void put_forms(const naming *to, const char *open, const tz_form *form, unsigned count,
                      const char *close) {
    for (unsigned f = 0; f < count; f++) {
        fputs(f == 0 ? open : ",", to->file);
        put_form(to, &form[f]);
    }
    fputs(count > 0 ? close : "", to->file);
}

static void put_term(const naming *to, const tz_term *term, bool outside) {
    const tz_weight *weight =
        term->what == TZ_WEIGHT ? &to->draft->rules->weight[term->which] : NULL;
    const tz_kind *kind = weight == NULL ? &to->draft->kind[term->which] : NULL;
    const bool made = kind != NULL && term->which >= to->draft->rules->items;
    fprintf(to->file, made ? "%s(%s)" : "%s%s", outside ? "outside " : "",
            weight != NULL ? weight->name : kind->name);
    put_forms(to, "[", term->index, weight != NULL ? weight->rank : kind->rank, "]");
}

/* Does it say what those before it say, or nothing? */
static bool is_idle(const tz_constraint *at, size_t c) {
    static const tz_form zero;
    tz_form form = at[c].form;
    form.constant = 0;
    bool idle = memcmp(&form, &zero, sizeof form) == 0;
    for (size_t b = 0; b < c && !idle; b++)
        idle = memcmp(&at[b], &at[c], sizeof *at) == 0;
    return idle;
}

static void put_constraints(const naming *to, const char *open, const tz_constraint *at,
                            size_t count) {
    static const char *const relation[] = {[TZ_GE] = " >= 0", [TZ_EQ] = " = 0", [TZ_NE] = " != 0"};
    for (size_t c = 0; c < count; c++) {
        if (is_idle(at, c))
            continue;
        fputs(open, to->file);
        put_form(to, &at[c].form);
        fputs(relation[at[c].relation], to->file);
        open = ", ";
    }
}

/* What is added to what, by which rule. */
static void put_product(const naming *to, const tz_term *target, const tz_term *term,
                        unsigned terms, unsigned rule, bool inside) {
    fputs("  ", to->file);
    put_term(to, target, !inside);
    fputs(terms > 0 ? " +=" : " += 1", to->file);
    for (unsigned t = 0; t < terms; t++) {
        fputs(" ", to->file);
        put_term(to, &term[t], term[t].what == TZ_OUTSIDE);
    }
    fprintf(to->file, "  # %s", to->draft->rules->rule[rule].name);
}

static void put_rules(const naming *plain) {
    const tz_rules *rules = plain->draft->rules;
    fputs("rules\n", plain->file);
    for (unsigned r = 0; r < rules->rule_count; r++) {
        const tz_rule *rule = &rules->rule[r];
        const naming to = {plain->draft, plain->file, rule->variable_name};
        put_product(&to, &rule->conclusion, rule->premise, rule->premises, r, true);
        for (unsigned w = 0; w < rule->weights; w++) {
            fputs(" * ", to.file);
            put_term(&to, &rule->weight[w], false);
        }
        put_constraints(&to, "; ", rule->condition.at, rule->condition.count);
        fputs("\n", to.file);
    }
}

static void put_steps(const naming *plain) {
    const tz_draft *draft = plain->draft;
    fputs("steps\n", plain->file);
    for (unsigned s = 0; s < draft->steps; s++) {
        const tz_draft_step *step = &draft->step[s];
        const naming to = {draft, plain->file, step->variable_name};
        put_product(&to, &step->target, step->term, step->terms, step->rule, true);
        put_constraints(&to, "; ", step->constraint, step->constraints);
        fputs("\n", to.file);
    }
}

/* Of kinds: an item's indices by their names, others' by their number. */
static const char *const numbered[TZ_MAX_COLUMNS] = {
    "a0",  "a1",  "a2",  "a3",  "a4",  "a5",  "a6",  "a7",  "a8",  "a9",  "a10",
    "a11", "a12", "a13", "a14", "a15", "a16", "a17", "a18", "a19", "a20", "a21",
    "a22", "a23", "a24", "a25", "a26", "a27", "a28", "a29", "a30", "a31"};

static void put_kinds(const naming *plain) {
    const tz_draft *draft = plain->draft;
    fputs("kinds\n", plain->file);
    for (unsigned k = 0; k < draft->kinds; k++) {
        const tz_kind *kind = &draft->kind[k];
        const bool item = k < draft->rules->items;
        const naming to = {draft, plain->file, item ? draft->rules->item[k].index_name : numbered};
        tz_term term = {.what = TZ_INSIDE, .which = (uint16_t)k};
        for (unsigned q = 0; q < kind->rank; q++)
            term.index[q] = tz_form_column(q);
        fputs("  ", to.file);
        put_term(&to, &term, false);
        put_constraints(&to, "; ", kind->domain.at, kind->domain.count);
        put_forms(&to, "; stage (", kind->stage, kind->stages, ")");
        if (kind->rank > 0 && kind->coordinate_range[0].lowers > 0)
            put_forms(&to, "; stands at (", kind->coordinate, kind->rank, ")");
        fputs("\n", to.file);
    }
}

static void put_groups(const naming *to) {
    fputs("order\n", to->file);
    for (unsigned g = 0; g < to->draft->groups; g++) {
        const tz_group *group = &to->draft->group[g];
        fputs(" ", to->file);
        for (unsigned k = 0; k < group->kinds; k++)
            fprintf(to->file, group->kind[k] < to->draft->rules->items ? " %s" : " (%s)",
                    to->draft->kind[group->kind[k]].name);
        fputs("\n", to->file);
    }
}

static void put_bounds(const naming *to, const char *name, const tz_bound *bound, unsigned count) {
    for (unsigned b = 0; b < count; b++) {
        fprintf(to->file, b == 0 ? " %s " : ", ", name);
        put_form(to, &bound[b].form);
        if (bound[b].divisor > 1)
            fprintf(to->file, " / %ld", (long)bound[b].divisor);
    }
}

/* Steps with their loops: column c of a nest is called ac. */
static void put_built(const naming *plain, const char *title, const tz_step *step, unsigned steps,
                      bool inside) {
    fprintf(plain->file, "%s\n", title);
    for (unsigned s = 0; s < steps; s++) {
        const naming rule = {plain->draft, plain->file,
                             plain->draft->rules->rule[step[s].rule].variable_name};
        const naming to = {plain->draft, plain->file, numbered};
        const tz_nest *nest = &step[s].nest;
        put_product(&rule, &step[s].target, step[s].term, step[s].terms, step[s].rule, inside);
        fprintf(to.file, "\n    given %u", nest->givens);
        put_constraints(&to, ", if ", nest->entry.at, nest->entry.count);
        for (unsigned l = 0; l < nest->loops; l++) {
            fprintf(to.file, "; for %s", numbered[nest->givens + l]);
            put_bounds(&to, "from", nest->range[l].lower, nest->range[l].lowers);
            put_bounds(&to, "to", nest->range[l].upper, nest->range[l].uppers);
        }
        put_forms(&to, "; variables ", nest->variable, nest->variables, "");
        fprintf(to.file, "%s%s\n", step[s].has_split ? "; split" : "",
                step[s].has_run ? "; run" : "");
    }
}

void tz_show_draft(const tz_draft *draft, FILE *file) {
    const tz_rules *rules = draft->rules;
    const naming plain = {draft, file, NULL};
    bool folded = false;
    for (unsigned s = 0; s < draft->steps; s++)
        folded |= !draft->kind[draft->step[s].target.which].presence;
    put_kinds(&plain);
    if (!folded)
        put_rules(&plain);
    if (draft->steps > 0)
        put_steps(&plain);
    if (draft->groups > 0)
        put_groups(&plain);
    if (rules->steps > 0)
        put_built(&plain, "inside", rules->step, rules->steps, true);
    if (rules->outside_steps > 0)
        put_built(&plain, "outside", rules->outside_step, rules->outside_steps, false);
    if (rules->weight_steps > 0)
        put_built(&plain, "weights", rules->weight_step, rules->weight_steps, false);
}
