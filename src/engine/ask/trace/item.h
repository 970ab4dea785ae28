/* item.h - an item's best derivation, found again from the values.
 *
 * The direct way: the semiring goes from item to item along their strips (kernels/strips.h). The
 * general way (scan.c) evaluates instance by instance: sparse weights, weights without a place,
 * instances in another order than that of ties, closures, semirings without `trace`.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_TRACE_ITEM_H
#define TZ_ENGINE_ASK_TRACE_ITEM_H

#include "engine/engine.h"

/* A derivation as it is traced: nodes in preorder, uses in the same order, those of dense weights
 * without scores (tz_score_uses fills them in). */
typedef struct tz_traced {
    tz_buffer *pending, *node, *use; /* memory for it; node NULL: nodes are not asked for */
    size_t nodes, uses;
} tz_traced;

/* Finds the best derivation of a kind's cell that is not zero; the lane has been prepared. TZ_NONE
 * where times does not keep the laws that `find` needs; TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_trace_item(tz_chart *chart, size_t problem, unsigned kind, const int32_t *index,
                        tz_traced *to);

#endif
