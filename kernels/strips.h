/* strips.h - instances of rules as linear forms, and a derivation that is traced along them.
 *
 * An item's instances come in strips, one for each of its rules and each point of the rule's loops
 * but the last, which the strip runs along. Two indices a and b are kept as one pair: a + 2^31 in
 * the lower half, so that no borrow of a negative one reaches the upper, and b in the upper. A form
 * is linear in numbers, at[0], at[1], ...: the halves of the item's pairs, then the indices of
 * entries and the loops around the last one. At turn 0 it has the value
 *     form[1] + form[2] * at[0] + form[3] * at[1] + ...
 * modulo 2^64, and form[0] more for each turn. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_STRIPS_H
#define TZ_KERNELS_STRIPS_H

#include <stdbool.h>

#include <trapeze/trapeze.h>

/* Room for every index of an item, in whole pairs, and for what follows. */
enum {
    TZ_STRIP_PAIRS = (TZ_MAX_RANK + 1) / 2,
    TZ_STRIP_LOOPS = 32, /* around the last one, and indices of entries, at most */
    TZ_STRIP_NUMBERS = 2 * TZ_STRIP_PAIRS + TZ_STRIP_LOOPS
};

#define TZ_PAIR_BIAS ((uint64_t)1 << 31)

/* The forms of a strip, each of 2 + width words: conditions, which must be >= 0, or other than 0
 * where form[0] is 1; bounds of the last loop, over form[0], lower ones (none: 0), then upper ones
 * (none: the lowest turn is the only one); addresses of the operands, in the order in which they
 * are multiplied; then pairs of premises and of weights, and bounds of the loops around the last
 * one. */
typedef struct tz_strip {
    const uint64_t *form, *premise, *weight, *outer;
    const uint16_t *which;        /* kinds of premises, then weights */
    const uint16_t *bounds;       /* [outers] how many lower bounds, then upper ones */
    const uint8_t *part;          /* [operands] which of those in `which` each is */
    uint32_t rule, node_premises; /* as the node names them */
    uint16_t conditions, lowers, uppers;
    uint8_t width, operands, premises, weights, outers;
    uint8_t sparse; /* weights, the first ones, of which an entry is chosen before the loops */
    bool alone;     /* where it has an instance it is the item's only one */
    bool simple;    /* one bound at most, an upper one, over 1; no conditions other than >= 0 */
} tz_strip;

/* The strips of a kind. An item of a rule without terms, and of no other, is a leaf. */
typedef struct tz_strip_kind {
    const uint64_t *leaf; /* form that is >= 0 where the item is a leaf; NULL: none is */
    const uint64_t *cell; /* form of the address of what the products are compared with */
    const tz_strip *strip;
    uint32_t strips, leaf_rule;
    bool direct;  /* it can be traced: every instance is a strip's, or a leaf's, in order */
    bool plain;   /* no strip has loops around the last one, or entries */
    bool ordered; /* instances come in the order that decides ties */
} tz_strip_kind;

/* An item still to do. Of its pairs, those past the plan's may be anything. */
typedef struct tz_pending {
    uint64_t pair[TZ_STRIP_PAIRS];
    uint32_t kind;
} tz_pending;

/* A derivation on its way. There is room for what `count` items more add. Index values past those
 * of the plan's pairs are 0 from the start: nothing but zeros is ever written there. */
typedef struct tz_trail {
    const tz_strip_kind *kind;
    unsigned pairs;   /* of indices, for all kinds and weights: 1, 2 or TZ_STRIP_PAIRS */
    unsigned items;   /* kinds below have nodes */
    ptrdiff_t behind; /* elements stand so many bytes behind their addresses */
    tz_pending *bottom, *pending; /* the stack of items, and its end */
    tz_node *node;                /* ends of the lists; uses have no scores */
    tz_use *use;
} tz_trail;

static inline uint64_t tz_pair(int32_t a, int32_t b) {
    return (uint64_t)(uint32_t)b << 32 | ((uint32_t)a ^ (uint32_t)TZ_PAIR_BIAS);
}
static inline int32_t tz_pair_first(uint64_t pair) {
    return (int32_t)((uint32_t)pair ^ (uint32_t)TZ_PAIR_BIAS);
}
static inline int32_t tz_pair_second(uint64_t pair) {
    return (int32_t)(uint32_t)(pair >> 32);
}
/* Its halves as a strip's numbers. */
static inline void tz_pair_split(uint64_t pair, uint64_t *at) {
    at[0] = (uint32_t)pair;
    at[1] = (uint64_t)((int64_t)pair >> 32);
}
/* Writes pair p of some indices, as far as there is room. */
static inline void tz_pair_write(uint64_t pair, unsigned p, int32_t *index) {
    index[2 * p] = tz_pair_first(pair);
    if (2 * p + 1 < TZ_MAX_RANK)
        index[2 * p + 1] = tz_pair_second(pair);
}
static inline void tz_pairs_of(const int32_t *index, unsigned pairs, uint64_t *ret_pair) {
    for (unsigned p = 0; p < pairs; p++)
        ret_pair[p] = tz_pair(index[2 * p], 2 * p + 1 < TZ_MAX_RANK ? index[2 * p + 1] : 0);
}

