/* draw_nodes.c - proof trees from JSON as nodes of a rule set. SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "io/draw/draw_source.h"
#include "rules/table.h"

typedef struct reader {
    const tz_draw_source *source;
    tz_node *node;
    size_t nodes, capacity;
} reader;

/* The item and the first rule of these names. */
static bool find_names(const tz_rules *rules, const json_t *value, tz_node *node) {
    const char *item = json_string_value(json_object_get(value, "item"));
    const char *rule = json_string_value(json_object_get(value, "rule"));
    while (item != NULL && node->item < rules->items &&
           strcmp(rules->item[node->item].name, item) != 0)
        node->item++;
    while (rule != NULL && node->rule < rules->rule_count &&
           strcmp(rules->rule[node->rule].name, rule) != 0)
        node->rule++;
    return item != NULL && node->item < rules->items && rule != NULL &&
           node->rule < rules->rule_count;
}

static bool read_index(const tz_rules *rules, const json_t *index, tz_node *node) {
    unsigned rank = rules->item[node->item].rank;
    bool good = json_array_size(index) == rank;
    for (unsigned q = 0; q < rank && good; q++) {
        size_t length = 0;
        bool labelled = tz_rules_labelled(rules, TZ_ITEMS, node->item, q, &length);
        good = tz_draw_index(rules, labelled, length, json_array_get(index, q), &node->index[q]);
    }
    return good;
}

static tz_status read_node(void *user, const json_t *value, size_t number, size_t premises) {
    reader *r = user;
    const tz_rules *rules = r->source->choice->opt_rules;
    void *node = r->node;
    bool grown = tz_grow(&node, &r->capacity, number, sizeof *r->node);
    r->node = node;
    if (!grown)
        return TZ_NO_MEMORY;
    tz_node *at = &r->node[r->nodes++];
    *at = (tz_node){.premises = (uint32_t)premises};
    if (!find_names(rules, value, at) || !read_index(rules, json_object_get(value, "index"), at))
        return tz_draw_bad(r->source, "node %zu of the derivation is no item and rule of %s",
                           number, rules->name);
    return TZ_OK;
}

tz_status tz_draw_nodes(const tz_draw_source *source, const json_t *value, const tz_node **ret_node,
                        size_t *ret_nodes) {
    reader r = {.source = source};
    tz_status status = tz_draw_walk(source, value, read_node, &r);
    tz_node *node = NULL;
    if (status == TZ_OK && (node = tz_arena_array(source->arena, r.nodes, sizeof *node)) == NULL)
        status = TZ_NO_MEMORY;
    if (status == TZ_OK)
        memcpy(node, r.node, r.nodes * sizeof *node);
    *ret_node = node;
    *ret_nodes = node != NULL ? r.nodes : 0;
    free(r.node);
    return status;
}
