/* bundle.h - computes targets of neighbouring stages together. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_BUNDLE_H
#define TZ_ENGINE_PASS_BUNDLE_H

#include "engine/pass/schedule.h"

/* Adds a step that bundles: at stage `at` of a pass that goes from `first` to `last`. */
tz_status tz_schedule_bundle(tz_schedule *schedule, const tz_chart *chart,
                             const tz_bound_step *step, int64_t at, int64_t first, int64_t last);

#endif
