/* own.h - what is freed where its scope ends. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_OWN_H
#define TZ_TESTS_SUPPORT_OWN_H

#include <trapeze/trapeze.h>

#include "base/arena.h"

/* OWN(tz_plan, plan) = NULL; declares a tz_plan *plan that tz_plan_free gets at the end of the
 * block, those declared last first. Not where an assertion fails: that jumps. */
#define OWN(type, name) __attribute__((cleanup(own_##type))) type *name
#define OWNABLE(type)                                                                              \
    static inline void own_##type(type **name) {                                                   \
        type##_free(*name);                                                                        \
    }
OWNABLE(tz_arena)
OWNABLE(tz_chart)
OWNABLE(tz_plan)
OWNABLE(tz_rules)
OWNABLE(tz_sampler)
OWNABLE(tz_semiring)

#endif
