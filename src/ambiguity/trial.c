/* trial.c - see trial.h. SPDX-License-Identifier: MIT */
#include "ambiguity/trial.h"

#include <stdlib.h>
#include <string.h>

#include "base/philox.h"
#include "rules/tell/cost.h"
#include "rules/view.h"

enum {
    CELL_WORK = 8,  /* of a cell of a dense weight or an item, in points of loops */
    ENTRY_WORK = 64 /* of one of a sparse weight */
};

tz_rules tz_rules_by_place(const tz_rules *rules) {
    tz_rules ret = *rules;
    ret.declared = NULL;
    ret.declared_charge = NULL;
    ret.declareds = ret.declared_charges = ret.inputs = 0;
    return ret;
}

tz_status tz_trial_work(const tz_rules *rules, const int32_t *lengths, double *ret_work) {
    double work;
    tz_status status = tz_rules_points(rules, lengths, &work);
    for (unsigned w = 0; status == TZ_OK && w < rules->weights; w++) {
        tz_shape shape;
        status = tz_weight_shape(rules, &rules->weight[w], lengths, &shape);
        double cells = status == TZ_OK ? 1 : 0;
        for (unsigned q = 0; status == TZ_OK && q < shape.rank; q++)
            cells *= shape.extent[q];
        work += cells * (rules->weight[w].sparse ? ENTRY_WORK : CELL_WORK);
    }
    for (unsigned k = 0; status == TZ_OK && k < rules->kinds; k++)
        work += tz_kind_cells(rules, k, lengths) * CELL_WORK;
    if (status == TZ_OK)
        *ret_work = work;
    return status;
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

/* The cells of a sparse weight as entries, in order of their indices; to be freed. */
static tz_status list_entries(const tz_rules *rules, unsigned weight, const int32_t *lengths,
                              const tz_shape *shape, size_t cells, int32_t **ret_index,
                              size_t *ret_entries) {
    int32_t *index = calloc(cells + 1, TZ_MAX_RANK * sizeof *index);
    *ret_index = index;
    *ret_entries = 0;
    if (index == NULL)
        return TZ_NO_MEMORY;
    for (size_t cell = 0; cell < cells; cell++) {
        int32_t at[TZ_MAX_RANK] = {0};
        size_t rest = cell;
        for (unsigned q = shape->rank; q-- > 0; rest /= (size_t)shape->extent[q])
            at[q] = shape->origin[q] + (int32_t)(rest % (size_t)shape->extent[q]);
        if (tz_rules_declared(rules, weight, lengths, at))
            memcpy(index + shape->rank * (*ret_entries)++, at, shape->rank * sizeof *at);
    }
    return TZ_OK;
}

static tz_status make_scores(tz_trial *t, unsigned w) {
    tz_shape shape;
    tz_scores *scores = &t->scores[w];
    size_t cells = 1;
    tz_status status = tz_rules_shape(t->rules, w, t->lengths, &shape);
    if (status != TZ_OK)
        return status;
    for (unsigned q = 0; q < shape.rank; q++)
        if (__builtin_mul_overflow(cells, (size_t)shape.extent[q], &cells))
            return TZ_TOO_LARGE;
    double *data = calloc(cells + 1, sizeof *data);
    *scores = tz_scores_dense(&shape, data);
    t->cells[w] = cells;
    if (data == NULL || !shape.sparse)
        return data == NULL ? TZ_NO_MEMORY : TZ_OK;
    int32_t *index;
    *scores = (tz_scores){.data = data, .stride = {1}};
    status = list_entries(t->rules, w, t->lengths, &shape, cells, &index, &scores->entries);
    scores->index = index;
    t->cells[w] = scores->entries;
    return status;
}

tz_status tz_trial_make(const tz_rules *rules, const int32_t *lengths, tz_trial *ret) {
    *ret = (tz_trial){.rules = rules};
    memcpy(ret->lengths, lengths, rules->lengths * sizeof *lengths);
    ret->scores = calloc(rules->weights + 1u, sizeof *ret->scores);
    ret->cells = calloc(rules->weights + 1u, sizeof *ret->cells);
    tz_status status = ret->scores != NULL && ret->cells != NULL ? TZ_OK : TZ_NO_MEMORY;
    for (unsigned w = 0; w < rules->weights && status == TZ_OK; w++)
        status = make_scores(ret, w);
    ret->problem = (tz_problem){.lengths = ret->lengths, .scores = ret->scores};
    return status;
}

void tz_trial_free(tz_trial *trial) {
    for (unsigned w = 0; trial->scores != NULL && w < trial->rules->weights; w++) {
        free((void *)trial->scores[w].data);
        free((void *)trial->scores[w].index);
    }
    free(trial->scores);
    free(trial->cells);
    *trial = (tz_trial){.rules = NULL};
}

/* ---- Scores ---------------------------------------------------------------------------------- */

static double *data_of(tz_trial *trial, unsigned w) {
    return (double *)trial->scores[w].data;
}

void tz_trial_fill(tz_trial *trial, double score) {
    for (unsigned w = 0; w < trial->rules->weights; w++)
        for (size_t c = 0; c < trial->cells[w]; c++)
            data_of(trial, w)[c] = score;
}

void tz_trial_random(tz_trial *trial, uint64_t seed) {
    tz_stream stream = {.seed = seed};
    static const double mean[] = {-30, -6, -1, 0, 1, 6}, width[] = {1, 4, 16};
    enum { MEANS = sizeof mean / sizeof *mean, WIDTHS = sizeof width / sizeof *width };
    for (unsigned w = 0; w < trial->rules->weights; w++) {
        const double middle = mean[(unsigned)(tz_uniform(&stream) * MEANS)];
        const double spread = width[(unsigned)(tz_uniform(&stream) * WIDTHS)];
        for (size_t c = 0; c < trial->cells[w]; c++)
            data_of(trial, w)[c] = middle + spread * (2 * tz_uniform(&stream) - 1);
    }
}

/* Where an entry of a sparse weight stands. */
static size_t entry_of(const tz_scores *scores, unsigned rank, const int32_t *index) {
    size_t low = 0, high = scores->entries;
    while (low + 1 < high) {
        const size_t middle = low + (high - low) / 2;
        const int32_t *at = scores->index + middle * rank;
        unsigned q = 0;
        while (q < rank && at[q] == index[q])
            q++;
        if (q < rank && at[q] > index[q])
            high = middle;
        else
            low = middle;
    }
    return low;
}

void tz_trial_put(tz_trial *trial, const tz_use *use, size_t uses, double score) {
    for (const tz_use *end = use + uses; use < end; use++) {
        tz_shape shape;
        const tz_scores *scores = &trial->scores[use->weight];
        size_t at = 0;
        tz_rules_shape(trial->rules, use->weight, trial->lengths, &shape);
        if (shape.sparse)
            at = entry_of(scores, shape.rank, use->index);
        for (unsigned q = 0; q < shape.rank && !shape.sparse; q++)
            at += (size_t)((use->index[q] - shape.origin[q]) * scores->stride[q]);
        data_of(trial, use->weight)[at] = score;
    }
}
