/* amounts.c - the best score of every amount, over a forest.
 *
 * The max-plus convolution of the premises' vectors for every instance, bottom-up; scores are those
 * that were given, so that no price rounds them. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/trace.h"
#include "limits/limit.h"

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

/* to = max(to, a * b) in max-plus; amounts beyond those of `to` are left out. */
static void combine(span to, span a, span b) {
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

/* prefix[p]: the product of the instance's weights and its first p premises, for amounts to `most`;
 * p < its premises. */
static tz_status multiply(tz_limit_chart *c, const tz_forest_edge *edge, int64_t most,
                          span *prefix) {
    tz_buffer *room = &c->forest.prefix;
    int64_t high = edge->amount, low = edge->amount;
    size_t count = 1;
    for (unsigned p = 0; p < edge->premises; p++) {
        prefix[p] = (span){low, high < most ? high : most, NULL};
        count += (size_t)(prefix[p].high - low) + 1;
        low += premise_of(c, edge, p)->low;
        high += premise_of(c, edge, p)->high;
    }
    tz_status status = tz_buffer_reserve(room, count, sizeof(double));
    if (status != TZ_OK)
        return status;
    double *score = fill(room->data, count);
    for (unsigned p = 0; p < edge->premises; p++) {
        prefix[p].score = score;
        score += prefix[p].high - prefix[p].low + 1;
        if (p == 0)
            prefix[0].score[0] = edge->score;
        else
            combine(prefix[p], prefix[p - 1], span_of(c, premise_of(c, edge, p - 1)));
    }
    return TZ_OK;
}

/* All amounts of a node whose premises are done. */
static tz_status evaluate(tz_limit_chart *c, tz_forest_node *node, int64_t most) {
    tz_forest *f = &c->forest;
    int64_t low, high;
    node->low = INT64_MAX;
    node->high = -1;
    for (size_t e = node->edge; e < node->edge + node->edges; e++)
        if (range_of(c, edge_at(c, e), most, &low, &high)) {
            node->low = low < node->low ? low : node->low;
            node->high = high > node->high ? high : node->high;
        }
    if (node->low > node->high)
        return TZ_OK;
    size_t count = (size_t)(node->high - node->low) + 1;
    tz_status status = tz_buffer_grow(&f->value, f->values + count, sizeof(double));
    if (status != TZ_OK)
        return status;
    node->value = f->values;
    f->values += count;
    span to = span_of(c, node);
    fill(to.score, count);
    for (size_t e = node->edge; e < node->edge + node->edges; e++) {
        const tz_forest_edge *edge = edge_at(c, e);
        span prefix[TZ_MAX_TERMS];
        if (!range_of(c, edge, most, &low, &high))
            continue;
        if (edge->premises == 0) {
            combine(to, (span){0, 0, &(double){0}},
                    (span){edge->amount, edge->amount, &(double){edge->score}});
            continue;
        }
        status = multiply(c, edge, most, prefix);
        if (status != TZ_OK)
            return status;
        unsigned last = edge->premises - 1;
        combine(to, prefix[last], span_of(c, premise_of(c, edge, last)));
    }
    return TZ_OK;
}

tz_status tz_forest_evaluate(tz_limit_chart *c, int64_t most) {
    tz_forest *f = &c->forest;
    const uint32_t *order = f->order.data;
    tz_status status = TZ_OK;
    for (size_t i = f->ordered; i-- > 0 && status == TZ_OK;)
        status = evaluate(c, node_at(c, order[i]), most);
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
    for (size_t e = node->edge; e < node->edge + node->edges; e++) {
        const tz_forest_edge *edge = edge_at(c, e);
        int64_t low, high, amount = item->amount;
        double score = span_of(c, node).score[amount - node->low];
        span prefix[TZ_MAX_TERMS];
        *ret_edge = edge;
        if (!range_of(c, edge, amount, &low, &high) || amount > high)
            continue;
        tz_status status = multiply(c, edge, amount, prefix);
        if (status != TZ_OK)
            return status;
        unsigned p = edge->premises;
        while (p > 0) {
            span own = span_of(c, premise_of(c, edge, p - 1)), rest = prefix[p - 1];
            int64_t y = own.low;
            for (; y <= own.high; y++)
                if (amount - y >= rest.low && amount - y <= rest.high &&
                    rest.score[amount - y - rest.low] + own.score[y - own.low] == score)
                    break;
            if (y > own.high)
                break;
            p--;
            ret_amount[p] = y;
            amount -= y;
            score = rest.score[amount - rest.low];
        }
        if (p == 0 && amount == edge->amount && score == edge->score)
            return TZ_OK;
    }
    return TZ_NONE;
}

/* The instance that an edge stands for. */
static tz_instance instance_of(const tz_limit_chart *c, const tz_forest_edge *edge) {
    tz_instance instance = {.step = edge->step};
    const int64_t *column = (const int64_t *)c->forest.column.data + edge->column;
    size_t columns = (size_t)edge->step->nest->givens + edge->step->nest->loops;
    memcpy(instance.column, column, columns * sizeof *column);
    for (unsigned i = 0; i < edge->step->step->sparse; i++)
        instance.entry[i] = (size_t)column[columns + i];
    return instance;
}

/* Adds an instance to the lists: a node unless the item is a fold, uses. */
static void add(tz_limit_chart *c, const tz_forest_node *node, const tz_forest_edge *edge,
                size_t *nodes, size_t *uses) {
    const tz_rules *rules = c->limiter->rules;
    tz_chart *chart = c->chart;
    tz_instance instance = instance_of(c, edge);
    unsigned rule = edge->step->step->rule;
    if (node->kind < rules->items) {
        tz_node *to = (tz_node *)chart->nodes.data + (*nodes)++;
        *to = (tz_node){.item = node->kind, .rule = rule, .premises = rules->rule[rule].premises};
        memcpy(to->index, node->index, sizeof to->index);
    }
    for (unsigned t = 0; t < edge->step->terms; t++) {
        if (edge->step->term[t].what != TZ_WEIGHT)
            continue;
        tz_use *to = (tz_use *)chart->uses.data + (*uses)++;
        *to = (tz_use){.weight = edge->step->term[t].which};
        tz_instance_index(chart, 0, &instance, t, to->index);
    }
}

tz_status tz_forest_trace(tz_limit_chart *c, int64_t amount, tz_kept *to) {
    tz_chart *chart = c->chart;
    size_t nodes = 0, uses = 0, depth = 0;
    int64_t amounts[TZ_MAX_TERMS];
    tz_status status = tz_buffer_grow(&chart->stack, TZ_MAX_TERMS, sizeof(pending));
    if (status == TZ_OK)
        ((pending *)chart->stack.data)[depth++] = (pending){0, amount};
    while (status == TZ_OK && depth > 0) {
        pending item = ((pending *)chart->stack.data)[--depth];
        const tz_forest_edge *edge;
        status = tz_buffer_grow(&chart->stack, depth + TZ_MAX_TERMS, sizeof item);
        if (status == TZ_OK)
            status = tz_buffer_grow(&chart->nodes, nodes + 1, sizeof(tz_node));
        if (status == TZ_OK)
            status = tz_buffer_grow(&chart->uses, uses + TZ_MAX_TERMS, sizeof(tz_use));
        if (status == TZ_OK)
            status = choose(c, &item, &edge, amounts);
        if (status != TZ_OK)
            break;
        add(c, node_at(c, item.node), edge, &nodes, &uses);
        const uint32_t *premise = (const uint32_t *)c->forest.premise.data + edge->premise;
        for (unsigned p = edge->premises; p-- > 0;)
            ((pending *)chart->stack.data)[depth++] = (pending){premise[p], amounts[p]};
    }
    if (status == TZ_OK && uses > 0)
        status = tz_sort_uses(chart, 0, chart->uses.data, uses, &chart->sorting, &chart->sorted);
    if (status != TZ_OK)
        return status;
    tz_derivation found = {.uses = uses,
                           .nodes = nodes,
                           .use = uses > 0 ? chart->sorted.data : NULL,
                           .node = chart->nodes.data};
    return tz_limit_keep(c, &found, to);
}
