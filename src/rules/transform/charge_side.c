/* charge_side.c - what side conditions of a charged rule set ask for.
 *
 * They hold whatever the amount, and the derivation that makes one hold consumes nothing. So the
 * items in them, and all that these are derived from, stand in the charged rules a second time as
 * they were, under names of their own:
 *
 *     at[i,j]  [seen[j]]                 at[i,j,u-1]  [seen_any[j]]
 *     ------------------ go * arc[i,j]   -------------------------- go * arc[i,j]
 *     at[i+1,j]                          at[i+1,j,u]
 *
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/show/show.h"
#include "rules/transform/charge.h"
#include "rules/transform/names.h"

/* Marks the items that side conditions look at, and those that they are derived from. */
static void mark(const tz_rules *rules, bool *looked_at) {
    for (unsigned r = 0; r < rules->rule_count; r++)
        for (unsigned s = 0; s < rules->rule[r].sides; s++)
            looked_at[rules->rule[r].side[s].which] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned r = 0; r < rules->rule_count; r++) {
            const tz_rule *rule = &rules->rule[r];
            for (unsigned p = 0; p < rule->premises && looked_at[rule->conclusion.which]; p++) {
                changed |= !looked_at[rule->premise[p].which];
                looked_at[rule->premise[p].which] = true;
            }
        }
    }
}

tz_status tz_charge_apart(const tz_rules *rules, tz_arena *arena, tz_rules *ret) {
    bool *looked_at = tz_arena_array(arena, rules->items, sizeof *looked_at);
    tz_item *item = tz_arena_array(arena, rules->items, sizeof *item);
    if (looked_at == NULL || item == NULL)
        return TZ_NO_MEMORY;
    mark(rules, looked_at);
    *ret = *rules;
    ret->item = item;
    memcpy(item, rules->item, rules->items * sizeof *item);
    for (unsigned i = 0; i < rules->items; i++) {
        char name[TZ_MAX_NAME];
        unsigned number = 1;
        bool taken = looked_at[i];
        while (taken) {
            snprintf(name, sizeof name, number > 1 ? "%.40s_any%u" : "%.40s_any", item[i].name,
                     number);
            taken = tz_name_is_taken(rules, name);
            for (unsigned other = 0; other < i; other++)
                taken |= item[other].name != NULL && strcmp(item[other].name, name) == 0;
            number++;
        }
        item[i].name = looked_at[i] ? tz_arena_text(arena, name, strlen(name)) : NULL;
        if (looked_at[i] && item[i].name == NULL)
            return TZ_NO_MEMORY;
    }
    return TZ_OK;
}

void tz_charge_put_sides(const tz_rules *apart, const tz_rule *rule, tz_figure *to) {
    char text[TZ_TERM_TEXT];
    for (unsigned s = 0; s < rule->sides; s++) {
        tz_term_text(apart, &rule->side[s], rule->variable_name, text);
        tz_figure_side(to, text);
    }
}

static bool is_rule(const tz_rules *rules, const char *name) {
    unsigned count;
    const tz_rule *rule = tz_rules_written(rules, &count);
    for (unsigned r = 0; r < count; r++)
        if (strcmp(rule[r].name, name) == 0)
            return true;
    return false;
}

static void put_rule(const tz_rules *apart, const tz_rule *rule, unsigned *number,
                     const tz_notation *to, tz_figure *f) {
    char name[TZ_MAX_NAME];
    do
        snprintf(name, sizeof name, "%.40s-any%u", rule->name, ++*number);
    while (is_rule(apart, name));
    tz_put_rule(to, apart, rule, name, f);
}

void tz_charge_put_items(const tz_rules *apart, tz_text *to) {
    for (unsigned i = 0; i < apart->items; i++) {
        const tz_item *item = &apart->item[i];
        char text[TZ_TERM_TEXT];
        if (item->name == NULL)
            continue;
        tz_declared_text(item->name, item->index_name, item->rank, text);
        tz_text_put(to, "item    ");
        tz_text_put(to, text);
        tz_text_put(to, "  ");
        tz_text_put(to, item->domain_text);
        tz_text_put(to, "\n");
    }
}

void tz_charge_put_rules(const tz_rules *apart, const tz_notation *to, tz_figure *figure) {
    unsigned count, number = 0;
    const tz_rule *rule = tz_rules_written(apart, &count);
    for (unsigned r = 0; r < count; r++)
        if (apart->item[rule[r].conclusion.which].name != NULL)
            put_rule(apart, &rule[r], &number, to, figure);
}
