/* bundle.c - targets of neighbouring stages computed together.
 *
 * The targets of stages w and w + 1 multiply the same items with different ones: rtri[i,k] with
 * ltri[k+1,j] and ltri[k+1,j+1]. So stages go in twos and fours, by number. When the first of them
 * is due, the splits of the others whose operands lie at earlier stages are summed too, sharing
 * what they load; what is left of each follows at its own stage. The numbers decide alone, so that
 * every target is summed in the same order whatever the lengths, lanes and instruction set; where
 * sums cannot be shared, they are computed one by one in that order.
 *
 * It is tiling of the loops over stages and splits (Wolfe 1989), with the first tile dimension in
 * registers. SPDX-License-Identifier: MIT */
#include <string.h>

#include "engine/pass/blocks.h"
#include "engine/pass/bundle.h"
#include "engine/pass/row_end.h"

enum { PAIRS_FROM = 2, FOURS_FROM = 8 };

/* How many stages go together with this one, in a pass of this direction. The first stages that
 * inside comes to have little to share and leave more than that; outside, which ends with them,
 * shares most where they are. */
static int64_t together(int64_t stage, int64_t direction) {
    return direction < 0 ? 4 : stage < PAIRS_FROM ? 1 : stage < FOURS_FROM ? 2 : 4;
}

/* The stages from which on a pass downwards counts off fours: the lowest one of the target, if it
 * is the same for all lengths, so that the last four are whole. */
static int64_t origin(const tz_chart *chart, const tz_bound_step *step) {
    const tz_rules *rules = chart->plan->rules;
    const tz_range *range = &rules->kind[step->target.which].stage_range[0];
    int64_t low, high;
    for (unsigned b = 0; b < range->lowers; b++)
        if (tz_form_has_lengths(&range->lower[b].form))
            return 0;
    tz_range_value(range, rules->lengths, chart->bound.longest, 0, NULL, &low, &high);
    return low;
}

/* All splits of the step at a stage; false if there are none. */
static bool stage_tile(const tz_chart *chart, const tz_bound_step *step, int64_t stage,
                       tz_tile *ret) {
    const tz_nest *nest = step->nest;
    unsigned lengths = chart->plan->rules->lengths;
    int64_t low, high;
    *ret = (tz_tile){.step = step, .column = {stage}};
    if (!tz_domain_holds(&nest->entry, lengths, chart->bound.longest, 1, ret->column))
        return false;
    tz_range_value(&nest->range[0], lengths, chart->bound.longest, 1, ret->column, &low, &high);
    return low <= high && tz_tile_edges(nest, lengths, chart->bound.longest, low, high, ret);
}

/* A range of splits of a tile, counted from its first. */
typedef struct range {
    int64_t from, end;
} range;

/* The splits whose operands lie before stage `base` in the pass's direction. */
static range before(const tz_tile *tile, int64_t base, int64_t direction) {
    range r = {0, 0};
    int64_t last = (int64_t)tile->splits - 1;
    for (unsigned t = 0; t < tile->step->terms; t++) {
        const tz_form *stage = tile->step->term[t].stage;
        if (stage == NULL)
            continue;
        int64_t at =
            stage->constant + stage->column[0] * tile->column[0] + stage->column[1] * tile->split;
        tz_clip(direction * (base - at) - 1, -direction * stage->column[1], &r.from, &last);
    }
    r.end = last + 1;
    r.from = r.from < (int64_t)tile->splits ? r.from : (int64_t)tile->splits;
    r.end = r.end > r.from ? r.end : r.from;
    return r;
}

/* Some splits of a tile as a block, with no columns before the first that they take in if that is
 * `tight`. */
static tz_status add_slice(tz_schedule *schedule, const tz_chart *chart, const tz_tile *tile,
                           range r, bool tight) {
    if (r.from >= r.end)
        return TZ_OK;
    tz_tile slice = *tile;
    slice.split += r.from;
    slice.splits = (size_t)(r.end - r.from);
    for (unsigned e = 0; e < slice.lows; e++)
        slice.low[e].at += (ptrdiff_t)r.from * slice.low[e].step;
    for (unsigned e = 0; e < slice.highs; e++)
        slice.high[e].at += (ptrdiff_t)r.from * slice.high[e].step;
    slice.padded = tz_tile_padded(chart, &slice);
    if (tight || !slice.padded)
        tz_tile_tighten(&slice);
    return tz_schedule_tile(schedule, chart, &slice);
}

