/* flags.h - tells whether floating-point arithmetic has left its range.
 *
 * The flags of the processor tell. WebAssembly has none: there the kernels of narrow elements check
 * their results (watched.h) and raise a flag of our own. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_FLAGS_H
#define TZ_KERNELS_FLAGS_H

#include <stdbool.h>

#if defined(__wasm__)
#define TZ_OWN_FLAG
extern _Thread_local bool tz_flag;
#endif

/* Puts the flags of overflow and underflow down; and puts them back, and tells whether any was
 * raised between. */
unsigned tz_flags_take(void);
bool tz_flags_return(unsigned before);
/* Is any raised? */
bool tz_flags_raised(void);

#endif
