/* nothing.c - which symbols have trees, which may be nothing, and how high trees over nothing are.
 *
 * The rule sets sum such trees by their height, up to D. Here the same sums are made, until no bit
 * changes. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "grammar/grammar.h"

enum { MOST_ROUNDS = 500 };

/* Where symbols stand on right sides: a list of entries for each symbol. */
typedef struct uses {
    int32_t *first; /* [symbols] */
    int32_t *next;  /* [2 * (unary + binary)]: of unary entry u 2 u; behind them, of binary ones */
} uses;

/* The symbols on the right of use `u`, where both entries of a unary one are the same; the left. */
static int32_t right_of(const tz_grammar *g, size_t u, int32_t right[2]) {
    const tz_entries *unary = &g->list[TZ_LIST_UNARY], *binary = &g->list[TZ_LIST_BINARY];
    const size_t entry = u / 2;
    if (entry < unary->entries) {
        right[0] = right[1] = unary->index[2 * entry + 1];
        return unary->index[2 * entry];
    }
    const int32_t *index = binary->index + 3 * (entry - unary->entries);
    right[0] = index[1];
    right[1] = index[2];
    return index[0];
}

static bool link_uses(const tz_grammar *g, uses *to) {
    const size_t symbols = g->symbols.count;
    const size_t count = 2 * (g->list[TZ_LIST_UNARY].entries + g->list[TZ_LIST_BINARY].entries);
    to->first = malloc((symbols + 1) * sizeof *to->first);
    to->next = malloc((count + 1) * sizeof *to->next);
    if (to->first == NULL || to->next == NULL || count > INT32_MAX)
        return false;
    for (size_t s = 0; s < symbols; s++)
        to->first[s] = TZ_NO_NUMBER;
    for (size_t u = 0; u < count; u++) {
        int32_t right[2];
        right_of(g, u, right);
        to->next[u] = to->first[right[u % 2]];
        to->first[right[u % 2]] = (int32_t)u;
    }
    return true;
}

/* The score of the entry of a use. */
static double score_of(const tz_grammar *g, size_t u) {
    const tz_entries *unary = &g->list[TZ_LIST_UNARY];
    return u / 2 < unary->entries ? unary->score[u / 2]
                                  : g->list[TZ_LIST_BINARY].score[u / 2 - unary->entries];
}

/* has[s]: has symbol s a tree whose leaves are entries of these lists, none impossible? Each symbol
 * is looked at once. */
static bool find_trees(const tz_grammar *g, unsigned first_list, unsigned last_list, bool *has) {
    uses in = {NULL, NULL};
    size_t waiting = 0;
    int32_t *queue = malloc((g->symbols.count + 1) * sizeof *queue);
    const bool linked = link_uses(g, &in) && queue != NULL;
    for (unsigned l = first_list; linked && l <= last_list; l++)
        for (size_t e = 0; e < g->list[l].entries; e++) {
            const int32_t symbol = g->list[l].index[e * g->list[l].rank];
            if (!has[symbol] && g->list[l].score[e] > -INFINITY) {
                has[symbol] = true;
                queue[waiting++] = symbol;
            }
        }
    while (linked && waiting > 0)
        for (int32_t u = in.first[queue[--waiting]]; u != TZ_NO_NUMBER; u = in.next[u]) {
            int32_t right[2];
            const int32_t left = right_of(g, (size_t)u, right);
            if (has[right[0]] && has[right[1]] && !has[left] &&
                score_of(g, (size_t)u) > -INFINITY) {
                has[left] = true;
                queue[waiting++] = left;
            }
        }
    free(queue);
    free(in.first);
    free(in.next);
    return linked;
}

/* Entries that no tree uses become impossible. */
static void leave_out(tz_grammar *g, const bool *has) {
    const size_t unaries = g->list[TZ_LIST_UNARY].entries;
    for (size_t e = 0; e < unaries + g->list[TZ_LIST_BINARY].entries; e++) {
        int32_t right[2];
        right_of(g, 2 * e, right);
        if (has[right[0]] && has[right[1]])
            continue;
        if (e < unaries)
            g->list[TZ_LIST_UNARY].score[e] = -INFINITY;
        else
            g->list[TZ_LIST_BINARY].score[e - unaries] = -INFINITY;
    }
}

/* ---- The lists ------------------------------------------------------------------------------- */

static tz_status add_again(tz_grammar *g, const bool *null) {
    const size_t entries = g->list[TZ_LIST_BINARY].entries;
    tz_status status = TZ_OK;
    for (size_t e = 0; status == TZ_OK && e < entries; e++) {
        const tz_entries *binary = &g->list[TZ_LIST_BINARY];
        const int32_t *index = binary->index + 3 * e;
        if (null[index[2]])
            status = tz_grammar_add(g, TZ_LIST_BEFORE, index, binary->score[e], binary->rule[e]);
        if (status == TZ_OK && null[index[1]])
            status = tz_grammar_add(g, TZ_LIST_AFTER, index, binary->score[e], binary->rule[e]);
    }
    return status;
}

