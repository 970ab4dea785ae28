/* cost.c - counting semiring products. SPDX-License-Identifier: MIT */
#include "rules/tell/cost.h"

#include <math.h>
#include <string.h>

#include "rules/box.h"
#include "rules/polyhedra/form.h"

/* Steps of walks (loops moved and bounds evaluated) before a count is given up: a quarter of a
 * second or so. */
enum { MOST_STEPS = 20000000 };

/* What one instance costs: `inner` products for each split, `outer` ones once. */
typedef struct products {
    double inner, outer;
} products;

/* A count on its way. */
typedef struct counting {
    const tz_rules *rules;
    const int32_t *length;
    bool points;   /* count points of loops, not products */
    uint64_t left; /* of MOST_STEPS */
} counting;

static void take(counting *counting, uint64_t steps) {
    counting->left = steps < counting->left ? counting->left - steps : 0;
}

/* The column of the split loop in the step's nest. */
static unsigned split_column(const tz_step *step) {
    return (unsigned)step->nest.givens + step->nest.loops - (step->has_run ? 2 : 1);
}

static bool depends_on_column(const tz_step *step, unsigned rank, const tz_term *term,
                              unsigned column) {
    for (unsigned q = 0; q < rank; q++) {
        int64_t slope = 0;
        for (unsigned v = 0; v < step->variables; v++)
            slope += (int64_t)term->index[q].column[v] * step->nest.variable[v].column[column];
        if (slope != 0)
            return true;
    }
    return false;
}

/* k factors take k - 1 products: those of one split by themselves; their sum times each of the
 * others. */
static products of_instance(const counting *counting, const tz_step *step) {
    unsigned inner = 0;
    if (counting->points)
        return (products){step->has_split, 1};
    const tz_rules *rules = counting->rules;
    for (unsigned t = 0; t < step->terms && step->has_split; t++) {
        const tz_term *term = &step->term[t];
        unsigned rank = term->what == TZ_WEIGHT ? rules->weight[term->which].rank
                                                : rules->kind[term->which].rank;
        inner += depends_on_column(step, rank, term, split_column(step));
    }
    unsigned outer = step->terms - inner;
    if (!step->has_split && outer > 0)
        outer--;
    return (products){inner > 1 ? inner - 1 : 0, outer};
}

static double size_of(int64_t low, int64_t high) {
    return low <= high ? (double)(high - low) + 1 : 0;
}

/* The products of all points whose columns but the innermost (with has_split and has_run: the two
 * innermost) are given. `column` is scratch beyond those. */
static double innermost(counting *counting, const tz_step *step, products cost, int64_t *column) {
    unsigned lengths = counting->rules->lengths;
    const int32_t *length = counting->length;
    const tz_nest *nest = &step->nest;
    unsigned end = (unsigned)nest->givens + nest->loops;
    int64_t low, high;
    if (nest->loops == 0)
        return cost.outer;
    if (!step->has_split) {
        tz_range_value(&nest->range[nest->loops - 1], lengths, length, end - 1, column, &low,
                       &high);
        return size_of(low, high) * cost.outer;
    }
    unsigned split = split_column(step);
    tz_range_value(&nest->range[split - nest->givens], lengths, length, split, column, &low, &high);
    double splits = size_of(low, high);
    if (splits == 0)
        return 0;
    if (!step->has_run)
        return splits * cost.inner + cost.outer;
    const tz_range *run = &nest->range[nest->loops - 1];
    if (step->rectangular) {
        int64_t first, last;
        column[split] = low;
        tz_range_value(run, lengths, length, end - 1, column, &first, &last);
        return size_of(first, last) * (splits * cost.inner + cost.outer);
    }
    /* The runs of the splits are slices of a convex set: a run that does not touch those before it
     * is followed by none that does, so that their union is counted piece by piece. */
    double pairs = 0, targets = 0;
    int64_t from = 0, to = -1;
    for (column[split] = low; column[split] <= high && counting->left > 0; column[split]++) {
        int64_t first, last;
        take(counting, 1 + (uint64_t)run->lowers + run->uppers);
        tz_range_value(run, lengths, length, end - 1, column, &first, &last);
        if (first > last)
            continue;
        pairs += size_of(first, last);
        if (from > to || first > to + 1 || last < from - 1) {
            targets += size_of(from, to);
            from = first, to = last;
        } else {
            from = first < from ? first : from;
            to = last > to ? last : to;
        }
    }
    targets += size_of(from, to);
    return pairs * cost.inner + targets * cost.outer;
}

