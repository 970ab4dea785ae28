/* charge.c - a resource as one more index of every item: rules that add up what is used.
 *
 *     rtri[i,k]  ltri[k+1,j]                       rtri[i,k,u1]  ltri[k+1,j,u-u1]
 *     ---------------------- attach * arc[i,j]     ------------------------------ attach * arc[i,j]
 *     rtrap[i,j]                                   rtrap[i,j,u+1]
 *
 * The result is a rule file like any other, so semirings, kernels and passes need not know what a
 * resource is. Domains carry the bounds of amounts.c: a span of few words cannot use much, and the
 * loops over u1 and u do not look there.
 *
 * SPDX-License-Identifier: MIT */
#include "rules/transform/charge.h"
#include "base/modes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/transform/names.h"

/* ---- Names ----------------------------------------------------------------------------------- */

/* Is `name` the letter, or the letter and a number? */
static bool numbers(const char *name, char letter) {
    return name[0] == letter && name[1 + strspn(name + 1, "0123456789")] == '\0';
}

static bool letter_is_free(const tz_rules *rules, char letter) {
    bool taken = false;
    for (unsigned l = 0; l < rules->lengths; l++)
        taken |= numbers(rules->length_name[l], letter);
    for (unsigned i = 0; i < rules->inputs; i++)
        taken |= numbers(rules->input[i].name, letter);
    for (unsigned i = 0; i < rules->items; i++)
        for (unsigned q = 0; q < rules->item[i].rank; q++)
            taken |= numbers(rules->item[i].index_name[q], letter);
    unsigned count;
    const tz_rule *rule = tz_rules_written(rules, &count);
    for (unsigned r = 0; r < count; r++)
        for (unsigned v = 0; v < rule[r].variables; v++)
            taken |= numbers(rule[r].variable_name[v], letter);
    return !taken;
}

static void choose_names(tz_charging *w) {
    static const char letters[] = "uvwxyzabcdefghijklmnopqrstABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const char *resource = w->rules->resource[w->resource].name, *letter = letters;
    while (*letter != '\0' && !letter_is_free(w->rules, *letter))
        letter++;
    if (*letter == '\0')
        tz_charge_refuse(w, TZ_TOO_LARGE,
                         "no letter is left for the amount of %s: rename a variable of one letter",
                         resource);
    snprintf(w->amount, sizeof w->amount, "%c", *letter);
    unsigned number = 1;
    do {
        char end[24] = "_total";
        if (number > 1)
            snprintf(end, sizeof end, "_total%u", number);
        snprintf(w->total, sizeof w->total, "%.40s%s", resource, end);
        number++;
    } while (tz_name_is_taken(w->rules, w->total));
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* "kept, dropped", and those that can be charged only. */
static void list_resources(const tz_rules *rules, char *ret_text, size_t size) {
    size_t used = 0;
    ret_text[0] = '\0';
    for (unsigned r = 0; r < rules->resources && used < size; r++)
        used += (size_t)snprintf(ret_text + used, size - used, "%s%s", r == 0 ? "" : ", ",
                                 rules->resource[r].name);
}

static void find_resource(tz_charging *w, const char *name) {
    const tz_rules *rules = w->rules;
    char list[256];
    unsigned r = 0;
    while (r < rules->resources && strcmp(rules->resource[r].name, name) != 0)
        r++;
    if (r == rules->resources) {
        list_resources(rules, list, sizeof list);
        if (rules->resources == 0)
            tz_charge_refuse(
                w, TZ_BAD_ARGUMENT,
                "no resource \"%.64s\": the rule set declares none; add a line such as "
                "`resource %.64s WEIGHT[...] AMOUNT`",
                name, name);
        else
            tz_charge_refuse(w, TZ_BAD_ARGUMENT, "no resource \"%.64s\": the rule set has %s", name,
                             list);
        return;
    }
    w->resource = r;
    if (!tz_resource_is_sum(rules, r)) {
        const char *other = rules->resource[rules->resource[r].other].name;
        tz_charge_refuse(
            w, TZ_BAD_ARGUMENT,
            "nothing is charged to resource \"%s\", it is what %s leaves: charge %s and read it "
            "from there, or say what uses it in a line such as `resource %s WEIGHT[...] AMOUNT`",
            name, other, other, name);
    }
}

static void check_room(tz_charging *w) {
    const tz_rules *rules = w->rules;
    const char *resource = rules->resource[w->resource].name;
    if (rules->lengths == TZ_MAX_LENGTHS)
        tz_charge_refuse(
            w, TZ_TOO_LARGE,
            "no room for the total of %s: it would be one more length than %d, the most there "
            "may be",
            resource, TZ_MAX_LENGTHS);
    for (unsigned i = 0; i < rules->items; i++) {
        const tz_item *item = &rules->item[i];
        if (item->rank == TZ_MAX_RANK)
            tz_charge_refuse(
                w, TZ_TOO_LARGE,
                "no room for the amount of %s: item \"%s\" has %d indices already, the most "
                "there may be",
                resource, item->name, TZ_MAX_RANK);
        if (item->domain.count + 4 > TZ_MAX_CONSTRAINTS)
            tz_charge_refuse(
                w, TZ_TOO_LARGE,
                "the domain of item \"%s\" would have more than %d relations with the amount of "
                "%s: leave out what the others imply",
                item->name, TZ_MAX_CONSTRAINTS, resource);
    }
}

tz_status tz_charge_text(const tz_rules *rules, const char *resource, bool bounded,
                         tz_text *ret_text, tz_error *opt_error) {
    tz_charging w = {.rules = rules, .opt_error = opt_error};
    tz_amounts *amounts = NULL;
    *ret_text = (tz_text){0};
    find_resource(&w, resource);
    if (w.status == TZ_OK)
        check_room(&w);
    if (w.status == TZ_OK)
        choose_names(&w);
    if (w.status == TZ_OK) {
        amounts = calloc(rules->items, sizeof *amounts);
        if (amounts == NULL || (bounded && tz_find_amounts(rules, w.resource, amounts) != TZ_OK))
            tz_charge_refuse(&w, TZ_NO_MEMORY, "%s", tz_status_name(TZ_NO_MEMORY));
    }
    w.amounts = amounts;
    tz_arena *arena = tz_arena_new();
    tz_rules apart;
    if (w.status == TZ_OK && (arena == NULL || tz_charge_apart(rules, arena, &apart) != TZ_OK))
        tz_charge_refuse(&w, TZ_NO_MEMORY, "%s", tz_status_name(TZ_NO_MEMORY));
    w.apart = &apart;
    if (w.status == TZ_OK)
        tz_charge_write(&w);
    tz_arena_free(arena);
    free(amounts);
    if (w.status == TZ_OK)
        *ret_text = w.text;
    else
        tz_text_free(&w.text);
    return w.status;
}

/* Bounds may tell that the goal has no derivation, or that a rule never applies, which the reader
 * would refuse: then it is left to the values to say so. */
tz_status tz_rules_charge(const tz_rules *rules, const char *resource, tz_rules **ret_rules,
                          tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    tz_error error = {TZ_OK, ""};
    tz_status status = TZ_BAD_RULES;
    *ret_rules = NULL;
    for (int bounded = 1; bounded >= 0 && status == TZ_BAD_RULES; bounded--) {
        tz_text text;
        status = tz_charge_text(rules, resource, bounded, &text, &error);
        if (status == TZ_OK)
            status = tz_rules_parse(rules->name, text.data, text.size, ret_rules, &error);
        tz_text_free(&text);
    }
    if (status != TZ_OK && opt_error != NULL)
        *opt_error = error;
    return status;
}
