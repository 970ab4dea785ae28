/* room.h - the memory of lists and of what is in them. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_KBEST_ROOM_H
#define TZ_ENGINE_ASK_KBEST_ROOM_H

#include "engine/ask/kbest/ranked.h"

enum { TZ_ROOM_UNIT = 16 /* bytes; aligned for any type */ };

/* Memory for count * size bytes, aligned for any type, as long as the list lives; NULL when memory
 * is out. */
void *tz_kbest_room(tz_kbest *kbest, size_t count, size_t size);
/* The same for few bytes. */
static inline void *tz_kbest_small(tz_kbest *kbest, size_t bytes) {
    bytes = (bytes + TZ_ROOM_UNIT - 1) / TZ_ROOM_UNIT * TZ_ROOM_UNIT;
    if (bytes > kbest->left)
        return tz_kbest_room(kbest, bytes, 1);
    void *room = kbest->room;
    kbest->room += bytes;
    kbest->left -= bytes;
    return room;
}

/* The first aligned address from one on. */
static inline void *tz_align_up(void *at, size_t align) {
    return (char *)at + (-(uintptr_t)at & (align - 1));
}

/* A new edge of this size, with the list's own node and nothing else yet. NULL when memory is
 * out. */
tz_hyperedge *tz_hyperedge_new(tz_kbest *kbest, const tz_ranked *list, uint32_t number,
                               unsigned rule, unsigned premises, unsigned uses, unsigned factors);
/* Frees a list and its memory; NULL too. */
void tz_kbest_discard(tz_kbest *kbest);

#endif
