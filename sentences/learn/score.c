/* score.c - see score.h. SPDX-License-Identifier: MIT */
#include "sentences/learn/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "sentences/learn/tuples.h"

void tz_scored_free(tz_scored *scored) {
    for (size_t w = 0; w < TZ_TASK_WEIGHTS; w++)
        free(scored->data[w]);
    for (size_t p = 0; p < TZ_TASK_PARTS; p++)
        free(scored->stem[p]);
    free(scored->total);
    free(scored->squares);
    *scored = (tz_scored){0};
}

void tz_scored_trim(tz_scored *scored) {
    for (size_t w = 0; w < TZ_TASK_WEIGHTS; w++) {
        if (scored->capacity[w] > TZ_SCORED_KEPT) {
            free(scored->data[w]);
            scored->data[w] = NULL;
            scored->capacity[w] = 0;
        }
    }
}

/* ---- Scores ---------------------------------------------------------------------------------- */

/* Adds up the weights of features, for each label: floats, or where there are bytes, these. */
typedef struct sum {
    tz_features features;
    const tz_model *model;
    const float *weight;
    const signed char *step;
    double *total; /* in the unit of */
    double unit;
    int32_t *squares; /* of the labels */
} sum;

static inline int32_t square(signed char step) {
    return step * abs(step); /* signs are as good as random: no branch on them */
}

static void add_steps(tz_features *features) {
    sum *s = (sum *)features;
    size_t width = s->model->width;
    if (width == 1) {
        int32_t total = 0; /* of at most TZ_FEATURES squares of bytes */
        for (size_t f = 0; f < features->count; f++)
            total += square(s->step[tz_model_row(s->model, features->key[f])]);
        s->total[0] += total;
        return;
    }
    memset(s->squares, 0, width * sizeof *s->squares);
    for (size_t f = 0; f < features->count; f++) {
        const signed char *row = s->step + tz_model_row(s->model, features->key[f]);
        for (size_t a = 0; a < width; a++)
            s->squares[a] += square(row[a]);
    }
    for (size_t a = 0; a < width; a++)
        s->total[a] += s->squares[a];
}

static void add_weights(tz_features *features) {
    sum *s = (sum *)features;
    size_t width = s->model->width;
    if (width == 1) {
        double total = 0;
        for (size_t f = 0; f < features->count; f++)
            total += (double)s->weight[tz_model_row(s->model, features->key[f])];
        s->total[0] += total;
        return;
    }
    for (size_t f = 0; f < features->count; f++) {
        const float *row = s->weight + tz_model_row(s->model, features->key[f]);
        for (size_t a = 0; a < width; a++)
            s->total[a] += (double)row[a];
    }
}

/* What add_weights or add_steps adds up for templates over so many places, of one weight each. */
static inline double sum_places(const tz_tuples *tuples, const sum *sum, bool steps,
                                unsigned places) {
    const tz_template_set *set = tuples->part->set;
    const float *weight = sum->weight;
    const signed char *step = sum->step;
    int32_t squares = 0;
    uint64_t mask = ((uint64_t)1 << tuples->model->bits) - 1, *stem[TZ_MAX_RANK] = {NULL};
    uint8_t with = tuples->look.with[0], again = tuples->look.with[set->withs - 1];
    double first = 0, second = 0;
    tz_tuples_stems(tuples, stem);
    for (size_t t = 0; t < set->templates; t++) {
        uint64_t key = stem[0][t];
        key += places > 1 ? stem[1][t] : 0;
        key += places > 2 ? stem[2][t] : 0;
        if (steps) {
            squares += square(step[(key ^ with) & mask]);
            squares += set->withs > 1 ? square(step[(key ^ again) & mask]) : 0;
        } else {
            first += (double)weight[(key ^ with) & mask];
            second += (double)weight[(key ^ again) & mask];
        }
    }
    return steps ? squares : set->withs > 1 ? first + second : first;
}

/* One copy of the loop for each. */
static double sum_templates(const tz_tuples *tuples, const sum *sum) {
    unsigned places = tuples->part->set->places;
    if (sum->step) {
        return places == 1   ? sum_places(tuples, sum, true, 1)
               : places == 2 ? sum_places(tuples, sum, true, 2)
                             : sum_places(tuples, sum, true, 3);
    }
    return places == 1   ? sum_places(tuples, sum, false, 1)
           : places == 2 ? sum_places(tuples, sum, false, 2)
                         : sum_places(tuples, sum, false, 3);
}

