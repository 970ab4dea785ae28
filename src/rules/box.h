/* box.h - how the cells of a kind or weight lie in memory.
 *
 * A cell stands at the sum of stride[c] * coordinate[c]. No two cells may share a place, so stride
 * c must exceed the amount by which all later coordinates can fall while coordinate c grows by one.
 * In a full box they may fall by all of their ranges, and rows lie one after the other. Where the
 * domain ties coordinates together, as a band |i - j| <= b does, they fall by less, and rows lie
 * closer: place (i, j) of the band is 2b i + j. SPDX-License-Identifier: MIT */
#ifndef TZ_RULES_BOX_H
#define TZ_RULES_BOX_H

#include <stddef.h>

#include "rules/table.h"

/* The values of the coordinates that are to have places: low[c] <= high[c]. */
typedef struct tz_box_range {
    unsigned rank;
    const int64_t *low, *high;
} tz_box_range;

/* Finds strides [rank] for the cells of a kind or weight with these coordinates, for these lengths
 * or any shorter ones. cell_bytes: rows are padded to begin with cache lines; 0: they are not.
 * *ret_size: the places from the first cell to the last, and perhaps a few more. *ret_closer: rows
 * lie closer than in a full box, which they do where this takes half the places or fewer. False
 * where numbers do not fit. */
bool tz_box_strides(const tz_box_range *range, const tz_shear *shear, unsigned shears,
                    unsigned lengths, const int32_t *length, size_t cell_bytes,
                    ptrdiff_t *ret_stride, size_t *ret_size, bool *ret_closer);

#endif
