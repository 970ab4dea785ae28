/* random_rules.c - random rule files. SPDX-License-Identifier: MIT */
#include "random_rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "random_parts.h"
#include "rules/read/reader.h"
#include "rules/tell/enumerate.h"

enum { ATTEMPTS = 25, GOALS = 6 };

typedef struct rule {
    scope scope;
    unsigned conclusion;
    expression of[TZ_MAX_RANK]; /* indices of the conclusion */
    line premises, weights, condition;
    bool uses[MOST];    /* which weights */
    bool gives[INPUTS]; /* which inputs */
} rule;

/* An expression below x (above, if not `up`); or x itself, if it may stay. */
static void move(generator *g, rule *r, const char *x, bool up, bool stay, expression to) {
    if (stay && chance(g, 35)) {
        set(to, "%s", x);
    } else if (chance(g, 55)) {
        set(to, "%s%s%u", x, up ? "-" : "+", 1 + below(g, 2));
    } else {
        const char *k = new_variable(&r->scope, false);
        put(&r->condition, "%s%s %s%s %s", comma(&r->condition), k, up ? "<" : ">", stay ? "=" : "",
            x);
        set(to, "%s", k);
    }
}

/* ---- Rules --------------------------------------------------------------------------------------
 */

static void put_term(line *to, const declared *d, expression *index) {
    put(to, "%s", d->name);
    for (unsigned q = 0; q < d->rank; q++)
        put(to, "%s%s", q == 0 ? "[" : ",", index[q]);
    put(to, "%s", d->rank > 0 ? "]" : "");
}

/* Can the item be measured, so that rules may recur through it? */
static bool measured(const generator *g, const declared *d) {
    bool pair = g->measure == WIDTH || g->measure == SUM || g->measure == PAIR;
    if (g->measure == CHANCE ||
        d->rank < (pair                   ? 2u
                   : g->measure == TRIPLE ? 3u
                                          : 1u) ||
        d->label[0])
        return false;
    if (g->measure == TRIPLE)
        return !d->label[1] && !d->label[2];
    return !(pair && d->label[1]) && !(g->measure == LAST_GROWS && d->label[d->rank - 1]);
}

/* A number of an input as the index of a weight: each is used once at least, or not declared. */
static void put_number(generator *g, scope *s, bool *used, expression to) {
    expression first, second;
    unsigned input = below(g, INPUTS);
    used[input] = true;
    any_index(g, s, false, 15, first);
    any_index(g, s, false, 15, second);
    switch (input) {
    case 0:
        set(to, "gx[%s]", first);
        break;
    case 1:
        set(to, "gy[%s,%s]", first, second);
        break;
    default:
        set(to, "gz");
    }
}

/* Indices of a premise that is smaller than the conclusion, or not larger if it may stay. */
static void measured_indices(generator *g, rule *r, const declared *premise, bool stay,
                             expression *to) {
    const char *x = r->of[0], *y = r->of[1];
    switch (g->measure) {
    case FIRST_GROWS:
        move(g, r, x, true, stay, to[0]);
        break;
    case FIRST_SHRINKS:
        move(g, r, x, false, stay, to[0]);
        break;
    case LAST_GROWS:
        move(g, r, r->of[g->item[r->conclusion].rank - 1], true, stay, to[premise->rank - 1]);
        break;
    case SUM:
        move(g, r, x, true, stay, to[0]);
        move(g, r, y, true, true, to[1]);
        if (chance(g, 30)) {
            set(to[0], "%s+1", x);
            set(to[1], "%s-2", y);
        }
        break;
    case PAIR:
        if (chance(g, 50)) {
            move(g, r, x, true, false, to[0]);
        } else {
            set(to[0], "%s", x);
            move(g, r, y, true, stay, to[1]);
        }
        break;
    case TRIPLE:
        set(to[0], "%s", x);
        set(to[2], "%s", r->of[2]);
        if (chance(g, 35))
            move(g, r, x, false, false, to[0]);
        else if (chance(g, 50))
            move(g, r, r->of[2], true, false, to[2]);
        else
            move(g, r, y, true, stay, to[1]);
        break;
    case MIRRORED: {
        bool up = (r->conclusion & 1) == 0, turned = ((unsigned)(premise - g->item) & 1) == up;
        if (turned)
            set(to[0], stay && chance(g, 40) ? "n-%s" : up ? "n-%s+1" : "n-%s-1", x);
        else
            move(g, r, x, up, stay, to[0]);
        break;
    }
    case WIDTH:
        set(to[0], "%s", x);
        set(to[1], "%s", y);
        if (chance(g, 30)) {
            set(to[0], "%s+1", x);
            set(to[1], chance(g, 50) ? "%s" : "%s-1", y);
        } else if (chance(g, 50)) {
            move(g, r, y, true, stay, to[1]);
        } else {
            move(g, r, x, false, stay, to[0]);
        }
        break;
    default:
        break;
    }
}

