/* pass.h - what inside, outside and the weight pass are made of. Private.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_PASS_H
#define TZ_ENGINE_PASS_PASS_H

#include "engine/engine.h"

/* ---- Passes, schedule.c and pass.c ------------------------------------------------------------
 */

tz_status tz_compute_pass(tz_chart *chart, tz_pass pass);
/* What the pass has left may be infinite: none of it is read by the next one. */
void tz_pass_spoiled(tz_chart *chart, tz_pass pass);
void tz_schedules_free(tz_chart *chart);

/* ---- Tiles, tiles.c and operands.c -------------------------------------------------------------
 * The general way through a step, for what a schedule cannot hold: sparse weights, weights without
 * a place, and lanes that cannot share a block. */

/* A rectangle of points of one step for some lanes: columns are the givens and outer loops; the
 * split and the run (where the step has them) go from their first value over so many. */
typedef struct tz_tile {
    const tz_bound_step *step;
    size_t lane, lanes;
    int64_t column[TZ_MAX_COLUMNS];
    int64_t split, run;
    size_t splits, width;
    size_t entry[TZ_MAX_SPARSE];                   /* which entry of each sparse weight */
    unsigned lows, highs;                          /* edges of the run that move with the split */
    tz_edge low[TZ_MAX_EDGES], high[TZ_MAX_EDGES]; /* counted from the first split and run */
    bool padded;                                   /* see tz_block */
} tz_tile;

/* The operands of a tile, gathered where they are weights without a place. */
typedef struct tz_operands {
    tz_block block;
    tz_operand inner[TZ_MAX_TERMS], outer[TZ_MAX_TERMS];
} tz_operands;

typedef tz_status (*tz_tile_sink)(tz_chart *chart, const tz_tile *tile, void *user);

/* With the columns of the outer loops set: splits first..last that have a run, and the run with its
 * edges; false if there is none. */
bool tz_tile_edges(const tz_nest *nest, unsigned lengths, const int32_t *length, int64_t first,
                   int64_t last, tz_tile *tile);
/* Leaves out columns at the ends that no split takes in; of a padded tile, only at the beginning,
 * so that it clears the row's end. */
void tz_tile_tighten(tz_tile *tile);
/* Cuts the instances of a step with the target's stage given into tiles. lane, lanes: which. */
tz_status tz_step_tiles(tz_chart *chart, const tz_bound_step *step, const int64_t *stage,
                        size_t lane, size_t lanes, tz_tile_sink sink, void *user);
/* Calls tz_step_tiles for all stages of the target's group. */
tz_status tz_step_all_tiles(tz_chart *chart, const tz_bound_step *step, size_t lane, size_t lanes,
                            tz_tile_sink sink, void *user);
/* Gathers; the tile must be small enough for the scratch memory, see tz_tile_width. */
tz_status tz_tile_operands(tz_chart *chart, const tz_tile *tile, tz_operands *ret);
/* How much of the run can be gathered at once. */
size_t tz_tile_width(const tz_chart *chart, const tz_tile *tile);
/* Computes one tile. */
tz_status tz_contract_tile(tz_chart *chart, const tz_tile *tile, void *user);

/* *sum += *product * *factor, as blocks add their products; *product is lost. */
void tz_plus_times(const tz_semiring *semiring, void *sum, void *product, const void *factor);

/* The plain loop over elements: the reference for every contract. pair: room for two
 * elements. */
void tz_plain_contract(const tz_algebra *algebra, const tz_block *block, void *pair);

/* Computes blocks of the chart's elements, one after the other. */
void tz_contract(tz_chart *chart, const tz_block *block, size_t count);

/* Do the block's edges let split s take part in the sum of x? */
bool tz_takes_part(const tz_block *block, ptrdiff_t split, ptrdiff_t x);

#endif
