/* model.c - see model.h. SPDX-License-Identifier: MIT */
#include "sentences/deletions/model.h"

#include <math.h>
#include <stdlib.h>

const char tz_deletions_name[] = "deletions";

void tz_deletions_free(tz_deletions *model) {
    if (model) {
        free(model->context);
        free(model->start);
    }
    free(model);
}

tz_tree_source tz_tree_source_of(tz_levels levels) {
    static const tz_tree_source source[] = {[TZ_LEVELS_FLAT] = TZ_TREES_FLAT,
                                            [TZ_LEVELS_PREP] = TZ_TREES_PREP,
                                            [TZ_LEVELS_VERB] = TZ_TREES_VERB,
                                            [TZ_LEVELS_TAGS] = TZ_TREES_TAGS};
    return source[levels];
}

tz_levels tz_tree_source_levels(tz_tree_source source) {
    unsigned levels = TZ_LEVELS_FLAT;
    while (levels < TZ_LEVELS_TAGS && tz_tree_source_of((tz_levels)levels) != source)
        levels++;
    return (tz_levels)levels;
}

/* ---- Contexts -------------------------------------------------------------------------------- */

static int by_context(const void *a, const void *b) {
    uint64_t x = ((const tz_context_count *)a)->context, y = ((const tz_context_count *)b)->context;
    return (x > y) - (x < y);
}

/* The first bits of a hash. */
static size_t place(const tz_deletions *model, uint64_t context) {
    return model->bits > 0 ? (size_t)(context >> (64 - model->bits)) : 0;
}

tz_status tz_deletions_index(tz_deletions *model) {
    model->bits = 0;
    while (model->bits < 31 && model->contexts >> model->bits > 1)
        model->bits++;
    size_t places = (size_t)1 << model->bits, at = 0;
    free(model->start);
    model->start = malloc((places + 1) * sizeof *model->start);
    if (!model->start)
        return TZ_NO_MEMORY;
    for (size_t p = 0; p <= places; p++) {
        while (at < model->contexts && place(model, model->context[at].context) < p)
            at++;
        model->start[p] = (uint32_t)at;
    }
    return TZ_OK;
}

/* NULL: it never came. One or two have the same first bits; of a file that was made to, all may. */
static const uint32_t *find(const tz_deletions *model, uint64_t context) {
    size_t p = place(model, context);
    uint32_t low = model->start[p], high = model->start[p + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (model->context[middle].context == context)
            return model->context[middle].count;
        if (model->context[middle].context < context)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* ---- Models ---------------------------------------------------------------------------------- */

tz_status tz_deletions_new(const tz_deletion_counts *counts, tz_tree_source source,
                           tz_deletions **ret_model) {
    size_t contexts = counts->contexts.count;
    tz_deletions *model = *ret_model = calloc(1, sizeof *model);
    if (!model)
        return TZ_NO_MEMORY;
    *model = (tz_deletions){
        .source = source, .sight = counts->sight, .threshold = 0.5, .contexts = contexts};
    model->context = malloc((contexts + 1) * sizeof *model->context);
    for (size_t c = 0; c < contexts && model->context; c++) {
        model->context[c] = (tz_context_count){counts->contexts.value[c],
                                               {counts->count[c][0], counts->count[c][1]}};
    }
    tz_status status = model->context ? TZ_OK : TZ_NO_MEMORY;
    if (status == TZ_OK) {
        qsort(model->context, contexts, sizeof *model->context, by_context);
        status = tz_deletions_index(model);
    }
    if (status != TZ_OK) {
        tz_deletions_free(model);
        *ret_model = NULL;
    }
    return status;
}

/* From the context that has seen nothing. A context that never came has not come with more, either.
 * Both outcomes are computed: 1 - p of a p near 1 has lost its digits. */
void tz_deletions_probability(const tz_deletions *model, const tz_outward *tree,
                              const tz_decision *decision, double p[2]) {
    uint64_t context[TZ_CHAIN];
    size_t length = tz_chain(&model->sight, tree, decision, context);
    p[0] = p[1] = 0.5;
    for (size_t c = 0; c < length; c++) {
        const uint32_t *count = find(model, context[c]);
        if (!count)
            return;
        double outcomes = (count[0] > 0) + (count[1] > 0);
        double all = (double)count[0] + (double)count[1] + outcomes;
        for (int k = 0; k < 2; k++)
            p[k] = (count[k] + outcomes * p[k]) / all;
    }
}

double tz_deletions_own(const tz_deletions *model, const tz_outward *tree, uint32_t leaf) {
    double p[2];
    if (model->source != TZ_TREES_TAGS || tz_outward_is_head(tree, leaf))
        return 0;
    tz_deletions_probability(model, tree, &(tz_decision){.node = leaf, .own = true}, p);
    return log(p[1]);
}
