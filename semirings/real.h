/* real.h - the precision that a semiring is compiled for.
 *
 * TZ_REAL_BITS is 64 or 32; the build compiles every semiring once with each.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SEMIRINGS_REAL_H
#define TZ_SEMIRINGS_REAL_H

#if TZ_REAL_BITS == 64
typedef double real;
#define REAL_LIMIT 1e290
#elif TZ_REAL_BITS == 32
typedef float real;
#define REAL_LIMIT 1e30
#else
#error "TZ_REAL_BITS must be 64 or 32"
#endif

/* DESCRIPTOR(max) is tz_semiring_max_f64 or tz_semiring_max_f32. */
#define DESCRIPTOR(name)             DESCRIPTOR_JOIN(tz_semiring_##name##_f, TZ_REAL_BITS)
#define DESCRIPTOR_JOIN(name, bits)  DESCRIPTOR_PASTE(name, bits)
#define DESCRIPTOR_PASTE(name, bits) name##bits

#endif
