/* check.c - what a problem must be to be bound. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "engine/chart/inputs.h"
#include "engine/chart/score_range.h"
#include "engine/chart/weights.h"
#include "engine/layout/address.h"
#include "engine/layout/cells.h"
#include "engine/layout/indices.h"
#include "engine/layout/rows.h"
#include "engine/layout/scores.h"
#include "engine/problem/check.h"
#include "rules/view.h"

enum { NAME = 140, CELL = 320 };
/* Of so many scores, or more, it is asked first whether there is memory for what is made of them.
 */
static const double many = 1 << 26;

/* Scores, or those of an input of the semiring, or of a direction. */
typedef struct checked {
    const tz_plan *plan;
    const tz_input *input; /* NULL: the scores */
    const tz_scores *scores;
    const int32_t *lengths;
} checked;

/* "arc", "cost of arc" */
static void checked_name(const checked *c, const tz_weight *weight, char ret[NAME]) {
    snprintf(ret, NAME, "%.60s%s%.60s", c->input != NULL ? c->input->name : "",
             c->input != NULL ? " of " : "", weight->name);
}

/* "arc[2,3]", "cost of arc[2,3]" */
static void cell_text(const checked *c, const tz_weight *weight, const int64_t *index,
                      char ret[CELL]) {
    int used = 0;
    if (c->input != NULL)
        used = snprintf(ret, CELL, "%.60s of ", c->input->name);
    tz_cell_text(c->plan->rules, weight, c->lengths, index, ret + used, CELL - (size_t)used);
}

/* A number beyond a limit, with as many digits as tell it from that. */
static void number_text(double number, double limit, char ret[32]) {
    snprintf(ret, 32, "%g", number);
    if (fabs(strtod(ret, NULL)) <= limit)
        snprintf(ret, 32, "%.17g", number);
}

static tz_status check_score(const checked *c, const tz_weight *weight, const int64_t *index,
                             double score, tz_error *opt_error) {
    double limit = c->plan->wide.limit;
    bool finite = c->input != NULL && c->input->finite;
    if (fabs(score) <= limit || (score == -INFINITY && !finite))
        return TZ_OK;
    char cell[CELL], number[32];
    cell_text(c, weight, index, cell);
    number_text(score, limit, number);
    if (finite)
        return tz_fail(opt_error, TZ_BAD_SCORE, "%s is %s: it must be a number within +-%g", cell,
                       number, limit);
    if (isnan(score))
        return tz_fail(opt_error, TZ_BAD_SCORE, "%s is NaN: scores are numbers or -infinity", cell);
    if (score > 0 && isinf(score))
        return tz_fail(opt_error, TZ_BAD_SCORE,
                       "%s is +infinity: only -infinity, for what is impossible, is allowed", cell);
    return tz_fail(opt_error, TZ_BAD_SCORE,
                   "%s is %s: beyond +-%g; -infinity says that something is impossible", cell,
                   number, limit);
}

/* Are these numbers of an input all within the limit, along a row? */
static bool finite_row(const checked *c, ptrdiff_t offset, ptrdiff_t step, size_t count) {
    bool all = true;
    tz_given_row row = {c->scores, offset, step};
    for (size_t done = 0, n; done < count && all; done += n) {
        double piece[256];
        n = count - done < 256 ? count - done : 256;
        tz_read_given(piece, &row, done, n);
        for (size_t i = 0; i < n; i++)
            all &= fabs(piece[i]) <= c->plan->wide.limit;
    }
    return all;
}

