/* ready.h - lets the semiring make the blocks of a schedule ready. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_READY_H
#define TZ_ENGINE_PASS_READY_H

#include "engine/pass/schedule.h"

/* Makes the blocks ready, once they have their operands. TZ_NO_MEMORY. */
tz_status tz_make_ready(tz_schedule *schedule);

/* Moves the ready entries of a loop by so many turns. */
static inline void tz_move_ready(tz_ready *ready, const tz_ready *end, const uint64_t *change,
                                 uint64_t turns) {
    _Static_assert(sizeof *ready == 8 * sizeof(uint64_t), "words");
    for (uint64_t *word = (uint64_t *)ready; word < (const uint64_t *)end; word += 8, change += 8)
        for (unsigned w = 0; w < 8; w++)
            word[w] += change[w] * turns;
}

#endif
