/* consistent.c - do all trees of a grammar of probabilities end?
 *
 * A grammar at whose edge trees just end, as S -> S S [0.5] | 'a' [0.5], has totals of 1, which
 * sums come near too slowly to see. So it is told otherwise: let M[a,b] be how many b a rule of a
 * has, as expected. Where every symbol has some tree, and the largest eigenvalue of M is at most 1,
 * all trees end (Harris 1963: The theory of branching processes; Booth & Thompson 1973, IEEE
 * Transactions on Computers C-22). That eigenvalue is the largest of those of the parts in which
 * all symbols need each other. Of a part, no eigenvalue is larger than the largest (M v)[a] / v[a]
 * for any v > 0 (Collatz & Wielandt), and v is found by taking M v for it. SPDX-License-Identifier:
 * MIT */
#include <math.h>
#include <stdlib.h>

#include "grammar/totals.h"

enum { MOST_ROUNDS = 2000 };
static const double close = 1e-9;

/* ---- Parts (Tarjan 1972) --------------------------------------------------------------------- */

typedef struct search {
    const tz_by_left *of;
    int32_t *part;  /* [symbols] out: the same number for those that need each other */
    int32_t *index; /* [symbols] when a symbol was found, from 1; 0: not yet */
    int32_t *low;   /* [symbols] the first found one that it leads to, of those without a part */
    int32_t *stack; /* [symbols] those without a part */
    int32_t *path;  /* [symbols] from where the search began to where it is */
    size_t *next;   /* [symbols] of these: which right side comes next, two an entry */
} search;

static void find_from(search *s, int32_t begin, int32_t *found, int32_t *parts) {
    const tz_by_left *of = s->of;
    size_t depth = 0, waiting = 0;
    s->path[depth++] = begin;
    s->next[begin] = 2 * of->first[begin];
    s->index[begin] = s->low[begin] = ++*found;
    s->stack[waiting++] = begin;
    while (depth > 0) {
        const int32_t a = s->path[depth - 1];
        if (s->next[a] < 2 * of->first[a + 1]) {
            const size_t at = s->next[a]++;
            const int32_t b = of->right[at / 2][at % 2];
            if (b < 0 || s->part[b] >= 0) {
                continue;
            } else if (s->index[b] == 0) {
                s->path[depth++] = b;
                s->next[b] = 2 * of->first[b];
                s->index[b] = s->low[b] = ++*found;
                s->stack[waiting++] = b;
            } else if (s->index[b] < s->low[a]) {
                s->low[a] = s->index[b];
            }
            continue;
        }
        depth--;
        if (depth > 0 && s->low[a] < s->low[s->path[depth - 1]])
            s->low[s->path[depth - 1]] = s->low[a];
        if (s->low[a] == s->index[a]) {
            int32_t b;
            do {
                b = s->stack[--waiting];
                s->part[b] = *parts;
            } while (b != a);
            ++*parts;
        }
    }
}

/* part[symbols]; false when memory is out. */
static bool find_parts(const tz_by_left *of, int32_t *part) {
    int32_t *room = calloc(4 * of->symbols + 1, sizeof *room), found = 0, parts = 0;
    size_t *next = malloc((of->symbols + 1) * sizeof *next);
    const bool there = room != NULL && next != NULL;
    for (size_t a = 0; a < of->symbols; a++)
        part[a] = -1;
    if (there) {
        search s = {
            of,  part, room, room + of->symbols, room + 2 * of->symbols, room + 3 * of->symbols,
            next};
        for (size_t a = 0; a < of->symbols; a++)
            if (s.index[a] == 0)
                find_from(&s, (int32_t)a, &found, &parts);
    }
    free(room);
    free(next);
    return there;
}

/* ---- Eigenvalues ----------------------------------------------------------------------------- */

/* Is every part's largest eigenvalue at most 1? v, w: [symbols]. */
static bool is_bounded(const tz_by_left *of, const int32_t *part, double *v, double *w) {
    for (size_t a = 0; a < of->symbols; a++)
        v[a] = 1;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        bool bounded = true;
        for (size_t a = 0; a < of->symbols; a++) {
            double sum = 0;
            for (size_t at = of->first[a]; at < of->first[a + 1]; at++)
                for (unsigned i = 0; i < 2; i++) {
                    const int32_t b = of->right[at][i];
                    if (b >= 0 && part[b] == part[a])
                        sum += of->weight[at] * v[b];
                }
            bounded &= sum <= v[a] * (1 + close);
            /* Half of it as it was: so parts that swing come to rest as well. */
            w[a] = (sum + v[a]) / 2;
        }
        if (bounded)
            return true;
        for (size_t a = 0; a < of->symbols; a++)
            v[a] = w[a] > 1e-200 ? w[a] : 1e-200;
    }
    return false;
}

bool tz_grammar_consistent(const tz_by_left *of, const double *total) {
    for (size_t a = 0; a < of->symbols; a++) {
        double sum = of->leaf[a];
        for (size_t at = of->first[a]; at < of->first[a + 1]; at++)
            sum += of->weight[at];
        if (!(fabs(sum - 1) <= close) || total[a] == 0)
            return false;
    }
    int32_t *part = malloc((of->symbols + 1) * sizeof *part);
    double *v = malloc((2 * of->symbols + 1) * sizeof *v);
    const bool consistent = part != NULL && v != NULL && find_parts(of, part) &&
                            is_bounded(of, part, v, v + of->symbols);
    free(part);
    free(v);
    return consistent;
}
