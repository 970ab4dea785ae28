/* engine.h - plans and charts from the inside.
 *
 * A plan is rules x semiring with every index expression composed down to the columns of the loops.
 * A chart holds the values of one group of problems, its lanes, in four arrays (tz_space): inside
 * and outside values of items, the lifted scores of weights, and what their uses are multiplied
 * with. In each, element (cell, lane) stands at (offset of the cell) * lanes + lane.
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_ENGINE_H
#define TZ_ENGINE_ENGINE_H

#include "rules/form.h"
#include "semirings/transpose.h"

enum {
    TZ_MAX_ALIGN = 64,
    TZ_MAX_EDGES = 8 /* bounds of a run that move with the split; steps of more go split by split */
};

/* ---- Plans ---------------------------------------------------------------------------------- */

/* A semiring with its defaults filled in; functions get `semiring` as self. algebra.c */
typedef struct tz_algebra {
    const tz_semiring *semiring;
    size_t size, align;
    const void *zero, *one;
    bool blank; /* zero has no bit set */
    double limit;
    void (*lift)(const tz_semiring *, void *, ptrdiff_t, const double *, size_t);
    double (*value)(const tz_semiring *, const void *);
    void (*contract)(const tz_semiring *, const tz_block *, size_t);
    size_t (*prepare)(const tz_semiring *, const tz_block *, tz_ready *, size_t); /* or NULL */
    _Bool (*lift_scaled)(const tz_semiring *, void *, const double *, const double *, size_t);
    void (*shares)(const tz_semiring *, double *, ptrdiff_t, const void *, ptrdiff_t, size_t,
                   const void *);
    tz_isa isa; /* of contract */
    /* Kernels, see semirings/transpose.h: of elements of this size, NULL where there are none; and
     * of scores of a type. */
    tz_transpose *transpose;
    tz_put *put;
    tz_collect *collect;
    tz_pick *pick[2];
    tz_deal *deal[2];
    tz_shift *shift; /* of doubles */
    bool copies;     /* scores of the elements' own type are lifted by copying */
} tz_algebra;

/* flags: of tz_plan_new. TZ_BAD_ARGUMENT. */
tz_status tz_algebra_take(tz_algebra *ret, const tz_semiring *semiring, unsigned flags,
                          tz_error *opt_error);

/* A pass over a chart: what is computed from what. Tangents, in the same order, say how those
 * values change where the scores move (tangent.c). */
typedef enum tz_pass {
    TZ_PASS_INSIDE,
    TZ_PASS_OUTSIDE,
    TZ_PASS_THROUGH,
    TZ_PASS_TANGENTS, /* the tangents of pass p are pass TZ_PASS_TANGENTS + p */
    TZ_PASSES = 2 * TZ_PASS_TANGENTS
} tz_pass;

/* A term with its expressions over the columns of a nest. */
typedef struct tz_bound_term {
    tz_what what;
    uint16_t which;
    uint8_t rank;
    uint32_t address;          /* all but sparse weights: index into tz_chart.address */
    bool inner;                /* it depends on the split */
    bool still;                /* it does not depend on the run */
    bool tangent;              /* what stands in its place in the space of tangents */
    const tz_form *index;      /* [rank] */
    const tz_form *stage;      /* of an item of the target's group, where that has one stage */
    const tz_form *coordinate; /* [rank], where it has an address */
    const tz_constraint *constraint; /* weights: the domain */
    uint32_t constraints;
} tz_bound_term;

typedef struct tz_bound_step {
    const tz_step *step;
    const tz_nest *nest;
    tz_bound_term target;
    tz_bound_term *term;
    uint16_t terms, stages; /* stages: of the target's group, the first givens */
    bool growing;           /* for longer lengths the loops cover those for shorter ones */
    bool edged;             /* split and run are one tile with edges */
    bool stackable;         /* see stack.c */
} tz_bound_step;

struct tz_plan {
    const tz_rules *rules;
    tz_algebra wide, narrow;
    bool has_narrow;
    bool growing;  /* so do the stages of every kind */
    uint8_t alike; /* lengths besides the first that lanes should share: sums are slow else */
    tz_bound_step *inside, *outside, *through, *trace; /* one per table step; trace: inside steps */
    /* Of each pass, one step for each term of each of its steps; those of step s are
     * tangent_first[s] .. tangent_first[s + 1] - 1. NULL where the semiring has no tangents. */
    tz_bound_step *tangent[TZ_PASS_TANGENTS];
    uint32_t *tangent_first[TZ_PASS_TANGENTS];
    struct tz_trace_plan *tracing; /* see trace.h; or NULL */
    tz_plan *uses;                 /* of a semiring with marks: of numbers of uses, see facts.c */
    size_t addresses;
    struct tz_arena *arena;
};

