/* priced.c - the problem with a price on a resource. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "engine/layout/cells.h"
#include "engine/layout/rows.h"
#include "engine/layout/scores.h"
#include "engine/limits/limits.h"
#include "engine/problem/bind.h"
#include "engine/problem/spread.h"

/* ---- Amounts ------------------------------------------------------------------------------------
 */

int64_t tz_limit_amount(const tz_limit_chart *c, unsigned weight, const int32_t *index) {
    const tz_amount *amount = &c->amount[weight];
    int64_t sum = amount->base;
    for (unsigned q = 0; q < c->limiter->rules->weight[weight].rank; q++)
        sum += amount->index[q] * index[q];
    return sum;
}

/* What a resource's charges are for these lengths, and how many cells they are charged to. */
static double find_amounts(const tz_limit_chart *c, size_t resource, tz_amount *amount) {
    const tz_rules *rules = c->limiter->rules;
    const int32_t *length = c->problem->lengths;
    double cells = 0;
    memset(amount, 0, rules->weights * sizeof *amount);
    for (unsigned i = 0; i < rules->charges; i++) {
        const tz_charge *charge = &rules->charge[i];
        tz_amount *to = &amount[charge->weight];
        if (charge->resource != resource)
            continue;
        to->base += tz_form_value(&charge->amount, rules->lengths, length, 0, NULL);
        for (unsigned q = 0; q < TZ_MAX_RANK; q++)
            to->index[q] += charge->amount.column[q];
        to->charged = true;
    }
    for (unsigned w = 0; w < rules->weights; w++) {
        const tz_lane_scores *scores = &c->source[w];
        double own = rules->weight[w].sparse ? (double)scores->scores.entries : 1;
        for (unsigned q = 0; q < rules->weight[w].rank && !rules->weight[w].sparse; q++)
            own *= scores->extent[q];
        cells += amount[w].charged ? own : 0;
    }
    return cells;
}

/* The side with fewer scores to change. */
static void choose_side(tz_limit_chart *c) {
    const tz_limiter *limiter = c->limiter;
    double fewest = INFINITY;
    for (unsigned s = 0; s < limiter->sides; s++) {
        double cells = find_amounts(c, limiter->side[s].resource, c->amount);
        if (cells < fewest) {
            fewest = cells;
            c->side = &limiter->side[s];
        }
    }
    find_amounts(c, c->side->resource, c->amount);
    size_t other;
    if (tz_rules_resource_complement(limiter->rules, limiter->resource, c->problem->lengths, &other,
                                     &c->total) != TZ_OK)
        c->total = 0;
}

/* ---- Scores -------------------------------------------------------------------------------------
 */

/* How scores are changed: amounts take the place of those that are possible, or are added. */
typedef struct change {
    bool masked;
    double price;
} change;

static inline double changed(change how, double score, int64_t amount) {
    double extra = how.price * (double)amount;
    return !how.masked ? score + extra : score == -INFINITY ? score : extra;
}

static tz_status change_sparse(tz_limit_chart *c, unsigned weight, change how) {
    const tz_lane_scores *from = &c->source[weight];
    unsigned rank = c->limiter->rules->weight[weight].rank;
    size_t entries = from->scores.entries;
    tz_status status = tz_buffer_reserve(&c->room[weight], entries, sizeof(double));
    if (status != TZ_OK)
        return status;
    double *to = c->room[weight].data;
    for (size_t e = 0; e < entries; e++)
        to[e] = changed(how, tz_entry_score(from, e),
                        tz_limit_amount(c, weight, from->scores.index + e * rank));
    c->bound[weight] = tz_scores_sparse(from->scores.index, to, entries);
    return TZ_OK;
}

static tz_status change_dense(tz_limit_chart *c, unsigned weight, change how) {
    const tz_rules *rules = c->limiter->rules;
    const tz_lane_scores *from = &c->source[weight];
    unsigned rank = rules->weight[weight].rank;
    ptrdiff_t stride[TZ_MAX_RANK];
    size_t cells = 1;
    for (unsigned q = rank; q-- > 0;) {
        stride[q] = (ptrdiff_t)cells;
        if (__builtin_mul_overflow(cells, (size_t)from->extent[q], &cells))
            return TZ_TOO_LARGE;
    }
    tz_status status = tz_buffer_reserve(&c->room[weight], cells, sizeof(double));
    if (status != TZ_OK)
        return status;
    const tz_amount *amount = &c->amount[weight];
    tz_rows rows;
    for (tz_rows_start(&rows, rules, weight, c->problem->lengths); tz_rows_next(&rows);) {
        double *to = c->room[weight].data;
        ptrdiff_t offset = 0, step = 0, to_step = 0;
        int64_t consumed = amount->base, more = 0;
        for (unsigned q = 0; q < rank; q++) {
            offset += (ptrdiff_t)(rows.index[q] - from->origin[q]) * from->scores.stride[q];
            step += (ptrdiff_t)rows.move[q] * from->scores.stride[q];
            to += (rows.index[q] - from->origin[q]) * stride[q];
            to_step += (ptrdiff_t)rows.move[q] * stride[q];
            consumed += amount->index[q] * rows.index[q];
            more += amount->index[q] * rows.move[q];
        }
        if (from->scores.type == TZ_DOUBLE) {
            const double *score = (const double *)from->scores.data + offset;
            for (size_t x = 0; x < rows.count; x++, score += step, to += to_step, consumed += more)
                *to = changed(how, *score, consumed);
        } else {
            const float *score = (const float *)from->scores.data + offset;
            for (size_t x = 0; x < rows.count; x++, score += step, to += to_step, consumed += more)
                *to = changed(how, (double)*score, consumed);
        }
    }
    c->bound[weight] = (tz_scores){.data = c->room[weight].data};
    for (unsigned q = 0; q < rank; q++) {
        c->bound[weight].extent[q] = from->extent[q];
        c->bound[weight].stride[q] = stride[q];
    }
    return TZ_OK;
}

