/* wanted.h - what is to be told of every problem besides its value.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_WANTED_H
#define TZ_IO_WANTED_H

#include <stdbool.h>

typedef struct tz_wanted {
    bool best, derivation;         /* after tz_inside */
    bool marginals, max_marginals; /* after tz_outside */
} tz_wanted;

#endif
