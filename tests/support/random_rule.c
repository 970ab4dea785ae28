/* random_rule.c - one rule of a random rule file. SPDX-License-Identifier: MIT */
#include "random_rule.h"

#include <string.h>

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

void put_term(line *to, const declared *d, expression *index) {
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
        const unsigned new_percent = chance(g, 12) ? 90 : 15; /* all cells, or those of a few */
        for (unsigned q = 0; q < d->rank; q++)
            if (g->inputs && d->label[q] && chance(g, 60))
                put_number(g, &r->scope, r->gives, index[q]);
            else
                any_index(g, &r->scope, d->label[q], new_percent, index[q]);
        put(&r->weights, "  * ");
        put_term(&r->weights, d, index);
    }
}

/* A variable that stands in the condition alone, between bounds that move with another mostly, or
 * two of which one bounds the other. */
static void put_free(generator *g, rule *r) {
    line *l = &r->condition;
    const char *x = any_variable(g, &r->scope, false, 5), *y = any_variable(g, &r->scope, false, 5);
    static const char *const between[] = {"1 <= f%u <= %s+1", "0 <= f%u < %s", "%s <= f%u <= n",
                                          "%s-1 <= f%u < n", "0 <= f%u <= n-%s"};
    for (unsigned f = 0; f < (chance(g, 25) ? 2u : 1u); f++) {
        const unsigned way = below(g, 7);
        put(l, "%s", comma(l));
        if (way < 5 && between[way][0] == '%')
            put(l, between[way], x, f);
        else if (way < 5)
            put(l, between[way], f, x);
        else
            put(l, "%s <= f%u <= %s", x, f, x == y ? "n" : y);
        if (f > 0)
            put(l, ", f0 %s f1", chance(g, 50) ? "<=" : "!=");
        x = y;
    }
}

/* A relation that some of its tuples, or none, have with what stands in the rule. */
static void put_relation(generator *g, rule *r) {
    const unsigned which = below(g, RELATIONS);
    expression index;
    put(&r->condition, "%srel%u", comma(&r->condition), which);
    for (unsigned q = 0; q <= which; q++) {
        any_index(g, &r->scope, r->scope.count > 0 && r->scope.label[0], 5, index);
        put(&r->condition, "%s%s", q == 0 ? "[" : ",", index);
    }
    put(&r->condition, "]");
    r->asks[which] = true;
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

void draw_rule(generator *g, unsigned c, bool recursive, rule *r) {
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
    if (chance(g, 15))
        put_free(g, r);
    if (g->relations && chance(g, 30))
        put_relation(g, r);
}

void draw_alike(generator *g, unsigned c, const rule *old, rule *r) {
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

void add_rule(generator *g, rules_text *to, rule *r, unsigned number) {
    line conclusion = {.size = 0};
    put_term(&conclusion, &g->item[r->conclusion], r->of);
    put_text(to, "    %s\n    ----------- r%u%s%s%s\n    %s\n\n",
             r->premises.size > 0 ? r->premises.at : "axiom", number, r->weights.at,
             r->condition.size > 0 ? "  if " : "", r->condition.at, conclusion.at);
    for (unsigned w = 0; w < g->weights; w++)
        g->weight[w].used |= r->uses[w];
    for (unsigned i = 0; i < INPUTS; i++)
        g->given[i] |= r->gives[i];
    for (unsigned i = 0; i < RELATIONS; i++)
        g->asked[i] |= r->asks[i];
}
