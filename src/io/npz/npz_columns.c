/* npz_columns.c - see npz_columns.h. SPDX-License-Identifier: MIT */
#include "io/npz/npz_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/grow.h"
#include "base/text.h"
#include "io/json/inputs.h"
#include "rules/table.h"

static const char *const kind_name[] = {
    [TZ_COLUMN_VALUE] = "value",
    [TZ_COLUMN_BEST_SCORE] = "best.score",
    [TZ_COLUMN_KBEST_SCORE] = "kbest.score",
    [TZ_COLUMN_SAMPLES_SCORE] = "samples.score",
    [TZ_COLUMN_MIN_RISK_SCORE] = "min_risk.score",
    [TZ_COLUMN_MIN_RISK] = "min_risk",
    [TZ_COLUMN_BEST] = "best",
    [TZ_COLUMN_KBEST] = "kbest",
    [TZ_COLUMN_SAMPLES] = "samples",
    [TZ_COLUMN_MARGINALS] = "marginals",
    [TZ_COLUMN_MAX_MARGINALS] = "max_marginals",
    [TZ_COLUMN_ITEMS] = "items",
    [TZ_COLUMN_ITEM_MARGINALS] = "item_marginals",
    [TZ_COLUMN_ITEM_MAX_MARGINALS] = "item_max_marginals",
};

/* ---- Columns ------------------------------------------------------------------------------- */

/* Is the semiring's element a list of like numbers? */
static bool lists(const tz_semiring *semiring) {
    return semiring->values != NULL && semiring->number_name == NULL;
}

size_t tz_npz_numbers(const tz_semiring *semiring) {
    return lists(semiring) ? semiring->numbers : 1;
}

/* Is there a column for this number of the element? */
static bool has_number(const tz_npz_input *input, const tz_semiring *semiring, unsigned which) {
    if (which == 0 || semiring->number_name == NULL || which >= semiring->numbers)
        return false;
    size_t of = tz_find_input(semiring, semiring->number_name[which]);
    return of == semiring->inputs || tz_npz_input_given(input, of);
}

/* How many columns of a kind there can be. */
static unsigned columns_of(tz_column_kind kind, const tz_npz_asked *asked) {
    if (kind == TZ_COLUMN_NUMBER)
        return (unsigned)asked->semiring->numbers;
    return kind < TZ_COLUMN_BEST    ? 1
           : kind < TZ_COLUMN_ITEMS ? (unsigned)tz_rules_count(asked->rules, TZ_WEIGHTS)
                                    : (unsigned)asked->questions->items;
}

/* How many a problem has in a column: 0 if it is not questions. */
static size_t copies_of(tz_column_kind kind, unsigned which, const tz_npz_input *input,
                        const tz_npz_asked *asked) {
    const tz_questions *questions = asked->questions;
    if (kind >= TZ_COLUMN_BEST && kind < TZ_COLUMN_ITEMS && !tz_npz_input_scored(input, which))
        return 0;
    switch (kind) {
    case TZ_COLUMN_VALUE:
        return (asked->amounts > 0 ? asked->amounts : 1) * tz_npz_numbers(asked->semiring);
    case TZ_COLUMN_NUMBER:
        return has_number(input, asked->semiring, which);
    case TZ_COLUMN_BEST_SCORE:
    case TZ_COLUMN_BEST:
        return questions->best;
    case TZ_COLUMN_KBEST_SCORE:
    case TZ_COLUMN_KBEST:
        return questions->kbest;
    case TZ_COLUMN_SAMPLES_SCORE:
    case TZ_COLUMN_SAMPLES:
        return questions->samples;
    case TZ_COLUMN_MIN_RISK_SCORE:
    case TZ_COLUMN_MIN_RISK:
        return questions->min_risk;
    case TZ_COLUMN_MARGINALS:
    case TZ_COLUMN_ITEM_MARGINALS:
        return questions->marginals;
    case TZ_COLUMN_MAX_MARGINALS:
    case TZ_COLUMN_ITEM_MAX_MARGINALS:
        return questions->max_marginals;
    case TZ_COLUMN_ITEMS:
        return 1;
    case TZ_COLUMN_KINDS:
        break;
    }
    return 0;
}

static bool counts_uses(tz_column_kind kind) {
    return kind == TZ_COLUMN_BEST || kind == TZ_COLUMN_KBEST || kind == TZ_COLUMN_SAMPLES ||
           kind == TZ_COLUMN_MIN_RISK;
}

