/* jumps.c - see jumps.h. SPDX-License-Identifier: MIT */
#include "sentences/align/model/jumps.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const double fake = 0.01;

const char *tz_jump_name(tz_jump_kind kind) {
    static const char *const names[TZ_JUMP_KINDS] = {"relative", "gaussian", "powers", "syntax"};
    return kind < TZ_JUMP_KINDS ? names[kind] : NULL;
}

size_t tz_jumps_count(const tz_jumps *jumps) {
    return (size_t)(jumps->high - jumps->low) + 1;
}

void tz_jumps_free(tz_jumps *jumps) {
    free(jumps->log_p);
    tz_labels_free(&jumps->labels);
    *jumps = (tz_jumps){0};
}

static tz_status start_even(tz_jumps *jumps) {
    size_t count = tz_jumps_count(jumps);
    jumps->log_p = calloc(count, sizeof *jumps->log_p);
    if (!jumps->log_p)
        return TZ_NO_MEMORY;
    for (size_t d = 0; d < count; d++)
        jumps->log_p[d] = -log((double)count);
    jumps->beyond = -log((double)count);
    return TZ_OK;
}

tz_status tz_jumps_start(tz_jumps *jumps, tz_jump_kind kind, size_t longest) {
    if (longest >= TZ_MAX_LENGTH)
        return TZ_TOO_LARGE;
    *jumps = (tz_jumps){.kind = kind, .low = -(int32_t)longest, .high = (int32_t)longest + 1};
    if (kind == TZ_JUMP_POWERS) {
        int32_t power = TZ_JUMP_NEAR, most = 1 << TZ_JUMP_POWERS_MOST;
        if (longest > (size_t)most)
            return TZ_TOO_LARGE;
        while (power < jumps->high && power < most)
            power *= 2;
        jumps->low = -power;
        jumps->high = power;
    }
    return start_even(jumps);
}

tz_status tz_jumps_start_syntax(tz_jumps *jumps, tz_labels *labels) {
    *jumps =
        (tz_jumps){.kind = TZ_JUMP_SYNTAX, .high = (int32_t)tz_cover_parameters(labels->count) - 1};
    tz_status status = start_even(jumps);
    if (status != TZ_OK)
        return status;
    for (size_t k = 0; k < tz_jumps_count(jumps); k++)
        jumps->log_p[k] = log(0.5);
    jumps->beyond = log(0.5);
    jumps->labels = *labels;
    *labels = (tz_labels){0};
    return TZ_OK;
}

double tz_jumps_log_p(const tz_jumps *jumps, int32_t distance) {
    return distance < jumps->low || distance > jumps->high ? jumps->beyond
                                                           : jumps->log_p[distance - jumps->low];
}

double tz_jumps_log_prior(const tz_jumps *jumps) {
    double sum = 0, even = -log((double)tz_jumps_count(jumps));
    for (size_t d = 0; d < tz_jumps_count(jumps); d++)
        sum += fake * (jumps->log_p[d] - even);
    return sum;
}

/* ---- Powers ---------------------------------------------------------------------------------- */

/* Each distance of first..last gets the mean of their counts. */
static void share(const tz_jumps *jumps, double *counts, int32_t first, int32_t last) {
    double sum = 0;
    for (int32_t d = first; d <= last; d++)
        sum += counts[d - jumps->low];
    for (int32_t d = first; d <= last; d++)
        counts[d - jumps->low] = sum / (double)(last - first + 1);
}

static void share_powers(const tz_jumps *jumps, double *counts) {
    for (int32_t power = TZ_JUMP_NEAR; power < jumps->high; power *= 2) {
        share(jumps, counts, power + 1, 2 * power);
        share(jumps, counts, -2 * power, -power - 1);
    }
}

/* ---- Gaussian --------------------------------------------------------------------------------
 *
 * With z = (d - centre) / scale the distribution is exp(a z + b z^2) / sum, and its log likelihood
 * by counts, a E[z] + b E[z^2] - log sum, is concave in a and b. */

typedef struct curve {
    double centre, scale;
    double a, b;
    double log_sum;
    double first[2], second[2][2]; /* means of z and z^2, and their covariance */
} curve;

static double place(const curve *c, const tz_jumps *jumps, size_t d) {
    return ((double)jumps->low + (double)d - c->centre) / c->scale;
}

static void sum_up(curve *c, const tz_jumps *jumps) {
    size_t count = tz_jumps_count(jumps);
    double most = -INFINITY, sum = 0, moment[5] = {0};
    for (size_t d = 0; d < count; d++) {
        double z = place(c, jumps, d);
        most = fmax(most, c->a * z + c->b * z * z);
    }
    for (size_t d = 0; d < count; d++) {
        double z = place(c, jumps, d), p = exp(c->a * z + c->b * z * z - most);
        sum += p;
        for (int k = 1; k < 5; k++)
            moment[k] += p *= z;
    }
    for (int k = 1; k < 5; k++)
        moment[k] /= sum;
    c->log_sum = most + log(sum);
    for (int k = 0; k < 2; k++) {
        c->first[k] = moment[k + 1];
        for (int l = 0; l < 2; l++)
            c->second[k][l] = moment[k + l + 2] - moment[k + 1] * moment[l + 1];
    }
}

