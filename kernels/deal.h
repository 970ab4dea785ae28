/* deal.h - splits elements of several numbers, a power of two, from their order in memory into
 * vectors of first numbers, of second numbers and so on; and joins them again.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_DEAL_H
#define TZ_KERNELS_DEAL_H

#include "numbers.h"

enum { MOST_PARTS = 32 };

/* Which number it is, among all, says the number of its element and then its own in it, in bits:
 * each round turns these bits by one. */
FORCED void deal_round(numbers *a, const int parts) {
    numbers turned[MOST_PARTS];
    UNROLLED for (int i = 0; i < parts / 2; i++) {
        turned[i] = EVEN(a[2 * i], a[2 * i + 1]);
        turned[parts / 2 + i] = ODD(a[2 * i], a[2 * i + 1]);
    }
    UNROLLED for (int i = 0; i < parts; i++) {
        a[i] = turned[i];
    }
}

FORCED void take_round(numbers *a, const int parts) {
    numbers turned[MOST_PARTS];
    UNROLLED for (int i = 0; i < parts / 2; i++) {
        turned[2 * i] = LOW(a[i], a[parts / 2 + i]);
        turned[2 * i + 1] = HIGH(a[i], a[parts / 2 + i]);
    }
    UNROLLED for (int i = 0; i < parts; i++) {
        a[i] = turned[i];
    }
}

#define FOR_EACH_ROUND(parts, round)                                                               \
    do {                                                                                           \
        if ((parts) >= 2)                                                                          \
            round;                                                                                 \
        if ((parts) >= 4)                                                                          \
            round;                                                                                 \
        if ((parts) >= 8)                                                                          \
            round;                                                                                 \
        if ((parts) >= 16)                                                                         \
            round;                                                                                 \
        if ((parts) >= 32)                                                                         \
            round;                                                                                 \
    } while (0)

/* a[p][i], number i * parts + p of those that a held. */
FORCED void deal(numbers *a, const int parts) {
    FOR_EACH_ROUND(parts, deal_round(a, parts));
}

FORCED void take_together(numbers *a, const int parts) {
    FOR_EACH_ROUND(parts, take_round(a, parts));
}

#endif
