/* draw_layout.h - where the arcs and words of a diagram go, in text as in SVG.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_DRAW_DRAW_LAYOUT_H
#define TZ_IO_DRAW_DRAW_LAYOUT_H

#include "io/draw/draw.h"

/* Every position has three ports, left to right: where arcs to modifiers on its left leave, where
 * the arc from its head arrives, and where arcs to modifiers on its right leave. Then the arcs of
 * a projective tree nest without touching. */
enum { TZ_PORT_LEFT, TZ_PORT_IN, TZ_PORT_RIGHT, TZ_PORTS };
static inline size_t tz_port(int32_t position, int port) {
    return (size_t)position * TZ_PORTS + (size_t)port;
}

/* A bow of an arc, from the port `low` to the port `high`, low < high. */
typedef struct tz_bow {
    size_t low, high;
    int32_t level; /* out: from 1 */
} tz_bow;

/* Gives every bow the lowest level above all shorter ones that it overlaps. `ports` is more than
 * any port. Cost: n log n. TZ_NO_MEMORY. */
tz_status tz_bow_levels(tz_arena *arena, size_t ports, size_t bows, tz_bow *bow,
                        int32_t *ret_highest);

/* used[p] for p <= words + 1: a bit (1 << port) for every port of p that arcs need. Positions
 * *ret_first .. *ret_last are drawn. */
void tz_ports_used(const tz_diagram *diagram, uint8_t *used, int32_t *ret_first, int32_t *ret_last);
/* The place of a port among those used, from 0. */
static inline unsigned tz_port_rank(uint8_t used, int port) {
    return (unsigned)__builtin_popcount(used & ((1u << port) - 1));
}

/* left < right start at least `distance` apart. */
typedef struct tz_gap {
    int32_t left, right;
    int64_t distance;
} tz_gap;

/* The leftmost places x[first..last] from 0 on, `blank` apart, that keep the gaps. TZ_NO_MEMORY. */
tz_status tz_place_apart(tz_arena *arena, int32_t first, int32_t last, const int64_t *width,
                         int64_t blank, size_t gaps, const tz_gap *gap, int64_t *ret_x);

#endif
