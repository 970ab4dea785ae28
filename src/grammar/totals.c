/* totals.c - the sum over all trees of each symbol: the least solution of
 *
 *     total[a] = sum of word[a,v] + nothing[a] + sum of unary[a,b] total[b]
 *                + sum of binary[a,b,c] total[b] total[c]
 *
 * From 0 on, each round takes the totals as they are by now (Gauss & Seidel), in the order of the
 * entries; so they only grow, and never beyond the solution. SPDX-License-Identifier: MIT */
#include "grammar/totals.h"

#include <math.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/modes.h"

enum { FEW_ROUNDS = 1000, MOST_ROUNDS = 1000000, MOST_PRODUCTS = 100000000 };

static void free_entries(tz_by_left *of) {
    free(of->first);
    free(of->right);
    free(of->weight);
    free(of->leaf);
}

static bool sort_entries(const tz_grammar *g, tz_by_left *to) {
    const tz_entries *unary = &g->list[TZ_LIST_UNARY], *binary = &g->list[TZ_LIST_BINARY];
    const size_t count = unary->entries + binary->entries;
    to->symbols = g->symbols.count;
    to->first = calloc(to->symbols + 2, sizeof *to->first);
    to->right = malloc((count + 1) * sizeof *to->right);
    to->weight = malloc((count + 1) * sizeof *to->weight);
    to->leaf = calloc(to->symbols + 1, sizeof *to->leaf);
    if (to->first == NULL || to->right == NULL || to->weight == NULL || to->leaf == NULL)
        return false;
    for (size_t e = 0; e < unary->entries; e++)
        to->first[unary->index[2 * e] + 2]++;
    for (size_t e = 0; e < binary->entries; e++)
        to->first[binary->index[3 * e] + 2]++;
    for (size_t a = 2; a < to->symbols + 2; a++)
        to->first[a] += to->first[a - 1];
    for (size_t e = 0; e < count; e++) {
        const bool one = e < unary->entries;
        const tz_entries *of = one ? unary : binary;
        const size_t entry = one ? e : e - unary->entries;
        const int32_t *index = of->index + entry * of->rank;
        const size_t at = to->first[index[0] + 1]++;
        to->right[at][0] = index[1];
        to->right[at][1] = one ? -1 : index[2];
        to->weight[at] = exp(of->score[entry]);
    }
    for (unsigned l = TZ_LIST_WORD; l <= TZ_LIST_NOTHING; l++)
        for (size_t e = 0; e < g->list[l].entries; e++)
            to->leaf[g->list[l].index[e * g->list[l].rank]] += exp(g->list[l].score[e]);
    return true;
}

/* One round; a symbol whose total changes, the one that has no limit where there is one, or
 * TZ_NO_NUMBER. */
static int32_t go_round(const tz_by_left *of, double *total) {
    int32_t changed = TZ_NO_NUMBER;
    for (size_t a = of->symbols; a-- > 0;) {
        double sum = of->leaf[a];
        for (size_t at = of->first[a]; at < of->first[a + 1]; at++) {
            const int32_t *right = of->right[at];
            sum += of->weight[at] * total[right[0]] * (right[1] < 0 ? 1 : total[right[1]]);
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

/* The symbol of which there is no total, or TZ_NO_NUMBER. */
static int32_t find_totals(const tz_by_left *of, double *total) {
    const size_t cost = of->symbols + of->first[of->symbols];
    const size_t afford = FEW_ROUNDS + MOST_PRODUCTS / (cost + 1);
    const size_t most = afford < MOST_ROUNDS ? afford : MOST_ROUNDS;
    int32_t changed = TZ_NO_NUMBER;
    for (size_t round = 0; round < most; round++) {
        changed = go_round(of, total);
        if (changed == TZ_NO_NUMBER || !isfinite(total[changed]))
            return changed;
        if (round == FEW_ROUNDS && tz_grammar_consistent(of, total)) {
            for (size_t a = 0; a < of->symbols; a++)
                total[a] = 1;
            return TZ_NO_NUMBER;
        }
    }
    return changed;
}

tz_status tz_grammar_totals(const tz_grammar *g, double *ret_total, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    tz_by_left of = {0};
    tz_status status = TZ_OK;
    double *total = calloc(g->symbols.count + 1, sizeof *total);
    if (total == NULL || !sort_entries(g, &of)) {
        status = tz_fail(opt_error, TZ_NO_MEMORY, "%s", tz_status_name(TZ_NO_MEMORY));
    } else {
        const int32_t changed = find_totals(&of, total);
        if (changed != TZ_NO_NUMBER)
            status =
                tz_fail(opt_error, TZ_DIVERGES,
                        "the sum over all trees of %s is not found: its weights are so large "
                        "that it has no limit, or is come near too slowly; make those of rules "
                        "by which a symbol contains itself smaller",
                        g->symbols.name[changed]);
    }
    for (size_t a = 0; status == TZ_OK && a < g->symbols.count; a++)
        ret_total[a] = log(total[a]);
    free(total);
    free_entries(&of);
    return status;
}
