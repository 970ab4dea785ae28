/* isa.h - the instruction sets that kernels are compiled for. SPDX-License-Identifier: MIT */
#ifndef TRAPEZE_ISA_H
#define TRAPEZE_ISA_H

/* Each includes the ones before it. */
typedef enum tz_isa {
    TZ_ISA_BASELINE, /* of the platform: SSE2 on x86-64, SIMD128 in WebAssembly */
    TZ_ISA_AVX2,     /* with FMA */
    TZ_ISA_AVX512,   /* F, BW, DQ, VL; with BMI2 */
    TZ_ISAS
} tz_isa;

#endif
