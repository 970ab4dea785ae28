/* npz_extents.c - how large arrays of items must be to hold those of every problem of a .npz file.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/fail.h"
#include "io/npz/npz_problem.h"
#include "rules/table.h"

enum { PIECE = 1 << 12 }; /* problems at a time */

static tz_status check_size(const tz_item *item, const int32_t *extent, tz_error *error) {
    size_t bytes = sizeof(double);
    for (unsigned q = 0; q < item->rank; q++)
        if (__builtin_mul_overflow(bytes, (size_t)extent[q], &bytes) || bytes > TZ_NPZ_ROW)
            return tz_fail(error, TZ_TOO_LARGE,
                           "the items %.100s of the largest problem take more than %d bytes; leave "
                           "them out, or give smaller problems",
                           item->name, (int)TZ_NPZ_ROW);
    return TZ_OK;
}

/* What cannot be is told where it is answered. */
static void look_at(const tz_npz_input *lengths, size_t row, const tz_rules *rules, size_t items,
                    const size_t *item, int32_t (*extent)[TZ_MAX_RANK]) {
    tz_problem problem;
    tz_shape shape;
    if (tz_npz_input_problem(lengths, row, &problem, NULL) != TZ_OK)
        return;
    for (size_t i = 0; i < items; i++) {
        if (tz_rules_shape(rules, TZ_ITEM + item[i], problem.lengths, &shape) != TZ_OK)
            continue;
        for (unsigned q = 0; q < shape.rank; q++)
            if (shape.extent[q] > extent[i][q])
                extent[i][q] = shape.extent[q];
    }
}

tz_status tz_npz_item_extents(tz_npz *npz, const tz_rules *rules, uint64_t problems, size_t items,
                              const size_t *item, int32_t (*ret_extent)[TZ_MAX_RANK],
                              tz_error *error) {
    tz_npz_input *lengths;
    tz_status status = tz_npz_input_new(npz, rules, NULL, &lengths, error);
    memset(ret_extent, 0, items * sizeof *ret_extent);
    for (uint64_t next = 0; next < problems && status == TZ_OK; next += PIECE) {
        const size_t count = problems - next < PIECE ? (size_t)(problems - next) : PIECE;
        status = tz_npz_input_read(lengths, count, error);
        for (size_t row = 0; row < count && status == TZ_OK; row++)
            look_at(lengths, row, rules, items, item, ret_extent);
    }
    for (size_t i = 0; i < items && status == TZ_OK; i++)
        status = check_size(&rules->item[item[i]], ret_extent[i], error);
    tz_npz_input_free(lengths);
    return status;
}
