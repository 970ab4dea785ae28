/* npz_result.c - see npz_result.h. SPDX-License-Identifier: MIT */
#include "io/npz_result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/npz_write.h"
#include "io/text.h"
#include "rules/table.h"

typedef enum kind { VALUE, BEST_SCORE, BEST, MARGINALS, MAX_MARGINALS } kind;

static const char *const kind_name[] = {
    [VALUE] = "value",         [BEST_SCORE] = "best.score",       [BEST] = "best",
    [MARGINALS] = "marginals", [MAX_MARGINALS] = "max_marginals",
};

/* One array of the file, and the rows of the batch. */
typedef struct column {
    kind kind;
    unsigned weight;
    bool sparse;
    size_t size, cells; /* bytes of an element; elements of a problem, or 1 for sparse ones */
    ptrdiff_t stride[TZ_MAX_RANK];
    void *data;
    size_t capacity;
} column;

struct tz_npz_output {
    const tz_npz_input *input;
    const tz_rules *rules;
    const tz_semiring *semiring;
    tz_npz_writer *writer;
    column *column;
    unsigned columns;
};

/* ---- Columns ------------------------------------------------------------------------------- */

static bool is_wanted(kind kind, const tz_wanted *wanted) {
    return kind == VALUE || (kind == MARGINALS && wanted->marginals) ||
           (kind == MAX_MARGINALS && wanted->max_marginals) ||
           ((kind == BEST_SCORE || kind == BEST) && wanted->best);
}

static size_t element_size(kind kind) {
    return kind == BEST ? sizeof(uint8_t) : sizeof(double);
}

static size_t cells_of(const tz_npz_input *input, const tz_weight *weight, size_t which) {
    size_t cells = 1; /* the product of an array in a file, so it fits */
    for (unsigned q = 0; q < weight->rank && !weight->sparse; q++)
        cells *= (size_t)tz_npz_input_extent(input, which)[q];
    return cells;
}

size_t tz_npz_output_row(const tz_npz_input *input, const tz_rules *rules,
                         const tz_wanted *wanted) {
    size_t bytes = sizeof(double);
    for (unsigned w = 0; w < rules->weights; w++)
        for (kind kind = BEST; kind <= MAX_MARGINALS; kind++)
            if (is_wanted(kind, wanted) && !rules->weight[w].sparse)
                bytes += cells_of(input, &rules->weight[w], w) * element_size(kind);
    return bytes;
}

static tz_status add_column(tz_npz_output *o, kind kind, unsigned which, tz_error *error) {
    uint64_t extent[1 + TZ_MAX_RANK] = {tz_npz_input_problems(o->input)};
    column *c = &o->column[o->columns++];
    unsigned rank = 0;
    *c = (column){.kind = kind, .weight = which, .size = element_size(kind), .cells = 1};
    const char *descr = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "<f8" : ">f8";
    descr = kind == BEST ? "|u1" : descr;
    if (kind <= BEST_SCORE)
        return tz_npz_writer_add(o->writer, kind_name[kind], descr, c->size, 1, extent, error);

    const tz_weight *weight = &o->rules->weight[which];
    char *name = malloc(strlen(kind_name[kind]) + strlen(weight->name) + 2);
    if (name == NULL) {
        *error = (tz_error){TZ_NO_MEMORY, "out of memory"};
        return TZ_NO_MEMORY;
    }
    sprintf(name, "%s.%s", kind_name[kind], weight->name);
    c->sparse = weight->sparse;
    c->cells = cells_of(o->input, weight, which);
    if (weight->sparse)
        extent[0] = tz_npz_input_entries(o->input, which);
    else
        rank = weight->rank;
    ptrdiff_t stride = 1;
    for (unsigned q = rank; q-- > 0;) {
        extent[q + 1] = (uint64_t)tz_npz_input_extent(o->input, which)[q];
        c->stride[q] = stride;
        stride *= (ptrdiff_t)extent[q + 1];
    }
    if (weight->sparse)
        c->stride[0] = 1;
    tz_status status = tz_npz_writer_add(o->writer, name, descr, c->size, rank + 1, extent, error);
    free(name);
    return status;
}

tz_status tz_npz_output_new(const char *path, const tz_npz_input *input, const tz_rules *rules,
                            const tz_semiring *semiring, const tz_wanted *wanted,
                            tz_npz_output **ret_output, tz_error *error) {
    tz_npz_output *o = calloc(1, sizeof *o);
    tz_status status = TZ_OK;
    *ret_output = NULL;
    if (o != NULL) {
        *o = (tz_npz_output){.input = input, .rules = rules, .semiring = semiring};
        o->column = calloc(2 + 3u * rules->weights, sizeof *o->column);
    }
    if (o == NULL || o->column == NULL) {
        *error = (tz_error){TZ_NO_MEMORY, "out of memory"};
        status = TZ_NO_MEMORY;
    }
    if (status == TZ_OK)
        status = tz_npz_writer_new(path, &o->writer, error);
    for (kind kind = VALUE; kind <= MAX_MARGINALS && status == TZ_OK; kind++)
        for (unsigned w = 0; w < (kind <= BEST_SCORE ? 1 : rules->weights) && status == TZ_OK; w++)
            if (is_wanted(kind, wanted))
                status = add_column(o, kind, w, error);
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
    return c->sparse ? tz_npz_input_first(o->input, c->weight, row) : row * c->cells;
}

static void *row_data(const tz_npz_output *o, const column *c, size_t row) {
    return (char *)c->data + first(o, c, row) * c->size;
}

tz_status tz_npz_output_begin(tz_npz_output *o, size_t count, tz_error *error) {
    for (unsigned i = 0; i < o->columns; i++) {
        column *c = &o->column[i];
        size_t cells;
        if ((!c->sparse && __builtin_mul_overflow(count, c->cells, &cells)) ||
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

static void fill(const tz_npz_output *o, const column *c, size_t row, double number) {
    size_t count = first(o, c, row + 1) - first(o, c, row);
    double *data = row_data(o, c, row);
    if (c->kind == BEST || number == 0) {
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

static tz_status put_uses(const tz_npz_output *o, const column *c, size_t row,
                          const tz_problem *problem, const tz_derivation *derivation) {
    const tz_use *use = derivation->use, *end = use + derivation->uses, *last;
    unsigned rank = o->rules->weight[c->weight].rank;
    uint8_t *data = row_data(o, c, row);
    while (use < end && use->weight != c->weight)
        use++;
    for (last = use; last < end && last->weight == c->weight;)
        last++;
    if (c->sparse) {
        const tz_scores *scores = &problem->scores[c->weight];
        for (size_t e = 0; e < scores->entries; e++) {
            size_t uses = count_uses(use, (size_t)(last - use), scores->index + e * rank, rank);
            data[e] = (uint8_t)(uses < UINT8_MAX ? uses : UINT8_MAX);
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

tz_status tz_npz_output_result(tz_npz_output *o, size_t row, const tz_problem *problem,
                               tz_chart *chart, size_t lane) {
    const tz_derivation *derivation = NULL;
    double value;
    tz_status status = tz_goal(chart, lane, &value);
    bool none = o->semiring->gives == TZ_GIVES_SCORE && value == -INFINITY;
    for (unsigned i = 0; i < o->columns && status == TZ_OK; i++) {
        const column *c = &o->column[i];
        tz_output output = {.data = row_data(o, c, row)};
        memcpy(output.stride, c->stride, sizeof output.stride);
        if ((c->kind == BEST_SCORE || c->kind == BEST) && !none && derivation == NULL &&
            (status = tz_best(chart, lane, &derivation)) != TZ_OK)
            break;
        switch (c->kind) {
        case VALUE:
            *output.data = value;
            break;
        case BEST_SCORE:
            *output.data = none ? -INFINITY : derivation->score;
            break;
        case BEST:
            fill(o, c, row, 0);
            if (!none)
                status = put_uses(o, c, row, problem, derivation);
            break;
        case MARGINALS:
            fill(o, c, row, 0);
            if (!none)
                status = tz_marginals(chart, lane, c->weight, &output);
            break;
        case MAX_MARGINALS:
            fill(o, c, row, -INFINITY);
            if (!none)
                status = tz_through(chart, lane, c->weight, &output);
            break;
        }
    }
    return status;
}

tz_status tz_npz_output_write(tz_npz_output *o, size_t count, tz_error *error) {
    tz_status status = TZ_OK;
    for (unsigned i = 0; i < o->columns && count > 0 && status == TZ_OK; i++) {
        const column *c = &o->column[i];
        size_t rows = c->sparse ? first(o, c, count) : count;
        status = tz_npz_writer_rows(o->writer, i, rows, c->data, error);
    }
    return status;
}

tz_status tz_npz_output_commit(tz_npz_output *o, tz_error *error) {
    return tz_npz_writer_commit(o->writer, error);
}
