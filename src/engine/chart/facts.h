/* facts.h - puts the facts of problems on elements. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_CHART_FACTS_H
#define TZ_ENGINE_CHART_FACTS_H

#include "engine/engine.h"

/* Cells of a weight, or items of a name, in a row: the first one's indices, and how they change. */
typedef struct tz_row {
    unsigned weight; /* as in tz_cells */
    const int64_t *index, *move;
    size_t count;
} tz_row;

/* Takes the problems' facts. */
tz_status tz_bind_facts(tz_chart *chart, const tz_problem *problems, size_t count);
/* Do the lane's facts forbid cells of the weight? It may say so where they do not. */
bool tz_forbids(const tz_chart *chart, size_t lane, unsigned weight);
/* The next cell of the row, from *position on, that the lane's facts forbid; false, and the row's
 * end, past the last. */
bool tz_next_forbidden(const tz_chart *chart, size_t lane, const tz_row *row, size_t *position);
/* Marks the row's elements, `stride` elements apart, once for each required fact they are in. */
void tz_mark_row(const tz_chart *chart, size_t lane, const tz_row *row, void *to, ptrdiff_t stride);
/* Finds the items that facts speak of, once these have their places. */
tz_status tz_place_facts(tz_chart *chart);
/* Once a kind's items at a stage are complete in a space: of these lanes, makes forbidden ones zero
 * and marks required ones, which steps then read. So an item that is required has its mark both
 * inside and outside. */
void tz_keep_items(tz_chart *chart, tz_space space, unsigned kind, const int64_t *stage,
                   size_t first, size_t lanes);
/* How many required facts, or forbidding ones, speak of an item. */
size_t tz_item_facts(const tz_chart *chart, size_t lane, unsigned item, const int64_t *index,
                     bool required);
/* Removes the marks of required cells from an element that has as many as the goal, in place; zero
 * where it has fewer. more: how many further marks it has. */
void tz_unmark(const tz_chart *chart, size_t lane, const tz_algebra *algebra, size_t more,
               void *element);
/* Does no derivation of the goal agree with the facts? */
bool tz_goal_missing(const tz_chart *chart, size_t lane);

#endif
