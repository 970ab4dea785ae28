/* check.c - `trapeze rules check`: the order and cost of a rule set, and what its derivations say.
 * SPDX-License-Identifier: MIT */
#include "cli/rules/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/rules/checking.h"
#include "rules/polyhedra/form.h"
#include "rules/show/show.h"
#include "rules/tell/cost.h"
#include "rules/tell/enumerate.h"

enum {
    PRODUCTS_AT = 40, /* the length that products are told for */
    WORK = 1 << 20    /* of looking at combinations of lengths: a fraction of a second */
};

/* Of drawing derivations: a second or two. */
static const double DRAWN = 6e8;

/* ---- Lengths and messages -------------------------------------------------------------------- */

void tz_checking_set_lengths(tz_checking *check, int32_t n) {
    const tz_rules *rules = check->rules;
    unsigned running = tz_running_length(rules);
    for (unsigned l = 0; l < rules->lengths; l++)
        check->lengths[l] = l == running                ? n
                            : check->chosen != NULL     ? check->chosen[l]
                            : tz_is_label_set(rules, l) ? TZ_CHECK_LABELS
                                                        : n;
    tz_put_named_lengths(check->named, rules, check->lengths);
    check->lengths[running] = n;
}

void tz_checking_broken(tz_checking *check, tz_status status, const tz_error *opt_error) {
    bool told = opt_error != NULL && opt_error->message[0] != '\0';
    tz_message(check->command, "%s: %s", check->rules->name,
               told ? opt_error->message : tz_status_name(status));
    check->broken = true;
}