/* tz_walk_next within what is left. */
static bool next_point(counting *counting, tz_walk *walk) {
    walk->left = counting->left;
    bool more = tz_walk_next(walk);
    counting->left = walk->left;
    return more;
}

/* The products of a step for given givens. */
static double of_givens(counting *counting, const tz_step *step, products cost,
                        const int64_t *given) {
    tz_nest around = step->nest;
    unsigned inside = step->has_split && step->has_run ? 2 : 1;
    around.loops = (uint8_t)(around.loops > inside ? around.loops - inside : 0);
    uint64_t within = 0; /* steps of the closed form */
    for (unsigned q = around.loops; q < step->nest.loops; q++)
        within += (uint64_t)step->nest.range[q].lowers + step->nest.range[q].uppers;
    double sum = 0;
    tz_walk walk;
    tz_walk_start(&walk, &around, counting->rules->lengths, counting->length, given);
    while (next_point(counting, &walk)) {
        sum += innermost(counting, step, cost, walk.column);
        take(counting, within);
    }
    return sum;
}

/* Sums over every combination of a stage of the target and a cell of each sparse weight, which are
 * walked as nests one inside the other. */
static double of_step(counting *counting, const tz_step *step) {
    const tz_rules *rules = counting->rules;
    const int32_t *length = counting->length;
    const tz_kind *target = &rules->kind[step->target.which];
    unsigned stages = step->stages, parts = step->sparse + 1u, at = 0;
    tz_nest stage = {.loops = (uint8_t)stages, .range = target->stage_range};
    products cost = of_instance(counting, step);
    tz_walk walk[1 + TZ_MAX_SPARSE];
    unsigned first[1 + TZ_MAX_SPARSE] = {0};
    int64_t given[TZ_MAX_COLUMNS];
    double sum = 0;
    if (cost.inner == 0 && cost.outer == 0)
        return 0;
    tz_walk_start(&walk[0], &stage, rules->lengths, length, NULL);
    for (;;) {
        if (!next_point(counting, &walk[at])) {
            if (at == 0)
                return sum;
            at--;
            continue;
        }
        unsigned columns = stages;
        if (at > 0) {
            const tz_weight *weight = &rules->weight[step->term[at - 1].which];
            columns = weight->rank;
            take(counting, weight->domain.count);
            if (!tz_domain_holds(&weight->domain, rules->lengths, length, columns, walk[at].column))
                continue;
        }
        memcpy(given + first[at], walk[at].column, columns * sizeof *given);
        if (at + 1 == parts) {
            sum += of_givens(counting, step, cost, given);
        } else {
            at++;
            first[at] = first[at - 1] + columns;
            tz_walk_start(&walk[at], &rules->weight[step->term[at - 1].which].cells, rules->lengths,
                          length, NULL);
        }
    }
}

static tz_status count(const tz_rules *rules, const int32_t *lengths, bool points, double *ret) {
    counting counting = {rules, lengths, points, MOST_STEPS};
    for (unsigned l = 0; l < rules->lengths; l++)
        if (lengths[l] < 0 || lengths[l] > TZ_MAX_LENGTH)
            return TZ_BAD_ARGUMENT;
    double sum = 0;
    for (unsigned s = 0; s < rules->steps; s++) {
        sum += of_step(&counting, &rules->step[s]);
        if (counting.left == 0)
            return TZ_TOO_LARGE;
    }
    *ret = sum;
    return TZ_OK;
}

tz_status tz_rules_products(const tz_rules *rules, const int32_t *lengths, double *ret_products) {
    return count(rules, lengths, false, ret_products);
}

tz_status tz_rules_points(const tz_rules *rules, const int32_t *lengths, double *ret_points) {
    return count(rules, lengths, true, ret_points);
}

double tz_kind_cells(const tz_rules *rules, unsigned kind, const int32_t *lengths) {
    const tz_kind *k = &rules->kind[kind];
    int64_t low[TZ_MAX_RANK], high[TZ_MAX_RANK];
    ptrdiff_t stride[TZ_MAX_RANK];
    size_t size;
    bool closer;
    for (unsigned q = 0; q < k->rank; q++) {
        tz_range_value(&k->coordinate_range[q], rules->lengths, lengths, 0, NULL, &low[q],
                       &high[q]);
        if (low[q] > high[q])
            return 0;
    }
    const tz_box_range range = {k->rank, low, high};
    return tz_box_strides(&range, k->shear, k->shears, rules->lengths, lengths, 0, stride, &size,
                          &closer)
               ? (double)size
               : INFINITY;
}
