/* npz_extents.c - how large arrays of items must be to hold those of every problem of a .npz file.
 * SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "io/npz/npz_problem.h"
#include "rules/table.h"

enum { PIECE = 1 << 12 }; /* problems at a time */

typedef struct length {
    tz_npz_array *array;
    const tz_npy *npy;
    char raw[PIECE * sizeof(int64_t)];
    int64_t number[PIECE];
} length;

typedef struct lengths {
    const tz_rules *rules;
    length *length;
} lengths;

static tz_status open_lengths(lengths *l, tz_npz *npz, tz_error *error) {
    tz_status status = TZ_OK;
    l->length = calloc(l->rules->lengths + 1u, sizeof *l->length);
    if (l->length == NULL)
        return tz_fail(error, TZ_NO_MEMORY, "out of memory");
    for (unsigned i = 0; i < l->rules->lengths && status == TZ_OK; i++) {
        status = tz_npz_array_open(npz, l->rules->length_name[i], &l->length[i].array, error);
        if (status == TZ_OK)
            l->length[i].npy = tz_npz_array_header(l->length[i].array);
    }
    return status;
}

static void close_lengths(lengths *l) {
    for (unsigned i = 0; l->length != NULL && i < l->rules->lengths; i++)
        tz_npz_array_free(l->length[i].array);
    free(l->length);
}

/* The next `count` problems'. A single number is read once, with the first. */
static tz_status read_lengths(lengths *l, size_t count, bool first, tz_error *error) {
    tz_status status = TZ_OK;
    for (unsigned i = 0; i < l->rules->lengths && status == TZ_OK; i++) {
        length *length = &l->length[i];
        size_t rows = length->npy->rank == 0 ? first : count;
        status = tz_npz_array_read(length->array, rows, length->raw, error);
        if (status == TZ_OK)
            tz_npy_integers(length->npy, length->raw, rows, length->number);
    }
    return status;
}

/* Problem `row`'s; false: they cannot be lengths, which is told where it is answered. */
static bool take_lengths(const lengths *l, size_t row, int32_t *ret_lengths) {
    for (unsigned i = 0; i < l->rules->lengths; i++) {
        int64_t number = l->length[i].number[l->length[i].npy->rank == 0 ? 0 : row];
        if (number < 0 || number > TZ_MAX_LENGTH)
            return false;
        ret_lengths[i] = (int32_t)number;
    }
    return true;
}

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

tz_status tz_npz_item_extents(tz_npz *npz, const tz_rules *rules, uint64_t problems, size_t items,
                              const size_t *item, int32_t (*ret_extent)[TZ_MAX_RANK],
                              tz_error *error) {
    lengths l = {rules, NULL};
    tz_status status = open_lengths(&l, npz, error);
    memset(ret_extent, 0, items * sizeof *ret_extent);
    for (uint64_t next = 0, count; next < problems && status == TZ_OK; next += count) {
        count = problems - next < PIECE ? problems - next : PIECE;
        status = read_lengths(&l, (size_t)count, next == 0, error);
        for (size_t row = 0; row < count && status == TZ_OK; row++) {
            int32_t given[TZ_MAX_LENGTHS];
            tz_shape shape;
            if (!take_lengths(&l, row, given))
                continue;
            for (size_t i = 0; i < items; i++) {
                if (tz_rules_shape(rules, TZ_ITEM + item[i], given, &shape) != TZ_OK)
                    continue; /* told where it is answered, too */
                for (unsigned q = 0; q < shape.rank; q++)
                    if (shape.extent[q] > ret_extent[i][q])
                        ret_extent[i][q] = shape.extent[q];
            }
        }
    }
    for (size_t i = 0; i < items && status == TZ_OK; i++)
        status = check_size(&rules->item[item[i]], ret_extent[i], error);
    close_lengths(&l);
    return status;
}
