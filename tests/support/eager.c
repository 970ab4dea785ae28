/* eager.c - see eager.h. SPDX-License-Identifier: MIT */
#include "eager.h"
#include "own.h"
#include "tests/support/need.h"

#include <stdlib.h>
#include <string.h>

#include "engine/ask/expand.h"
#include "engine/layout/address.h"
#include "engine/layout/space.h"

enum { MOST_PREMISES = 8, MOST_LISTS = 4096 };

typedef struct list list;

/* One derivation of an item. */
typedef struct entry {
    const list *of;
    tz_instance instance;
    list *premise[MOST_PREMISES];
    uint32_t rank[MOST_PREMISES];
    unsigned premises;
    double score;
    char *element;
} entry;

struct list {
    unsigned kind;
    int32_t index[TZ_MAX_RANK];
    entry *at;
    size_t count, room;
    const eager *e;
};

struct eager {
    tz_chart *chart;
    size_t lane, limit;
    list *list[MOST_LISTS];
    size_t lists;
    bool failed;
    list *goal;
};

/* The order stated: score, rule, variables, ranks. */
static int compare(const void *a, const void *b) {
    const entry *x = a, *y = b;
    const eager *e = x->of->e;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    if (tz_instance_before(e->chart, e->lane, &x->instance, &y->instance))
        return -1;
    if (tz_instance_before(e->chart, e->lane, &y->instance, &x->instance))
        return 1;
    for (unsigned p = 0; p < x->premises; p++)
        if (x->rank[p] != y->rank[p])
            return x->rank[p] < y->rank[p] ? -1 : 1;
    return 0;
}

static list *solve(eager *e, unsigned kind, const int32_t *index);

/* All ranks of one instance. */
static void add_all(eager *e, list *l, const tz_instance *instance) {
    const tz_algebra *algebra = e->chart->algebra;
    entry made = {.of = l, .instance = *instance};
    const tz_strip *strip = instance->strip;
    for (unsigned p = 0; p < strip->premises; p++) {
        int32_t index[TZ_MAX_RANK];
        if (made.premises == MOST_PREMISES) {
            e->failed = true;
            return;
        }
        tz_instance_premise(e->chart, instance, p, index);
        made.premise[made.premises++] = solve(e, strip->which[p], index);
        if (e->failed || made.premise[made.premises - 1]->count == 0)
            return;
    }
    FREED(char, weight) = need(malloc(algebra->size));
    for (;;) {
        made.element = need(malloc(algebra->size));
        memcpy(made.element, algebra->one, algebra->size);
        for (unsigned o = 0; o < strip->operands; o++) {
            const unsigned part = strip->part[o];
            const char *element = part < strip->premises
                                      ? made.premise[part]->at[made.rank[part]].element
                                      : tz_instance_operand(e->chart, e->lane, instance, o, weight);
            algebra->semiring->times(algebra->semiring, made.element, made.element, element);
        }
        made.score = algebra->value(algebra->semiring, made.element);
        if (l->count == l->room) {
            l->room = l->room > 0 ? 2 * l->room : 4;
            l->at = need(realloc(l->at, l->room * sizeof *l->at));
        }
        if (tz_is_zero(e->chart, made.element))
            free(made.element);
        else
            l->at[l->count++] = made;
        unsigned p = made.premises;
        while (p > 0 && ++made.rank[p - 1] == made.premise[p - 1]->count)
            made.rank[--p] = 0;
        e->failed = e->failed || l->count > e->limit;
        if (p == 0 || e->failed)
            break;
    }
}

static list *solve(eager *e, unsigned kind, const int32_t *index) {
    for (size_t i = 0; i < e->lists; i++)
        if (e->list[i]->kind == kind &&
            memcmp(e->list[i]->index, index, sizeof e->list[i]->index) == 0)
            return e->list[i];
    list *l = need(calloc(1, sizeof *l));
    l->kind = kind;
    l->e = e;
    memcpy(l->index, index, sizeof l->index);
    /* Expansions of one chart share their rows: first all instances, then what they need. */
    tz_instance *instance = NULL;
    size_t instances = 0;
    tz_expansion x;
    for (tz_expand_start(&x, e->chart, e->lane, kind, index); tz_expand_next(&x);)
        for (size_t i = 0; i < x.count; i++) {
            instance = need(realloc(instance, (instances + 1) * sizeof *instance));
            tz_expanded(&x, i, &instance[instances++]);
        }
    for (size_t i = 0; i < instances && !e->failed; i++)
        add_all(e, l, &instance[i]);
    free(instance);
    if (l->count > 0)
        qsort(l->at, l->count, sizeof *l->at, compare);
    if (e->lists == MOST_LISTS) {
        e->failed = true;
        e->lists--; /* the last one is lost, and all with it */
    }
    e->list[e->lists++] = l;
    return l;
}

eager *eager_new(tz_chart *chart, size_t lane, size_t limit) {
    const tz_rules *rules = chart->plan->rules;
    if (tz_goal_offset(chart, lane) < 0 || tz_expand_prepare(chart, lane) != TZ_OK)
        return NULL;
    eager *e = need(calloc(1, sizeof *e));
    e->chart = chart;
    e->lane = lane;
    e->limit = limit;
    int32_t index[TZ_MAX_RANK] = {0};
    for (unsigned q = 0; q < rules->kind[rules->goal.which].rank; q++)
        index[q] = (int32_t)tz_form_value(&rules->goal.index[q], rules->lengths,
                                          tz_lane_length(chart, lane), 0, NULL);
    e->goal = solve(e, rules->goal.which, index);
    if (!e->failed)
        return e;
    eager_free(e);
    return NULL;
}

void eager_free(eager *e) {
    for (size_t i = 0; e != NULL && i < e->lists; i++) {
        for (size_t d = 0; d < e->list[i]->count; d++)
            free(e->list[i]->at[d].element);
        free(e->list[i]->at);
        free(e->list[i]);
    }
    free(e);
}

size_t eager_count(const eager *e) {
    return e->goal->count;
}

double eager_score(const eager *e, size_t number) {
    return e->goal->at[number].score;
}

/* The nodes of an entry from *node on. */
static bool has_nodes(const eager *e, const entry *entry, const tz_node **node,
                      const tz_node *end) {
    if (entry->of->kind < e->chart->plan->rules->items) {
        if (*node == end || (*node)->item != entry->of->kind ||
            (*node)->rule != entry->instance.strip->rule ||
            memcmp((*node)->index, entry->of->index, sizeof entry->of->index) != 0)
            return false;
        ++*node;
    }
    for (unsigned p = 0; p < entry->premises; p++)
        if (!has_nodes(e, &entry->premise[p]->at[entry->rank[p]], node, end))
            return false;
    return true;
}

bool eager_has_nodes(eager *e, size_t number, const tz_derivation *d) {
    const tz_node *node = d->node, *end = node + d->nodes;
    return has_nodes(e, &e->goal->at[number], &node, end) && node == end;
}
