/* limiter.c - what is made once for a rule set and a resource. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/modes.h"
#include "engine/limits/limits.h"
#include "semirings/own.h"

/* A side, and the charged rules where the notation has room for them and an order of evaluation. */
static tz_status add_side(tz_limiter *limiter, size_t resource, bool rest, const tz_semiring *max,
                          unsigned flags) {
    const tz_rules *rules = limiter->rules;
    if (!tz_resource_is_sum(rules, resource))
        return TZ_OK;
    tz_limit_side *side = &limiter->side[limiter->sides++];
    side->resource = resource;
    side->rest = rest;
    tz_status status = tz_rules_charge(rules, rules->resource[resource].name, &side->charged, NULL);
    if (status == TZ_OK)
        status = tz_plan_new(side->charged, max, flags, &side->plan, NULL);
    return status == TZ_NO_MEMORY ? status : TZ_OK;
}

tz_status tz_limiter_new(const tz_rules *rules, const char *resource, tz_precision precision,
                         unsigned flags, tz_limiter **ret_limiter, tz_error *opt_error) {
    TZ_DEFAULT_MODES;
    *ret_limiter = NULL;
    size_t which = 0;
    while (which < rules->resources && strcmp(rules->resource[which].name, resource) != 0)
        which++;
    if (which == rules->resources)
        return tz_fail(opt_error, TZ_BAD_ARGUMENT,
                       "rule set %s has no resource \"%.64s\": declare it with a `resource` line",
                       rules->name, resource);
    if (tz_has_closures(rules))
        return tz_fail(opt_error, TZ_LAW,
                       "rule set %s has a closure, where a derivation may go round and use any "
                       "amount: limits are not found there; try the semiring resource(%.64s,D,max)",
                       rules->name, resource);
    tz_limiter *limiter = calloc(1, sizeof *limiter);
    if (limiter == NULL)
        return tz_fail(opt_error, TZ_NO_MEMORY, "%s", tz_status_name(TZ_NO_MEMORY));
    limiter->rules = rules;
    limiter->resource = which;
    const tz_semiring *max = tz_semiring_best(precision);
    tz_status status = tz_plan_new(rules, max, flags, &limiter->plan, opt_error);
    if (status != TZ_OK) {
        free(limiter);
        return status;
    }
    status = add_side(limiter, which, false, max, flags);
    int32_t none[TZ_MAX_LENGTHS] = {0};
    size_t other;
    int64_t total;
    if (status == TZ_OK &&
        tz_rules_resource_complement(rules, which, none, &other, &total) == TZ_OK)
        status = add_side(limiter, other, true, max, flags);
    if (status != TZ_OK) {
        tz_limiter_free(limiter);
        return tz_fail(opt_error, status, "%s", tz_status_name(status));
    }
    *ret_limiter = limiter;
    return TZ_OK;
}

void tz_limiter_free(tz_limiter *limiter) {
    if (limiter == NULL)
        return;
    for (unsigned s = 0; s < limiter->sides; s++) {
        tz_plan_free(limiter->side[s].plan);
        tz_rules_free(limiter->side[s].charged);
    }
    tz_plan_free(limiter->plan);
    free(limiter);
}

tz_status tz_limit_chart_new(const tz_limiter *limiter, tz_limit_chart **ret_chart) {
    *ret_chart = NULL;
    tz_limit_chart *c = calloc(1, sizeof *c);
    if (c == NULL)
        return TZ_NO_MEMORY;
    size_t weights = limiter->rules->weights;
    c->limiter = limiter;
    c->source = calloc(weights + 1, sizeof *c->source);
    c->amount = calloc(weights + 1, sizeof *c->amount);
    c->bound = calloc(weights + 1, sizeof *c->bound);
    c->room = calloc(weights + 1, sizeof *c->room);
    c->order = calloc(weights + 1, sizeof *c->order);
    c->ordered = calloc(weights + 1, sizeof *c->ordered);
    tz_status status = TZ_NO_MEMORY;
    if (c->source != NULL && c->amount != NULL && c->bound != NULL && c->room != NULL &&
        c->order != NULL && c->ordered != NULL)
        status = tz_chart_new(limiter->plan, &c->chart);
    for (unsigned s = 0; s < limiter->sides && status == TZ_OK; s++)
        if (limiter->side[s].plan != NULL)
            status = tz_chart_new(limiter->side[s].plan, &c->charged[s]);
    if (status != TZ_OK) {
        tz_limit_chart_free(c);
        return status;
    }
    *ret_chart = c;
    return TZ_OK;
}

void tz_limit_chart_watch(tz_limit_chart *c, tz_watch *opt_watch) {
    TZ_DEFAULT_MODES;
    tz_chart *const chart[] = {c->chart, c->charged[0], c->charged[1]};
    for (size_t i = 0; i < sizeof chart / sizeof *chart; i++)
        if (chart[i] != NULL)
            tz_chart_watch(chart[i], opt_watch);
}

void tz_limit_chart_free(tz_limit_chart *c) {
    if (c == NULL)
        return;
    for (unsigned w = 0; w < c->limiter->rules->weights; w++) {
        if (c->room != NULL)
            tz_buffer_free(&c->room[w]);
        if (c->order != NULL)
            tz_buffer_free(&c->order[w]);
    }
    for (size_t k = 0; k < sizeof c->kept / sizeof *c->kept; k++) {
        tz_buffer_free(&c->kept[k].uses);
        tz_buffer_free(&c->kept[k].nodes);
        tz_buffer_free(&c->kept[k].by_node);
        tz_buffer_free(&c->kept[k].positions);
    }
    tz_forest_free(&c->forest);
    tz_buffer_free(&c->curve);
    tz_buffer_free(&c->facts);
    tz_buffer_free(&c->cells);
    tz_chart_free(c->charged[0]);
    tz_chart_free(c->charged[1]);
    tz_chart_free(c->chart);
    free(c->source);
    free(c->amount);
    free(c->bound);
    free(c->room);
    free(c->order);
    free(c->ordered);
    free(c);
}
