/* optimiser.c - see optimiser.h.
 *
 *   average  w -= g, and the result is the mean of w after every step: the averaged perceptron.
 *            The sum over all steps of a weight is kept as w * steps - late, where late adds up
 *            each change times the steps before it (Daume 2006, PhD thesis, figure 2.3).
 *   adagrad  w -= rate * g / h, h = sqrt(1 + the sum of all g^2) (Duchi, Hazan & Singer 2011,
 *            JMLR 12, figure 1). The 1 keeps features of improbable parts, whose g is small, from
 *            moving as far as others in their first steps: a gradient is a difference of counts.
 *   adam     Kingma & Ba 2015 (ICLR), algorithm 1, for every row of the table by itself: its steps
 *            are those in which it was touched. h is the root of the mean square, and EPSILON.
 *
 * The L2 penalty is not part of g. It is a step of its own towards 0 in the same metric,
 * w := w * h / (h + rate * l2 * share), which is never too large (composite mirror descent: Duchi,
 * Shalev-Shwartz, Singer & Tewari 2010, COLT). It takes a pass over the table, so it is put off
 * until BLOCK steps of it are due (Carpenter 2008, Lazy sparse stochastic gradient descent, section
 * 5). SPDX-License-Identifier: MIT */
#include "sentences/train/optimiser.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "ranks/slices.h"

enum { BLOCK = 64 };
static const double BETA1 = 0.9, BETA2 = 0.999, EPSILON = 1e-3;

struct tz_optimiser {
    tz_model *model;
    tz_optimiser_kind kind;
    unsigned threads;
    double rate, l2;
    uint64_t steps, since; /* in all; since the penalty was paid */
    double due;            /* of the penalty: share of all sentences */
    double *late;          /* average */
    float *square;         /* adagrad, adam */
    float *mean;           /* adam */
    uint32_t *times;       /* adam: how often a row was touched */
    /* Of several ranks: */
    tz_buffer moved; /* which weights this one has moved, */
    tz_gathered all; /* and all have */
};

tz_status tz_optimiser_new(tz_model *model, const tz_training *training,
                           tz_optimiser **ret_optimiser) {
    *ret_optimiser = NULL;
    tz_optimiser *o = calloc(1, sizeof *o);
    if (!o)
        return TZ_NO_MEMORY;
    *o = (tz_optimiser){.model = model,
                        .kind = training->optimiser,
                        .threads = training->threads,
                        .rate = training->rate,
                        .l2 = training->l2};
    size_t size = tz_model_size(model), rows = (size_t)1 << model->bits;
    bool average = o->kind == TZ_AVERAGE, adam = o->kind == TZ_ADAM;
    bool scaled = o->kind == TZ_ADAGRAD || adam;
    o->late = average ? calloc(size, sizeof *o->late) : NULL;
    o->square = scaled ? calloc(size, sizeof *o->square) : NULL;
    o->mean = adam ? calloc(size, sizeof *o->mean) : NULL;
    o->times = adam ? calloc(rows, sizeof *o->times) : NULL;
    if ((average && !o->late) || (scaled && !o->square) || (adam && (!o->mean || !o->times))) {
        tz_optimiser_free(o);
        return TZ_NO_MEMORY;
    }
    *ret_optimiser = o;
    return TZ_OK;
}

void tz_optimiser_free(tz_optimiser *o) {
    if (o) {
        free(o->late);
        free(o->square);
        free(o->mean);
        free(o->times);
        tz_buffer_free(&o->moved);
        tz_gathered_free(&o->all);
        free(o);
    }
}

/* ---- Steps: weights at..at + width - 1, which have the gradient g[0..width-1] -------------------
 */

static void average_row(tz_optimiser *o, size_t at, const double *g) {
    for (size_t a = 0; a < o->model->width; a++) {
        o->model->weight[at + a] -= (float)g[a];
        o->late[at + a] -= g[a] * (double)o->steps;
    }
}

static void adagrad_row(tz_optimiser *o, size_t at, const double *g) {
    for (size_t a = 0; a < o->model->width; a++) {
        double square = (double)o->square[at + a] + g[a] * g[a];
        o->square[at + a] = (float)square;
        o->model->weight[at + a] -= (float)(o->rate * g[a] / sqrt(1 + square));
    }
}

/* base^exponent by squaring: the same bits everywhere. */
static double power(double base, uint32_t exponent) {
    double result = 1;
    for (; exponent > 0; exponent >>= 1, base *= base)
        result *= exponent & 1 ? base : 1;
    return result;
}

/* What corrects the bias of a row's mean square towards 0. */
static double adam_bias(const tz_optimiser *o, size_t row) {
    return o->times[row] > 0 ? 1 - power(BETA2, o->times[row]) : 1;
}

static double adam_scale(const tz_optimiser *o, double bias, size_t at) {
    return EPSILON + sqrt((double)o->square[at] / bias);
}

