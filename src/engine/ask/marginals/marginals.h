/* marginals.h - marginals of the weights that rules multiply by. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_MARGINALS_MARGINALS_H
#define TZ_ENGINE_ASK_MARGINALS_MARGINALS_H

#include "engine/engine.h"

/* The numbers that tz_marginals, tz_through and tz_marginal_tangents give. */
typedef enum tz_number { TZ_NUMBER_SHARE, TZ_NUMBER_VALUE, TZ_NUMBER_TANGENT } tz_number;

/* Writes this number for each cell of a weight. opt_elements, with TZ_NUMBER_VALUE: where the wide
 * elements of a row-major output go; those of cells without a derivation are left as they are. */
tz_status tz_weight_numbers(tz_chart *chart, size_t problem, size_t weight, tz_number number,
                            const tz_output *output, void *opt_elements);
/* Writes the marginals of a weight for all lanes; output: [lanes], data NULL: not wanted. */
tz_status tz_weight_marginals_all(tz_chart *chart, unsigned weight, const tz_output *const *output);
void tz_marginals_free(tz_marginal_memory *m);

#endif