/* Of one of the rules' weights, not of what is declared for views. */
static tz_status check_cells(const checked *c, const tz_weight *weight, const tz_shape *shape,
                             tz_error *opt_error) {
    const tz_rules *rules = c->plan->rules;
    const unsigned which = (unsigned)(weight - rules->weight);
    const int32_t *lengths = c->lengths;
    tz_lane_scores lane = {.scores = *c->scores};
    memcpy(lane.origin, shape->origin, sizeof lane.origin);
    if (c->input == NULL && tz_array_allowed(c->plan, c->scores, shape))
        return TZ_OK;
    tz_rows rows;
    for (tz_rows_start(&rows, rules, which, lengths); tz_rows_next(&rows);) {
        ptrdiff_t offset = 0, step = 0;
        for (unsigned q = 0; q < rows.rank; q++) {
            offset += (ptrdiff_t)(rows.index[q] - shape->origin[q]) * c->scores->stride[q];
            step += (ptrdiff_t)rows.move[q] * c->scores->stride[q];
        }
        if (c->input == NULL ? tz_scores_allowed(c->plan, c->scores, offset, step, rows.count)
                             : finite_row(c, offset, step, rows.count))
            continue;
        /* Holes of the domain do not count: look at each cell of a row that seems bad. */
        for (size_t at = 0; at < rows.count; at++) {
            int64_t index[TZ_MAX_RANK];
            for (unsigned q = 0; q < rows.rank; q++)
                index[q] = rows.index[q] + (int64_t)at * rows.move[q];
            if (!tz_domain_holds(&weight->domain, rules->lengths, lengths, weight->rank, index))
                continue;
            tz_status status =
                check_score(c, weight, index, tz_lane_score(&lane, weight->rank, index), opt_error);
            if (status != TZ_OK)
                return status;
        }
    }
    return TZ_OK;
}

/* look: at the scores too. */
static tz_status check_dense(const checked *c, const tz_weight *weight, const tz_shape *shape,
                             bool look, tz_error *opt_error) {
    char name[NAME];
    bool any = true;
    for (unsigned q = 0; q < weight->rank; q++) {
        any &= shape->extent[q] > 0;
        if (c->scores->extent[q] < shape->extent[q]) {
            checked_name(c, weight, name);
            return tz_fail(opt_error, TZ_BAD_ARGUMENT,
                           "%s has %d positions in dimension %u, but needs %d: index %s runs to %d",
                           name, (int)c->scores->extent[q], q + 1, (int)shape->extent[q],
                           weight->index_name[q], (int)(shape->origin[q] + shape->extent[q] - 1));
        }
    }
    if (any && c->scores->data == NULL) {
        checked_name(c, weight, name);
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "%s has no data", name);
    }
    return any && look ? check_cells(c, weight, shape, opt_error) : TZ_OK;
}

/* Do all entries lie in the weight's domain? */
static bool all_inside(const checked *c, const tz_weight *weight) {
    const tz_scores *scores = c->scores;
    const int64_t none[TZ_MAX_RANK] = {0};
    bool inside = true;
    for (uint32_t d = 0; d < weight->domain.count && inside; d++) {
        const tz_constraint *constraint = &weight->domain.at[d];
        const int64_t apart = tz_form_value(&constraint->form, c->plan->rules->lengths, c->lengths,
                                            weight->rank, none);
        const int32_t *index = scores->index;
        for (size_t e = 0; e < scores->entries; e++) {
            int64_t value = apart;
            for (unsigned q = 0; q < weight->rank; q++)
                value += (int64_t)constraint->form.column[q] * *index++;
            inside &= constraint->relation == TZ_GE   ? value >= 0
                      : constraint->relation == TZ_EQ ? value == 0
                                                      : value != 0;
        }
    }
    return inside;
}

/* Are all entries in order, and so different? */
static bool all_ascend(const tz_scores *scores, unsigned rank) {
    bool ascend = rank > 0 || scores->entries < 2;
    for (size_t e = 1; e < scores->entries && ascend; e++) {
        const int32_t *index = scores->index + e * rank, *before = index - rank;
        unsigned q = 0;
        while (q + 1 < rank && index[q] == before[q])
            q++;
        ascend = index[q] > before[q];
    }
    return ascend;
}

