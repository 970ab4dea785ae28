/* marginals.h - how marginals are read: by rows, or by maps where all problems have the same
 * lengths or nested ones. Private.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_MARGINALS_H
#define TZ_ENGINE_ASK_MARGINALS_H

#include "engine/engine.h"

/* ---- Maps, marginal_map.c -------------------------------------------------------------------- */

/* Of which elements the marginal of each position of a weight's shape is the product, row-major.
 * Numbers of cells, int32_t [factors][pitch], stand in chart->marginals.cell, and a table for each
 * lane in chart->marginals.table, from `first` and from table * lanes on. */
typedef struct tz_marginal_map {
    size_t pitch, first, table;
    unsigned factors; /* 0: there is no map */
    bool summed;      /* the only one is what TZ_PASS_WEIGHTS has made */
    tz_space space[TZ_MAX_FACTORS];
    uint64_t made; /* chart->epoch of its table */
} tz_marginal_map;

/* The map of a weight for the lanes as they are; *ret is NULL where there is none. TZ_NO_MEMORY. */
tz_status tz_marginal_map_find(tz_chart *chart, unsigned weight, tz_marginal_map **ret);
/* The lane's marginals; TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_marginal_map_write(tz_chart *chart, tz_marginal_map *map, unsigned weight, size_t lane,
                                const tz_output *output);
/* Those of all lanes; output: [lanes], data NULL: not wanted. */
tz_status tz_marginal_map_write_all(tz_chart *chart, tz_marginal_map *map, unsigned weight,
                                    const tz_output *const *output);

/* ---- Weights without a place, gather.c --------------------------------------------------------
 */

/* Fills chart->marginals.gathered with one element per cell of a weight's shape (sparse: per
 * entry), the sum over its uses; tangents: with as many of these after them. */
tz_status tz_gather_weight(tz_chart *chart, size_t problem, unsigned weight, const tz_shape *shape,
                           bool tangents, size_t *ret_cells);

/* ---- Lanes at once --------------------------------------------------------------------------- */

/* tz_marginals_all, where those of lane l go to outputs[slot[l] * weights + w]. */
tz_status tz_marginals_at(tz_chart *chart, const tz_output *outputs, const size_t *opt_slot);
/* tz_answer of lanes 0..count-1, which the others repeat; problem: [lanes], which they are.
 * answers.c */
tz_status tz_answer_all(const tz_answers *answers, const size_t *problem, size_t count,
                        tz_chart *chart);

#endif
