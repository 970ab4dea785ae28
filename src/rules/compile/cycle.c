/* cycle.c - items that depend on themselves: the instances of a group's rules for small lengths as
 * a graph, searched depth first with an explicit stack. The rules are taken as they stand in the
 * file: the domain of a fold may be wider than the instances that need it.
 * SPDX-License-Identifier: MIT */
#include "rules/compile/cycle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "rules/message.h"

enum { MAX_NEEDS = 200000, MAX_STEPS = 1 << 23 /* of all walks */ };

typedef struct node {
    uint16_t item;
    int32_t index[TZ_MAX_RANK];
} node;

/* The conclusion needs the premise. */
typedef struct need {
    node conclusion, premise;
    uint16_t rule;
} need;

typedef struct graph {
    need *need; /* sorted by conclusion */
    size_t needs, capacity;
    uint64_t left; /* steps that walks may still take */
} graph;

static int compare_nodes(const node *a, const node *b) {
    if (a->item != b->item)
        return a->item < b->item ? -1 : 1;
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        if (a->index[q] != b->index[q])
            return a->index[q] < b->index[q] ? -1 : 1;
    return 0;
}

static int compare_needs(const void *a, const void *b) {
    const need *x = a, *y = b;
    int order = compare_nodes(&x->conclusion, &y->conclusion);
    if (order == 0)
        order = (x->rule > y->rule) - (x->rule < y->rule);
    return order != 0 ? order : compare_nodes(&x->premise, &y->premise);
}

static node instance(const tz_term *term, const tz_walk *walk, const int64_t *variable,
                     unsigned variables) {
    node n = {.item = term->which};
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        n.index[q] = (int32_t)tz_form_value(&term->index[q], walk->lengths, walk->length, variables,
                                            variable);
    return n;
}

static bool is_full(const graph *g) {
    return g->needs >= MAX_NEEDS || g->left == 0;
}

/* Adds a need, unless it is the one added last. */
static tz_status add_need(graph *g, const need *new) {
    if (g->needs > 0 && compare_needs(&g->need[g->needs - 1], new) == 0)
        return TZ_OK;
    void *room = g->need;
    if (!tz_grow(&room, &g->capacity, g->needs + 1, sizeof *g->need))
        return TZ_NO_MEMORY;
    g->need = room;
    g->need[g->needs++] = *new;
    return TZ_OK;
}

/* Adds the needs of one rule for these lengths. */
static tz_status add_rule(const tz_draft *draft, unsigned r, const bool *member,
                          const int32_t *lengths, graph *g) {
    tz_system system;
    tz_arena *arena = tz_arena_new();
    if (arena == NULL)
        return TZ_NO_MEMORY;
    tz_draft_step step;
    tz_nest nest;
    tz_status status = tz_rule_step(draft, &draft->rules->rule[r], arena, &step);
    if (status == TZ_OK)
        status = tz_step_system(draft, &step, 0, &system);
    if (status == TZ_OK) {
        status = tz_nest_build(&system, NULL, arena, &nest);
        tz_system_free(&system);
    }
    if (status != TZ_OK) {
        tz_arena_free(arena);
        return status == TZ_NONE ? TZ_OK : status;
    }
    tz_domain constraints = {step.constraint, step.constraints};
    tz_walk walk;
    tz_walk_start(&walk, &nest, draft->rules->lengths, lengths, NULL);
    walk.left = g->left;
    while (status == TZ_OK && !is_full(g) && tz_walk_next(&walk)) {
        int64_t variable[TZ_MAX_VARIABLES];
        for (unsigned v = 0; v < step.variables; v++)
            variable[v] = tz_walk_variable(&walk, v);
        if (!tz_domain_holds(&constraints, walk.lengths, lengths, step.variables, variable))
            continue;
        for (unsigned t = 0; t < step.terms && status == TZ_OK; t++) {
            if (step.term[t].what != TZ_INSIDE || !member[step.term[t].which] ||
                (tz_is_closure(draft, step.term[t].which) &&
                 tz_is_closure(draft, step.target.which)))
                continue;
            need new = {instance(&step.target, &walk, variable, step.variables),
                        instance(&step.term[t], &walk, variable, step.variables), step.rule};
            status = add_need(g, &new);
        }
    }
    g->left = walk.left;
    tz_arena_free(arena);
    return status;
}

/* The first need of a node, or g->needs. */
static size_t first_need(const graph *g, const node *n) {
    size_t low = 0, high = g->needs;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_nodes(&g->need[middle].conclusion, n) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->needs && compare_nodes(&g->need[low].conclusion, n) == 0 ? low : g->needs;
}

static size_t put(char *text, size_t size, size_t used, const char *more) {
    size_t length = strlen(more);
    if (used + length >= size)
        return used;
    memcpy(text + used, more, length + 1);
    return used + length;
}

