/* draw_proof.c - proof trees from JSON: {"item": "rtri", "index": [0,4], "rule": "complete-right",
 * "premises": [...]}, keys in any order. SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "io/draw/draw_source.h"

bool tz_draw_integer(const json_t *value, int32_t *ret_number) {
    double number = json_number_value(value);
    if (!json_is_number(value) || fabs(number) > 1e9 || number != floor(number))
        return false;
    *ret_number = (int32_t)number;
    return true;
}

struct reader {
    const tz_draw_source *source;
    tz_proof_node *node;
    size_t nodes, capacity;
};

/* "rtri" and [0,4] become "rtri[0,4]". */
static tz_status name_item(struct reader *reader, const json_t *value, const char **ret_name) {
    const char *item =
        tz_draw_clean(reader->source->arena, json_string_value(json_object_get(value, "item")));
    const json_t *index = json_object_get(value, "index");
    size_t rank = json_array_size(index);
    tz_text name = {0};
    if (!item)
        return TZ_NO_MEMORY;
    tz_text_put(&name, item);
    bool good = !index || (json_is_array(index) && rank <= TZ_MAX_RANK);
    for (size_t q = 0; good && q < rank; q++) {
        const json_t *at = json_array_get(index, q);
        const char *label = json_string_value(at);
        int32_t number = 0;
        good = label != NULL || tz_draw_integer(at, &number);
        tz_text_put(&name, q > 0 ? "," : "[");
        if (label != NULL)
            tz_text_put(&name, label);
        else
            tz_text_number(&name, number);
        tz_text_put(&name, q + 1 == rank ? "]" : "");
    }
    const char *copy =
        name.failed ? NULL : tz_arena_text(reader->source->arena, name.data, name.size);
    *ret_name = copy != NULL ? tz_draw_clean(reader->source->arena, copy) : NULL;
    tz_text_free(&name);
    if (!good)
        return tz_draw_bad(reader->source,
                           "node %zu of the derivation: \"index\" is not a list of at most %d "
                           "whole numbers or names",
                           reader->nodes, TZ_MAX_RANK);
    return *ret_name != NULL ? TZ_OK : TZ_NO_MEMORY;
}

static tz_status read_node(void *user, const json_t *value, size_t number, size_t premises) {
    static const char *const needed[] = {"item", "rule"};
    struct reader *reader = user;
    const tz_draw_source *source = reader->source;
    void *node = reader->node;
    bool grown = tz_grow(&node, &reader->capacity, number, sizeof *reader->node);
    reader->node = node;
    if (!grown)
        return TZ_NO_MEMORY;
    tz_proof_node *at = &reader->node[reader->nodes++];
    for (size_t i = 0; i < 2; i++) {
        const json_t *part = json_object_get(value, needed[i]);
        if (!json_is_string(part))
            return part ? tz_draw_bad(source, "node %zu of the derivation: \"%s\" is not a string",
                                      number, needed[i])
                        : tz_draw_bad(source, "node %zu of the derivation lacks \"%s\"", number,
                                      needed[i]);
    }
    *at = (tz_proof_node){
        .rule = tz_draw_clean(source->arena, json_string_value(json_object_get(value, "rule"))),
        .premises = premises,
    };
    return at->rule ? name_item(reader, value, &at->item) : TZ_NO_MEMORY;
}

tz_status tz_draw_proof(const tz_draw_source *source, const json_t *value,
                        const tz_proof **ret_proof) {
    struct reader reader = {.source = source};
    tz_status status = tz_draw_walk(source, value, read_node, &reader);
    tz_proof *proof = NULL;
    if (status == TZ_OK) {
        proof = tz_arena_array(source->arena, 1, sizeof *proof);
        tz_proof_node *node = tz_arena_array(source->arena, reader.nodes, sizeof *node);
        if (proof && node) {
            memcpy(node, reader.node, reader.nodes * sizeof *node);
            *proof = (tz_proof){reader.nodes, node};
        } else {
            status = TZ_NO_MEMORY;
        }
    }
    free(reader.node);
    *ret_proof = status == TZ_OK ? proof : NULL;
    return status;
}
