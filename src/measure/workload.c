/* workload.c - see workload.h. SPDX-License-Identifier: MIT */
#include "measure/workload.h"

#include <stdlib.h>
#include <string.h>

/* splitmix64 (Steele, Lea & Flood 2014). */
static uint64_t random_bits(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double random_score(uint64_t *state) {
    return 10 * ((double)(random_bits(state) >> 11) * 0x1p-53) - 5;
}

static size_t size_of(tz_type type) {
    return type == TZ_FLOAT ? sizeof(float) : sizeof(double);
}

static tz_status shape_cells(const tz_rules *rules, size_t weight, const int32_t *lengths,
                             tz_shape *ret_shape, size_t *ret_cells) {
    tz_status status = tz_rules_shape(rules, weight, lengths, ret_shape);
    size_t cells = 1;
    for (unsigned q = 0; status == TZ_OK && q < ret_shape->rank; q++)
        if (__builtin_mul_overflow(cells, (size_t)ret_shape->extent[q], &cells))
            status = TZ_TOO_LARGE;
    *ret_cells = cells;
    return status;
}

tz_status tz_workload_bytes(const tz_rules *rules, tz_type type, const int32_t *lengths,
                            size_t *ret_bytes) {
    size_t bytes = 0;
    for (size_t w = 0; w < tz_rules_count(rules, TZ_WEIGHTS); w++) {
        tz_shape shape;
        size_t cells, more;
        tz_status status = shape_cells(rules, w, lengths, &shape, &cells);
        if (status != TZ_OK)
            return status;
        size_t each = size_of(type) + (shape.sparse ? shape.rank * sizeof(int32_t) : 0);
        if (__builtin_mul_overflow(cells, each, &more) ||
            __builtin_add_overflow(bytes, more, &bytes) || bytes > PTRDIFF_MAX)
            return TZ_TOO_LARGE;
    }
    *ret_bytes = bytes;
    return TZ_OK;
}

/* A cell's index values. */
static void index_of(const tz_shape *shape, size_t cell, int32_t *ret_index) {
    for (unsigned q = shape->rank; q-- > 0; cell /= (size_t)shape->extent[q])
        ret_index[q] = shape->origin[q] + (int32_t)(cell % (size_t)shape->extent[q]);
}

/* `most` of the cells that are declared, as entries: each as likely as any other. */
static tz_status list_entries(const tz_rules *rules, size_t weight, const int32_t *lengths,
                              const tz_shape *shape, size_t cells, size_t most, uint64_t random,
                              tz_scores *scores) {
    int32_t at[TZ_MAX_RANK];
    size_t declared = 0;
    for (size_t cell = 0; cell < cells; cell++) {
        index_of(shape, cell, at);
        declared += tz_rules_declared(rules, weight, lengths, at);
    }
    most = most < declared ? most : declared;
    int32_t *index = malloc((most * shape->rank + 1) * sizeof *index);
    if (index == NULL)
        return TZ_NO_MEMORY;
    scores->index = index;
    scores->stride[0] = 1;
    for (size_t cell = 0; scores->entries < most; cell++) {
        index_of(shape, cell, at);
        if (!tz_rules_declared(rules, weight, lengths, at))
            continue;
        if (random_bits(&random) % declared-- < most - scores->entries)
            memcpy(index + shape->rank * scores->entries++, at, shape->rank * sizeof *at);
    }
    return TZ_OK;
}

static tz_status make_scores(const tz_rules *rules, size_t weight, tz_type type,
                             const int32_t *lengths, size_t most_entries, uint64_t seed,
                             uint64_t *random, tz_scores *ret) {
    tz_shape shape;
    size_t cells;
    tz_status status = shape_cells(rules, weight, lengths, &shape, &cells);
    if (status != TZ_OK)
        return status;
    const size_t scores = shape.sparse && most_entries < cells ? most_entries : cells;
    /* On lines of the cache, as an allocator of arrays gives them. */
    void *data = aligned_alloc(64, (scores * size_of(type) + 64) / 64 * 64);
    if (data == NULL)
        return TZ_NO_MEMORY;
    for (size_t cell = 0; cell < scores; cell++) {
        double score = random_score(random);
        if (type == TZ_FLOAT)
            ((float *)data)[cell] = (float)score;
        else
            ((double *)data)[cell] = score;
    }
    *ret = tz_scores_dense(&shape, data);
    ret->type = type;
    return shape.sparse
               ? list_entries(rules, weight, lengths, &shape, cells, most_entries, seed, ret)
               : TZ_OK;
}

/* One after the other, each from 0 to below what the rules say. */
static tz_status make_numbers(const tz_rules *rules, size_t input, const int32_t *lengths,
                              uint64_t *random, tz_input_numbers *ret) {
    tz_shape shape;
    int64_t bound;
    size_t count = 1;
    tz_status status = tz_rules_input_shape(rules, input, lengths, &shape, &bound);
    for (unsigned q = 0; status == TZ_OK && q < shape.rank; q++)
        if (__builtin_mul_overflow(count, (size_t)shape.extent[q], &count))
            status = TZ_TOO_LARGE;
    if (status != TZ_OK)
        return status;
    int32_t *number = calloc(count + 1, sizeof *number);
    if (number == NULL)
        return TZ_NO_MEMORY;
    for (size_t i = 0; i < count && bound > 0; i++)
        number[i] = (int32_t)(random_bits(random) % (uint64_t)bound);
    *ret = tz_input_numbers_dense(&shape, number);
    return TZ_OK;
}

tz_status tz_workload_new(const tz_rules *rules, tz_type type, const int32_t *lengths,
                          size_t problems, uint64_t seed, tz_workload **ret_workload) {
    return tz_workload_sparse(rules, type, lengths, problems, SIZE_MAX, seed, ret_workload);
}

tz_status tz_workload_sparse(const tz_rules *rules, tz_type type, const int32_t *lengths,
                             size_t problems, size_t entries, uint64_t seed,
                             tz_workload **ret_workload) {
    size_t n = tz_rules_count(rules, TZ_LENGTHS), weights = tz_rules_count(rules, TZ_WEIGHTS);
    size_t inputs = tz_rules_count(rules, TZ_INPUTS);
    tz_workload *work = calloc(1, sizeof *work);
    *ret_workload = NULL;
    if (work == NULL)
        return TZ_NO_MEMORY;
    work->rules = rules;
    work->problem = calloc(problems + 1, sizeof *work->problem);
    work->lengths = calloc(problems * n + 1, sizeof *work->lengths);
    work->scores = calloc(problems * weights + 1, sizeof *work->scores);
    work->numbers = calloc(problems * inputs + 1, sizeof *work->numbers);
    tz_status status = work->problem != NULL && work->lengths != NULL && work->scores != NULL &&
                               work->numbers != NULL
                           ? TZ_OK
                           : TZ_NO_MEMORY;
    uint64_t random = seed, random_number = ~seed;
    for (size_t p = 0; p < problems && status == TZ_OK; p++) {
        int32_t *own = work->lengths + p * n;
        size_t bytes;
        memcpy(own, lengths + p * n, n * sizeof *own);
        work->problem[p] = (tz_problem){.lengths = own,
                                        .scores = work->scores + p * weights,
                                        .numbers = work->numbers + p * inputs};
        work->problems = p + 1;
        status = tz_workload_bytes(rules, type, own, &bytes);
        if (status == TZ_OK)
            work->bytes += bytes;
        for (size_t w = 0; w < weights && status == TZ_OK; w++)
            status = make_scores(rules, w, type, own, entries, seed, &random,
                                 &work->scores[p * weights + w]);
        for (size_t i = 0; i < inputs && status == TZ_OK; i++)
            status = make_numbers(rules, i, own, &random_number, &work->numbers[p * inputs + i]);
    }
    if (status != TZ_OK) {
        tz_workload_free(work);
        return status;
    }
    *ret_workload = work;
    return TZ_OK;
}

void tz_workload_lower(tz_workload *work, double by) {
    const size_t weights = tz_rules_count(work->rules, TZ_WEIGHTS);
    for (size_t s = 0; s < work->problems * weights; s++) {
        const tz_scores *scores = &work->scores[s];
        tz_shape shape;
        size_t cells = 0;
        if (scores->index != NULL)
            cells = scores->entries;
        else if (shape_cells(work->rules, s % weights, work->problem[s / weights].lengths, &shape,
                             &cells) != TZ_OK)
            cells = 0; /* there are no such scores: then there would be no workload */
        for (size_t c = 0; c < cells; c++)
            if (scores->type == TZ_FLOAT)
                ((float *)scores->data)[c] -= (float)by;
            else
                ((double *)scores->data)[c] -= by;
    }
}

void tz_workload_free(tz_workload *work) {
    if (work == NULL)
        return;
    for (size_t s = 0; s < work->problems * tz_rules_count(work->rules, TZ_WEIGHTS); s++) {
        free((void *)work->scores[s].data);
        free((void *)work->scores[s].index);
    }
    for (size_t i = 0; i < work->problems * tz_rules_count(work->rules, TZ_INPUTS); i++)
        free((void *)work->numbers[i].data);
    free(work->problem);
    free(work->numbers);
    free(work->lengths);
    free(work->scores);
    free(work);
}

void tz_workload_lengths(const tz_rules *rules, int32_t n, int32_t labels, int32_t *ret_lengths) {
    for (size_t l = 0; l < tz_rules_count(rules, TZ_LENGTHS); l++) {
        char first = tz_rules_name_of(rules, TZ_LENGTHS, l)[0];
        ret_lengths[l] = first >= 'A' && first <= 'Z' ? labels : n;
    }
}
