/* lbfgs.c - see learner.h. The variables are the weights of the rows that the
 * sentences' features have. SPDX-License-Identifier: MIT */
#include <lbfgs.h>
#include <stdlib.h>
#include <string.h>

#include "ranks/sums.h"
#include "sentences/train/learner.h"

typedef struct search {
    tz_learner *learner;
    uint32_t *row; /* of variables v * width..(v + 1) * width - 1 */
    size_t rows;
    tz_sums *sums;      /* of the blocks' gradients, */
    double *total;      /* and those of all rows */
    tz_sums_part *part; /* [threads] */
    tz_status status;   /* once it is not TZ_OK, all comes to an end */
} search;

/* ---- The loss of all sentences ------------------------------------------------------------------
 *
 * The gradient is added up by blocks of sentences (sums.h), however many ranks there are: as many
 * as can have work of their own. Each has sentences of all lengths. */

enum { BLOCKS = 64 };

static size_t blocks_of(const tz_learner *l) {
    return l->deal->count < BLOCKS ? l->deal->count : BLOCKS;
}

typedef struct sized {
    int32_t words;
    size_t number;
} sized;

static int by_words(const void *a, const void *b) {
    const sized *x = a, *y = b;
    if (x->words != y->words)
        return x->words > y->words ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Sentence order[i] is in block i % blocks, and goes to the rank that has it. */
static tz_status deal_blocks(tz_learner *l) {
    size_t count = l->deal->count;
    sized *list = malloc((count + 1) * sizeof *list);
    if (!list)
        return TZ_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        list[i] = (sized){l->deal->length[i], i};
    qsort(list, count, sizeof *list, by_words);
    for (size_t i = 0; i < count; i++) {
        l->order[i] = list[i].number;
        l->to[list[i].number] = (uint32_t)(i % blocks_of(l) % tz_ranks());
    }
    free(list);
    return tz_deal_out(l->deal, l->corpus, l->to, l->opt_error);
}

/* One block, with its gradient. */
static tz_status pass_block(tz_learner *l, size_t block, double *loss) {
    tz_status status = TZ_OK;
    for (size_t at = block; at < l->deal->count && status == TZ_OK;) {
        size_t count = 0;
        for (; count < TZ_PORTION && at < l->deal->count; at += blocks_of(l))
            l->batch[count++] = l->deal->held[l->order[at]];
        status = tz_objective_batch(l->objective, l->batch, count, l->gradient, loss, l->opt_error);
        if (status == TZ_OK)
            status = tz_gradient_sum(l->gradient, count);
    }
    return status;
}

/* Adds up what every block lost. */
static tz_status add_losses(const tz_learner *l, const double *mine, size_t count,
                            double *ret_loss) {
    tz_gathered all = {0};
    tz_status status = tz_ranks_gather(mine, count * sizeof *mine, &all, l->opt_error);
    *ret_loss = 0;
    for (size_t b = 0; b < blocks_of(l) && status == TZ_OK; b++)
        *ret_loss +=
            ((const double *)(const void *)(all.data + all.at[b % tz_ranks()]))[b / tz_ranks()];
    tz_gathered_free(&all);
    return status;
}

/* The loss of all sentences without the penalty, and its gradient. */
static tz_status pass(search *s, double *ret_loss) {
    tz_learner *l = s->learner;
    double lost[BLOCKS];
    size_t mine = 0;
    tz_status status = TZ_OK;
    tz_sums_clear(s->sums);
    for (size_t first = 0; first < blocks_of(l) && status == TZ_OK; first += tz_ranks()) {
        size_t block = first + tz_rank();
        bool any = block < blocks_of(l);
        tz_gradient_clear(l->gradient);
        lost[mine] = 0;
        if (any)
            status = pass_block(l, block, &lost[mine]);
        mine += any;
        for (unsigned t = 0; t < l->gradient->threads; t++) {
            const tz_shard *shard = &l->gradient->shard[t];
            s->part[t] = (tz_sums_part){shard->row, shard->sum, shard->rows};
        }
        if (status == TZ_OK)
            status = tz_sums_add(s->sums, s->part, l->gradient->threads, l->opt_error);
    }
    if (status == TZ_OK)
        status = tz_sums_all(s->sums, s->total, l->opt_error);
    return status == TZ_OK ? add_losses(l, lost, mine, ret_loss) : status;
}

/* ---- The search ------------------------------------------------------------------------------ */

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
        s->status = pass(s, &loss);
    memset(g, 0, (size_t)n * sizeof *g);
    for (size_t v = 0; v < s->rows && s->status == TZ_OK; v++) {
        const double *sum = s->total + s->row[v] * width;
        for (size_t a = 0; a < width; a++) {
            double w = (double)l->model->weight[s->row[v] * width + a];
            g[v * width + a] = sum[a] + l2 * w;
            squares += w * w;
        }
    }
    loss += l2 / 2 * squares;
    l->progress.loss = loss / (double)l->words;
    if (s->status == TZ_OK)
        s->status = tz_learner_report(l);
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

static tz_status begin(search *s) {
    const tz_learner *l = s->learner;
    size_t rows = (size_t)1 << l->model->bits;
    s->part = malloc(l->gradient->threads * sizeof *s->part);
    s->total = malloc(rows * l->model->width * sizeof *s->total);
    return s->part && s->total ? tz_sums_new(rows, l->model->width, &s->sums) : TZ_NO_MEMORY;
}

tz_status tz_lbfgs_epoch(tz_learner *l) {
    search s = {.learner = l};
    double loss;
    s.status = begin(&s);
    if (s.status == TZ_OK)
        s.status = deal_blocks(l);
    if (s.status == TZ_OK && l->progress.epoch == 1) { /* which rows are there? */
        s.status = pass(&s, &loss);
        if (s.status == TZ_OK)
            s.status = tz_gradient_join(l->gradient, l->opt_error);
    }
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
    tz_sums_free(s.sums);
    free(s.total);
    free(s.part);
    free(s.row);
    return s.status;
}
