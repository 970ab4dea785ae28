/* json_structures.c - derivations as JSON. SPDX-License-Identifier: MIT */
#include "io/json/json_structures.h"

#include "io/json/labels.h"
#include "rules/table.h"

void tz_json_key(tz_text *text, const char *key) {
    tz_text_put(text, text->size == 0 ? "{\"" : ",\"");
    tz_text_put(text, key);
    tz_text_put(text, "\":");
}

void tz_json_next(tz_text *text) {
    const char last = text->size > 0 ? text->data[text->size - 1] : '[';
    tz_text_put(text, last == '[' || last == ':' ? "" : ",");
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

static tz_status put_path(const tz_json_answer *to, const tz_derivation *derivation) {
    tz_text *text = to->text;
    tz_buffer *order = &to->scratch->order;
    tz_status status = tz_buffer_reserve(order, derivation->uses + 1, sizeof(size_t));
    if (status == TZ_OK)
        status = tz_path(to->rules, to->lengths, derivation, order->data);
    if (status != TZ_OK)
        return status;
    tz_text_put(text, ",\"path\":[");
    for (size_t i = 0; i < derivation->uses; i++) {
        const size_t u = ((const size_t *)order->data)[i];
        tz_text_put(text, i > 0 ? "," : "");
        put_use(text, to->problem->rules, &derivation->use[u],
                derivation->position != NULL ? &derivation->position[u] : NULL);
    }
    tz_text_put(text, "]");
    return TZ_OK;
}

tz_status tz_json_structure(void *answer, size_t k, const tz_derivation *derivation) {
    const tz_json_answer *to = answer;
    tz_text *text = to->text;
    (void)k;
    tz_json_next(text);
    tz_text_put(text, "{\"score\":");
    tz_text_number(text, derivation->score);
    tz_text_put(text, ",\"weights\":[");
    for (size_t u = 0; u < derivation->uses; u++) {
        tz_text_put(text, u > 0 ? "," : "");
        put_use(text, to->problem->rules, &derivation->use[u], NULL);
    }
    tz_text_put(text, "]");
    const tz_status status = to->questions->path ? put_path(to, derivation) : TZ_OK;
    tz_text_put(text, "}");
    return status;
}

/* The nodes stand in preorder; open[] counts the premises still to come of every tree that is
 * being written, outermost first. */
tz_status tz_json_tree(void *answer, size_t k, const tz_derivation *derivation) {
    const tz_json_answer *to = answer;
    const tz_rules *rules = to->problem->rules;
    tz_text *text = to->text;
    size_t depth = 0;
    (void)k;
    tz_status status =
        tz_buffer_reserve(&to->scratch->open, derivation->nodes + 1, sizeof(uint32_t));
    uint32_t *open = to->scratch->open.data;
    for (size_t n = 0; n < derivation->nodes && status == TZ_OK; n++) {
        const tz_node *node = &derivation->node[n];
        const tz_item *item = &rules->item[node->item];
        tz_text_put(text, "{\"item\":\"");
        tz_text_put(text, item->name);
        tz_text_put(text, "\",\"index\":[");
        tz_json_item_indices(text, rules, node->item, node->index, item->rank);
        tz_text_put(text, "],\"rule\":\"");
        tz_text_put(text, rules->rule[node->rule].name);
        tz_text_put(text, "\",\"premises\":[");
        open[depth++] = node->premises;
        for (; depth > 0 && open[depth - 1] == 0; depth--) {
            tz_text_put(text, "]}");
            if (depth > 1 && --open[depth - 2] > 0)
                tz_text_put(text, ",");
        }
    }
    return status;
}

tz_status tz_json_derivations(tz_text *text, tz_ask which, const tz_asking *a, tz_take *put,
                              void *user) {
    const tz_question *question = &tz_question_table[which];
    bool list = question->form == TZ_FORM_LIST;
    tz_json_key(text, question->key);
    tz_text_put(text, list ? "[" : "");
    const size_t before = text->size;
    tz_status status = a->none ? TZ_NONE : question->structures(a, put, user);
    if (!list && text->size == before && status == TZ_NONE)
        tz_text_put(text, "null");
    tz_text_put(text, list ? "]" : "");
    return status == TZ_NONE ? TZ_OK : status;
}
