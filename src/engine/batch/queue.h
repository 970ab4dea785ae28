/* queue.h - shares groups of problems out among threads. Private.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_BATCH_QUEUE_H
#define TZ_ENGINE_BATCH_QUEUE_H

#include "engine/batch/groups.h"

typedef struct tz_queue tz_queue;

/* Makes a queue of groups, at least one, which are in the order of their layouts and must outlive
 * it. Cost O(groups + layouts * threads). */
tz_status tz_queue_new(const tz_grouped *group, size_t groups, size_t threads, tz_queue **ret);
void tz_queue_free(tz_queue *queue);
/* The next group for a thread; NULL: there is none. Threads may ask at the same time. */
const tz_grouped *tz_queue_next(tz_queue *queue, size_t thread);

#endif
