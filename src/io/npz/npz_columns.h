/* npz_columns.h - the arrays of a .npz file of results (npz_result.h), and their rows of the batch
 * at hand. SPDX-License-Identifier: MIT */
#ifndef TZ_IO_NPZ_NPZ_COLUMNS_H
#define TZ_IO_NPZ_NPZ_COLUMNS_H

#include <limits.h>

#include "io/npz/npz_result.h"
#include "io/npz/npz_write.h"
#include "rules/table.h"

/* One array of the file, and the rows of the batch. */
typedef struct tz_column {
    const tz_question *question; /* NULL: the value, or what else an element stands for */
    unsigned which;              /* weight, or TZ_SCORE; place in the list of items; number */
    bool uses;                   /* uint32: how often a structure uses each cell */
    unsigned width;              /* such numbers' bytes in the file: 1, 2 or 4 */
    bool sparse;
    size_t size;   /* bytes of an element */
    size_t copies; /* of a list: how many structures or numbers a problem has */
    size_t cells;  /* elements of a copy, or 1 for sparse ones, whose entries have all copies */
    ptrdiff_t stride[TZ_MAX_RANK];
    void *data;
    size_t capacity;
} tz_column;

#define TZ_SCORE UINT_MAX /* of a structure */

struct tz_npz_output {
    const tz_npz_input *input;
    tz_npz_asked asked;
    tz_npz_writer *writer;
    tz_column *column; /* the first has the value */
    unsigned columns;
};

/* Numbers of a value: K for kbest(K), else 1. */
size_t tz_npz_numbers(const tz_semiring *semiring);
/* Where a copy of problem `row` stands. */
void *tz_column_copy(const tz_npz_output *output, const tz_column *column, size_t row, size_t copy);
/* Writes a number to all elements of all copies of a row. */
void tz_column_fill(const tz_npz_output *output, const tz_column *column, size_t row,
                    double number);

/* The weights that the rules declare. */
static inline const tz_weight *weights_of(const tz_npz_asked *asked) {
    unsigned count;
    return tz_declared_weights(asked->rules, &count);
}

#endif
