/* reach.h - which of some kinds are needed for which others, by way of any, and the components that
 * this makes: kinds that need each other. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_COMPILE_REACH_H
#define TZ_RULES_COMPILE_REACH_H

#include "rules/table.h"

/* bits[a * words ...] bit b: kind b needs kind a. */
typedef struct tz_reach {
    uint64_t *bits;
    unsigned kinds, words;
} tz_reach;

/* Of kinds 0 .. kinds-1, of which none needs another so far. TZ_NO_MEMORY. */
tz_status tz_reach_init(tz_reach *ret, unsigned kinds);
void tz_reach_free(tz_reach *reach);

static inline bool tz_reaches(const tz_reach *r, unsigned from, unsigned to) {
    return r->bits[from * r->words + to / 64] >> to % 64 & 1;
}
static inline void tz_reach_add(tz_reach *r, unsigned from, unsigned to) {
    r->bits[from * r->words + to / 64] |= (uint64_t)1 << to % 64;
}
/* Adds what is needed by way of others. */
void tz_reach_close(tz_reach *reach);

/* The next component, all of whose needs are done or its own: that of the first kind which has one.
 * Sets member[kinds], and done[] of its members; returns the first of these. Some kind is not done.
 */
unsigned tz_next_component(const tz_reach *reach, bool *done, bool *ret_member);

#endif
