/* amounts.c - the best score of every amount, over a forest.
 *
 * The max-plus convolution of the premises' vectors for every instance, bottom-up; scores are those
 * that were given, so that no price rounds them. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/ask/trace/uses.h"
#include "engine/limits/limits.h"

/* Work that a pair of amounts is, see tz_forest_grow. */
static const double PAIR_WORK = 0.1;

enum { NODE = 256 }; /* products that take as long as a node with few of them */

/* Scores of the amounts low..high. */
typedef struct span {
    int64_t low, high;
    double *score;
} span;

static inline tz_forest_node *node_at(const tz_limit_chart *c, uint32_t node) {
    return (tz_forest_node *)c->forest.node.data + node;
}
static inline const tz_forest_edge *edge_at(const tz_limit_chart *c, size_t edge) {
    return (const tz_forest_edge *)c->forest.edge.data + edge;
}
static inline tz_forest_node *premise_of(const tz_limit_chart *c, const tz_forest_edge *edge,
                                         unsigned p) {
    return node_at(c, ((const uint32_t *)c->forest.premise.data)[edge->premise + p]);
}
static inline span span_of(const tz_limit_chart *c, const tz_forest_node *node) {
    return (span){node->low, node->high, (double *)c->forest.value.data + node->value};
}

/* Is a node's derivation within the room? */
static inline bool fits(tz_limit_chart *c, const tz_forest_node *node, double score, int64_t amount,
                        double room) {
    double below = node->best - (score + c->price * (double)amount);
    double distance = c->forest.distance + (below - room);
    if (below > room && distance < c->forest.next)
        c->forest.next = distance;
    return below <= room;
}

/* The node's amounts without those at the ends that are not within the room. */
static span trim(tz_limit_chart *c, const tz_forest_node *node, double room) {
    span s = span_of(c, node);
    while (s.low <= s.high && !fits(c, node, s.score[0], s.low, room)) {
        s.low++;
        s.score++;
    }
    while (s.low <= s.high && !fits(c, node, s.score[s.high - s.low], s.high, room))
        s.high--;
    return s;
}

/* to = max(to, a * b) in max-plus; amounts beyond those of `to` are left out. */
static void combine(span to, span a, span b) {
    if (a.high - a.low > b.high - b.low) { /* the longer one in the inner loop */
        span longer = a;
        a = b;
        b = longer;
    }
    for (int64_t x = a.low; x <= a.high; x++) {
        double own = a.score[x - a.low];
        if (own == -INFINITY)
            continue;
        int64_t most = b.high < to.high - x ? b.high : to.high - x;
        double *into = to.score + (x + b.low - to.low);
        for (int64_t y = 0; y <= most - b.low; y++) {
            double sum = own + b.score[y];
            into[y] = sum > into[y] ? sum : into[y];
        }
    }
}

static double *fill(double *score, size_t count) {
    for (size_t i = 0; i < count; i++)
        score[i] = -INFINITY;
    return score;
}

/* The amounts of an instance; false if it has none up to `most`. */
static bool range_of(const tz_limit_chart *c, const tz_forest_edge *edge, int64_t most,
                     int64_t *ret_low, int64_t *ret_high) {
    int64_t low = edge->amount, high = edge->amount;
    for (unsigned p = 0; p < edge->premises; p++) {
        const tz_forest_node *premise = premise_of(c, edge, p);
        if (premise->low > premise->high)
            return false;
        low += premise->low;
        high += premise->high;
    }
    *ret_low = low;
    *ret_high = high < most ? high : most;
    return low <= most;
}

/* The amounts of the premises that are within the instance's room, and the products of its weights
 * and its first p premises (prefix[p], p < premises), for amounts to `most`. False if it has none.
 */
static bool measure(tz_limit_chart *c, const tz_forest_edge *edge, int64_t most, span *own,
                    span *prefix, size_t *ret_count) {
    int64_t high = edge->amount, low = edge->amount;
    *ret_count = 1;
    for (unsigned p = 0; p < edge->premises; p++) {
        own[p] = trim(c, premise_of(c, edge, p), edge->room);
        if (own[p].low > own[p].high || low > most)
            return false;
        prefix[p] = (span){low, high < most ? high : most, NULL};
        *ret_count += (size_t)(prefix[p].high - low) + 1;
        low += own[p].low;
        high += own[p].high;
    }
    return low <= most;
}

