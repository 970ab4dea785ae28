/* draw_shapes.h - how a use of a weight is drawn, by the weight's shape: its indices and domain.
 *
 * Lengths whose names begin with a lower-case letter are of sequences, others of sets of labels. An
 * index is a position of a sequence where it grows with that sequence; every other is a label, or
 * says how much of the sequence a position begins.
 *
 *   one position, and labels                      the labels stand below the word
 *   two positions or more of one sequence         first and last are drawn:
 *     in either order                             an arc, from the first to the last
 *     first <= last                               a span, words first..last
 *     0 <= first < last <= n                      a span, words first+1..last
 *     first < last otherwise                      a pair
 *   one position of each of two sequences         a cell of a grid
 *
 * Anything else is not drawn. Where positions are 0..n-1, they stand for words 1..n.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_DRAW_DRAW_SHAPES_H
#define TZ_IO_DRAW_DRAW_SHAPES_H

#include <trapeze/trapeze.h>

typedef enum tz_shape_kind {
    TZ_SHAPE_NONE,
    TZ_SHAPE_LABEL,
    TZ_SHAPE_ARC,
    TZ_SHAPE_SPAN,
    TZ_SHAPE_PAIR,
    TZ_SHAPE_CELL
} tz_shape_kind;

/* One end of a drawn use; both ends of a label are the same position. */
typedef struct tz_shape_end {
    unsigned index;    /* which of the weight's */
    unsigned sequence; /* which length */
    int32_t shift;     /* to be added, so that words are 1..n */
    int extent;        /* the index that says how many words from there on; -1: one word */
    bool moves;        /* of a cell: never before the sequence's first word */
} tz_shape_end;

typedef struct tz_use_shape {
    tz_shape_kind kind;
    tz_shape_end first, last; /* of a cell: row and column */
    unsigned labels;          /* bit q: index q is a label */
} tz_use_shape;

/* weight: which of rules->weight. TZ_BAD_ARGUMENT, TZ_TOO_LARGE: of tz_rules_shape. */
tz_status tz_use_shape_of(const tz_rules *rules, size_t weight, tz_use_shape *ret_shape);

#endif
