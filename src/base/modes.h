/* modes.h - the floating-point modes in which results are defined, whatever modes the host uses.
 *
 * A host may round upwards, flush small numbers to zero, or have traps for overflow. Here all
 * computation rounds to nearest, keeps small numbers, and looks at flags that may be raised without
 * a trap (kernels/flags.h). SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_MODES_H
#define TZ_BASE_MODES_H

#include <fenv.h>
#include <stdbool.h>

/* Modes and flags of a thread. */
typedef struct tz_modes {
#if defined(__x86_64__) && defined(__GNUC__)
    unsigned sse; /* modes and flags of SSE and AVX */
    /* Of the x87, by whose rounding text becomes numbers and back: are its modes others than the
     * default ones? Then all that fnstenv stores. */
    bool strange;
    unsigned x87[7];
#elif defined(__wasm__) /* has none */
    char none;
#else
    fenv_t all;
#endif
} tz_modes;

/* Sets the default modes with no flag raised; *ret: modes and flags before. */
void tz_modes_take(tz_modes *ret);
/* Restores the modes and flags that were taken; flags raised since are dropped. */
void tz_modes_return(const tz_modes *taken);

/* The first line of every public function that computes. The function has the default modes, and
 * its caller gets its own back on every way out. A few cycles where these are the default ones. */
#define TZ_DEFAULT_MODES                                                                           \
    __attribute__((cleanup(tz_modes_return))) tz_modes modes_of_caller;                            \
    tz_modes_take(&modes_of_caller)

#endif
