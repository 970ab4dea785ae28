/* box.c - see box.h. SPDX-License-Identifier: MIT */
#include "rules/box.h"

#include <string.h>

#include "rules/polyhedra/form.h"

enum {
    LINE = 64, /* bytes of a cache line, and of the widest vector */
    FEW_LINES = 4
};

/* So many cells or a few more for a row, so that rows begin with a cache line and are an odd number
 * of them apart: vectors need not stop at a row's last cell, most loads are aligned, and what
 * stands one below the other does not compete for the same lines of the cache. */
static int64_t row_cells(int64_t cells, size_t cell_bytes) {
    int64_t unit = 1;
    while ((size_t)unit * cell_bytes % LINE != 0)
        unit *= 2;
    int64_t padded = (cells + unit - 1) / unit * unit;
    int64_t lines = padded * (int64_t)cell_bytes / LINE;
    if (lines >= FEW_LINES && lines % 2 == 0)
        padded += unit;
    return padded < 2 * cells ? padded : cells;
}

/* fall[q + 1][p]: how far coordinate p can fall while coordinate q grows by one and those before it
 * stay; [0]: from end to end, for the size. */
typedef struct falls {
    int64_t at[TZ_MAX_RANK][TZ_MAX_RANK];
} falls;

static bool stretch(unsigned rank, const falls *fall, size_t cell_bytes, ptrdiff_t *ret_stride,
                    size_t *ret_size) {
    int64_t next = 1;
    for (unsigned c = rank; c-- > 0;) {
        const int64_t *by = fall->at[c];
        int64_t rest = 1, own;
        ret_stride[c] = (ptrdiff_t)next;
        for (unsigned p = c + 1; p < rank; p++)
            if (__builtin_mul_overflow((int64_t)ret_stride[p], by[p], &own) ||
                __builtin_add_overflow(rest, own, &rest))
                return false;
        /* As rows of full boxes have it, each in a whole one of the coordinate before. */
        rest = rest > next ? rest : next;
        if (__builtin_mul_overflow(next, by[c], &own) || __builtin_add_overflow(rest, own, &next) ||
            next > PTRDIFF_MAX / 4)
            return false;
        next = next > 1 ? next : 1;
        if (rank >= 2 && c + 1 == rank && cell_bytes > 0) {
            if (next > (int64_t)(PTRDIFF_MAX / 4 / cell_bytes))
                return false;
            next = row_cells(next, cell_bytes);
        }
    }
    *ret_size = (size_t)next;
    return true;
}

bool tz_box_strides(const tz_box_range *range, const tz_shear *shear, unsigned shears,
                    unsigned lengths, const int32_t *length, size_t cell_bytes,
                    ptrdiff_t *ret_stride, size_t *ret_size, bool *ret_closer) {
    falls fall;
    ptrdiff_t stride[TZ_MAX_RANK];
    size_t size;
    for (unsigned q = 0; q < range->rank; q++)
        for (unsigned p = q; p < range->rank; p++)
            fall.at[q][p] = range->high[p] - range->low[p];
    const bool fits = stretch(range->rank, &fall, cell_bytes, ret_stride, ret_size);
    *ret_closer = false;
    for (unsigned s = 0; s < shears; s++) {
        int64_t *at = &fall.at[shear[s].outer + 1][shear[s].inner];
        int64_t by = tz_floor_div(tz_form_value(&shear[s].fall.form, lengths, length, 0, NULL),
                                  shear[s].fall.divisor);
        *at = by < *at ? by : *at;
    }
    if (shears > 0 && stretch(range->rank, &fall, cell_bytes, stride, &size) &&
        (!fits || size <= *ret_size / 2)) {
        memcpy(ret_stride, stride, range->rank * sizeof *stride);
        *ret_size = size;
        *ret_closer = true;
    }
    return fits || *ret_closer;
}