/* ---- Charts --------------------------------------------------------------------------------- */

typedef enum tz_space {
    TZ_AT_INSIDE,
    TZ_AT_OUTSIDE,
    TZ_AT_WEIGHT,
    TZ_AT_THROUGH,
    TZ_AT_TANGENTS, /* those of space s are space TZ_AT_TANGENTS + s */
    TZ_SPACES = 2 * TZ_AT_TANGENTS
} tz_space;

/* The box that the values of a kind or weight fill; strides and sizes are in cells. */
typedef struct tz_box {
    int64_t low[TZ_MAX_RANK], high[TZ_MAX_RANK];
    ptrdiff_t stride[TZ_MAX_RANK];
    size_t offset, size;
    bool empty;
    bool absent; /* weights: too large to be kept, gathered as needed; or sparse */
} tz_box;

/* A cell's offset as a function of lengths and columns: base + ... */
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

/* A fact that is bound. */
typedef struct tz_bound_fact {
    const tz_cells *cells;
    size_t count;
    bool required;
    bool sorted; /* by weight, then indices, without TZ_ANY */
    size_t at;   /* of those, the one that was found last */
} tz_bound_fact;

typedef struct tz_lane_facts {
    tz_bound_fact *fact;
    size_t count, required;
    uint64_t forbids;     /* bit w % 64: some cell of weight w */
    const tz_fact *given; /* as given */
} tz_lane_facts;

typedef struct tz_schedule tz_schedule;

/* Which of a weight's scores goes to which cell, see score_map.c. */
typedef struct tz_score_map {
    struct tz_score_map *next;
    /* What it was made for. */
    unsigned weight;
    size_t lanes;
    int32_t longest[TZ_MAX_LENGTHS];
    ptrdiff_t stride[TZ_MAX_RANK];
    bool complete;

    tz_buffer piece; /* of tz_piece */
    size_t pieces;
    /* Values of the gauges' forms (narrow.c), double [pieces][used gauges][TZ_PIECE]; no memory
     * where they are the same for all cells. */
    tz_buffer form;
    double same[TZ_FORMS][TZ_PIECE];
} tz_score_map;

struct tz_chart {
    const tz_plan *plan;
    const tz_algebra *algebra; /* of the elements: the plan's wide or narrow one */
    size_t lanes;
    bool uniform;  /* all lanes have the same lengths; */
    uint8_t alike; /* else these (bit l) */
    enum {
        TZ_EMPTY,
        TZ_BOUND,
        TZ_INSIDE_DONE,
        TZ_OUTSIDE_DONE,
        TZ_THROUGH_DONE,
        TZ_TANGENTS_DONE
    } state;
    uint64_t epoch; /* how often inside values have been made or lost; lists of k best and samplers
                       keep it */
    int32_t longest[TZ_MAX_LENGTHS]; /* of all lanes, length by length */
    int32_t *length;                 /* [lanes][lengths of the rules] */
    tz_lane_scores *scores;          /* [lanes][weights of the rules] */
    tz_scores *inputs;               /* [lanes][inputs of the semiring][weights] */
    tz_scores *direction;            /* [lanes][weights] */
    tz_box *box, *weight_box;        /* [kinds], [weights] */
    tz_address *address;             /* [plan->addresses] */
    size_t cells[TZ_SPACES];         /* of all boxes of a space */
    ptrdiff_t goal;                  /* where it stands if lanes are uniform; -1: nowhere */
    tz_buffer space[TZ_SPACES];
    tz_lane_facts *facts;        /* [lanes], or NULL: none */
    double *scale;               /* [lanes][gauges] powers of two, see narrow.c */
    double *most;                /* [lanes][weights] largest scores */
    double drift[TZ_MAX_GAUGES]; /* how far they were off last time */
    double farthest;             /* see narrow.c; -1: not known for these lengths, */
    double *first_form;          /* nor these, [weights][TZ_FORMS] */
    bool misfit;                 /* a scaled score did not fit */
    bool laid_out;           /* boxes and addresses are those of uniform lanes of these lengths */
    bool weights_clear;      /* and cells of weights outside all domains are zero, */
    bool mapped;             /* and map is theirs */
    tz_schedule *schedule;   /* a list of what has been scheduled so far */
    tz_score_map *score_map; /* likewise */
    tz_buffer *packed;       /* [weights] scores that are to be lifted, see mapped.c */
    const tz_schedule *last[TZ_SPACES]; /* the one that wrote to each space last; NULL: none */
    tz_buffer scratch, gathered;
    tz_buffer map, tables; /* what marginals are of, see marginals.c */
    bool tables_made;
    tz_buffer pair;                                 /* four elements */
    tz_buffer row;                                  /* of instances, see expand.h */
    tz_buffer ranges;                               /* loop ranges of lanes */
    tz_buffer bind_lanes, bind_scores, bind_scales; /* memory of length, scores and scale */
    tz_buffer bind_inputs;                          /* of inputs and direction */
    tz_buffer bind_facts, bind_lane_facts;          /* memory of facts */
    tz_buffer risk;                                 /* scores of tz_bind_risk */
    struct tz_structures *structures;               /* see structure.c; or NULL */
    struct tz_trace_chart *tracing;                 /* where the plan has one */
    struct tz_kbest *spare;                         /* a list whose memory the next one takes */
    tz_buffer nodes, uses, stack, sorted, sorting;
    tz_derivation best;
};

