/* validate.c - what is wrong with rules although they can be read. SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "rules/polyhedra/prove.h"
#include "rules/read/read.h"
#include "rules/view.h"

enum { TERM_TEXT = 200, FACT_TEXT = 640 };

/* ---- Texts ----------------------------------------------------------------------------------- */

/* snprintf onto the end. */
static void append(char *text, size_t size, const char *more) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", more);
}

static void term_text(const tz_rules *rules, const tz_term *term, const char *const *column_name,
                      char *ret_text, size_t size) {
    tz_put_term(rules, term, column_name, tz_form_text, ret_text, size);
}

/* The parts of a form with this sign, all positive. */
static tz_form signed_part(const tz_form *form, int sign) {
    tz_form part = {.constant = sign * form->constant > 0 ? sign * form->constant : 0};
    for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
        part.length[l] = (int16_t)(sign * form->length[l] > 0 ? sign * form->length[l] : 0);
    for (unsigned c = 0; c < TZ_MAX_COLUMNS; c++)
        part.column[c] = (int16_t)(sign * form->column[c] > 0 ? sign * form->column[c] : 0);
    return part;
}

static bool is_constant(const tz_form *form) {
    return !tz_form_has_columns(form) && !tz_form_has_lengths(form);
}

/* As "i < j" or "1 <= i". */
static void constraint_text(const tz_rules *rules, const tz_constraint *constraint,
                            const char *const *column_name, char *ret_text, size_t size) {
    tz_form small = signed_part(&constraint->form, -1), large = signed_part(&constraint->form, 1);
    const char *relation = constraint->relation == TZ_EQ   ? " = "
                           : constraint->relation == TZ_NE ? " != "
                                                           : " <= ";
    tz_form strict = small;
    strict.constant = 0;
    if (constraint->relation == TZ_GE && small.constant == 1 && !is_constant(&strict)) {
        small = strict;
        relation = " < ";
    }
    char left[TERM_TEXT], right[TERM_TEXT];
    tz_form_text(&small, rules->length_name, column_name, left, sizeof left);
    tz_form_text(&large, rules->length_name, column_name, right, sizeof right);
    snprintf(ret_text, size, "%s%s%s", left, relation, right);
}

/* A constraint, and where it comes from; what has no variable left is shown as it was declared. */
static void known_text(const tz_rules *rules, const struct tz_known *known,
                       const char *const *column_name, const char *opt_elsewhere, char *ret_text,
                       size_t size) {
    const tz_term *from = known->from;
    if (from != NULL && is_constant(&known->constraint.form))
        constraint_text(rules, known->declared,
                        from->what == TZ_WEIGHT ? rules->weight[from->which].index_name
                                                : rules->item[from->which].index_name,
                        ret_text, size);
    else
        constraint_text(rules, &known->constraint, column_name, ret_text, size);
    char text[TERM_TEXT];
    if (from != NULL)
        term_text(rules, from, column_name, text, sizeof text);
    else if (opt_elsewhere != NULL)
        snprintf(text, sizeof text, "%s", opt_elsewhere);
    else
        return;
    append(ret_text, size, " (from ");
    append(ret_text, size, text);
    append(ret_text, size, ")");
}

/* ---- Assumptions ----------------------------------------------------------------------------- */

bool tz_too_large(tz_reader *reader, const char *at) {
    return tz_bad(reader, at, "%s: its domains are too large to be checked: simplify them",
                  reader->context);
}

/* An error that names the constraints that cannot hold together, unless they can. */
static bool check_possible(tz_reader *reader, tz_assumptions *assumed, const char *at,
                           const char *const *column_name, const char *problem,
                           const char *opt_elsewhere) {
    tz_status status = tz_assumptions_possible(assumed);
    if (status == TZ_NONE)
        status = tz_assumptions_clash(assumed);
    else if (status == TZ_OK)
        return true;
    if (status == TZ_NO_MEMORY)
        return tz_no_memory(reader);
    char list[3 * FACT_TEXT] = "";
    for (unsigned f = 0; f < assumed->count; f++) {
        char text[FACT_TEXT];
        known_text(reader->rules, &assumed->known[f], column_name, opt_elsewhere, text,
                   sizeof text);
        append(list, sizeof list, f == 0 ? "" : f + 1 < assumed->count ? ", " : " and ");
        append(list, sizeof list, text);
    }
    return tz_bad(reader, at, "%s %s whatever the lengths: %s %s", reader->context, problem, list,
                  assumed->count > 1 ? "exclude one another; change one of them"
                                     : "is never true; change it");
}

static bool check_bounded(tz_reader *reader, const tz_assumptions *assumed,
                          const tz_location *location, const char *const *column_name, bool rule) {
    for (unsigned c = 0; c < assumed->columns; c++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            tz_status status = tz_assumptions_bounded(assumed, c, sign);
            const char *name = column_name[c];
            if (status == TZ_NO_MEMORY)
                return tz_no_memory(reader);
            if (status == TZ_TOO_LARGE)
                return tz_too_large(reader, location->column[c]);
            if (status == TZ_NONE)
                return tz_bad(reader, location->column[c],
                              "%s \"%s\" of %s has no %s bound: add one, as in `%s%s <= %s`",
                              rule ? "variable" : "index", name, reader->context,
                              sign < 0 ? "lower" : "upper", rule ? "if " : "",
                              sign < 0 ? "0" : name, sign < 0 ? name : reader->length_name[0]);
        }
    }
    return true;
}

