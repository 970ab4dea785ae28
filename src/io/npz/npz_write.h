/* npz_write.h - writes a .npz file whose arrays grow together, row by row.
 *
 * The shapes are known at the start, so that every member has its place in the file and rows go
 * there at once. (libzip writes one member after the other when the archive is closed: each would
 * have to be kept, or written and read once more.) Members are stored, as by numpy.savez, and carry
 * no date: the same arrays give the same bytes. All sizes are ZIP64's, as numpy.savez has them.
 *
 * The file appears under its name when it is complete (replace.h). SPDX-License-Identifier: MIT */
#ifndef TZ_IO_NPZ_NPZ_WRITE_H
#define TZ_IO_NPZ_NPZ_WRITE_H

#include <trapeze/trapeze.h>

typedef struct tz_npz_writer tz_npz_writer;

/* `path` is borrowed until tz_npz_writer_free. TZ_IO, TZ_NO_MEMORY. */
tz_status tz_npz_writer_new(const char *path, tz_npz_writer **ret_writer, tz_error *error);
/* Without tz_npz_writer_commit before, an old file of this name stays as it is. */
void tz_npz_writer_free(tz_npz_writer *writer);

/* An array that can have up to extent[0] rows. All are added before the first row is written; their
 * numbers are 0, 1, ... descr: "<f8"; `size`: bytes of an element. TZ_TOO_LARGE, TZ_NO_MEMORY. */
tz_status tz_npz_writer_add(tz_npz_writer *writer, const char *name, const char *descr, size_t size,
                            unsigned rank, const uint64_t *extent, tz_error *error);
/* The next rows of array `member`. TZ_IO. */
tz_status tz_npz_writer_rows(tz_npz_writer *writer, unsigned member, uint64_t rows,
                             const void *data, tz_error *error);
/* The array has unsigned integers of 1, 2 or 4 bytes, and larger ones from now on: what is written
 * is written once more, and what comes after it in the file is moved. TZ_IO, TZ_TOO_LARGE. */
tz_status tz_npz_writer_widen(tz_npz_writer *writer, unsigned member, const char *descr,
                              size_t size, tz_error *error);
/* Such integers of one size as those of another; `to` may be `from` where it is not larger. */
void tz_npz_resize(const void *from, size_t from_size, void *to, size_t to_size, size_t count);
/* Ends the file with the rows there are, and puts it in its place. TZ_IO, TZ_NO_MEMORY. */
tz_status tz_npz_writer_commit(tz_npz_writer *writer, tz_error *error);

#endif
