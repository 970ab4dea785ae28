/* modes.h - floating-point modes that a host may have set, and whether it has them again.
 *
 * Between enter_modes and leave_modes a test computes nothing itself: it may be trapped.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_MODES_H
#define TZ_TESTS_SUPPORT_MODES_H

#include <fenv.h>
#include <stdbool.h>
#include <stdio.h>

/* Flushing small results to zero and taking small operands for zero: two bits where there are two,
 * one where there is one. */
#if defined(__x86_64__)
enum { FLUSHES = 4 };
#elif defined(__aarch64__)
enum { FLUSHES = 2 };
#else
enum { FLUSHES = 1 };
#endif

typedef struct host_modes {
    int rounding;   /* FE_TONEAREST, ... */
    unsigned flush; /* 0..FLUSHES - 1 */
    bool traps;     /* of all exceptions */
    int raised;     /* flags that are raised: FE_OVERFLOW, ... */
} host_modes;

/* What the processor says of its modes and flags. */
typedef struct seen_modes {
    unsigned long control, flags, others;
} seen_modes;

enum { ROUNDINGS = 4, MODES = ROUNDINGS * FLUSHES * 2 };

/* The i-th of MODES; every other time with flags raised. */
static inline host_modes modes_of(unsigned i) {
    static const int rounding[ROUNDINGS] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    static const int raised[] = {0, FE_OVERFLOW | FE_INEXACT, FE_ALL_EXCEPT, FE_UNDERFLOW,
                                 FE_INVALID | FE_DIVBYZERO};
    return (host_modes){rounding[i % ROUNDINGS], i / ROUNDINGS % FLUSHES,
                        i / ROUNDINGS / FLUSHES % 2 == 1, raised[i % 5]};
}

static inline void name_modes(const host_modes *m, char name[64]) {
    snprintf(name, 64, "rounding %#x, flush %u, traps %d, flags %#x", (unsigned)m->rounding,
             m->flush, m->traps, (unsigned)m->raised);
}

static inline seen_modes see_modes(void) {
    seen_modes seen = {0, (unsigned long)fetestexcept(FE_ALL_EXCEPT), 0};
#if defined(__x86_64__)
    unsigned short control, status;
    __asm__ volatile("fnstcw %0\n\tfnstsw %1" : "=m"(control), "=m"(status));
    seen.control = __builtin_ia32_stmxcsr();
    seen.others = (unsigned long)control << 16 | (status & FE_ALL_EXCEPT);
#elif defined(__aarch64__)
    __asm__ volatile("mrs %0, fpcr" : "=r"(seen.control));
#else
    seen.control = (unsigned long)fegetround();
#endif
    return seen;
}

static inline seen_modes enter_modes(const host_modes *m) {
    fesetenv(FE_DFL_ENV);
    feraiseexcept(m->raised);
    fesetround(m->rounding);
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | (m->flush & 1 ? 0x8000 : 0) |
                           (m->flush & 2 ? 0x40 : 0));
#elif defined(__aarch64__)
    unsigned long control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    control |= (unsigned long)m->flush << 24;
    __asm__ volatile("msr fpcr, %0" : : "r"(control));
#endif
#if defined(__GLIBC__) && defined(_GNU_SOURCE)
    if (m->traps)
        feenableexcept(FE_ALL_EXCEPT);
#endif
    return see_modes();
}

/* Back to the default ones. Were they as they had been entered? */
static inline bool leave_modes(const seen_modes *entered) {
    const seen_modes left = see_modes();
    fesetenv(FE_DFL_ENV);
    return left.control == entered->control && left.flags == entered->flags &&
           left.others == entered->others;
}

#endif
