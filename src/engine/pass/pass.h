/* pass.h - the fast way through a pass. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_PASS_H
#define TZ_ENGINE_PASS_PASS_H

#include "engine/engine.h"

/* Computes what the pass does, with scales and elements as they are. TZ_DIVERGES, TZ_NO_MEMORY,
 * TZ_TOO_LARGE. */
tz_status tz_compute_pass(tz_chart *chart, tz_pass pass);
/* What the pass has left may be infinite: none of it is read by the next one. */
void tz_pass_spoiled(tz_chart *chart, tz_pass pass);

#endif
