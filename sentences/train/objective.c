/* objective.c - see objective.h. SPDX-License-Identifier: MIT */
#include "sentences/train/objective.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/threads.h"

/* A weight tells places apart if it has more cells for a longer sentence. */
static tz_status find_placed(tz_objective *o) {
    for (size_t w = 0; w < tz_rules_count(o->model->rules, TZ_WEIGHTS); w++) {
        tz_shape of_two, of_three;
        int32_t labels = (int32_t)o->model->labels.count;
        tz_status status = tz_rules_shape(o->model->rules, w, (int32_t[]){2, labels}, &of_two);
        if (status == TZ_OK)
            status = tz_rules_shape(o->model->rules, w, (int32_t[]){3, labels}, &of_three);
        if (status != TZ_OK)
            return status;
        for (unsigned q = 0; q < of_two.rank; q++)
            o->placed[w] |= of_two.extent[q] != of_three.extent[q];
    }
    return TZ_OK;
}

tz_status tz_objective_new(const tz_model *model, const tz_training *training,
                           tz_objective **ret_objective, tz_error *opt_error) {
    *ret_objective = NULL;
    tz_objective *o = calloc(1, sizeof *o);
    if (!o)
        return TZ_NO_MEMORY;
    *o = (tz_objective){.class = training->objective == TZ_LIKELIHOOD ? &tz_likelihood_class
                                                                      : &tz_perceptron_class,
                        .model = model,
                        .margin = training->margin,
                        .least = training->least,
                        .threads = training->threads};
    tz_status status = find_placed(o);
    if (status == TZ_OK) {
        status = tz_plan_new(model->rules, tz_semiring_find(o->class->semiring, TZ_F64), 0,
                             &o->plan, opt_error);
    }
    if (status == TZ_OK)
        status = tz_charts_new(o->plan, &o->charts);
    if (status != TZ_OK) {
        tz_objective_free(o);
        return status;
    }
    *ret_objective = o;
    return TZ_OK;
}

void tz_objective_free(tz_objective *o) {
    if (o) {
        for (size_t s = 0; s < o->slots; s++) {
            tz_example *slot = &o->slot[s];
            tz_scored_free(&slot->scored);
            free(slot->right);
            free(slot->found);
            for (size_t w = 0; w < TZ_TASK_WEIGHTS; w++)
                free(slot->amount[w]);
        }
        free(o->slot);
        free(o->problem);
        tz_charts_free(o->charts);
        tz_plan_free(o->plan);
        free(o);
    }
}

static bool grow_slots(tz_objective *o, size_t count) {
    return TZ_GROW_ZEROED(o->slot, &o->slots, count) && TZ_GROW(o->problem, &o->problems, count);
}

static int compare_cells(const void *a, const void *b) {
    return tz_cell_compare(a, b);
}

static tz_status prepare(const tz_objective *o, tz_example *slot) {
    const tz_model *model = o->model;
    tz_status status = tz_score_sentence(model, model->weight, slot->sentence, &slot->scored);
    if (status != TZ_OK)
        return status;
    size_t most = 2 * (size_t)slot->sentence->words + 1;
    if (!TZ_GROW(slot->right, &slot->right_capacity, most))
        return TZ_NO_MEMORY;
    slot->rights =
        model->variant->cells(slot->sentence, model->task->gold(slot->sentence), slot->right);
    qsort(slot->right, slot->rights, sizeof *slot->right, compare_cells);
    return o->class->prepare(o, slot);
}

static tz_status visit(void *user, size_t problem, tz_chart *chart, size_t lane) {
    const tz_objective *o = user;
    return o->class->ask(o, &o->slot[problem], chart, lane);
}

static void trim(tz_example *slot) {
    tz_scored_trim(&slot->scored);
    for (size_t w = 0; w < TZ_TASK_WEIGHTS; w++) {
        if (slot->amount_capacity[w] > TZ_SCORED_KEPT) {
            free(slot->amount[w]);
            slot->amount[w] = NULL;
            slot->amount_capacity[w] = 0;
        }
    }
}

/* Sentences of a batch. */
typedef struct batch {
    tz_objective *objective;
    const tz_sentence *const *sentence;
    tz_gradient *gradient;
} batch;

static void prepare_one(void *of, size_t s) {
    const batch *b = of;
    tz_example *slot = &b->objective->slot[s];
    slot->sentence = b->sentence[s];
    slot->status = prepare(b->objective, slot);
}

static void terms_of_one(void *of, size_t s) {
    const batch *b = of;
    const tz_objective *o = b->objective;
    o->slot[s].status = o->class->terms(o, &o->slot[s], &b->gradient->terms[s]);
}

tz_status tz_objective_batch(tz_objective *o, const tz_sentence *const *sentence, size_t count,
                             tz_gradient *gradient, double *loss, tz_error *opt_error) {
    tz_status status = tz_gradient_begin(gradient, count);
    if (status != TZ_OK || !grow_slots(o, count))
        return TZ_NO_MEMORY;
    batch b = {o, sentence, gradient};
    tz_parallel(o->threads, count, prepare_one, &b);
    for (size_t s = 0; s < count && status == TZ_OK; s++) {
        status = o->slot[s].status;
        o->problem[s] =
            (tz_problem){.lengths = o->slot[s].scored.lengths, .scores = o->slot[s].scored.scores};
    }
    if (status == TZ_OK) {
        tz_run_options options = {
            .outside = o->class->outside, .threads = o->threads, .charts = o->charts};
        status = tz_run(o->plan, o->problem, count, &options, visit, o, opt_error);
    }
    if (status != TZ_OK)
        return status;
    tz_parallel(o->threads, count, terms_of_one, &b);
    for (size_t s = 0; s < count && status == TZ_OK; s++) {
        status = o->slot[s].status;
        *loss += o->slot[s].loss;
        trim(&o->slot[s]);
    }
    return status;
}
