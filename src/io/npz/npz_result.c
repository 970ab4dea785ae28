/* npz_result.c - what charts say, into npz_columns.h. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "io/json/inputs.h"
#include "io/npz/npz_columns.h"
#include "rules/table.h"

enum { MOST_NUMBERS = 8 }; /* that have names */

void tz_npz_output_failure(tz_npz_output *o, size_t row) {
    for (unsigned c = 0; c < o->columns; c++)
        tz_column_fill(o, &o->column[c], row, NAN);
}

/* What stands for nothing: no uses, no marginals, the score -infinity. */
static void clear(const tz_npz_output *o, size_t row) {
    for (unsigned i = 0; i < o->columns; i++) {
        tz_column_kind kind = o->column[i].kind;
        bool zero = kind == TZ_COLUMN_MARGINALS || kind == TZ_COLUMN_ITEM_MARGINALS ||
                    (kind == TZ_COLUMN_ITEMS && o->asked.semiring->gives != TZ_GIVES_SCORE);
        if (kind != TZ_COLUMN_VALUE && kind != TZ_COLUMN_NUMBER)
            tz_column_fill(o, &o->column[i], row, zero ? 0 : -INFINITY);
    }
}

/* ---- Structures ----------------------------------------------------------------------------- */

static int compare_indices(const int32_t *a, const int32_t *b, unsigned rank) {
    for (unsigned q = 0; q < rank; q++)
        if (a[q] != b[q])
            return a[q] < b[q] ? -1 : 1;
    return 0;
}

/* Among the uses of one weight, which are in order of their indices: how many are of this cell? */
static size_t count_uses(const tz_use *use, size_t uses, const int32_t *index, unsigned rank) {
    size_t low = 0, high = uses, count = 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_indices(use[middle].index, index, rank) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    while (low + count < uses && compare_indices(use[low + count].index, index, rank) == 0)
        count++;
    return count;
}

static tz_status put_uses(const tz_npz_output *o, const tz_column *c, size_t row, size_t copy,
                          const tz_problem *problem, const tz_derivation *derivation) {
    const tz_use *use = derivation->use, *end = use + derivation->uses, *last;
    unsigned rank = weights_of(&o->asked)[c->which].rank;
    uint8_t *data = tz_column_copy(o, c, row, copy);
    while (use < end && use->weight != c->which)
        use++;
    for (last = use; last < end && last->weight == c->which;)
        last++;
    if (c->sparse) {
        const tz_scores *scores = &problem->scores[c->which];
        for (size_t e = 0; e < scores->entries; e++) {
            size_t uses = count_uses(use, (size_t)(last - use), scores->index + e * rank, rank);
            data[e * c->copies] = (uint8_t)(uses < UINT8_MAX ? uses : UINT8_MAX);
        }
        return TZ_OK;
    }
    tz_shape shape;
    tz_status status = tz_rules_shape(o->asked.rules, c->which, problem->lengths, &shape);
    for (; use < last && status == TZ_OK; use++) {
        ptrdiff_t at = 0;
        for (unsigned q = 0; q < rank; q++)
            at += (use->index[q] - shape.origin[q]) * c->stride[q];
        data[at] += data[at] < UINT8_MAX;
    }
    return status;
}

/* A structure in the columns for scores and for uses. */
static tz_status put_structure(const tz_npz_output *o, tz_column_kind scores, tz_column_kind uses,
                               size_t row, size_t copy, const tz_problem *problem,
                               const tz_derivation *derivation) {
    tz_status status = TZ_OK;
    for (unsigned i = 0; i < o->columns && status == TZ_OK; i++) {
        const tz_column *c = &o->column[i];
        if (c->kind == scores)
            *(double *)tz_column_copy(o, c, row, copy) = derivation->score;
        else if (c->kind == uses)
            status = put_uses(o, c, row, copy, problem, derivation);
    }
    return status;
}

static tz_status put_kbest(const tz_npz_output *o, size_t row, const tz_problem *problem,
                           tz_chart *chart, size_t lane) {
    const tz_derivation *derivation;
    tz_kbest *list;
    tz_status status = tz_kbest_new(chart, lane, o->asked.questions->distinct, &list);
    if (status == TZ_OK)
        status = tz_kbest_within(list, o->asked.questions->within);
    for (size_t k = 0; k < o->asked.questions->kbest && status == TZ_OK; k++) {
        status = tz_kbest_next(list, &derivation);
        if (status == TZ_OK)
            status = put_structure(o, TZ_COLUMN_KBEST_SCORE, TZ_COLUMN_KBEST, row, k, problem,
                                   derivation);
    }
    tz_kbest_free(list);
    return status == TZ_NONE ? TZ_OK : status;
}

static tz_status put_samples(const tz_npz_output *o, size_t row, const tz_problem *problem,
                             uint64_t seed, tz_chart *chart, size_t lane) {
    const tz_derivation *derivation;
    tz_sampler *sampler;
    tz_status status =
        tz_sampler_new(chart, lane, seed, o->asked.questions->without_replacement, &sampler);
    for (size_t k = 0; k < o->asked.questions->samples && status == TZ_OK; k++) {
        status = tz_sampler_next(sampler, &derivation);
        if (status == TZ_OK)
            status = put_structure(o, TZ_COLUMN_SAMPLES_SCORE, TZ_COLUMN_SAMPLES, row, k, problem,
                                   derivation);
    }
    tz_sampler_free(sampler);
    return status == TZ_NONE ? TZ_OK : status;
}

