/* program.c - programs: from a rule set, and lists of rules. SPDX-License-Identifier: MIT */
#include "rules/optimise/program.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "rules/transform/names.h"

const char *tz_opt_text(const tz_opt *opt, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return tz_arena_text(opt->arena, text, strlen(text));
}

/* ---- Items ----------------------------------------------------------------------------------- */

const tz_domain *tz_opt_domain(const tz_opt *opt, const tz_term *term) {
    return term->what == TZ_WEIGHT ? &opt->rules->weight[term->which].domain
                                   : &opt->item[term->which].domain;
}

unsigned tz_opt_rank(const tz_opt *opt, const tz_term *term) {
    return term->what == TZ_WEIGHT ? opt->rules->weight[term->which].rank
                                   : opt->item[term->which].rank;
}

const char *tz_opt_name(const tz_opt *opt, const tz_term *term) {
    return term->what == TZ_WEIGHT ? opt->rules->weight[term->which].name
                                   : opt->item[term->which].name;
}

tz_status tz_opt_new_item(tz_opt *opt, const char *name, uint16_t *ret_item) {
    if (opt->items == TZ_OPT_ITEMS)
        return TZ_TOO_LARGE;
    tz_opt_item *item = &opt->item[opt->items];
    *item = (tz_opt_item){.base = tz_opt_text(opt, "%.40s", name), .comment = "", .step = ""};
    item->name = item->base;
    if (item->base == NULL)
        return TZ_NO_MEMORY;
    *ret_item = (uint16_t)opt->items++;
    return TZ_OK;
}

static bool item_is_called(const tz_opt *opt, const tz_opt_program *program, unsigned items,
                           const char *name) {
    for (unsigned i = opt->rules->items; i < items; i++)
        if (tz_opt_derives(program, i) && strcmp(opt->item[i].name, name) == 0)
            return true;
    return false;
}

tz_status tz_opt_name_items(tz_opt *opt, const tz_opt_program *program) {
    for (unsigned i = opt->rules->items; i < opt->items; i++) {
        tz_opt_item *item = &opt->item[i];
        char text[TZ_MAX_NAME];
        item->name = item->base;
        if (!tz_opt_derives(program, i))
            continue;
        snprintf(text, sizeof text, "%s", item->base);
        for (unsigned number = 2;
             tz_name_is_taken(opt->rules, text) || item_is_called(opt, program, i, text); number++)
            snprintf(text, sizeof text, "%.40s_%u", item->base, number);
        item->name = tz_opt_text(opt, "%s", text);
        if (item->name == NULL)
            return TZ_NO_MEMORY;
    }
    return TZ_OK;
}

static void read_items(tz_opt *opt) {
    for (unsigned i = 0; i < opt->rules->items; i++) {
        const tz_item *from = &opt->rules->item[i];
        tz_opt_item *to = &opt->item[i];
        *to = (tz_opt_item){.name = from->name,
                            .base = from->name,
                            .rank = from->rank,
                            .domain = from->domain,
                            .domain_text = from->domain_text,
                            .comment = from->comment,
                            .step = ""};
        memcpy(to->index_name, from->index_name, sizeof to->index_name);
    }
    opt->items = opt->rules->items;
}

/* ---- Rules ----------------------------------------------------------------------------------- */

tz_status tz_opt_read(tz_opt *opt, tz_opt_program *ret) {
    const tz_rules *rules = opt->rules;
    *ret = (tz_opt_program){.goal = rules->goal};
    /* Inputs, side conditions and closures are not covered. */
    if (rules->items > TZ_OPT_ITEMS || rules->inputs > 0 || tz_has_sides(rules) ||
        tz_has_closures(rules))
        return TZ_TOO_LARGE;
    read_items(opt);
    tz_status status = TZ_OK;
    for (unsigned r = 0; r < rules->rule_count && status == TZ_OK; r++) {
        const tz_rule *from = &rules->rule[r];
        const tz_opt_rule *made;
        tz_opt_rule to = {.name = from->name, .note = "", .variables = from->variables};
        if ((unsigned)from->premises + from->weights > TZ_OPT_FACTORS)
            return TZ_TOO_LARGE;
        for (unsigned v = 0; v < from->variables; v++)
            to.variable_name[v] = from->variable_name[v];
        to.premises = from->premises;
        to.factors = (unsigned)from->premises + from->weights;
        for (unsigned f = 0; f < to.factors; f++)
            to.factor[f] = f < to.premises ? from->premise[f] : from->weight[f - to.premises];
        to.conclusion = from->conclusion;
        to.conditions = from->condition.count;
        for (unsigned c = 0; c < to.conditions; c++)
            to.condition[c] = from->condition.at[c];
        status = tz_opt_tidy(opt, &to, &made);
        if (status == TZ_OK)
            status = tz_opt_add(opt, ret, made);
        if (status == TZ_NONE) /* it has no instance */
            status = TZ_OK;
    }
    return status;
}

tz_status tz_opt_add(const tz_opt *opt, tz_opt_program *program, const tz_opt_rule *rule) {
    if (program->rules == TZ_OPT_RULES || program->rules >= opt->most)
        return TZ_TOO_LARGE;
    program->rule[program->rules++] = rule;
    return TZ_OK;
}

bool tz_opt_derives(const tz_opt_program *program, unsigned item) {
    for (unsigned r = 0; r < program->rules; r++)
        if (program->rule[r]->conclusion.which == item)
            return true;
    return false;
}

