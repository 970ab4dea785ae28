/* isas.h - flags of plans, one for each instruction set that this machine runs and this build has.
 * Others make the same plan as one of these: a test would only repeat itself.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_ISAS_H
#define TZ_TESTS_SUPPORT_ISAS_H

#include <trapeze/trapeze.h>

#include "tests/support/test.h"

typedef struct isas {
    unsigned flags[3]; /* the first: none */
    unsigned count;
} isas;

static inline isas isas_here(void) {
    static const unsigned flags[] = {0, TZ_NO_AVX512, TZ_NO_AVX2};
    isas here = {.count = 0};
    tz_isa last = TZ_ISA_BASELINE;
    for (unsigned f = 0; f < 3; f++) {
        OWN(tz_plan, plan) =
            make_plan(tz_rules_find("eisner"), tz_semiring_find("max", TZ_F64), flags[f]);
        if (f == 0 || tz_plan_isa(plan) != last)
            here.flags[here.count++] = flags[f];
        last = tz_plan_isa(plan);
    }
    return here;
}

#endif