/* Grows the buffer to at least count * size bytes, old contents lost; TZ_NO_MEMORY, TZ_TOO_LARGE.
 */
tz_status tz_buffer_reserve(tz_buffer *buffer, size_t count, size_t size);
/* The same, keeping the contents, at least doubling. */
tz_status tz_buffer_grow(tz_buffer *buffer, size_t count, size_t size);
void tz_buffer_free(tz_buffer *buffer);

/* May the lanes be swept at once? */
static inline bool tz_share_loops(const tz_chart *chart, const tz_bound_step *step) {
    return chart->uniform || (step->step->alike & ~chart->alike) == 0;
}

static inline const int32_t *tz_lane_length(const tz_chart *chart, size_t lane) {
    return chart->length + lane * chart->plan->rules->lengths;
}

static inline const tz_lane_scores *tz_lane_weight(const tz_chart *chart, size_t lane,
                                                   size_t weight) {
    return chart->scores + lane * chart->plan->rules->weights + weight;
}

static inline void *tz_cell(const tz_chart *chart, tz_space space, ptrdiff_t offset, size_t lane) {
    return (char *)chart->space[space].data +
           ((size_t)offset * chart->lanes + lane) * chart->algebra->size;
}

/* Is the element zero? */
bool tz_is_zero(const tz_chart *chart, const void *element);
/* Writes an element count times. */
void tz_fill(const tz_algebra *algebra, void *to, const void *element, size_t count);

/* tz_problem_check with memory for sorting sparse entries; dense: look at the scores of dense
 * weights too, not only at their shapes. */
tz_status tz_check_problem(const tz_plan *plan, const tz_problem *problem, bool dense,
                           tz_buffer *sorting, tz_error *opt_error);
/* Whether scores (of the memory's type) are all what tz_bind takes, along a row. */
bool tz_scores_allowed(const tz_plan *plan, const tz_scores *scores, ptrdiff_t offset,
                       ptrdiff_t step, size_t count);

/* The same, and raises *opt_most to the largest; scan.c. */
bool tz_scan_row(const tz_plan *plan, const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step,
                 size_t count, double *opt_most);

/* ---- Addresses, address.c ------------------------------------------------------------------- */

/* Boxes and addresses for the bound lengths. */
tz_status tz_chart_layout(tz_chart *chart);
/* How many problems of these lengths are best evaluated side by side: as many as fill a vector of
 * the widest instruction set, for then every item is one. But one alone where the items of so many
 * would hardly stay in a second-level cache of 2 MB (eisner: from n = 128 on), for a long sentence
 * fills vectors with neighbouring items just as well; and where a weight of so many would have no
 * place. */
size_t tz_best_lanes(const tz_plan *plan, const int32_t *length);
/* Offset of a kind's cell, or -1 outside its box. */
ptrdiff_t tz_cell_offset(const tz_chart *chart, unsigned kind, const int64_t *index);
/* Where the goal of a lane stands, or -1 if it is outside its domain. */
ptrdiff_t tz_goal_offset(const tz_chart *chart, size_t lane);

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
    return step->target.what == TZ_WEIGHT ? tz_space_of(TZ_AT_THROUGH, step->target.tangent)
                                          : tz_term_space(&step->target);
}

