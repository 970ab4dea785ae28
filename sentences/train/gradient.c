/* gradient.c - see gradient.h. SPDX-License-Identifier: MIT */
#include "sentences/train/gradient.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/threads.h"
#include "ranks/slices.h"

/* Rows first..last - 1 in shards. */
static void cut(tz_gradient *g, size_t first, size_t last) {
    for (size_t s = 0; s < g->threads; s++) {
        g->shard[s].first = first + (last - first) * s / g->threads;
        g->shard[s].last = first + (last - first) * (s + 1) / g->threads;
    }
}

void tz_gradient_share(tz_gradient *g) {
    size_t rows = (size_t)1 << g->model->bits;
    g->shared = tz_ranks() > 1;
    cut(g, tz_slice_first(rows, tz_rank()), tz_slice_last(rows, tz_rank()));
}

tz_status tz_gradient_new(const tz_model *model, unsigned threads, tz_gradient **ret_gradient) {
    *ret_gradient = NULL;
    tz_gradient *g = calloc(1, sizeof *g);
    if (!g)
        return TZ_NO_MEMORY;
    size_t rows = (size_t)1 << model->bits;
    *g = (tz_gradient){.model = model, .threads = threads, .stamp = 1};
    g->row = calloc(rows, sizeof *g->row);
    g->shard = calloc(threads, sizeof *g->shard);
    g->size = calloc(tz_ranks(), sizeof *g->size);
    g->place = calloc(tz_ranks(), sizeof *g->place);
    g->to = calloc(tz_ranks(), sizeof *g->to);
    if (!g->row || !g->shard || !g->size || !g->place || !g->to) {
        tz_gradient_free(g);
        return TZ_NO_MEMORY;
    }
    cut(g, 0, rows);
    *ret_gradient = g;
    return TZ_OK;
}

void tz_gradient_free(tz_gradient *g) {
    if (g) {
        for (size_t s = 0; s < g->capacity; s++) {
            free(g->terms[s].term);
            free(g->terms[s].amount);
        }
        for (size_t s = 0; g->shard && s < g->threads; s++) {
            free(g->shard[s].row);
            free(g->shard[s].sum);
        }
        free(g->terms);
        free(g->view);
        tz_gathered_free(&g->told);
        tz_buffer_free(&g->own);
        free(g->size);
        free(g->place);
        free((void *)g->to);
        free(g->row);
        free(g->shard);
        free(g);
    }
}

void tz_gradient_clear(tz_gradient *g) {
    for (size_t s = 0; s < g->threads; s++)
        g->shard[s].rows = 0;
    if (++g->stamp == 0) { /* once in 2^32 */
        for (size_t r = 0; r < (size_t)1 << g->model->bits; r++)
            g->row[r].stamp = 0;
        g->stamp = 1;
    }
}

const double *tz_gradient_of(const tz_gradient *g, size_t row) {
    for (size_t s = 0; s < g->threads && g->row[row].stamp == g->stamp; s++)
        if (row >= g->shard[s].first && row < g->shard[s].last)
            return g->shard[s].sum + g->row[row].place * g->model->width;
    return NULL;
}

void tz_gradient_state(tz_gradient *g, tz_state *state) {
    tz_state_bytes(state, &g->stamp, sizeof g->stamp);
    tz_state_bytes(state, g->row, sizeof *g->row << g->model->bits);
    /* Places come from the next sum, not from a file: no row is in the gradient. */
    g->stamp = 1;
    for (size_t r = 0; r < (size_t)1 << g->model->bits; r++)
        g->row[r].stamp = 0;
}

/* ---- Terms ----------------------------------------------------------------------------------- */

tz_status tz_gradient_begin(tz_gradient *g, size_t count) {
    if (!TZ_GROW_ZEROED(g->terms, &g->capacity, count))
        return TZ_NO_MEMORY;
    for (size_t s = 0; s < count; s++)
        g->terms[s].terms = g->terms[s].amounts = 0;
    return TZ_OK;
}

