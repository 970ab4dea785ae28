/* perceptron.c - the structured perceptron, and hinge loss. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "sentences/train/objective.h"

/* The margin: what an answer lacks of the right one's cells adds to its score; or, what is the same
 * but for a constant, what it has subtracts. */
static tz_status prepare(const tz_objective *o, tz_example *slot) {
    for (size_t c = 0; c < slot->rights && o->margin > 0; c++) {
        const tz_cell *cell = &slot->right[c];
        if (o->placed[cell->weight]) {
            slot->scored.data[cell->weight][tz_cell_place(&slot->scored.shape[cell->weight],
                                                          cell->index)] -= o->margin;
        }
    }
    return TZ_OK;
}

static tz_status ask(const tz_objective *o, tz_example *slot, tz_chart *chart, size_t lane) {
    (void)o;
    const tz_derivation *best;
    tz_status status = tz_best(chart, lane, TZ_GOAL, NULL, &best);
    if (status == TZ_OK && !TZ_GROW(slot->found, &slot->found_capacity, best->uses + 1))
        return TZ_NO_MEMORY;
    slot->founds = status == TZ_OK ? best->uses : 0;
    for (size_t u = 0; u < slot->founds; u++) {
        slot->found[u] = (tz_cell){.weight = best->use[u].weight};
        memcpy(slot->found[u].index, best->use[u].index,
               slot->scored.shape[best->use[u].weight].rank * sizeof(int32_t));
    }
    return status == TZ_NONE ? TZ_OK : status;
}

/* Amounts of cells that differ in the label alone. */
typedef struct gathered {
    tz_features features;
    const tz_model *model;
    tz_gradient_terms *terms;
    tz_cell cell;
    double *amount; /* for each label; NULL: nothing has been gathered */
    tz_status status;
} gathered;

static void take(tz_features *features) {
    gathered *g = (gathered *)features;
    if (g->status == TZ_OK)
        g->status =
            tz_gradient_terms_add(g->terms, g->model, features->key, features->count, g->amount);
}

/* Hands on what has been gathered. */
static void flush(gathered *g, const tz_example *slot) {
    bool any = false;
    for (size_t a = 0; a < g->model->width; a++)
        any |= g->amount[a] != 0;
    if (any) {
        tz_cell_features(g->model, slot->sentence, &g->cell, &g->features);
        take(&g->features);
        g->features.count = 0;
        memset(g->amount, 0, g->model->width * sizeof *g->amount);
    }
}

static void gather(gathered *g, const tz_example *slot, const tz_cell *cell, double amount) {
    tz_cell bare = *cell;
    size_t label = 0;
    if (g->model->task->labelled) {
        int32_t *last = &bare.index[slot->scored.shape[cell->weight].rank - 1];
        label = (size_t)*last;
        *last = 0;
    }
    if (tz_cell_compare(&bare, &g->cell) != 0) {
        flush(g, slot);
        g->cell = bare;
    }
    g->amount[label] += amount;
}

/* Away from the best answer and towards the right one; cells that both have cancel. */
static tz_status terms(const tz_objective *o, tz_example *slot, tz_gradient_terms *terms) {
    gathered g = {.features.flush = take,
                  .model = o->model,
                  .terms = terms,
                  .amount = calloc(o->model->width, sizeof *g.amount)};
    if (!g.amount)
        return TZ_NO_MEMORY;
    slot->loss = 0;
    size_t r = 0, f = 0;
    while (r < slot->rights || f < slot->founds) {
        int order = r == slot->rights   ? 1
                    : f == slot->founds ? -1
                                        : tz_cell_compare(&slot->right[r], &slot->found[f]);
        if (order < 0) {
            slot->loss += o->placed[slot->right[r].weight];
            gather(&g, slot, &slot->right[r], -1);
        } else if (order > 0) {
            gather(&g, slot, &slot->found[f], 1);
        }
        r += order <= 0;
        f += order >= 0;
    }
    flush(&g, slot);
    free(g.amount);
    return g.status;
}

const tz_objective_class tz_perceptron_class = {
    .semiring = "max", .prepare = prepare, .ask = ask, .terms = terms};
