/* items.c - the items met while sampling, and the tables of their instances.
 *
 * Shares are quotients of elements, the same numbers whether elements are narrow or wide. Where a
 * narrow product or quotient leaves its range the chart goes over to wide elements, as for
 * marginals. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/ask/expand.h"
#include "engine/ask/sample/sampler.h"
#include "engine/chart/facts.h"
#include "engine/chart/scale.h"
#include "engine/layout/address.h"
#include "engine/layout/space.h"
#include "engine/pass/run.h"
#include "kernels/exp_log.h"
#include "kernels/flags.h"

/* How far from 1 the shares of an item's instances may add up to. Sums in float over a million
 * instances stay within; where a value has stopped growing at the largest number, they do not. */
static const double tolerance = 1e-3;

/* Shares below this have lost bits. */
static const double smallest_share = 0x1p-1022;

tz_status tz_sample_room(tz_sample_list *list, size_t more, size_t size) {
    if (more >= UINT32_MAX - list->count)
        return TZ_TOO_LARGE;
    return tz_buffer_grow(&list->buffer, list->count + more, size);
}

/* ---- Items --------------------------------------------------------------------------------------
 */

static uint32_t hash_of(unsigned kind, const int32_t *index) {
    uint64_t h = kind;
    for (unsigned q = 0; q < TZ_MAX_RANK; q++) {
        h = (h ^ (uint32_t)index[q]) * 0x9e3779b97f4a7c15;
        h ^= h >> 32;
    }
    return (uint32_t)h;
}

/* The slot of the item, or the empty one where it would stand. */
static uint32_t *find_slot(const tz_sampler *s, unsigned kind, const int32_t *index) {
    uint32_t *slot = s->items.slot.data, mask = s->items.slots - 1;
    for (uint32_t at = hash_of(kind, index) & mask;; at = (at + 1) & mask) {
        const tz_sample_item *item = tz_sample_item_at(s, slot[at]);
        if (slot[at] == TZ_NOWHERE ||
            (item->kind == kind && memcmp(item->index, index, sizeof item->index) == 0))
            return &slot[at];
    }
}

/* Makes the hash table larger. */
static tz_status rehash(tz_sampler *s) {
    tz_sample_items *items = &s->items;
    tz_buffer larger = {0};
    uint32_t slots = items->slots > 0 ? 2 * items->slots : 64;
    if (slots == 0)
        return TZ_TOO_LARGE;
    tz_status status = tz_buffer_reserve(&larger, slots, sizeof(uint32_t));
    if (status != TZ_OK)
        return status;
    tz_buffer_free(&items->slot);
    items->slot = larger;
    items->slots = slots;
    memset(larger.data, 0xff, slots * sizeof(uint32_t));
    for (uint32_t i = 0; i < items->item.count; i++) {
        const tz_sample_item *item = tz_sample_item_at(s, i);
        *find_slot(s, item->kind, item->index) = i;
    }
    return TZ_OK;
}

tz_status tz_sample_intern(tz_sampler *s, unsigned kind, const int32_t *index, uint32_t *ret_item) {
    tz_sample_list *list = &s->items.item;
    tz_status status = tz_sample_room(list, 1, sizeof(tz_sample_item));
    if (status == TZ_OK && list->count >= s->items.slots / 2)
        status = rehash(s);
    if (status != TZ_OK)
        return status;
    uint32_t *slot = find_slot(s, kind, index);
    if (*slot == TZ_NOWHERE) {
        tz_sample_item *item = tz_sample_item_at(s, *slot = list->count++);
        *item = (tz_sample_item){.kind = kind};
        memcpy(item->index, index, sizeof item->index);
    }
    *ret_item = *slot;
    return TZ_OK;
}

/* ---- Instances ----------------------------------------------------------------------------------
 */

/* An item being expanded. */
typedef struct table {
    tz_sampler *s;
    const void *whole; /* the item's element */
    size_t marks;      /* that facts about the item have put on it */
    double scale;      /* and that of all its elements */
    tz_sample_item item;
} table;

/* The share of a part, far below the smallest double: that of the part times a score that brings it
 * near the whole, over the score. The same for narrow and wide elements. */
static tz_mass small_mass(const table *t, const void *part) {
    tz_chart *chart = t->s->chart;
    const tz_algebra *wide = &chart->plan->wide;
    const tz_semiring *semiring = wide->semiring;
    char *product = (char *)chart->pair.data + wide->size;
    char *whole = product + wide->size, *lifted = whole + wide->size;
    tz_widen(chart, part, t->scale, product);
    tz_widen(chart, t->whole, t->scale, whole);
    double gap = wide->value(semiring, whole) - wide->value(semiring, product), exponent;
    wide->lift(semiring, lifted, 1, &gap, 1);
    semiring->times(semiring, product, product, lifted);
    double m = tz_exp(-gap, &exponent);
    return tz_mass_of(semiring->share(semiring, product, whole) * m, (int64_t)exponent);
}

static tz_mass mass_of(const table *t, const void *part, double share) {
    const tz_semiring *wide = t->s->chart->plan->wide.semiring;
    /* Where elements have marks, a share of 0 may be that of fewer marks, whatever the value. */
    bool scores = wide->gives == TZ_GIVES_SCORE && wide->mark == NULL;
    return share < smallest_share && scores ? small_mass(t, part) : tz_mass_of(share, 0);
}

