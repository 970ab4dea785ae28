/* matrix.c - see matrix.h. SPDX-License-Identifier: MIT */
#include "sentences/neural/matrix.h"

#include <string.h>

/* What every machine has; a panel is two of them. */
typedef float lanes __attribute__((vector_size(16)));

enum { WIDE = sizeof(lanes) / sizeof(float), PARTS = TZ_LANES / WIDE };
enum { ROWS = 4 }; /* at once: each panel is read once for them */

static inline lanes read_lanes(const float *from) {
    lanes value;
    memcpy(&value, from, sizeof value);
    return value;
}

/* One panel of the weights, and `rows` rows: a constant wherever this is called. */
static inline void apply_panel(const float *weight, const float *bias, const float *x, size_t in,
                               size_t rows, float *y, size_t stride) {
    lanes sum[ROWS][PARTS];
    for (size_t r = 0; r < rows; r++)
        for (size_t p = 0; p < PARTS; p++)
            sum[r][p] = read_lanes(bias + p * WIDE);
    for (size_t k = 0; k < in; k++)
        for (size_t r = 0; r < rows; r++)
            for (size_t p = 0; p < PARTS; p++)
                sum[r][p] += x[r * in + k] * read_lanes(weight + k * TZ_LANES + p * WIDE);
    for (size_t r = 0; r < rows; r++)
        memcpy(y + r * stride, sum[r], sizeof sum[r]);
}

void tz_layer_apply(const tz_layer *layer, const float *x, size_t rows, float *y) {
    size_t in = layer->in, stride = tz_lanes(layer->out);
    for (size_t o = 0; o < stride; o += TZ_LANES) {
        const float *weight = layer->weight + o * in;
        const float *bias = layer->bias + o;
        size_t r = 0;
        for (; r + ROWS <= rows; r += ROWS)
            apply_panel(weight, bias, x + r * in, in, ROWS, y + r * stride + o, stride);
        for (; r < rows; r++)
            apply_panel(weight, bias, x + r * in, in, 1, y + r * stride + o, stride);
    }
}

float tz_inner_product(const float *a, const float *b, size_t width) {
    lanes sum[PARTS] = {0};
    float total = 0;
    for (size_t k = 0; k < width; k += TZ_LANES)
        for (size_t p = 0; p < PARTS; p++)
            sum[p] += read_lanes(a + k + p * WIDE) * read_lanes(b + k + p * WIDE);
    for (size_t p = 0; p < PARTS; p++)
        for (size_t l = 0; l < WIDE; l++)
            total += sum[p][l];
    return total;
}
