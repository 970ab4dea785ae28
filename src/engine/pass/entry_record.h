/* entry_record.h - records the blocks of steps of sparse weights while they are computed, for the
 * next problems with the same index arrays. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_ENTRY_RECORD_H
#define TZ_ENGINE_PASS_ENTRY_RECORD_H

#include "engine/pass/entry_list.h"

/* What was computed: tasks of a pass one after the other, the first of them a step at a stage; or,
 * at all stages, the uses of one of the step's terms. */
typedef struct tz_entry_key {
    const tz_bound_step *step;
    int64_t stage[TZ_MAX_RANK];
    size_t tasks; /* 0: uses */
    size_t lane, lanes;
    tz_entry_use use;
} tz_entry_key;

/* Computes what is recorded under the key. False: nothing is, and a record begins unless there are
 * too many. Looks at the watch. TZ_NO_MEMORY, TZ_STOPPED. */
bool tz_replay_entries(tz_chart *chart, const tz_entry_key *key, tz_status *ret_status);
/* Computes the block, whose places are those of the list; and adds it to the record that has begun.
 * joined: at all places at once. */
tz_status tz_record_block(tz_chart *chart, const tz_block *block, const tz_entry_list *list,
                          bool joined);
/* Ends the record: all of it has been computed, or something has failed. */
void tz_record_end(tz_chart *chart, tz_status status);

#endif
