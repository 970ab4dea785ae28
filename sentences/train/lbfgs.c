/* lbfgs.c - see learner.h. The variables are the weights of the rows that the
 * sentences' features have. SPDX-License-Identifier: MIT */
#include <lbfgs.h>
#include <stdlib.h>
#include <string.h>

#include "sentences/train/learner.h"

typedef struct search {
    tz_learner *learner;
    uint32_t *row; /* of variables v * width..(v + 1) * width - 1 */
    size_t rows;
    tz_status status; /* once it is not TZ_OK, all comes to an end */
} search;

/* The loss of all sentences without the penalty, and its gradient. */
static tz_status pass(tz_learner *l, double *ret_loss) {
    tz_gradient_clear(l->gradient);
    tz_status status = TZ_OK;
    double loss = 0;
    for (size_t first = 0; first < l->progress.sentences && status == TZ_OK; first += TZ_PORTION) {
        size_t left = l->progress.sentences - first, count = left < TZ_PORTION ? left : TZ_PORTION;
        for (size_t s = 0; s < count; s++)
            l->batch[s] = &l->corpus->sentence[l->sentence[first + s]];
        status =
            tz_objective_batch(l->objective, l->batch, count, l->gradient, &loss, l->opt_error);
        if (status == TZ_OK)
            status = tz_gradient_sum(l->gradient, count);
    }
    *ret_loss = loss;
    return status;
}

static tz_status find_rows(search *s) {
    const tz_learner *l = s->learner;
    size_t rows = (size_t)1 << l->model->bits;
    for (size_t r = 0; r < rows; r++)
        s->rows += (l->gradient->row[r].owner != 0);
    s->row = malloc((s->rows + 1) * sizeof *s->row);
    if (!s->row)
        return TZ_NO_MEMORY;
    s->rows = 0;
    for (size_t r = 0; r < rows; r++)
        if (l->gradient->row[r].owner != 0)
            s->row[s->rows++] = (uint32_t)r;
    return TZ_OK;
}

/* Where an error left all, the gradient is 0, and the search ends. */
static lbfgsfloatval_t evaluate(void *user, const lbfgsfloatval_t *x, lbfgsfloatval_t *g,
                                const int n, const lbfgsfloatval_t step) {
    (void)step;
    search *s = user;
    tz_learner *l = s->learner;
    size_t width = l->model->width;
    double loss = 0, squares = 0, l2 = l->training->l2;
    for (size_t v = 0; v < s->rows; v++)
        for (size_t a = 0; a < width; a++)
            l->model->weight[s->row[v] * width + a] = (float)x[v * width + a];
    if (s->status == TZ_OK)
        s->status = pass(l, &loss);
    memset(g, 0, (size_t)n * sizeof *g);
    for (size_t v = 0; v < s->rows && s->status == TZ_OK; v++) {
        const double *sum = tz_gradient_of(l->gradient, s->row[v]);
        for (size_t a = 0; a < width; a++) {
            double w = (double)l->model->weight[s->row[v] * width + a];
            g[v * width + a] = (sum ? sum[a] : 0) + l2 * w;
            squares += w * w;
        }
    }
    loss += l2 / 2 * squares;
    l->progress.loss = loss / (double)l->words;
    if (s->status == TZ_OK && l->training->report &&
        !l->training->report(l->training->user, &l->progress))
        s->status = TZ_NONE;
    return loss;
}

static int stepped(void *user, const lbfgsfloatval_t *x, const lbfgsfloatval_t *g,
                   const lbfgsfloatval_t fx, const lbfgsfloatval_t xnorm,
                   const lbfgsfloatval_t gnorm, const lbfgsfloatval_t step, int n, int k,
                   int evaluations) {
    (void)x, (void)g, (void)fx, (void)xnorm, (void)gnorm, (void)step, (void)n, (void)evaluations;
    search *s = user;
    tz_training_progress *p = &s->learner->progress;
    p->done = p->sentences * (size_t)k / TZ_LBFGS_STEPS;
    return s->status != TZ_OK;
}

static tz_status run(search *s, lbfgsfloatval_t *x) {
    tz_learner *l = s->learner;
    size_t width = l->model->width;
    float *weight = l->model->weight;
    for (size_t v = 0; v < s->rows * width; v++)
        x[v] = (double)weight[s->row[v / width] * width + v % width];
    memcpy(l->mean, weight, tz_model_size(l->model) * sizeof *weight);
    lbfgs_parameter_t parameter;
    lbfgs_parameter_init(&parameter);
    parameter.max_iterations = TZ_LBFGS_STEPS;
    int result = lbfgs((int)(s->rows * width), x, NULL, evaluate, stepped, s, &parameter);
    if (result == LBFGSERR_OUTOFMEMORY && s->status == TZ_OK)
        s->status = TZ_NO_MEMORY;
    if (s->status != TZ_OK) {
        memcpy(weight, l->mean, tz_model_size(l->model) * sizeof *weight);
        l->progress.done = 0;
        return s->status;
    }
    bool moved = false;
    for (size_t v = 0; v < s->rows * width; v++) {
        size_t at = s->row[v / width] * width + v % width;
        weight[at] = (float)x[v];
        moved |= weight[at] != l->mean[at];
    }
    /* Where no line search succeeds any more, rounding is all that is left. */
    l->converged = result == LBFGS_SUCCESS || result == LBFGS_ALREADY_MINIMIZED || !moved;
    l->progress.done = l->progress.sentences;
    return TZ_OK;
}

tz_status tz_lbfgs_epoch(tz_learner *l) {
    search s = {.learner = l};
    double loss;
    if (l->progress.epoch == 1) /* which rows are there? */
        s.status = pass(l, &loss);
    if (s.status == TZ_OK)
        s.status = find_rows(&s);
    lbfgsfloatval_t *x = NULL;
    if (s.status == TZ_OK && s.rows * l->model->width > (size_t)INT32_MAX - 16)
        s.status = TZ_TOO_LARGE;
    if (s.status == TZ_OK && s.rows > 0 && !(x = lbfgs_malloc((int)(s.rows * l->model->width))))
        s.status = TZ_NO_MEMORY;
    l->converged = s.rows == 0;
    if (x)
        s.status = run(&s, x);
    lbfgs_free(x);
    free(s.row);
    return s.status;
}