/* A few are side conditions. */
static void put_premise(generator *g, rule *r, const declared *d, expression *index) {
    const bool side = g->sides && chance(g, 25);
    put(&r->premises, "%s%s", r->premises.size > 0 ? "  " : "", side ? "[" : "");
    put_term(&r->premises, d, index);
    put(&r->premises, "%s", side ? "]" : "");
}

/* Two measured items that meet at a split point. */
static void put_halves(generator *g, rule *r) {
    const char *k = new_variable(&r->scope, false);
    bool touch = chance(g, 50);
    for (unsigned half = 0; half < 2; half++) {
        const declared *d = &g->item[below(g, g->items)];
        expression index[TZ_MAX_RANK];
        if (!measured(g, d))
            d = &g->item[r->conclusion];
        for (unsigned q = 2; q < d->rank; q++)
            any_index(g, &r->scope, d->label[q], 35, index[q]);
        if (half == 0)
            set(index[0], "%s", r->of[0]);
        else
            set(index[0], touch ? "%s" : "%s+1", k);
        set(index[1], "%s", half == 0 ? k : r->of[1]);
        put_premise(g, r, d, index);
    }
    if (touch)
        put(&r->condition, "%s%s < %s, %s < %s", comma(&r->condition), r->of[0], k, k, r->of[1]);
}

/* An item of a closure that may stand where the conclusion does, but for labels mostly. */
static void put_circle(generator *g, rule *r) {
    const declared *to = &g->item[r->conclusion], *from = &g->item[below(g, g->items)];
    expression index[TZ_MAX_RANK];
    if (!from->closure)
        from = to;
    for (unsigned q = 0; q < from->rank; q++)
        if (q < to->rank && to->label[q] == from->label[q] &&
            !chance(g, from->label[q] || g->measure == CHANCE ? 60 : 8))
            set(index[q], "%s", r->of[q]);
        else
            any_index(g, &r->scope, from->label[q], 60, index[q]);
    put_premise(g, r, from, index);
}

static void put_premises(generator *g, rule *r, bool recursive) {
    if (recursive && g->item[r->conclusion].closure && chance(g, 60)) {
        put_circle(g, r);
        return;
    }
    unsigned c = r->conclusion, premises = chance(g, 35) ? 0 : 1 + below(g, 2);
    recursive = recursive && (g->measure == CHANCE || measured(g, &g->item[c]));
    if (recursive && g->measure == WIDTH && chance(g, 55)) {
        put_halves(g, r);
        premises = below(g, 4) == 0;
    } else if (recursive) {
        premises = 1 + below(g, 2) + below(g, 2);
    }
    for (unsigned i = 0; i < premises; i++) {
        unsigned p = recursive ? below(g, g->items) : below(g, c + 1);
        expression index[TZ_MAX_RANK];
        if (p >= c && !(recursive && (g->measure == CHANCE || measured(g, &g->item[p])))) {
            if (c == 0)
                continue;
            p = below(g, c);
        }
        const declared *d = &g->item[p];
        for (unsigned q = 0; q < d->rank; q++)
            any_index(g, &r->scope, d->label[q], 40, index[q]);
        if (recursive && measured(g, d))
            measured_indices(g, r, d, p < c || (d->closure && g->item[c].closure), index);
        for (unsigned times = chance(g, 7) ? 2 : 1; times > 0; times--)
            put_premise(g, r, d, index);
    }
}

static void put_weights(generator *g, rule *r) {
    unsigned sparse = 0, indices = 0;
    for (unsigned w = 0; w < 5 && ((w == 0 && g->closed) || chance(g, 55)); w++) {
        unsigned which = below(g, g->weights);
        const declared *d = &g->weight[which];
        expression index[TZ_MAX_RANK];
        /* All combinations of the entries of sparse weights are tried: not too many. */
        sparse += d->sparse;
        indices += d->sparse ? d->rank : 0;
        if (sparse > TZ_MAX_SPARSE || indices > 5)
            break;
        r->uses[which] = true;
        for (unsigned q = 0; q < d->rank; q++)
            if (g->inputs && d->label[q] && chance(g, 60))
                put_number(g, &r->scope, r->gives, index[q]);
            else
                any_index(g, &r->scope, d->label[q], 15, index[q]);
        put(&r->weights, "  * ");
        put_term(&r->weights, d, index);
    }
}

