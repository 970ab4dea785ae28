/* parity.h - checks the answers before a time is taken. SPDX-License-Identifier: MIT */
#ifndef TZ_MEASURE_PARITY_H
#define TZ_MEASURE_PARITY_H

#include <stdbool.h>

#include "measure/workload.h"

/* Binds the workload's first `lanes` problems together, and again one by one under a plan without
 * AVX2 and AVX-512: goals, and with `outside` marginals, must have the same bits. The same, or
 * *ret_same false with a message that says where they differ. */
tz_status tz_parity(const tz_plan *plan, const tz_semiring *semiring, unsigned flags,
                    const tz_workload *work, size_t lanes, bool outside, bool *ret_same,
                    tz_error *ret_error);

#endif
