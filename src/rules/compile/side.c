/* side.c - side conditions: premises that must be derivable, and bring no value.
 *
 * Each item that stands in one gets a kind of its own, its presence, which is one where the item is
 * not zero. To everything after this file but the step that fills it, it is a kind like a fold, so
 * a side condition costs what a premise costs.
 *
 * SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "rules/compile/draft.h"
#include "rules/table.h"

static tz_status add_presence(tz_draft *draft, unsigned rule, unsigned i) {
    const tz_item *item = &draft->rules->item[i];
    tz_draft_step *step = &draft->step[draft->steps++];
    tz_kind *kind = &draft->kind[draft->kinds];
    char name[256];
    snprintf(name, sizeof name, "[%s]", item->name);
    *kind = (tz_kind){.name = tz_arena_text(draft->arena, name, strlen(name)),
                      .rank = item->rank,
                      .presence = true,
                      .domain = item->domain};
    *step = (tz_draft_step){
        .rule = (uint16_t)rule,
        .variables = item->rank,
        .target = {.what = TZ_INSIDE, .which = (uint16_t)draft->kinds++},
        .term = tz_arena_array(draft->arena, 1, sizeof *step->term),
        .terms = 1,
        .constraint = tz_arena_array(draft->arena, item->domain.count, sizeof *step->constraint),
        .constraints = item->domain.count};
    if (kind->name == NULL || step->term == NULL || step->constraint == NULL)
        return TZ_NO_MEMORY;
    for (unsigned q = 0; q < item->rank; q++) {
        step->variable_name[q] = item->index_name[q];
        step->target.index[q] = tz_form_column(q);
    }
    step->term[0] = step->target;
    step->term[0].which = (uint16_t)i;
    if (item->domain.count > 0)
        memcpy(step->constraint, item->domain.at, item->domain.count * sizeof *step->constraint);
    return TZ_OK;
}

/* A rule's premises, then its side conditions, those with other items. */
static tz_status join(tz_draft *draft, const uint16_t *presence, tz_rule *rule) {
    tz_term *premise =
        tz_arena_array(draft->arena, (size_t)rule->premises + rule->sides, sizeof *premise);
    if (premise == NULL)
        return TZ_NO_MEMORY;
    if (rule->premises > 0)
        memcpy(premise, rule->premise, rule->premises * sizeof *premise);
    for (unsigned s = 0; s < rule->sides; s++) {
        premise[rule->premises] = rule->side[s];
        premise[rule->premises++].which = presence[rule->side[s].which];
    }
    rule->premise = premise;
    rule->sides = 0;
    return TZ_OK;
}

tz_status tz_join_sides(tz_draft *draft) {
    tz_rules *rules = draft->rules;
    uint16_t presence[TZ_MAX_KINDS] = {0}; /* of each item; 0: none yet */
    if (!tz_has_sides(rules))
        return TZ_OK;
    tz_rule *rule = tz_arena_array(draft->arena, rules->rule_count, sizeof *rule);
    if (rule == NULL)
        return TZ_NO_MEMORY;
    memcpy(rule, rules->rule, rules->rule_count * sizeof *rule);
    tz_status status = TZ_OK;
    for (unsigned r = 0; r < rules->rule_count && status == TZ_OK; r++) {
        for (unsigned s = 0; s < rule[r].sides && status == TZ_OK; s++) {
            unsigned item = rule[r].side[s].which;
            if (presence[item] != 0)
                continue;
            presence[item] = (uint16_t)draft->kinds;
            status = add_presence(draft, r, item);
        }
        if (status == TZ_OK && rule[r].sides > 0)
            status = join(draft, presence, &rule[r]);
    }
    rules->rule = rule;
    return status;
}

tz_status tz_restore_sides(tz_draft *draft) {
    tz_rules *rules = draft->rules;
    const tz_rule *written = draft->written;
    if (rules->rule == written)
        return TZ_OK;
    tz_rule *rule = tz_arena_array(draft->arena, rules->rule_count, sizeof *rule);
    if (rule == NULL)
        return TZ_NO_MEMORY;
    memcpy(rule, rules->rule, rules->rule_count * sizeof *rule);
    for (unsigned r = 0; r < rules->rule_count; r++) {
        tz_term *side = tz_arena_array(draft->arena, written[r].sides, sizeof *side);
        if (side == NULL)
            return TZ_NO_MEMORY;
        for (unsigned s = 0; s < written[r].sides; s++) {
            side[s] = rule[r].premise[written[r].premises + s];
            side[s].which = written[r].side[s].which;
        }
        rule[r].premises = written[r].premises;
        rule[r].side = side;
        rule[r].sides = written[r].sides;
    }
    rules->rule = rule;
    return TZ_OK;
}
