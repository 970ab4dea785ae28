/* npy.h - the header of a NumPy array file (.npy, format versions 1.0, 2.0 and 3.0).
 *
 * A file is the magic bytes, two bytes of version, the size of the header (two bytes in version 1,
 * four later, little-endian), the header, which is a Python dict literal
 *   {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
 * ended by a newline, and the elements. Format: NumPy Enhancement Proposal 1, numpy.lib.format.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_NPZ_NPY_H
#define TZ_IO_NPZ_NPY_H

#include <trapeze/trapeze.h>

enum {
    TZ_NPY_RANK = 1 + TZ_MAX_RANK, /* problems, then the indices of a weight */
    TZ_NPY_START = 12,             /* bytes that tell where the header is */
    TZ_NPY_LIMIT = 1 << 16         /* bytes of a header that is read */
};

typedef struct tz_npy {
    char descr[16]; /* as written, cut off */
    char kind;      /* 'f' 4 or 8 bytes, 'i' or 'u' 1, 2, 4 or 8; else 0: not a plain number */
    unsigned size;  /* bytes of an element */
    bool swapped;   /* they stand in the other order than this machine's */
    bool fortran;   /* the first axis is the contiguous one; never where there is one axis */
    unsigned rank;  /* may exceed TZ_NPY_RANK; then only so many extents are kept */
    uint64_t extent[TZ_NPY_RANK];
    uint64_t count; /* of elements; count * size < 2^63 */
} tz_npy;

/* Reads from the first TZ_NPY_START bytes of a file where the header starts and how long it is.
 * TZ_BAD_ARGUMENT: the message says why this is no array. */
tz_status tz_npy_start(const unsigned char *start, size_t *ret_at, size_t *ret_size,
                       tz_error *error);
/* Reads the header. TZ_BAD_ARGUMENT: the message says what is wrong with it; TZ_TOO_LARGE. */
tz_status tz_npy_parse(const char *text, size_t size, tz_npy *ret_npy, tz_error *error);

enum { TZ_NPY_HEADER = 256 };

/* Writes the start of a version 1.0 file in C order, always TZ_NPY_HEADER bytes. descr: "<f8". */
void tz_npy_print(char text[TZ_NPY_HEADER], const char *descr, unsigned rank,
                  const uint64_t *extent);

/* ---- Elements, in memory ------------------------------------------------------------------ */

/* Turns `count` elements into this machine's byte order. */
void tz_npy_unswap(const tz_npy *npy, void *data, size_t count);
/* Reads integers of kind 'i' or 'u' in this machine's byte order; those above 2^63 - 1 become
 * that. */
void tz_npy_integers(const tz_npy *npy, const void *data, size_t count, int64_t *ret_number);

#endif
