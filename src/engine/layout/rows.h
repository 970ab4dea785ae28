/* rows.h - the cells of a weight, row by row. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_LAYOUT_ROWS_H
#define TZ_ENGINE_LAYOUT_ROWS_H

#include "rules/polyhedra/form.h"

enum { TZ_MAX_ROW_BOUNDS = 16 };

/* The cells of a weight that steps use, nest by nest: for the longest lengths, or for all lengths
 * up to these, which differ only where a cell's index is a length, as weight[n]. */
typedef struct tz_used {
    const tz_nest *nest;
    int32_t length[TZ_MAX_LENGTHS];
    const tz_weight *weight;
    const int32_t *longest;
    unsigned next;
    bool shorter;
} tz_used;

static inline tz_used tz_used_of(const tz_weight *weight, const int32_t *longest, bool shorter) {
    return (tz_used){.weight = weight, .longest = longest, .shorter = shorter};
}
/* Moves on to the next nest and lengths; false past the last. */
bool tz_used_next(tz_used *used);

/* Visits the cells that a nest of a weight's domain covers, as rows along its last loop. */
typedef struct tz_rows {
    tz_walk walk; /* over all loops but the last two */
    tz_nest outer;
    const tz_nest *nest;
    unsigned rank, last;
    bool walking, many; /* many: more bounds than there is room for */
    int64_t middle, middle_high;
    unsigned lowers, uppers;
    struct tz_row_bound {
        int64_t value, step, divisor;
    } bound[TZ_MAX_ROW_BOUNDS]; /* of the last loop, for the middle one's next value */
    unsigned holes;
    struct tz_row_hole {
        int64_t value, step; /* of a form that is not 0 in the domain, as in a bound */
        int64_t slope, at;   /* the same form along a row */
    } hole[TZ_MAX_ROW_BOUNDS];
    const tz_domain *domain;
    uint32_t unlisted;          /* constraints of the domain from here on may have holes too */
    int64_t start[TZ_MAX_RANK]; /* indices where middle and last are 0 */
    int64_t middle_move[TZ_MAX_RANK];
    /* Out: */
    int64_t index[TZ_MAX_RANK]; /* of the row's first cell */
    int64_t move[TZ_MAX_RANK];  /* from cell to cell */
    size_t count;
} tz_rows;

void tz_rows_start(tz_rows *rows, const tz_rules *rules, unsigned weight, const int32_t *length);
/* The same for some of the cells: those of tz_weight.cells or of one of tz_weight.used. */
void tz_rows_start_in(tz_rows *rows, const tz_rules *rules, unsigned weight, const tz_nest *nest,
                      const int32_t *length);
/* The next row that has cells; false past the last. It may go over holes (TZ_NE) of the domain. */
bool tz_rows_next(tz_rows *rows);
/* The next position of the row, from *position on, that the domain leaves out; false past the last.
 */
bool tz_row_hole(const tz_rows *rows, size_t *position);

#endif
