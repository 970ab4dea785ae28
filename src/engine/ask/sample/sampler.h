/* sampler.h - the parts of a sampler of derivations.
 *
 * A sample is drawn from the goal down: at each item one of its instances, with a probability that
 * is its share of the item's value. Items occur again and again, so the table of an item's
 * instances is made once, when it first occurs (items.c). With replacement, each sample makes its
 * choices by random numbers of its own (sample.c). Without replacement, all samples are leaves of
 * one tree of choices, and the order in which they are reached is random (race.c).
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_SAMPLE_SAMPLER_H
#define TZ_ENGINE_ASK_SAMPLE_SAMPLER_H

#include "base/philox.h"
#include "engine/ask/sample/mass.h"
#include "engine/engine.h"

#define TZ_NOWHERE UINT32_MAX /* no item, branch, ... */

/* An instance of an item, with no weight in it of score -INFINITY. */
typedef struct tz_sample_instance {
    tz_mass mass;          /* its share of the item's value */
    double up_to;          /* sum of the shares up to and including its own */
    uint32_t premise, use; /* the first ones */
    uint16_t rule;
    uint8_t premises, uses;
} tz_sample_instance;

/* An item or a fold. */
typedef struct tz_sample_item {
    int32_t index[TZ_MAX_RANK];
    uint32_t kind;
    uint32_t instance, instances; /* the first one; 0 of them until it is expanded */
} tz_sample_item;

/* A list that is a buffer of `count` elements. */
typedef struct tz_sample_list {
    tz_buffer buffer;
    uint32_t count;
} tz_sample_list;

/* What is known of a problem's items; lists refer to each other by position. */
typedef struct tz_sample_items {
    tz_sample_list item, instance;
    tz_sample_list premise; /* items */
    tz_sample_list use;
    tz_buffer slot; /* a hash table of items by kind and index */
    uint32_t slots; /* a power of two */
} tz_sample_items;

/* The tree of choices as far as it has been looked at. A branch is a partial derivation, expanded
 * at its leftmost item that has several instances: those that have arrived and those that are still
 * to come. */
typedef struct tz_sample_branch {
    tz_mass rate;            /* probability of the partial derivation */
    tz_mass time;            /* when the first instance still to come arrives */
    uint32_t before, chosen; /* the branch it comes from, and by which of its instances */
    uint32_t item, pending;  /* the item expanded, and the items after it */
    uint32_t arrived;
    uint32_t order; /* from the second arrival on: all instances, first those that have arrived */
    uint32_t first; /* before the second arrival: the instance that has arrived */
} tz_sample_branch;

/* Items still to expand, a list that shares its end with others. */
typedef struct tz_sample_pending {
    uint32_t item, next;
} tz_sample_pending;

typedef struct tz_sample_race {
    tz_sample_list branch, pending, order;
    tz_sample_list heap; /* branches by time, the earliest on top */
    bool running;        /* a sample is on its way */
    uint32_t arriving;   /* the branch at which its next choice is made, or TZ_NOWHERE */
    uint32_t before, chosen, next;
    tz_mass rate, time; /* see the branch that it goes on from */
} tz_sample_race;

struct tz_sampler {
    tz_chart *chart;
    size_t lane;
    uint64_t epoch; /* of the chart */
    bool none, without_replacement;
    uint64_t drawn;
    tz_stream stream;
    tz_sample_items items;
    tz_sample_race race;
    tz_buffer choice; /* of the sample, instances where there are several; from the last one on */
    size_t choices;
    tz_buffer stack, node, use, sorting, sorted, by_node, positions;
    tz_derivation derivation;
};

static inline tz_sample_item *tz_sample_item_at(const tz_sampler *s, uint32_t item) {
    return (tz_sample_item *)s->items.item.buffer.data + item;
}

static inline tz_sample_instance *tz_sample_instance_at(const tz_sampler *s, uint32_t instance) {
    return (tz_sample_instance *)s->items.instance.buffer.data + instance;
}

/* Room for `more` elements; TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_sample_room(tz_sample_list *list, size_t more, size_t size);

/* The number of an item, a new one if it has none. */
tz_status tz_sample_intern(tz_sampler *s, unsigned kind, const int32_t *index, uint32_t *ret_item);
/* Makes the table of the item's instances, unless it is there. Also TZ_TOO_LARGE where the shares
 * do not add up. */
tz_status tz_sample_expand(tz_sampler *s, uint32_t item);

/* The goal's item is number 0. TZ_NO_MEMORY. */
tz_status tz_sample_race_start(tz_sampler *s);
/* Decides which derivation comes next, and leaves its choices in s->choice. TZ_NONE. */
tz_status tz_sample_race_next(tz_sampler *s);

#endif
