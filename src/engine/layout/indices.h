/* indices.h - tells whether the index arrays of sparse weights are those of last time. Their
 * contents are compared, since a caller may write other indices to the same place.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_LAYOUT_INDICES_H
#define TZ_ENGINE_LAYOUT_INDICES_H

#include "engine/engine.h"

/* Do two arrays of a sparse weight of this rank have the same indices, entry by entry? */
bool tz_same_entries(const tz_scores *a, const tz_scores *b, unsigned rank);

/* Are the indices of all sparse weights the kept ones? Lengths may differ. */
bool tz_indices_known(const tz_known_indices *known, const tz_rules *rules,
                      const tz_problem *problem);
/* Are the lengths the kept ones? */
bool tz_indices_known_lengths(const tz_known_indices *known, const tz_rules *rules,
                              const int32_t *length);
/* Keeps a copy of the problem's indices and lengths instead of those kept before. On failure
 * nothing is kept: TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_indices_keep(tz_known_indices *known, const tz_rules *rules,
                          const tz_problem *problem);
void tz_indices_free(tz_known_indices *known);

#endif
