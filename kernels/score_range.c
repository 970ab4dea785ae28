/* score_range.c - are neighbouring scores all allowed, and which is the largest? For every
 * instruction set. SPDX-License-Identifier: MIT */
#include "score_range.h"

#include <math.h>
#include <string.h>

#include <trapeze/semiring.h>

#include "real.h"

typedef real element;
static const element zero = -INFINITY; /* what is beyond the last score: it is allowed */

#include "vector.h"

#include "exchange.h"

#include "marks.h"

#define DECLARE(isa) tz_scan SCAN(isa)

DECLARE(TZ_ISA);

_Bool SCAN(TZ_ISA)(const void *score, size_t count, double limit, double *opt_most) {
    const element *row = score;
    const vector bound = limit_of(limit);
    vector largest = vector_of(-INFINITY);
    marks bad = {0};
    for (size_t i = 0; i < count; i += V) {
        vector v = count - i >= V ? vector_load(row + i)
                                  : vector_load_part(row + i, part_of(0, (ptrdiff_t)(count - i)));
        bad |= refused(v, bound);
        largest = vector_larger(v, largest);
    }
    for (int i = 0; i < V && opt_most != NULL; i++)
        *opt_most = (double)largest[i] > *opt_most ? (double)largest[i] : *opt_most;
    return !any(bad);
}

#ifdef TZ_DESCRIPTOR

extern tz_scan *const SCANS[TZ_ISAS];

/* One for each instruction set, as tz_semiring.contract. */
DECLARE(baseline);
DECLARE(avx2);
DECLARE(avx512);
tz_scan *const SCANS[TZ_ISAS] = ONE_FOR_EACH(SCAN);

#endif
