/* transpose.h - how the kernels of transpose.c that the engine calls are declared.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SEMIRINGS_TRANSPOSE_H
#define TZ_SEMIRINGS_TRANSPOSE_H

#include <stddef.h>
#include <stdint.h>

#include <trapeze/semiring.h>

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
/* Scores that are to be lifted are packed: pieces one after the other, whole vectors of
 * tz_semiring.lift_scaled each, -infinity where there is no cell. */
static inline int32_t tz_packed(const tz_piece *piece) {
    return (piece->count + TZ_LIFTED - 1) & -TZ_LIFTED;
}

/* to[near + i] = from[far[i]] + 0 for each piece; false if |score| > limit or NaN is among them,
 * but for -infinity. Where the largest is asked for, *opt_most is raised to it, and scores are
 * packed, one after the other from to on. */
typedef _Bool tz_pick(void *to, const void *from, const tz_piece *piece, size_t pieces,
                      double limit, double *opt_most);
/* to[far[i] * pitch + r] = from[r][near + i] + 0 for r < rows and each piece; likewise, the largest
 * of each row, opt_most[rows], and packed to to[i * pitch + r]. Those that are read only count
 * where scores are not packed. */
typedef _Bool tz_deal(void *to, ptrdiff_t pitch, const void *const *from, size_t rows,
                      const tz_piece *piece, size_t pieces, double limit, double *opt_most);
/* Where packed elements go: to[near + i] = from[i] of each piece if pitch is 1; else, but for
 * far[i] < 0, to[far[i] * pitch + r] = from[i * from_pitch + r] for r < rows. */
typedef void tz_put(void *to, ptrdiff_t pitch, const void *from, ptrdiff_t from_pitch, size_t rows,
                    const tz_piece *piece, size_t pieces);

/* Exponents of packed elements: shift[i * rows + r] is the sum over f < forms, at most TZ_FORMS, of
 * scale[f * rows + r] * form[(forms * p + f) * TZ_PIECE + i] for element i of piece p. */
enum { TZ_FORMS = 2 };
typedef void tz_shift(void *shift, const void *scale, size_t rows, const void *form, size_t forms,
                      const tz_piece *piece, size_t pieces);

#endif
