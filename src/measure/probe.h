/* probe.h - measures the peak speed of this machine, since data sheets say little about it.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_MEASURE_PROBE_H
#define TZ_MEASURE_PROBE_H

#include <stddef.h>

#include <trapeze/trapeze.h>

/* The peak of one core, with the vectors of an instruction set. */
typedef struct tz_peak {
    double loads;    /* bytes a second, streamed over the working set */
    double products; /* multiplications, each with an addition to a register, a second */
} tz_peak;

/* Takes some hundredths of a second. working_set in bytes. TZ_NO_MEMORY. */
tz_status tz_probe(tz_isa isa, tz_precision precision, size_t working_set, tz_peak *ret_peak);

/* Semiring products a second of a kernel that loads two operands for each: the smaller of loads /
 * (2 * bytes of a number) and products. */
double tz_peak_products(const tz_peak *peak, tz_precision precision);

const char *tz_isa_name(tz_isa isa);
/* The compiler of this build, with its version. */
const char *tz_compiler_name(void);
/* The processor's name, as the system tells it, else "unknown processor". */
void tz_cpu_name(char *text, size_t size);

#endif
