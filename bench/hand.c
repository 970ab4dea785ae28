/* hand.c - which unit of the hand-written yardstick to call, and its memory.
 * SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "hand.h"
#include "hand_kernel.h"

struct hand {
    const hand_kernel *kernel;
    hand_chart chart;
    double *scale;
};

#define DECLARE(form, isa) extern const hand_kernel hand_##form##_max_##isa, hand_##form##_log_##isa
#define ROW(form, isa)                                                                             \
    { [HAND_MAX] = &hand_##form##_max_##isa, [HAND_LOG] = &hand_##form##_log_##isa }

DECLARE(single, baseline);
DECLARE(batch, baseline);
#if defined(__x86_64__)
DECLARE(single, avx2);
DECLARE(batch, avx2);
DECLARE(single, avx512);
DECLARE(batch, avx512);
#endif

/* [isa][batch][algebra] */
static const hand_kernel *const kernels[TZ_ISAS][2][HAND_ALGEBRAS] = {
    [TZ_ISA_BASELINE] = {ROW(single, baseline), ROW(batch, baseline)},
#if defined(__x86_64__)
    [TZ_ISA_AVX2] = {ROW(single, avx2), ROW(batch, avx2)},
    [TZ_ISA_AVX512] = {ROW(single, avx512), ROW(batch, avx512)},
#endif
};

static bool runs(tz_isa isa) {
#if defined(__x86_64__)
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return isa == TZ_ISA_BASELINE || (isa == TZ_ISA_AVX2 && avx2) ||
           (isa == TZ_ISA_AVX512 && avx512);
#else
    return isa == TZ_ISA_BASELINE;
#endif
}

hand *hand_new(hand_algebra algebra, bool batch, tz_isa isa, int n) {
    if (!runs(isa))
        return NULL;
    const hand_kernel *kernel = kernels[isa][batch][algebra];
    size_t bytes = (kernel->bytes((size_t)n) + 63) / 64 * 64;
    hand *h = calloc(1, sizeof *h);
    double *scale = calloc(kernel->lanes, sizeof *scale);
    void *memory = aligned_alloc(64, bytes);
    if (h == NULL || scale == NULL || memory == NULL) {
        free(h);
        free(scale);
        free(memory);
        return NULL;
    }
    memset(memory, 0, bytes);
    *h = (hand){.kernel = kernel,
                .chart = {.n = (size_t)n, .lanes = kernel->lanes, .memory = memory, .scale = scale},
                .scale = scale};
    return h;
}

void hand_free(hand *h) {
    if (h == NULL)
        return;
    free(h->chart.memory);
    free(h->scale);
    free(h);
}

size_t hand_lanes(const hand *h) {
    return h->chart.lanes;
}

bool hand_bind(hand *h, const void *const *arc, const double *scale) {
    if (scale != NULL)
        memcpy(h->scale, scale, h->chart.lanes * sizeof *scale);
    return h->kernel->bind(&h->chart, arc);
}

void hand_inside(hand *h, double *ret_value) {
    h->kernel->inside(&h->chart, ret_value);
}

void hand_outside(hand *h) {
    h->kernel->outside(&h->chart);
}

void hand_marginals(const hand *h, double *const *ret_marginals) {
    h->kernel->marginals(&h->chart, ret_marginals);
}
