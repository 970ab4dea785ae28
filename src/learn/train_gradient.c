/* train_gradient.c - see train_gradient.h. SPDX-License-Identifier: MIT */
#include "learn/train_gradient.h"

#include <stdlib.h>
#include <string.h>

#include "io/text.h"

tz_status tz_gradient_new(const tz_model *model, unsigned threads, tz_gradient **ret_gradient) {
    *ret_gradient = NULL;
    tz_gradient *g = calloc(1, sizeof *g);
    if (!g) {
        return TZ_NO_MEMORY;
    }
    size_t rows = (size_t)1 << model->bits;
    *g = (tz_gradient){.model = model, .threads = threads};
    g->sum = calloc(tz_model_size(model), sizeof *g->sum);
    g->row = calloc(rows, sizeof *g->row);
    g->list = malloc(rows * sizeof *g->list);
    g->listed = calloc(threads, sizeof *g->listed);
    if (!g->sum || !g->row || !g->list || !g->listed) {
        tz_gradient_free(g);
        return TZ_NO_MEMORY;
    }
    *ret_gradient = g;
    return TZ_OK;
}

void tz_gradient_free(tz_gradient *g) {
    if (g) {
        for (size_t s = 0; s < g->capacity; s++) {
            free(g->terms[s].term);
            free(g->terms[s].amount);
        }
        free(g->terms);
        free(g->sum);
        free(g->row);
        free(g->list);
        free(g->listed);
        free(g);
    }
}

/* ---- Terms ----------------------------------------------------------------------------------- */

tz_status tz_gradient_begin(tz_gradient *g, size_t count) {
    size_t old = g->capacity;
    void *terms = g->terms;
    bool grown = tz_grow(&terms, &g->capacity, count, sizeof *g->terms);
    g->terms = terms;
    if (!grown) {
        return TZ_NO_MEMORY;
    }
    if (g->capacity > old) {
        memset(g->terms + old, 0, (g->capacity - old) * sizeof *g->terms);
    }
    for (size_t s = 0; s < count; s++) {
        g->terms[s].terms = g->terms[s].amounts = 0;
    }
    return TZ_OK;
}

tz_status tz_terms_add(tz_terms *terms, const tz_model *model, const uint64_t *key, size_t count,
                       const double *amount) {
    size_t width = model->width;
    uint64_t mask = ((uint64_t)1 << model->bits) - 1;
    if (terms->amounts > UINT32_MAX - width) {
        return TZ_TOO_LARGE;
    }
    void *list = terms->term, *amounts = terms->amount;
    bool grown = tz_grow(&list, &terms->term_capacity, terms->terms + count, sizeof *terms->term);
    terms->term = list;
    grown = grown && tz_grow(&amounts, &terms->amount_capacity, terms->amounts + width,
                             sizeof *terms->amount);
    terms->amount = amounts;
    if (!grown) {
        return TZ_NO_MEMORY;
    }
    for (size_t f = 0; f < count; f++) {
        terms->term[terms->terms++] = (tz_term){
            (uint32_t)(key[f] & mask), (uint32_t)(key[f] >> 32) | 1, (uint32_t)terms->amounts};
    }
    memcpy(terms->amount + terms->amounts, amount, width * sizeof *amount);
    terms->amounts += width;
    return TZ_OK;
}

/* ---- Sums ------------------------------------------------------------------------------------ */

static void sum_shard(tz_gradient *g, size_t count, unsigned shard) {
    size_t first = tz_gradient_shard(g, shard), rows = tz_gradient_shard(g, shard + 1) - first;
    size_t width = g->model->width, listed = g->listed[shard];
    for (size_t s = 0; s < count; s++) {
        const tz_terms *terms = &g->terms[s];
        for (size_t t = 0; t < terms->terms; t++) {
            tz_term term = terms->term[t];
            if (term.row - first >= rows) {
                continue;
            }
            tz_row *row = &g->row[term.row];
            double *sum = g->sum + term.row * width;
            const double *amount = terms->amount + term.amount;
            for (size_t a = 0; a < width; a++) {
                sum[a] += amount[a];
            }
            row->owner = row->owner == 0 ? term.mark : row->owner;
            row->shared |= row->owner != term.mark;
            if (!row->touched) {
                row->touched = true;
                g->list[first + listed++] = term.row;
            }
        }
    }
    g->listed[shard] = listed;
}

void tz_gradient_sum(tz_gradient *g, size_t count) {
#pragma omp parallel for num_threads((int)g->threads) if (g->threads > 1)
    for (unsigned shard = 0; shard < g->threads; shard++) {
        sum_shard(g, count, shard);
    }
}
