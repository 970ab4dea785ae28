/* traits.h - properties of steps and rules that hold for all lengths. SPDX-License-Identifier:
 * MIT */
#ifndef TZ_ENGINE_PLAN_TRAITS_H
#define TZ_ENGINE_PLAN_TRAITS_H

#include "engine/plan/plan.h"

/* Does the domain, or the nest, only gain points when a length grows? */
bool tz_domain_grows(const tz_domain *domain);
bool tz_nest_grows(const tz_nest *nest);
/* See tz_plan.growing, tz_plan.convex, tz_plan.nested and tz_plan.ends. */
bool tz_stages_grow(const tz_rules *rules);
bool tz_loops_convex(const tz_rules *rules);
bool tz_cells_nest(const tz_rules *rules);
bool tz_uses_end(const tz_rules *rules);
/* Do the boxes of items and weights have all places that they have for shorter lengths? */
bool tz_boxes_grow(const tz_rules *rules);
/* Are there few enough bounds of the run that move with the split, all whole? split: its column. */
bool tz_nest_edged(const tz_nest *nest, unsigned split);
/* May the step's targets at neighbouring stages be computed together? */
bool tz_step_bundles(const tz_bound_step *step, const tz_plan *plan);
/* See tz_plan.exact. */
double tz_exact_limit(const tz_rules *rules, const tz_semiring *semiring);

#endif
