/* instances.c - see instances.h. SPDX-License-Identifier: MIT */
#include "engine/ask/kbest/instances.h"

#include <string.h>

#include "engine/ask/kbest/room.h"
#include "engine/ask/trace/circle.h"

/* Numbers of a strip's forms that are not the item's. */
static unsigned own_numbers(const tz_kbest *k, const tz_strip *strip) {
    return strip->width - 2 * k->chart->plan->strips[TZ_LISTED]->pairs;
}

/* Appends a part's instances that are not zero to k->candidates; *count: so far. */
static tz_status take_part(tz_kbest *k, const tz_expansion *e, uint32_t first, size_t *count) {
    const tz_algebra *algebra = k->chart->algebra;
    tz_status status = tz_buffer_grow(&k->candidates, *count + e->count, sizeof(tz_candidate));
    if (status != TZ_OK)
        return status;
    tz_candidate *to = (tz_candidate *)k->candidates.data + *count;
    for (size_t x = 0; x < e->count; x++) {
        const char *element = (const char *)e->element + x * algebra->size;
        double score = algebra->value(algebra->semiring, element);
        if (!tz_kbest_zero(k, score, element))
            *to++ = (tz_candidate){.score = score, .number = first + (uint32_t)x};
    }
    *count = (size_t)(to - (tz_candidate *)k->candidates.data);
    return TZ_OK;
}

/* Appends what a part's instances have in common to k->strips. */
static tz_status add_part(tz_kbest *k, const tz_expansion *e, uint32_t first, size_t parts) {
    const tz_strip *strip = e->at.strip;
    const unsigned own = own_numbers(k, strip);
    uint64_t *number = NULL;
    if (own > 0) {
        number = tz_kbest_room(k, own + strip->sparse, sizeof *number);
        if (number == NULL)
            return TZ_NO_MEMORY;
        memcpy(number, e->at.at + strip->width - own, own * sizeof *number);
        for (unsigned s = 0; s < strip->sparse; s++)
            number[own + s] = e->at.entry[s];
    }
    tz_status status = tz_buffer_grow(&k->strips, parts + 1, sizeof(tz_ranked_strip));
    if (status == TZ_OK)
        ((tz_ranked_strip *)k->strips.data)[parts] =
            (tz_ranked_strip){.strip = strip, .number = number, .low = e->at.turn, .first = first};
    return status;
}

static void *copy(tz_kbest *k, const tz_buffer *from, size_t count, size_t size) {
    void *to = tz_kbest_room(k, count, size);
    if (to != NULL && count > 0)
        memcpy(to, from->data, count * size);
    return to;
}

static tz_status list_instances(tz_kbest *k, tz_ranked *list) {
    size_t count = 0, parts = 0;
    uint32_t number = 0;
    tz_expansion e;
    for (tz_expand_start(&e, k->chart, k->lane, list->kind, list->index); tz_expand_next(&e);) {
        const size_t before = count;
        if (e.count > UINT32_MAX - number)
            return TZ_TOO_LARGE;
        tz_status status = take_part(k, &e, number, &count);
        if (status == TZ_OK && count > before)
            status = add_part(k, &e, number, parts++);
        if (status != TZ_OK)
            return status;
        number += (uint32_t)e.count;
    }
    list->strip = copy(k, &k->strips, parts, sizeof *list->strip);
    list->heap = copy(k, &k->candidates, count, sizeof *list->heap);
    if (list->strip == NULL || list->heap == NULL)
        return TZ_NO_MEMORY;
    list->strips = parts;
    list->candidates = count;
    list->heap_room = (uint32_t)count; /* numbers are not more */
    list->unordered = !k->chart->trace.strips[TZ_LISTED]->kind[list->kind].ordered;
    return TZ_OK;
}

tz_status tz_ranked_expand(tz_kbest *k, tz_ranked *list) {
    list->candidates = 0;
    if (tz_is_closed(k->chart->plan->rules, list->kind)) {
        bool circle = false;
        tz_status status = tz_circle_look(k->chart, k->lane, list->kind, list->index, &circle);
        if (status != TZ_OK)
            return status;
        if (circle) {
            tz_diverging_item *item = &k->chart->closure.diverging;
            *item = (tz_diverging_item){.lane = k->lane, .item = list->kind};
            memcpy(item->index, list->index, sizeof item->index);
            k->chart->closure.diverged = true;
            return TZ_DIVERGES;
        }
    }
    return list_instances(k, list);
}

void tz_ranked_instance(const tz_kbest *k, const tz_ranked *list, uint32_t number,
                        tz_instance *ret) {
    size_t low = 0, high = list->strips - 1; /* the part that it is of */
    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (list->strip[middle].first <= number)
            low = middle;
        else
            high = middle - 1;
    }
    const tz_ranked_strip *of = &list->strip[low];
    const unsigned own = own_numbers(k, of->strip);
    ret->strip = of->strip;
    ret->turn = of->low + (int64_t)(number - of->first);
    tz_item_numbers(k->chart->trace.strips[TZ_LISTED], list->index, ret->at);
    if (own > 0)
        memcpy(ret->at + of->strip->width - own, of->number, own * sizeof *ret->at);
    for (unsigned s = 0; s < of->strip->sparse; s++)
        ret->entry[s] = (size_t)of->number[own + s];
}

bool tz_ranked_before(const tz_kbest *k, const tz_ranked *list, uint32_t a, uint32_t b) {
    if (!list->unordered)
        return a < b;
    tz_instance x, y;
    tz_ranked_instance(k, list, a, &x);
    tz_ranked_instance(k, list, b, &y);
    return tz_instance_before(k->chart, k->lane, &x, &y);
}
