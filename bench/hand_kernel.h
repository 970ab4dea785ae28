/* hand_kernel.h - what the units of the hand-written yardstick share. SPDX-License-Identifier: MIT
 */
#ifndef TZ_BENCH_HAND_KERNEL_H
#define TZ_BENCH_HAND_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

/* One chart. Where its parts stand is the unit's affair; memory comes zeroed. */
typedef struct hand_chart {
    size_t n, lanes;
    void *memory;
    const double *scale; /* [lanes] */
} hand_chart;

typedef struct hand_kernel {
    size_t lanes;
    size_t (*bytes)(size_t n); /* of memory, at 64 bytes */
    bool (*bind)(hand_chart *chart, const void *const *arc);
    void (*inside)(hand_chart *chart, double *ret_value);
    void (*outside)(hand_chart *chart);
    void (*marginals)(const hand_chart *chart, double *const *ret_marginals);
} hand_kernel;

#endif
