/* engine.h - the parts of a chart, which all rooms of the engine share.
 *
 * A chart holds the values of one group of problems, its lanes, in four arrays (tz_space): inside
 * and outside values of items, the lifted scores of weights, and the outside values of weights. In
 * each, element (cell, lane) stands at (offset of the cell) * lanes + lane.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ENGINE_H
#define TZ_ENGINE_ENGINE_H

#include "base/buffer.h"
#include "base/watch.h"
#include "engine/plan/plan.h"

typedef enum tz_space {
    TZ_AT_INSIDE,
    TZ_AT_OUTSIDE,
    TZ_AT_WEIGHT,
    TZ_AT_WEIGHT_OUTSIDE,
    TZ_AT_TANGENTS, /* the tangents of space s are space TZ_AT_TANGENTS + s */
    TZ_SPACES = 2 * TZ_AT_TANGENTS
} tz_space;

/* The box that the values of a kind or weight fill; strides and sizes are in cells. */
typedef struct tz_box {
    int64_t low[TZ_MAX_RANK], high[TZ_MAX_RANK];
    ptrdiff_t stride[TZ_MAX_RANK];
    size_t offset, size;
    bool empty;
    bool closer; /* rows lie closer than in a full box: the cells after one may belong to another */
    bool absent; /* weights: too large to be kept, gathered as needed; or sparse */
} tz_box;

/* A cell's offset as a function of lengths and columns: base + ... */
typedef struct tz_address {
    ptrdiff_t base, length[TZ_MAX_LENGTHS], column[TZ_MAX_COLUMNS];
} tz_address;

/* The scores bound for one weight of one lane. */
typedef struct tz_lane_scores {
    tz_scores scores;
    int32_t origin[TZ_MAX_RANK];
    int32_t extent[TZ_MAX_RANK];
} tz_lane_scores;

/* A bound fact. */
typedef struct tz_bound_fact {
    const tz_cells *cells;
    size_t count;
    bool required;
    bool sorted; /* as tz_compare_cells orders them, without TZ_ANY */
    size_t at;   /* if sorted: the cell found last */
} tz_bound_fact;

typedef struct tz_lane_facts {
    tz_bound_fact *fact;
    size_t count, required;
    uint64_t forbids;     /* bit w % 64: some cell of weight w */
    const tz_fact *given; /* as given */
} tz_lane_facts;

/* An item of a lane that a fact is about. */
typedef struct tz_known_item {
    uint32_t kind, lane, fact;
    int64_t stage[TZ_MAX_RANK]; /* its group's components, then 0 */
    ptrdiff_t cell;
} tz_known_item;

typedef struct tz_schedule tz_schedule;

typedef struct tz_score_map tz_score_map;

/* The layouts of a weight's arrays in the lanes: different ones, the same, or the same after
 * padding (padding.c). */
typedef enum tz_score_layout { TZ_OWN_LAYOUTS, TZ_SAME_LAYOUT, TZ_SAME_PADDED } tz_score_layout;

/* The problems that are bound: valid from TZ_BOUND on. */
typedef struct tz_bound_problems {
    bool same_lengths;               /* all lanes have the same lengths */
    uint8_t shared_lengths;          /* lengths that are the same in all lanes (bit l) */
    int32_t longest[TZ_MAX_LENGTHS]; /* of all lanes, length by length */
    int32_t *length;                 /* [lanes][lengths of the rules] */
    tz_lane_scores *scores;          /* [lanes][weights of the rules] */
    tz_lane_scores
        *padded_scores; /* [lanes][weights] arrays that maps are made for: see chart/padding.c */
    tz_score_layout *score_layout; /* [weights] */
    tz_scores *inputs;             /* [lanes][inputs of the semiring][weights] */
    tz_scores *direction;          /* [lanes][weights] */
    tz_lane_facts *facts;          /* [lanes], or NULL: none */
    tz_known_item *item;           /* [items] by kind, then stage */
    size_t items;
    tz_buffer padding; /* the numbers of padded_scores */
    /* Memory of the arrays above. */
    tz_buffer lengths_memory, scores_memory, inputs_memory, padded_memory, facts_memory,
        lane_facts_memory, items_memory;
} tz_bound_problems;

/* The index arrays of a problem's sparse weights, copied: see layout/indices.h. */
typedef struct tz_known_indices {
    bool made;
    int32_t length[TZ_MAX_LENGTHS];
    tz_buffer entries; /* [weights] number of entries; 0: a dense weight */
    tz_buffer index;   /* of one weight after the other */
} tz_known_indices;

/* Problems as they were given, where the rules have views: see problem/spread.c. Valid from
 * TZ_BOUND on. */
