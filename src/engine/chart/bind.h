/* bind.h - from what the caller gives to elements that stand in a chart. Private.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_ENGINE_CHART_BIND_H
#define TZ_ENGINE_CHART_BIND_H

#include "engine/engine.h"

/* ---- Checks, check.c and score_range.c ------------------------------------------------------- */

/* tz_problem_check with memory for sorting sparse entries; dense: look at the scores of dense
 * weights too, not only at their shapes. */
tz_status tz_check_problem(const tz_plan *plan, const tz_problem *problem, bool dense,
                           tz_buffer *sorting, tz_error *opt_error);
/* The same of several, without a message, and without looking at the scores of dense weights: one
 * shape serves neighbours of the same lengths. */
tz_status tz_check_shapes(const tz_plan *plan, const tz_problem *problems, size_t count,
                          tz_buffer *sorting);
/* Whether scores (of the memory's type) are all what tz_bind takes, along a row. */
bool tz_scores_allowed(const tz_plan *plan, const tz_scores *scores, ptrdiff_t offset,
                       ptrdiff_t step, size_t count);

/* The same, and raises *opt_most to the largest; score_range.c. */
bool tz_score_range(const tz_plan *plan, const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step,
                    size_t count, double *opt_most);

/* ---- Weights, weights.c -----------------------------------------------------------------------
 */

/* Are all scores of an array without gaps allowed, those of cells in no domain too? Else, or where
 * there are gaps, rows must be looked at. extent: [rank], of the shape. */
bool tz_array_allowed(const tz_plan *plan, const tz_scores *scores, const int32_t *extent,
                      unsigned rank);
/* Are a weight's arrays of lanes first..first+lanes-1, of the same lengths, of the same layout? */
bool tz_same_layout(const tz_chart *chart, size_t first, size_t lanes, unsigned weight);
/* Checks the scores of dense weights, those that have a place only if `scaled` and without a map
 * (TZ_BAD_SCORE, without a message); most: the largest one of each, [lanes][weights], or about
 * that; -INFINITY if there is none. */
tz_status tz_check_weights(tz_chart *chart, bool scaled, double *ret_most);
/* Lifts every dense weight that has a place, and checks it if asked and tz_check_weights has not.
 */
tz_status tz_lift_weights(tz_chart *chart, bool check);
/* The elements of a row of scores, `stride` elements apart; index: of the first; move: how the
 * indices change. Sets chart->scaling.misfit. */
void tz_lift_row(tz_chart *chart, size_t lane, unsigned weight, const int64_t *index,
                 const int64_t *move, const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step,
                 size_t count, void *to, ptrdiff_t stride);

/* The element of one cell of a lane's weight, of its scores' entry `entry` where it is sparse; and,
 * if asked, its tangent. index: the cell's. */
void tz_lift_cell(tz_chart *chart, size_t lane, unsigned weight, const int64_t *index, size_t entry,
                  void *ret, void *opt_tangent);

/* ---- Maps, score_map.c, score_map_patch.c and score_map_lift.c ------------------------------- */

enum { TZ_SCORE_MAP_MOST = 1 << 20 }; /* cells of a weight; those of more are lifted row by row */

/* Which of a weight's scores goes to which cell, see score_map.c. */
struct tz_score_map {
    struct tz_score_map *next;
    /* What it was made for. */
    unsigned weight;
    size_t lanes;
    int32_t longest[TZ_MAX_LENGTHS];
    ptrdiff_t stride[TZ_MAX_RANK];
    bool complete;

    tz_buffer piece; /* of tz_piece; one lane: tz_patch, and TZ_AHEAD more */
    size_t pieces;
    size_t rows;   /* of patches */
    size_t packed; /* scores, of a lane */
    /* Values of the gauges' forms (narrow.c) for packed scores, double [used gauges][packed]; no
     * memory where they are the same for all cells. */
    tz_buffer form;
    double same[TZ_FORMS][TZ_PIECE];
};

/* The map of a weight that has a place, kept for the next time; the lanes' scores, padded where
 * need be, have the same strides. TZ_TOO_LARGE: it is not worth it. */
tz_status tz_score_map_find(tz_chart *chart, unsigned weight, const tz_score_map **ret);
void tz_score_map_free_all(tz_chart *chart);
/* Fills the pieces of a map in, `piece` and what follows, for one lane; forms: how many gauges'
 * forms differ from cell to cell. Sizes have been checked. */
tz_status tz_score_map_patch(tz_chart *chart, unsigned weight, unsigned forms, tz_score_map *map);

/* Lifting by maps, score_map_lift.c: can the scores of a weight be lifted so? */
bool tz_score_map_possible(const tz_chart *chart, unsigned weight);
/* About how large the scores are that derivations pick, of each lane, [lanes][weights]: the mean of
 * the largest ones of samples. TZ_TOO_LARGE: there is no map. */
tz_status tz_score_map_sample(tz_chart *chart, unsigned weight, double *ret_most);
/* Lifts the scores; *ret_allowed: are all that were read? TZ_TOO_LARGE likewise. */
tz_status tz_score_map_lift(tz_chart *chart, unsigned weight, bool *ret_allowed);

/* Finds out which weights have arrays of the same layout in all lanes: of the same lengths, types
 * and strides; pads those of other weights that can be lifted by maps so, padding.c.
 * TZ_NO_MEMORY, TZ_TOO_LARGE. */
tz_status tz_pad_weights(tz_chart *chart);
/* What maps are made for: the caller's array or the padded one. */
static inline const tz_lane_scores *tz_padded_weight(const tz_chart *chart, size_t lane,
                                                     size_t weight) {
    return chart->bound.padded_scores + lane * chart->plan->rules->weights + weight;
}

/* ---- Inputs, inputs.c ------------------------------------------------------------------------ */

/* A row of what is given beside the scores (tz_problem.inputs, direction): number x stands at
 * data[offset + x * step]. */
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
/* tz_lift_row for a semiring that takes inputs. scores: those that are bound. */
void tz_lift_inputs(tz_chart *chart, size_t lane, unsigned weight, const int64_t *index,
                    const int64_t *move, const tz_scores *scores, ptrdiff_t offset, ptrdiff_t step,
                    size_t count, void *to, ptrdiff_t stride);

/* ---- Facts, facts.c and check_facts.c ------------------------------------------------------- */

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
/* Takes off what marks of required cells made of an element of the goal's size, in place. */
void tz_unmark(const tz_chart *chart, size_t lane, const tz_algebra *algebra, void *element);
/* The problem as it was bound; scores: room for one per weight. */
tz_problem tz_lane_problem(const tz_chart *chart, size_t lane, tz_scores *scores);

#endif
