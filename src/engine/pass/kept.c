/* kept.c - the schedules that a chart keeps. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "engine/pass/kept.h"

/* Bytes of schedules in a chart. All passes over what is bound are kept, however large. */
enum { MOST_KEPT = 1 << 26 };

static size_t bytes_of(const tz_schedule *s) {
    return s->task.size + s->block.size + s->operand.size + s->edge.size + s->ready.size +
           s->move.size + s->change.size + s->unwritten.size + s->row.size;
}

/* Is it of a pass over what is bound? */
static bool is_bound(const tz_schedule *s, const tz_chart *chart) {
    return s->complete && s->algebra == chart->algebra && s->lanes == chart->lanes &&
           s->same_lengths == chart->bound.same_lengths && s->known == (chart->bound.items > 0) &&
           s->shared_lengths == chart->bound.shared_lengths &&
           memcmp(s->longest, chart->bound.longest, sizeof s->longest) == 0 &&
           memcmp(s->room, chart->layout.room, sizeof s->room) == 0;
}

bool tz_schedule_fits(const tz_schedule *s, const tz_chart *chart, tz_pass pass) {
    return s->pass == pass && is_bound(s, chart) && s->newer == chart->passes.newer &&
           memcmp(s->old, chart->passes.old, sizeof s->old) == 0;
}

void tz_schedules_free(tz_chart *chart) {
    memset(chart->passes.last, 0, sizeof chart->passes.last);
    chart->passes.found = NULL;
    while (chart->passes.schedule != NULL) {
        tz_schedule *next = chart->passes.schedule->next;
        tz_schedule_free(chart->passes.schedule);
        chart->passes.schedule = next;
    }
}

/* Schedules hold the addresses of spaces, and go where one has moved; what it held is lost. */
static void look_for_moved(tz_chart *chart) {
    bool moved = false;
    for (unsigned s = 0; s < TZ_SPACES; s++) {
        size_t before = chart->passes.size[s];
        chart->passes.size[s] = chart->space[s].size; /* spaces only grow */
        if (chart->passes.size[s] != before)
            chart->passes.last[s] = NULL;
        moved |= before > 0 && chart->passes.size[s] != before;
    }
    if (moved)
        tz_schedules_free(chart);
}

/* The one to write over, where there are too many, or it is of no use: of those that are not of
 * what is bound, the one that was found longest ago. */
static tz_schedule *find_old(const tz_chart *chart) {
    tz_schedule *old = NULL;
    size_t bytes = 0;
    for (tz_schedule *s = chart->passes.schedule; s != NULL; s = s->next) {
        bytes += bytes_of(s);
        if (!is_bound(s, chart) && (old == NULL || s->found < old->found))
            old = s;
    }
    return old != NULL && (bytes > MOST_KEPT || !old->complete) ? old : NULL;
}

tz_schedule *tz_schedule_find(tz_chart *chart, tz_pass pass) {
    look_for_moved(chart);
    tz_schedule *before = chart->passes.found, *s = before != NULL ? before->after : NULL;
    if (s == NULL || !tz_schedule_fits(s, chart, pass))
        for (s = chart->passes.schedule; s != NULL && !tz_schedule_fits(s, chart, pass);)
            s = s->next;
    if (s == NULL)
        s = find_old(chart);
    if (s == NULL) {
        s = calloc(1, sizeof *s);
        if (s == NULL)
            return NULL;
        s->next = chart->passes.schedule;
        chart->passes.schedule = s;
    }
    if (before != NULL)
        before->after = s;
    s->found = ++chart->passes.finds;
    return chart->passes.found = s;
}

void tz_passes_free(tz_chart *chart) {
    tz_schedules_free(chart);
    TZ_FREE_BUFFERS(&chart->passes.ranges, &chart->passes.scratch);
}
