/* score.c - see score.h. SPDX-License-Identifier: MIT */
#include "learn/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/text.h"

void tz_scored_free(tz_scored *scored) {
    for (size_t w = 0; w < TZ_TASK_WEIGHTS; w++) {
        free(scored->data[w]);
    }
    for (size_t p = 0; p < TZ_TASK_PARTS; p++) {
        free(scored->stem[p]);
    }
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

static size_t part_weight(const tz_rules *rules, const tz_part *part) {
    size_t weight = 0;
    while (strcmp(tz_rules_weight_name(rules, weight), part->weight) != 0) {
        weight++;
    }
    return weight;
}

/* ---- Stems ----------------------------------------------------------------------------------- */

/* A part's stems, for places -1..words+1. */
static uint64_t *stem_of(const tz_template_set *set, const tz_sentence *sentence, uint64_t *stem,
                         unsigned place, int32_t position) {
    size_t positions = (size_t)sentence->words + 3;
    return stem + (place * positions + (size_t)(position + 1)) * set->templates;
}

static tz_status find_stems(const tz_model *model, const tz_sentence *sentence, tz_scored *scored) {
    const tz_part *parts = model->variant->part;
    for (size_t p = 0; parts[p].weight; p++) {
        const tz_template_set *set = parts[p].set;
        if (!set) {
            continue;
        }
        size_t positions = (size_t)sentence->words + 3;
        void *stem = scored->stem[p];
        bool grown = tz_grow(&stem, &scored->stems[p], set->places * positions * set->templates,
                             sizeof(uint64_t));
        scored->stem[p] = stem;
        if (!grown) {
            return TZ_NO_MEMORY;
        }
        for (unsigned q = 0; q < set->places; q++) {
            for (int32_t i = -1; i <= sentence->words + 1; i++) {
                tz_stems(set, sentence, q, i, stem_of(set, sentence, stem, q, i));
            }
        }
    }
    return TZ_OK;
}

/* The hashes of a set's features from the stems of their places. */
static void add_stems(const tz_template_set *set, uint64_t *const *stem, uint64_t *ret_key) {
    memset(ret_key, 0, set->templates * sizeof *ret_key);
    for (unsigned q = 0; q < set->places; q++) {
        for (size_t t = 0; t < set->templates; t++) {
            ret_key[t] += stem[q][t];
        }
    }
}

/* ---- The tuples of a part -------------------------------------------------------------------- */

/* Goes through the cells of a part's weight, tuple by tuple of the indices that the part sees,
 * without a label's. */
typedef struct walk {
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
} walk;

static walk walk_part(const tz_model *model, const tz_sentence *sentence, const tz_part *part,
                      const tz_scored *scored) {
    size_t weight = part_weight(model->rules, part);
    const tz_shape *shape = &scored->shape[weight];
    walk walk = {.model = model,
                 .sentence = sentence,
                 .part = part,
                 .scored = scored,
                 .shape = shape,
                 .stem = scored->stem[part - model->variant->part],
                 .weight = weight};
    size_t stride = 1;
    for (unsigned q = shape->rank; q-- > 0; stride *= (size_t)shape->extent[q]) {
        walk.stride[q] = stride;
        walk.cell[q] = shape->origin[q];
    }
    for (unsigned q = 0; q < shape->rank - model->task->labelled; q++) {
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

/* Goes to the tuple's first declared cell. */
static bool declared(walk *walk) {
    do {
        if (tz_rules_declared(walk->model->rules, walk->weight, walk->scored->lengths,
                              walk->cell)) {
            return true;
        }
    } while (count_on(walk->shape, walk->rest, walk->rests, walk->cell));
    return false;
}

static bool wanted(walk *walk) {
    for (unsigned q = 0; q < walk->part->rank; q++) {
        walk->index[q] = walk->cell[walk->part->index[q]];
    }
    return walk->part->set ? walk->part->set->look(walk->sentence, walk->index, &walk->look)
                           : declared(walk);
}

/* To the next tuple that has features. */
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
    } while (!wanted(walk));
    return true;
}

/* To the tuple's next cell. */
static bool next_cell(walk *walk) {
    return count_on(walk->shape, walk->rest, walk->rests, walk->cell);
}

/* Where the cell's score stands, or the first label's. */
static size_t place(const walk *walk) {
    size_t place = 0;
    for (unsigned q = 0; q < walk->shape->rank; q++) {
        place += (size_t)(walk->cell[q] - walk->shape->origin[q]) * walk->stride[q];
    }
    return place;
}

/* The stems of the places that the walk's tuple looks at. */
static void find_places(const walk *walk, uint64_t **ret_stem) {
    const tz_template_set *set = walk->part->set;
    for (unsigned q = 0; q < set->places; q++) {
        ret_stem[q] = stem_of(set, walk->sentence, walk->stem, q, walk->look.place[q]);
    }
}

static void give_keys(const tz_template_set *set, const tz_look *look, const uint64_t *key,
                      tz_features *features) {
    for (size_t t = 0; t < set->templates; t++) {
        for (unsigned w = 0; w < set->withs; w++) {
            tz_feature(features, key[t] ^ look->with[w]);
        }
    }
}

static void give_templates(const walk *walk, tz_features *features) {
    uint64_t *stem[TZ_MAX_RANK], key[TZ_TEMPLATES];
    find_places(walk, stem);
    add_stems(walk->part->set, stem, key);
    give_keys(walk->part->set, &walk->look, key, features);
}

/* The part's other features, and what is left of all is handed on. */
static void give_others(const walk *walk, tz_features *features) {
    if (walk->part->features) {
        walk->part->features(walk->sentence, walk->index, features);
    }
    features->flush(features);
    features->count = 0;
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
        for (size_t f = 0; f < features->count; f++) {
            total += square(s->step[tz_model_row(s->model, features->key[f])]);
        }
        s->total[0] += total;
        return;
    }
    memset(s->squares, 0, width * sizeof *s->squares);
    for (size_t f = 0; f < features->count; f++) {
        const signed char *row = s->step + tz_model_row(s->model, features->key[f]);
        for (size_t a = 0; a < width; a++) {
            s->squares[a] += square(row[a]);
        }
    }
    for (size_t a = 0; a < width; a++) {
        s->total[a] += s->squares[a];
    }
}

