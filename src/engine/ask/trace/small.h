/* small.h - pairs of indices, and what small steps make of them.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_TRACE_SMALL_H
#define TZ_ENGINE_ASK_TRACE_SMALL_H

#include "engine/plan/trace_plan.h"

static inline int64_t tz_pair(int64_t a, int64_t b) {
    return tz_pair_change(a + (int64_t)TZ_PAIR_BIAS, b);
}
static inline int32_t tz_pair_first(int64_t pair) {
    return (int32_t)(uint32_t)((uint64_t)pair ^ TZ_PAIR_BIAS);
}
static inline int32_t tz_pair_second(int64_t pair) {
    return (int32_t)(pair >> 32);
}
static inline void tz_pair_write(uint64_t pair, int32_t index[2]) {
    index[0] = (int32_t)(uint32_t)(pair ^ TZ_PAIR_BIAS);
    index[1] = (int32_t)(uint32_t)(pair >> 32);
}

static inline uint64_t tz_plane_value(const tz_plane *plane, uint64_t a, uint64_t b) {
    return plane->base + plane->index[0] * a + plane->index[1] * b;
}

/* How many turns the step's loop takes for a pair; not above 0: it has no instance. */
static inline int64_t tz_small_turns(const tz_small_step *step, uint64_t a, uint64_t b) {
    if (step->conditional && (int64_t)tz_plane_value(&step->condition, a, b) < 0)
        return 0;
    return (int64_t)tz_plane_value(&step->turns, a, b);
}

/* The pair of a premise, of a turn. */
static inline uint64_t tz_small_premise(const tz_small_step *step, unsigned premise, uint64_t a,
                                        uint64_t b, size_t turn) {
    return tz_plane_value(&step->premise[premise], a, b) + step->premise_change[premise] * turn;
}

/* Writes the use of the weight, of a turn; the index values past TZ_SMALL_PAIRS pairs are 0
 * already. */
static inline void tz_small_use(const tz_small_step *step, uint64_t a, uint64_t b, size_t turn,
                                tz_use *use) {
    use->weight = step->which;
    tz_pair_write(tz_plane_value(&step->weight[0], a, b) + step->weight_change[0] * turn,
                  use->index);
    use->index[2] = use->index[3] = 0;
    if (step->wide)
        tz_pair_write(tz_plane_value(&step->weight[1], a, b) + step->weight_change[1] * turn,
                      use->index + 2);
}

#endif
