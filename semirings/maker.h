/* maker.h - semirings with parameters: kbest(5).
 *
 * semirings/NAME.c defines a tz_semiring_maker instead of a descriptor, once per precision, and is
 * listed in semirings/meson.build; tz_semiring_new reads the text and calls it.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SEMIRINGS_MAKER_H
#define TZ_SEMIRINGS_MAKER_H

#include <trapeze/trapeze.h>

enum { TZ_MAX_ARGUMENTS = 2 };

typedef union tz_semiring_argument {
    size_t number;         /* >= 1 */
    tz_semiring *semiring; /* a part */
} tz_semiring_argument;

typedef struct tz_semiring_maker {
    const char *name, *form, *summary; /* "kbest", "kbest(K)"; summary as a descriptor's */
    const char *takes;                 /* a letter for each parameter: n a number, s a semiring */
    /* *ret_semiring is one block for free(). A part is listed in its `part`, and freed after it.
     * Anything but TZ_OK says why in *ret_why, a constant phrase: "it needs ..."; a composition
     * refuses with TZ_LAW a part that it cannot support. */
    tz_status (*make)(const tz_semiring_argument *argument, tz_semiring **ret_semiring,
                      const char **ret_why);
} tz_semiring_maker;

/* The index-th maker, in alphabetical order; NULL past the last. semirings/registry.c.in */
const tz_semiring_maker *tz_semiring_maker_at(size_t index, tz_precision precision);

#endif