/* ---- Rows of a weight's cells, rows.c ---------------------------------------------------------
 */

enum { TZ_MAX_ROW_BOUNDS = 16 };

/* Visits the cells that a nest of a weight's domain covers, as rows along its last loop. */
typedef struct tz_rows {
    tz_walk walk; /* over all loops but the last two */
    tz_nest outer;
    const tz_nest *nest;
    unsigned rank, last;
    bool walking, many; /* many: more bounds than there is room for */
    int64_t middle, middle_high;
    unsigned lowers, uppers;
    struct tz_row_bound {
        int64_t value, step, divisor;
    } bound[TZ_MAX_ROW_BOUNDS]; /* of the last loop, for the middle one's next value */
    unsigned holes;
    struct tz_row_hole {
        int64_t value, step, slope,
            at; /* a form that is not 0 in the domain: as bounds; of a row */
    } hole[TZ_MAX_ROW_BOUNDS];
    const tz_domain *domain;
    uint32_t unlisted;          /* constraints of the domain from here on may have holes too */
    int64_t start[TZ_MAX_RANK]; /* indices where middle and last are 0 */
    int64_t middle_move[TZ_MAX_RANK];
    /* Out: */
    int64_t index[TZ_MAX_RANK]; /* of the row's first cell */
    int64_t move[TZ_MAX_RANK];  /* from cell to cell */
    size_t count;
} tz_rows;

void tz_rows_start(tz_rows *rows, const tz_rules *rules, unsigned weight, const int32_t *length);
/* The same of some of the cells: those of tz_weight.cells or of one of tz_weight.used. */
void tz_rows_start_in(tz_rows *rows, const tz_rules *rules, unsigned weight, const tz_nest *nest,
                      const int32_t *length);
/* The next row that has cells; false past the last. It may go over holes (TZ_NE) of the domain. */
bool tz_rows_next(tz_rows *rows);
/* The next position of the row, from *position on, that the domain leaves out; false past the last.
 */
bool tz_row_hole(const tz_rows *rows, size_t *position);

/* ---- Weights, weights.c -----------------------------------------------------------------------
 */

/* Are all scores of an array without gaps allowed, those of cells in no domain too? Else, or where
 * there are gaps, rows must be looked at. extent: [rank], of the shape. */
bool tz_array_allowed(const tz_plan *plan, const tz_scores *scores, const int32_t *extent,
                      unsigned rank);
/* Checks the scores of dense weights, those that have a place only if `placed` (TZ_BAD_SCORE,
 * without a message); most: the largest one of
 * each, [lanes][weights], -INFINITY if there is none. */
tz_status tz_check_weights(tz_chart *chart, bool placed, double *ret_most);
/* Lifts every dense weight that has a place, and checks it if asked. */
tz_status tz_lift_weights(tz_chart *chart, bool check);
/* The elements of a row of scores, `stride` elements apart; index: of the first; move: how the
 * indices change. Sets chart->misfit. */
void tz_lift_row(tz_chart *chart, size_t lane, unsigned weight, const int64_t *index,
                 const int64_t *move, const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step,
                 size_t count, void *to, ptrdiff_t stride);

/* The same for a semiring that takes inputs, inputs.c. scores: those that are bound. */
void tz_lift_inputs(tz_chart *chart, size_t lane, unsigned weight, const int64_t *index,
                    const int64_t *move, const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step,
                    size_t count, void *to, ptrdiff_t stride);

/* The map of a weight that has a place, kept for the next time; the lanes have the same lengths and
 * strides. TZ_TOO_LARGE: it is not worth it. */
tz_status tz_score_map_find(tz_chart *chart, unsigned weight, const tz_score_map **ret);
void tz_score_maps_free(tz_chart *chart);

/* Lifting by maps, mapped.c: can the scores of a weight be lifted so? */
bool tz_mapped(const tz_chart *chart, unsigned weight);
/* Packs scores that are to be scaled; *ret_allowed: are all that were read? most: the largest of
 * each lane, [lanes][weights]. TZ_TOO_LARGE: they are not to be packed, or there is no map. */
tz_status tz_pack_mapped(tz_chart *chart, unsigned weight, bool *ret_allowed, double *ret_most);
/* Lifts the scores, those that were packed where they are to be scaled; *ret_allowed as above. */
tz_status tz_lift_mapped(tz_chart *chart, unsigned weight, bool *ret_allowed);

/* ---- Tangents, tangent.c -----------------------------------------------------------------------
 */