/* How member m of a bundle lies to member 0, in elements. */
typedef struct relation {
    ptrdiff_t target, moving, widening, late, end;
} relation;

static ptrdiff_t apart(const void *a, const void *b, size_t size) {
    return ((const char *)b - (const char *)a) / (ptrdiff_t)size;
}

static bool fits(ptrdiff_t stride, size_t size) {
    ptrdiff_t most = INT32_MAX / (ptrdiff_t)size;
    return stride >= -most && stride <= most;
}

/* The last `count` blocks, which share operand `shared` with the first, as one bundle;
 * false, and nothing done, where they do not go on as one. */
static bool merge(tz_schedule *schedule, size_t count, size_t size, unsigned shared) {
    tz_block *block = (tz_block *)schedule->block.data + schedule->blocks - count;
    unsigned edges = block->lows + block->highs, moving = 1 - shared;
    tz_operand *operand = (tz_operand *)schedule->operand.data + schedule->operands - 2 * count;
    const tz_edge *edge = (tz_edge *)schedule->edge.data + schedule->edges - edges * count;
    relation one = {0};
    size_t room = block->width * block->lanes + block->row_end;
    ptrdiff_t lanes = (ptrdiff_t)block->lanes, split = operand[shared].split;
    for (unsigned o = 0; o < 2; o++)
        if (operand[o].run != lanes)
            return false;
    if (block->run != lanes || split == 0)
        return false;
    for (size_t m = 1; m < count; m++) {
        const tz_block *b = &block[m];
        const tz_operand *o = &operand[2 * m];
        size_t its_room = b->width * b->lanes + b->row_end;
        if (b->lows != block->lows || b->highs != block->highs)
            return false;
        room = its_room < room ? its_room : room;
        /* The first split of b is split `late` of the first: seen from the shared operand. */
        ptrdiff_t by = apart(operand[shared].base, o[shared].base, size), late = by / split;
        if (by % split != 0 || late < 0)
            return false;
        relation r = {
            .target = apart(block->target, b->target, size),
            .moving =
                apart(operand[moving].base, o[moving].base, size) - late * operand[moving].split,
            .widening = (ptrdiff_t)b->width - (ptrdiff_t)block->width,
            .late = late,
            .end = late + (ptrdiff_t)b->splits,
        };
        if (m == 1)
            one = r;
        ptrdiff_t times = (ptrdiff_t)m;
        if (r.moving != times * one.moving || r.target != times * one.target ||
            r.widening != times * one.widening || r.late != times * one.late || r.end != one.end ||
            r.end > (ptrdiff_t)block->splits)
            return false;
        for (unsigned e = 0; e < edges; e++)
            if (edge[m * edges + e].step != edge[e].step ||
                edge[m * edges + e].at != edge[e].at + late * edge[e].step)
                return false;
    }
    /* Semirings count on it. */
    if (one.late > UINT8_MAX || !fits(one.target, size) || !fits(one.moving, size) ||
        !fits(split, size) || !fits(operand[moving].split, size))
        return false;
    if (edges > 0 && (one.late != 0 || one.end != (ptrdiff_t)block->splits))
        return false;
    tz_task *task = (tz_task *)schedule->task.data + schedule->tasks - 1;
    tz_operand first = operand[shared], second = operand[moving];
    second.member = one.moving;
    operand[0] = first;
    operand[1] = second;
    for (size_t m = 1; m < count; m++) {
        block->first_write |= block[m].first_write << m;
        block->padded &= block[m].padded;
    }
    block->bundle = (unsigned)count;
    block->skew = (unsigned)one.late;
    block->bundle_splits = (size_t)one.end;
    block->member = one.target;
    block->widening = one.widening;
    ptrdiff_t wider = (ptrdiff_t)(block->bundle - 1) * block->widening;
    size_t widest = (block->width + (size_t)(wider > 0 ? wider : 0)) * block->lanes;
    block->row_end = room > widest ? room - widest : 0;
    task->count -= count - 1;
    schedule->blocks -= count - 1;
    schedule->operands -= 2 * (count - 1);
    schedule->edges -= edges * (count - 1);
    return true;
}

