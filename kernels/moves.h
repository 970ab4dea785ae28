/* moves.h - kernels of the engine's own: move scores from the caller's arrays to the places of
 * their cells in a chart. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_MOVES_H
#define TZ_KERNELS_MOVES_H

#include <stddef.h>
#include <stdint.h>

#include <trapeze/kernel.h>

/* Scores of several problems: neighbours in their arrays, near.. near+count-1, of which number i
 * belongs to cell far[i]; to none where that is negative. */
enum { TZ_PIECE = 16 };
typedef struct tz_piece {
    int32_t near, count, far[TZ_PIECE];
} tz_piece;

/* Scores of one problem: in column c of row r, if bit c of row[r], which is bit r of column[c], is
 * set, is the one at far[r] + c * step; it belongs to cell near + c * apart + r. */
enum {
    TZ_PATCH = 16,
    TZ_AHEAD = 8 /* patches that there are after the last one, to be looked at */
};
typedef struct tz_patch {
    int32_t near, apart, step, columns;
    int32_t far[TZ_PATCH];
    uint16_t row[TZ_PATCH], column[TZ_PATCH];
    /* Packed it takes so many, a multiple of TZ_LIFTED; row r of column c is number start[c] + r:
     * cells one after the other, column by column, -infinity at the end. */
    int32_t packed;
    int16_t start[TZ_PATCH];
    _Bool full;   /* TZ_PATCH columns of all rows, of neighbours: start[c] is c * rows */
    _Bool beside; /* far[r] is far[0] + r: columns stand in one piece in the array, too */
} tz_patch;

/* Scores that are to be lifted are packed: pieces one after the other, whole vectors of
 * tz_kernels.lifts each, -infinity where there is no cell. */
static inline int32_t tz_packed(const tz_piece *piece) {
    return (piece->count + TZ_LIFTED - 1) & -TZ_LIFTED;
}

enum { TZ_FORMS = 2 };

/* Moves of doubles or of floats, for an instruction set. Results overlap no argument. */
typedef struct tz_moves {
    /* to[far[i] * pitch + r] = from[r][near + i] + 0 for r < rows and each piece; false if |score|
     * > limit or NaN is among them, but for -infinity. Where the largest of each row are asked for,
     * opt_most[rows] is raised to them, and scores are packed, to to[i * pitch + r]. Those that are
     * read only count where scores are not packed. */
    _Bool (*deal)(void *to, ptrdiff_t pitch, const void *const *from, size_t rows,
                  const tz_piece *piece, size_t pieces, double limit, double *opt_most);
    /* Packed elements to where their cells stand: to[far[i] * pitch + r] = from[i * from_pitch + r]
     * for r < rows, but for far[i] < 0. */
    void (*put)(void *to, ptrdiff_t pitch, const void *from, ptrdiff_t from_pitch, size_t rows,
                const tz_piece *piece, size_t pieces);
    /* The scores of patches of so many rows, a multiple of TZ_LIFTED, to their cells; packed: from
     * `to` on, one patch after the other. false as deal. */
    _Bool (*pick)(void *to, const void *from, const tz_patch *patch, size_t patches, size_t rows,
                  double limit, _Bool packed);
    /* Packed elements of patches to where their cells stand. */
    void (*lay)(void *to, const void *from, const tz_patch *patch, size_t patches, size_t rows);
    /* Is each of so many neighbouring scores -infinity or within +-limit? Raises *opt_most to the
     * largest. */
    _Bool (*scan)(const void *score, size_t count, double limit, double *opt_most);
    /* Exponents of packed elements: shift[i * rows + r] is the sum over f < forms, at most
     * TZ_FORMS, of scale[f * rows + r] * form[f * pitch + i], i < count, a multiple of
     * TZ_LIFTED. */
    void (*shift)(void *shift, const void *scale, size_t rows, const void *form, ptrdiff_t pitch,
                  size_t forms, size_t count);
} tz_moves;

/* For each instruction set that this platform may have, else NULL. */
extern const tz_moves *const tz_moves_f64[TZ_ISAS], *const tz_moves_f32[TZ_ISAS];

#endif
