/* entries.h - the entries of sparse weights: lifted once when they are bound, and found by the
 * indices that steps fix. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_CHART_ENTRIES_H
#define TZ_ENGINE_CHART_ENTRIES_H

#include "engine/engine.h"

/* ---- Elements -------------------------------------------------------------------------------- */

/* Lifts all entries of all lanes; the elements of lanes with the same index arrays stand side by
 * side. Sets chart->scaling.misfit. TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_lift_entries(tz_chart *chart);

/* Do the entries of the weight have the same indices in all lanes? */
static inline bool tz_entries_shared(const tz_chart *chart, unsigned weight) {
    return ((const tz_entry_place *)chart->entries.place.data)[weight].shared;
}

/* The number of a lane's entry among the elements. */
static inline ptrdiff_t tz_entry_number(const tz_chart *chart, size_t lane, unsigned weight,
                                        size_t entry) {
    const tz_entry_place *place =
        (const tz_entry_place *)chart->entries.place.data + lane * chart->plan->rules->weights;
    return (ptrdiff_t)(place[weight].first + entry * (place[weight].shared ? chart->lanes : 1));
}

static inline void *tz_entry_element(const tz_chart *chart, size_t lane, unsigned weight,
                                     size_t entry) {
    return (char *)chart->entries.element.data +
           tz_entry_number(chart, lane, weight, entry) * (ptrdiff_t)chart->algebra->size;
}

/* [2] The epochs at which the outside values of the weight's entries, and their tangents, were
 * gathered; 0: not yet. */
static inline uint64_t *tz_entries_gathered(tz_chart *chart, unsigned weight) {
    return ((tz_entry_place *)chart->entries.place.data)[weight].gathered;
}

/* ---- Choices --------------------------------------------------------------------------------- */

/* Takes the entries that have been bound. Whatever was made from the entries before is kept if all
 * lanes have the same indices again, else forgotten: O(E) for E entries. TZ_NO_MEMORY,
 * TZ_TOO_LARGE. */
tz_status tz_entries_bound(tz_chart *chart, const tz_problem *problems);
/* Forgets the lists of choices, and what is recorded; not how entries are sorted. */
void tz_entries_unlisted(tz_chart *chart);
/* Forgets what is recorded, as the lengths have changed. */
void tz_entries_lengthened(tz_chart *chart);
/* Sorts a lane's entries by what the step asks of them, once for the same indices: before a walk.
 * O(E) for E entries. */
tz_status tz_entries_sort(tz_chart *chart, const tz_bound_step *step, size_t lane);

/* Walks through every choice of an entry for each sparse weight of a step that agrees with the
 * givens and with the other entries: the last weight's fastest, each in the order in which entries
 * were given. */
typedef struct tz_entry_walk {
    const tz_chart *chart;
    const tz_bound_step *step;
    size_t lane;
    size_t entry[TZ_MAX_SPARSE];
    size_t at[TZ_MAX_SPARSE], end[TZ_MAX_SPARSE]; /* in the order of the term's entries */
} tz_entry_walk;

/* column: the step's givens, with those before the entries' indices set; these are filled in.
 * False where there is no choice (more). */
bool tz_entry_walk_start(tz_entry_walk *walk, const tz_chart *chart, const tz_bound_step *step,
                         size_t lane, int64_t *column);
bool tz_entry_walk_next(tz_entry_walk *walk, int64_t *column);
void tz_entries_free(tz_entry_memory *e);

#endif