/* What else would mend a cycle: nothing, where it goes through side conditions. */
static void name_closure(const tz_rules *rules, const graph *g, const size_t *path, size_t count,
                         char *text, size_t size) {
    bool named[TZ_MAX_KINDS] = {false};
    size_t used = put(text, size, 0, ", or let them need one another: write `closure ");
    for (size_t p = 0, names = 0; p < count; p++) {
        const need *need = &g->need[path[p]];
        if (rules->rule[need->rule].sides > 0) {
            text[0] = '\0';
            return;
        }
        if (named[need->conclusion.item])
            continue;
        named[need->conclusion.item] = true;
        used = put(text, size, used, names++ > 0 ? ", " : "");
        used = put(text, size, used, rules->item[need->conclusion.item].name);
    }
    put(text, size, used, "`");
}

/* path[0..count): needs, each premise the next one's conclusion, the last premise the first's. */
static tz_status report(tz_draft *draft, const graph *g, const size_t *path, size_t count,
                        int length) {
    const tz_rules *rules = draft->rules;
    char text[700] = "";
    size_t used = 0;
    for (size_t p = 0; p <= count; p++) {
        const need *need = &g->need[path[p % count]];
        const tz_item *item = &rules->item[need->conclusion.item];
        char part[256];
        size_t n = (size_t)snprintf(part, sizeof part, "%s%s%s", p > 0 ? " <- " : "", item->name,
                                    item->rank > 0 ? "[" : "");
        for (unsigned q = 0; q < item->rank && n < sizeof part; q++)
            n += (size_t)snprintf(part + n, sizeof part - n, "%s%d%s", q > 0 ? "," : "",
                                  (int)need->conclusion.index[q], q + 1 == item->rank ? "]" : "");
        used = put(text, sizeof text, used, part);
        if (p < count) {
            snprintf(part, sizeof part, " (%s)", rules->rule[need->rule].name);
            used = put(text, sizeof text, used, part);
        }
    }
    const tz_rule *rule = &rules->rule[g->need[path[0]].rule];
    char closure[300] = "";
    name_closure(rules, g, path, count, closure, sizeof closure);
    return tz_bad_rules(draft->error, draft->file, rule->line, 1,
                        "rule \"%s\" is cyclic: with every length %d, %s; make a domain or an `if` "
                        "exclude one of these instances%s",
                        rule->name, length, text, closure);
}

static tz_status search(tz_draft *draft, const graph *g, int length) {
    enum { WHITE, GREY, BLACK };
    /* A node is known by its first need; leaves have none and cannot be on a cycle. */
    char *colour = calloc(g->needs + 1, 1);
    size_t *path = calloc(g->needs + 1, sizeof *path);
    tz_status status = colour == NULL || path == NULL ? TZ_NO_MEMORY : TZ_OK;
    for (size_t root = 0; status == TZ_OK && root < g->needs; root++) {
        size_t first = first_need(g, &g->need[root].conclusion), depth = 0;
        if (root != first || colour[first] != WHITE)
            continue;
        path[depth++] = first;
        colour[first] = GREY;
        while (depth > 0 && status == TZ_OK) {
            size_t at = path[depth - 1];
            size_t next = first_need(g, &g->need[at].premise);
            if (next < g->needs && colour[next] == GREY) {
                size_t begin = depth;
                while (begin > 0 && first_need(g, &g->need[path[begin - 1]].conclusion) != next)
                    begin--;
                status = report(draft, g, path + begin - 1, depth - begin + 1, length);
                break;
            }
            if (next < g->needs && colour[next] == WHITE) {
                colour[next] = GREY;
                path[depth++] = next;
                continue;
            }
            /* The premise is done: on to the next need of this node, or of one below it. */
            for (;;) {
                at = path[depth - 1];
                if (at + 1 < g->needs &&
                    compare_nodes(&g->need[at + 1].conclusion, &g->need[at].conclusion) == 0) {
                    path[depth - 1] = at + 1;
                    break;
                }
                colour[first_need(g, &g->need[at].conclusion)] = BLACK;
                if (--depth == 0)
                    break;
            }
        }
    }
    free(colour);
    free(path);
    return status;
}

tz_status tz_find_cycle(tz_draft *draft, const uint16_t *kind, unsigned kinds, int from, int to) {
    bool member[TZ_MAX_KINDS] = {false};
    for (unsigned k = 0; k < kinds; k++)
        member[kind[k]] = true;
    tz_status status = TZ_OK;
    uint64_t left = MAX_STEPS;
    for (int length = from; length <= to && status == TZ_OK; length++) {
        int32_t lengths[TZ_MAX_LENGTHS];
        for (unsigned l = 0; l < TZ_MAX_LENGTHS; l++)
            lengths[l] = length;
        graph g = {.left = left};
        for (unsigned r = 0; r < draft->rules->rule_count && status == TZ_OK && !is_full(&g); r++)
            if (member[draft->rules->rule[r].conclusion.which])
                status = add_rule(draft, r, member, lengths, &g);
        if (status == TZ_OK && g.needs > 0) {
            qsort(g.need, g.needs, sizeof *g.need, compare_needs);
            status = search(draft, &g, length);
        }
        free(g.need);
        left = g.left;
    }
    return status;
}
