/* random_rules.c - random rule files. SPDX-License-Identifier: MIT */
#include "random_rules.h"
#include "own.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "random_rule.h"
#include "rules/read/reader.h"
#include "rules/tell/enumerate.h"

enum { ATTEMPTS = 25, GOALS = 6 };

static void put_declared(rules_text *to, const char *what, const declared *d) {
    put_text(to, "%-7s %s", what, d->name);
    for (unsigned q = 0; q < d->rank; q++)
        put_text(to, "%s%s", q == 0 ? "[" : ",", index_name[q]);
    put_text(to, "%s%s %s\n", d->rank > 0 ? "]" : "", d->sparse ? " sparse" : "", d->domain.at);
}

static void put_file(const generator *g, const char *goal, const char *rules, rules_text *to) {
    static const char *const lengths[] = {"n", "n, m", "n, m, T"};
    to->size = 0;
    put_text(to, "rules   random\nambiguous\nlength  %s\n", lengths[g->lengths - 1]);
    static const char *const inputs[INPUTS][2] = {
        {"gx[i]", "-2 <= i <= n+2"}, {"gy[i,j]", "-1 <= i <= n, 0 <= j <= n, i != 1"}, {"gz", ""}};
    for (unsigned i = 0; i < INPUTS; i++)
        if (g->given[i] || g->left_over)
            put_text(to, "input   %s <= %s %s\n", inputs[i][0], g->label, inputs[i][1]);
    static const char *const relations[RELATIONS] = {"rel0[u] (0) (2)",
                                                     "rel1[u,v] (0,0) (1,2) (2,1)"};
    for (unsigned i = 0; i < RELATIONS; i++)
        if (g->asked[i] || g->left_over)
            put_text(to, "relation %s\n", relations[i]);
    for (unsigned w = 0; w < g->weights; w++)
        if (g->weight[w].used || g->left_over)
            put_declared(to, "weight", &g->weight[w]);
    for (unsigned i = 0; i < g->items; i++)
        put_declared(to, "item", &g->item[i]);
    put_text(to, "%s", g->left_over ? "item    gone[i] 0 <= i <= n\nitem    idle\n" : "");
    for (unsigned i = 0, closures = 0; i < g->items; i++)
        if (g->item[i].closure)
            put_text(to, "%s%s", closures++ == 0 ? "closure " : ", ", g->item[i].name);
    put_text(to, "%sgoal    %s\n\n%s", g->closed ? "\n" : "", goal, rules);
    if (!g->left_over)
        return;
    put_text(to, "    gone[i-1]  [%s", g->item[0].name);
    for (unsigned q = 0; q < g->item[0].rank; q++)
        put_text(to, "%s_%u", q == 0 ? "[" : ",", q);
    put_text(to, "%s]\n    ----------- gone\n    gone[i]\n", g->item[0].rank > 0 ? "]" : "");
}

static int count_derivations(void *user, const tz_enum_use *uses, size_t count) {
    (void)uses;
    (void)count;
    ++*(size_t *)user;
    return 0;
}

