/* against_interpreter.h - does the fast engine say what the definition says?
 *
 * The definition is a plan with TZ_PLAIN (engine/interpret.c). Several problems of one rule set are
 * bound side by side, where lanes of different lengths meet, with each instruction set that is
 * asked for; all that they answer is compared, and each is bound alone once more, which must give
 * the same bits.
 *
 * The same bits are asked for where sums are exact: where they pick terms, of inside values and of
 * derivations for any scores, of all else where scores are integers; of truths; of numbers of
 * derivations up to 2^53 (TZ_F32: 2^24). Elsewhere the difference is relative to max(1, |number|):
 * at most 1e-13, in float 1e-4; of tangents and entropies, which are differences of larger numbers,
 * 1e-10 and 1e-2. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_AGAINST_INTERPRETER_H
#define TZ_TESTS_SUPPORT_AGAINST_INTERPRETER_H

#include "answers.h"

/* One rule set under one semiring. */
typedef struct definition {
    const tz_rules *rules;
    const tz_semiring *semiring;
    tz_precision precision;
    const unsigned *flags; /* of the fast plans: instruction sets */
    size_t plans;
} definition;

typedef struct agreement {
    double worst[QUESTIONS]; /* largest differences so far where bits may differ */
    size_t numbers;          /* compared so far */
    char message[600];       /* what differs first */
} agreement;

/* Problems with facts may be refused, then by both alike. integers: scores are. */
bool compare_with_interpreter(const definition *of, const random_problem *problems, size_t lanes,
                              bool integers, agreement *agreement);

#endif