static void name_context(tz_reader *reader, const char *what, const char *name) {
    tz_set_context(reader, what, (tz_span){name, strlen(name)});
}

/* The domain of an item or a weight. */
static bool check_domain(tz_reader *reader, const tz_domain *domain, unsigned rank,
                         const char *const *index_name, const tz_location *location) {
    tz_assumptions assumed = {.lengths = reader->rules->lengths, .columns = rank};
    if (tz_assumptions_add(&assumed, domain, NULL, rank) != TZ_OK)
        return tz_too_large(reader, location->at);
    tz_assumptions copy = assumed;
    return check_possible(reader, &copy, location->at, index_name, "has an empty domain", NULL) &&
           check_bounded(reader, &assumed, location, index_name, false);
}

bool tz_check_declarations(tz_reader *reader) {
    const tz_rules *rules = reader->rules;
    unsigned weights;
    const tz_weight *declared = tz_declared_weights(rules, &weights);
    for (unsigned w = 0; w < weights; w++) {
        name_context(reader, "weight", declared[w].name);
        if (!check_domain(reader, &declared[w].domain, declared[w].rank, declared[w].index_name,
                          &reader->weight_location[w]))
            return false;
    }
    for (unsigned i = 0; i < rules->inputs; i++) {
        const tz_rules_input *input = &rules->input[i];
        name_context(reader, "input", input->name);
        if (!check_domain(reader, &input->domain, input->rank, input->index_name,
                          &reader->input_location[i]))
            return false;
        if (!reader->input_used[i] &&
            !tz_warn(reader, reader->input_location[i].at,
                     "input \"%s\" stands in no rule: its numbers need not be given", input->name))
            return false;
    }
    for (unsigned i = 0; i < rules->items; i++) {
        const tz_item *item = &rules->item[i];
        name_context(reader, "item", item->name);
        if (!check_domain(reader, &item->domain, item->rank, item->index_name,
                          &reader->item_location[i]))
            return false;
    }
    return true;
}

/* ---- Rules and the goal ---------------------------------------------------------------------- */

static tz_status add_term(const tz_rules *rules, tz_assumptions *assumed, const tz_term *term) {
    if (term->what == TZ_WEIGHT) {
        const tz_weight *weight = &rules->weight[term->which];
        return tz_assumptions_add(assumed, &weight->domain, term, weight->rank);
    }
    const tz_item *item = &rules->item[term->which];
    return tz_assumptions_add(assumed, &item->domain, term, item->rank);
}

/* All that an instance of the rule assumes. */
static tz_status assume_rule(const tz_rules *rules, const tz_rule *rule, tz_assumptions *ret) {
    *ret = (tz_assumptions){.lengths = rules->lengths, .columns = rule->variables};
    tz_status status = TZ_OK;
    for (unsigned p = 0; p < rule->premises && status == TZ_OK; p++)
        status = add_term(rules, ret, &rule->premise[p]);
    for (unsigned s = 0; s < rule->sides && status == TZ_OK; s++)
        status = add_term(rules, ret, &rule->side[s]);
    for (unsigned w = 0; w < rule->weights && status == TZ_OK; w++)
        status = add_term(rules, ret, &rule->weight[w]);
    if (status == TZ_OK)
        status = add_term(rules, ret, &rule->conclusion);
    if (status == TZ_OK)
        status = tz_assumptions_add(ret, &rule->condition, NULL, rule->variables);
    return status;
}

tz_status tz_rule_possible(const tz_rules *rules, const tz_rule *rule) {
    tz_assumptions assumed;
    tz_status status = assume_rule(rules, rule, &assumed);
    return status == TZ_OK ? tz_assumptions_possible(&assumed) : status;
}

static bool check_rule(tz_reader *reader, const tz_rule *rule, const tz_location *location) {
    const tz_rules *rules = reader->rules;
    tz_assumptions assumed;
    tz_status status = assume_rule(rules, rule, &assumed);
    name_context(reader, "rule", rule->name);
    if (status != TZ_OK)
        return tz_too_large(reader, location->at);
    tz_assumptions copy = assumed;
    return check_possible(reader, &copy, location->at, rule->variable_name, "can never apply",
                          "`if`") &&
           check_bounded(reader, &assumed, location, rule->variable_name, true);
}

static bool check_all_rules(tz_reader *reader) {
    for (unsigned r = 0; r < reader->rules->rule_count; r++)
        if (!check_rule(reader, &reader->rule[r], &reader->rule_location[r]))
            return false;
    return true;
}

static bool check_goal(tz_reader *reader) {
    const tz_rules *rules = reader->rules;
    tz_assumptions assumed = {.lengths = rules->lengths};
    tz_set_context(reader, "the goal", (tz_span){0});
    if (add_term(rules, &assumed, &rules->goal) != TZ_OK)
        return tz_too_large(reader, reader->goal_at);
    return check_possible(reader, &assumed, reader->goal_at, NULL,
                          "lies outside the domain of its item", NULL);
}

