/* score.c - see score.h. SPDX-License-Identifier: MIT */
#include "learn/score.h"

#include <stdlib.h>
#include <string.h>

#include "io/text.h"

void tz_scored_free(tz_scored *scored) {
    for (size_t w = 0; w < TZ_TASK_WEIGHTS; w++) {
        free(scored->data[w]);
    }
    *scored = (tz_scored){0};
}

static size_t part_weight(const tz_rules *rules, const tz_part *part) {
    size_t weight = 0;
    while (strcmp(tz_rules_weight_name(rules, weight), part->weight) != 0) {
        weight++;
    }
    return weight;
}

/* ---- The tuples of a part -------------------------------------------------------------------- */

/* A part's dimensions of its weight, and the rest of them; without a label's. */
typedef struct walk {
    const tz_model *model;
    const tz_part *part;
    const tz_shape *shape;
    const int32_t *lengths;
    size_t weight;
    uint8_t rest[TZ_MAX_RANK];
    unsigned rests;
    int32_t cell[TZ_MAX_RANK]; /* the first declared cell of the tuple */
    int32_t index[TZ_MAX_RANK];
    bool begun;
} walk;

static walk walk_part(const tz_model *model, const tz_part *part, const tz_scored *scored) {
    size_t weight = part_weight(model->rules, part);
    walk walk = {.model = model,
                 .part = part,
                 .shape = &scored->shape[weight],
                 .lengths = scored->lengths,
                 .weight = weight};
    for (unsigned q = 0; q < walk.shape->rank - model->task->labelled; q++) {
        walk.cell[q] = walk.shape->origin[q];
        if (!memchr(part->index, (int)q, part->rank)) {
            walk.rest[walk.rests++] = (uint8_t)q;
        }
    }
    return walk;
}

/* Counts these dimensions on, the last one fastest; false after the last, at the first again. */
static bool count_on(const tz_shape *shape, const uint8_t *dimension, unsigned count,
                     int32_t *cell) {
    while (count-- > 0) {
        unsigned q = dimension[count];
        if (++cell[q] < shape->origin[q] + shape->extent[q]) {
            return true;
        }
        cell[q] = shape->origin[q];
    }
    return false;
}

static bool first_declared(walk *walk) {
    do {
        if (tz_rules_declared(walk->model->rules, walk->weight, walk->lengths, walk->cell)) {
            return true;
        }
    } while (count_on(walk->shape, walk->rest, walk->rests, walk->cell));
    return false;
}

/* To the next tuple that has a declared cell. */
static bool next_tuple(walk *walk) {
    for (unsigned r = 0; r < walk->rests; r++) {
        walk->cell[walk->rest[r]] = walk->shape->origin[walk->rest[r]];
    }
    do {
        if (walk->begun &&
            !count_on(walk->shape, walk->part->index, walk->part->rank, walk->cell)) {
            return false;
        }
        walk->begun = true;
    } while (!first_declared(walk));
    for (unsigned q = 0; q < walk->part->rank; q++) {
        walk->index[q] = walk->cell[walk->part->index[q]];
    }
    return true;
}

/* To the tuple's next cell, declared or not. */
static bool next_cell(walk *walk) {
    return count_on(walk->shape, walk->rest, walk->rests, walk->cell);
}

static size_t place(const walk *walk) {
    size_t place = 0;
    for (unsigned q = 0; q < walk->shape->rank; q++) {
        place = place * (size_t)walk->shape->extent[q] +
                (size_t)(walk->cell[q] - walk->shape->origin[q]);
    }
    return place;
}

/* ---- Scores ---------------------------------------------------------------------------------- */

/* Adds up the weights of features, for each label. */
typedef struct sum {
    tz_features features;
    const tz_model *model;
    const float *weight;
    double *total;
} sum;

static void add_weights(tz_features *features) {
    sum *s = (sum *)features;
    size_t width = s->model->width;
    for (size_t f = 0; f < features->count; f++) {
        const float *row = s->weight + tz_model_row(s->model, features->key[f]);
        for (size_t a = 0; a < width; a++) {
            s->total[a] += (double)row[a];
        }
    }
}