/* known: the indices are right. */
static tz_status check_sparse(const checked *c, const tz_weight *weight, bool known,
                              tz_buffer *sorting, tz_error *opt_error) {
    const tz_scores *scores = c->scores;
    const int32_t *lengths = c->lengths;
    if (scores->entries == 0)
        return TZ_OK;
    if (scores->data == NULL || (weight->rank > 0 && scores->index == NULL))
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "%s has no data", weight->name);
    tz_status status = TZ_OK;
    tz_lane_scores lane = {.scores = *scores};
    char cell[CELL];
    const bool right = (known || all_inside(c, weight)) &&
                       tz_scores_allowed(c->plan, scores, 0, scores->stride[0], scores->entries);
    for (size_t e = 0; e < scores->entries && status == TZ_OK && !right; e++) {
        int64_t index[TZ_MAX_RANK] = {0};
        for (unsigned q = 0; q < weight->rank; q++)
            index[q] = scores->index[e * weight->rank + q];
        if (!tz_domain_holds(&weight->domain, c->plan->rules->lengths, lengths, weight->rank,
                             index)) {
            cell_text(c, weight, index, cell);
            status = tz_fail(opt_error, TZ_BAD_ARGUMENT,
                             "entry %zu: %s lies outside the declared domain %s", e, cell,
                             weight->domain_text);
        } else {
            status = check_score(c, weight, index, tz_entry_score(&lane, e), opt_error);
        }
    }
    if (status != TZ_OK || known || all_ascend(scores, weight->rank))
        return status;
    status = tz_sort_entries(scores, weight->rank, sorting);
    if (status != TZ_OK)
        return tz_fail(opt_error, status, "%s: %s", weight->name, tz_status_name(status));
    const tz_entry *sorted = sorting->data;
    for (size_t e = 1; e < scores->entries && status == TZ_OK; e++)
        if (memcmp(sorted[e].index, sorted[e - 1].index, sizeof sorted[e].index) == 0) {
            int64_t index[TZ_MAX_RANK];
            for (unsigned q = 0; q < TZ_MAX_RANK; q++)
                index[q] = sorted[e].index[q];
            cell_text(c, weight, index, cell);
            status = tz_fail(opt_error, TZ_BAD_ARGUMENT,
                             "entry %zu repeats %s of entry %zu: give each once", sorted[e].at,
                             cell, sorted[e - 1].at);
        }
    return status;
}

/* The numbers for the scores' entries, which have been checked. */
static tz_status check_sparse_input(const checked *c, const tz_weight *weight,
                                    const tz_scores *entries, tz_error *opt_error) {
    tz_status status = TZ_OK;
    if (c->scores->entries != entries->entries) {
        char name[NAME];
        checked_name(c, weight, name);
        return tz_fail(opt_error, TZ_BAD_ARGUMENT, "%s has %zu numbers for %zu entries", name,
                       c->scores->entries, entries->entries);
    }
    tz_lane_scores lane = {.scores = *c->scores};
    for (size_t e = 0; e < entries->entries && status == TZ_OK; e++) {
        int64_t index[TZ_MAX_RANK] = {0};
        for (unsigned q = 0; q < weight->rank; q++)
            index[q] = entries->index[e * weight->rank + q];
        status = check_score(c, weight, index, tz_entry_score(&lane, e), opt_error);
    }
    return status;
}

/* look: at the numbers of a dense weight too; entries: of a sparse one. */
static tz_status check_input(const checked *c, const tz_weight *weight, const tz_scores *entries,
                             const tz_shape *shape, bool look, tz_error *opt_error) {
    if (c->scores->data == NULL)
        return TZ_OK;
    return weight->sparse ? check_sparse_input(c, weight, entries, opt_error)
                          : check_dense(c, weight, shape, look, opt_error);
}

/* What is given of the semiring's inputs and the direction for a weight, the `which`th of
 * `weights`. */
