/* npz.h - reads the arrays of a .npz file (a zip archive of .npy files, as numpy.savez and
 * savez_compressed write it) row by row.
 *
 * A row is what one index of the first axis selects. Several arrays can be open at once, each read
 * from its beginning to its end, so an archive of any size takes no memory. Only arrays in Fortran
 * order, whose rows do not lie together, are loaded whole.
 *
 * Messages begin with FILE: array 'NAME'. SPDX-License-Identifier: MIT */
#ifndef TZ_IO_NPZ_NPZ_H
#define TZ_IO_NPZ_NPZ_H

#include <stdio.h>

#include <trapeze/trapeze.h>

#include "io/npz/npy.h"

typedef struct tz_npz tz_npz;
typedef struct tz_npz_array tz_npz_array;

enum {
    TZ_NPZ_WHOLE = 1 << 30, /* bytes that an array in Fortran order may have */
    TZ_NPZ_ROW = 1 << 30    /* bytes that a row of an array may have */
};
#define TZ_NPZ_PIPE ((uint64_t)1 << 32) /* bytes that are taken from a pipe, into a file */

/* Could the file that begins with this byte be a zip archive? (No JSON begins so.) */
bool tz_npz_begins(int byte);

/* Takes `file`, which is closed even after a failure; where it cannot be sought in, it is copied to
 * a temporary file first. `name` stands in messages and must outlive the archive. TZ_IO,
 * TZ_NO_MEMORY. */
tz_status tz_npz_open(FILE *file, const char *name, tz_npz **ret_npz, tz_error *error);
void tz_npz_free(tz_npz *npz);
/* Lists the arrays there are: "arc, n and 3 others". */
void tz_npz_list(const tz_npz *npz, char *text, size_t size);

/* Opens array `name` (which must outlive it) and reads its header. What it claims to hold has been
 * compared with the bytes there are: no more than about a thousand times as many.
 * TZ_NONE: there is none, and no message. TZ_BAD_ARGUMENT, TZ_TOO_LARGE, TZ_IO, TZ_NO_MEMORY. To be
 * freed before the archive. */
tz_status tz_npz_array_open(tz_npz *npz, const char *name, tz_npz_array **ret_array,
                            tz_error *error);
void tz_npz_array_free(tz_npz_array *array);
const tz_npy *tz_npz_array_header(const tz_npz_array *array);
/* Elements of a row: all, for an array without axes, which has one row. */
size_t tz_npz_array_cells(const tz_npz_array *array);

/* Reads the next `rows` rows, in C order and this machine's byte order: rows * cells * size bytes.
 * There must be as many left. With the last one the checksum is verified. TZ_IO, TZ_NO_MEMORY. */
tz_status tz_npz_array_read(tz_npz_array *array, size_t rows, void *data, tz_error *error);

/* Writes "FILE: array 'NAME': message" and returns the status. */
tz_status tz_npz_fail(const tz_npz *npz, const char *array, tz_error *error, tz_status status,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif
