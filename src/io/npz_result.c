/* npz_result.c - see npz_result.h. SPDX-License-Identifier: MIT */
#include "io/npz_result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/npz_write.h"
#include "io/text.h"
#include "rules/table.h"

typedef enum kind {
    VALUE,
    BEST_SCORE,
    KBEST_SCORE,
    SAMPLES_SCORE,
    MIN_RISK_SCORE, /* the kinds up to here have no weight */
    BEST,
    KBEST,
    SAMPLES,
    MIN_RISK,
    MARGINALS,
    MAX_MARGINALS
} kind;

static const char *const kind_name[] = {
    [VALUE] = "value",
    [BEST_SCORE] = "best.score",
    [KBEST_SCORE] = "kbest.score",
    [SAMPLES_SCORE] = "samples.score",
    [MIN_RISK_SCORE] = "min_risk.score",
    [MIN_RISK] = "min_risk",
    [BEST] = "best",
    [KBEST] = "kbest",
    [SAMPLES] = "samples",
    [MARGINALS] = "marginals",
    [MAX_MARGINALS] = "max_marginals",
};

/* One array of the file, and the rows of the batch. */
typedef struct column {
    kind kind;
    unsigned weight;
    bool sparse;
    size_t size;   /* bytes of an element */
    size_t copies; /* of a list: how many structures or numbers a problem has */
    size_t cells;  /* elements of a copy, or 1 for sparse ones, whose entries have all copies */
    ptrdiff_t stride[TZ_MAX_RANK];
    void *data;
    size_t capacity;
} column;

struct tz_npz_output {
    const tz_npz_input *input;
    const tz_rules *rules;
    const tz_semiring *semiring;
    tz_wanted wanted;
    size_t amounts; /* values for each amount 0..amounts - 1; 0: for the goal alone */
    tz_npz_writer *writer;
    column *column;
    unsigned columns;
};

/* ---- Columns ------------------------------------------------------------------------------- */

/* Numbers of an element. */
static size_t numbers_of(const tz_semiring *semiring) {
    return semiring->values != NULL && semiring->number_name == NULL ? semiring->numbers : 1;
}

/* How many a problem has: 0 if it is not wanted. */
static size_t copies_of(kind kind, const tz_semiring *semiring, const tz_wanted *wanted,
                        size_t amounts) {
    switch (kind) {
    case VALUE:
        return (amounts > 0 ? amounts : 1) * numbers_of(semiring);
    case BEST_SCORE:
    case BEST:
        return wanted->best;
    case KBEST_SCORE:
    case KBEST:
        return wanted->kbest;
    case SAMPLES_SCORE:
    case SAMPLES:
        return wanted->samples;
    case MIN_RISK_SCORE:
    case MIN_RISK:
        return wanted->min_risk;
    case MARGINALS:
        return wanted->marginals;
    case MAX_MARGINALS:
        return wanted->max_marginals;
    }
    return 0;
}

static bool counts_uses(kind kind) {
    return kind == BEST || kind == KBEST || kind == SAMPLES || kind == MIN_RISK;
}

/* Has the array an axis for its copies, however many? */
static bool is_list(kind kind) {
    return kind == KBEST_SCORE || kind == SAMPLES_SCORE || kind == KBEST || kind == SAMPLES;
}

static size_t element_size(kind kind) {
    return counts_uses(kind) ? sizeof(uint8_t) : sizeof(double);
}

static size_t cells_of(const tz_npz_input *input, const tz_weight *weight, size_t which) {
    size_t cells = 1; /* the product of an array in a file, so it fits */
    for (unsigned q = 0; q < weight->rank && !weight->sparse; q++)
        cells *= (size_t)tz_npz_input_extent(input, which)[q];
    return cells;
}

size_t tz_npz_output_row(const tz_npz_input *input, const tz_rules *rules,
                         const tz_semiring *semiring, const tz_wanted *wanted, size_t amounts) {
    size_t bytes = 0;
    for (kind kind = VALUE; kind <= MAX_MARGINALS; kind++)
        for (unsigned w = 0; w < (kind < BEST ? 1 : rules->weights); w++) {
            size_t size = element_size(kind);
            if (kind >= BEST)
                size *= rules->weight[w].sparse ? 0 : cells_of(input, &rules->weight[w], w);
            if (__builtin_mul_overflow(size, copies_of(kind, semiring, wanted, amounts), &size) ||
                __builtin_add_overflow(bytes, size, &bytes))
                return SIZE_MAX;
        }
    return bytes;
}