/* ---- Uses ------------------------------------------------------------------------------------ */

/* What is known of each item. */
typedef struct item_use {
    bool concluded; /* by some rule */
    bool derivable; /* as far as rules tell without their domains */
    bool used;      /* as a premise, or it is the goal */
    bool leads;     /* to the goal, by rules that can be used */
    bool told;
} item_use;

/* Can all that the rule needs be derived? */
static bool is_live(const tz_rule *rule, const item_use *use) {
    bool all = true;
    for (unsigned p = 0; p < rule->premises; p++)
        all &= use[rule->premise[p].which].derivable;
    for (unsigned s = 0; s < rule->sides; s++)
        all &= use[rule->side[s].which].derivable;
    return all;
}

/* Both repeat until nothing changes, at most once for every item. */
static void mark_derivable(const tz_rules *rules, item_use *use) {
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned r = 0; r < rules->rule_count; r++) {
            const tz_rule *rule = &rules->rule[r];
            if (is_live(rule, use) && !use[rule->conclusion.which].derivable)
                changed = use[rule->conclusion.which].derivable = true;
        }
    }
}

static void mark_leading(const tz_rules *rules, item_use *use) {
    use[rules->goal.which].leads = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned r = 0; r < rules->rule_count; r++) {
            const tz_rule *rule = &rules->rule[r];
            for (unsigned p = 0; p < (unsigned)rule->premises + rule->sides; p++) {
                const tz_term *term =
                    p < rule->premises ? &rule->premise[p] : &rule->side[p - rule->premises];
                if (use[rule->conclusion.which].leads && is_live(rule, use) &&
                    !use[term->which].leads)
                    changed = use[term->which].leads = true;
            }
        }
    }
}

/* Item i is used at `at` in the context: if nothing derives it, that is told where it is used
 * first. */
static bool note_use(tz_reader *reader, unsigned i, const char *at, item_use *use) {
    const bool told = use[i].told || use[i].derivable;
    use[i].used = use[i].told = true;
    return told || tz_warn(reader, at,
                           use[i].concluded
                               ? "no axiom leads to item \"%s\", which stands in %s: it is zero, "
                                 "since every rule that concludes it needs an item that is never "
                                 "derived"
                               : "no rule concludes item \"%s\", which stands in %s: it is zero",
                           reader->item[i].name, reader->context);
}

/* Warns of items that are in no derivation. */
static bool warn_of_items(tz_reader *reader, item_use *use) {
    const tz_rules *rules = reader->rules;
    for (unsigned r = 0; r < rules->rule_count; r++)
        use[rules->rule[r].conclusion.which].concluded = true;
    mark_derivable(rules, use);
    mark_leading(rules, use);
    for (unsigned r = 0; r < rules->rule_count; r++) {
        const tz_rule *rule = &rules->rule[r];
        const tz_location *location = &reader->rule_location[r];
        name_context(reader, "rule", rule->name);
        for (unsigned p = 0; p < rule->premises; p++)
            if (!note_use(reader, rule->premise[p].which, location->premise[p], use))
                return false;
        for (unsigned s = 0; s < rule->sides; s++)
            if (!note_use(reader, rule->side[s].which, location->side[s], use))
                return false;
    }
    tz_set_context(reader, "the goal", (tz_span){0});
    if (!note_use(reader, rules->goal.which, reader->goal_at, use))
        return false;
    for (unsigned i = 0; i < rules->items; i++) {
        const bool strange = !use[i].used && !use[i].concluded;
        const bool idle = use[i].derivable && !use[i].leads && use[rules->goal.which].derivable;
        if ((strange || idle) &&
            !tz_warn(reader, reader->item_location[i].at,
                     strange ? "item \"%s\" stands in no rule"
                             : "no rules lead from item \"%s\" to the goal: it is in no derivation",
                     rules->item[i].name))
            return false;
    }
    return true;
}

/* Those of the rules that need nothing which nothing derives: the others have no instances that
 * count. */
static bool keep_live(tz_reader *reader, const item_use *use, const tz_rule **rule,
                      uint16_t *rules) {
    uint16_t count = 0;
    tz_rule *live = tz_arena_array(reader->arena, *rules, sizeof *live);
    if (live == NULL)
        return tz_no_memory(reader);
    for (unsigned r = 0; r < *rules; r++)
        if (is_live(*rule + r, use))
            live[count++] = (*rule)[r];
    *rule = live;
    *rules = count;
    return true;
}

bool tz_check_rules(tz_reader *reader) {
    item_use *use = tz_arena_array(reader->scratch, reader->rules->items, sizeof *use);
    if (use == NULL)
        return tz_no_memory(reader);
    tz_rules *rules = reader->rules;
    return check_all_rules(reader) && warn_of_items(reader, use) && check_goal(reader) &&
           tz_check_charges(reader) && keep_live(reader, use, &rules->rule, &rules->rule_count) &&
           keep_live(reader, use, &rules->written, &rules->writtens);
}