/* Binds and evaluates the problem with changed scores: of all weights if they are masked, else of
 * those that are charged. */
static tz_status evaluate(tz_limit_chart *c, change how) {
    const tz_rules *rules = c->limiter->rules;
    tz_status status = TZ_OK;
    for (unsigned w = 0; w < rules->weights && status == TZ_OK; w++) {
        c->bound[w] = c->source[w].scores;
        if (how.masked || c->amount[w].charged)
            status = rules->weight[w].sparse ? change_sparse(c, w, how) : change_dense(c, w, how);
    }
    tz_problem problem = *c->problem;
    problem.scores = c->bound;
    if (status == TZ_OK)
        status = tz_bind_spread(c->chart, &problem, 1, NULL);
    return status == TZ_OK ? tz_inside(c->chart) : status;
}

tz_status tz_limit_price(tz_limit_chart *c, double price) {
    c->price = price;
    return evaluate(c, (change){.price = price});
}

tz_status tz_limit_amounts(tz_limit_chart *c, int direction) {
    c->price = 0;
    return evaluate(c, (change){.masked = true, .price = direction});
}

tz_status tz_limit_take(tz_limit_chart *c, const tz_problem *problem, tz_error *opt_error) {
    const tz_rules *rules = c->limiter->rules;
    c->has_curve = false;
    size_t bad;
    tz_status status = tz_spread_problems(c->limiter->plan, problem, 1, &c->chart->given, &problem,
                                          &bad, opt_error);
    if (status == TZ_OK)
        status = tz_bind_spread(c->chart, problem, 1, opt_error);
    if (status != TZ_OK)
        return status;
    c->problem = problem;
    c->price = 0;
    memcpy(c->source, c->chart->bound.scores, rules->weights * sizeof *c->source);
    memset(c->ordered, 0, rules->weights * sizeof *c->ordered);
    choose_side(c);
    return tz_inside(c->chart);
}

/* ---- Derivations --------------------------------------------------------------------------------
 */

tz_status tz_limit_score(tz_limit_chart *c, unsigned weight, const int32_t *index,
                         double *ret_score) {
    const tz_lane_scores *scores = &c->source[weight];
    unsigned rank = c->limiter->rules->weight[weight].rank;
    if (!c->limiter->rules->weight[weight].sparse) {
        int64_t at[TZ_MAX_RANK];
        for (unsigned q = 0; q < rank; q++)
            at[q] = index[q];
        *ret_score = tz_lane_score(scores, rank, at);
        return TZ_OK;
    }
    if (!c->ordered[weight]) {
        tz_status status = tz_sort_entries(&scores->scores, rank, &c->order[weight]);
        if (status != TZ_OK)
            return status;
        c->ordered[weight] = true;
    }
    const tz_entry *found =
        tz_find_entry(c->order[weight].data, scores->scores.entries, index, rank);
    *ret_score = tz_entry_score(scores, found->at);
    return TZ_OK;
}

tz_status tz_limit_keep(tz_limit_chart *c, const tz_derivation *derivation, tz_kept *to) {
    const tz_rules *rules = c->limiter->rules;
    tz_status status = tz_buffer_reserve(&to->uses, derivation->uses + 1, sizeof(tz_use));
    if (status == TZ_OK)
        status = tz_buffer_reserve(&to->nodes, derivation->nodes + 1, sizeof(tz_node));
    if (status == TZ_OK)
        status = tz_buffer_reserve(&to->by_node, derivation->uses + 1, sizeof(uint32_t));
    if (status != TZ_OK)
        return status;
    tz_use *use = to->uses.data;
    tz_node *node = to->nodes.data;
    double score = 0;
    to->size = 0;
    to->amount = 0;
    for (size_t u = 0; u < derivation->uses; u++) {
        use[u] = derivation->use[u];
        ((uint32_t *)to->by_node.data)[u] = derivation->by_node[u];
        status = tz_limit_score(c, use[u].weight, use[u].index, &use[u].score);
        if (status != TZ_OK)
            return status;
        score += use[u].score;
        to->size += fabs(use[u].score);
        to->amount += tz_limit_amount(c, use[u].weight, use[u].index);
    }
    for (size_t i = 0; i < derivation->nodes; i++) {
        node[i] = derivation->node[i];
        for (unsigned q = rules->item[node[i].item].rank; q < TZ_MAX_RANK; q++)
            node[i].index[q] = 0;
    }
    to->derivation = (tz_derivation){.score = score,
                                     .uses = derivation->uses,
                                     .nodes = derivation->nodes,
                                     .use = derivation->uses > 0 ? use : NULL,
                                     .node = node,
                                     .by_node = derivation->uses > 0 ? to->by_node.data : NULL};
    return TZ_OK;
}
