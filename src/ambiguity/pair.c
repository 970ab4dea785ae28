/* pair.c - see pair.h. SPDX-License-Identifier: MIT */
#include "ambiguity/pair.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

enum {
    MOST = 20000, /* derivations looked at; */
    FEW = 200     /* of one structure among others */
};

void tz_pair_free(tz_pair *pair) {
    free(pair->use);
    free(pair->node[0]);
    free(pair->node[1]);
    *pair = (tz_pair){.uses = 0};
}

static int compare_uses(const tz_use *one, size_t uses, const tz_use *other, size_t others) {
    for (size_t u = 0; u < uses && u < others; u++) {
        if (one[u].weight != other[u].weight)
            return one[u].weight < other[u].weight ? -1 : 1;
        for (unsigned q = 0; q < TZ_MAX_RANK; q++)
            if (one[u].index[q] != other[u].index[q])
                return one[u].index[q] < other[u].index[q] ? -1 : 1;
    }
    return (uses > others) - (uses < others);
}

bool tz_same_uses(const tz_use *one, size_t uses, const tz_use *other, size_t others) {
    return compare_uses(one, uses, other, others) == 0;
}

/* ---- Derivations that are kept --------------------------------------------------------------- */

typedef struct kept {
    tz_use *use;
    tz_node *node;
    size_t uses, nodes;
} kept;

typedef struct list {
    void *at; /* kept [count] */
    size_t count, capacity;
} list;

static kept *kept_at(const list *l, size_t i) {
    return (kept *)l->at + i;
}

static tz_status keep(list *l, const tz_derivation *d) {
    if (!tz_grow(&l->at, &l->capacity, l->count + 1, sizeof(kept)))
        return TZ_NO_MEMORY;
    kept *to = kept_at(l, l->count++);
    *to = (kept){calloc(d->uses + 1, sizeof *to->use), calloc(d->nodes + 1, sizeof *to->node),
                 d->uses, d->nodes};
    if (to->use == NULL || to->node == NULL)
        return TZ_NO_MEMORY;
    if (d->uses > 0)
        memcpy(to->use, d->use, d->uses * sizeof *to->use);
    if (d->nodes > 0)
        memcpy(to->node, d->node, d->nodes * sizeof *to->node);
    return TZ_OK;
}

static void free_list(list *l) {
    for (size_t i = 0; i < l->count; i++) {
        free(kept_at(l, i)->use);
        free(kept_at(l, i)->node);
    }
    free(l->at);
}

static int compare_kept(const void *a, const void *b) {
    const kept *one = a, *other = b;
    return compare_uses(one->use, one->uses, other->use, other->uses);
}

/* Moves the first two of the list that are alike into *ret. */
static tz_status take_pair(list *l, tz_pair *ret) {
    if (l->count > 1)
        qsort(l->at, l->count, sizeof(kept), compare_kept);
    for (size_t i = 1; i < l->count; i++) {
        kept *one = kept_at(l, i - 1), *other = kept_at(l, i);
        if (compare_kept(one, other) != 0)
            continue;
        ret->use = one->use;
        ret->uses = one->uses;
        ret->node[0] = one->node;
        ret->node[1] = other->node;
        ret->nodes[0] = one->nodes;
        ret->nodes[1] = other->nodes;
        one->use = NULL;
        one->node = other->node = NULL;
        return TZ_OK;
    }
    return TZ_NONE;
}

/* ---- The search ------------------------------------------------------------------------------ */

static tz_status collect(tz_chart *chart, const tz_use *opt_use, size_t uses, list *to) {
    tz_kbest *kbest = NULL;
    const tz_derivation *d;
    const size_t most = opt_use == NULL ? MOST : FEW;
    double score = opt_use == NULL ? -INFINITY : 0;
    for (size_t u = 0; u < uses; u++)
        score += opt_use[u].score;
    tz_status status = tz_kbest_new(chart, 0, false, &kbest, NULL);
    for (size_t k = 0; k < most && status == TZ_OK && (opt_use == NULL || to->count < 2); k++) {
        status = tz_kbest_next(kbest, &d);
        if (status == TZ_OK && d->score < score)
            break;
        if (status == TZ_OK && (opt_use == NULL || tz_same_uses(opt_use, uses, d->use, d->uses)))
            status = keep(to, d);
    }
    tz_kbest_free(kbest);
    return status == TZ_NONE ? TZ_OK : status;
}

tz_status tz_pair_find(const tz_trial *trial, const tz_use *opt_use, size_t uses, tz_pair *ret) {
    tz_plan *plan = NULL;
    tz_chart *chart = NULL;
    list found = {.count = 0};
    *ret = (tz_pair){.uses = 0};
    memcpy(ret->lengths, trial->lengths, sizeof ret->lengths);
    tz_status status =
        tz_plan_new(trial->rules, tz_semiring_find("max", TZ_F64), TZ_FORCE, &plan, NULL);
    if (status == TZ_OK)
        status = tz_chart_new(plan, &chart);
    if (status == TZ_OK)
        status = tz_bind(chart, &trial->problem, 1, NULL);
    if (status == TZ_OK)
        status = tz_inside(chart);
    if (status == TZ_OK)
        status = collect(chart, opt_use, uses, &found);
    if (status == TZ_OK)
        status = take_pair(&found, ret);
    free_list(&found);
    tz_chart_free(chart);
    tz_plan_free(plan);
    return status;
}
