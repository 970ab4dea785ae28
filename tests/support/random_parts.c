/* random_parts.c - declarations and index expressions by chance. SPDX-License-Identifier: MIT */
#include "random_parts.h"

#include <stdarg.h>
#include <stdlib.h>

static void print(char *to, size_t room, size_t *used, const char *format, va_list arguments) {
    int wrote = vsnprintf(to + *used, room - *used, format, arguments);
    *used += wrote > 0 ? (size_t)wrote : 0;
    if (*used >= room) {
        fprintf(stderr, "a random rule file is too long\n");
        exit(1);
    }
}

void put(line *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print(to->at, sizeof to->at, &to->size, format, arguments);
    va_end(arguments);
}

void put_text(rules_text *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print(to->at, sizeof to->at, &to->size, format, arguments);
    va_end(arguments);
}

void set(expression to, const char *format, ...) {
    va_list arguments;
    size_t used = 0;
    va_start(arguments, format);
    print(to, sizeof(expression), &used, format, arguments);
    va_end(arguments);
}

const char *comma(const line *l) {
    return l->size > 0 ? ", " : "";
}

const char *const index_name[TZ_MAX_RANK] = {"x", "y", "z", "u"};

unsigned below(generator *g, unsigned n) {
    return (unsigned)random_below(g->random, n);
}

bool chance(generator *g, unsigned percent) {
    return below(g, 100) < percent;
}

const char *any_length(generator *g) {
    static const char *const name[] = {"n", "m", "T"};
    return name[below(g, g->lengths)];
}

void add_constant(expression to, const char *name, int constant) {
    if (constant == 0)
        set(to, "%s", name);
    else
        set(to, "%s%+d", name, constant);
}

/* ---- Declarations ---------------------------------------------------------------------------- */

/* The difference of two indices, or their sum, stays within a few or a length of each other. */
static void put_band(generator *g, line *l, const char *x, const char *y) {
    expression wide;
    if (chance(g, 60))
        set(wide, "%u", below(g, 3));
    else
        set(wide, "%s", any_length(g));
    if (chance(g, 75))
        put(l, ", %s <= %s+%s, %s <= %s+%s", x, y, wide, y, x, wide);
    else
        put(l, ", n <= %s+%s+%s, %s+%s <= n+%s", x, y, wide, x, y, wide);
}

/* A relation that cuts a hole or a corner off the domain. */
static void put_extra(generator *g, line *l, unsigned rank) {
    const char *x = index_name[below(g, rank)], *y = index_name[below(g, rank)];
    bool two = x != y;
    switch (below(g, 10)) {
    case 0:
        put(l, ", %s != %u", x, below(g, 3));
        break;
    case 1:
        put(l, two ? ", %s != %s" : ", %s != %s-1", x, two ? y : any_length(g));
        break;
    case 2:
        put(l, ", %s <= %s-%s", x, any_length(g), x);
        break;
    case 3:
        put(l, two ? ", %s-%s <= 2" : ", -%s <= %s", x, y);
        break;
    case 4:
        put(l, two ? ", %s+%s <= %s" : ", %s >= -%s, %s >= 0", x, y, any_length(g));
        break;
    case 5:
        put(l, two && chance(g, 30) ? ", %s = %s" : ", %s+1 >= %s-2", x, y);
        break;
    case 6:
        put(l, ", %s != %s", any_length(g), x);
        break;
    case 7:
        put(l, ", %s >= %u", any_length(g), below(g, 3));
        break;
    case 8:
        put(l, ", %s-%s != %s-1", any_length(g), x, y);
        break;
    default:
        put(l, ", %s != %s, %s != 0", x, any_length(g), x);
    }
}

void declare(generator *g, declared *d, const char *stem, unsigned number, unsigned rank,
             unsigned labels) {
    *d = (declared){.rank = rank};
    set(d->name, "%s%u", stem, number);
    line *l = &d->domain;
    bool chain = rank >= 2 && chance(g, g->measure == WIDTH ? 85 : 45);
    for (unsigned q = 0; q < rank; q++) {
        const char *x = index_name[q];
        expression high;
        d->label[q] = q >= (chain ? 2u : g->measure == CHANCE ? 0u : 1u) && chance(g, labels);
        if (chain && q == 0) {
            add_constant(high, "n", g->tame ? 0 : (int)below(g, 3) - 1);
            put(l, "%d <= x %s y <= %s", g->tame ? 0 : (int)below(g, 3) - 1,
                chance(g, 50) ? "<" : "<=", high);
        } else if (d->label[q]) {
            put(l, "%s0 <= %s <%s %s", comma(l), x, stem[0] == 'w' && g->inputs ? "=" : "",
                g->label);
        } else if ((!chain || q > 1) && chance(g, 6)) {
            put(l, "%s%s = %u", comma(l), x, below(g, 3)); /* a table of one column */
        } else if (g->tame && (!chain || q > 1)) {
            put(l, "%s%u <= %s <= n", comma(l), chance(g, 15), x);
        } else if (!chain || q > 1) {
            add_constant(high, chance(g, 80) ? "n" : any_length(g), (int)below(g, 4) - 2);
            if (chance(g, 12))
                set(high, "%u", below(g, 4));
            put(l, "%s%d <= %s <= %s", comma(l), (int)below(g, 3) - (chance(g, 10) ? 3 : 1), x,
                high);
        }
    }
    for (unsigned more = 0; more < 3 && rank > 0 && chance(g, g->tame ? 8 : 30); more++)
        put_extra(g, l, rank);
    if (rank >= 2 && chance(g, 20))
        put_band(g, l, index_name[0], index_name[rank - 1]);
}

/* ---- Index expressions ----------------------------------------------------------------------- */

const char *new_variable(scope *s, bool label) {
    static const char *const name[] = {"i", "j", "k", "l", "p", "q"};
    unsigned v = s->count < SCOPE ? s->count++ : SCOPE - 1;
    if (label)
        set(s->name[v], "a%u", v);
    else
        set(s->name[v], "%s%s", name[v % 6], v >= 6 ? "2" : "");
    s->label[v] = label;
    return s->name[v];
}

const char *any_variable(generator *g, scope *s, bool label, unsigned new_percent) {
    unsigned start = s->count > 0 ? below(g, s->count) : 0;
    bool make = chance(g, new_percent);
    for (unsigned v = 0; v < s->count && !make; v++)
        if (s->label[(start + v) % s->count] == label)
            return s->name[(start + v) % s->count];
    return new_variable(s, label);
}

void any_index(generator *g, scope *s, bool label, unsigned new_percent, expression to) {
    const char *x = any_variable(g, s, label, new_percent), *y = x;
    unsigned kind = below(g, label ? 50 : g->tame && chance(g, 70) ? 45 : 100);
    if (kind >= 80 && kind < 92)
        y = any_variable(g, s, label, new_percent / 2);
    if (kind < 45)
        set(to, "%s", x);
    else if (kind < 70)
        add_constant(to, x, (int)below(g, 5) - 2);
    else if (kind < 76)
        set(to, "%u", below(g, 3));
    else if (kind < 80)
        add_constant(to, any_length(g), (int)below(g, 3) - 2);
    else if (kind < 92)
        set(to, x == y ? "%s" : kind < 88 ? "%s-%s" : "%s+%s", x, y);
    else if (kind < 96)
        set(to, "%s-%s", any_length(g), x);
    else
        set(to, chance(g, 50) ? "-%s" : "-%s+1", x);
}
