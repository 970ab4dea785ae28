/* engine.h - plans and charts from the inside.
 *
 * A plan is rules x semiring with every index expression composed down to the columns of the loops.
 * A chart holds the values of one group of problems, its lanes: element (item, lane) stands at
 * (offset of the item) * lanes + lane. SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ENGINE_H
#define TZ_ENGINE_ENGINE_H

#include "rules/form.h"

enum { TZ_MAX_ALIGN = 64 };

/* A term with its expressions over the columns of a nest. */
typedef struct tz_bound_term {
    tz_what what;
    uint16_t which;
    uint8_t rank;
    uint32_t address;                /* items: index into tz_chart.address */
    bool inner;                      /* it depends on the split */
    bool still;                      /* it does not depend on the run */
    const tz_form *index;            /* [rank] */
    const tz_form *coordinate;       /* [rank], items only */
    const tz_constraint *constraint; /* weights: the domain */
    uint32_t constraints;
} tz_bound_term;

typedef struct tz_bound_step {
    const tz_step *step;
    const tz_nest *nest;
    tz_bound_term target;
    tz_bound_term *term;
    uint16_t terms, weights; /* weights: how many of them are dense weights */
} tz_bound_step;

struct tz_plan {
    const tz_rules *rules;
    const tz_semiring *semiring;
    /* The semiring with its defaults filled in; functions get `semiring` as self. */
    size_t size, align;
    const void *zero, *one;
    double limit;
    void (*lift)(const tz_semiring *, void *, size_t, const double *, size_t);
    double (*value)(const tz_semiring *, const void *);
    void (*contract)(const tz_semiring *, const tz_block *);
    tz_isa isa;                              /* of contract */
    tz_bound_step *inside, *outside, *trace; /* one per step, outside step, step */
    size_t addresses;
    struct tz_arena *arena;
};

/* The box that a kind's values fill; strides and sizes are in items. */
typedef struct tz_box {
    int64_t low[TZ_MAX_RANK], high[TZ_MAX_RANK];
    ptrdiff_t stride[TZ_MAX_RANK];
    size_t offset, size;
    bool empty;
} tz_box;

/* An item's offset as a function of lengths and columns: base + ... */
typedef struct tz_address {
    ptrdiff_t base, length[TZ_MAX_LENGTHS], column[TZ_MAX_COLUMNS];
} tz_address;

typedef struct tz_buffer {
    void *data;
    size_t size; /* bytes */
} tz_buffer;

/* What is bound for one weight of one lane. */
typedef struct tz_lane_scores {
    tz_scores scores;
    int32_t origin[TZ_MAX_RANK];
    int32_t extent[TZ_MAX_RANK];
} tz_lane_scores;

struct tz_chart {
    const tz_plan *plan;
    size_t lanes;
    bool uniform; /* all lanes have the same lengths */
    enum { TZ_EMPTY, TZ_BOUND, TZ_INSIDE_DONE, TZ_OUTSIDE_DONE } state;
    int32_t *length;        /* [lanes][lengths of the rules] */
    tz_lane_scores *scores; /* [lanes][weights of the rules] */
    tz_box *box;            /* [kinds] */
    tz_address *address;    /* [plan->addresses] */
    size_t items;           /* size of all boxes together */
    tz_buffer inside, outside, scratch, cells;
    tz_buffer pair;                    /* two elements */
    tz_buffer ranges;                  /* loop ranges of lanes */
    tz_buffer bind_lanes, bind_scores; /* memory of length and scores */
    tz_buffer nodes, uses, stack;
    tz_derivation best;
};

/* Grows the buffer to at least count * size bytes, old contents lost; TZ_NO_MEMORY, TZ_TOO_LARGE.
 */
tz_status tz_buffer_reserve(tz_buffer *buffer, size_t count, size_t size);
/* The same, keeping the contents, at least doubling. */
tz_status tz_buffer_grow(tz_buffer *buffer, size_t count, size_t size);
void tz_buffer_free(tz_buffer *buffer);

static inline const int32_t *tz_lane_length(const tz_chart *chart, size_t lane) {
    return chart->length + lane * chart->plan->rules->lengths;
}

static inline const tz_lane_scores *tz_lane_weight(const tz_chart *chart, size_t lane,
                                                   size_t weight) {
    return chart->scores + lane * chart->plan->rules->weights + weight;
}

/* tz_problem_check with memory for sorting sparse entries. */
tz_status tz_check_problem(const tz_plan *plan, const tz_problem *problem, tz_buffer *sorting,
                           tz_error *opt_error);

/* tz_bind of problems that have been checked. */
tz_status tz_bind_checked(tz_chart *chart, const tz_problem *problems, size_t count,
                          tz_error *opt_error);

/* ---- Addresses, address.c
 * ------------------------------------------------------------------------ */

/* Boxes and addresses for the bound lengths. */
tz_status tz_chart_layout(tz_chart *chart);
/* Offset in items of a kind's cell, or -1 outside its box. */
ptrdiff_t tz_cell_offset(const tz_chart *chart, unsigned kind, const int64_t *index);

static inline ptrdiff_t tz_address_value(const tz_address *address, unsigned lengths,
                                         const int32_t *length, unsigned columns,
                                         const int64_t *column) {
    ptrdiff_t value = address->base;
    for (unsigned l = 0; l < lengths; l++)
        value += address->length[l] * length[l];
    for (unsigned c = 0; c < columns; c++)
        value += address->column[c] * (ptrdiff_t)column[c];
    return value;
}

/* Where the goal of a lane stands, or -1 if it is outside its domain. */
ptrdiff_t tz_goal_offset(const tz_chart *chart, size_t lane);

/* ---- Tiles, tiles.c and operands.c
 * ----------------------------------------------------------------------------- */

/* A rectangle of points of one step for some lanes: columns are the givens and outer loops; the
 * split and the run (where the step has them) go from their first value over so many. */
typedef struct tz_tile {
    const tz_bound_step *step;
    size_t lane, lanes;
    int64_t column[TZ_MAX_COLUMNS];
    int64_t split, run;
    size_t splits, width;
    size_t entry[TZ_MAX_SPARSE]; /* which entry of each sparse weight */
} tz_tile;

/* The operands of a tile, gathered where they are weights. */
typedef struct tz_operands {
    tz_block block;
    tz_operand inner[TZ_MAX_TERMS], outer[TZ_MAX_TERMS];
} tz_operands;

typedef tz_status (*tz_tile_sink)(tz_chart *chart, const tz_tile *tile, void *user);

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
/* The score of a dense weight's cell. index: over the declared domain. */
double tz_lane_score(const tz_lane_scores *scores, unsigned rank, const int64_t *index);
double tz_entry_score(const tz_lane_scores *scores, size_t entry);

/* The plain loop over plus and times: the reference for every contract. pair: room for two
 * elements. */
void tz_plain_contract(const tz_plan *plan, const tz_block *block, void *pair);

static inline void *tz_inside_cell(const tz_chart *chart, ptrdiff_t offset, size_t lane) {
    return (char *)chart->inside.data + ((size_t)offset * chart->lanes + lane) * chart->plan->size;
}

static inline void *tz_outside_cell(const tz_chart *chart, ptrdiff_t offset, size_t lane) {
    return (char *)chart->outside.data + ((size_t)offset * chart->lanes + lane) * chart->plan->size;
}

tz_status tz_fail(tz_error *opt_error, tz_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
