/* hand.h - Eisner's algorithm specialised by hand, with vectors: how fast the library could be.
 *
 * Written for one rule set (rules/eisner.rules) and two algebras, with nothing interpreted: max in
 * float, and the sum of exp(score) in double, in the linear domain. Two forms: one sentence, with
 * vectors along the diagonals of the chart; a batch, with as many sentences side by side as a
 * vector has elements. Against the library it has it easy: its caller knows a scale that suffices
 * (below), its bits differ between machines, it sums in any order and has no fallback.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_BENCH_HAND_H
#define TZ_BENCH_HAND_H

#include <stdbool.h>
#include <stddef.h>

#include <trapeze/trapeze.h>

typedef enum hand_algebra { HAND_MAX, HAND_LOG, HAND_ALGEBRAS } hand_algebra;

/* Memory for sentences of n words; belongs to one thread at a time. */
typedef struct hand hand;

/* NULL where memory is out, or the machine lacks the instruction set. */
hand *hand_new(hand_algebra algebra, bool batch, tz_isa isa, int n);
void hand_free(hand *hand);
/* The sentences that are evaluated at once: 1, or those of a batch. */
size_t hand_lanes(const hand *hand);

/* The scores of hand_lanes sentences, arc[lane][h * (n + 1) + m]: float for max, double for log.
 * All cells must hold a number that could be a score. They are copied. scale[lane], for log: about
 * log Z / n, so that no sum leaves the range of double. false: there is a NaN, +infinity or |score|
 * > 1e30 (log: 1e290). */
bool hand_bind(hand *hand, const void *const *arc, const double *scale);
/* The best score or log Z of every lane. */
void hand_inside(hand *hand, double *ret_value);
/* After hand_inside, for log: marginals[lane][h * (n + 1) + m], 0 outside the domain. */
void hand_outside(hand *hand);
void hand_marginals(const hand *hand, double *const *ret_marginals);

#endif
