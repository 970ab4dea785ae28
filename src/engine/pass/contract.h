/* contract.h - computes blocks. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_CONTRACT_H
#define TZ_ENGINE_PASS_CONTRACT_H

#include "engine/engine.h"

/* *sum += *product * *factor, as blocks add their products; *product is lost. */
void tz_plus_times(const tz_semiring *semiring, void *sum, void *product, const void *factor);

/* The plain loop over elements: the reference for every contract. room: for TZ_CHAINS + 2
 * elements. */
void tz_plain_contract(const tz_algebra *algebra, const tz_block *block, void *room);

/* For a block with one operand and one split: writes one where the operand is not zero. */
void tz_presence(tz_chart *chart, const tz_block *block);
/* Computes blocks of the chart's elements, one after the other. */
void tz_contract(tz_chart *chart, const tz_block *block, size_t count);
/* Computes one block at several places. */
void tz_contract_placed(tz_chart *chart, const tz_block *block);

/* Do the block's edges let split s take part in the sum of x? */
bool tz_takes_part(const tz_block *block, ptrdiff_t split, ptrdiff_t x);

#endif