/* The shape of an array: problems or entries, copies, cells. Returns its rank. */
static unsigned shape_of(const tz_npz_output *o, column *c, uint64_t extent[3 + TZ_MAX_RANK]) {
    const tz_weight *weight = c->kind >= BEST ? &o->rules->weight[c->weight] : NULL;
    unsigned rank = 0;
    extent[rank++] =
        c->sparse ? tz_npz_input_entries(o->input, c->weight) : tz_npz_input_problems(o->input);
    if (c->kind == VALUE && o->amounts > 0)
        extent[rank++] = o->amounts;
    if (c->kind == VALUE && (numbers_of(o->semiring) > 1 || o->semiring->numbers == 1))
        extent[rank++] = numbers_of(o->semiring);
    if (is_list(c->kind))
        extent[rank++] = c->copies;
    if (c->sparse)
        c->stride[0] = (ptrdiff_t)c->copies;
    ptrdiff_t stride = 1;
    for (unsigned q = weight != NULL && !c->sparse ? weight->rank : 0; q-- > 0;) {
        extent[rank + q] = (uint64_t)tz_npz_input_extent(o->input, c->weight)[q];
        c->stride[q] = stride;
        stride *= (ptrdiff_t)extent[rank + q];
    }
    return rank + (weight != NULL && !c->sparse ? weight->rank : 0);
}

static tz_status add_column(tz_npz_output *o, kind kind, unsigned which, size_t copies,
                            tz_error *error) {
    uint64_t extent[3 + TZ_MAX_RANK];
    column *c = &o->column[o->columns++];
    *c = (column){
        .kind = kind, .weight = which, .size = element_size(kind), .cells = 1, .copies = copies};
    const char *descr = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "<f8" : ">f8";
    descr = counts_uses(kind) ? "|u1" : descr;
    if (kind < BEST) {
        unsigned rank = shape_of(o, c, extent);
        return tz_npz_writer_add(o->writer, kind == VALUE && rank > 1 ? "values" : kind_name[kind],
                                 descr, c->size, rank, extent, error);
    }
    const tz_weight *weight = &o->rules->weight[which];
    c->sparse = weight->sparse;
    c->cells = cells_of(o->input, weight, which);
    unsigned rank = shape_of(o, c, extent);
    char *name = malloc(strlen(kind_name[kind]) + strlen(weight->name) + 2);
    if (name == NULL) {
        *error = (tz_error){TZ_NO_MEMORY, "out of memory"};
        return TZ_NO_MEMORY;
    }
    sprintf(name, "%s.%s", kind_name[kind], weight->name);
    tz_status status = tz_npz_writer_add(o->writer, name, descr, c->size, rank, extent, error);
    free(name);
    return status;
}

tz_status tz_npz_output_new(const char *path, const tz_npz_input *input, const tz_rules *rules,
                            const tz_semiring *semiring, const tz_wanted *wanted, size_t amounts,
                            tz_npz_output **ret_output, tz_error *error) {
    tz_npz_output *o = calloc(1, sizeof *o);
    tz_status status = TZ_OK;
    *ret_output = NULL;
    if (o != NULL) {
        *o = (tz_npz_output){.input = input,
                             .rules = rules,
                             .semiring = semiring,
                             .wanted = *wanted,
                             .amounts = amounts};
        o->column = calloc(BEST + (MAX_MARGINALS + 1u - BEST) * rules->weights, sizeof *o->column);
    }
    if (o == NULL || o->column == NULL) {
        *error = (tz_error){TZ_NO_MEMORY, "out of memory"};
        status = TZ_NO_MEMORY;
    }
    if (status == TZ_OK)
        status = tz_npz_writer_new(path, &o->writer, error);
    for (kind kind = VALUE; kind <= MAX_MARGINALS && status == TZ_OK; kind++) {
        size_t copies = copies_of(kind, semiring, wanted, amounts);
        for (unsigned w = 0; w < (kind < BEST ? 1 : rules->weights) && status == TZ_OK; w++)
            if (copies > 0)
                status = add_column(o, kind, w, copies, error);
    }
    if (status == TZ_OK)
        *ret_output = o;
    else
        tz_npz_output_free(o);
    return status;
}

void tz_npz_output_free(tz_npz_output *o) {
    if (o == NULL)
        return;
    for (unsigned c = 0; c < o->columns; c++)
        free(o->column[c].data);
    free(o->column);
    tz_npz_writer_free(o->writer);
    free(o);
}

/* ---- Rows ---------------------------------------------------------------------------------- */

/* The first element of problem `row`; row = count: how many there are. */
static size_t first(const tz_npz_output *o, const column *c, size_t row) {
    return (c->sparse ? tz_npz_input_first(o->input, c->weight, row) : row * c->cells) * c->copies;
}

