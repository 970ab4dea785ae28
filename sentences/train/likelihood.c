/* likelihood.c - minus the log of the right answer's probability: log Z minus its score. The
 * derivative by the score of a cell is the cell's marginal, minus one for each time that the right
 * answer uses it. A sentence whose right answer is impossible by its features (it scores -INFINITY)
 * is passed over. SPDX-License-Identifier: MIT */
#include <math.h>

#include "base/grow.h"
#include "sentences/train/objective.h"

static tz_status prepare(const tz_objective *o, tz_example *slot) {
    slot->loss = 0;
    for (size_t c = 0; c < slot->rights; c++) {
        const tz_cell *cell = &slot->right[c];
        slot->loss -=
            slot->scored
                .data[cell->weight][tz_cell_place(&slot->scored.shape[cell->weight], cell->index)];
    }
    for (size_t w = 0; w < tz_rules_count(o->model->rules, TZ_WEIGHTS); w++)
        if (!TZ_GROW(slot->amount[w], &slot->amount_capacity[w], slot->scored.cells[w] + 1))
            return TZ_NO_MEMORY;
    return TZ_OK;
}

static tz_status ask(const tz_objective *o, tz_example *slot, tz_chart *chart, size_t lane) {
    if (isinf(slot->loss))
        return TZ_OK;
    double log_z;
    tz_status status = tz_goal(chart, lane, &log_z);
    for (size_t w = 0; status == TZ_OK && w < tz_rules_count(o->model->rules, TZ_WEIGHTS); w++) {
        tz_output output = tz_output_dense(&slot->scored.shape[w], slot->amount[w]);
        status = tz_marginals(chart, lane, w, &output);
    }
    if (status == TZ_OK)
        slot->loss += log_z;
    return status;
}

typedef struct taken {
    const tz_model *model;
    tz_gradient_terms *terms;
    tz_status status;
} taken;

static void take(void *user, const uint64_t *key, size_t count, const double *amount) {
    taken *t = user;
    if (t->status == TZ_OK)
        t->status = tz_gradient_terms_add(t->terms, t->model, key, count, amount);
}

static tz_status terms(const tz_objective *o, tz_example *slot, tz_gradient_terms *terms) {
    if (isinf(slot->loss)) {
        slot->loss = 0;
        return TZ_OK;
    }
    for (size_t c = 0; c < slot->rights; c++) {
        const tz_cell *cell = &slot->right[c];
        slot->amount[cell->weight][tz_cell_place(&slot->scored.shape[cell->weight], cell->index)] -=
            1;
    }
    const double *amount[TZ_TASK_WEIGHTS];
    for (size_t w = 0; w < tz_rules_count(o->model->rules, TZ_WEIGHTS); w++) {
        amount[w] = slot->amount[w];
        for (size_t c = 0; c < slot->scored.cells[w]; c++)
            slot->amount[w][c] = fabs(slot->amount[w][c]) < o->least ? 0 : slot->amount[w][c];
    }
    taken taken = {.model = o->model, .terms = terms};
    tz_score_back(o->model, slot->sentence, &slot->scored, amount, take, &taken);
    return taken.status;
}

const tz_objective_class tz_likelihood_class = {
    .semiring = "log", .outside = true, .prepare = prepare, .ask = ask, .terms = terms};
