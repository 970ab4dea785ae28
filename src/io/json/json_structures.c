/* json_structures.c - derivations as JSON. SPDX-License-Identifier: MIT */
#include "io/json/json_structures.h"
#include "base/grow.h"
#include "io/json/labels.h"
#include "rules/table.h"

void tz_json_key(tz_text *text, const char *key) {
    tz_text_put(text, text->size == 0 ? "{\"" : ",\"");
    tz_text_put(text, key);
    tz_text_put(text, "\":");
}

/* ["arc",0,2,2]; opt_position: ["emit",2,1,0.5,[1]] where inputs were looked up. */
static void put_use(tz_text *text, const tz_rules *rules, const tz_use *use,
                    const tz_position *opt_position) {
    unsigned count;
    const tz_weight *weight = tz_declared_weights(rules, &count) + use->weight;
    tz_text_put(text, "[\"");
    tz_text_put(text, weight->name);
    tz_text_put(text, "\",");
    tz_json_weight_indices(text, rules, use->weight, use->index, weight->rank);
    tz_text_put(text, weight->rank > 0 ? "," : "");
    tz_text_number(text, use->score);
    for (unsigned q = 0; opt_position != NULL && q < opt_position->count; q++) {
        tz_text_put(text, q > 0 ? "," : ",[");
        tz_text_number(text, opt_position->at[q]);
    }
    tz_text_put(text, opt_position != NULL && opt_position->count > 0 ? "]]" : "]");
}

static void put_path(tz_text *text, const tz_json_paths *paths, const tz_derivation *derivation) {
    tz_json_scratch *scratch = paths->scratch;
    void *order = scratch->order;
    bool grown =
        tz_grow(&order, &scratch->order_capacity, derivation->uses + 1, sizeof *scratch->order);
    scratch->order = order;
    if (!grown || tz_path(paths->bound, paths->lengths, derivation, scratch->order) != TZ_OK) {
        text->failed = true;
        return;
    }
    tz_text_put(text, ",\"path\":[");
    for (size_t i = 0; i < derivation->uses; i++) {
        const size_t u = scratch->order[i];
        tz_text_put(text, i > 0 ? "," : "");
        put_use(text, paths->rules, &derivation->use[u],
                derivation->position != NULL ? &derivation->position[u] : NULL);
    }
    tz_text_put(text, "]");
}

static void put_structure(tz_text *text, const tz_json_paths *paths,
                          const tz_derivation *derivation) {
    tz_text_put(text, "{\"score\":");
    tz_text_number(text, derivation->score);
    tz_text_put(text, ",\"weights\":[");
    for (size_t u = 0; u < derivation->uses; u++) {
        tz_text_put(text, u > 0 ? "," : "");
        put_use(text, paths->rules, &derivation->use[u], NULL);
    }
    tz_text_put(text, "]");
    if (paths->wanted)
        put_path(text, paths, derivation);
    tz_text_put(text, "}");
}

/* The nodes stand in preorder; open[] counts the premises still to come of every tree that is
 * being written, outermost first. */
tz_status tz_json_tree(tz_text *text, tz_json_scratch *scratch, const tz_rules *rules,
                       const tz_derivation *derivation) {
    void *open = scratch->open;
    if (!tz_grow(&open, &scratch->open_capacity, derivation->nodes, sizeof *scratch->open))
        return TZ_NO_MEMORY;
    scratch->open = open;
    size_t depth = 0;
    tz_json_key(text, "derivation");
    for (size_t n = 0; n < derivation->nodes; n++) {
        const tz_node *node = &derivation->node[n];
        const tz_item *item = &rules->item[node->item];
        tz_text_put(text, "{\"item\":\"");
        tz_text_put(text, item->name);
        tz_text_put(text, "\",\"index\":[");
        tz_json_item_indices(text, rules, node->item, node->index, item->rank);
        tz_text_put(text, "],\"rule\":\"");
        tz_text_put(text, rules->rule[node->rule].name);
        tz_text_put(text, "\",\"premises\":[");
        scratch->open[depth++] = node->premises;
        for (; depth > 0 && scratch->open[depth - 1] == 0; depth--) {
            tz_text_put(text, "]}");
            if (depth > 1 && --scratch->open[depth - 2] > 0)
                tz_text_put(text, ",");
        }
    }
    return TZ_OK;
}

void tz_json_structure(tz_text *text, const char *key, const tz_json_paths *paths,
                       const tz_derivation *derivation) {
    tz_json_key(text, key);
    put_structure(text, paths, derivation);
}

/* ---- Lists ---------------------------------------------------------------------------------- */

void tz_json_listed(tz_text *text, bool first, const tz_json_paths *paths,
                    const tz_derivation *opt_derivation) {
    tz_text_put(text, first ? "" : ",");
    if (opt_derivation != NULL)
        put_structure(text, paths, opt_derivation);
    else
        tz_text_put(text, "null");
}

tz_status tz_json_kbest(tz_text *text, const tz_json_paths *paths, tz_chart *chart, size_t lane,
                        const tz_questions *questions) {
    const tz_derivation *derivation;
    tz_kbest *list;
    tz_status status = tz_kbest_new(chart, lane, questions->distinct, &list);
    tz_json_key(text, "kbest");
    tz_text_put(text, "[");
    if (status == TZ_OK)
        status = tz_kbest_within(list, questions->within);
    for (size_t k = 0; k < questions->kbest && status == TZ_OK; k++) {
        status = tz_kbest_next(list, &derivation);
        if (status == TZ_OK)
            tz_json_listed(text, k == 0, paths, derivation);
    }
    tz_text_put(text, "]");
    tz_kbest_free(list);
    return status == TZ_NONE ? TZ_OK : status;
}

tz_status tz_json_samples(tz_text *text, const tz_json_paths *paths, tz_chart *chart, size_t lane,
                          const tz_questions *questions, uint64_t seed) {
    const tz_derivation *derivation;
    tz_sampler *sampler;
    tz_status status = tz_sampler_new(chart, lane, seed, questions->without_replacement, &sampler);
    tz_json_key(text, "samples");
    tz_text_put(text, "[");
    for (size_t s = 0; s < questions->samples && status == TZ_OK; s++) {
        status = tz_sampler_next(sampler, &derivation);
        if (status == TZ_OK)
            tz_json_listed(text, s == 0, paths, derivation);
    }
    tz_text_put(text, "]");
    tz_sampler_free(sampler);
    return status == TZ_NONE ? TZ_OK : status;
}
