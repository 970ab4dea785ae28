/* npz_columns.h - the arrays of a .npz file of results (npz_result.h), and their rows of the batch
 * at hand. SPDX-License-Identifier: MIT */
#ifndef TZ_IO_NPZ_NPZ_COLUMNS_H
#define TZ_IO_NPZ_NPZ_COLUMNS_H

#include "io/npz/npz_result.h"
#include "io/npz/npz_write.h"
#include "rules/table.h"

typedef enum tz_column_kind {
    TZ_COLUMN_VALUE,
    TZ_COLUMN_NUMBER, /* what else an element stands for, by name */
    TZ_COLUMN_BEST_SCORE,
    TZ_COLUMN_KBEST_SCORE,
    TZ_COLUMN_SAMPLES_SCORE,
    TZ_COLUMN_MIN_RISK_SCORE,
    TZ_COLUMN_BEST, /* from here on there is one for each weight */
    TZ_COLUMN_KBEST,
    TZ_COLUMN_SAMPLES,
    TZ_COLUMN_MIN_RISK,
    TZ_COLUMN_MARGINALS,
    TZ_COLUMN_MAX_MARGINALS,
    TZ_COLUMN_ITEMS, /* from here on one for each name of items that is wanted */
    TZ_COLUMN_ITEM_MARGINALS,
    TZ_COLUMN_ITEM_MAX_MARGINALS,
    TZ_COLUMN_KINDS
} tz_column_kind;

/* One array of the file, and the rows of the batch. */
typedef struct tz_column {
    tz_column_kind kind;
    unsigned which; /* weight; of TZ_COLUMN_NUMBER, the number; of items, the place in the list */
    bool sparse;
    size_t size;   /* bytes of an element */
    size_t copies; /* of a list: how many structures or numbers a problem has */
    size_t cells;  /* elements of a copy, or 1 for sparse ones, whose entries have all copies */
    ptrdiff_t stride[TZ_MAX_RANK];
    void *data;
    size_t capacity;
} tz_column;

struct tz_npz_output {
    const tz_npz_input *input;
    tz_npz_asked asked;
    tz_npz_writer *writer;
    tz_column *column; /* the first is TZ_COLUMN_VALUE */
    unsigned columns;
};

/* Numbers of a value: K for kbest(K), else 1. */
size_t tz_npz_numbers(const tz_semiring *semiring);
/* A copy of problem `row`. */
void *tz_column_copy(const tz_npz_output *output, const tz_column *column, size_t row, size_t copy);
/* All copies of a row. */
void tz_column_fill(const tz_npz_output *output, const tz_column *column, size_t row,
                    double number);

/* The weights that the rules declare. */
static inline const tz_weight *weights_of(const tz_npz_asked *asked) {
    unsigned count;
    return tz_declared_weights(asked->rules, &count);
}

#endif
