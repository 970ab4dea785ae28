/* model.c - see model.h. SPDX-License-Identifier: MIT */
#include "sentences/learn/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static tz_status new_model(const tz_task *task, const char *rules, unsigned bits, tz_labels *labels,
                           bool bytes, tz_model **ret_model) {
    *ret_model = NULL;
    tz_model *model = calloc(1, sizeof *model);
    if (!model) {
        tz_labels_free(labels);
        return TZ_NO_MEMORY;
    }
    model->task = task;
    model->bits = bits;
    model->labels = *labels;
    *labels = (tz_labels){0};
    model->width = task->labelled ? model->labels.count : 1;
    model->variant = tz_task_variant(task, rules);
    model->rules = model->variant ? tz_rules_find(rules) : NULL;
    tz_status status = TZ_OK;
    if (!model->rules || bits < 1 || bits > TZ_MODEL_BITS || model->width < 1)
        status = TZ_BAD_ARGUMENT;
    else if (model->width > TZ_MODEL_LABELS || model->width << bits > TZ_MODEL_WEIGHTS)
        status = TZ_TOO_LARGE;
    else if (bytes)
        model->step = calloc(tz_model_size(model), sizeof *model->step);
    else
        model->weight = calloc(tz_model_size(model), sizeof *model->weight);
    if (status == TZ_OK && !model->step && !model->weight)
        status = TZ_NO_MEMORY;
    if (status != TZ_OK) {
        tz_model_free(model);
        return status;
    }
    *ret_model = model;
    return TZ_OK;
}

tz_status tz_model_new(const tz_task *task, const char *rules, unsigned bits, tz_labels *labels,
                       tz_model **ret_model) {
    return new_model(task, rules, bits, labels, false, ret_model);
}

tz_status tz_model_new_bytes(const tz_task *task, const char *rules, unsigned bits,
                             tz_labels *labels, tz_model **ret_model) {
    return new_model(task, rules, bits, labels, true, ret_model);
}

void tz_model_free(tz_model *model) {
    if (model) {
        tz_labels_free(&model->labels);
        free(model->weight);
        free(model->step);
        free(model);
    }
}

size_t tz_model_size(const tz_model *model) {
    return model->width << model->bits;
}

float tz_model_greatest(const tz_model *model) {
    float most = 0;
    if (model->step) { /* of a file, the most that a byte holds, but for a model of zeros */
        bool any = memchr(model->step, 127, tz_model_size(model)) ||
                   memchr(model->step, -127, tz_model_size(model));
        if (any)
            return model->most;
    }
    for (size_t w = 0; w < tz_model_size(model); w++)
        most = fmaxf(most, fabsf(tz_model_weight(model, w)));
    return most;
}

void tz_model_prune(tz_model *model, double share) {
    double least = share * (double)tz_model_greatest(model);
    for (size_t w = 0; w < tz_model_size(model); w++)
        if (fabs((double)model->weight[w]) < least)
            model->weight[w] = 0;
}
