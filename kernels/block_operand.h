/* block_operand.h - operands that do not run along with the columns: each is the same for all of
 * them, runs backwards, or has any stride. They are brought into the columns' order as they are
 * loaded.
 *
 * Part of block.h. Where lanes fill vectors, every column is vectors of its own, and strides do not
 * matter. SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_BLOCK_OPERAND_H
#define TZ_KERNELS_BLOCK_OPERAND_H

#include "block_ragged.h"

/* Vectors of which there is all: none is cut. */
enum { NONE_CUT = MOST_TILE };

/* How the elements of a vector lie in an operand; ALONG_SPLITS: each column's along the splits. */
typedef enum order { IN_ROW, ALL_SAME, BACKWARDS, ALONG_SPLITS, ANY_STRIDE } order;

/* An operand of a tile. */
typedef struct loose_operand {
    const element *at;      /* the first vector at the first split; backwards: its last element */
    ptrdiff_t split, apart; /* from split to split, from vector to vector, in elements */
    int64_t run : 48;       /* from column to column */
    int64_t order : 8;
    int64_t member : 8; /* see tz_block.places */
} loose_operand;

/* Elements of a vector that count, low..high-1. */
typedef struct span {
    int low, high;
} span;

static inline span span_of(window w, unsigned v) {
    ptrdiff_t low = w.low - (ptrdiff_t)(v * VECTOR_ELEMENTS);
    ptrdiff_t high = w.high - (ptrdiff_t)(v * VECTOR_ELEMENTS);
    low = low < 0 ? 0 : low > VECTOR_ELEMENTS ? VECTOR_ELEMENTS : low;
    high = high < low ? low : high > VECTOR_ELEMENTS ? VECTOR_ELEMENTS : high;
    return (span){(int)low, (int)high};
}

/* Reads nothing but elements of columns that are in the span, of which there is one at least; what
 * is at other places is finite where those are. A function apart: inlined into every shape of tile
 * it would be half of all code. */
__attribute__((noinline)) static vector load_any(const loose_operand *o, const element *at,
                                                 unsigned lanes, span of) {
    vector ret = vector_of(one);
    if (lanes == 1 && of.low == 0 && of.high == VECTOR_ELEMENTS) {
        UNROLLED for (int i = 0; i < VECTOR_ELEMENTS; i++) {
            SET_ELEMENT(ret, i, at[i * o->run]);
        }
        return ret;
    }
    UNROLLED for (int i = 0; i < VECTOR_ELEMENTS; i++) {
        int e = i < of.low ? of.low : i >= of.high ? of.high - 1 : i;
        SET_ELEMENT(ret, i, at[e / (int)lanes * o->run + e % (int)lanes]);
    }
    return ret;
}

/* What is known of the operands of a tile: nothing; that they go along with the columns or are the
 * same for all; that both do the former; that the first is the same for all, a single element or a
 * whole vector, and the second goes along; a single element, and the second goes backwards, as the
 * sums do then. */
typedef enum orders { ANY_ORDER, PLAIN_ORDERS, ROWS, ELEMENT_ROW, VECTOR_ROW, ELEMENT_BACK } orders;

/* The order of operand number `operand`, and elements of a column, as far as they are known. */
FORCED order order_of(orders orders, unsigned operand, const loose_operand *o) {
    if (orders == ROWS || (orders > ROWS && operand > 0))
        return IN_ROW;
    return orders > ROWS || (orders == PLAIN_ORDERS && o->order != IN_ROW) ? ALL_SAME : o->order;
}

FORCED unsigned lanes_of(orders orders, unsigned lanes) {
    return orders == ELEMENT_ROW || orders == ELEMENT_BACK ? 1
           : orders == VECTOR_ROW                          ? VECTOR_ELEMENTS
                                                           : lanes;
}

/* The vectors of an operand at a split: of a part of each from number `cut` on, the elements in the
 * window. */
FORCED void load_loose(vector *ret, const loose_operand *o, order order, const element *at,
                       unsigned lanes, unsigned vectors, unsigned cut, window w,
                       const vector_part *part) {
    switch (order) {
    case IN_ROW:
        UNROLLED for (unsigned v = 0; v < vectors; v++) {
            const element *from = at + (ptrdiff_t)v * o->apart;
            ret[v] = v >= cut ? vector_load_some(from, part[v]) : vector_load(from);
        }
        return;
    case ALL_SAME: {
        vector same = lanes == 1 ? vector_of(*at)
                      : lanes == VECTOR_ELEMENTS
                          ? vector_load(at)
                          : vector_take(vector_load_some(at, part_of(0, lanes)),
                                        vector_places() & (whole)(lanes - 1));
        UNROLLED for (unsigned v = 0; v < vectors; v++) {
            ret[v] = same;
        }
        return;
    }
    case BACKWARDS:
        UNROLLED for (unsigned v = 0; v < vectors; v++) {
            const element *from = at + (ptrdiff_t)v * o->apart + 1 - VECTOR_ELEMENTS;
            span of = span_of(w, v);
            vector a = v >= cut ? vector_load_some(from, part_of(VECTOR_ELEMENTS - of.high,
                                                                 VECTOR_ELEMENTS - of.low))
                                : vector_load(from);
            ret[v] = vector_take(a, vector_places() ^ (whole)(VECTOR_ELEMENTS - lanes));
        }
        return;
    case ALONG_SPLITS:
    default: /* ANY_STRIDE */
        UNROLLED for (unsigned v = 0; v < vectors; v++) {
            span of = v >= cut ? span_of(w, v) : (span){0, VECTOR_ELEMENTS};
            ret[v] = vector_of(one);
            if (of.low < of.high)
                ret[v] = load_any(o, at + (ptrdiff_t)v * o->apart, lanes, of);
        }
        return;
    }
}

/* ---- A strip -------------------------------------------------------------------------------- */

enum { STRIP = 32 }; /* splits */
_Static_assert(STRIP % VECTOR_ELEMENTS == 0, "a strip is whole squares");

/* Brings the next `splits` of an operand that lies ALONG_SPLITS, which begin at `at`, into the
 * order of the columns: split s of vector v to strip[s * vectors + v]. Vectors beyond `most`
 * columns repeat the last one. */
__attribute__((noinline)) static void turn(vector *strip, const loose_operand *o, const element *at,
                                           unsigned vectors, unsigned most, unsigned splits) {
    for (unsigned v = 0; v < vectors; v++)
        for (unsigned s = 0; s < splits; s += VECTOR_ELEMENTS) {
            const _Bool cut = splits - s < VECTOR_ELEMENTS;
            const vector_part part = part_of(0, (ptrdiff_t)(splits - s));
            vector square[VECTOR_ELEMENTS];
            UNROLLED for (unsigned i = 0; i < VECTOR_ELEMENTS; i++) {
                unsigned x = v * VECTOR_ELEMENTS + i;
                x = x < most ? x : most - 1;
                const element *from = at + (ptrdiff_t)x * o->run + s;
                square[i] = cut ? vector_load_some(from, part) : vector_load(from);
            }
            vector_exchange(square);
            UNROLLED for (unsigned i = 0; i < VECTOR_ELEMENTS; i++) {
                strip[(s + i) * vectors + v] = square[i];
            }
        }
}

#endif
