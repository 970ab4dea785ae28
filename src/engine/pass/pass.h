/* pass.h - computes a pass the fast way. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_PASS_H
#define TZ_ENGINE_PASS_PASS_H

#include "engine/engine.h"

/* Computes a pass with the present scales and elements. TZ_DIVERGES, TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_compute_pass(tz_chart *chart, tz_pass pass);
/* Says that values which the pass has left may be infinite: the next pass reads none of them. */
void tz_pass_spoiled(tz_chart *chart, tz_pass pass);

#endif
