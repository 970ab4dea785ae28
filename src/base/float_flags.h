/* float_flags.h - did floating-point arithmetic leave its range? SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_FLOAT_FLAGS_H
#define TZ_BASE_FLOAT_FLAGS_H

#include <stdbool.h>

/* Puts the flags of overflow and underflow down; and puts them back, and tells whether any was
 * raised between. */
unsigned tz_flags_take(void);
bool tz_flags_return(unsigned before);
/* Is any raised? */
bool tz_flags_raised(void);

#endif
