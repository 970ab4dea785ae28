/* item.h - an item's best derivation, found again from the values.
 *
 * The direct way: the instances of a step lie along one loop (or two) over the split, where each
 * operand stands at fixed strides, so the semiring looks through them at once. What that takes is
 * worked out when the plan is made (plan/trace_plan.c) and when lengths are bound (cells.c). The
 * general way (scan.c) evaluates instance by instance: sparse weights, weights without a place,
 * more loops, index expressions of several variables, semirings without `find`.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_TRACE_ITEM_H
#define TZ_ENGINE_ASK_TRACE_ITEM_H

#include "engine/engine.h"

/* A derivation as it is traced: nodes in preorder, uses in the same order, those of dense weights
 * without scores (tz_sort_uses fills them in). */
typedef struct tz_traced {
    tz_buffer *pending, *node, *use; /* memory for it */
    size_t nodes, uses;
} tz_traced;

/* The best derivation of a kind's cell that is not zero; the lane has been prepared. TZ_NONE where
 * times does not keep what `find` asks of it; TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_trace_item(tz_chart *chart, size_t problem, unsigned kind, const int32_t *index,
                        tz_traced *to);

#endif
