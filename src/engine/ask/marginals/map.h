/* map.h - reads marginals by maps, where all problems have the same or nested lengths.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_MARGINALS_MAP_H
#define TZ_ENGINE_ASK_MARGINALS_MAP_H

#include "engine/engine.h"

/* For each position of a weight's shape, row-major, the elements whose product is the marginal.
 * Numbers of cells, int32_t [factors][pitch], stand in chart->marginals.cell, and a table for each
 * lane in chart->marginals.table, from `first` and from table * lanes on. */
typedef struct tz_marginal_map {
    size_t pitch, first, table;
    unsigned factors; /* 0: there is no map */
    bool summed;      /* the only factor is what TZ_PASS_WEIGHTS has made */
    tz_space space[TZ_MAX_FACTORS];
    uint64_t made; /* chart->epoch of its table */
} tz_marginal_map;

/* The map of a weight for the lanes as they are; *ret is NULL where there is none. TZ_NO_MEMORY. */
tz_status tz_marginal_map_find(tz_chart *chart, unsigned weight, tz_marginal_map **ret);
/* Writes the lane's marginals; TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_marginal_map_write(tz_chart *chart, tz_marginal_map *map, unsigned weight, size_t lane,
                                const tz_output *output);
/* Writes those of all lanes; output: [lanes], data NULL: not wanted. */
tz_status tz_marginal_map_write_all(tz_chart *chart, tz_marginal_map *map, unsigned weight,
                                    const tz_output *const *output);

#endif