/* Newton's step towards mean 0 and mean square 1, halved until it does not lead down. */
static bool step(curve *c, const tz_jumps *jumps) {
    double gap[2] = {-c->first[0], 1 - c->first[1]};
    double determinant = c->second[0][0] * c->second[1][1] - c->second[0][1] * c->second[1][0];
    if (!(determinant > 0))
        return false;
    double a = (c->second[1][1] * gap[0] - c->second[0][1] * gap[1]) / determinant;
    double b = (c->second[0][0] * gap[1] - c->second[1][0] * gap[0]) / determinant;
    for (double length = 1; length > 1e-9; length /= 2) {
        curve next = *c;
        next.a += length * a;
        next.b += length * b;
        sum_up(&next, jumps);
        if (next.b - next.log_sum >= c->b - c->log_sum) {
            *c = next;
            return fabs(a) + fabs(b) > 1e-13;
        }
    }
    return false;
}

static void fit_gaussian(tz_jumps *jumps, const double *counts, double all) {
    enum { MOST_STEPS = 100 };
    size_t count = tz_jumps_count(jumps);
    double mean = 0, variance = 0;
    for (size_t d = 0; d < count; d++)
        mean += counts[d] / all * ((double)jumps->low + (double)d);
    for (size_t d = 0; d < count; d++) {
        double gap = (double)jumps->low + (double)d - mean;
        variance += counts[d] / all * gap * gap;
    }
    curve c = {.centre = mean, .scale = sqrt(variance), .b = -0.5};
    sum_up(&c, jumps);
    for (int s = 0; s < MOST_STEPS && step(&c, jumps); s++)
        continue;
    for (size_t d = 0; d < count; d++) {
        double z = place(&c, jumps, d);
        jumps->log_p[d] = c.a * z + c.b * z * z - c.log_sum;
    }
    jumps->mean = c.centre - c.scale * c.a / (2 * c.b);
    jumps->variance = -c.scale * c.scale / (2 * c.b);
    jumps->beyond = fmin(jumps->log_p[0], jumps->log_p[count - 1]);
}

/* ---------------------------------------------------------------------------------------------- */

/* Parameters of syntax are probabilities of the one choice and the other, in pairs. */
static void fit_choices(tz_jumps *jumps, const double *counts) {
    for (size_t k = 0; k < tz_jumps_count(jumps); k += 2) {
        jumps->log_p[k] = log(counts[k] / (counts[k] + counts[k + 1]));
        jumps->log_p[k + 1] = log(counts[k + 1] / (counts[k] + counts[k + 1]));
    }
}

void tz_jumps_fit(tz_jumps *jumps, double *counts) {
    size_t count = tz_jumps_count(jumps);
    double all = 0;
    for (size_t d = 0; d < count; d++)
        all += counts[d] += fake;
    if (jumps->kind == TZ_JUMP_SYNTAX) {
        fit_choices(jumps, counts);
        return;
    }
    if (jumps->kind == TZ_JUMP_GAUSSIAN) {
        fit_gaussian(jumps, counts, all);
        return;
    }
    if (jumps->kind == TZ_JUMP_POWERS)
        share_powers(jumps, counts);
    for (size_t d = 0; d < count; d++)
        jumps->log_p[d] = log(counts[d] / all);
    jumps->beyond = log(fake / all);
}

/* ---- Scores ---------------------------------------------------------------------------------- */

void tz_jumps_score(const tz_jumps *jumps, size_t n, double add, double *ret) {
    int32_t longest = (int32_t)n;
    for (int32_t d = -longest; d <= longest + 1; d++)
        ret[d + longest] = add + tz_jumps_log_p(jumps, d);
}

double tz_jumps_take(const tz_jumps *jumps, size_t n, const double *uses, double *counts) {
    double sum = 0;
    for (size_t u = 0; u < 2 * n + 2; u++) {
        int32_t d = (int32_t)u - (int32_t)n;
        if (jumps->low <= d && d <= jumps->high)
            counts[d - jumps->low] += uses[u];
        sum += uses[u];
    }
    return sum;
}

void tz_jumps_score_far(const tz_jumps *jumps, double add, double ret[2 * TZ_JUMP_NEAR + 1],
                        double ret_ahead[TZ_JUMP_FAR], double ret_back[TZ_JUMP_FAR]) {
    for (int32_t d = -TZ_JUMP_NEAR; d <= TZ_JUMP_NEAR; d++)
        ret[d + TZ_JUMP_NEAR] = add + tz_jumps_log_p(jumps, d);
    for (int32_t k = 0; k < TZ_JUMP_FAR; k++) {
        int32_t distance = 1 << (k + TZ_JUMP_FIRST_POWER);
        ret_ahead[k] = add + tz_jumps_log_p(jumps, distance);
        ret_back[k] = add + tz_jumps_log_p(jumps, -distance);
    }
}

/* What a power's distances share may be added to any of them. */
double tz_jumps_take_far(const tz_jumps *jumps, const double uses[2 * TZ_JUMP_NEAR + 1],
                         const double ahead[TZ_JUMP_FAR], const double back[TZ_JUMP_FAR],
                         double *counts) {
    double sum = 0;
    double *centre = counts - jumps->low;
    for (int32_t d = -TZ_JUMP_NEAR; d <= TZ_JUMP_NEAR; d++) {
        centre[d] += uses[d + TZ_JUMP_NEAR];
        sum += uses[d + TZ_JUMP_NEAR];
    }
    for (int32_t k = 0; k < TZ_JUMP_FAR; k++) {
        int32_t distance = 1 << (k + TZ_JUMP_FIRST_POWER);
        if (distance > jumps->high) /* no document is so long */
            continue;
        centre[distance] += ahead[k];
        centre[-distance] += back[k];
        sum += ahead[k] + back[k];
    }
    return sum;
}
