/* npz_make.h - .npz files for tests, written by libzip: right ones and wrong ones.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_NPZ_MAKE_H
#define TZ_TESTS_SUPPORT_NPZ_MAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/npz/npz.h"

typedef struct npy_array {
    const char *name;
    const char *descr; /* "<f8"; what it is made of, of any kind, size and order */
    unsigned rank;
    size_t extent[8];
    const double *number; /* in C order; may be NULL for no cells */
    bool fortran;
    int version;        /* 0: 1 */
    const char *header; /* NULL: as it should be; else this dict */
    ptrdiff_t more;     /* bytes put behind, or taken away where negative */
} npy_array;

typedef enum npz_way { STORED, DEFLATED, BZIPPED, ENCRYPTED } npz_way;

/* The bytes of the .npy file, to be freed. */
unsigned char *npy_make(const npy_array *array, size_t *ret_size);
/* Writes the archive `path`; fails the running test where that does not work. */
void npz_make(const char *path, npz_way way, const npy_array *array, size_t arrays);

/* Array `name` of the file, float64 or unsigned, whole and as doubles; to be freed. */
double *npz_load(const char *path, const char *name, tz_npy *ret_npy);

/* A whole file; *ret_size bytes, to be freed. */
unsigned char *read_bytes(const char *path, size_t *ret_size);
void write_bytes(const char *path, const unsigned char *bytes, size_t size);
/* Replaces every `old` in the file by `new`, as long. Returns how many there were. */
size_t patch(const char *path, const char *old, const char *new, size_t size);

#endif