static void add_weights(tz_features *features) {
    sum *s = (sum *)features;
    size_t width = s->model->width;
    if (width == 1) {
        double total = 0;
        for (size_t f = 0; f < features->count; f++) {
            total += (double)s->weight[tz_model_row(s->model, features->key[f])];
        }
        s->total[0] += total;
        return;
    }
    for (size_t f = 0; f < features->count; f++) {
        const float *row = s->weight + tz_model_row(s->model, features->key[f]);
        for (size_t a = 0; a < width; a++) {
            s->total[a] += (double)row[a];
        }
    }
}

/* What add_weights or add_steps adds up for templates over so many places, of one weight each. */
static inline double sum_places(const walk *walk, const sum *sum, bool steps, unsigned places) {
    const tz_template_set *set = walk->part->set;
    const float *weight = sum->weight;
    const signed char *step = sum->step;
    int32_t squares = 0;
    uint64_t mask = ((uint64_t)1 << walk->model->bits) - 1, *stem[TZ_MAX_RANK] = {NULL};
    uint8_t with = walk->look.with[0], again = walk->look.with[set->withs - 1];
    double first = 0, second = 0;
    find_places(walk, stem);
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
static double sum_templates(const walk *walk, const sum *sum) {
    unsigned places = walk->part->set->places;
    if (sum->step) {
        return places == 1   ? sum_places(walk, sum, true, 1)
               : places == 2 ? sum_places(walk, sum, true, 2)
                             : sum_places(walk, sum, true, 3);
    }
    return places == 1   ? sum_places(walk, sum, false, 1)
           : places == 2 ? sum_places(walk, sum, false, 2)
                         : sum_places(walk, sum, false, 3);
}

/* The weights of the templates' features. */
static void add_templates(const walk *walk, sum *sum) {
    const tz_template_set *set = walk->part->set;
    if (walk->model->width > 1 || set->places > 3) {
        give_templates(walk, &sum->features);
    } else { /* where learning and parsing spend their time */
        sum->total[0] += sum_templates(walk, sum);
    }
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
               .unit = step ? model->unit : 1,
               .squares = scored->squares};
    walk walk = walk_part(model, sentence, part, scored);
    while (next_tuple(&walk)) {
        memset(total, 0, model->width * sizeof *total);
        if (part->set) {
            add_templates(&walk, &sum);
        }
        give_others(&walk, &sum.features);
        if (sum.features.impossible) {
            total[0] = -INFINITY;
            sum.features.impossible = false;
        }
        do {
            double *to = scored->data[walk.weight] + place(&walk);
            for (size_t a = 0; a < model->width; a++) {
                to[a] += total[a] * sum.unit;
            }
        } while (next_cell(&walk));
    }
}

