/* probe_kernel.h - loops that do nothing but load, or multiply and add. SPDX-License-Identifier:
 * MIT */
#ifndef TZ_MEASURE_PROBE_KERNEL_H
#define TZ_MEASURE_PROBE_KERNEL_H

#include <stddef.h>
#include <stdint.h>

typedef struct tz_probe_kernel {
    size_t products; /* of one round of multiply */
    /* from: at 64 bytes; bytes: a multiple of 512 */
    uint64_t (*load)(const void *from, size_t bytes);
    /* 0 < seed < 1 keeps the sums finite */
    double (*multiply)(size_t rounds, double seed);
} tz_probe_kernel;

#endif
