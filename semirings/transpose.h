/* transpose.h - how the kernels of transpose.c that the engine calls are declared.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SEMIRINGS_TRANSPOSE_H
#define TZ_SEMIRINGS_TRANSPOSE_H

#include <stddef.h>
#include <stdint.h>

/* A few elements that are copied: at one end neighbours, near.. near+count-1; at the other, element
 * i stands at far[i]. Where that is negative, it is read only. */
enum { TZ_PIECE = 16 };
typedef struct tz_piece {
    int32_t near, count, far[TZ_PIECE];
} tz_piece;

/* to[c * to_pitch + r] = from[r * from_pitch + c] for r < rows, c < columns; the two do not
 * overlap. */
typedef void tz_transpose(void *to, ptrdiff_t to_pitch, const void *from, ptrdiff_t from_pitch,
                          size_t rows, size_t columns);
/* to[c * pitch + r] = from[r][at + c] + 0 for r < rows, c < columns. */
typedef void tz_gather(void *to, ptrdiff_t pitch, const void *const *from, ptrdiff_t at,
                       size_t rows, size_t columns);
/* to[near + i] = from[far[i]] + 0 for each piece; false if |score| > limit or NaN is among them, but
 * for -infinity. */
typedef _Bool tz_pick(void *to, const void *from, const tz_piece *piece, size_t pieces,
                      double limit);
/* to[far[i] * pitch + r] = from[r][near + i] + 0 for r < rows and each piece; likewise, and those
 * that are read only count too. */
typedef _Bool tz_deal(void *to, ptrdiff_t pitch, const void *const *from, size_t rows,
                      const tz_piece *piece, size_t pieces, double limit);

#endif
