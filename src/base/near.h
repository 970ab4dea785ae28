/* near.h - finds the name that may have been meant. SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_NEAR_H
#define TZ_BASE_NEAR_H

#include <stddef.h>

enum { TZ_NEAR_MOST = 64 }; /* bytes of a name */

/* How many letters are inserted, left out, changed or swapped with the next (Damerau & Levenshtein
 * distance); names longer than TZ_NEAR_MOST are unlike all others. */
unsigned tz_distance(const char *a, const char *b);
/* The candidate most like `name`, or NULL where none is alike. candidate(list, 0), candidate(list,
 * 1), ... end with NULL. */
const char *tz_nearest(const char *name, const char *(*candidate)(const void *list, size_t index),
                       const void *list);

#endif
