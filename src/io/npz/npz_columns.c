/* npz_columns.c - see npz_columns.h. SPDX-License-Identifier: MIT */
#include "io/npz/npz_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/grow.h"
#include "base/text.h"
#include "io/values.h"
#include "rules/table.h"

size_t tz_npz_numbers(const tz_semiring *semiring) {
    return tz_is_list(semiring) ? semiring->numbers : 1;
}

/* Is there a column for this number of the element? */
static bool has_number(const tz_npz_input *input, const tz_semiring *semiring, unsigned which) {
    if (semiring->number_name == NULL)
        return false;
    size_t of = tz_find_input(semiring, semiring->number_name[which]);
    return of == semiring->inputs || tz_npz_input_given(input, of);
}

/* Does it have one array for each weight? */
static bool of_weight(const tz_column *c) {
    return c->question != NULL && c->question->form != TZ_FORM_ITEMS && c->which != TZ_SCORE;
}

/* How many a problem has in a column: 0 if it is not asked. */
static size_t copies_of(const tz_npz_output *o, const tz_column *c) {
    const tz_npz_asked *asked = &o->asked;
    if (c->question == NULL && c->which > 0)
        return has_number(o->input, asked->semiring, c->which);
    if (c->question == NULL)
        return (asked->amounts > 0 ? asked->amounts : 1) * tz_npz_numbers(asked->semiring);
    if (of_weight(c) && !tz_npz_input_scored(o->input, c->which))
        return 0;
    const size_t wanted = tz_asked(asked->questions, (tz_ask)(c->question - tz_question_table));
    return c->question->form == TZ_FORM_LIST ? wanted : wanted > 0;
}

/* What an array has one number for: the cells of a weight, or items. */
typedef struct cells {
    const char *name; /* NULL: for nothing, there is but one */
    unsigned rank;    /* 0 of a sparse weight */
    const int32_t *extent;
} cells;

static cells cells_of(const tz_npz_output *o, const tz_column *c) {
    if (of_weight(c)) {
        const tz_weight *weight = &weights_of(&o->asked)[c->which];
        return (cells){weight->name, c->sparse ? 0 : weight->rank,
                       c->sparse ? NULL : tz_npz_input_extent(o->input, c->which)};
    }
    if (c->question == NULL || c->which == TZ_SCORE)
        return (cells){0};
    const tz_item *item = &o->asked.rules->item[o->asked.questions->item[c->which]];
    return (cells){item->name, item->rank, o->asked.item_extent[c->which]};
}

size_t tz_npz_output_row(const tz_npz_output *o) {
    size_t bytes = 0;
    for (unsigned i = 0; i < o->columns; i++) {
        const tz_column *c = &o->column[i];
        size_t size = c->sparse ? 0 : c->size;
        if (__builtin_mul_overflow(size, c->cells, &size) ||
            __builtin_mul_overflow(size, c->copies, &size) ||
            __builtin_add_overflow(bytes, size, &bytes))
            return SIZE_MAX;
    }
    return bytes;
}

/* The shape of an array: problems or entries, copies, cells. Returns its rank. */
static unsigned shape_of(const tz_npz_output *o, tz_column *c, const cells *cells,
                         uint64_t extent[3 + TZ_MAX_RANK]) {
    const bool value = c->question == NULL && c->which == 0;
    unsigned rank = 0;
    extent[rank++] =
        c->sparse ? tz_npz_input_entries(o->input, c->which) : tz_npz_input_problems(o->input);
    if (value && o->asked.amounts > 0)
        extent[rank++] = o->asked.amounts;
    if (value && tz_is_list(o->asked.semiring))
        extent[rank++] = tz_npz_numbers(o->asked.semiring);
    if (c->question != NULL && c->question->form == TZ_FORM_LIST)
        extent[rank++] = c->copies;
    if (c->sparse)
        c->stride[0] = (ptrdiff_t)c->copies;
    /* The product is that of an array in a file, or of tz_npz_item_extents: it fits. */
    for (unsigned q = cells->rank; q-- > 0;) {
        extent[rank + q] = (uint64_t)cells->extent[q];
        c->stride[q] = (ptrdiff_t)c->cells;
        c->cells *= (size_t)cells->extent[q];
    }
    return rank + cells->rank;
}

/* "value", "kl", "best.score", "best.arc", to be freed; NULL: out of memory. */
static char *name_column(const tz_npz_output *o, const tz_column *c, const cells *cells,
                         unsigned rank) {
    if (c->question != NULL)
        return tz_joined(c->question->key, ".", c->which == TZ_SCORE ? "score" : cells->name);
    return tz_joined(c->which > 0 ? tz_number_key(o->asked.semiring->number_name[c->which])
                     : rank > 1   ? "values"
                                  : "value",
                     "", "");
}