static void adam_row(tz_optimiser *o, size_t row, size_t at, const double *g) {
    o->times[row]++;
    double rate = o->rate / (1 - power(BETA1, o->times[row])), bias = adam_bias(o, row);
    for (size_t a = 0; a < o->model->width; a++) {
        double mean = BETA1 * (double)o->mean[at + a] + (1 - BETA1) * g[a];
        double square = BETA2 * (double)o->square[at + a] + (1 - BETA2) * g[a] * g[a];
        o->mean[at + a] = (float)mean;
        o->square[at + a] = (float)square;
        o->model->weight[at + a] -= (float)(rate * mean / adam_scale(o, bias, at + a));
    }
}

/* Asks for what a row's step needs. */
static void fetch(const tz_optimiser *o, size_t row) {
    size_t at = row * o->model->width;
    __builtin_prefetch(o->model->weight + at, 1);
    if (o->square)
        __builtin_prefetch(o->square + at, 1);
    if (o->kind == TZ_ADAM) {
        __builtin_prefetch(o->mean + at, 1);
        __builtin_prefetch(o->times + row, 1);
    }
}

static void step_shard(tz_optimiser *o, const tz_shard *shard) {
    enum { AHEAD = 16 };
    size_t width = o->model->width;
    for (size_t i = 0; i < shard->rows; i++) {
        if (i + AHEAD < shard->rows)
            fetch(o, shard->row[i + AHEAD]);
        const double *g = shard->sum + i * width;
        size_t row = shard->row[i];
        switch (o->kind) {
        case TZ_AVERAGE:
            average_row(o, row * width, g);
            break;
        case TZ_ADAGRAD:
            adagrad_row(o, row * width, g);
            break;
        case TZ_ADAM:
            adam_row(o, row, row * width, g);
            break;
        case TZ_LBFGS:
            break;
        }
    }
}

/* ---- The penalty ------------------------------------------------------------------------------
 */

/* What all rows are to pay, in parts. */
typedef struct payment {
    const tz_optimiser *optimiser;
    double pull;
    size_t first, last; /* rows */
    size_t parts;
} payment;

static void pay_part(void *of, size_t part) {
    const payment *p = of;
    const tz_optimiser *o = p->optimiser;
    const size_t rows = p->last - p->first, width = o->model->width;
    for (size_t row = p->first + rows * part / p->parts;
         row < p->first + rows * (part + 1) / p->parts; row++) {
        double bias = o->kind == TZ_ADAM ? adam_bias(o, row) : 1;
        for (size_t at = row * width; at < (row + 1) * width; at++) {
            if (o->model->weight[at] != 0) {
                double h =
                    o->kind == TZ_ADAM ? adam_scale(o, bias, at) : sqrt(1 + (double)o->square[at]);
                o->model->weight[at] = (float)((double)o->model->weight[at] * h / (h + p->pull));
            }
        }
    }
}

static void pay(tz_optimiser *o, size_t first, size_t last) {
    payment p = {o, o->rate * o->l2 * o->due, first, last, o->threads > 1 ? o->threads : 1};
    o->due = 0;
    o->since = 0;
    if (p.pull > 0 && o->square)
        tz_parallel(p.parts, p.parts, pay_part, &p);
}

/* A step, in shards. */
typedef struct stepping {
    tz_optimiser *optimiser;
    const tz_gradient *gradient;
} stepping;

static void step_one(void *of, size_t shard) {
    const stepping *s = of;
    step_shard(s->optimiser, &s->gradient->shard[shard]);
}

static size_t rows_of(const tz_optimiser *o) {
    return (size_t)1 << o->model->bits;
}

static void step(tz_optimiser *o, const tz_gradient *gradient) {
    stepping s = {o, gradient};
    tz_parallel(gradient->threads, gradient->threads, step_one, &s);
}

/* A step is done; is the penalty to be paid? */
static bool count_step(tz_optimiser *o, double share) {
    o->steps++;
    o->due += share;
    return ++o->since == BLOCK;
}

void tz_optimiser_step(tz_optimiser *o, tz_gradient *gradient, double share) {
    step(o, gradient);
    tz_gradient_clear(gradient);
    if (count_step(o, share))
        pay(o, 0, rows_of(o));
}

static void average(const tz_optimiser *o, size_t first, size_t last, float *ret_weight) {
    size_t width = o->model->width;
    memcpy(ret_weight + first * width, o->model->weight + first * width,
           (last - first) * width * sizeof *ret_weight);
    for (size_t w = first * width; o->late && o->steps > 0 && w < last * width; w++)
        ret_weight[w] = (float)((double)o->model->weight[w] - o->late[w] / (double)o->steps);
}

void tz_optimiser_finish(tz_optimiser *o, float *ret_weight) {
    pay(o, 0, rows_of(o));
    average(o, 0, rows_of(o), ret_weight);
}

/* ---- Of several ranks ------------------------------------------------------------------------ */

static tz_status tell_weights(tz_optimiser *o, float *weight, tz_error *opt_error) {
    return tz_slices_all(weight, rows_of(o), o->model->width * sizeof *weight, opt_error);
}

