/* sample.c - samplers, and samples with replacement.
 *
 * Sample number s takes its random numbers from stream s of the seed, one for each item that has
 * several instances, in preorder. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/modes.h"
#include "engine/ask/sample/sampler.h"
#include "engine/ask/trace/name.h"
#include "engine/ask/trace/uses.h"
#include "engine/chart/facts.h"

/* ---- One sample ---------------------------------------------------------------------------------
 */

/* An instance of the item with the probability of its share: the first one whose share reaches
 * beyond a point drawn between 0 and the sum of all, which is 1 but for rounding. */
static uint32_t draw(tz_sampler *s, const tz_sample_item *item) {
    const tz_sample_instance *instance = tz_sample_instance_at(s, item->instance);
    double point = tz_uniform(&s->stream) * instance[item->instances - 1].up_to;
    uint32_t low = 0, high = item->instances - 1; /* up_to of the last one is beyond it */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (instance[middle].up_to > point)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The instance of an item that the sample takes. */
static uint32_t choose(tz_sampler *s, const tz_sample_item *item) {
    if (item->instances == 1)
        return 0;
    return s->without_replacement ? ((const uint32_t *)s->choice.data)[--s->choices]
                                  : draw(s, item);
}

/* Adds the node of an item, unless it is a fold, and the uses of its instance. */
static tz_status add(tz_sampler *s, const tz_sample_item *item,
                     const tz_sample_instance *instance) {
    const tz_rules *rules = s->chart->plan->rules;
    tz_derivation *d = &s->derivation;
    tz_status status = tz_buffer_grow(&s->node, d->nodes + 1, sizeof *d->node);
    if (status == TZ_OK)
        status = tz_buffer_grow(&s->use, d->uses + instance->uses, sizeof *d->use);
    if (status != TZ_OK)
        return status;
    if (item->kind < rules->items) {
        tz_node *node = (tz_node *)s->node.data + d->nodes++;
        *node = (tz_node){.item = item->kind,
                          .rule = instance->rule,
                          .premises = rules->rule[instance->rule].premises};
        memcpy(node->index, item->index, sizeof node->index);
    }
    if (instance->uses > 0)
        memcpy((tz_use *)s->use.data + d->uses,
               (const tz_use *)s->items.use.buffer.data + instance->use,
               instance->uses * sizeof(tz_use));
    d->uses += instance->uses;
    return TZ_OK;
}

/* Puts the uses in order and adds up their scores. */
static tz_status finish(tz_sampler *s) {
    tz_derivation *d = &s->derivation;
    const tz_traced found = {&s->stack, &s->node, &s->use, d->nodes, d->uses};
    tz_status status = TZ_OK;
    if (d->uses > 0)
        status = tz_sort_uses(s->chart, s->lane, &found, &s->sorting, &s->sorted, &s->by_node);
    if (status != TZ_OK)
        return status;
    d->use = d->uses > 0 ? s->sorted.data : NULL;
    d->node = s->node.data;
    d->by_node = d->uses > 0 ? s->by_node.data : NULL;
    status = tz_name_uses(s->chart, s->lane, d, s->sorted.data, s->by_node.data, &s->positions);
    for (size_t u = 0; u < d->uses && status == TZ_OK; u++)
        d->score += d->use[u].score;
    return status;
}

/* The derivation that the choices make, in preorder. */
static tz_status build(tz_sampler *s) {
    s->derivation = (tz_derivation){0};
    tz_status status = tz_buffer_grow(&s->stack, 1, sizeof(uint32_t));
    if (status != TZ_OK)
        return status;
    *(uint32_t *)s->stack.data = 0; /* the goal */
    for (size_t depth = 1; depth > 0;) {
        uint32_t number = ((const uint32_t *)s->stack.data)[--depth];
        status = tz_sample_expand(s, number);
        if (status != TZ_OK)
            return status;
        const tz_sample_item *item = tz_sample_item_at(s, number);
        const tz_sample_instance *instance =
            tz_sample_instance_at(s, item->instance + choose(s, item));
        status = add(s, item, instance);
        if (status == TZ_OK)
            status = tz_buffer_grow(&s->stack, depth + instance->premises, sizeof(uint32_t));
        if (status != TZ_OK)
            return status;
        const uint32_t *premise =
            (const uint32_t *)s->items.premise.buffer.data + instance->premise;
        for (unsigned p = instance->premises; p-- > 0;) /* the first one on top */
            ((uint32_t *)s->stack.data)[depth++] = premise[p];
    }
    return finish(s);
}

/* ---- Samplers -----------------------------------------------------------------------------------
 */

tz_status tz_sampler_new(tz_chart *chart, size_t problem, uint64_t seed, bool without_replacement,
                         tz_sampler **ret_sampler) {
    TZ_DEFAULT_MODES;
    const tz_rules *rules = chart->plan->rules;
    const tz_semiring *semiring = chart->plan->wide.semiring;
    *ret_sampler = NULL;
    if (chart->state < TZ_INSIDE_DONE || problem >= chart->lanes)
        return TZ_BAD_ARGUMENT;
    if (semiring->share == NULL || (semiring->laws & (TZ_PATH | TZ_IDEMPOTENT)) != 0)
        return TZ_LAW;
    tz_sampler *s = calloc(1, sizeof *s);
    if (s == NULL)
        return TZ_NO_MEMORY;
    s->chart = chart;
    s->lane = problem;
    s->epoch = chart->epoch;
    s->stream.seed = seed;
    s->without_replacement = without_replacement;
    s->none = tz_goal_missing(chart, problem);
    int32_t index[TZ_MAX_RANK] = {0};
    uint32_t item;
    for (unsigned q = 0; q < rules->kind[rules->goal.which].rank; q++)
        index[q] = (int32_t)tz_form_value(&rules->goal.index[q], rules->lengths,
                                          tz_lane_length(chart, problem), 0, NULL);
    tz_status status = tz_sample_intern(s, rules->goal.which, index, &item);
    if (status == TZ_OK && without_replacement)
        status = tz_sample_race_start(s);
    if (status == TZ_OK)
        *ret_sampler = s;
    else
        tz_sampler_free(s);
    return status;
}

tz_status tz_sampler_next(tz_sampler *s, const tz_derivation **ret_derivation) {
    TZ_DEFAULT_MODES;
    *ret_derivation = NULL;
    if (s->chart->state < TZ_INSIDE_DONE || s->chart->epoch != s->epoch)
        return TZ_BAD_ARGUMENT;
    if (s->none)
        return TZ_NONE;
    tz_status status = TZ_OK;
    if (s->without_replacement)
        status = tz_sample_race_next(s);
    else
        s->stream = (tz_stream){.seed = s->stream.seed, .number = s->drawn};
    if (status == TZ_OK)
        status = build(s);
    if (status != TZ_OK)
        return status;
    s->drawn++;
    s->race.running = false;
    *ret_derivation = &s->derivation;
    return TZ_OK;
}

void tz_sampler_free(tz_sampler *s) {
    if (s == NULL)
        return;
    tz_buffer *all[] = {&s->items.item.buffer,
                        &s->items.instance.buffer,
                        &s->items.premise.buffer,
                        &s->items.use.buffer,
                        &s->items.slot,
                        &s->race.branch.buffer,
                        &s->race.pending.buffer,
                        &s->race.order.buffer,
                        &s->race.heap.buffer,
                        &s->choice,
                        &s->stack,
                        &s->node,
                        &s->use,
                        &s->sorting,
                        &s->sorted,
                        &s->by_node,
                        &s->positions};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        tz_buffer_free(all[i]);
    free(s);
}