/* Has the array an axis for its copies, however many? */
static bool is_list(tz_column_kind kind) {
    return kind == TZ_COLUMN_KBEST_SCORE || kind == TZ_COLUMN_SAMPLES_SCORE ||
           kind == TZ_COLUMN_KBEST || kind == TZ_COLUMN_SAMPLES;
}

static size_t element_size(tz_column_kind kind) {
    return counts_uses(kind) ? sizeof(uint8_t) : sizeof(double);
}

/* What a kind's arrays have one number for: the cells of a weight, or items. */
typedef struct cells {
    const char *name; /* NULL: for nothing, there is but one */
    bool sparse;
    unsigned rank; /* 0 of a sparse weight */
    const int32_t *extent;
} cells;

static cells cells_of(tz_column_kind kind, unsigned which, const tz_npz_input *input,
                      const tz_npz_asked *asked) {
    if (kind < TZ_COLUMN_BEST)
        return (cells){0};
    if (kind >= TZ_COLUMN_ITEMS) {
        const tz_item *item = &asked->rules->item[asked->questions->item[which]];
        return (cells){item->name, false, item->rank, asked->item_extent[which]};
    }
    const tz_weight *weight = &weights_of(asked)[which];
    return (cells){weight->name, weight->sparse, weight->sparse ? 0 : weight->rank,
                   weight->sparse ? NULL : tz_npz_input_extent(input, which)};
}

static size_t count_cells(const cells *c) {
    size_t count = 1; /* the product of an array in a file, or of tz_npz_item_extents: it fits */
    for (unsigned q = 0; q < c->rank; q++)
        count *= (size_t)c->extent[q];
    return count;
}

size_t tz_npz_output_row(const tz_npz_input *input, const tz_npz_asked *asked) {
    size_t bytes = 0;
    for (tz_column_kind kind = TZ_COLUMN_VALUE; kind < TZ_COLUMN_KINDS; kind++)
        for (unsigned w = 0; w < columns_of(kind, asked); w++) {
            const cells cells = cells_of(kind, w, input, asked);
            size_t size = cells.sparse ? 0 : element_size(kind) * count_cells(&cells);
            if (__builtin_mul_overflow(size, copies_of(kind, w, input, asked), &size) ||
                __builtin_add_overflow(bytes, size, &bytes))
                return SIZE_MAX;
        }
    return bytes;
}

/* The shape of an array: problems or entries, copies, cells. Returns its rank. */
static unsigned shape_of(const tz_npz_output *o, tz_column *c, const cells *cells,
                         uint64_t extent[3 + TZ_MAX_RANK]) {
    unsigned rank = 0;
    extent[rank++] =
        c->sparse ? tz_npz_input_entries(o->input, c->which) : tz_npz_input_problems(o->input);
    if (c->kind == TZ_COLUMN_VALUE && o->asked.amounts > 0)
        extent[rank++] = o->asked.amounts;
    if (c->kind == TZ_COLUMN_VALUE && lists(o->asked.semiring))
        extent[rank++] = tz_npz_numbers(o->asked.semiring);
    if (is_list(c->kind))
        extent[rank++] = c->copies;
    if (c->sparse)
        c->stride[0] = (ptrdiff_t)c->copies;
    ptrdiff_t stride = 1;
    for (unsigned q = cells->rank; q-- > 0;) {
        extent[rank + q] = (uint64_t)cells->extent[q];
        c->stride[q] = stride;
        stride *= (ptrdiff_t)extent[rank + q];
    }
    return rank + cells->rank;
}

/* "value", "kl", "best.score", "best.arc", to be freed; NULL: out of memory. */
static char *name_column(const tz_npz_output *o, const tz_column *c, const cells *cells,
                         unsigned rank) {
    const char *name = kind_name[c->kind];
    if (c->kind == TZ_COLUMN_NUMBER)
        name = tz_number_key(o->asked.semiring->number_name[c->which]);
    else if (c->kind == TZ_COLUMN_VALUE && rank > 1)
        name = "values";
    return tz_joined(name, cells->name != NULL ? "." : "", cells->name != NULL ? cells->name : "");
}