/* ---- The height ------------------------------------------------------------------------------ */

typedef struct sums {
    double *now,
        *then;      /* [symbols] trees over nothing, by at most `height` rules one above another */
    bool *is, *was; /* is there any? A small one may be 0 as a number */
    size_t *use;    /* those uses of which all symbols may be nothing */
    size_t uses;
} sums;

/* One round: the sums of trees that are one rule higher. The first symbol that changes, or
 * TZ_NO_NUMBER. */
static int32_t grow_trees(const tz_grammar *g, sums *s) {
    const tz_entries *nothing = &g->list[TZ_LIST_NOTHING], *unary = &g->list[TZ_LIST_UNARY];
    const tz_entries *binary = &g->list[TZ_LIST_BINARY];
    const size_t symbols = g->symbols.count;
    memcpy(s->then, s->now, symbols * sizeof *s->now);
    memcpy(s->was, s->is, symbols * sizeof *s->is);
    memset(s->now, 0, symbols * sizeof *s->now);
    for (size_t e = 0; e < nothing->entries; e++) {
        s->now[nothing->index[e]] = exp(nothing->score[e]);
        s->is[nothing->index[e]] = true;
    }
    for (size_t u = 0; u < s->uses; u++) {
        int32_t right[2];
        const size_t entry = s->use[u] / 2;
        const int32_t left = right_of(g, s->use[u], right);
        const bool one = entry < unary->entries;
        const double score = one ? unary->score[entry] : binary->score[entry - unary->entries];
        s->now[left] += exp(score) * s->then[right[0]] * (one ? 1 : s->then[right[1]]);
        s->is[left] |= s->was[right[0]] && s->was[right[1]];
    }
    for (size_t a = 0; a < symbols; a++)
        if (s->now[a] != s->then[a] || s->is[a] != s->was[a])
            return (int32_t)a;
    return TZ_NO_NUMBER;
}

static tz_status find_height(tz_reader *r, const bool *null, sums *s) {
    tz_grammar *g = r->grammar;
    const size_t count = g->list[TZ_LIST_UNARY].entries + g->list[TZ_LIST_BINARY].entries;
    int32_t changed;
    for (size_t e = 0; e < count; e++) {
        int32_t right[2];
        right_of(g, 2 * e, right);
        if (null[right[0]] && null[right[1]])
            s->use[s->uses++] = 2 * e;
    }
    grow_trees(g, s);
    for (g->parts.height = 0; (changed = grow_trees(g, s)) != TZ_NO_NUMBER; g->parts.height++)
        if (g->parts.height == MOST_ROUNDS || !isfinite(s->now[changed]))
            return tz_fail(r->error, TZ_DIVERGES,
                           "%s:%u:%u: %s is nothing in ways without end, whose weights do not sum "
                           "within %d rules above one another: give its rules smaller weights, or "
                           "leave out one by which it contains itself",
                           r->name, g->symbol[changed].line, g->symbol[changed].column,
                           g->symbols.name[changed], MOST_ROUNDS);
    return TZ_OK;
}

tz_status tz_grammar_nothing(tz_reader *r) {
    tz_grammar *g = r->grammar;
    const size_t symbols = g->symbols.count + 1;
    const size_t entries = g->list[TZ_LIST_UNARY].entries + g->list[TZ_LIST_BINARY].entries;
    bool *null = calloc(symbols, sizeof *null), *has = calloc(symbols, sizeof *has);
    sums s = {calloc(symbols, sizeof *s.now),        calloc(symbols, sizeof *s.then),
              calloc(symbols, sizeof *s.is),         calloc(symbols, sizeof *s.was),
              malloc((entries + 1) * sizeof *s.use), 0};
    const bool there = null != NULL && has != NULL && s.now != NULL && s.then != NULL &&
                       s.is != NULL && s.was != NULL && s.use != NULL;
    tz_status status = TZ_NO_MEMORY;
    if (there && find_trees(g, TZ_LIST_WORD, TZ_LIST_NOTHING, has) &&
        find_trees(g, TZ_LIST_NOTHING, TZ_LIST_NOTHING, null)) {
        leave_out(g, has);
        status = add_again(g, null);
    }
    if (status == TZ_OK)
        status = find_height(r, null, &s);
    else
        status = tz_fail(r->error, status, "%s: %s", r->name, tz_status_name(status));
    free(null);
    free(has);
    free(s.now);
    free(s.then);
    free(s.is);
    free(s.was);
    free(s.use);
    return status;
}
