/* projective.c - see projective.h. SPDX-License-Identifier: MIT */
#include "sentences/features/sentence/projective.h"

#include <stdlib.h>

/* Does w descend from h? Climbs as far as the root. */
static bool descends(const int32_t *head, int32_t w, int32_t h) {
    while (w != h && w > 0)
        w = head[w];
    return w == h;
}

bool tz_arc_projective(const int32_t *head, int32_t m) {
    int32_t h = head[m], low = h < m ? h : m, high = h < m ? m : h;
    for (int32_t w = low + 1; w < high; w++)
        if (!descends(head, w, h))
            return false;
    return true;
}

/* The modifier of the arc to lift, or 0. */
static int32_t next_lift(const int32_t *head, int32_t n) {
    int32_t found = 0, shortest = n + 1;
    for (int32_t m = 1; m <= n; m++) {
        int32_t length = abs(head[m] - m);
        if (length < shortest && !tz_arc_projective(head, m)) {
            found = m;
            shortest = length;
        }
    }
    return found;
}

size_t tz_projectivise(int32_t *head, int32_t n) {
    size_t lifted = 0;
    int32_t m;
    while ((m = next_lift(head, n)) > 0) {
        head[m] = head[head[m]];
        lifted++;
    }
    return lifted;
}

int32_t tz_earlier_sibling(const int32_t *head, int32_t m) {
    int32_t h = head[m], step = h < m ? -1 : 1, s = m + step;
    while (s != h && head[s] != h)
        s += step;
    return s;
}
