/* matrix.h - linear layers in single precision: out = bias + weight in.
 *
 * Every number of the result is one sum over the inputs, in their order; products are rounded
 * before they are added. So the bits are the same on every machine. A library of linear algebra
 * promises less. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_NEURAL_MATRIX_H
#define TZ_SENTENCES_NEURAL_MATRIX_H

#include <stddef.h>

enum { TZ_LANES = 8 };

/* `width` rounded up to whole vectors. */
static inline size_t tz_lanes(size_t width) {
    return (width + TZ_LANES - 1) / TZ_LANES * TZ_LANES;
}

typedef struct tz_layer {
    size_t in, out;
    float *weight; /* panels of TZ_LANES outputs: weight[(panel * in + input) * TZ_LANES + lane] */
    float *bias;   /* [tz_lanes(out)]; lanes without an output are 0 */
} tz_layer;

/* Maps x[rows][in] to y[rows][tz_lanes(out)]. */
void tz_layer_apply(const tz_layer *layer, const float *x, size_t rows, float *y);

/* The inner product of a and b; width is a multiple of TZ_LANES. */
float tz_inner_product(const float *a, const float *b, size_t width);

#endif
