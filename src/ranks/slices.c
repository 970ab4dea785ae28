/* slices.c - see slices.h. SPDX-License-Identifier: MIT */
#include "ranks/slices.h"

#include <string.h>

typedef tz_status tell(const void *bytes, size_t size, tz_gathered *gathered, tz_error *opt_error);

static tz_status join(tell *tell, void *array, size_t rows, size_t row_size, tz_error *opt_error) {
    unsigned char *bytes = array;
    size_t first = tz_slice_first(rows, tz_rank()), last = tz_slice_last(rows, tz_rank());
    tz_gathered all = {0};
    if (tz_ranks() == 1)
        return TZ_OK;
    tz_status status = tell(bytes + first * row_size, (last - first) * row_size, &all, opt_error);
    if (status == TZ_OK && all.at[tz_ranks()] == rows * row_size)
        memcpy(bytes, all.data, rows * row_size);
    tz_gathered_free(&all);
    return status;
}

tz_status tz_slices_all(void *array, size_t rows, size_t row_size, tz_error *opt_error) {
    return join(tz_ranks_gather, array, rows, row_size, opt_error);
}

tz_status tz_slices_first(void *array, size_t rows, size_t row_size, tz_error *opt_error) {
    return join(tz_ranks_gather_first, array, rows, row_size, opt_error);
}
