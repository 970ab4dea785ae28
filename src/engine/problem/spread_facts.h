/* spread_facts.h - turns facts of a caller's problem into facts about the weights that rules
 * multiply by. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PROBLEM_SPREAD_FACTS_H
#define TZ_ENGINE_PROBLEM_SPREAD_FACTS_H

#include "engine/engine.h"

/* Writes the facts of a lane's problem to `fact`; *count: cells in to->fact_cells so far. Refuses
 * facts that name no cell. TZ_NO_MEMORY. */
tz_status tz_spread_facts(const tz_plan *plan, const tz_problem *problem, size_t lane, tz_given *to,
                          tz_fact *fact, size_t *count, tz_error *opt_error);
/* Points the facts of all lanes to their cells, now that these stand where they will. */
void tz_point_facts(tz_given *to, size_t lanes);

#endif