static tz_status pay_own(tz_optimiser *o, tz_error *opt_error) {
    bool any = o->rate * o->l2 * o->due > 0 && o->square;
    pay(o, tz_slice_first(rows_of(o), tz_rank()), tz_slice_last(rows_of(o), tz_rank()));
    return any ? tell_weights(o, o->model->weight, opt_error) : TZ_OK;
}

/* A row of the gradient and its weights, as ranks tell each other: a number, then floats, in words
 * of 4 bytes. */
static void tell_row(const float *weight, size_t width, uint32_t row, uint32_t *ret_told) {
    ret_told[0] = row;
    for (size_t a = 0; a < width; a++)
        memcpy(&ret_told[1 + a], weight + row * width + a, sizeof *ret_told);
}

static void take_row(const uint32_t *told, size_t width, float *weight) {
    for (size_t a = 0; a < width; a++)
        memcpy(weight + told[0] * width + a, &told[1 + a], sizeof *told);
}

/* Rows first..last - 1 of what was told; they stand far apart in the table. */
static void take_rows(const uint32_t *told, size_t first, size_t last, size_t width,
                      float *weight) {
    enum { AHEAD = 32 };
    const size_t size = 1 + width;
    for (size_t i = first; i < last; i++) {
        if (i + AHEAD < last)
            __builtin_prefetch(weight + told[(i + AHEAD) * size] * width, 1);
        take_row(told + i * size, width, weight);
    }
}

static tz_status tell_moved(tz_optimiser *o, const tz_gradient *gradient, tz_error *opt_error) {
    size_t rows = 0, width = o->model->width, size = (1 + width) * sizeof(uint32_t);
    for (size_t s = 0; s < gradient->threads; s++)
        rows += gradient->shard[s].rows;
    tz_status status = tz_buffer_reserve(&o->moved, rows + 1, size);
    if (status != TZ_OK)
        return status;
    uint32_t *to = o->moved.data;
    for (size_t s = 0; s < gradient->threads; s++) {
        const tz_shard *shard = &gradient->shard[s];
        for (size_t i = 0; i < shard->rows; i++, to += 1 + width)
            tell_row(o->model->weight, width, shard->row[i], to);
    }
    status = tz_ranks_gather(o->moved.data, rows * size, &o->all, opt_error);
    for (size_t r = 0; r < tz_ranks() && status == TZ_OK; r++)
        if (r != tz_rank())
            take_rows((const uint32_t *)(const void *)o->all.data, o->all.at[r] / size,
                      o->all.at[r + 1] / size, width, o->model->weight);
    return status;
}

tz_status tz_optimiser_step_all(tz_optimiser *o, tz_gradient *gradient, double share,
                                tz_error *opt_error) {
    if (tz_ranks() == 1) {
        tz_optimiser_step(o, gradient, share);
        return TZ_OK;
    }
    step(o, gradient);
    tz_status status = tell_moved(o, gradient, opt_error);
    tz_gradient_clear(gradient);
    return count_step(o, share) && status == TZ_OK ? pay_own(o, opt_error) : status;
}

tz_status tz_optimiser_finish_all(tz_optimiser *o, float *ret_weight, tz_error *opt_error) {
    if (tz_ranks() == 1 || o->kind == TZ_LBFGS) {
        tz_optimiser_finish(o, ret_weight);
        return TZ_OK;
    }
    tz_status status = pay_own(o, opt_error);
    average(o, tz_slice_first(rows_of(o), tz_rank()), tz_slice_last(rows_of(o), tz_rank()),
            ret_weight);
    return status == TZ_OK ? tell_weights(o, ret_weight, opt_error) : status;
}

tz_status tz_optimiser_rows_first(tz_optimiser *o, tz_error *opt_error) {
    size_t width = o->model->width;
    void *const array[] = {o->late, o->square, o->mean, o->times};
    const size_t size[] = {width * sizeof *o->late, width * sizeof *o->square,
                           width * sizeof *o->mean, sizeof *o->times};
    tz_status status = TZ_OK;
    for (size_t a = 0; a < 4 && status == TZ_OK; a++)
        if (array[a])
            status = tz_slices_first(array[a], rows_of(o), size[a], opt_error);
    return status;
}

void tz_optimiser_state(tz_optimiser *o, tz_state *state) {
    size_t size = tz_model_size(o->model), rows = (size_t)1 << o->model->bits;
    tz_state_bytes(state, &o->steps, sizeof o->steps);
    tz_state_bytes(state, &o->since, sizeof o->since);
    tz_state_bytes(state, &o->due, sizeof o->due);
    tz_state_bytes(state, o->late, o->late ? size * sizeof *o->late : 0);
    tz_state_bytes(state, o->square, o->square ? size * sizeof *o->square : 0);
    tz_state_bytes(state, o->mean, o->mean ? size * sizeof *o->mean : 0);
    tz_state_bytes(state, o->times, o->times ? rows * sizeof *o->times : 0);
}
