/* questions.h - what is asked about every problem besides its value.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_IO_QUESTIONS_H
#define TZ_IO_QUESTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tz_questions {
    bool best, derivation;         /* after tz_inside */
    bool path;                     /* of every derivation, its uses in order too */
    bool marginals, max_marginals; /* after tz_outside */
    bool min_risk;                 /* after tz_outside, with a chart for decoding */
    size_t kbest, samples;         /* how many; after tz_inside */
    bool distinct;                 /* of the k best: each structure once; */
    double within;                 /* none that scores so much less than the best; INFINITY: any */
    bool without_replacement;      /* samples */
    uint64_t seed;                 /* of the samples */
    size_t items;                  /* of how many names of items: their values, and as marginals */
    const size_t *item;            /* and max_marginals of weights are wanted those of items */
} tz_questions;

#endif