typedef struct tz_given {
    size_t lanes;
    tz_lane_scores *scores;    /* [lanes][declared weights] */
    tz_input_numbers *numbers; /* [lanes][inputs of the rules] */
    tz_problem *problem;       /* [lanes] the problems, for the weights that rules multiply by */
    tz_scores *spread;         /* [lanes][scores, inputs of the semiring, direction][weights] */
    tz_fact *fact;             /* of all lanes */
    double *cell;              /* scores of views */
    tz_buffer scores_memory, numbers_memory, problem_memory, spread_memory, facts_memory,
        fact_cells, cells, sorting, summing, own;
    tz_known_indices known; /* the last valid ones, with or without views */
    /* Set while a chart grows: arrays of views are for these lengths where they are longer, and
     * stay; cells that are not new are already filled. */
    int32_t room[TZ_MAX_LENGTHS];
    const struct tz_newer *newer;
    tz_buffer sorted;      /* entries of a declared weight, */
    unsigned sorted_which; /* 1 + that weight, as before it grew; 0: none */
} tz_given;

/* The layout of all cells: valid from TZ_BOUND on. */
typedef struct tz_layout {
    tz_shape *shape;               /* [weights] of the longest lengths */
    tz_box *box;                   /* [kinds] */
    tz_box *weight_box;            /* [weights] */
    tz_address *address;           /* [plan->addresses] */
    size_t cells[TZ_SPACES];       /* of all boxes of a space */
    ptrdiff_t goal;                /* of all lanes, if these have the same lengths; -1: nowhere */
    bool made;                     /* a layout has been made; it serves nested lanes of the longest
                                      lengths */
    int32_t room[TZ_MAX_LENGTHS];  /* boxes are for these lengths where they are longer */
    int32_t asked[TZ_MAX_LENGTHS]; /* the room of the next layout */
    uint64_t version;              /* counts the layouts made */
} tz_layout;

/* How narrow elements fared with earlier problems of the same layout. */
typedef struct tz_narrow_past {
    uint64_t layout;       /* its version */
    bool tried;            /* for the last problem */
    unsigned failed, wait; /* number of problems that left their range, and of problems still to be
                              computed wide untried */
} tz_narrow_past;

/* The scale of narrow elements, see chart/scale.c: valid from TZ_BOUND on. */
typedef struct tz_scaling {
    double *scale;               /* [lanes][gauges] powers of two */
    double *centre;              /* [lanes][gauges] subtracted from the scores:
                                    tz_semiring.relative */
    bool centred;                /* some centre is not 0 */
    double *most;                /* [lanes][weights] about the largest scores */
    double drift[TZ_MAX_GAUGES]; /* how far the scales were off last time */
    double farthest;             /* the largest form of the first gauge; -1: not known */
    double *first_form;          /* [weights][TZ_FORMS], known where `farthest` is */
    bool misfit;                 /* a scaled score did not fit */
    bool large;                  /* some score may exceed plan->exact */
    tz_narrow_past past;
    tz_buffer memory; /* of scale, centre and most */
} tz_scaling;

/* Where the elements of a lane's entries of a sparse weight stand: see tz_entry_element. */
typedef struct tz_entry_place {
    size_t first;
    bool shared;          /* all lanes have the same index array; their elements stand side by
                             side */
    uint64_t gathered[2]; /* of lane 0: see tz_entries_gathered */
} tz_entry_place;

/* The choices of a step's entries, see pass/entry_list.h: numbers in tz_entry_memory.move. */
typedef struct tz_kept_choices {
    bool made;
    size_t first, count; /* choices, the first of them at number `first` */
} tz_kept_choices;

/* The memory that recorded blocks point to, see pass/entry_record.h: they are valid while it is the
 * same. */
typedef struct tz_entry_base {
    uint64_t layout; /* its version */
    const tz_algebra *algebra;
    const void *space[TZ_SPACES], *element, *uses;
} tz_entry_base;

/* The entries of sparse weights, see chart/entries.h: valid from TZ_BOUND on. */
typedef struct tz_entry_memory {
    tz_buffer element;       /* of all entries */
    tz_buffer uses;          /* outside values of entries, then their tangents */
    tz_buffer place;         /* [lanes][weights] */
    tz_buffer finder;        /* [lanes][plan->sparse_terms] how they are sorted */
    tz_buffer sorted, slot;  /* entries by key, and where those of a key begin: see entries.c */
    tz_buffer kept;          /* [lanes][plan->sparse_terms] tz_kept_choices of steps */
    tz_buffer move;          /* of choices that are kept, then of others */
    tz_buffer choice, keyed; /* while choices are sorted */
    size_t count, sorted_count, slots, moves;
    tz_known_indices known; /* of all lanes: the indices that `sorted` and `kept` are for */
    size_t lanes;           /* number of these lanes; 0: lanes had different indices */
    tz_entry_base base;     /* of `move`, `kept` and what is recorded */
    tz_buffer record, hash, block, operand;
    size_t records, blocks, operands;
    bool recording; /* the last of the records is being made */
} tz_entry_memory;

