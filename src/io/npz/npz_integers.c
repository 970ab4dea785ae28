/* npz_integers.c - see npz_integers.h. SPDX-License-Identifier: MIT */
#include "io/npz/npz_integers.h"

#include <stdlib.h>

tz_status tz_npz_integers_open(tz_npz_integers *i, tz_npz_problems *problems, const char *name,
                               unsigned rank, const char *form, const char *what, tz_error *error) {
    *i = (tz_npz_integers){.name = name, .cells = 1};
    tz_status status = tz_npz_require(problems->npz, name, form, &i->array, error);
    if (status != TZ_OK)
        return status;
    const tz_npy *npy = tz_npz_array_header(i->array);
    if (npy->kind != 'i' && npy->kind != 'u')
        return tz_npz_fail(problems->npz, name, error, TZ_BAD_ARGUMENT,
                           "numbers of type '%s', but %s: save %.60s.astype('int32')", npy->descr,
                           what, name);
    if (npy->rank != rank && npy->rank != rank + 1)
        return tz_npz_fail(problems->npz, name, error, TZ_BAD_ARGUMENT, "%u %s; give it as %s",
                           npy->rank, npy->rank == 1 ? "axis" : "axes", form);
    i->shared = npy->rank == rank;
    for (unsigned q = 0; q < rank; q++) {
        const uint64_t extent = npy->extent[q + !i->shared];
        if (extent > INT32_MAX)
            return tz_npz_fail(problems->npz, name, error, TZ_TOO_LARGE,
                               "axis %u has more than %d positions", q + 1, (int)INT32_MAX);
        i->extent[q] = (int32_t)extent;
    }
    i->cells = i->shared ? (size_t)npy->count : tz_npz_array_cells(i->array);
    return i->shared ? TZ_OK : tz_npz_count(problems, name, npy, error);
}

void tz_npz_integers_free(tz_npz_integers *i) {
    tz_npz_array_free(i->array);
    free(i->raw);
    free(i->wide);
    free(i->data);
}

tz_status tz_npz_integers_read(tz_npz_integers *i, const tz_npz_problems *problems, uint64_t next,
                               size_t count, tz_error *error) {
    const tz_npy *npy = tz_npz_array_header(i->array);
    if (i->shared && next > 0)
        return TZ_OK;
    size_t all, rows = !i->shared ? count : npy->rank == 0 ? 1 : (size_t)npy->extent[0];
    if (__builtin_mul_overflow(i->shared ? 1 : count, i->cells, &all) || all == SIZE_MAX ||
        !tz_grow_any(&i->raw, &i->raw_capacity, all + 1, npy->size, false) ||
        !TZ_GROW(i->wide, &i->wide_capacity, all + 1) ||
        !TZ_GROW(i->data, &i->data_capacity, all + 1))
        return tz_npz_fail_memory(problems->npz, i->name, count, error);
    tz_status status = tz_npz_array_read(i->array, rows, i->raw, error);
    if (status != TZ_OK)
        return status;
    tz_npy_integers(npy, i->raw, all, i->wide);
    for (size_t c = 0; c < all; c++)
        i->data[c] = i->wide[c] < INT32_MIN   ? INT32_MIN
                     : i->wide[c] > INT32_MAX ? INT32_MAX
                                              : (int32_t)i->wide[c];
    return TZ_OK;
}