/* The steps of the passes of tangents, from those of the plan's passes; TZ_NO_MEMORY. */
tz_status tz_bind_tangents(tz_plan *plan);
/* Does the pass compute tangents, and of which one? */
static inline bool tz_pass_tangents(tz_pass pass) {
    return pass >= TZ_PASS_TANGENTS;
}
static inline tz_pass tz_pass_primal(tz_pass pass) {
    return pass >= TZ_PASS_TANGENTS ? pass - TZ_PASS_TANGENTS : pass;
}
/* The last pass that the chart's state holds. */
tz_pass tz_last_pass(const tz_chart *chart);
/* The tangents of a row of a weight's elements: each times the number of the lane's direction.
 * index, move: of the cells; offset: of the first in the scores, where the weight is sparse. */
void tz_turn_row(tz_chart *chart, size_t lane, unsigned weight, const int64_t *index,
                 const int64_t *move, ptrdiff_t offset, size_t count, const void *from, void *to,
                 ptrdiff_t stride);
/* Turns every weight that has a place. */
tz_status tz_turn_weights(tz_chart *chart);
/* All passes of tangents, after outside, if they have not been run yet. TZ_LAW. */
tz_status tz_make_tangents(tz_chart *chart);
/* After it, of a lane that has a derivation: the change of log Z. */
double tz_goal_turned(const tz_chart *chart, size_t lane);
/* Where the elements of a row's cells stand in the spaces of weights: the first one's place, and
 * how far they are apart; marginals.c. */
ptrdiff_t tz_row_cells(const tz_chart *chart, unsigned weight, const tz_rows *rows,
                       ptrdiff_t *ret_apart);

/* Fills chart->gathered with one element per cell of a weight's shape (sparse: per entry), the sum
 * over its uses; tangents: with as many of these after them; gather.c. */
tz_status tz_gather_weight(tz_chart *chart, size_t problem, unsigned weight, const tz_shape *shape,
                           bool tangents, size_t *ret_cells);

/* A row of what is given beside the scores (tz_problem.inputs, direction): number x stands at
 * data[offset + x * step]; inputs.c. */
typedef struct tz_given_row {
    const tz_scores *scores;
    ptrdiff_t offset, step;
} tz_given_row;
/* The row that has these indices; offset: of its first score, where the weight is sparse. */
tz_given_row tz_find_given(const tz_chart *chart, size_t lane, unsigned weight,
                           const tz_scores *given, ptrdiff_t offset, const int64_t *index,
                           const int64_t *move);
/* Its numbers from..from+count-1; 0 where nothing is given. */
void tz_read_given(double *ret, const tz_given_row *row, size_t from, size_t count);

/* ---- Facts, facts.c and check_facts.c
 * ------------------------------------------------------------
 */

/* Numbers of marked cells used; semirings/uses.c. */
extern const tz_semiring tz_semiring_uses_f32;

/* Cells of a weight in a row: the first one's indices, and how they change. */
typedef struct tz_row {
    unsigned weight;
    const int64_t *index, *move;
    size_t count;
} tz_row;

/* Whether there is anything wrong with a problem's facts, required ones that derivations can use
 * twice included; the rest of the problem has been checked. */
tz_status tz_check_facts(const tz_plan *plan, const tz_problem *problem, tz_error *opt_error);
/* For each required fact: how many uses of its cells a derivation without the forbidden ones makes
 * at most; or, not `required`, without its cells either. -INFINITY: there is none. uses: the plan
 * for that. Writes the required facts' places of ret_most[fact_count]. */
tz_status tz_count_uses(const tz_plan *uses, const tz_problem *problem, bool required,
                        double *ret_most);
/* Takes the problems' facts. */
tz_status tz_bind_facts(tz_chart *chart, const tz_problem *problems, size_t count);
/* Do the lane's facts forbid cells of the weight? It may say so where they do not. */
bool tz_forbids(const tz_chart *chart, size_t lane, unsigned weight);
/* The next cell of the row, from *position on, that the lane's facts forbid; false, and the row's
 * end, past the last. */
bool tz_next_forbidden(const tz_chart *chart, size_t lane, const tz_row *row, size_t *position);
/* Marks the row's elements, `stride` elements apart, once for each required fact they are in. */
void tz_mark_row(const tz_chart *chart, size_t lane, const tz_row *row, void *to, ptrdiff_t stride);
/* Is the cell one of the fact's? */
bool tz_fact_covers(const tz_rules *rules, const tz_fact *fact, unsigned weight,
                    const int64_t *index);
