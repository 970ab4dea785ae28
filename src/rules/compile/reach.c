/* reach.c - see reach.h. SPDX-License-Identifier: MIT */
#include <stdlib.h>

#include "rules/compile/reach.h"

tz_status tz_reach_init(tz_reach *ret, unsigned kinds) {
    const unsigned words = (kinds + 63) / 64;
    *ret = (tz_reach){calloc((size_t)kinds * words + 1, sizeof *ret->bits), kinds, words};
    return ret->bits != NULL ? TZ_OK : TZ_NO_MEMORY;
}

void tz_reach_free(tz_reach *reach) {
    free(reach->bits);
}

void tz_reach_close(tz_reach *r) {
    for (unsigned via = 0; via < r->kinds; via++)
        for (unsigned a = 0; a < r->kinds; a++)
            for (unsigned w = 0; tz_reaches(r, a, via) && w < r->words; w++)
                r->bits[a * r->words + w] |= r->bits[via * r->words + w];
}

unsigned tz_next_component(const tz_reach *r, bool *done, bool *ret_member) {
    unsigned k = 0;
    for (bool waits = true; waits; k += waits) {
        waits = done[k];
        for (unsigned a = 0; a < r->kinds && !waits; a++)
            waits = !done[a] && tz_reaches(r, a, k) && !tz_reaches(r, k, a);
    }
    for (unsigned a = 0; a < r->kinds; a++) {
        ret_member[a] = a == k || (tz_reaches(r, a, k) && tz_reaches(r, k, a));
        done[a] |= ret_member[a];
    }
    return k;
}
