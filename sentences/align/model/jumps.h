/* jumps.h - probabilities of jumps: for each distance from the end of one document phrase to the
 * beginning of the next (1: the next word; the end of the document counts as a word).
 *
 *   relative   one number for each distance
 *   gaussian   exp(-(d - mean)^2 / (2 variance)), divided by its sum over the distances
 *   powers     one number for each of |d| <= 8; beyond that one for 2^(k-1) < d <= 2^k, and one for
 *              -d, which the distances share evenly
 *   syntax by the nodes jumped over instead of the distance: the choices of cover.h
 *
 * Every distance, or choice, has a fake count of 0.01; the sum is over all distances that training
 * may meet.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_MODEL_JUMPS_H
#define TZ_SENTENCES_ALIGN_MODEL_JUMPS_H

#include <stddef.h>
#include <stdint.h>

#include "sentences/align/model/cover.h"

typedef enum tz_jump_kind {
    TZ_JUMP_RELATIVE,
    TZ_JUMP_GAUSSIAN,
    TZ_JUMP_POWERS,
    TZ_JUMP_SYNTAX,
    TZ_JUMP_KINDS
} tz_jump_kind;

enum {
    TZ_JUMP_NEAR = 8,         /* of powers: |d| up to which distances have numbers of their own */
    TZ_JUMP_FIRST_POWER = 4,  /* the first k beyond these */
    TZ_JUMP_POWERS_MOST = 12, /* the last k: a document has at most 2^k words */
    TZ_JUMP_FAR = TZ_JUMP_POWERS_MOST - TZ_JUMP_FIRST_POWER + 1
};

typedef struct tz_jumps {
    tz_jump_kind kind;
    int32_t low, high;     /* the distances; 0 and the last parameter of syntax */
    double *log_p;         /* [high - low + 1] */
    double beyond;         /* log probability of a distance that is not among these */
    double mean, variance; /* of the fitted Gaussian; the variance may be below 0: far jumps are
                              more frequent than near ones */
    tz_labels labels;      /* under syntax */
} tz_jumps;

/* "relative", ...; NULL for TZ_JUMP_KINDS. */
const char *tz_jump_name(tz_jump_kind kind);

/* Starts with all distances equally likely, for documents of at most `longest` words (at most 2^12
 * under powers). TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_jumps_start(tz_jumps *jumps, tz_jump_kind kind, size_t longest);
/* The same for syntax: all choices equally likely. The labels become the jumps', unless it fails.
 * TZ_NO_MEMORY. */
tz_status tz_jumps_start_syntax(tz_jumps *jumps, tz_labels *labels);
void tz_jumps_free(tz_jumps *jumps);
size_t tz_jumps_count(const tz_jumps *jumps);
/* The log probability of a distance; under syntax, of the choice with that number. */
double tz_jumps_log_p(const tz_jumps *jumps, int32_t distance);

/* Fits the jumps to their expected counts [tz_jumps_count], which are overwritten: maximises the
 * log prior plus the expected log probability. */
void tz_jumps_fit(tz_jumps *jumps, double *counts);
/* The sum of fake counts times log probabilities, minus the same for uniform probabilities. */
double tz_jumps_log_prior(const tz_jumps *jumps);

/* Scores of the distances -n..n+1 in a document of n words: `add` plus the log probability, in
 * ret[2 n + 2]. */
void tz_jumps_score(const tz_jumps *jumps, size_t n, double add, double *ret);
/* The same under powers, for `align-far`: scores of -8..8, and of one distance for each power. */
void tz_jumps_score_far(const tz_jumps *jumps, double add, double ret[2 * TZ_JUMP_NEAR + 1],
                        double ret_ahead[TZ_JUMP_FAR], double ret_back[TZ_JUMP_FAR]);
/* Add the expected numbers of uses of these scores to `counts`; return their sum. */
double tz_jumps_take(const tz_jumps *jumps, size_t n, const double *uses, double *counts);
double tz_jumps_take_far(const tz_jumps *jumps, const double uses[2 * TZ_JUMP_NEAR + 1],
                         const double ahead[TZ_JUMP_FAR], const double back[TZ_JUMP_FAR],
                         double *counts);

#endif
