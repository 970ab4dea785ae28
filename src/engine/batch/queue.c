/* queue.c - groups of problems shared out among threads.
 *
 * A chart works out what a layout needs once, which takes as long as several groups. So a thread
 * has all groups of a layout, the longest first, each going to the thread that has least to do
 * (Graham 1969), unless they are more than its due. A thread that has no group left takes the last
 * of another, if it is done with it before that one would be.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine/batch/queue.h"

/* What a thread has still to do: groups order[next..end-1]. */
typedef struct own {
    size_t next, end;
    double left;
    const tz_grouped *last; /* what its chart is laid out for; or NULL */
} own;

struct tz_queue {
    pthread_mutex_t lock;
    const tz_grouped *group;
    size_t groups, threads;
    size_t *order; /* [groups] */
    own own[];     /* [threads] */
};

static bool same_layout(const tz_grouped *a, const tz_grouped *b) {
    return a != NULL && memcmp(a->longest, b->longest, sizeof a->longest) == 0;
}

static double cost_after(const tz_grouped *last, const tz_grouped *group) {
    return group->cost + (same_layout(last, group) ? 0 : group->layout);
}

static double cost_of(const tz_grouped *group, size_t from, size_t end) {
    double cost = 0;
    for (size_t g = from; g < end; g++)
        cost += cost_after(g == from ? NULL : &group[g - 1], &group[g]);
    return cost;
}

/* Who has least to do gets the groups; order: whose they are, until all are dealt out. */
static void give(tz_queue *queue, size_t from, size_t end) {
    own *least = queue->own;
    for (size_t t = 1; t < queue->threads; t++)
        if (queue->own[t].left < least->left)
            least = &queue->own[t];
    least->left += cost_of(queue->group, from, end);
    least->end += end - from;
    for (size_t g = from; g < end; g++)
        queue->order[g] = (size_t)(least - queue->own);
}

/* From whose groups are to the groups of each. */
static tz_status list(tz_queue *queue) {
    size_t *whose = queue->order, *order = calloc(queue->groups, sizeof *order), before = 0;
    if (order == NULL)
        return TZ_NO_MEMORY;
    for (size_t t = 0; t < queue->threads; t++) {
        own *o = &queue->own[t];
        before += o->end;
        o->next = o->end = before - o->end;
    }
    for (size_t g = 0; g < queue->groups; g++)
        order[queue->own[whose[g]].end++] = g;
    queue->order = order;
    free(whose);
    return TZ_OK;
}

tz_status tz_queue_new(const tz_grouped *group, size_t groups, size_t threads, tz_queue **ret) {
    size_t bytes;
    *ret = NULL;
    if (__builtin_mul_overflow(threads, sizeof(own), &bytes) ||
        __builtin_add_overflow(bytes, sizeof(tz_queue), &bytes))
        return TZ_TOO_LARGE;
    tz_queue *queue = calloc(1, bytes);
    if (queue == NULL)
        return TZ_NO_MEMORY;
    *queue = (tz_queue){PTHREAD_MUTEX_INITIALIZER, group, groups, threads,
                        calloc(groups, sizeof *queue->order)};
    tz_status status = queue->order != NULL ? TZ_OK : TZ_NO_MEMORY;
    const double due = cost_of(group, 0, groups) / (double)threads;
    for (size_t from = 0, end; from < groups && status == TZ_OK; from = end) {
        for (end = from + 1; end < groups && same_layout(&group[from], &group[end]);)
            end++;
        size_t parts = (size_t)(cost_of(group, from, end) / due) + 1, count = end - from;
        parts = parts < threads ? parts : threads;
        parts = parts < count ? parts : count;
        for (size_t p = 0; p < parts; p++)
            give(queue, from + count * p / parts, from + count * (p + 1) / parts);
    }
    if (status == TZ_OK)
        status = list(queue);
    if (status == TZ_OK)
        *ret = queue;
    else
        tz_queue_free(queue);
    return status;
}

void tz_queue_free(tz_queue *queue) {
    if (queue == NULL)
        return;
    pthread_mutex_destroy(&queue->lock);
    free(queue->order);
    free(queue);
}

static const tz_grouped *next(tz_queue *queue, size_t thread) {
    own *mine = &queue->own[thread], *from = NULL;
    const tz_grouped *group;
    if (mine->next < mine->end) {
        group = &queue->group[queue->order[mine->next++]];
        mine->left -= cost_after(mine->last, group);
    } else {
        for (size_t t = 0; t < queue->threads; t++) {
            own *o = &queue->own[t];
            if (o->next < o->end && (from == NULL || o->left > from->left))
                from = o;
        }
        if (from == NULL)
            return NULL;
        group = &queue->group[queue->order[from->end - 1]];
        if (cost_after(mine->last, group) > from->left)
            return NULL;
        from->end--;
        from->left -= group->cost;
    }
    mine->last = group;
    return group;
}

const tz_grouped *tz_queue_next(tz_queue *queue, size_t thread) {
    pthread_mutex_lock(&queue->lock);
    const tz_grouped *group = next(queue, thread);
    pthread_mutex_unlock(&queue->lock);
    return group;
}