/* Computes prefix; `own` and `prefix` are measured. */
static tz_status multiply(tz_limit_chart *c, const tz_forest_edge *edge, const span *own,
                          span *prefix, size_t count) {
    tz_status status = tz_buffer_reserve(&c->forest.prefix, count, sizeof(double));
    if (status != TZ_OK)
        return status;
    double *score = fill(c->forest.prefix.data, count);
    for (unsigned p = 0; p < edge->premises; p++) {
        prefix[p].score = score;
        score += prefix[p].high - prefix[p].low + 1;
        if (p == 0)
            prefix[0].score[0] = edge->score;
        else
            combine(prefix[p], prefix[p - 1], own[p - 1]);
    }
    return TZ_OK;
}

/* Leaves out what is not within the node's room. */
static void cut(tz_limit_chart *c, tz_forest_node *node) {
    tz_forest *f = &c->forest;
    span all = span_of(c, node);
    double best = -INFINITY;
    for (int64_t a = all.low; a <= all.high; a++) {
        double *score = &all.score[a - all.low];
        if (fits(c, node, *score, a, node->room))
            best = fmax(best, *score + c->price * (double)a);
        else
            *score = -INFINITY;
    }
    ((double *)f->least.data)[node->cell] = fmax(node->best - best, 0);
    span rest = trim(c, node, node->room);
    node->low = rest.low;
    node->high = rest.high;
    size_t count = (size_t)(rest.high - rest.low + 1);
    memmove(all.score, rest.score, count * sizeof *rest.score);
    f->values = node->value + count;
}

/* All amounts of a node whose premises are done. */
static tz_status evaluate(tz_limit_chart *c, tz_forest_node *node, int64_t most) {
    tz_forest *f = &c->forest;
    int64_t low, high;
    node->low = INT64_MAX;
    node->high = -1;
    ((double *)f->least.data)[node->cell] = INFINITY; /* while it has no amounts */
    tz_status status = tz_forest_expand(c, node);
    for (size_t e = 0; e < f->edges; e++)
        if (range_of(c, edge_at(c, e), most, &low, &high)) {
            node->low = low < node->low ? low : node->low;
            node->high = high > node->high ? high : node->high;
        }
    if (status != TZ_OK || node->low > node->high)
        return status;
    size_t count = (size_t)(node->high - node->low) + 1;
    status = tz_buffer_grow(&f->value, f->values + count, sizeof(double));
    if (status != TZ_OK)
        return status;
    node->value = f->values;
    span to = span_of(c, node);
    fill(to.score, count);
    for (size_t e = 0; e < f->edges && status == TZ_OK; e++) {
        const tz_forest_edge *edge = edge_at(c, e);
        span own[TZ_MAX_TERMS], prefix[TZ_MAX_TERMS];
        if (!measure(c, edge, most, own, prefix, &count))
            continue;
        if (edge->premises == 0) {
            combine(to, (span){0, 0, &(double){0}},
                    (span){edge->amount, edge->amount, &(double){edge->score}});
            continue;
        }
        unsigned last = edge->premises - 1;
        status = multiply(c, edge, own, prefix, count);
        if (status == TZ_OK)
            combine(to, prefix[last], own[last]);
        f->work += PAIR_WORK * (double)(prefix[last].high - prefix[last].low + 1) *
                   (double)(own[last].high - own[last].low + 1);
    }
    if (status == TZ_OK)
        cut(c, node);
    return status;
}

tz_status tz_forest_evaluate(tz_limit_chart *c, int64_t most, double limit, bool *ret_done) {
    tz_forest *f = &c->forest;
    const uint32_t *order = f->order.data;
    tz_status status = TZ_OK;
    size_t left = f->ordered;
    for (; left > 0 && status == TZ_OK && f->work <= limit; left--) {
        const double before = f->work;
        status = evaluate(c, node_at(c, order[left - 1]), most);
        if (status == TZ_OK && tz_stops(c->chart, NODE + (f->work - before) / PAIR_WORK))
            status = TZ_STOPPED;
    }
    *ret_done = left == 0;
    return status;
}

/* The goal is the first node. */
double tz_forest_goal(const tz_limit_chart *c, int64_t amount) {
    const tz_forest_node *goal = node_at(c, 0);
    if (amount < goal->low || amount > goal->high)
        return -INFINITY;
    return span_of(c, goal).score[amount - goal->low];
}

/* ---- Trace --------------------------------------------------------------------------------------
 */

/* A node still to do, for an amount of it. */
typedef struct pending {
    uint32_t node;
    int64_t amount;
} pending;