/* The weights of the templates' features. */
static void add_templates(const tz_tuples *tuples, sum *sum) {
    const tz_template_set *set = tuples->part->set;
    if (tuples->model->width > 1 || set->places > 3)
        tz_tuples_templates(tuples, &sum->features);
    else /* where learning and parsing spend their time */
        sum->total[0] += sum_templates(tuples, sum);
}

static void score_part(const tz_model *model, const float *weight, const tz_sentence *sentence,
                       const tz_part *part, tz_scored *scored) {
    double *total = scored->total;
    /* The bytes stand for the model's own weights. */
    const signed char *step = weight == model->weight ? model->step : NULL;
    sum sum = {.features.flush = step ? add_steps : add_weights,
               .model = model,
               .weight = weight,
               .step = step,
               .total = total,
               .unit = step ? (double)model->most / (127 * 127) : 1,
               .squares = scored->squares};
    tz_tuples tuples = tz_tuples_begin(model, sentence, part, scored);
    while (tz_tuples_next(&tuples)) {
        memset(total, 0, model->width * sizeof *total);
        if (part->set)
            add_templates(&tuples, &sum);
        tz_tuples_others(&tuples, &sum.features);
        if (sum.features.impossible) {
            total[0] = -INFINITY;
            sum.features.impossible = false;
        }
        do {
            double *to = scored->data[tuples.weight] + tz_tuples_place(&tuples);
            for (size_t a = 0; a < model->width; a++)
                to[a] += total[a] * sum.unit;
        } while (tz_tuples_next_cell(&tuples));
    }
}

static bool grow(double **array, size_t *capacity, size_t count) {
    bool done = TZ_GROW(*array, capacity, count > 0 ? count : 1);
    return done;
}

tz_status tz_scored_fill(const tz_model *model, const tz_sentence *sentence, double value,
                         tz_scored *scored) {
    model->task->lengths(sentence, model->labels.count, scored->lengths);
    for (size_t w = 0; w < tz_rules_count(model->rules, TZ_WEIGHTS); w++) {
        tz_shape *shape = &scored->shape[w];
        tz_status status = tz_rules_shape(model->rules, w, scored->lengths, shape);
        if (status != TZ_OK)
            return status;
        size_t cells = 1;
        for (unsigned q = 0; q < shape->rank; q++)
            if (__builtin_mul_overflow(cells, (size_t)shape->extent[q], &cells))
                return TZ_TOO_LARGE;
        if (!grow(&scored->data[w], &scored->capacity[w], cells))
            return TZ_NO_MEMORY;
        for (size_t c = 0; c < cells; c++)
            scored->data[w][c] = value;
        scored->cells[w] = cells;
        scored->scores[w] = tz_scores_dense(shape, scored->data[w]);
    }
    return TZ_OK;
}

/* Room for the sums of a tuple's features. */
static bool grow_totals(const tz_model *model, tz_scored *scored) {
    size_t totals = scored->totals;
    bool grown = TZ_GROW(scored->squares, &totals, model->width);
    return grown && grow(&scored->total, &scored->totals, model->width);
}

tz_status tz_score_sentence(const tz_model *model, const float *weight, const tz_sentence *sentence,
                            tz_scored *scored) {
    tz_status status =
        grow_totals(model, scored) ? tz_scored_fill(model, sentence, 0, scored) : TZ_NO_MEMORY;
    if (status == TZ_OK)
        status = tz_find_stems(model, sentence, scored);
    if (status == TZ_OK)
        for (const tz_part *part = model->variant->part; part->weight; part++)
            score_part(model, weight, sentence, part, scored);
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

void tz_score_back(const tz_model *model, const tz_sentence *sentence, const tz_scored *scored,
                   const double *const *amount, tz_take_features *take, void *user) {
    double *total = scored->total;
    back back = {.features.flush = hand_on, .total = total, .take = take, .user = user};
    for (const tz_part *part = model->variant->part; part->weight; part++) {
        tz_tuples tuples = tz_tuples_begin(model, sentence, part, scored);
        while (tz_tuples_next(&tuples)) {
            bool any = false;
            memset(total, 0, model->width * sizeof *total);
            do {
                const double *from = amount[tuples.weight] + tz_tuples_place(&tuples);
                for (size_t a = 0; a < model->width; a++) {
                    total[a] += from[a];
                    any |= from[a] != 0;
                }
            } while (tz_tuples_next_cell(&tuples));
            if (any) {
                if (part->set)
                    tz_tuples_templates(&tuples, &back.features);
                tz_tuples_others(&tuples, &back.features);
            }
        }
    }
}
