/* rulesets_tree.c - problems of rules/delete-tree.rules: their entries are those of a random tree,
 * the same one in all. SPDX-License-Identifier: MIT */
#include "bench/rulesets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD, FIRST, KEEP, DROP, KEEP_LAST, DROP_LAST, WEIGHTS, RANK = 4 };

typedef struct list {
    unsigned rank;
    size_t count;
    int32_t *index; /* [count * rank] */
} list;

static void add(list *l, int32_t a, int32_t b, int32_t c, int32_t d) {
    const int32_t at[RANK] = {a, b, c, d};
    l->index = realloc(l->index, (l->count + 1) * l->rank * sizeof *l->index);
    if (l->index == NULL)
        rulesets_fail("out of memory");
    memcpy(l->index + l->count++ * l->rank, at, l->rank * sizeof *at);
}

/* Node x > 1 is a child of parent[x] < x; those without children are words. State 0: nothing is
 * kept so far. */
static void list_tree(const int32_t *length, list of[WEIGHTS]) {
    const int32_t n = length[0], N = length[1], Q = length[2];
    int32_t *parent = calloc((size_t)N + 2, sizeof *parent), words = 0;
    if (parent == NULL)
        rulesets_fail("out of memory");
    for (int32_t x = 2; x <= N; x++)
        parent[x] = x / 2 - x % 3 > 0 ? x / 2 - x % 3 : 1;
    for (int32_t x = 1; x <= N; x++) {
        int32_t child = x + 1, sister = x + 1;
        while (child <= N && parent[child] != x)
            child++;
        while (x > 1 && sister <= N && parent[sister] != parent[x])
            sister++;
        if (child <= N)
            add(&of[FIRST], x, child, 0, 0);
        else
            add(&of[WORD], x, 1 + words++ % n, 0, 0);
        for (int32_t q = 0; q < Q && x > 1; q++) {
            const int32_t next = 1 + (q + x) % (Q - 1);
            if (sister <= N) {
                add(&of[KEEP], x, sister, q, next);
                add(&of[DROP], x, sister, q, q);
            } else {
                add(&of[KEEP_LAST], x, q, 0, 0);
                if (q > 0)
                    add(&of[DROP_LAST], x, q, 0, 0);
            }
        }
    }
    free(parent);
}

static tz_scores random_scores(const list *l, tz_type type, uint64_t *state) {
    tz_scores scores = {.type = type, .stride = {1}, .entries = l->count};
    void *data = calloc(l->count + 1, sizeof(double));
    int32_t *index = calloc(l->count * l->rank + 1, sizeof *index);
    if (data == NULL || index == NULL)
        rulesets_fail("out of memory");
    memcpy(index, l->index, l->count * l->rank * sizeof *index);
    for (size_t e = 0; e < l->count; e++) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        const double score = 10 * ((double)(*state >> 11) * 0x1p-53) - 5;
        if (type == TZ_FLOAT)
            ((float *)data)[e] = (float)score;
        else
            ((double *)data)[e] = score;
    }
    scores.data = data;
    scores.index = index;
    return scores;
}

tz_workload *rulesets_trees(const tz_rules *rules, tz_type type, const int32_t *length,
                            size_t problems) {
    list of[WEIGHTS] = {{2, 0, NULL}, {3, 0, NULL}, {4, 0, NULL},
                        {4, 0, NULL}, {2, 0, NULL}, {2, 0, NULL}};
    tz_workload *work = calloc(1, sizeof *work);
    uint64_t state = 1;
    if (work == NULL)
        rulesets_fail("out of memory");
    *work = (tz_workload){.rules = rules,
                          .problems = problems,
                          .problem = calloc(problems, sizeof *work->problem),
                          .lengths = calloc(problems * 3, sizeof *work->lengths),
                          .scores = calloc(problems * WEIGHTS, sizeof *work->scores)};
    if (work->problem == NULL || work->lengths == NULL || work->scores == NULL)
        rulesets_fail("out of memory");
    list_tree(length, of);
    for (size_t p = 0; p < problems; p++) {
        memcpy(work->lengths + 3 * p, length, 3 * sizeof *length);
        for (int w = 0; w < WEIGHTS; w++)
            work->scores[p * WEIGHTS + (size_t)w] = random_scores(&of[w], type, &state);
        work->problem[p] =
            (tz_problem){.lengths = work->lengths + 3 * p, .scores = work->scores + p * WEIGHTS};
    }
    for (int w = 0; w < WEIGHTS; w++)
        free(of[w].index);
    return work;
}