static tz_status check_inputs(const tz_plan *plan, const tz_weight *weight, unsigned which,
                              unsigned weights, const tz_problem *problem, const tz_shape *shape,
                              bool look, tz_error *opt_error) {
    static const tz_input direction = {.name = "direction", .finite = true};
    const tz_semiring *s = plan->wide.semiring;
    const tz_scores *entries = &problem->scores[which];
    tz_status status = TZ_OK;
    for (size_t i = 0; i < s->inputs && problem->inputs != NULL && status == TZ_OK; i++) {
        checked c = {plan, &s->input[i], &problem->inputs[i * weights + which], problem->lengths};
        status = check_input(&c, weight, entries, shape, look, opt_error);
    }
    if (status == TZ_OK && problem->direction != NULL) {
        checked c = {plan, &direction, &problem->direction[which], problem->lengths};
        status = check_input(&c, weight, entries, shape, look, opt_error);
    }
    return status;
}

tz_status tz_check_lengths(const tz_rules *rules, const tz_problem *problem, tz_error *opt_error) {
    for (unsigned l = 0; l < rules->lengths; l++)
        if (problem->lengths[l] < 0 || problem->lengths[l] > TZ_MAX_LENGTH)
            return tz_fail(opt_error, TZ_BAD_ARGUMENT, "length %s is %d: it must be in 0..%d",
                           rules->length_name[l], (int)problem->lengths[l], TZ_MAX_LENGTH);
    return TZ_OK;
}

/* All that is given for one of these weights. look: at scores of dense ones, too. Inputs are always
 * looked at where that can be: of what is declared for views only what these look up is. known: the
 * indices of a sparse one are right. */
static tz_status check_weight(const tz_plan *plan, const tz_problem *problem,
                              const tz_weight *weights, unsigned count, unsigned which,
                              const tz_shape *shape, bool look, bool known, tz_buffer *sorting,
                              tz_error *opt_error) {
    const tz_weight *weight = &weights[which];
    const bool own = weights == plan->rules->weight;
    checked c = {plan, NULL, &problem->scores[which], problem->lengths};
    tz_status status = weight->sparse ? check_sparse(&c, weight, known, sorting, opt_error)
                                      : check_dense(&c, weight, shape, look && own, opt_error);
    return status == TZ_OK
               ? check_inputs(plan, weight, which, count, problem, shape, own, opt_error)
               : status;
}

tz_status tz_check_looked_up(const tz_plan *plan, const tz_problem *problem, unsigned declared,
                             tz_buffer *sorting, tz_error *opt_error) {
    const tz_rules *rules = plan->rules;
    tz_shape shape;
    tz_status status = tz_weight_shape(rules, &rules->declared[declared], problem->lengths, &shape);
    if (status != TZ_OK)
        return tz_fail(opt_error, status, "weight %s: %s", rules->declared[declared].name,
                       tz_status_name(status));
    const tz_scores *scores = &problem->scores[declared];
    if (scores->data == NULL && scores->entries == 0 && !tz_weight_used(rules, declared))
        return TZ_OK;
    return check_weight(plan, problem, rules->declared, rules->declareds, declared, &shape, false,
                        false, sorting, opt_error);
}

static tz_status check_memory(const tz_plan *plan, const int32_t *lengths, tz_error *opt_error) {
    const tz_rules *rules = plan->rules;
    const tz_algebra *algebra = plan->has_narrow ? &plan->narrow : &plan->wide;
    double scores = 0, items;
    for (unsigned w = 0; w < rules->weights; w++) {
        tz_shape shape;
        double cells = 1;
        if (rules->weight[w].sparse ||
            tz_weight_shape(rules, &rules->weight[w], lengths, &shape) != TZ_OK)
            continue;
        for (unsigned q = 0; q < rules->weight[w].rank; q++)
            cells *= shape.extent[q];
        scores += cells;
    }
    if (scores < many)
        return TZ_OK;
    tz_best_lanes(plan, lengths, &(int){true}, &items);
    tz_buffer room = {0};
    tz_status status = items * (double)algebra->size < 0x1p62
                           ? tz_buffer_reserve(&room, (size_t)items, algebra->size)
                           : TZ_TOO_LARGE;
    tz_buffer_free(&room);
    if (status != TZ_OK)
        return tz_fail(opt_error, status,
                       "%s: %.3g items of %zu bytes are more than there is room for", rules->name,
                       items, algebra->size);
    return TZ_OK;
}