static tz_status add_column(tz_npz_output *o, const tz_question *question, unsigned which,
                            tz_error *error) {
    const char *number = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "<f8" : ">f8";
    uint64_t extent[3 + TZ_MAX_RANK];
    tz_column *c = &o->column[o->columns];
    *c = (tz_column){.question = question, .which = which, .size = sizeof(double), .cells = 1};
    c->uses = of_weight(c) && question->structures != NULL;
    c->size = c->uses ? sizeof(uint32_t) : sizeof(double);
    c->width = c->uses;
    c->sparse = of_weight(c) && weights_of(&o->asked)[which].sparse;
    c->copies = copies_of(o, c);
    if (c->copies == 0)
        return TZ_OK;
    o->columns++;
    const cells cells = cells_of(o, c);
    unsigned rank = shape_of(o, c, &cells, extent);
    char *name = name_column(o, c, &cells, rank);
    if (name == NULL)
        return tz_fail(error, TZ_NO_MEMORY, "out of memory");
    tz_status status =
        c->uses ? tz_npz_writer_add(o->writer, name, "|u1", 1, rank, extent, error)
                : tz_npz_writer_add(o->writer, name, number, c->size, rank, extent, error);
    free(name);
    return status;
}

/* Those of the value, or of a question. */
static tz_status add_columns(tz_npz_output *o, const tz_question *question, tz_error *error) {
    const size_t weights = tz_rules_count(o->asked.rules, TZ_WEIGHTS);
    const bool structures = question != NULL && question->structures != NULL;
    size_t count = question == NULL                  ? tz_semiring_numbers(o->asked.semiring)
                   : question->form == TZ_FORM_ITEMS ? o->asked.questions->wanted[TZ_ASK_ITEMS]
                   : question->form == TZ_FORM_TREE  ? 0
                                                     : weights;
    tz_status status = structures && count > 0 ? add_column(o, question, TZ_SCORE, error) : TZ_OK;
    for (size_t w = 0; w < count && status == TZ_OK; w++)
        status = add_column(o, question, (unsigned)w, error);
    return status;
}

tz_status tz_npz_output_new(const char *path, const tz_npz_input *input, const tz_npz_asked *asked,
                            tz_npz_output **ret_output, tz_error *error) {
    const size_t most = 1 + tz_rules_count(asked->rules, TZ_WEIGHTS) +
                        asked->questions->wanted[TZ_ASK_ITEMS] +
                        tz_semiring_numbers(asked->semiring);
    tz_npz_output *o = calloc(1, sizeof *o);
    *ret_output = NULL;
    if (o != NULL) {
        *o = (tz_npz_output){.input = input, .asked = *asked};
        o->column = calloc((1 + TZ_QUESTIONS) * most, sizeof *o->column);
    }
    tz_status status = o == NULL || o->column == NULL
                           ? tz_fail(error, TZ_NO_MEMORY, "out of memory")
                           : tz_npz_writer_new(path, &o->writer, error);
    if (status == TZ_OK)
        status = add_columns(o, NULL, error);
    for (tz_ask a = 0; a < TZ_QUESTIONS && status == TZ_OK; a++)
        status = add_columns(o, &tz_question_table[a], error);
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
    if (c->uses || number == 0) {
        memset(data, 0, count * c->size);
        return;
    }
    for (size_t i = 0; i < count; i++)
        data[i] = number;
}

/* Makes the column's uses as wide as the file has them, which becomes as wide as they need. */
static tz_status fit_uses(tz_npz_output *o, unsigned which, size_t count, tz_error *error) {
    static const char *const descr[2][5] = {{"", "|u1", ">u2", "", ">u4"},
                                            {"", "|u1", "<u2", "", "<u4"}};
    tz_column *c = &o->column[which];
    const uint32_t *data = c->data;
    const size_t numbers = first(o, c, count);
    uint32_t all = 0;
    for (size_t i = 0; i < numbers; i++)
        all |= data[i];
    const unsigned width = all > UINT16_MAX ? 4 : all > UINT8_MAX ? 2 : 1;
    tz_status status = TZ_OK;
    if (width > c->width) {
        c->width = width;
        status = tz_npz_writer_widen(o->writer, which,
                                     descr[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__][width], width,
                                     error);
    }
    tz_npz_resize(data, sizeof *data, c->data, c->width, numbers);
    return status;
}

tz_status tz_npz_output_write(tz_npz_output *o, size_t count, tz_error *error) {
    tz_status status = TZ_OK;
    for (unsigned i = 0; i < o->columns && count > 0 && status == TZ_OK; i++) {
        const tz_column *c = &o->column[i];
        size_t rows = c->sparse ? tz_npz_input_first(o->input, c->which, count) : count;
        if (c->uses)
            status = fit_uses(o, i, count, error);
        if (status == TZ_OK)
            status = tz_npz_writer_rows(o->writer, i, rows, c->data, error);
    }
    return status;
}

tz_status tz_npz_output_commit(tz_npz_output *o, tz_error *error) {
    return tz_npz_writer_commit(o->writer, error);
}
