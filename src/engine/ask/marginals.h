/* marginals.h - how marginals are read: by rows, or by maps where all problems have the same
 * lengths or nested ones. Private.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ASK_MARGINALS_H
#define TZ_ENGINE_ASK_MARGINALS_H

#include "engine/chart/bind.h"

/* ---- Shapes, marginals.c ---------------------------------------------------------------------
 */

/* The shape of a lane's weight. */
tz_shape tz_lane_shape(const tz_chart *chart, size_t lane, unsigned weight);
/* SIZE_MAX if there are more. */
size_t tz_shape_cells(const tz_shape *shape);

/* Where the cells of a weight stand: base + the sum of index[q] * move[q]. */
typedef struct tz_places {
    ptrdiff_t base, move[TZ_MAX_RANK];
} tz_places;

/* In the spaces of weights; in an array of the shape, row-major where it has no strides. */
tz_places tz_places_of_cells(const tz_chart *chart, unsigned weight);
tz_places tz_places_in(const tz_shape *shape, const ptrdiff_t *opt_stride);
/* Where a row begins, and how it goes on. */
ptrdiff_t tz_row_place(const tz_places *places, const tz_rows *rows, ptrdiff_t *ret_step);

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

/* ---- Lanes at once --------------------------------------------------------------------------- */

/* tz_marginals_all, where those of lane l go to outputs[slot[l] * weights + w]. */
tz_status tz_marginals_at(tz_chart *chart, const tz_output *outputs, const size_t *opt_slot);
/* A number for every cell of the shape, or for every entry; answers.c. */
void tz_fill_output(const tz_chart *chart, size_t lane, unsigned weight, const tz_output *output,
                    double number);
/* tz_answer of lanes 0..count-1, which the others repeat; problem: [lanes], which they are.
 * answers.c */
tz_status tz_answer_all(const tz_answers *answers, const size_t *problem, size_t count,
                        tz_chart *chart);

#endif
