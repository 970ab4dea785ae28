/* totals.c - the sum over all trees of each symbol: the least solution of
 *
 *     total[a] = sum of word[a,v] + nothing[a] + sum of unary[a,b] total[b]
 *                + sum of binary[a,b,c] total[b] total[c]
 *
 * From 0 on, each round takes the totals as they are by now (Gauss & Seidel), in the order of the
 * entries; so they only grow, and never beyond the solution. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/modes.h"
#include "grammar/grammar.h"

enum { MOST_ROUNDS = 100000 };

/* The entries of unary and binary, by their left side: [first[a], first[a+1]) of `entry`, where
 * binary ones stand behind unary ones. */
typedef struct by_left {
    size_t *first, *entry;
    double *weight; /* of `entry`, no logs */
    double *leaf;   /* [symbols] words and nothing */
} by_left;

static const int32_t *index_of(const tz_grammar *g, size_t entry) {
    const tz_entries *unary = &g->list[TZ_LIST_UNARY];
    return entry < unary->entries ? unary->index + 2 * entry
                                  : g->list[TZ_LIST_BINARY].index + 3 * (entry - unary->entries);
}

static bool sort_entries(const tz_grammar *g, by_left *to) {
    const size_t symbols = g->symbols.count, unaries = g->list[TZ_LIST_UNARY].entries;
    const size_t count = unaries + g->list[TZ_LIST_BINARY].entries;
    to->first = calloc(symbols + 2, sizeof *to->first);
    to->entry = malloc((count + 1) * sizeof *to->entry);
    to->weight = malloc((count + 1) * sizeof *to->weight);
    to->leaf = calloc(symbols + 1, sizeof *to->leaf);
    if (to->first == NULL || to->entry == NULL || to->weight == NULL || to->leaf == NULL)
        return false;
    for (size_t e = 0; e < count; e++)
        to->first[index_of(g, e)[0] + 2]++;
    for (size_t a = 2; a < symbols + 2; a++)
        to->first[a] += to->first[a - 1];
    for (size_t e = 0; e < count; e++) {
        const size_t at = to->first[index_of(g, e)[0] + 1]++;
        to->entry[at] = e;
        to->weight[at] = exp(e < unaries ? g->list[TZ_LIST_UNARY].score[e]
                                         : g->list[TZ_LIST_BINARY].score[e - unaries]);
    }
    for (unsigned l = TZ_LIST_WORD; l <= TZ_LIST_NOTHING; l++)
        for (size_t e = 0; e < g->list[l].entries; e++)
            to->leaf[g->list[l].index[e * g->list[l].rank]] += exp(g->list[l].score[e]);
    return true;
}

/* One round; the last symbol whose total changes, or TZ_NO_NUMBER. */
static int32_t go_round(const tz_grammar *g, const by_left *of, double *total) {
    const size_t unaries = g->list[TZ_LIST_UNARY].entries;
    int32_t changed = TZ_NO_NUMBER;
    for (size_t a = g->symbols.count; a-- > 0;) {
        double sum = of->leaf[a];
        for (size_t at = of->first[a]; at < of->first[a + 1]; at++) {
            const int32_t *index = index_of(g, of->entry[at]);
            const bool one = of->entry[at] < unaries;
            sum += of->weight[at] * total[index[1]] * (one ? 1 : total[index[2]]);
        }
        /* A last bit may go to and fro: what should only grow is then as near as can be. */
        if (sum > total[a]) {
            changed = (int32_t)a;
            total[a] = sum;
            if (!isfinite(sum))
                break;
        }
    }
    return changed;
}

tz_status tz_grammar_totals(const tz_grammar *g, double *ret_total, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    by_left of = {NULL, NULL, NULL, NULL};
    tz_status status = TZ_NO_MEMORY;
    double *total = calloc(g->symbols.count + 1, sizeof *total);
    if (total == NULL || !sort_entries(g, &of)) {
        tz_fail(opt_error, status, "%s", tz_status_name(status));
    } else {
        int32_t changed = TZ_NO_NUMBER;
        for (int round = 0; round < MOST_ROUNDS; round++)
            if ((changed = go_round(g, &of, total)) == TZ_NO_NUMBER || !isfinite(total[changed]))
                break;
        status = changed == TZ_NO_NUMBER ? TZ_OK : TZ_DIVERGES;
        if (status != TZ_OK)
            tz_fail(opt_error, status,
                    "the sum over all trees of %s is not found: its weights are so large that it "
                    "has no limit, or is found too slowly; make those of rules by which a symbol "
                    "contains itself smaller",
                    g->symbols.name[changed]);
    }
    for (size_t a = 0; status == TZ_OK && a < g->symbols.count; a++)
        ret_total[a] = log(total[a]);
    free(total);
    free(of.first);
    free(of.entry);
    free(of.weight);
    free(of.leaf);
    return status;
}
