/* tile.h - the general way through a step, for what a schedule cannot hold: sparse weights, weights
 * without a place, and lanes that cannot share a block. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_PASS_TILE_H
#define TZ_ENGINE_PASS_TILE_H

#include "engine/engine.h"

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
    tz_operand inner[TZ_MAX_TERMS], outer[TZ_MAX_TERMS + 1]; /* one more: see entry_blocks.c */
} tz_operands;

/* A sparse term of a step, and what its uses are added to. */
typedef struct tz_entry_use {
    unsigned term;
    tz_space values; /* of the target, that products are multiplied with */
    char *cell;      /* of entries, by tz_entry_number */
} tz_entry_use;

struct tz_task;

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
/* The same where entries stand apart: the sink is given the tiles of all entries, with 0 for their
 * indices, for all lanes at once where these have the same entries. */
tz_status tz_step_frames(tz_chart *chart, const tz_bound_step *step, const int64_t *stage,
                         size_t lane, size_t lanes, tz_tile_sink sink, void *user);
/* Calls tz_step_tiles or tz_step_frames for all stages of the target's group. */
tz_status tz_step_all_tiles(tz_chart *chart, const tz_bound_step *step, size_t lane, size_t lanes,
                            bool frames, tz_tile_sink sink, void *user);
/* Gathers the operands of a tile, which must be small enough for the scratch memory, see
 * tz_tile_width. */
tz_status tz_tile_operands(tz_chart *chart, const tz_tile *tile, tz_operands *ret);
/* How much of the run can be gathered at once. */
size_t tz_tile_width(const tz_chart *chart, const tz_tile *tile);
/* Computes one tile. */
tz_status tz_contract_tile(tz_chart *chart, const tz_tile *tile, void *user);
/* Computes tasks one after the other, all of steps whose entries stand apart, for all lanes; the
 * next time from what was recorded of them, where the index arrays are the same. */
tz_status tz_contract_entries(tz_chart *chart, const struct tz_task *task, size_t tasks);
/* Adds the outside values of the uses of a term of such a step, at all stages, to the entries'
 * cells; recorded likewise. */
tz_status tz_gather_entries(tz_chart *chart, const tz_bound_step *step, size_t lane, size_t lanes,
                            const tz_entry_use *use);
/* Are the loops of the step the same for all entries of its sparse weights, and does all that it
 * reads stand at fixed strides? */
bool tz_entries_apart(const tz_chart *chart, const tz_bound_step *step);

#endif