/* Finds an instance of the node with its score of this amount, and the amounts of its premises. */
static tz_status choose(tz_limit_chart *c, const pending *item, const tz_forest_edge **ret_edge,
                        int64_t *ret_amount) {
    const tz_forest_node *node = node_at(c, item->node);
    tz_status status = tz_forest_expand(c, node);
    for (size_t e = 0; e < c->forest.edges && status == TZ_OK; e++) {
        const tz_forest_edge *edge = edge_at(c, e);
        int64_t amount = item->amount;
        double score = span_of(c, node).score[amount - node->low];
        span own[TZ_MAX_TERMS], prefix[TZ_MAX_TERMS];
        size_t count;
        *ret_edge = edge;
        if (!measure(c, edge, amount, own, prefix, &count))
            continue;
        status = multiply(c, edge, own, prefix, count);
        if (status != TZ_OK)
            return status;
        unsigned p = edge->premises;
        while (p > 0) {
            span last = own[p - 1], rest = prefix[p - 1];
            int64_t y = last.low;
            for (; y <= last.high; y++)
                if (amount - y >= rest.low && amount - y <= rest.high &&
                    rest.score[amount - y - rest.low] + last.score[y - last.low] == score)
                    break;
            if (y > last.high)
                break;
            p--;
            ret_amount[p] = y;
            amount -= y;
            score = rest.score[amount - rest.low];
        }
        if (p == 0 && amount == edge->amount && score == edge->score)
            return TZ_OK;
    }
    return status == TZ_OK ? TZ_NONE : status;
}

/* Adds an instance to the lists: a node unless the item is a fold, uses. */
static void add(tz_limit_chart *c, const tz_forest_node *node, const tz_instance *instance,
                size_t *nodes, size_t *uses) {
    tz_trace_memory *to = &c->chart->trace;
    const tz_strip *strip = instance->strip;
    if (node->kind < c->limiter->rules->items) {
        tz_node *new = (tz_node *)to->nodes.data + (*nodes)++;
        *new = (tz_node){.item = node->kind, .rule = strip->rule, .premises = strip->node_premises};
        memcpy(new->index, node->index, sizeof new->index);
    }
    for (unsigned w = 0; w < strip->weights; w++)
        ((tz_use *)to->uses.data)[(*uses)++] = tz_instance_use(c->chart, 0, instance, w);
}

tz_status tz_forest_trace(tz_limit_chart *c, int64_t amount, tz_kept *to) {
    tz_chart *chart = c->chart;
    size_t nodes = 0, uses = 0, depth = 0;
    int64_t amounts[TZ_MAX_TERMS];
    tz_status status = tz_buffer_grow(&chart->trace.pending, TZ_MAX_TERMS, sizeof(pending));
    if (status == TZ_OK)
        ((pending *)chart->trace.pending.data)[depth++] = (pending){0, amount};
    while (status == TZ_OK && depth > 0) {
        pending item = ((pending *)chart->trace.pending.data)[--depth];
        const tz_forest_edge *edge;
        status = tz_buffer_grow(&chart->trace.pending, depth + TZ_MAX_TERMS, sizeof item);
        if (status == TZ_OK)
            status = tz_buffer_grow_zeroed(&chart->trace.nodes, nodes + 1, sizeof(tz_node));
        if (status == TZ_OK)
            status = tz_buffer_grow_zeroed(&chart->trace.uses, uses + TZ_MAX_TERMS, sizeof(tz_use));
        if (status == TZ_OK)
            status = choose(c, &item, &edge, amounts);
        if (status != TZ_OK)
            break;
        add(c, node_at(c, item.node), &edge->instance, &nodes, &uses);
        const uint32_t *premise = (const uint32_t *)c->forest.premise.data + edge->premise;
        for (unsigned p = edge->premises; p-- > 0;)
            ((pending *)chart->trace.pending.data)[depth++] = (pending){premise[p], amounts[p]};
    }
    const tz_traced traced = {&chart->trace.pending, &chart->trace.nodes, &chart->trace.uses, nodes,
                              uses};
    if (status == TZ_OK && uses > 0)
        status = tz_sort_uses(chart, 0, &traced, &chart->trace.sorting, &chart->trace.sorted,
                              &chart->trace.by_node);
    if (status != TZ_OK)
        return status;
    tz_derivation found = {.uses = uses,
                           .nodes = nodes,
                           .use = uses > 0 ? chart->trace.sorted.data : NULL,
                           .node = chart->trace.nodes.data,
                           .by_node = uses > 0 ? chart->trace.by_node.data : NULL};
    return tz_limit_keep(c, &found, to);
}
