/* groups.c - problems of any lengths: sorted, and cut into groups of lanes.
 *
 * Lanes of different lengths are padded to the longest, and so may whole groups be: what is worked
 * out for lengths (schedules, maps) serves all groups that are laid out for them, and takes as long
 * as to evaluate several groups. So neighbouring lengths form classes, each laid out for its
 * longest, such that what all of it costs is least: a dynamic program over the lengths there are.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "engine/batch/groups.h"
#include "engine/layout/address.h"

/* What a group costs, fitted to eisner under log with marginals: for every lane and cell the
 * longest length, and so much. Beside that it takes as long as this many lanes do, and to work out
 * what lengths need, for every cell, and as for so many cells, */
enum {
    CELL = 40,
    GROUP = 5,
    LENGTHS = 1800,
    SCHEDULE = 2400,
    /* which is for many batches where charts are kept. */
    BATCHES = 16,
    WINDOW = 64 /* lengths that a class has at most */
};

/* Problems of the same lengths, and the best way to cut what is from them on. */
typedef struct run {
    size_t first;
    double cost;
    size_t next;  /* run that begins the next class; */
    double cells; /* of a lane of this one, */
    size_t room;  /* lanes of this one, */
    int32_t longest[TZ_MAX_LENGTHS];
} run;

typedef struct maker {
    const tz_plan *plan;
    const tz_ordered *order;
    size_t count, lanes;
    bool kept;
    int often; /* see tz_best_lanes */
} maker;

/* The longer one first. */
static int compare_lengths(const tz_ordered *a, const tz_ordered *b) {
    for (size_t l = 0; l < a->lengths; l++)
        if (a->problem->lengths[l] != b->problem->lengths[l])
            return a->problem->lengths[l] > b->problem->lengths[l] ? -1 : 1;
    return 0;
}

static int compare(const void *a, const void *b) {
    const tz_ordered *x = a, *y = b;
    int order = compare_lengths(x, y);
    return order != 0 ? order : (x->at > y->at) - (x->at < y->at);
}

/* May problems of these lengths be in a class whose longest are those? Where lanes that differ are
 * bound and read row by row, little of that pays. */
static bool may_join(const tz_plan *plan, const int32_t *longest, const int32_t *length) {
    bool may = true;
    for (unsigned l = 0; l < plan->rules->lengths; l++) {
        int32_t more = longest[l] - length[l];
        if (more < 0)
            more = -more;
        may &= more == 0 || !(plan->shared_lengths >> l & 1);
        may &= more <= longest[l] / (plan->nested ? 2 : 16);
    }
    return may;
}

/* What so many lanes cost. */
static double lanes_cost(const maker *m, const run *class, size_t lanes) {
    double longest = 1;
    for (unsigned l = 0; l < m->plan->rules->lengths; l++)
        longest = class->longest[l] > longest ? class->longest[l] : longest;
    return class->cells * (double)lanes * (longest + CELL);
}

/* What lengths cost, as far as this batch bears it. */
static double layout_cost(const maker *m, const run *class) {
    return (class->cells + SCHEDULE) * LENGTHS / (m->kept ? BATCHES : 1);
}

/* So many lanes that nobody asks for, are they cheaper than lengths for fewer? */
static bool fill_up(const maker *m, const run *class, size_t lanes) {
    return lanes_cost(m, class, lanes) < layout_cost(m, class);
}

/* What a class of so many problems costs. */
static double cost_of(const maker *m, const run *class, size_t problems) {
    const size_t groups = (problems + class->room - 1) / class->room;
    const size_t spare = groups * class->room - problems;
    const bool fills = groups > 1 && fill_up(m, class, spare);
    const double layouts = groups > 1 && spare > 0 && !fills ? 2 : 1;
    return lanes_cost(m, class, problems + GROUP * groups + (fills ? spare : 0)) +
           layouts * layout_cost(m, class);
}

/* Finds the best class that begins with a run, what is after it known. */
static void choose_class(maker *m, run *run, size_t runs, size_t at) {
    const unsigned lengths = m->plan->rules->lengths;
    struct run class = run[at];
    for (size_t next = at + 1; next <= runs && next <= at + WINDOW; next++) {
        const int32_t *added = m->order[run[next - 1].first].problem->lengths;
        bool longer = next == at + 1;
        if (!longer && (class.room == 1 || !may_join(m->plan, class.longest, added)))
            break;
        for (unsigned l = 0; l < lengths; l++)
            if (added[l] > class.longest[l]) {
                class.longest[l] = added[l];
                longer = true;
            }
        if (longer)
            class.room = tz_best_lanes(m->plan, class.longest, &m->often, &class.cells);
        if (m->lanes > 0)
            class.room = m->lanes;
        class.cost = cost_of(m, &class, run[next].first - run[at].first) + run[next].cost;
        class.next = next;
        if (next == at + 1 || class.cost < run[at].cost)
            run[at] = class;
    }
}

/* The groups of a class; returns how many. Lanes of the longest lengths alone are scheduled apart
 * from lanes of several: where charts are not kept, that does not pay, and all groups are mixed. A
 * vector that is more than half full takes no longer if it is full. */
static size_t cut_class(const maker *m, const run *class, size_t end, tz_grouped *ret) {
    const size_t full = class->room, problems = end - class->first;
    const size_t groups = (problems + full - 1) / full;
    const bool fills = groups > 1 && fill_up(m, class, groups * full - problems);
    const bool several = compare_lengths(&m->order[class->first], &m->order[end - 1]) != 0;
    const bool mixed = several && fills && !m->kept;
    for (size_t i = 0; i < groups; i++) {
        const size_t first = mixed ? i : i * full, step = mixed ? groups : 1;
        size_t count = (problems - first + step - 1) / step;
        count = count < full ? count : full;
        ret[i] = (tz_grouped){
            .first = class->first + first, .step = step, .count = count, .lanes = count};
        if (fills || (m->lanes == 0 && 2 * count > full))
            ret[i].lanes = full;
        memcpy(ret[i].longest, class->longest, sizeof ret->longest);
        ret[i].cost = lanes_cost(m, class, ret[i].lanes + GROUP);
        ret[i].layout = layout_cost(m, class);
    }
    return groups;
}

tz_status tz_make_groups(const tz_plan *plan, tz_ordered *order, size_t count, size_t lanes,
                         bool kept, tz_grouped *ret_groups, size_t *ret_count, size_t *ret_most) {
    maker m = {plan, order, count, lanes, kept, count > 1 ? -1 : true};
    size_t runs = 0;
    run *run = calloc(count + 1, sizeof *run);
    if (run == NULL)
        return TZ_NO_MEMORY;
    qsort(order, count, sizeof *order, compare);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || compare_lengths(&order[i], &order[i - 1]) != 0)
            run[runs++].first = i;
    run[runs].first = count;
    for (size_t at = runs; at-- > 0;)
        choose_class(&m, run, runs, at);
    *ret_count = 0;
    *ret_most = 1;
    for (size_t at = 0; at < runs; at = run[at].next) {
        tz_grouped *first = &ret_groups[*ret_count];
        *ret_count += cut_class(&m, &run[at], run[run[at].next].first, first);
        *ret_most = first->lanes > *ret_most ? first->lanes : *ret_most;
    }
    free(run);
    return TZ_OK;
}
