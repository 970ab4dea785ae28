/* tuples.h - the tuples of indices that a part sees, and the features of each.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_LEARN_TUPLES_H
#define TZ_SENTENCES_LEARN_TUPLES_H

#include "sentences/learn/score.h"

/* Iterates over the cells of a part's weight, by tuple of the indices that the part sees; the index
 * of a label is left out. */
typedef struct tz_tuples {
    const tz_model *model;
    const tz_sentence *sentence;
    const tz_part *part;
    const tz_scored *scored;
    const tz_shape *shape;
    uint64_t *stem;
    size_t weight;
    size_t stride[TZ_MAX_RANK];
    uint8_t rest[TZ_MAX_RANK]; /* the dimensions that the part does not see */
    unsigned rests;
    int32_t cell[TZ_MAX_RANK];
    int32_t index[TZ_MAX_RANK]; /* the tuple */
    tz_look look;               /* where its templates look */
    bool begun;
} tz_tuples;

/* Before the first tuple of the part. `scored` has shapes and stems. */
tz_tuples tz_tuples_begin(const tz_model *model, const tz_sentence *sentence, const tz_part *part,
                          const tz_scored *scored);
/* Goes to the next tuple that has features, at its first cell; false when there is none. */
bool tz_tuples_next(tz_tuples *tuples);

/* Advances a cell in these dimensions, the last one fastest; false after the last, then it is back
 * at the first. */
static inline bool tz_count_on(const tz_shape *shape, const uint8_t *dimension, unsigned count,
                               int32_t *cell) {
    while (count-- > 0) {
        unsigned q = dimension[count];
        if (++cell[q] < shape->origin[q] + shape->extent[q])
            return true;
        cell[q] = shape->origin[q];
    }
    return false;
}

/* Goes to the tuple's next cell; false past the last. */
static inline bool tz_tuples_next_cell(tz_tuples *tuples) {
    return tz_count_on(tuples->shape, tuples->rest, tuples->rests, tuples->cell);
}

/* The offset of the cell's score, or of its first label's. */
static inline size_t tz_tuples_place(const tz_tuples *tuples) {
    size_t place = 0;
    for (unsigned q = 0; q < tuples->shape->rank; q++)
        place += (size_t)(tuples->cell[q] - tuples->shape->origin[q]) * tuples->stride[q];
    return place;
}

/* The stems of the places that the tuple's templates look at. */
void tz_tuples_stems(const tz_tuples *tuples, uint64_t **ret_stem);
/* The features of the tuple: by its templates, which it must have; and the others, after which all
 * features still collected are handed on. */
void tz_tuples_templates(const tz_tuples *tuples, tz_features *features);
void tz_tuples_others(const tz_tuples *tuples, tz_features *features);

/* Works out the stems of all positions and parts. TZ_NO_MEMORY. */
tz_status tz_find_stems(const tz_model *model, const tz_sentence *sentence, tz_scored *scored);

#endif
