/* structure.h - the memory of tz_structure. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PROBLEM_STRUCTURE_H
#define TZ_ENGINE_PROBLEM_STRUCTURE_H

#include "engine/engine.h"

void tz_structures_free(tz_structure_memory *s);

#endif