/* An item of a lane. */
typedef struct tz_diverging_item {
    size_t lane;
    uint32_t item;
    int32_t index[TZ_MAX_RANK];
} tz_diverging_item;

/* Facts about the equations solved last that depend only on their arcs, kept for the next ones of
 * the pass: see closure/solve.c. */
typedef struct tz_known_parts {
    bool made, kept;
    size_t nodes, arcs, parts;
    size_t elements, largest; /* of all matrices, of the largest one */
    tz_buffer arc, product, part;
} tz_known_parts;

/* The closure that is being solved, see closure/arcs.h. */
typedef struct tz_closure_memory {
    tz_buffer node, arc, product; /* [nodes], [arcs], [arcs] elements */
    tz_buffer number;             /* by cell: 1 + its node, or 0 */
    size_t nodes, arcs;
    tz_buffer value, work, matrix; /* while it is solved */
    tz_known_parts known;
    tz_diverging_item diverging; /* after TZ_DIVERGES of a pass */
    bool diverged;
    /* The chart's epoch at which the nodes are free_lane's and their best instances make no circle;
     * 0: none. See ask/trace/circle.c. */
    uint64_t free_epoch;
    size_t free_lane;
} tz_closure_memory;

/* How a chart has grown, see problem/extend.c. */
typedef struct tz_growth {
    bool live;                          /* tz_extend bound the problems and computed inside */
    int32_t filled[TZ_MAX_LENGTHS];     /* cells beyond these lengths are zero */
    int32_t room[TZ_MAX_LENGTHS];       /* lengths that the chart has room for; 0: it has not grown
                                           yet */
    struct tz_newer *newer;             /* the list of those computed: see layout/newer.h */
    struct tz_new_cells *cells, *found; /* likewise, and the one found last: chart/newer_cells.h */
} tz_growth;

/* How passes were computed, kept for the next problems of these lengths. */
typedef struct tz_pass_memory {
    tz_schedule *schedule, *found;      /* the list of schedules made so far; the one found last */
    uint64_t finds;                     /* counts the times one was found */
    const struct tz_newer *newer;       /* inside computes only new items; NULL: all */
    int32_t old[TZ_MAX_LENGTHS];        /* with newer: the lengths whose items are known, else 0 */
    const tz_schedule *last[TZ_SPACES]; /* the schedule that wrote to each space last; NULL: none */
    size_t size[TZ_SPACES]; /* of the spaces that the schedules were made for, in bytes */
    tz_buffer ranges;       /* loop ranges of lanes */
    tz_buffer scratch;      /* elements that are gathered for a tile */
} tz_pass_memory;

/* How marginals are read, see ask/marginals/map.c. */
typedef struct tz_marginal_memory {
    bool made;          /* the maps are those of this layout and these shared lengths */
    tz_buffer map;      /* [weights] */
    tz_buffer cell;     /* the maps' cells */
    tz_buffer table;    /* of lanes */
    tz_buffer to;       /* where these are written */
    tz_buffer goal;     /* of lanes */
    tz_buffer widened;  /* factors of a piece that left the range of narrow elements */
    tz_buffer asked;    /* outputs of lanes, see ask/marginals/marginals.c */
    tz_buffer gathered; /* elements of a weight without a place, see ask/marginals/gather.c */
} tz_marginal_memory;

/* The best derivation, and the memory for finding it, see ask/trace/item.c. */
typedef struct tz_trace_memory {
    struct tz_strip_chart *strips[TZ_STRIPS]; /* see ask/strips.h */
    tz_buffer nodes, uses, pending, sorted, sorting, by_node, positions;
    tz_buffer products; /* of a strip of instances, see expand.h */
    tz_derivation best;
} tz_trace_memory;

/* The parts with which tz_structure counts derivations, see problem/structure.c; made at its first
 * call. */
typedef struct tz_structure_memory {
    tz_semiring *semiring; /* marks over counts */
    tz_plan *plan;
    tz_chart *chart;
    tz_buffer scores;      /* [weights] */
    tz_buffer sorted;      /* [uses] by weight and indices */
    tz_buffer facts, most; /* [facts, then uses] */
    tz_buffer cells;       /* of the facts */
    tz_buffer data;        /* float scores: 0 for the structure's cells */
} tz_structure_memory;

/* The passes that a chart has done; each state includes those before. */
typedef enum tz_chart_state {
    TZ_EMPTY,
    TZ_BOUND,
    TZ_INSIDE_DONE,
    TZ_OUTSIDE_DONE,
    TZ_WEIGHTS_DONE,
    TZ_TANGENTS_DONE
} tz_chart_state;

