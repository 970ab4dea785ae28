/* stages.h - the stages of a group, one after the other. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_STAGES_H
#define TZ_ENGINE_PASS_STAGES_H

#include "engine/engine.h"

/* Ranges of each component of a stage, and where one has come to. */
typedef struct tz_stages {
    unsigned count;
    int64_t low[TZ_MAX_RANK], high[TZ_MAX_RANK];
    int64_t at[TZ_MAX_RANK];
} tz_stages;

/* Widens the ranges of stages by those of a kind for these lengths. */
void tz_stages_widen(const tz_chart *chart, const tz_kind *kind, const int32_t *length,
                     tz_stages *ret, bool *started);
/* Moves to the next stage, upwards or downwards; false past the last. */
bool tz_stages_next(tz_stages *stages, bool downwards);

#endif