static bool grow(double **array, size_t *capacity, size_t count) {
    void *grown = *array;
    bool done = tz_grow(&grown, capacity, count > 0 ? count : 1, sizeof **array);
    *array = grown;
    return done;
}

/* Room for the scores, all 0. */
static tz_status clear(const tz_model *model, const tz_sentence *sentence, tz_scored *scored) {
    size_t totals = scored->totals;
    void *squares = scored->squares;
    bool grown = tz_grow(&squares, &totals, model->width, sizeof *scored->squares);
    scored->squares = squares;
    if (!grown || !grow(&scored->total, &scored->totals, model->width)) {
        return TZ_NO_MEMORY;
    }
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
        if (!grow(&scored->data[w], &scored->capacity[w], cells)) {
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
    if (status == TZ_OK) {
        status = find_stems(model, sentence, scored);
    }
    if (status == TZ_OK) {
        for (const tz_part *part = model->variant->part; part->weight; part++) {
            score_part(model, weight, sentence, part, scored);
        }
    }
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
        walk walk = walk_part(model, sentence, part, scored);
        while (next_tuple(&walk)) {
            bool any = false;
            memset(total, 0, model->width * sizeof *total);
            do {
                const double *from = amount[walk.weight] + place(&walk);
                for (size_t a = 0; a < model->width; a++) {
                    total[a] += from[a];
                    any |= from[a] != 0;
                }
            } while (next_cell(&walk));
            if (any) {
                if (part->set) {
                    give_templates(&walk, &back.features);
                }
                give_others(&walk, &back.features);
            }
        }
    }
}

/* ---- One cell -------------------------------------------------------------------------------- */

void tz_cell_features(const tz_model *model, const tz_sentence *sentence, const tz_cell *cell,
                      tz_features *features) {
    for (const tz_part *part = model->variant->part; part->weight; part++) {
        const tz_template_set *set = part->set;
        int32_t index[TZ_MAX_RANK];
        tz_look look;
        for (unsigned q = 0; q < part->rank; q++) {
            index[q] = cell->index[part->index[q]];
        }
        if (part_weight(model->rules, part) != cell->weight ||
            (set && !set->look(sentence, index, &look))) {
            continue;
        }
        if (set) {
            uint64_t stems[TZ_MAX_RANK][TZ_TEMPLATES], key[TZ_TEMPLATES], *stem[TZ_MAX_RANK];
            for (unsigned q = 0; q < set->places; q++) {
                stem[q] = stems[q];
                tz_stems(set, sentence, q, look.place[q], stem[q]);
            }
            add_stems(set, stem, key);
            give_keys(set, &look, key, features);
        }
        if (part->features) {
            part->features(sentence, index, features);
        }
    }
}