static void score_part(const tz_model *model, const float *weight, const tz_sentence *sentence,
                       const tz_part *part, tz_scored *scored, double *total) {
    sum sum = {.features.flush = add_weights, .model = model, .weight = weight, .total = total};
    walk walk = walk_part(model, part, scored);
    while (next_tuple(&walk)) {
        memset(total, 0, model->width * sizeof *total);
        part->features(sentence, walk.index, &sum.features);
        add_weights(&sum.features);
        sum.features.count = 0;
        do {
            double *to = scored->data[walk.weight] + place(&walk);
            for (size_t a = 0; a < model->width; a++) {
                to[a] += total[a];
            }
        } while (next_cell(&walk));
    }
}

/* Room for the scores, all 0. */
static tz_status clear(const tz_model *model, const tz_sentence *sentence, tz_scored *scored) {
    model->task->lengths(sentence, model->labels.count, scored->lengths);
    for (size_t w = 0; w < tz_rules_weights(model->rules); w++) {
        tz_shape *shape = &scored->shape[w];
        tz_status status = tz_rules_shape(model->rules, w, scored->lengths, shape);
        if (status != TZ_OK) {
            return status;
        }
        size_t cells = 1;
        for (unsigned q = 0; q < shape->rank; q++) {
            if (__builtin_mul_overflow(cells, (size_t)shape->extent[q], &cells)) {
                return TZ_TOO_LARGE;
            }
        }
        void *data = scored->data[w];
        bool grown = tz_grow(&data, &scored->capacity[w], cells > 0 ? cells : 1, sizeof(double));
        scored->data[w] = data;
        if (!grown) {
            return TZ_NO_MEMORY;
        }
        memset(scored->data[w], 0, cells * sizeof(double));
        scored->cells[w] = cells;
        scored->scores[w] = tz_scores_dense(shape, scored->data[w]);
    }
    return TZ_OK;
}

tz_status tz_score_sentence(const tz_model *model, const float *weight, const tz_sentence *sentence,
                            tz_scored *scored) {
    tz_status status = clear(model, sentence, scored);
    double *total = malloc(model->width * sizeof *total);
    if (!total) {
        status = TZ_NO_MEMORY;
    }
    if (status == TZ_OK) {
        for (const tz_part *part = model->variant->part; part->weight; part++) {
            score_part(model, weight, sentence, part, scored, total);
        }
    }
    free(total);
    return status;
}

/* ---- The way back ---------------------------------------------------------------------------- */

/* Hands features on with the amounts of their tuple. */
typedef struct back {
    tz_features features;
    const double *total;
    tz_take_features *take;
    void *user;
} back;

static void hand_on(tz_features *features) {
    back *b = (back *)features;
    b->take(b->user, features->key, features->count, b->total);
}

static void score_part_back(const tz_model *model, const tz_sentence *sentence, const tz_part *part,
                            const tz_scored *scored, const double *const *amount, double *total,
                            back *back) {
    walk walk = walk_part(model, part, scored);
    while (next_tuple(&walk)) {
        bool any = false;
        memset(total, 0, model->width * sizeof *total);
        do {
            const double *from = amount[walk.weight] + place(&walk);
            for (size_t a = 0; a < model->width; a++) {
                total[a] += from[a];
            }
        } while (next_cell(&walk));
        for (size_t a = 0; a < model->width; a++) {
            any |= total[a] != 0;
        }
        if (any) {
            part->features(sentence, walk.index, &back->features);
            hand_on(&back->features);
            back->features.count = 0;
        }
    }
}

tz_status tz_score_back(const tz_model *model, const tz_sentence *sentence, const tz_scored *scored,
                        const double *const *amount, tz_take_features *take, void *user) {
    double *total = malloc(model->width * sizeof *total);
    if (!total) {
        return TZ_NO_MEMORY;
    }
    back back = {.features.flush = hand_on, .total = total, .take = take, .user = user};
    for (const tz_part *part = model->variant->part; part->weight; part++) {
        score_part_back(model, sentence, part, scored, amount, total, &back);
    }
    free(total);
    return TZ_OK;
}

void tz_cell_features(const tz_model *model, const tz_sentence *sentence, const tz_cell *cell,
                      tz_features *features) {
    for (const tz_part *part = model->variant->part; part->weight; part++) {
        if (part_weight(model->rules, part) == cell->weight) {
            int32_t index[TZ_MAX_RANK];
            for (unsigned q = 0; q < part->rank; q++) {
                index[q] = cell->index[part->index[q]];
            }
            part->features(sentence, index, features);
        }
    }
}
