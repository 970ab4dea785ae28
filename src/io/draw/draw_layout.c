/* draw_layout.c - how high the arcs of a sentence stand.
 *
 * From the shortest to the longest, each is put one above the highest that it overlaps so far. For
 * a projective tree this is the depth of nesting.
 *
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "io/draw/draw_layout.h"

struct ranked {
    size_t span, low, bow;
};

static int by_span(const void *a, const void *b) {
    const struct ranked *x = a, *y = b;
    if (x->span != y->span)
        return x->span < y->span ? -1 : 1;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return x->bow < y->bow ? -1 : x->bow > y->bow;
}

/* A binary tree over the ports (node 1 is the top, the leaf of port p is node leaves + p). `all` is
 * a level that every port under the node has reached, `most` the highest one that any has. */
struct skyline {
    size_t leaves;
    int32_t *all, *most;
};

static int32_t higher(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static int32_t highest_in(const struct skyline *sky, size_t low, size_t high) {
    int32_t found = 0;
    size_t left = low + sky->leaves, right = high + sky->leaves;
    for (size_t l = left, r = right + 1; l < r; l /= 2, r /= 2) {
        if (l & 1)
            found = higher(found, sky->most[l++]);
        if (r & 1)
            found = higher(found, sky->most[--r]);
    }
    for (size_t l = left, r = right; l > 0; l /= 2, r /= 2)
        found = higher(found, higher(sky->all[l], sky->all[r]));
    return found;
}

static void raise_to(struct skyline *sky, size_t low, size_t high, int32_t level) {
    size_t left = low + sky->leaves, right = high + sky->leaves;
    for (size_t l = left, r = right + 1; l < r; l /= 2, r /= 2) {
        if (l & 1) {
            sky->all[l] = sky->most[l] = level;
            l++;
        }
        if (r & 1) {
            --r;
            sky->all[r] = sky->most[r] = level;
        }
    }
    for (size_t l = left / 2, r = right / 2; l > 0; l /= 2, r /= 2) {
        sky->most[l] = higher(sky->most[l], level);
        sky->most[r] = higher(sky->most[r], level);
    }
}

tz_status tz_bow_levels(tz_arena *arena, size_t ports, size_t bows, tz_bow *bow,
                        int32_t *ret_highest) {
    struct skyline sky = {.leaves = 1};
    while (sky.leaves < ports)
        sky.leaves *= 2;
    struct ranked *order = tz_arena_array(arena, bows, sizeof *order);
    sky.all = tz_arena_array(arena, 2 * sky.leaves, sizeof *sky.all);
    sky.most = tz_arena_array(arena, 2 * sky.leaves, sizeof *sky.most);
    if (!order || !sky.all || !sky.most)
        return TZ_NO_MEMORY;
    for (size_t b = 0; b < bows; b++)
        order[b] = (struct ranked){bow[b].high - bow[b].low, bow[b].low, b};
    qsort(order, bows, sizeof *order, by_span);

    int32_t highest = 0;
    for (size_t i = 0; i < bows; i++) {
        tz_bow *next = &bow[order[i].bow];
        next->level = highest_in(&sky, next->low, next->high) + 1;
        raise_to(&sky, next->low, next->high, next->level);
        highest = higher(highest, next->level);
    }
    *ret_highest = highest;
    return TZ_OK;
}

void tz_ports_used(const tz_diagram *diagram, uint8_t *used, int32_t *ret_first,
                   int32_t *ret_last) {
    int32_t end = diagram->words + 1;
    for (int32_t p = 0; p <= end; p++)
        used[p] = 0;
    for (size_t a = 0; a < diagram->arcs; a++) {
        const tz_arc *arc = &diagram->arc[a];
        used[arc->head] |= 1u << (arc->modifier < arc->head ? TZ_PORT_LEFT : TZ_PORT_RIGHT);
        used[arc->modifier] |= 1u << TZ_PORT_IN;
    }
    *ret_first = used[0] ? 0 : 1;
    *ret_last = used[end] ? end : end - 1;
}

tz_status tz_place_apart(tz_arena *arena, int32_t first, int32_t last, const int64_t *width,
                         int64_t blank, size_t gaps, const tz_gap *gap, int64_t *ret_x) {
    /* The gaps that end at a position, as lists: number + 1 of the first, and of the next. */
    size_t *begin = tz_arena_array(arena, (size_t)last + 1, sizeof *begin);
    size_t *next = tz_arena_array(arena, gaps, sizeof *next);
    if (!begin || !next)
        return TZ_NO_MEMORY;
    for (size_t g = 0; g < gaps; g++) {
        next[g] = begin[gap[g].right];
        begin[gap[g].right] = g + 1;
    }
    for (int32_t p = first; p <= last; p++) {
        int64_t x = p == first ? 0 : ret_x[p - 1] + width[p - 1] + blank;
        for (size_t g = begin[p]; g > 0; g = next[g - 1]) {
            int64_t least = ret_x[gap[g - 1].left] + gap[g - 1].distance;
            x = least > x ? least : x;
        }
        ret_x[p] = x;
    }
    return TZ_OK;
}
