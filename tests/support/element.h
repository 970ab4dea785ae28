/* element.h - what the tests of semirings share: the mandatory operations on one element.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_ELEMENT_H
#define TZ_TESTS_SUPPORT_ELEMENT_H

#include <stdbool.h>
#include <string.h>

#include <trapeze/trapeze.h>

#include "tests/support/test.h"

/* The bytes of one element. */
typedef struct any {
    _Alignas(16) unsigned char bytes[256];
} any;

/* The last instruction set that a plan would take here. */
static inline tz_isa machine_isa(void) {
    const tz_semiring *max = tz_semiring_find("max", TZ_F64);
    OWN(tz_plan, plan) = make_plan(tz_rules_find("eisner"), max, 0);
    return tz_plan_isa(plan);
}

static inline any any_of(const tz_semiring *semiring, const void *element) {
    any a = {0};
    memcpy(a.bytes, element, semiring->size);
    return a;
}

static inline any any_zero(const tz_semiring *semiring) {
    return any_of(semiring, semiring->zero);
}

static inline any any_one(const tz_semiring *semiring) {
    return any_of(semiring, semiring->one);
}

static inline any any_plus(const tz_semiring *semiring, any a, any b) {
    any ret = {0};
    semiring->plus(semiring, ret.bytes, a.bytes, b.bytes);
    return ret;
}

static inline any any_times(const tz_semiring *semiring, any a, any b) {
    any ret = {0};
    semiring->times(semiring, ret.bytes, a.bytes, b.bytes);
    return ret;
}

/* a + b * c as blocks compute it. */
static inline any any_plus_times(const tz_semiring *semiring, any a, any b, any c) {
    if (semiring->plus_times == NULL)
        return any_plus(semiring, a, any_times(semiring, b, c));
    any ret = {0};
    semiring->plus_times(semiring, ret.bytes, a.bytes, b.bytes, c.bytes);
    return ret;
}

static inline any any_lift(const tz_semiring *semiring, double score) {
    any ret = {0};
    semiring->lift(semiring, ret.bytes, 1, &score, 1);
    return ret;
}

/* With numbers for the semiring's inputs. */
static inline any any_lift_inputs(const tz_semiring *semiring, double score,
                                  const double *const *input) {
    any ret = {0};
    semiring->lift_inputs(semiring, ret.bytes, 1, &score, input, 1);
    return ret;
}

static inline double any_value(const tz_semiring *semiring, any a) {
    return semiring->value(semiring, a.bytes);
}

enum { MAX_NUMBERS = 8 };

/* All numbers that an element stands for; how many. */
static inline size_t any_values(const tz_semiring *semiring, any a, double ret[MAX_NUMBERS]) {
    if (semiring->values)
        return semiring->values(semiring, a.bytes, ret);
    ret[0] = any_value(semiring, a);
    return 1;
}

static inline bool any_same(const tz_semiring *semiring, any a, any b) {
    return memcmp(a.bytes, b.bytes, semiring->size) == 0;
}

static inline const char *precision_name(tz_precision precision) {
    return precision == TZ_F32 ? "f32" : "f64";
}

/* The distance between 1 and the next number. */
static inline double precision_epsilon(tz_precision precision) {
    return precision == TZ_F32 ? 0x1p-23 : 0x1p-52;
}

#endif
