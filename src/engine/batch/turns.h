/* turns.h - groups of problems shared out among threads. Private.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_BATCH_TURNS_H
#define TZ_ENGINE_BATCH_TURNS_H

#include "engine/batch/groups.h"

typedef struct tz_turns tz_turns;

/* The groups, in the order of their layouts, of which there are some, and which must outlive what
 * is returned. Cost O(groups + layouts * threads). */
tz_status tz_turns_new(const tz_grouped *group, size_t groups, size_t threads, tz_turns **ret);
void tz_turns_free(tz_turns *turns);
/* The group that a thread is to take next; NULL: it is done. Threads may ask at once. */
const tz_grouped *tz_turns_next(tz_turns *turns, size_t thread);

#endif