/* Has the goal no derivation that agrees with the facts? */
bool tz_goal_missing(const tz_chart *chart, size_t lane);
/* Takes off what marks of required cells made of an element of the goal's size, in place. */
void tz_unmark(const tz_chart *chart, size_t lane, const tz_algebra *algebra, void *element);
/* The problem as it was bound; scores: room for one per weight. */
tz_problem tz_lane_problem(const tz_chart *chart, size_t lane, tz_scores *scores);
void tz_structures_free(struct tz_structures *structures);

/* Frees a list and its memory; NULL too. */
void tz_kbest_discard(struct tz_kbest *kbest);

/* ---- Scaling, narrow.c ------------------------------------------------------------------------
 */

/* How many of the rules' gauges have scales other than 0. */
unsigned tz_used_gauges(const tz_rules *rules);
/* tz_bind of problems that have passed tz_problem_check. */
tz_status tz_bind_checked(tz_chart *chart, const tz_problem *problems, size_t count);
/* Chooses elements and scales for what has just been bound, and lifts the weights; looks for scores
 * that are not allowed if asked. */
tz_status tz_choose_elements(tz_chart *chart, bool check);
/* Runs a pass; where a narrow one leaves its range, again with better scales or wide elements. */
tz_status tz_run_pass(tz_chart *chart, tz_pass pass);
/* Puts the flags of overflow and underflow down; and puts them back, and tells whether any was
 * raised between. */
unsigned tz_flags_take(void);
bool tz_flags_return(unsigned before);
/* All passes up to the one given, with wide elements; where that fails, tz_pass_failed. */
tz_status tz_repeat_wide(tz_chart *chart, tz_pass last);
/* The state of a chart whose pass has failed: what is bound stays so, unless the weights had to be
 * lifted again and were not. */
void tz_pass_failed(tz_chart *chart);
/* Inside elements of a kind's cell are too small by 2^it; of the goal. 0 where they are wide. */
double tz_kind_scale(const tz_chart *chart, size_t lane, unsigned kind, const int64_t *index);
double tz_goal_scale(const tz_chart *chart, size_t lane);
/* The chart's element times 2^exponent as a wide one. */
void tz_widen(const tz_chart *chart, const void *element, double exponent, void *ret);

/* ---- Passes, schedule.c and sweep.c ------------------------------------------------------------
 */

tz_status tz_sweep(tz_chart *chart, tz_pass pass);
void tz_schedules_free(tz_chart *chart);
/* Room for the elements of a space; schedules hold its address and go where it changes. */
tz_status tz_space_reserve(tz_chart *chart, tz_space space);
void tz_space_clear(tz_chart *chart, tz_space space);

/* Does the domain only gain points when a length grows? */
bool tz_domain_grows(const tz_domain *domain);
/* Whether the step's targets of neighbouring stages may be computed together. */
bool tz_step_stackable(const tz_bound_step *step, const tz_plan *plan);

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
    unsigned lows, highs;                          /* edges of the run that move with the split, */
    tz_edge low[TZ_MAX_EDGES], high[TZ_MAX_EDGES]; /* counted from the first split and run */
    bool padded;                                   /* see tz_block */
} tz_tile;

/* The operands of a tile, gathered where they are weights without a place. */
typedef struct tz_operands {
    tz_block block;
    tz_operand inner[TZ_MAX_TERMS], outer[TZ_MAX_TERMS];
} tz_operands;

typedef tz_status (*tz_tile_sink)(tz_chart *chart, const tz_tile *tile, void *user);

/* Are there few enough bounds of the run that move with the split, all whole? split: its column. */
bool tz_nest_edged(const tz_nest *nest, unsigned split);
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
/* The score of a dense weight's cell. index: over the declared domain. */
double tz_lane_score(const tz_lane_scores *scores, unsigned rank, const int64_t *index);
double tz_entry_score(const tz_lane_scores *scores, size_t entry);

/* The plain loop over plus and times: the reference for every contract. pair: room for two
 * elements. */
void tz_plain_contract(const tz_algebra *algebra, const tz_block *block, void *pair);

/* Computes blocks of the chart's elements, one after the other. */
void tz_contract(tz_chart *chart, const tz_block *block, size_t count);

/* Do the block's edges let split s take part in the sum of x? */
bool tz_takes_part(const tz_block *block, ptrdiff_t split, ptrdiff_t x);

tz_status tz_fail(tz_error *opt_error, tz_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
