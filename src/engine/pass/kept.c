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

tz_schedule *tz_schedule_find(tz_chart *chart, tz_pass pass) {
    tz_schedule **link = &chart->passes.schedule, **last = NULL;
    size_t bytes = 0;
    look_for_moved(chart);
    for (; *link != NULL && !tz_schedule_fits(*link, chart, pass); link = &(*link)->next) {
        bytes += bytes_of(*link);
        if (!is_bound(*link, chart))
            last = link;
    }
    if (*link == NULL && last != NULL && (bytes > MOST_KEPT || !(*last)->complete))
        link = last;
    tz_schedule *found = *link;
    if (found == NULL)
        found = calloc(1, sizeof *found);
    else
        *link = found->next;
    if (found != NULL) {
        found->next = chart->passes.schedule;
        chart->passes.schedule = found;
    }
    return found;
}

void tz_passes_free(tz_chart *chart) {
    tz_schedules_free(chart);
    TZ_FREE_BUFFERS(&chart->passes.ranges, &chart->passes.scratch);
}