/* Adds the premises and uses of an instance, the last one in the list of instances. */
static tz_status add_terms(table *t, const tz_instance *instance) {
    tz_sampler *s = t->s;
    const tz_strip *strip = instance->strip;
    tz_sample_list *premises = &s->items.premise, *uses = &s->items.use;
    tz_status status = tz_sample_room(premises, strip->premises, sizeof(uint32_t));
    if (status == TZ_OK)
        status = tz_sample_room(uses, strip->weights, sizeof(tz_use));
    for (unsigned p = 0; p < strip->premises && status == TZ_OK; p++) {
        int32_t index[TZ_MAX_RANK];
        uint32_t item;
        tz_instance_premise(s->chart, instance, p, index);
        status = tz_sample_intern(s, strip->which[p], index, &item);
        if (status == TZ_OK)
            ((uint32_t *)premises->buffer.data)[premises->count++] = item;
    }
    for (unsigned w = 0; w < strip->weights && status == TZ_OK; w++)
        ((tz_use *)uses->buffer.data)[uses->count++] =
            tz_instance_use(s->chart, s->lane, instance, w);
    return status;
}

static tz_status add_instance(table *t, const tz_instance *instance, const void *element) {
    tz_sampler *s = t->s;
    tz_sample_items *items = &s->items;
    const tz_semiring *semiring = s->chart->algebra->semiring;
    tz_status status = tz_sample_room(&items->instance, 1, sizeof(tz_sample_instance));
    if (status != TZ_OK)
        return status;
    double share = semiring->share(semiring, element, t->whole);
    if (!(share <= 1 + tolerance))
        return TZ_TOO_LARGE;
    tz_sample_instance new = {.mass = mass_of(t, element, share),
                              .up_to = share,
                              .premise = items->premise.count,
                              .use = items->use.count,
                              .rule = (uint16_t)instance->strip->rule};
    if (new.mass.m == 0) /* no share, to the semiring */
        return TZ_OK;
    if (t->item.instances > 0)
        new.up_to += tz_sample_instance_at(s, items->instance.count - 1)->up_to;
    status = add_terms(t, instance);
    new.premises = (uint8_t)(items->premise.count - new.premise);
    new.uses = (uint8_t)(items->use.count - new.use);
    if (status == TZ_OK) {
        *tz_sample_instance_at(s, items->instance.count++) = new;
        t->item.instances++;
    }
    return status;
}

/* An instance's element, with the marks that its item has. */
static const void *marked(const table *t, const void *element) {
    const tz_algebra *algebra = t->s->chart->algebra;
    if (t->marks == 0)
        return element;
    char *copy = (char *)t->s->chart->pair.data + 3 * algebra->size; /* expanding takes two */
    memcpy(copy, element, algebra->size);
    for (size_t m = 0; m < t->marks; m++)
        algebra->semiring->mark(algebra->semiring, copy);
    return copy;
}

static tz_status add_instances(table *t) {
    tz_sampler *s = t->s;
    tz_chart *chart = s->chart;
    tz_expansion e;
    size_t size = chart->algebra->size;
    tz_status status = tz_expand_prepare(chart, s->lane);
    if (status != TZ_OK)
        return status;
    tz_expand_start(&e, chart, s->lane, t->item.kind, t->item.index);
    while (status == TZ_OK && tz_expand_next(&e)) {
        tz_instance instance = e.at;
        for (size_t x = 0; x < e.count && status == TZ_OK; x++) {
            const char *element = (const char *)e.element + x * size;
            if (!tz_is_zero(chart, element))
                status = add_instance(t, &instance, marked(t, element));
            instance.turn++;
        }
    }
    if (status != TZ_OK)
        return status;
    double total = 0;
    if (t->item.instances > 0)
        total = tz_sample_instance_at(s, s->items.instance.count - 1)->up_to;
    return fabs(total - 1) <= tolerance ? TZ_OK : TZ_TOO_LARGE;
}

/* With the elements that the chart has now; *ret_fits: they stayed in range. */
static tz_status make_table(tz_sampler *s, uint32_t item, bool *ret_fits) {
    tz_chart *chart = s->chart;
    tz_sample_items *items = &s->items;
    uint32_t premises = items->premise.count, uses = items->use.count;
    table t = {.s = s, .item = *tz_sample_item_at(s, item)};
    int64_t index[TZ_MAX_RANK];
    for (unsigned q = 0; q < TZ_MAX_RANK; q++)
        index[q] = t.item.index[q];
    t.item.instance = items->instance.count;
    t.whole = tz_cell(chart, TZ_AT_INSIDE, tz_cell_offset(chart, t.item.kind, index), s->lane);
    if (t.item.kind < chart->plan->rules->items)
        t.marks = tz_item_facts(chart, s->lane, t.item.kind, index, true);
    t.scale = tz_kind_scale(chart, s->lane, t.item.kind, index);
    unsigned flags = tz_flags_take();
    tz_status status = add_instances(&t);
    bool raised = tz_flags_return(flags);
    *ret_fits = chart->algebra == &chart->plan->wide || (!raised && !chart->scaling.misfit);
    if (status == TZ_OK && *ret_fits) {
        *tz_sample_item_at(s, item) = t.item;
        return TZ_OK;
    }
    items->instance.count = t.item.instance;
    items->premise.count = premises;
    items->use.count = uses;
    return status;
}

tz_status tz_sample_expand(tz_sampler *s, uint32_t item) {
    tz_chart *chart = s->chart;
    if (tz_sample_item_at(s, item)->instances > 0)
        return TZ_OK;
    bool fits;
    tz_status status = make_table(s, item, &fits);
    if (fits)
        return status;
    tz_pass last = tz_last_pass(chart);
    status = tz_repeat_wide(chart, last);
    return status == TZ_OK ? make_table(s, item, &fits) : status;
}
