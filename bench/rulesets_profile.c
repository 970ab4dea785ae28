/* rulesets_profile.c - profiles for rules/gallery/plan7.rules: probabilities about as HMMER has
 * them. With others as they come, best derivations would pass over all positions after each symbol.
 * SPDX-License-Identifier: MIT */
#include "bench/rulesets.h"

#include <math.h>

enum { MATCH, ENTER, MM, MI, MD, IM, II, DM, DD, LOOP, MOVE, EJ, EC, WEIGHTS };

/* Scores are `middle`, and so many times more as they are random. */
static void set_scores(const tz_rules *rules, const int32_t *length, int weight, tz_scores *scores,
                       double middle, double times) {
    tz_shape shape;
    size_t cells = 1;
    if (tz_rules_shape(rules, (size_t)weight, length, &shape) != TZ_OK)
        rulesets_fail("a weight without shape");
    for (unsigned q = 0; q < shape.rank; q++)
        cells *= (size_t)shape.extent[q];
    for (size_t c = 0; c < cells; c++)
        if (scores->type == TZ_FLOAT) {
            float *score = (float *)scores->data + c;
            *score = (float)(middle + times * (double)*score);
        } else {
            double *score = (double *)scores->data + c;
            *score = middle + times * *score;
        }
}

void rulesets_profiles(tz_workload *work) {
    for (size_t p = 0; p < work->problems; p++) {
        const int32_t *length = work->problem[p].lengths;
        const double n = length[0], K = length[1];
        const double chance[WEIGHTS] = {[MATCH] = 1,         [ENTER] = 2 / (K * (K + 1)),
                                        [MM] = .98,          [MI] = .01,
                                        [MD] = .01,          [IM] = .6,
                                        [II] = .4,           [DM] = .6,
                                        [DD] = .4,           [LOOP] = n / (n + 3),
                                        [EJ] = .5,           [EC] = .5,
                                        [MOVE] = 3 / (n + 3)};
        for (int w = 0; w < WEIGHTS; w++)
            set_scores(work->rules, length, w, &work->scores[p * WEIGHTS + (size_t)w],
                       log(chance[w]),
                       w == MATCH ? .4
                       : w < LOOP ? .02
                                  : 0);
    }
}