void tz_checking_fail(tz_checking *check, const char *format, ...) {
    char text[512], lengths[TZ_LENGTHS_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    tz_lengths_text(check->rules, check->lengths, lengths, sizeof lengths);
    tz_message(check->command, "%s: %s: %s", check->rules->name, lengths, text);
    check->failed = true;
}

void tz_checking_several(tz_checking *check, size_t derivations, size_t structures) {
    if (check->several)
        return;
    check->several = true;
    memcpy(check->at, check->lengths, sizeof check->at);
    if (check->rules->ambiguous)
        return;
    tz_checking_fail(check,
                     "%zu derivations of %zu structure%s: add a line `ambiguous`, or give the "
                     "weights indices that tell the derivations apart",
                     derivations, structures, structures == 1 ? "" : "s");
}

/* ---- Order and cost -------------------------------------------------------------------------- */

static void print_order(tz_checking *check) {
    size_t size = tz_rules_show(check->rules, TZ_FIGURES_ORDER, NULL, 0);
    char *text = size > 0 ? malloc(size + 1) : NULL;
    if (text == NULL) {
        tz_checking_broken(check, TZ_NO_MEMORY, NULL);
        return;
    }
    tz_rules_show(check->rules, TZ_FIGURES_ORDER, text, size + 1);
    for (char *line = text, *end; *line != '\0'; line = end + 1) {
        end = strchr(line, '\n');
        printf("%-11s%.*s\n", line == text ? "order" : "", (int)(end - line), line);
    }
    free(text);
}

/* Has the rule set items that stay where the length grows, and others then? */
static bool grows(const tz_rules *rules, unsigned l) {
    for (unsigned k = 0; k < rules->kinds; k++)
        for (uint32_t c = 0; c < rules->kind[k].domain.count && rules->kind[k].anew[l] == 0; c++)
            if (rules->kind[k].domain.at[c].form.length[l] != 0)
                return true;
    return false;
}

/* Is it its own rules that keep the kind from staying, and not those of what they read? */
static bool is_first_anew(const tz_rules *rules, unsigned k, unsigned l) {
    const tz_kind *kind = &rules->kind[k];
    bool first = kind->anew[l] != 0;
    for (unsigned s = kind->inside; s < (unsigned)kind->inside + kind->insides; s++)
        for (unsigned t = 0; t < rules->step[s].terms; t++) {
            const tz_term *term = &rules->step[s].term[t];
            if (term->what == TZ_INSIDE && term->which != k &&
                rules->step[s].rule + 1u == kind->anew[l])
                first &= rules->kind[term->which].anew[l] == 0;
        }
    return first;
}

/* In which lengths a chart grows, and at what cost; what is computed anew, or prevents it. */
static void print_growth(tz_checking *check) {
    const tz_rules *rules = check->rules;
    const char *title = "grows";
    for (unsigned l = 0; l < rules->lengths; l++) {
        if (tz_is_label_set(rules, l))
            continue;
        char degree[512];
        unsigned first = 0;
        while (first < rules->kinds && !is_first_anew(rules, first, l))
            first++;
        if (first == rules->kinds) /* each of some needs another of them */
            for (first = 0; first < rules->kinds && rules->kind[first].anew[l] == 0;)
                first++;
        const tz_rule *rule =
            first < rules->kinds ? &rules->rule[rules->kind[first].anew[l] - 1] : NULL;
        printf("%-11s%sin %s", title, grows(rules, l) ? "" : "not ", rules->length_name[l]);
        title = "";
        tz_status status = tz_rules_degree_of_one_more(rules, l, degree, sizeof degree);
        if (status != TZ_OK && status != TZ_TOO_LARGE)
            tz_checking_broken(check, status, NULL);
        if (grows(rules, l))
            printf(": %s for one more", status == TZ_OK ? degree : "too large to tell");
        const char *separator = grows(rules, l) ? "; anew: " : "";
        for (unsigned k = 0; k < rules->kinds && *separator; k++)
            if (rules->kind[k].anew[l] != 0) {
                printf("%s%s", separator, rules->kind[k].name);
                separator = ", ";
            }
        if (rule != NULL)
            printf("%s rule \"%s\"", grows(rules, l) ? " because of" : ":", rule->name);
        putchar('\n');
    }
}

static void print_cost(tz_checking *check) {
    const tz_rules *rules = check->rules;
    static const char *const name[] = {"time", "space"};
    print_order(check);
    for (int space = 0; space < 2; space++) {
        char degree[512];
        tz_status status = tz_rules_degree(rules, space, degree, sizeof degree);
        if (status == TZ_OK)
            printf("%-11s%s\n", name[space], degree);
        else if (status == TZ_TOO_LARGE)
            printf("%-11stoo large to tell\n", name[space]);
        else
            tz_checking_broken(check, status, NULL);
    }
    print_growth(check);
    double products;
    char lengths[TZ_LENGTHS_TEXT];
    tz_checking_set_lengths(check, PRODUCTS_AT);
    tz_lengths_text(rules, check->lengths, lengths, sizeof lengths);
    tz_status status = tz_rules_products(rules, check->lengths, &products);
    if (status == TZ_OK)
        printf("%-11s%.0f at %s\n", "products", products, lengths);
    else if (status == TZ_TOO_LARGE)
        printf("%-11stoo many to count at %s\n", "products", lengths);
    else
        tz_checking_broken(check, status, NULL);
}

/* ---- Which lengths? -------------------------------------------------------------------------- */

/* All combinations of small lengths, where those that are named stay as they are. */
static void explore(tz_checking *check) {
    tz_small_named_lengths(check->rules, check->named, &check->where);
    check->where.work = WORK;
    tz_status status = tz_explore(check->rules, &check->where, check->used, &check->explored);
    if (status != TZ_OK)
        tz_checking_broken(check, status, NULL);
}

/* Marks the rules in derivations of the lengths that the table of `count` lines has; false: some of
 * them are too much. */
static bool mark_equal(tz_checking *check, bool *used, size_t *ret_most) {
    *ret_most = 0;
    for (int32_t n = 0; n <= TZ_CHECK_LONGEST; n++) {
        size_t trials = WORK, derivations;
        tz_checking_set_lengths(check, n);
        tz_status status =
            tz_enumerate_rules(check->rules, check->lengths, SIZE_MAX, &trials, used, &derivations);
        if (status == TZ_NO_MEMORY)
            tz_checking_broken(check, status, NULL);
        if (status != TZ_OK)
            return false;
        *ret_most = derivations > *ret_most ? derivations : *ret_most;
    }
    return true;
}

/* Has the combination that tells most a rule of the file in its derivations that is in none of
 * equal lengths, or two derivations where these have but one? equal, telling: [rules] */
static bool tells_more(tz_checking *check, bool *equal, bool *telling) {
    const tz_rules *rules = check->rules;
    size_t most, derivations, trials = WORK;
    if (!mark_equal(check, equal, &most) ||
        tz_enumerate_rules(rules, check->explored.telling, SIZE_MAX, &trials, telling,
                           &derivations) != TZ_OK)
        return false;
    bool more = most <= 1 && derivations > 1;
    for (unsigned r = 0, same; r < rules->rule_count;) {
        same = r;
        more |= tz_any_used(rules, telling, &r) && !tz_any_used(rules, equal, &same);
    }
    return more;
}

/* Of the lengths that do not run, those of a combination that shows more, or NULL. */
static const int32_t *choose(tz_checking *check) {
    const tz_rules *rules = check->rules;
    bool *used = rules->lengths > 1 ? calloc(rules->rule_count, 2 * sizeof *used) : NULL;
    if (rules->lengths == 1)
        return NULL;
    if (used == NULL) {
        tz_checking_broken(check, TZ_NO_MEMORY, NULL);
        return NULL;
    }
    bool more = tells_more(check, used, used + rules->rule_count);
    for (unsigned r = 0; r < rules->rule_count; r++)
        check->used[r] |= used[r];
    free(used);
    return more ? check->explored.telling : NULL;
}

/* ---- What was found -------------------------------------------------------------------------- */

/* Those up to which all combinations were looked at. */
static void reach_text(const tz_checking *check, char *ret_text, size_t size) {
    const tz_rules *rules = check->rules;
    int32_t reach = check->explored.reach;
    char lengths[TZ_LENGTHS_TEXT];
    if (rules->lengths == 1 && check->reached > reach) {
        reach = check->reached;
        tz_lengths_text(rules, &reach, lengths, sizeof lengths);
    } else {
        tz_reached_text(rules, &check->where, reach, lengths, sizeof lengths);
    }
    if (reach < 0)
        snprintf(ret_text, size, "in the table");
    else
        snprintf(ret_text, size, "up to %s%s", lengths,
                 check->reached > reach ? " and in the table" : "");
}

/* What was drawn beyond the lengths that were enumerated. */
static void print_drawn(const tz_checking *check) {
    const tz_rules *rules = check->rules;
    char lengths[TZ_LENGTHS_TEXT];
    tz_lengths_text(rules, check->drawn.reach, lengths, sizeof lengths);
    if (check->drawn.derivations > 0)
        printf("%-11s%zu derivation%s at random, with lengths up to %s: each is a structure of its "
               "own\n",
               "drawn", check->drawn.derivations, check->drawn.derivations == 1 ? "" : "s",
               lengths);
    else
        printf("%-11snone of longer ones: %s\n", "drawn",
               tz_has_sides(rules)      ? "there are side conditions"
               : tz_has_closures(rules) ? "there are closures"
                                        : "there are none, or they take too much");
}

static void print_ambiguous(tz_checking *check, const char *reach) {
    const tz_rules *rules = check->rules;
    const tz_explored *explored = &check->explored;
    size_t most = check->most > explored->derivations ? check->most : explored->derivations;
    printf("\n%-11s", "ambiguous");
    if (rules->derivations)
        printf("no: by `structures derivations`, every derivation is a structure of its own\n");
    else if (check->several)
        printf("yes: some structure has several derivations\n");
    else if (explored->circles)
        printf("not known: derivations that go round are not enumerated; if each counts, write "
               "`structures derivations`\n");
    else if (check->reached < 0 && explored->reach < 0)
        printf("not known: too much to enumerate even at %s = 0\n", rules->length_name[0]);
    else if (most <= 1 && !check->drawn.several)
        printf("not known: %s no lengths have more than one derivation; give others by -n\n",
               reach);
    else
        printf("no: %s, every derivation is a structure of its own\n", reach);
    if (!rules->derivations && !check->several && !explored->circles)
        print_drawn(check);
}

static void print_findings(tz_checking *check, int32_t length) {
    const tz_rules *rules = check->rules;
    char reach[TZ_LENGTHS_TEXT + 32];
    reach_text(check, reach, sizeof reach);
    print_ambiguous(check, reach);
    if (check->counted < length)
        printf("%-11sby the engine, too much to count from %s = %ld on\n", "not done",
               rules->length_name[tz_running_length(rules)], (long)check->counted + 1);
    for (unsigned r = 0; r < rules->resources && !check->failed && check->reached >= 0; r++) {
        char total[TZ_TERM_TEXT];
        const tz_resource *resource = &rules->resource[r];
        if (resource->other < 0)
            continue;
        tz_form_text(&resource->total, rules->length_name, NULL, total, sizeof total);
        printf("%-11s%s = %s - %s in every derivation up to %s = %ld\n", "resources",
               resource->name, total, rules->resource[resource->other].name,
               rules->length_name[tz_running_length(rules)], (long)check->reached);
    }
    if (rules->ambiguous && !check->several && check->named->count == 0 &&
        check->explored.reach == TZ_CHECK_LONGEST) {
        tz_message(check->command,
                   "%s: `ambiguous` is declared, but %s no structure has several derivations: "
                   "remove the line",
                   rules->name, reach);
        check->failed = true;
    }
}

/* Of derivations that no table showed; and, where none of these tells, of longer ones. */
static void look_further(tz_checking *check) {
    const tz_rules *rules = check->rules;
    const tz_explored *explored = &check->explored;
    if (explored->ambiguous) {
        memcpy(check->lengths, explored->at, sizeof check->lengths);
        tz_checking_several(check, explored->counted, explored->structures);
    }
    if (check->several || rules->derivations)
        return;
    tz_status status = tz_draw_derivations(rules, &check->where, explored, DRAWN, &check->drawn);
    if (status != TZ_OK)
        tz_checking_broken(check, status, NULL);
    if (!check->drawn.ambiguous)
        return;
    memcpy(check->lengths, check->drawn.pair.lengths, sizeof check->lengths);
    tz_checking_several(check, 2, 1);
}

/* Two derivations of a structure, as far as they are found again. */
static void print_pair(tz_checking *check) {
    const tz_rules by_place = tz_rules_by_place(check->rules);
    tz_pair pair = check->drawn.pair;
    tz_trial trial;
    tz_status status = TZ_OK;
    check->drawn.pair = (tz_pair){.uses = 0};
    if (!check->drawn.ambiguous) {
        status = tz_trial_make(&by_place, check->at, &trial);
        if (status == TZ_OK)
            status = tz_pair_find(&trial, NULL, 0, &pair);
        tz_trial_free(&trial);
    }
    if (status == TZ_OK)
        status = tz_check_print_pair(check->rules, &pair);
    if (status == TZ_NO_MEMORY)
        tz_checking_broken(check, status, NULL);
    tz_pair_free(&pair);
}

/* ---- The whole ------------------------------------------------------------------------------- */

static bool names_others(const tz_checking *check) {
    const tz_rules *rules = check->rules;
    bool others = false;
    for (unsigned l = 0; l < rules->lengths; l++)
        others |= l != tz_running_length(rules) &&
                  tz_named_length(check->named, rules->length_name[l]) >= 0;
    return others;
}

static void run_check(tz_checking *check, int32_t length) {
    const tz_rules *rules = check->rules;
    tz_error error = {TZ_OK, ""};
    printf("%s\n\n", rules->name);
    explore(check);
    const int32_t *chosen = check->broken ? NULL : choose(check);
    check->chosen = chosen;
    if (!check->broken)
        print_cost(check);
    check->chosen = NULL;
    check->as_declared = !names_others(check);
    tz_status status = tz_counter_init(&check->counter, rules, &error);
    if (status != TZ_OK)
        tz_checking_broken(check, status, &error);
    if (!check->broken)
        tz_check_table(check, length);
    check->chosen = chosen;
    if (!check->broken && chosen != NULL) {
        check->as_declared = false;
        tz_check_table(check, length);
    }
    if (check->broken)
        return;
    look_further(check);
    print_findings(check, length);
    if (check->several && !rules->ambiguous)
        print_pair(check);
    tz_check_warn(check);
}

int tz_check_declared(const char *command, const char *file, const tz_rules *rules, int32_t length,
                      const tz_named_lengths *named) {
    tz_checking check = {.command = command, .file = file, .rules = rules, .named = named};
    check.used = calloc(rules->rule_count, sizeof *check.used);
    if (check.used != NULL)
        run_check(&check, length);
    else
        tz_checking_broken(&check, TZ_NO_MEMORY, NULL);
    tz_counter_free(&check.counter);
    tz_drawn_free(&check.drawn);
    free(check.used);
    return check.failed || check.broken ? TZ_EXIT_INPUT : 0;
}
