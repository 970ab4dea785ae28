/* npz_result.c - what charts say, into npz_columns.h. SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "io/npz/npz_columns.h"
#include "io/values.h"
#include "rules/table.h"

enum { MOST_NUMBERS = 8 }; /* that have names */

void tz_npz_output_failure(tz_npz_output *o, size_t row) {
    for (unsigned c = 0; c < o->columns; c++)
        tz_column_fill(o, &o->column[c], row, NAN);
}

/* What stands for nothing: no uses, no marginals, the score -infinity. */
static void clear(const tz_npz_output *o, size_t row) {
    for (unsigned i = 0; i < o->columns; i++) {
        const tz_question *question = o->column[i].question;
        bool zero = question == &tz_question_table[TZ_ASK_ITEMS] &&
                    o->asked.semiring->gives != TZ_GIVES_SCORE;
        if (question != NULL)
            tz_column_fill(o, &o->column[i], row,
                           question->structures != NULL ? -INFINITY
                           : zero                       ? 0
                                                        : question->nothing);
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
    uint32_t *data = tz_column_copy(o, c, row, copy);
    while (use < end && use->weight != c->which)
        use++;
    for (last = use; last < end && last->weight == c->which;)
        last++;
    if (c->sparse) {
        const tz_scores *scores = &problem->scores[c->which];
        for (size_t e = 0; e < scores->entries; e++) {
            data[e * c->copies] =
                (uint32_t)count_uses(use, (size_t)(last - use), scores->index + e * rank, rank);
        }
        return TZ_OK;
    }
    tz_shape shape;
    tz_status status = tz_rules_shape(o->asked.rules, c->which, problem->lengths, &shape);
    for (; use < last && status == TZ_OK; use++) {
        ptrdiff_t at = 0;
        for (unsigned q = 0; q < rank; q++)
            at += (use->index[q] - shape.origin[q]) * c->stride[q];
        data[at]++;
    }
    return status;
}

/* Where structures go. */
typedef struct row {
    const tz_npz_output *output;
    const tz_question *question;
    size_t row;
    const tz_problem *problem;
} row;

static tz_status put_structure(void *of, size_t k, const tz_derivation *derivation) {
    const row *to = of;
    const tz_npz_output *o = to->output;
    tz_status status = TZ_OK;
    for (unsigned i = 0; i < o->columns && status == TZ_OK; i++) {
        const tz_column *c = &o->column[i];
        if (c->question == to->question && c->which == TZ_SCORE)
            *(double *)tz_column_copy(o, c, to->row, k) = derivation->score;
        else if (c->question == to->question)
            status = put_uses(o, c, to->row, k, to->problem, derivation);
    }
    return status;
}

/* ---- Answers -------------------------------------------------------------------------------- */

tz_status tz_npz_output_value(tz_npz_output *o, size_t row, double log_q, const tz_chart *chart,
                              size_t lane, bool *ret_none) {
    const tz_semiring *semiring = o->asked.semiring;
    double *value = tz_column_copy(o, &o->column[0], row, 0), named[MOST_NUMBERS];
    double *number = semiring->number_name != NULL ? named : value;
    size_t count;
    if (semiring->number_name != NULL && semiring->numbers > MOST_NUMBERS)
        return TZ_TOO_LARGE;
    tz_column_fill(o, &o->column[0], row, -INFINITY);
    tz_status status = tz_read_value(semiring, log_q, chart, lane, number, &count, ret_none);
    *value = status == TZ_OK ? *number : -INFINITY;
    for (unsigned i = 1; i < o->columns && status == TZ_OK; i++)
        if (o->column[i].question == NULL)
            *(double *)tz_column_copy(o, &o->column[i], row, 0) = number[o->column[i].which];
    return status;
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

static tz_status put_numbers(const tz_npz_output *o, const tz_question *question, size_t row,
                             const tz_asking *a) {
    const bool items = question->form == TZ_FORM_ITEMS;
    tz_status status = TZ_OK;
    for (unsigned i = 0; i < o->columns && status == TZ_OK; i++) {
        const tz_column *c = &o->column[i];
        if (c->question != question)
            continue;
        tz_output output = {.data = tz_column_copy(o, c, row, 0)};
        memcpy(output.stride, c->stride, sizeof output.stride);
        const size_t which = items ? o->asked.questions->item[c->which] : c->which;
        status = question->numbers(a->chart, a->lane, question->first + which, &output);
    }
    return status;
}

tz_status tz_npz_output_asked(tz_npz_output *o, size_t row, const tz_problem *problem,
                              const tz_asking *a) {
    tz_status status = TZ_OK;
    clear(o, row);
    for (tz_ask which = 0; which < TZ_QUESTIONS && status == TZ_OK; which++) {
        const tz_question *question = &tz_question_table[which];
        if (tz_asked(o->asked.questions, which) == 0 ||
            (a->none && (question->outside || question->numbers == NULL)))
            continue;
        if (question->numbers != NULL) {
            status = put_numbers(o, question, row, a);
            continue;
        }
        struct row to = {o, question, row, problem};
        status = question->structures(a, put_structure, &to);
        status = status == TZ_NONE ? TZ_OK : status;
    }
    return status;
}

tz_status tz_npz_output_limited(tz_npz_output *o, size_t row, const tz_problem *problem,
                                const tz_limited *opt_limited) {
    struct row to = {o, &tz_question_table[TZ_ASK_BEST], row, problem};
    clear(o, row);
    *(double *)tz_column_copy(o, &o->column[0], row, 0) =
        opt_limited != NULL ? opt_limited->score : -INFINITY;
    return opt_limited != NULL ? put_structure(&to, 0, opt_limited->derivation) : TZ_OK;
}
