/* queue.h - groups of problems shared out among threads. Private.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_BATCH_QUEUE_H
#define TZ_ENGINE_BATCH_QUEUE_H

#include "engine/batch/groups.h"

typedef struct tz_queue tz_queue;

/* The groups, in the order of their layouts, of which there are some, and which must outlive what
 * is returned. Cost O(groups + layouts * threads). */
tz_status tz_queue_new(const tz_grouped *group, size_t groups, size_t threads, tz_queue **ret);
void tz_queue_free(tz_queue *queue);
/* The group that a thread is to take next; NULL: it is done. Threads may ask at once. */
const tz_grouped *tz_queue_next(tz_queue *queue, size_t thread);

#endif