struct tz_chart {
    const tz_plan *plan;
    const tz_algebra *algebra; /* of the elements: the plan's wide or narrow one */
    size_t lanes;
    tz_chart_state state;
    uint64_t epoch; /* counts the times inside values were made or lost; k-best lists and samplers
                       remember it */
    tz_bound_problems bound;
    tz_given given;
    tz_layout layout;
    tz_scaling scaling;
    tz_buffer space[TZ_SPACES];
    tz_entry_memory entries;
    size_t inexact;          /* after TZ_BAD_SCORE from a pass: the lane, see pass/exact.c */
    bool weights_clear;      /* cells of weights outside all domains are zero */
    tz_score_map *score_map; /* the list of maps made so far */
    tz_closure_memory closure;
    tz_pass_memory passes;
    tz_growth growth;
    tz_marginal_memory marginals;
    tz_trace_memory trace;
    tz_buffer pair; /* TZ_CHAINS + 2 elements */
    tz_buffer risk; /* scores of tz_bind_risk */
    tz_structure_memory structures;
    struct tz_kbest *spare; /* a list whose memory the next one takes */
    tz_watching watching;   /* the caller's watch */
};

/* Reports so many products; has the watch asked to stop? */
static inline bool tz_stops(tz_chart *chart, double products) {
    return tz_watch_stops(&chart->watching,
                          products * (double)chart->algebra->size / sizeof(double));
}

/* May cells of items that a lane lacks hold anything? Not if facts look at them, or pass/exact.c,
 * which finds the largest element. */
static inline bool tz_may_spill(const tz_chart *chart) {
    return chart->bound.items == 0 && chart->algebra->semiring->largest == NULL;
}

/* May the lanes be computed at once? */
static inline bool tz_share_loops(const tz_chart *chart, const tz_bound_step *step) {
    const uint8_t lengths =
        tz_may_spill(chart) ? step->step->spilled_lengths : step->step->shared_lengths;
    return chart->bound.same_lengths || (lengths & ~chart->bound.shared_lengths) == 0;
}

/* Are the cells of all lanes at their places for the longest lengths? */
static inline bool tz_nested(const tz_chart *chart) {
    return chart->bound.same_lengths || chart->plan->nested;
}

/* The number of the rules' gauges that have scales other than 0. */
static inline unsigned tz_used_gauges(const tz_rules *rules) {
    return rules->gauges < TZ_FORMS ? rules->gauges : TZ_FORMS;
}

static inline const int32_t *tz_lane_length(const tz_chart *chart, size_t lane) {
    return chart->bound.length + lane * chart->plan->rules->lengths;
}

/* A lane's input of the semiring, beside the scores of a weight. */
static inline const tz_scores *tz_lane_input(const tz_chart *chart, size_t lane, size_t input,
                                             unsigned weight) {
    const size_t inputs = chart->plan->wide.semiring->inputs;
    return &chart->bound.inputs[(lane * inputs + input) * chart->plan->rules->weights + weight];
}

static inline const tz_lane_scores *tz_lane_weight(const tz_chart *chart, size_t lane,
                                                   size_t weight) {
    return chart->bound.scores + lane * chart->plan->rules->weights + weight;
}

/* The scores given for a declared weight. */
static inline const tz_lane_scores *tz_lane_given(const tz_chart *chart, size_t lane,
                                                  size_t declared) {
    const tz_rules *rules = chart->plan->rules;
    return rules->declareds > 0 ? chart->given.scores + lane * rules->declareds + declared
                                : tz_lane_weight(chart, lane, declared);
}

static inline const tz_input_numbers *tz_lane_numbers(const tz_chart *chart, size_t lane) {
    return chart->given.numbers + lane * chart->plan->rules->inputs;
}

static inline void *tz_cell(const tz_chart *chart, tz_space space, ptrdiff_t offset, size_t lane) {
    return (char *)chart->space[space].data +
           (offset * (ptrdiff_t)chart->lanes + (ptrdiff_t)lane) * (ptrdiff_t)chart->algebra->size;
}

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

static inline tz_space tz_space_of(tz_space space, bool tangent) {
    return tangent ? space + TZ_AT_TANGENTS : space;
}

/* The space of a term as an operand. */
static inline tz_space tz_term_space(const tz_bound_term *term) {
    return tz_space_of(term->what == TZ_INSIDE    ? TZ_AT_INSIDE
                       : term->what == TZ_OUTSIDE ? TZ_AT_OUTSIDE
                                                  : TZ_AT_WEIGHT,
                       term->tangent);
}

/* The space of a step's target. */
static inline tz_space tz_target_space(const tz_bound_step *step) {
    return step->target.what == TZ_WEIGHT ? tz_space_of(TZ_AT_WEIGHT_OUTSIDE, step->target.tangent)
                                          : tz_term_space(&step->target);
}

#endif
