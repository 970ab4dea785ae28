/* maker.h - semirings with parameters: kbest(5).
 *
 * semirings/NAME.c defines a tz_semiring_maker instead of a descriptor, once per precision, and is
 * listed in semirings/meson.build; tz_semiring_new reads the text and calls it.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SEMIRINGS_MAKER_H
#define TZ_SEMIRINGS_MAKER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <trapeze/semiring.h>
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

/* A copy of `of`, named NAME(k), whose elements are lists with room for `room` entries of `each`
 * bytes, best first. Its zero is `none` throughout; its one begins with `first`. One block for
 * free(); NULL: no memory. */
static inline tz_semiring *tz_semiring_of_lists(const tz_semiring *of, const char *name, size_t k,
                                                size_t room, const void *none, const void *first,
                                                size_t each) {
    enum { TEXT = 32 };
    tz_semiring *made = malloc(sizeof *made + 2 * room * each + TEXT);
    if (made == NULL)
        return NULL;
    char *zero = (char *)(made + 1), *one = zero + room * each, *text = one + room * each;
    for (size_t i = 0; i < 2 * room; i++)
        memcpy(zero + i * each, none, each);
    memcpy(one, first, each);
    snprintf(text, TEXT, "%s(%zu)", name, k);
    *made = *of;
    made->name = text;
    made->size = room * each;
    made->zero = zero;
    made->one = one;
    return made;
}

/* The index-th registered semiring, in alphabetical order; NULL past the last.
 * semirings/registry.c.in */
const tz_semiring *tz_semiring_at(size_t index, tz_precision precision);
/* The index-th maker, in alphabetical order; NULL past the last. semirings/registry.c.in */
const tz_semiring_maker *tz_semiring_maker_at(size_t index, tz_precision precision);

#endif