/* A copy of problem `row`. */
static void *copy_data(const tz_npz_output *o, const column *c, size_t row, size_t copy) {
    size_t at = first(o, c, row) + copy * (c->sparse ? 1 : c->cells);
    return (char *)c->data + at * c->size;
}

tz_status tz_npz_output_begin(tz_npz_output *o, size_t count, tz_error *error) {
    for (unsigned i = 0; i < o->columns; i++) {
        column *c = &o->column[i];
        size_t cells;
        if (__builtin_mul_overflow(c->cells, c->copies, &cells) ||
            (!c->sparse && __builtin_mul_overflow(count, cells, &cells)) ||
            !tz_grow(&c->data, &c->capacity, first(o, c, count) + 1, c->size)) {
            error->status = TZ_NO_MEMORY;
            snprintf(error->message, sizeof error->message,
                     "out of memory for the results of %zu problems at a time; give a smaller "
                     "--batch",
                     count);
            return TZ_NO_MEMORY;
        }
    }
    return TZ_OK;
}

/* All copies of a row. */
static void fill(const tz_npz_output *o, const column *c, size_t row, double number) {
    size_t count = first(o, c, row + 1) - first(o, c, row);
    double *data = copy_data(o, c, row, 0);
    if (counts_uses(c->kind) || number == 0) {
        memset(data, 0, count * c->size);
        return;
    }
    for (size_t i = 0; i < count; i++)
        data[i] = number;
}

void tz_npz_output_failure(tz_npz_output *o, size_t row) {
    for (unsigned c = 0; c < o->columns; c++)
        fill(o, &o->column[c], row, NAN);
}