/* ---- Answers -------------------------------------------------------------------------------- */

tz_status tz_npz_output_value(tz_npz_output *o, size_t row, double log_q, const tz_chart *chart,
                              size_t lane, bool *ret_none) {
    const tz_semiring *semiring = o->asked.semiring;
    double *value = tz_column_copy(o, &o->column[0], row, 0), named[MOST_NUMBERS];
    double *number = semiring->number_name != NULL ? named : value;
    size_t count = 0;
    if (semiring->number_name != NULL && semiring->numbers > MOST_NUMBERS)
        return TZ_TOO_LARGE;
    tz_column_fill(o, &o->column[0], row, -INFINITY);
    tz_status status = tz_item_values(chart, lane, TZ_GOAL, NULL, number, &count);
    if (status != TZ_OK)
        return status;
    *ret_none = count == 0 || (semiring->gives == TZ_GIVES_SCORE && *number == -INFINITY);
    *value = count == 0 ? -INFINITY : *number;
    for (unsigned i = 1; i < o->columns; i++) {
        const tz_column *c = &o->column[i];
        if (c->kind != TZ_COLUMN_NUMBER)
            continue;
        double *at = tz_column_copy(o, c, row, 0);
        *at = *ret_none ? -INFINITY
              : strcmp(semiring->number_name[c->which], "q") == 0
                  ? tz_divergence(log_q, number[1], number[c->which])
                  : number[c->which];
    }
    return TZ_OK;
}

tz_status tz_npz_output_amounts(tz_npz_output *o, size_t row, const tz_rules *charged,
                                const int32_t *lengths, const tz_chart *chart, size_t lane) {
    size_t item, count, numbers = tz_npz_numbers(o->asked.semiring);
    unsigned rank;
    int32_t index[TZ_MAX_RANK];
    double *value = tz_column_copy(o, &o->column[0], row, 0);
    tz_column_fill(o, &o->column[0], row, -INFINITY);
    tz_status status = tz_rules_goal(charged, lengths, &item, &rank, index);
    for (size_t amount = 0; amount < o->asked.amounts && status == TZ_OK; amount++) {
        index[rank - 1] = (int32_t)amount;
        status = tz_item_values(chart, lane, item, index, value + amount * numbers, &count);
    }
    return status;
}

typedef tz_status (*ask)(tz_chart *chart, size_t problem, size_t which, const tz_output *output);

/* What fills a column, with one number for each cell or item; NULL: it is filled otherwise. */
static ask question_of(tz_column_kind kind) {
    switch (kind) {
    case TZ_COLUMN_MARGINALS:
    case TZ_COLUMN_ITEM_MARGINALS:
        return tz_marginals;
    case TZ_COLUMN_MAX_MARGINALS:
    case TZ_COLUMN_ITEM_MAX_MARGINALS:
        return tz_through;
    case TZ_COLUMN_ITEMS:
        return tz_items;
    default:
        return NULL;
    }
}

tz_status tz_npz_output_asked(tz_npz_output *o, size_t row, const tz_problem *problem,
                              uint64_t seed, tz_chart *chart, size_t lane, bool none) {
    const tz_questions *questions = o->asked.questions;
    const tz_derivation *best;
    tz_status status = TZ_OK;
    clear(o, row);
    for (unsigned i = 0; i < o->columns && status == TZ_OK; i++) {
        const tz_column *c = &o->column[i];
        ask question = question_of(c->kind);
        if (question == NULL || (none && c->kind != TZ_COLUMN_ITEMS))
            continue;
        tz_output output = {.data = tz_column_copy(o, c, row, 0)};
        memcpy(output.stride, c->stride, sizeof output.stride);
        size_t which = c->which;
        if (c->kind >= TZ_COLUMN_ITEMS)
            which = questions->item[which] + (c->kind > TZ_COLUMN_ITEMS ? TZ_ITEM : 0);
        status = question(chart, lane, which, &output);
    }
    if (none || status != TZ_OK)
        return status;
    if (questions->best)
        status = tz_best(chart, lane, TZ_GOAL, NULL, &best);
    if (questions->best && status == TZ_OK)
        status = put_structure(o, TZ_COLUMN_BEST_SCORE, TZ_COLUMN_BEST, row, 0, problem, best);
    if (questions->kbest > 0 && status == TZ_OK)
        status = put_kbest(o, row, problem, chart, lane);
    if (questions->samples > 0 && status == TZ_OK)
        status = put_samples(o, row, problem, seed, chart, lane);
    return status;
}

tz_status tz_npz_output_min_risk(tz_npz_output *o, size_t row, const tz_problem *problem,
                                 const tz_derivation *opt_derivation) {
    return opt_derivation == NULL ? TZ_OK
                                  : put_structure(o, TZ_COLUMN_MIN_RISK_SCORE, TZ_COLUMN_MIN_RISK,
                                                  row, 0, problem, opt_derivation);
}

tz_status tz_npz_output_limited(tz_npz_output *o, size_t row, const tz_problem *problem,
                                const tz_limited *opt_limited) {
    clear(o, row);
    *(double *)tz_column_copy(o, &o->column[0], row, 0) =
        opt_limited != NULL ? opt_limited->score : -INFINITY;
    return opt_limited != NULL && o->asked.questions->best
               ? put_structure(o, TZ_COLUMN_BEST_SCORE, TZ_COLUMN_BEST, row, 0, problem,
                               opt_limited->derivation)
               : TZ_OK;
}
