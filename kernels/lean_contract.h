/* lean_contract.h - contract and prepare of a semiring with lean kernels: after lean.h and
 *
 *   static const lean *lean_of(const tz_semiring *self)
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_KERNELS_LEAN_CONTRACT_H
#define TZ_KERNELS_LEAN_CONTRACT_H

DECLARE_CONTRACTS(NAME);
DECLARE_PREPARES(NAME);

void CONTRACT(NAME, TZ_ISA)(const tz_semiring *self, const tz_block *block, size_t count) {
    for (; count > 0; count--, block++)
        lean_contract(lean_of(self), self, block);
}

size_t PREPARE(NAME, TZ_ISA)(const tz_semiring *self, const tz_block *block, tz_ready *list,
                             size_t count) {
    return lean_prepare(lean_of(self), self, block, list, count);
}

#endif
