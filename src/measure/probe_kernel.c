/* probe_kernel.c - the loops of probe.c; compiled for each instruction set (TZ_ISA) and precision
 * (TZ_REAL_BITS). SPDX-License-Identifier: MIT */
#include "measure/probe_kernel.h"

#include <stdint.h>

#if defined(__AVX512F__)
#define VECTOR_BYTES 64
#elif defined(__AVX2__)
#define VECTOR_BYTES 32
#else
#define VECTOR_BYTES 16
#endif

#if TZ_REAL_BITS == 64
typedef double real;
#else
typedef float real;
#endif

/* As many as 16 registers hold, and more than an addition after a multiplication makes wait. */
enum { STREAMS = 12 };

typedef real vector __attribute__((vector_size(VECTOR_BYTES)));
typedef uint64_t bits __attribute__((vector_size(VECTOR_BYTES), may_alias));

/* Every line once; a register takes what each stream reads. */
static uint64_t load(const void *from, size_t bytes) {
    const bits *at = from;
    bits acc[8] = {{0}};
    for (size_t i = 0; i + 8 <= bytes / VECTOR_BYTES; i += 8)
        for (size_t s = 0; s < 8; s++)
            acc[s] ^= at[i + s];
    for (size_t s = 1; s < 8; s++)
        acc[0] ^= acc[s];
    return acc[0][0];
}

static double multiply(size_t times, double seed) {
    vector acc[STREAMS] = {{0}}, factor = (real)seed - (vector){0};
    for (size_t t = 0; t < times; t++)
        for (size_t s = 0; s < STREAMS; s++)
            acc[s] = acc[s] * factor + factor;
    for (size_t s = 1; s < STREAMS; s++)
        acc[0] += acc[s];
    return (double)acc[0][0];
}

const tz_probe_kernel TZ_PROBE = {
    .products = STREAMS * (VECTOR_BYTES / sizeof(real)),
    .load = load,
    .multiply = multiply,
};
