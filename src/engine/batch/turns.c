/* turns.c - groups of problems shared out among threads.
 *
 * A chart works out what a layout needs once, which takes as long as several groups. So a thread
 * has all groups of a layout, the longest first, each going to the thread that has least to do
 * (Graham 1969), unless they are more than its due. A thread that has no group left takes the last
 * of another, if it is done with it before that one would be.
 * SPDX-License-Identifier: MIT */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine/batch/turns.h"

/* What a thread has still to do: groups turn[next..end-1]. */
typedef struct own {
    size_t next, end;
    double left;
    const tz_grouped *last; /* what its chart is laid out for; or NULL */
} own;

struct tz_turns {
    pthread_mutex_t lock;
    const tz_grouped *group;
    size_t groups, threads;
    size_t *turn; /* [groups] */
    own own[];    /* [threads] */
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

/* Who has least to do gets the groups; turn: whose they are, until all are dealt out. */
static void give(tz_turns *turns, size_t from, size_t end) {
    own *least = turns->own;
    for (size_t t = 1; t < turns->threads; t++)
        if (turns->own[t].left < least->left)
            least = &turns->own[t];
    least->left += cost_of(turns->group, from, end);
    least->end += end - from;
    for (size_t g = from; g < end; g++)
        turns->turn[g] = (size_t)(least - turns->own);
}

/* From whose groups are to the groups of each. */
static tz_status list(tz_turns *turns) {
    size_t *whose = turns->turn, *turn = calloc(turns->groups, sizeof *turn), before = 0;
    if (turn == NULL)
        return TZ_NO_MEMORY;
    for (size_t t = 0; t < turns->threads; t++) {
        own *o = &turns->own[t];
        before += o->end;
        o->next = o->end = before - o->end;
    }
    for (size_t g = 0; g < turns->groups; g++)
        turn[turns->own[whose[g]].end++] = g;
    turns->turn = turn;
    free(whose);
    return TZ_OK;
}

tz_status tz_turns_new(const tz_grouped *group, size_t groups, size_t threads, tz_turns **ret) {
    size_t bytes;
    *ret = NULL;
    if (__builtin_mul_overflow(threads, sizeof(own), &bytes) ||
        __builtin_add_overflow(bytes, sizeof(tz_turns), &bytes))
        return TZ_TOO_LARGE;
    tz_turns *turns = calloc(1, bytes);
    if (turns == NULL)
        return TZ_NO_MEMORY;
    *turns = (tz_turns){PTHREAD_MUTEX_INITIALIZER, group, groups, threads,
                        calloc(groups, sizeof *turns->turn)};
    tz_status status = turns->turn != NULL ? TZ_OK : TZ_NO_MEMORY;
    const double due = cost_of(group, 0, groups) / (double)threads;
    for (size_t from = 0, end; from < groups && status == TZ_OK; from = end) {
        for (end = from + 1; end < groups && same_layout(&group[from], &group[end]);)
            end++;
        size_t parts = (size_t)(cost_of(group, from, end) / due) + 1, count = end - from;
        parts = parts < threads ? parts : threads;
        parts = parts < count ? parts : count;
        for (size_t p = 0; p < parts; p++)
            give(turns, from + count * p / parts, from + count * (p + 1) / parts);
    }
    if (status == TZ_OK)
        status = list(turns);
    if (status == TZ_OK)
        *ret = turns;
    else
        tz_turns_free(turns);
    return status;
}

void tz_turns_free(tz_turns *turns) {
    if (turns == NULL)
        return;
    pthread_mutex_destroy(&turns->lock);
    free(turns->turn);
    free(turns);
}

static const tz_grouped *next(tz_turns *turns, size_t thread) {
    own *mine = &turns->own[thread], *from = NULL;
    const tz_grouped *group;
    if (mine->next < mine->end) {
        group = &turns->group[turns->turn[mine->next++]];
        mine->left -= cost_after(mine->last, group);
    } else {
        for (size_t t = 0; t < turns->threads; t++) {
            own *o = &turns->own[t];
            if (o->next < o->end && (from == NULL || o->left > from->left))
                from = o;
        }
        if (from == NULL)
            return NULL;
        group = &turns->group[turns->turn[from->end - 1]];
        if (cost_after(mine->last, group) > from->left)
            return NULL;
        from->end--;
        from->left -= group->cost;
    }
    mine->last = group;
    return group;
}

const tz_grouped *tz_turns_next(tz_turns *turns, size_t thread) {
    pthread_mutex_lock(&turns->lock);
    const tz_grouped *group = next(turns, thread);
    pthread_mutex_unlock(&turns->lock);
    return group;
}
