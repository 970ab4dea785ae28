/* decay.h - a distribution in which a thing at distance d has a probability proportional to
 * exp(-eta d).
 *
 * p(x | y) = exp(-eta d(x,y)) / Z_y, with whole distances d: Z_y depends only on how many x there
 * are at each distance from y. SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_WORDNET_DECAY_H
#define TZ_SENTENCES_ALIGN_WORDNET_DECAY_H

#include <stddef.h>
#include <stdint.h>

/* The largest eta; the least is 0. With it, a thing further away by 8 is as good as impossible:
 * exp(-160). */
#define TZ_DECAY_MOST 20.0

/* log Z_y, where count[d] of the x are at distance d; -INFINITY where there are none. */
double tz_decay_log_total(const uint32_t *count, size_t distances, double eta);

/* The eta in [0, TZ_DECAY_MOST] that maximises the expected log likelihood of pairs (x, y):
 *
 *   -eta * distance - sum over y of weight[y] log Z_y
 *
 * weight[y] >= 0: weight of y's pairs; distance: weighted sum over all pairs; count[y * distances +
 * d]. The function is concave; where its maximum lies outside, the nearest end is returned. Cost:
 * rows * distances, some 20 times. */
double tz_decay_fit(const uint32_t *count, size_t rows, size_t distances, const double *weight,
                    double distance);

#endif
