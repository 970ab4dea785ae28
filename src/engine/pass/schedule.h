/* schedule.h - a pass over a chart as a list of blocks, ready to be computed.
 *
 * Which blocks a pass consists of depends on the rules and the lengths, not on the scores; finding
 * them takes longer than computing one of a short sentence. So a chart keeps the schedules of the
 * lengths it has seen, with the addresses of operands already in them.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_SCHEDULE_H
#define TZ_ENGINE_PASS_SCHEDULE_H

#include "engine/engine.h"

enum { TZ_MAX_NEST = TZ_MAX_RANK }; /* nested loops whose numbers of turns may change */

/* A list of blocks, first..first+count-1, or ready..ready_end-1 where the semiring makes them ready
 * and they are not `bare`; blocks of presences are not sums, and are in lists of their own. Or a
 * step, which is cut into blocks as it runs; or the closure of a group; or the facts about the
 * items of a kind.
 *
 * Or a loop, where `times` is not 0: the next `body` tasks, which have these blocks, are repeated
 * so often. From turn to turn each block gains a number of splits, and its target and each of its
 * operands move by a number of bytes: schedule->move[move ..], block by block, where a list is
 * `attached` to them; each word of ready blocks changes by schedule->change[change ..]. Where the
 * loop is `uneven`, the numbers of turns of loops within it change: by grow[0] for those that are
 * its own tasks, by grow[1] for those in these, and so on. */
typedef struct tz_task {
    const tz_bound_step *step;
    const tz_group *closure;
    const tz_kind *known;
    bool presence, bare, attached, uneven;
    size_t first, count, ready, ready_end;
    size_t times, body, move, change;
    union {
        int64_t stage[TZ_MAX_RANK]; /* of a task that is not a loop */
        int64_t grow[TZ_MAX_NEST];
    };
} tz_task;

static inline bool tz_is_list(const tz_task *task) {
    return task->times == 0 && task->step == NULL && task->closure == NULL && task->known == NULL;
}

/* Cells of the pass's target space, to be cleared before it. */
typedef struct tz_cell_range {
    size_t first, count;
} tz_cell_range;

/* A step that has no blocks at a stage. */
typedef struct tz_absence {
    const tz_nest *nest;
    int64_t stage[TZ_MAX_RANK];
} tz_absence;

/* The present end of a schedule. */
typedef struct tz_schedule_mark {
    size_t tasks, blocks, operands, edges, moves;
} tz_schedule_mark;

struct tz_schedule {
    tz_schedule *next, *after; /* after: the one found next, the last time */
    uint64_t found;            /* when it was found last */
    /* The pass and problems that it was made for. */
    tz_pass pass;
    const tz_algebra *algebra;
    size_t lanes;
    bool same_lengths;
    bool known; /* there are facts about items */
    uint8_t shared_lengths;
    int32_t longest[TZ_MAX_LENGTHS], room[TZ_MAX_LENGTHS];
    const struct tz_newer *newer; /* as in the chart, */
    int32_t old[TZ_MAX_LENGTHS];  /* and those */

    /* Inner and outer operands of a block stand one after the other, and so do its edges. */
    tz_buffer task, block, operand, edge, move, ready, change;
    tz_buffer made; /* while it is made: the step of each block */
    size_t tasks, blocks, operands, edges, moves;
    size_t closed;  /* tasks that take no more blocks */
    size_t spills;  /* how often its tasks have been run and forgotten for room */
    size_t bundled; /* how often steps were bundled */
    /* Steps without blocks at the stages of the turn at hand; and the number of all so far, by the
     * number of their stages' components. */
    tz_buffer absence;
    size_t absences, absent[TZ_MAX_RANK + 1];
    bool leaping; /* the turn at hand may be undone: no tasks are run for room */
    /* The cells cleared before the pass; the rows of the target space; each kind's first row; and
     * the rows decided so far: see first_write.c. */
    tz_buffer unwritten, row, first_row, touched;
    size_t unwritten_ranges, rows_touched;
    bool padded;   /* it relies on row ends that are zero */
    bool complete; /* if not, it was too long to be kept, and the rest cannot be used */
};

/* Makes the schedule empty, for the problems bound. */
void tz_schedule_start(tz_schedule *schedule, const tz_chart *chart, tz_pass pass);
static inline tz_schedule_mark tz_schedule_here(const tz_schedule *s) {
    return (tz_schedule_mark){s->tasks, s->blocks, s->operands, s->edges, s->moves};
}
/* Forgets all that has been added since `to`. */
static inline void tz_schedule_back(tz_schedule *s, const tz_schedule_mark *to) {
    s->tasks = to->tasks;
    s->blocks = to->blocks;
    s->operands = to->operands;
    s->edges = to->edges;
    s->moves = to->moves;
}
/* Adds a task; TZ_NO_MEMORY. */
tz_status tz_schedule_task(tz_schedule *schedule, tz_task **ret);
/* After the last block: points the blocks to their operands, and makes them ready. TZ_NO_MEMORY. */
tz_status tz_schedule_seal(tz_schedule *schedule);
void tz_schedule_free(tz_schedule *schedule);

/* Do all lanes share the step's blocks, with every operand at a fixed place? */
static inline bool tz_can_be_blocks(const tz_chart *chart, const tz_bound_step *step) {
    bool can = step->step->sparse == 0 &&
               (chart->bound.same_lengths ||
                (tz_share_loops(chart, step) && step->growing && chart->plan->growing));
    for (unsigned t = 0; t < step->terms && can; t++)
        can = step->term[t].what != TZ_WEIGHT ||
              !chart->layout.weight_box[step->term[t].which].absent;
    return can;
}

#endif