/* Reads the file: the reader's message, and how many derivations its goal has for some lengths. */
static size_t read_file(const rules_text *text, tz_error *ret_error) {
    tz_rules rules = {.arena = tz_arena_new()};
    int32_t lengths[TZ_MAX_LENGTHS] = {3, 3, 2};
    size_t count = 0;
    *ret_error = (tz_error){TZ_OK, ""};
    if (rules.arena == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    if (tz_read_rules("", text->at, text->size, &rules, ret_error) == TZ_OK)
        tz_enumerate(&rules, lengths, 2000, count_derivations, &count);
    tz_arena_free(rules.arena);
    return count;
}

static void any_goal(generator *g, line *to) {
    const declared *d = &g->item[chance(g, 60) ? g->items - 1 : below(g, g->items)];
    expression index[TZ_MAX_RANK];
    for (unsigned q = 0; q < d->rank; q++)
        if (chance(g, d->label[q] ? 90 : q == 0 && d->rank > 1 ? 60 : 20))
            set(index[q], "%d", (int)below(g, 3) - (!d->label[q] && chance(g, 20)));
        else
            add_constant(index[q], d->label[q] ? g->label : "n", -(int)below(g, 3));
    to->size = 0;
    put_term(to, d, index);
}

/* Does the reader think that the rule can apply, and its declarations hold something? */
static bool usable(generator *g, rule *r, rules_text *scratch) {
    rules_text *only = malloc(sizeof *only);
    bool used[MOST], given[INPUTS], asked[RELATIONS];
    tz_error error;
    if (only == NULL)
        exit(1);
    for (unsigned w = 0; w < MOST; w++)
        used[w] = g->weight[w].used;
    memcpy(given, g->given, sizeof given);
    memcpy(asked, g->asked, sizeof asked);
    line goal = {.size = 0};
    only->size = 0;
    add_rule(g, only, r, 0);
    any_goal(g, &goal);
    put_file(g, goal.at, only->at, scratch);
    read_file(scratch, &error);
    for (unsigned w = 0; w < MOST; w++)
        g->weight[w].used = used[w];
    memcpy(g->given, given, sizeof given);
    memcpy(g->asked, asked, sizeof asked);
    free(only);
    return strstr(error.message, "rule \"") == NULL ||
           (strstr(error.message, "can never apply") == NULL &&
            strstr(error.message, "bound: ") == NULL);
}

static bool empty_domain(const declared *d, rules_text *scratch) {
    tz_error error;
    scratch->size = 0;
    put_text(scratch, "rules r\nlength n, m, T\n");
    put_declared(scratch, "item", d);
    put_text(scratch, "goal %s\n    axiom\n    --- r\n    %s\n", d->name, d->name);
    read_file(scratch, &error);
    return strstr(error.message, "empty domain") != NULL;
}

static void put_rules(generator *g, rules_text *scratch) {
    rule *r = malloc(2 * sizeof *r), *old = r + 1;
    if (r == NULL)
        exit(1);
    for (unsigned i = 0; i < g->items; i++) {
        unsigned rules = 1 + below(g, 4);
        for (unsigned k = 0; k < rules; k++) {
            bool alike = g->rules > 0 && (k > 0 || old->conclusion < i) && chance(g, 25);
            bool recursive = k > 0 && chance(g, 80);
            unsigned attempts = chance(g, 2) ? 1 : ATTEMPTS;
            do {
                if (alike)
                    draw_alike(g, i, old, r);
                else
                    draw_rule(g, i, recursive, r);
            } while (!usable(g, r, scratch) && --attempts > 0);
            add_rule(g, &g->text, r, g->rules++);
            *old = *r;
        }
    }
    free(r);
}

static void make(random_state *random, bool closed, rules_text *ret) {
    static const char *const labels[] = {"n", "m", "T"};
    static const unsigned ranks[] = {0, 1, 1, 2, 2, 2, 2, 3, 3, 4};
    FREED(generator, g) = calloc(1, sizeof *g);
    if (g == NULL)
        exit(1);
    g->random = random;
    g->lengths = 1 + below(g, 3);
    g->label = labels[g->lengths - 1];
    g->measure = (measure)below(g, MEASURES);
    g->tame = chance(g, 35);
    g->inputs = chance(g, 30);
    g->sides = chance(g, 40);
    g->relations = chance(g, 20);
    g->closed = closed;
    g->items = 1 + below(g, 4);
    g->weights = 1 + below(g, 4);
    for (unsigned i = 0; i < g->items; i++)
        do
            declare(g, &g->item[i], "it", i,
                    g->measure == TRIPLE && chance(g, 70) ? 3 : ranks[below(g, 10)], 30);
        while (empty_domain(&g->item[i], ret) && !chance(g, 1));
    for (unsigned i = 0; i < g->items && closed; i++)
        g->item[i].closure = i == 0 || chance(g, 60);
    for (unsigned w = 0; w < g->weights; w++) {
        do
            declare(g, &g->weight[w], "w", w, ranks[below(g, 10)], 55);
        while (empty_domain(&g->weight[w], ret) && !chance(g, 1));
        g->weight[w].sparse = g->weight[w].rank > 0 && chance(g, 25);
    }
    put_rules(g, ret);
    line goal, best;
    size_t most = 0;
    tz_error error;
    any_goal(g, &best);
    for (unsigned attempt = 0; attempt < GOALS; attempt++) {
        any_goal(g, &goal);
        put_file(g, goal.at, g->text.at, ret);
        size_t derivations = read_file(ret, &error);
        if (derivations > most || (most == 0 && error.status == TZ_OK)) {
            most = derivations;
            best = goal;
        }
    }
    g->left_over = (random->at >> 32) % 5 == 0; /* no draw: the rest stays as it is */
    put_file(g, best.at, g->text.at, ret);
}

void make_random_rules(random_state *random, rules_text *ret) {
    make(random, false, ret);
}

void make_random_closures(random_state *random, rules_text *ret) {
    make(random, true, ret);
}