/* Are the indices of all sparse weights those that were right last time? */
static bool are_known(const tz_rules *rules, const tz_problem *problem, const tz_given *memory) {
    return tz_indices_known_lengths(&memory->known, rules, problem->lengths) &&
           tz_indices_known(&memory->known, rules, problem);
}

tz_status tz_check_problem(const tz_plan *plan, const tz_problem *problem, bool dense,
                           tz_given *memory, tz_error *opt_error) {
    const tz_rules *rules = plan->rules;
    tz_status status = tz_check_lengths(rules, problem, opt_error);
    const bool known = status == TZ_OK && are_known(rules, problem, memory);
    if (status == TZ_OK && dense)
        status = check_memory(plan, problem->lengths, opt_error);
    for (unsigned w = 0; w < rules->weights && status == TZ_OK; w++) {
        tz_shape shape;
        status = tz_weight_shape(rules, &rules->weight[w], problem->lengths, &shape);
        if (status != TZ_OK)
            return tz_fail(opt_error, status, "weight %s: %s", rules->weight[w].name,
                           tz_status_name(status));
        if (rules->weight[w].view != NULL && problem->scores[w].data == NULL)
            continue; /* of a table that is right as a whole */
        status = check_weight(plan, problem, rules->weight, rules->weights, w, &shape, dense, known,
                              &memory->sorting, opt_error);
    }
    if (status == TZ_OK && !known && plan->sparse_terms > 0 &&
        (status = tz_indices_keep(&memory->known, rules, problem)) != TZ_OK)
        return tz_fail(opt_error, status, "%s: %s", rules->name, tz_status_name(status));
    return status == TZ_OK ? tz_check_facts(plan, problem, opt_error) : status;
}

tz_status tz_check_shapes(const tz_plan *plan, const tz_problem *problems, size_t count,
                          tz_given *memory) {
    const tz_rules *rules = plan->rules;
    tz_status status = TZ_OK;
    for (size_t i = 0; i < count && status == TZ_OK; i++)
        status = tz_check_lengths(rules, &problems[i], NULL);
    const bool known = status == TZ_OK && count > 0 && are_known(rules, problems, memory);
    for (unsigned w = 0; w < rules->weights; w++) {
        const tz_weight *weight = &rules->weight[w];
        tz_shape shape;
        for (size_t i = 0; i < count && status == TZ_OK; i++) {
            const bool same = i > 0 && memcmp(problems[i].lengths, problems[i - 1].lengths,
                                              rules->lengths * sizeof *problems[i].lengths) == 0;
            const bool right = i == 0
                                   ? known
                                   : same && weight->sparse &&
                                         tz_same_entries(&problems[i].scores[w],
                                                         &problems[i - 1].scores[w], weight->rank);
            if (!same)
                status = tz_weight_shape(rules, weight, problems[i].lengths, &shape);
            if (status == TZ_OK)
                status = check_weight(plan, &problems[i], rules->weight, rules->weights, w, &shape,
                                      false, right, &memory->sorting, NULL);
        }
    }
    if (status == TZ_OK && count > 0 && !known && plan->sparse_terms > 0)
        status = tz_indices_keep(&memory->known, rules, problems);
    for (size_t i = 0; i < count && status == TZ_OK; i++)
        status = tz_check_facts(plan, &problems[i], NULL);
    return status;
}
