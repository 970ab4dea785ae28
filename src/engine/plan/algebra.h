/* algebra.h - a semiring as the engine calls it. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PLAN_ALGEBRA_H
#define TZ_ENGINE_PLAN_ALGEBRA_H

#include <string.h>

#include "kernels/moves.h"
#include "trapeze/trapeze.h"

enum { TZ_MOST_LIFTED = 64 /* bytes of an element that kernels lift */ };

/* A semiring with its defaults filled in; functions get `semiring` as self. */
typedef struct tz_algebra {
    const tz_semiring *semiring;
    const tz_kernels *kernels; /* those of the semiring; empty ones where there are none */
    size_t size, align;
    const void *zero, *one;
    bool blank;  /* zero has no bit set */
    bool scaled; /* elements are narrow: lifts scales them */
    double limit;
    void (*lift)(const tz_semiring *, void *, ptrdiff_t, const double *, size_t);
    double (*value)(const tz_semiring *, const void *);
    void (*contract)(const tz_semiring *, const tz_block *, size_t);
    size_t (*prepare)(const tz_semiring *, const tz_block *, tz_ready *, size_t); /* or NULL */
    _Bool (*lifts)(const tz_semiring *, void *, const tz_lifting *, size_t);      /* or NULL */
    void (*shares)(const tz_semiring *, double *, ptrdiff_t, const void *, ptrdiff_t, size_t,
                   const void *);
    void (*product_shares)(const tz_semiring *, double *const *, const tz_products *, size_t,
                           const void *); /* or NULL */
    tz_isa isa;                           /* of contract */
    const tz_moves *score_moves[2];       /* of scores, by tz_type; NULL under TZ_PLAIN */
    const tz_moves *moves; /* of elements, where they are doubles or floats; or NULL */
    bool lift_copies;      /* scores of the elements' own type are lifted by copying */
} tz_algebra;

/* The best instruction set that the machine and its operating system run and `flags` (of
 * tz_plan_new) allow. */
tz_isa tz_machine_isa(unsigned flags);

/* Fills in the defaults of a semiring and chooses its kernels. flags: of tz_plan_new.
 * TZ_BAD_ARGUMENT. */
tz_status tz_algebra_take(tz_algebra *ret, const tz_semiring *semiring, unsigned flags,
                          tz_error *opt_error);

/* Do two elements have the same bits? */
static inline bool tz_same_element(const tz_algebra *algebra, const void *a, const void *b) {
    switch (algebra->size) { /* so that no usual size is left to a call */
    case 4:
        return memcmp(a, b, 4) == 0;
    case 8:
        return memcmp(a, b, 8) == 0;
    case 16:
        return memcmp(a, b, 16) == 0;
    default:
        return memcmp(a, b, algebra->size) == 0;
    }
}

/* Copies an element, or some side by side: `size` bytes. */
static inline void tz_copy_element(void *to, const void *from, size_t size) {
    switch (size) { /* so that no usual size is left to a call */
    case 4:
        memcpy(to, from, 4);
        break;
    case 8:
        memcpy(to, from, 8);
        break;
    default:
        memcpy(to, from, size);
    }
}

/* Writes an element count times. */
void tz_fill(const tz_algebra *algebra, void *to, const void *element, size_t count);

#endif