static tz_status add_column(tz_npz_output *o, tz_column_kind kind, unsigned which, size_t copies,
                            tz_error *error) {
    uint64_t extent[3 + TZ_MAX_RANK];
    const cells cells = cells_of(kind, which, o->input, &o->asked);
    tz_column *c = &o->column[o->columns++];
    *c = (tz_column){.kind = kind,
                     .which = which,
                     .sparse = cells.sparse,
                     .size = element_size(kind),
                     .cells = count_cells(&cells),
                     .copies = copies};
    const char *descr = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "<f8" : ">f8";
    descr = counts_uses(kind) ? "|u1" : descr;
    unsigned rank = shape_of(o, c, &cells, extent);
    char *name = name_column(o, c, &cells, rank);
    if (name == NULL)
        return tz_fail(error, TZ_NO_MEMORY, "out of memory");
    tz_status status = tz_npz_writer_add(o->writer, name, descr, c->size, rank, extent, error);
    free(name);
    return status;
}

tz_status tz_npz_output_new(const char *path, const tz_npz_input *input, const tz_npz_asked *asked,
                            tz_npz_output **ret_output, tz_error *error) {
    tz_npz_output *o = calloc(1, sizeof *o);
    tz_status status = TZ_OK;
    size_t most = 0;
    *ret_output = NULL;
    for (tz_column_kind kind = TZ_COLUMN_VALUE; kind < TZ_COLUMN_KINDS; kind++)
        for (unsigned w = 0; w < columns_of(kind, asked); w++)
            most += copies_of(kind, w, input, asked) > 0;
    if (o != NULL) {
        *o = (tz_npz_output){.input = input, .asked = *asked};
        o->column = calloc(most, sizeof *o->column);
    }
    if (o == NULL || o->column == NULL) {
        *error = (tz_error){TZ_NO_MEMORY, "out of memory"};
        status = TZ_NO_MEMORY;
    }
    if (status == TZ_OK)
        status = tz_npz_writer_new(path, &o->writer, error);
    for (tz_column_kind kind = TZ_COLUMN_VALUE; kind < TZ_COLUMN_KINDS; kind++)
        for (unsigned w = 0; w < columns_of(kind, asked) && status == TZ_OK; w++) {
            size_t copies = copies_of(kind, w, input, asked);
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
static size_t first(const tz_npz_output *o, const tz_column *c, size_t row) {
    return (c->sparse ? tz_npz_input_first(o->input, c->which, row) : row * c->cells) * c->copies;
}

void *tz_column_copy(const tz_npz_output *o, const tz_column *c, size_t row, size_t copy) {
    size_t at = first(o, c, row) + copy * (c->sparse ? 1 : c->cells);
    return (char *)c->data + at * c->size;
}

tz_status tz_npz_output_begin(tz_npz_output *o, size_t count, tz_error *error) {
    for (unsigned i = 0; i < o->columns; i++) {
        tz_column *c = &o->column[i];
        size_t cells;
        if (__builtin_mul_overflow(c->cells, c->copies, &cells) ||
            (!c->sparse && __builtin_mul_overflow(count, cells, &cells)) ||
            !tz_grow(&c->data, &c->capacity, first(o, c, count) + 1, c->size))
            return tz_fail(error, TZ_NO_MEMORY,
                           "out of memory for the results of %zu problems at a time; give a "
                           "smaller --batch",
                           count);
    }
    return TZ_OK;
}

void tz_column_fill(const tz_npz_output *o, const tz_column *c, size_t row, double number) {
    size_t count = first(o, c, row + 1) - first(o, c, row);
    double *data = tz_column_copy(o, c, row, 0);
    if (counts_uses(c->kind) || number == 0) {
        memset(data, 0, count * c->size);
        return;
    }
    for (size_t i = 0; i < count; i++)
        data[i] = number;
}

tz_status tz_npz_output_write(tz_npz_output *o, size_t count, tz_error *error) {
    tz_status status = TZ_OK;
    for (unsigned i = 0; i < o->columns && count > 0 && status == TZ_OK; i++) {
        const tz_column *c = &o->column[i];
        size_t rows = c->sparse ? tz_npz_input_first(o->input, c->which, count) : count;
        status = tz_npz_writer_rows(o->writer, i, rows, c->data, error);
    }
    return status;
}

tz_status tz_npz_output_commit(tz_npz_output *o, tz_error *error) {
    return tz_npz_writer_commit(o->writer, error);
}