tz_status tz_gradient_terms_add(tz_gradient_terms *terms, const tz_model *model,
                                const uint64_t *key, size_t count, const double *amount) {
    size_t width = model->width;
    uint64_t mask = ((uint64_t)1 << model->bits) - 1;
    if (terms->amounts > UINT32_MAX - width)
        return TZ_TOO_LARGE;
    if (!(TZ_GROW(terms->term, &terms->term_capacity, terms->terms + count) &&
          TZ_GROW(terms->amount, &terms->amount_capacity, terms->amounts + width)))
        return TZ_NO_MEMORY;
    for (size_t f = 0; f < count; f++) {
        terms->term[terms->terms++] = (tz_gradient_term){
            (uint32_t)(key[f] & mask), (uint32_t)(key[f] >> 32) | 1, (uint32_t)terms->amounts};
    }
    memcpy(terms->amount + terms->amounts, amount, width * sizeof *amount);
    terms->amounts += width;
    return TZ_OK;
}

/* ---- Sums ------------------------------------------------------------------------------------ */

/* Rows stand far apart: they are asked for so many terms before they are needed. */
enum { AHEAD = 16 };

static void sum_terms(tz_gradient *g, const tz_gradient_view *terms, tz_shard *shard) {
    size_t width = g->model->width;
    for (size_t t = 0; t < terms->terms; t++) {
        if (t + AHEAD < terms->terms)
            __builtin_prefetch(&g->row[terms->term[t + AHEAD].row], 1);
        tz_gradient_term term = terms->term[t];
        if (term.row < shard->first || term.row >= shard->last)
            continue;
        tz_gradient_row *row = &g->row[term.row];
        const double *amount = terms->amount + term.amount;
        row->owner = row->owner == 0 ? term.mark : row->owner;
        row->shared |= row->owner != term.mark;
        if (row->stamp != g->stamp) {
            row->stamp = g->stamp;
            row->place = shard->rows & INT32_MAX;
            shard->row[shard->rows] = term.row;
            memcpy(shard->sum + shard->rows * width, amount, width * sizeof *amount);
            shard->rows++;
        } else {
            double *sum = shard->sum + row->place * width;
            for (size_t a = 0; a < width; a++)
                sum[a] += amount[a];
        }
    }
}

/* For all rows that the terms may bring. */
static bool room(tz_gradient *g, tz_shard *shard, size_t terms) {
    size_t rows = shard->last - shard->first;
    rows = shard->rows + terms < rows ? shard->rows + terms : rows;
    return TZ_GROW(shard->row, &shard->row_capacity, rows + 1) &&
           TZ_GROW(shard->sum, &shard->sum_capacity, (rows + 1) * g->model->width);
}

/* Terms that are summed together. */
typedef struct summing {
    tz_gradient *gradient;
    const tz_gradient_view *view;
    size_t count;
} summing;

static void sum_shard(void *of, size_t shard) {
    const summing *s = of;
    for (size_t t = 0; t < s->count; t++)
        sum_terms(s->gradient, &s->view[t], &s->gradient->shard[shard]);
}

tz_status tz_gradient_sum_views(tz_gradient *g, const tz_gradient_view *view, size_t count) {
    size_t terms = 0;
    for (size_t s = 0; s < count; s++)
        terms += view[s].terms;
    for (unsigned s = 0; s < g->threads; s++)
        if (!room(g, &g->shard[s], terms))
            return TZ_NO_MEMORY;
    summing s = {g, view, count};
    tz_parallel(g->threads, g->threads, sum_shard, &s);
    return TZ_OK;
}

tz_status tz_gradient_views(tz_gradient *g, size_t count) {
    bool grown = TZ_GROW(g->view, &g->views, count);
    return grown ? TZ_OK : TZ_NO_MEMORY;
}

tz_status tz_gradient_sum(tz_gradient *g, size_t count) {
    if (tz_gradient_views(g, count) != TZ_OK)
        return TZ_NO_MEMORY;
    for (size_t s = 0; s < count; s++)
        g->view[s] = (tz_gradient_view){g->terms[s].term, g->terms[s].amount, g->terms[s].terms, 0};
    return tz_gradient_sum_views(g, g->view, count);
}