/* What stands for nothing: no uses, no marginals, the score -infinity. */
static void clear(const tz_npz_output *o, size_t row) {
    for (unsigned i = 0; i < o->columns; i++)
        if (o->column[i].kind != VALUE)
            fill(o, &o->column[i], row, o->column[i].kind == MARGINALS ? 0 : -INFINITY);
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

static tz_status put_uses(const tz_npz_output *o, const column *c, size_t row, size_t copy,
                          const tz_problem *problem, const tz_derivation *derivation) {
    const tz_use *use = derivation->use, *end = use + derivation->uses, *last;
    unsigned rank = o->rules->weight[c->weight].rank;
    uint8_t *data = copy_data(o, c, row, copy);
    while (use < end && use->weight != c->weight)
        use++;
    for (last = use; last < end && last->weight == c->weight;)
        last++;
    if (c->sparse) {
        const tz_scores *scores = &problem->scores[c->weight];
        for (size_t e = 0; e < scores->entries; e++) {
            size_t uses = count_uses(use, (size_t)(last - use), scores->index + e * rank, rank);
            data[e * c->copies] = (uint8_t)(uses < UINT8_MAX ? uses : UINT8_MAX);
        }
        return TZ_OK;
    }
    tz_shape shape;
    tz_status status = tz_rules_shape(o->rules, c->weight, problem->lengths, &shape);
    for (; use < last && status == TZ_OK; use++) {
        ptrdiff_t at = 0;
        for (unsigned q = 0; q < rank; q++)
            at += (use->index[q] - shape.origin[q]) * c->stride[q];
        data[at] += data[at] < UINT8_MAX;
    }
    return status;
}

/* A structure in the columns for scores and for uses. */
static tz_status put_structure(const tz_npz_output *o, kind scores, kind uses, size_t row,
                               size_t copy, const tz_problem *problem,
                               const tz_derivation *derivation) {
    tz_status status = TZ_OK;
    for (unsigned i = 0; i < o->columns && status == TZ_OK; i++) {
        const column *c = &o->column[i];
        if (c->kind == scores)
            *(double *)copy_data(o, c, row, copy) = derivation->score;
        else if (c->kind == uses)
            status = put_uses(o, c, row, copy, problem, derivation);
    }
    return status;
}

static tz_status put_kbest(const tz_npz_output *o, size_t row, const tz_problem *problem,
                           tz_chart *chart, size_t lane) {
    const tz_derivation *derivation;
    tz_kbest *list;
    tz_status status = tz_kbest_new(chart, lane, o->wanted.distinct, &list);
    for (size_t k = 0; k < o->wanted.kbest && status == TZ_OK; k++) {
        status = tz_kbest_next(list, &derivation);
        if (status == TZ_OK)
            status = put_structure(o, KBEST_SCORE, KBEST, row, k, problem, derivation);
    }
    tz_kbest_free(list);
    return status == TZ_NONE ? TZ_OK : status;
}

static tz_status put_samples(const tz_npz_output *o, size_t row, const tz_problem *problem,
                             uint64_t seed, tz_chart *chart, size_t lane) {
    const tz_derivation *derivation;
    tz_sampler *sampler;
    tz_status status = tz_sampler_new(chart, lane, seed, o->wanted.without_replacement, &sampler);
    for (size_t k = 0; k < o->wanted.samples && status == TZ_OK; k++) {
        status = tz_sampler_next(sampler, &derivation);
        if (status == TZ_OK)
            status = put_structure(o, SAMPLES_SCORE, SAMPLES, row, k, problem, derivation);
    }
    tz_sampler_free(sampler);
    return status == TZ_NONE ? TZ_OK : status;
}

/* ---- Answers -------------------------------------------------------------------------------- */

tz_status tz_npz_output_value(tz_npz_output *o, size_t row, const tz_chart *chart, size_t lane,
                              bool *ret_none) {
    size_t count = 0;
    double *value = copy_data(o, &o->column[0], row, 0);
    fill(o, &o->column[0], row, -INFINITY);
    tz_status status = tz_goal_values(chart, lane, value, &count);
    *ret_none = count == 0 || (o->semiring->gives == TZ_GIVES_SCORE && *value == -INFINITY);
    return status;
}

tz_status tz_npz_output_amounts(tz_npz_output *o, size_t row, const tz_rules *charged,
                                const int32_t *lengths, const tz_chart *chart, size_t lane) {
    size_t item, count, numbers = numbers_of(o->semiring);
    unsigned rank;
    int32_t index[TZ_MAX_RANK];
    double *value = copy_data(o, &o->column[0], row, 0);
    fill(o, &o->column[0], row, -INFINITY);
    tz_status status = tz_rules_goal(charged, lengths, &item, &rank, index);
    for (size_t amount = 0; amount < o->amounts && status == TZ_OK; amount++) {
        index[rank - 1] = (int32_t)amount;
        status = tz_item_values(chart, lane, item, index, value + amount * numbers, &count);
    }
    return status;
}

tz_status tz_npz_output_asked(tz_npz_output *o, size_t row, const tz_problem *problem,
                              uint64_t seed, tz_chart *chart, size_t lane, bool none) {
    const tz_derivation *best;
    tz_status status = TZ_OK;
    clear(o, row);
    if (none)
        return TZ_OK;
    if (o->wanted.best)
        status = tz_best(chart, lane, &best);
    if (o->wanted.best && status == TZ_OK)
        status = put_structure(o, BEST_SCORE, BEST, row, 0, problem, best);
    if (o->wanted.kbest > 0 && status == TZ_OK)
        status = put_kbest(o, row, problem, chart, lane);
    if (o->wanted.samples > 0 && status == TZ_OK)
        status = put_samples(o, row, problem, seed, chart, lane);
    for (unsigned i = 0; i < o->columns && status == TZ_OK; i++) {
        const column *c = &o->column[i];
        tz_output output = {.data = copy_data(o, c, row, 0)};
        memcpy(output.stride, c->stride, sizeof output.stride);
        if (c->kind == MARGINALS)
            status = tz_marginals(chart, lane, c->weight, &output);
        else if (c->kind == MAX_MARGINALS)
            status = tz_through(chart, lane, c->weight, &output);
    }
    return status;
}

tz_status tz_npz_output_min_risk(tz_npz_output *o, size_t row, const tz_problem *problem,
                                 const tz_derivation *opt_derivation) {
    return opt_derivation == NULL
               ? TZ_OK
               : put_structure(o, MIN_RISK_SCORE, MIN_RISK, row, 0, problem, opt_derivation);
}

tz_status tz_npz_output_limited(tz_npz_output *o, size_t row, const tz_problem *problem,
                                const tz_limited *opt_limited) {
    clear(o, row);
    *(double *)copy_data(o, &o->column[0], row, 0) =
        opt_limited != NULL ? opt_limited->score : -INFINITY;
    return opt_limited != NULL && o->wanted.best
               ? put_structure(o, BEST_SCORE, BEST, row, 0, problem, opt_limited->derivation)
               : TZ_OK;
}

tz_status tz_npz_output_write(tz_npz_output *o, size_t count, tz_error *error) {
    tz_status status = TZ_OK;
    for (unsigned i = 0; i < o->columns && count > 0 && status == TZ_OK; i++) {
        const column *c = &o->column[i];
        size_t rows = c->sparse ? tz_npz_input_first(o->input, c->weight, count) : count;
        status = tz_npz_writer_rows(o->writer, i, rows, c->data, error);
    }
    return status;
}

tz_status tz_npz_output_commit(tz_npz_output *o, tz_error *error) {
    return tz_npz_writer_commit(o->writer, error);
}