/* May bind a variable that stands nowhere else. */
static void put_condition(generator *g, rule *r) {
    line *l = &r->condition;
    const char *x = any_variable(g, &r->scope, false, 10);
    const char *y = any_variable(g, &r->scope, false, 5);
    put(l, "%s", comma(l));
    switch (below(g, 10)) {
    case 0:
        put(l, "%s >= %u", any_length(g), below(g, 3));
        break;
    case 1:
        put(l, "%s != %u", any_length(g), below(g, 3));
        break;
    case 2:
        put(l, "%s != %s", x, x == y ? any_length(g) : y);
        break;
    case 3:
        put(l, "%s < %s", x, x == y ? any_length(g) : y);
        break;
    case 4:
        put(l, "%s <= %s-%s", x, any_length(g), y);
        break;
    case 5:
        put(l, "0 <= w%u < %s", below(g, 2), chance(g, 50) ? "2" : any_length(g));
        break;
    case 6:
        put(l, "%s = %s%+d", x, x == y ? any_length(g) : y, (int)below(g, 3) - 1);
        break;
    case 7:
        put(l, "%s != %u, %s != %s-1", x, below(g, 3), x, any_length(g));
        break;
    case 8:
        put(l, "%s <= %s", any_length(g), any_length(g));
        break;
    default:
        put(l, "-1 <= %s <= %s", x, any_length(g));
    }
}

static void draw_rule(generator *g, unsigned c, bool recursive, rule *r) {
    const declared *d = &g->item[c];
    memset(r, 0, sizeof *r);
    r->conclusion = c;
    for (unsigned q = 0; q < d->rank; q++)
        if (chance(g, recursive ? 92 : 70))
            set(r->of[q], "%s", new_variable(&r->scope, d->label[q]));
        else
            any_index(g, &r->scope, d->label[q], 50, r->of[q]);
    put_premises(g, r, recursive);
    put_weights(g, r);
    if (chance(g, 30))
        put_condition(g, r);
}

/* A rule that multiplies the same premises; it may conclude something else. */
static void draw_alike(generator *g, unsigned c, const rule *old, rule *r) {
    *r = *old;
    if (g->item[c].rank == g->item[old->conclusion].rank || chance(g, 50))
        r->conclusion = c;
    const declared *d = &g->item[r->conclusion];
    if (d->rank != g->item[old->conclusion].rank ||
        chance(g, 25)) /* other variables are summed out */
        for (unsigned q = 0; q < d->rank; q++)
            any_index(g, &r->scope, d->label[q], 10, r->of[q]);
    if (chance(g, 80)) {
        r->weights = (line){.size = 0};
        memset(r->uses, 0, sizeof r->uses);
        memset(r->gives, 0, sizeof r->gives);
        put_weights(g, r);
    }
    if (chance(g, 15))
        put_condition(g, r);
}

static void add_rule(generator *g, rules_text *to, rule *r, unsigned number) {
    line conclusion = {.size = 0};
    put_term(&conclusion, &g->item[r->conclusion], r->of);
    put_text(to, "    %s\n    ----------- r%u%s%s%s\n    %s\n\n",
             r->premises.size > 0 ? r->premises.at : "axiom", number, r->weights.at,
             r->condition.size > 0 ? "  if " : "", r->condition.at, conclusion.at);
    for (unsigned w = 0; w < g->weights; w++)
        g->weight[w].used |= r->uses[w];
    for (unsigned i = 0; i < INPUTS; i++)
        g->given[i] |= r->gives[i];
}

/* ---- Files --------------------------------------------------------------------------------------
 */

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
        if (g->given[i])
            put_text(to, "input   %s <= %s %s\n", inputs[i][0], g->label, inputs[i][1]);
    for (unsigned w = 0; w < g->weights; w++)
        if (g->weight[w].used)
            put_declared(to, "weight", &g->weight[w]);
    for (unsigned i = 0; i < g->items; i++)
        put_declared(to, "item", &g->item[i]);
    for (unsigned i = 0, closures = 0; i < g->items; i++)
        if (g->item[i].closure)
            put_text(to, "%s%s", closures++ == 0 ? "closure " : ", ", g->item[i].name);
    put_text(to, "%sgoal    %s\n\n%s", g->closed ? "\n" : "", goal, rules);
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
    bool used[MOST], given[INPUTS];
    tz_error error;
    if (only == NULL)
        exit(1);
    for (unsigned w = 0; w < MOST; w++)
        used[w] = g->weight[w].used;
    memcpy(given, g->given, sizeof given);
    line goal = {.size = 0};
    only->size = 0;
    add_rule(g, only, r, 0);
    any_goal(g, &goal);
    put_file(g, goal.at, only->at, scratch);
    read_file(scratch, &error);
    for (unsigned w = 0; w < MOST; w++)
        g->weight[w].used = used[w];
    memcpy(g->given, given, sizeof given);
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
    generator *g = calloc(1, sizeof *g);
    if (g == NULL)
        exit(1);
    g->random = random;
    g->lengths = 1 + below(g, 3);
    g->label = labels[g->lengths - 1];
    g->measure = (measure)below(g, MEASURES);
    g->tame = chance(g, 35);
    g->inputs = chance(g, 30);
    g->sides = chance(g, 40);
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
    put_file(g, best.at, g->text.at, ret);
    free(g);
}

void make_random_rules(random_state *random, rules_text *ret) {
    make(random, false, ret);
}

void make_random_closures(random_state *random, rules_text *ret) {
    make(random, true, ret);
}
