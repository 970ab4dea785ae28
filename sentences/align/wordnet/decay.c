/* decay.c - see decay.h. SPDX-License-Identifier: MIT */
#include "sentences/align/wordnet/decay.h"

#include <math.h>

/* Sums over x of p, p d and p d^2, where p = exp(-eta d): distances d count from the nearest one
 * on, which is returned, lest all vanish. */
static size_t sums(const uint32_t *count, size_t distances, double eta, double ret_sum[3]) {
    size_t nearest = 0;
    while (nearest < distances && count[nearest] == 0)
        nearest++;
    ret_sum[0] = ret_sum[1] = ret_sum[2] = 0;
    for (size_t d = nearest; d < distances; d++) {
        double away = (double)(d - nearest), p = count[d] > 0 ? count[d] * exp(-eta * away) : 0;
        ret_sum[0] += p;
        ret_sum[1] += p * away;
        ret_sum[2] += p * away * away;
    }
    return nearest;
}

double tz_decay_log_total(const uint32_t *count, size_t distances, double eta) {
    double sum[3];
    size_t nearest = sums(count, distances, eta, sum);
    return nearest < distances ? log(sum[0]) - eta * (double)nearest : -INFINITY;
}

/* The derivative of what is to be largest. */
static double slope(const uint32_t *count, size_t rows, size_t distances, const double *weight,
                    double distance, double eta, double *ret_curvature) {
    double mean = 0, sum[3];
    *ret_curvature = 0;
    for (size_t y = 0; y < rows; y++) {
        if (!(weight[y] > 0))
            continue;
        size_t nearest = sums(count + y * distances, distances, eta, sum);
        if (nearest == distances)
            continue;
        double away = sum[1] / sum[0];
        mean += weight[y] * ((double)nearest + away);
        *ret_curvature += weight[y] * (sum[2] / sum[0] - away * away);
    }
    return mean - distance;
}

/* Newton's steps, halving the interval where one leads out of it. */
double tz_decay_fit(const uint32_t *count, size_t rows, size_t distances, const double *weight,
                    double distance) {
    double low = 0, high = TZ_DECAY_MOST, curvature;
    if (!(slope(count, rows, distances, weight, distance, low, &curvature) > 0))
        return low;
    if (slope(count, rows, distances, weight, distance, high, &curvature) >= 0)
        return high;
    double eta = 1;
    for (int step = 0; step < 100 && high - low > 1e-14 * high; step++) {
        double rise = slope(count, rows, distances, weight, distance, eta, &curvature);
        if (rise == 0)
            return eta;
        if (rise > 0)
            low = eta;
        else
            high = eta;
        double next = eta + rise / curvature;
        if (!(next > low && next < high))
            next = (low + high) / 2;
        if (next == eta)
            return eta;
        eta = next;
    }
    return eta;
}