/* A form at turn 0. A constant `width` lets the compiler unroll. */
static inline uint64_t tz_form_at(const uint64_t *form, const uint64_t *at, unsigned width) {
    uint64_t value = form[1];
    for (unsigned q = 0; q < width; q++)
        value += form[2 + q] * at[q];
    return value;
}

/* Values that satisfy some bounds, lower ones, then upper ones; the forms after these. */
static inline const uint64_t *tz_bounds_at(const uint64_t *form, unsigned lowers, unsigned uppers,
                                           const uint64_t *at, unsigned width, int64_t *ret_low,
                                           int64_t *ret_high) {
    *ret_low = INT64_MIN;
    *ret_high = INT64_MAX;
    for (unsigned b = 0; b < lowers + uppers; b++, form += 2 + width) {
        int64_t bound = (int64_t)tz_form_at(form, at, width);
        if (form[0] != 1) { /* rounded up, or down */
            const int64_t over = (int64_t)form[0], rest = bound % over;
            bound = bound / over + (b < lowers ? rest > 0 : -(rest < 0));
        }
        if (b < lowers)
            *ret_low = bound > *ret_low ? bound : *ret_low;
        else
            *ret_high = bound < *ret_high ? bound : *ret_high;
    }
    return form;
}

/* Do the conditions of a strip hold? */
static inline bool tz_strip_holds(const tz_strip *strip, const uint64_t *at) {
    const uint64_t *form = strip->form;
    for (unsigned c = 0; c < strip->conditions; c++, form += 2 + strip->width) {
        const int64_t value = (int64_t)tz_form_at(form, at, strip->width);
        if (form[0] != 0 ? value == 0 : value < 0)
            return false;
    }
    return true;
}

/* Turns *ret_low..*ret_high of a strip whose conditions hold, and the forms of its operands; NULL
 * where it has none. */
static inline const uint64_t *tz_strip_turns(const tz_strip *strip, const uint64_t *at,
                                             int64_t *ret_low, int64_t *ret_high) {
    const uint64_t *form = strip->form + strip->conditions * (2u + strip->width);
    form = tz_bounds_at(form, strip->lowers, strip->uppers, at, strip->width, ret_low, ret_high);
    if (strip->lowers == 0)
        *ret_low = 0;
    if (strip->uppers == 0)
        *ret_high = *ret_low;
    return *ret_low <= *ret_high ? form : NULL;
}

/* The form of an operand's address. */
static inline const uint64_t *tz_strip_operand(const tz_strip *strip, unsigned operand) {
    const unsigned before = (unsigned)strip->conditions + strip->lowers + strip->uppers;
    return strip->form + (before + operand) * (2u + strip->width);
}

/* The loops around the last one of a strip, point by point. */
typedef struct tz_strip_loops {
    const tz_strip *strip;
    int64_t high[TZ_STRIP_LOOPS];
    bool started;
} tz_strip_loops;

/* Moves the numbers that stand for them to the next point; false past the last. */
static inline bool tz_loops_next(tz_strip_loops *loops, uint64_t *at) {
    const tz_strip *strip = loops->strip;
    const unsigned outers = strip->outers, first = strip->width - outers;
    bool enter = !loops->started;
    unsigned o = enter ? 0 : outers - 1;
    loops->started = true;
    for (unsigned q = 0; enter && q < outers; q++)
        at[first + q] = 0;
    while (outers > 0) {
        if (enter) {
            const uint64_t *form = strip->outer;
            int64_t low;
            for (unsigned b = 0; b < 2 * o; b++)
                form += strip->bounds[b] * (2u + strip->width);
            tz_bounds_at(form, strip->bounds[2 * o], strip->bounds[2 * o + 1], at, strip->width,
                         &low, &loops->high[o]);
            at[first + o] = (uint64_t)low;
        } else {
            at[first + o]++;
        }
        enter = (int64_t)at[first + o] <= loops->high[o];
        if (enter ? o + 1 == outers : o == 0)
            return enter;
        o += enter ? 1 : -1u;
    }
    return enter;
}

#endif
