/* near.c - see near.h. SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/near.h"

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

unsigned tz_distance(const char *a, const char *b) {
    size_t m = strlen(a), n = strlen(b);
    unsigned row[3][TZ_NEAR_MOST + 1]; /* of prefixes of a, of lengths i-2, i-1 and i modulo 3 */
    if (m > TZ_NEAR_MOST || n > TZ_NEAR_MOST)
        return TZ_NEAR_MOST;
    for (size_t j = 0; j <= n; j++)
        row[0][j] = (unsigned)j;
    for (size_t i = 1; i <= m; i++) {
        unsigned *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= n; j++) {
            now[j] = least(least(now[j - 1], last[j]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return row[m % 3][n];
}

const char *tz_nearest(const char *name, const char *(*candidate)(const void *list, size_t index),
                       const void *list) {
    const char *nearest = NULL, *other;
    size_t length = strlen(name);
    unsigned least_yet = (unsigned)(length > TZ_NEAR_MOST ? TZ_NEAR_MOST : length) / 2 + 1;
    for (size_t index = 0; (other = candidate(list, index)) != NULL; index++) {
        unsigned d = tz_distance(name, other);
        if (d < least_yet) {
            least_yet = d;
            nearest = other;
        }
    }
    return nearest;
}
