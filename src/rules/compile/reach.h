/* reach.h - which kinds need which others, directly or through others, and the strongly connected
 * components: kinds that need each other. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_COMPILE_REACH_H
#define TZ_RULES_COMPILE_REACH_H

#include "rules/table.h"

/* bits[a * words ...] bit b: kind b needs kind a. */
typedef struct tz_reach {
    uint64_t *bits;
    unsigned kinds, words;
} tz_reach;

/* Begins with kinds 0 .. kinds-1, none of which needs another. TZ_NO_MEMORY. */
tz_status tz_reach_init(tz_reach *ret, unsigned kinds);
void tz_reach_free(tz_reach *reach);

static inline bool tz_reaches(const tz_reach *r, unsigned from, unsigned to) {
    return r->bits[from * r->words + to / 64] >> to % 64 & 1;
}
static inline void tz_reach_add(tz_reach *r, unsigned from, unsigned to) {
    r->bits[from * r->words + to / 64] |= (uint64_t)1 << to % 64;
}
/* Adds the needs through others: the transitive closure. */
void tz_reach_close(tz_reach *reach);

/* The next component, all of whose needs are done or in it: that of the first such kind. Sets
 * member[kinds], and done[] of its members; returns the first member. Some kind must not be done
 * yet. */
unsigned tz_next_component(const tz_reach *reach, bool *done, bool *ret_member);

#endif
