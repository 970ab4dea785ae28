/* tuples.c - see tuples.h. SPDX-License-Identifier: MIT */
#include "sentences/learn/tuples.h"

#include <string.h>

#include "base/grow.h"

static size_t part_weight(const tz_rules *rules, const tz_part *part) {
    size_t weight = 0;
    while (strcmp(tz_rules_name_of(rules, TZ_WEIGHTS, weight), part->weight) != 0)
        weight++;
    return weight;
}

/* ---- Stems ----------------------------------------------------------------------------------- */

/* A part's stems, for places -1..words+1. */
static uint64_t *stem_of(const tz_template_set *set, const tz_sentence *sentence, uint64_t *stem,
                         unsigned place, int32_t position) {
    size_t positions = (size_t)sentence->words + 3;
    return stem + (place * positions + (size_t)(position + 1)) * set->templates;
}

tz_status tz_find_stems(const tz_model *model, const tz_sentence *sentence, tz_scored *scored) {
    const tz_part *parts = model->variant->part;
    for (size_t p = 0; parts[p].weight; p++) {
        const tz_template_set *set = parts[p].set;
        if (!set)
            continue;
        size_t positions = (size_t)sentence->words + 3;
        if (!TZ_GROW(scored->stem[p], &scored->stems[p], set->places * positions * set->templates))
            return TZ_NO_MEMORY;
        for (unsigned q = 0; q < set->places; q++)
            for (int32_t i = -1; i <= sentence->words + 1; i++)
                tz_stems(set, sentence, q, i, stem_of(set, sentence, scored->stem[p], q, i));
    }
    return TZ_OK;
}

/* The hashes of a set's features from the stems of their places. */
static void add_stems(const tz_template_set *set, uint64_t *const *stem, uint64_t *ret_key) {
    memset(ret_key, 0, set->templates * sizeof *ret_key);
    for (unsigned q = 0; q < set->places; q++)
        for (size_t t = 0; t < set->templates; t++)
            ret_key[t] += stem[q][t];
}

/* ---- The tuples of a part -------------------------------------------------------------------- */

tz_tuples tz_tuples_begin(const tz_model *model, const tz_sentence *sentence, const tz_part *part,
                          const tz_scored *scored) {
    size_t weight = part_weight(model->rules, part);
    const tz_shape *shape = &scored->shape[weight];
    tz_tuples tuples = {.model = model,
                        .sentence = sentence,
                        .part = part,
                        .scored = scored,
                        .shape = shape,
                        .stem = scored->stem[part - model->variant->part],
                        .weight = weight};
    size_t stride = 1;
    for (unsigned q = shape->rank; q-- > 0; stride *= (size_t)shape->extent[q]) {
        tuples.stride[q] = stride;
        tuples.cell[q] = shape->origin[q];
    }
    for (unsigned q = 0; q < shape->rank - model->task->labelled; q++)
        if (!memchr(part->index, (int)q, part->rank))
            tuples.rest[tuples.rests++] = (uint8_t)q;
    return tuples;
}

/* Goes to the tuple's first declared cell. */
static bool declared(tz_tuples *tuples) {
    do {
        if (tz_rules_declared(tuples->model->rules, tuples->weight, tuples->scored->lengths,
                              tuples->cell))
            return true;
    } while (tz_count_on(tuples->shape, tuples->rest, tuples->rests, tuples->cell));
    return false;
}

static bool wanted(tz_tuples *tuples) {
    for (unsigned q = 0; q < tuples->part->rank; q++)
        tuples->index[q] = tuples->cell[tuples->part->index[q]];
    return tuples->part->set
               ? tuples->part->set->look(tuples->sentence, tuples->index, &tuples->look)
               : declared(tuples);
}

/* To the next tuple that has features. */
bool tz_tuples_next(tz_tuples *tuples) {
    for (unsigned r = 0; r < tuples->rests; r++)
        tuples->cell[tuples->rest[r]] = tuples->shape->origin[tuples->rest[r]];
    do {
        if (tuples->begun &&
            !tz_count_on(tuples->shape, tuples->part->index, tuples->part->rank, tuples->cell))
            return false;
        tuples->begun = true;
    } while (!wanted(tuples));
    return true;
}

/* The stems of the places that the tuple looks at. */
void tz_tuples_stems(const tz_tuples *tuples, uint64_t **ret_stem) {
    const tz_template_set *set = tuples->part->set;
    for (unsigned q = 0; q < set->places; q++)
        ret_stem[q] = stem_of(set, tuples->sentence, tuples->stem, q, tuples->look.place[q]);
}

static void give_keys(const tz_template_set *set, const tz_look *look, const uint64_t *key,
                      tz_features *features) {
    for (size_t t = 0; t < set->templates; t++)
        for (unsigned w = 0; w < set->withs; w++)
            tz_feature(features, key[t] ^ look->with[w]);
}

void tz_tuples_templates(const tz_tuples *tuples, tz_features *features) {
    uint64_t *stem[TZ_MAX_RANK], key[TZ_TEMPLATES];
    tz_tuples_stems(tuples, stem);
    add_stems(tuples->part->set, stem, key);
    give_keys(tuples->part->set, &tuples->look, key, features);
}

/* The part's other features, and what is left of all is handed on. */
void tz_tuples_others(const tz_tuples *tuples, tz_features *features) {
    if (tuples->part->features)
        tuples->part->features(tuples->sentence, tuples->index, features);
    features->flush(features);
    features->count = 0;
}

/* ---- One cell -------------------------------------------------------------------------------- */

void tz_cell_features(const tz_model *model, const tz_sentence *sentence, const tz_cell *cell,
                      tz_features *features) {
    for (const tz_part *part = model->variant->part; part->weight; part++) {
        const tz_template_set *set = part->set;
        int32_t index[TZ_MAX_RANK];
        tz_look look;
        for (unsigned q = 0; q < part->rank; q++)
            index[q] = cell->index[part->index[q]];
        if (part_weight(model->rules, part) != cell->weight ||
            (set && !set->look(sentence, index, &look)))
            continue;
        if (set) {
            uint64_t stems[TZ_MAX_RANK][TZ_TEMPLATES], key[TZ_TEMPLATES], *stem[TZ_MAX_RANK];
            for (unsigned q = 0; q < set->places; q++) {
                stem[q] = stems[q];
                tz_stems(set, sentence, q, look.place[q], stem[q]);
            }
            add_stems(set, stem, key);
            give_keys(set, &look, key, features);
        }
        if (part->features)
            part->features(sentence, index, features);
    }
}
