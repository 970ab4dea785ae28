/* probe.c - see probe.h. SPDX-License-Identifier: MIT */
#include "measure/probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "measure/probe_kernel.h"

enum { LEAST_BYTES = 1 << 12, MOST_BYTES = 1 << 28, SAMPLES = 7 };
#define SAMPLE_SECONDS 0.002

extern const tz_probe_kernel tz_probe_32_baseline, tz_probe_64_baseline;
#if defined(__x86_64__)
extern const tz_probe_kernel tz_probe_32_avx2, tz_probe_64_avx2;
extern const tz_probe_kernel tz_probe_32_avx512, tz_probe_64_avx512;
#endif

/* [isa][precision] */
static const tz_probe_kernel *const kernels[TZ_ISAS][2] = {
    [TZ_ISA_BASELINE] = {[TZ_F64] = &tz_probe_64_baseline, [TZ_F32] = &tz_probe_32_baseline},
#if defined(__x86_64__)
    [TZ_ISA_AVX2] = {[TZ_F64] = &tz_probe_64_avx2, [TZ_F32] = &tz_probe_32_avx2},
    [TZ_ISA_AVX512] = {[TZ_F64] = &tz_probe_64_avx512, [TZ_F32] = &tz_probe_32_avx512},
#endif
};

/* What the loops return goes here, so that they are not left out. */
static void use(double value) {
    volatile double kept = value;
    (void)kept;
}

/* Bytes a second: the best of several samples, since whatever disturbs only slows. */
static double load_rate(const tz_probe_kernel *kernel, const void *from, size_t bytes) {
    double best = 0;
    for (int s = 0; s < SAMPLES; s++) {
        double start = tz_seconds(), seconds = 0;
        size_t rounds = 0;
        while (seconds < SAMPLE_SECONDS) {
            for (size_t done = 0; done < 1 << 20; done += bytes, rounds++)
                use((double)kernel->load(from, bytes));
            seconds = tz_seconds() - start;
        }
        double rate = (double)rounds * (double)bytes / seconds;
        best = rate > best ? rate : best;
    }
    return best;
}

static double product_rate(const tz_probe_kernel *kernel) {
    double best = 0;
    for (int s = 0; s < SAMPLES; s++) {
        double start = tz_seconds(), seconds = 0;
        size_t rounds = 0;
        while (seconds < SAMPLE_SECONDS) {
            use(kernel->multiply(1 << 14, 0.5));
            rounds += 1 << 14;
            seconds = tz_seconds() - start;
        }
        double rate = (double)rounds * (double)kernel->products / seconds;
        best = rate > best ? rate : best;
    }
    return best;
}

tz_status tz_probe(tz_isa isa, tz_precision precision, size_t working_set, tz_peak *ret_peak) {
    const tz_probe_kernel *kernel = kernels[isa][precision];
    size_t bytes = working_set < LEAST_BYTES  ? LEAST_BYTES
                   : working_set > MOST_BYTES ? MOST_BYTES
                                              : working_set / 512 * 512;
    void *memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    if (memory == NULL)
        return TZ_NO_MEMORY;
    memset(memory, 1, bytes);
    *ret_peak = (tz_peak){load_rate(kernel, memory, bytes), product_rate(kernel)};
    free(memory);
    return TZ_OK;
}

double tz_peak_products(const tz_peak *peak, tz_precision precision) {
    double loaded = peak->loads / (2 * (precision == TZ_F32 ? sizeof(float) : sizeof(double)));
    return loaded < peak->products ? loaded : peak->products;
}

const char *tz_isa_name(tz_isa isa) {
    static const char *const names[TZ_ISAS] = {"baseline", "AVX2", "AVX-512"};
    return names[isa];
}

const char *tz_compiler_name(void) {
#if defined(__clang__)
    return __VERSION__; /* begins with its name */
#elif defined(__GNUC__)
    return "GCC " __VERSION__;
#else
    return "unknown compiler";
#endif
}

void tz_cpu_name(char *text, size_t size) {
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(text, size, "unknown processor");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL) {
            colon[1 + strcspn(colon + 1, "\n")] = '\0';
            snprintf(text, size, "%s", colon + 1 + strspn(colon + 1, " "));
            break;
        }
    }
    if (file != NULL)
        fclose(file);
}