bool tz_opt_asks(const tz_opt_rule *rule, unsigned item) {
    for (unsigned f = 0; f < rule->premises; f++)
        if (rule->factor[f].which == item)
            return true;
    return false;
}

bool tz_opt_recursive(const tz_opt_program *program, unsigned item) {
    for (unsigned r = 0; r < program->rules; r++)
        if (program->rule[r]->conclusion.which == item && tz_opt_asks(program->rule[r], item))
            return true;
    return false;
}

/* Marks items with a rule whose premises are all marked; true: there was another one. */
static bool mark_derived(const tz_opt_program *program, bool *derived) {
    bool more = false;
    for (unsigned r = 0; r < program->rules; r++) {
        const tz_opt_rule *rule = program->rule[r];
        bool all = !derived[rule->conclusion.which];
        for (unsigned f = 0; f < rule->premises && all; f++)
            all = derived[rule->factor[f].which];
        if (all)
            more = derived[rule->conclusion.which] = true;
    }
    return more;
}

static bool is_derived(const tz_opt_rule *rule, const bool *derived) {
    bool all = true;
    for (unsigned f = 0; f < rule->premises; f++)
        all = all && derived[rule->factor[f].which];
    return all;
}

void tz_opt_sweep(tz_opt_program *program) {
    bool derived[TZ_OPT_ITEMS] = {false}, asked[TZ_OPT_ITEMS] = {false};
    unsigned kept = 0;
    while (mark_derived(program, derived)) {
    }
    asked[program->goal.which] = true;
    for (bool more = true; more;) {
        more = false;
        for (unsigned r = 0; r < program->rules; r++) {
            const tz_opt_rule *rule = program->rule[r];
            if (!asked[rule->conclusion.which] || !is_derived(rule, derived))
                continue;
            for (unsigned f = 0; f < rule->premises; f++)
                if (!asked[rule->factor[f].which])
                    more = asked[rule->factor[f].which] = true;
        }
    }
    for (unsigned r = 0; r < program->rules; r++)
        if (asked[program->rule[r]->conclusion.which] && is_derived(program->rule[r], derived))
            program->rule[kept++] = program->rule[r];
    program->rules = kept;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

uint64_t tz_opt_hash(const tz_opt_program *program) {
    uint64_t sum = program->goal.which * UINT64_C(0x9e3779b97f4a7c15); /* in any order of rules */
    for (unsigned r = 0; r < program->rules; r++)
        sum += program->rule[r]->hash;
    return sum;
}

tz_opt_cost tz_opt_cost_of(const tz_opt_program *program) {
    tz_opt_cost cost = {{0}};
    for (unsigned r = 0; r < program->rules; r++)
        cost.rules[program->rule[r]->total]++;
    return cost;
}

int tz_opt_compare(const tz_opt_cost *a, const tz_opt_cost *b) {
    for (unsigned d = TZ_MAX_VARIABLES + 1; d-- > 0;)
        if (a->rules[d] != b->rules[d])
            return a->rules[d] < b->rules[d] ? -1 : 1;
    return 0;
}

unsigned tz_opt_highest(const tz_opt_cost *cost) {
    unsigned d = TZ_MAX_VARIABLES;
    while (d > 0 && cost->rules[d] == 0)
        d--;
    return d;
}

/* ---- Names of columns ------------------------------------------------------------------------ */

static bool is_declared(const tz_opt *opt, const char *name) {
    const tz_rules *rules = opt->rules;
    bool taken = false;
    for (unsigned l = 0; l < rules->lengths; l++)
        taken |= strcmp(rules->length_name[l], name) == 0;
    for (unsigned w = 0; w < rules->weights; w++)
        taken |= strcmp(rules->weight[w].name, name) == 0;
    for (unsigned r = 0; r < rules->resources; r++)
        taken |= strcmp(rules->resource[r].name, name) == 0;
    for (unsigned i = 0; i < opt->items; i++)
        taken |= strcmp(opt->item[i].name, name) == 0;
    return taken;
}

static bool is_among(const char *name, const char *const *names, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (names[i] != NULL && strcmp(names[i], name) == 0)
            return true;
    return false;
}

tz_status tz_opt_column_names(const tz_opt *opt, const char *const *wanted, unsigned count,
                              const char **ret_name) {
    static const char letters[] = "klmpqrsuvwxyzijhabcdefgo";
    for (unsigned c = 0; c < count; c++) {
        bool fits = wanted[c] != NULL && strcmp(wanted[c], "_") != 0 &&
                    !is_among(wanted[c], ret_name, c) && !is_declared(opt, wanted[c]);
        ret_name[c] = fits ? wanted[c] : NULL;
    }
    for (unsigned c = 0; c < count; c++)
        for (unsigned i = 0; ret_name[c] == NULL; i++) {
            char name[16] = {letters[i % (sizeof letters - 1)], '\0'};
            if (i >= sizeof letters - 1)
                snprintf(name + 1, sizeof name - 1, "%u", i / (unsigned)(sizeof letters - 1));
            if (is_among(name, ret_name, count) || is_declared(opt, name))
                continue;
            ret_name[c] = tz_opt_text(opt, "%s", name);
            if (ret_name[c] == NULL)
                return TZ_NO_MEMORY;
        }
    return TZ_OK;
}