/* ---- What is summed when ----------------------------------------------------------------------
 */

/* How a pass goes over stages. It counts them off from `origin`. */
typedef struct order {
    int64_t first, last, direction, origin;
} order;

/* The first stage, in the pass's direction, of the group of `count` that a stage is in. */
static int64_t base_of(const order *s, int64_t stage, int64_t count) {
    int64_t within = ((stage - s->origin) % count + count) % count;
    return stage - within + (s->direction < 0 ? count - 1 : 0);
}

/* Is the stage one of the pass? */
static bool is_stage(const order *s, int64_t stage) {
    int64_t down = s->direction;
    return down * stage >= down * s->first && down * stage <= down * s->last;
}

/* A target's sum is taken in parts, one after the other: splits whose operands lie before the
 * stages that go together, which are shared with its neighbours'; what is left, on either side. */
enum { PARTS = 3 };

typedef struct member {
    tz_tile tile;
    range part[PARTS];
    int64_t due[PARTS]; /* the stage of the pass at which it is summed */
} member;

/* The target of a stage; one without splits has none due. */
static void divide(const tz_chart *chart, const tz_bound_step *step, const order *s, int64_t stage,
                   member *ret) {
    int64_t base = base_of(s, stage, together(stage, s->direction));
    *ret = (member){.tile = {.step = step}};
    if (!stage_tile(chart, step, stage, &ret->tile))
        return;
    range shared = before(&ret->tile, base, s->direction);
    ret->part[0] = shared;
    ret->part[1] = (range){0, shared.from};
    ret->part[2] = (range){shared.end, (int64_t)ret->tile.splits};
    ret->due[0] = is_stage(s, base) ? base : stage;
    ret->due[1] = ret->due[2] = stage;
}

/* Part p of so many members, if it is due at stage `at`: as one bundle, if that can be. */
static tz_status add_part(tz_schedule *schedule, const tz_chart *chart, const member *members,
                          size_t count, unsigned p, int64_t at) {
    const tz_algebra *algebra = chart->algebra;
    size_t blocks = schedule->blocks;
    bool all = true; /* so far every member has given a block */
    for (size_t m = 0; m < count; m++) {
        size_t before_it = schedule->blocks;
        tz_status status = TZ_OK;
        if (members[m].due[p] == at)
            status = add_slice(schedule, chart, &members[m].tile, members[m].part[p], p == 0);
        if (status != TZ_OK)
            return status;
        all &= schedule->blocks > before_it;
    }
    size_t made = schedule->blocks - blocks;
    if (all && (made == 2 || made == 4) && algebra->kernels->bundles && algebra->contract != NULL &&
        !merge(schedule, made, algebra->size, 0))
        merge(schedule, made, algebra->size, 1);
    return TZ_OK;
}

tz_status tz_schedule_bundle(tz_schedule *schedule, const tz_chart *chart,
                             const tz_bound_step *step, int64_t at, int64_t first, int64_t last) {
    order s = {first, last, first <= last ? 1 : -1, 0};
    if (s.direction < 0)
        s.origin = origin(chart, step);
    int64_t few = together(at, s.direction);
    if (at != base_of(&s, at, few))
        few = 1;
    member members[TZ_MAX_BUNDLE];
    size_t count = 0;
    for (int64_t stage = at; count < (size_t)few && is_stage(&s, stage); stage += s.direction)
        divide(chart, step, &s, stage, &members[count++]);
    schedule->bundled++;
    tz_status status = TZ_OK;
    for (unsigned p = 0; p < PARTS && status == TZ_OK; p++)
        status = add_part(schedule, chart, members, count, p, at);
    return status;
}
