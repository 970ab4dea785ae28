/* draw_result_uses.c - structures of results as uses of the weights of a rule set.
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "io/draw/draw_source.h"
#include "rules/table.h"

tz_status tz_draw_lengths(tz_draw_source *source, const json_t *result) {
    const tz_rules *rules = source->choice->opt_rules;
    source->lengths = tz_arena_array(source->arena, rules->lengths + 1u, sizeof *source->lengths);
    if (source->lengths == NULL)
        return TZ_NO_MEMORY;
    for (unsigned l = 0; l < rules->lengths; l++) {
        const json_t *value = json_object_get(result, rules->length_name[l]);
        int32_t *length = &source->lengths[l];
        if (!tz_draw_integer(value, length) || *length < 0 || *length > TZ_DRAW_WORDS)
            return tz_draw_bad(source, "\"%s\", a length of %s, is not a number from 0 to %d",
                               rules->length_name[l], rules->name, TZ_DRAW_WORDS);
    }
    if (rules->lengths > 0 && source->words != NULL &&
        json_array_size(source->words) != (size_t)source->lengths[0])
        return tz_draw_bad(source, "%zu words, but \"%s\" is %d", json_array_size(source->words),
                           rules->length_name[0], source->lengths[0]);
    return TZ_OK;
}

bool tz_draw_index(const tz_rules *rules, bool labelled, size_t length, const json_t *value,
                   int32_t *ret_number) {
    const char *name = json_string_value(value), *label;
    if (name == NULL || !labelled)
        return tz_draw_integer(value, ret_number);
    for (*ret_number = 0; (label = tz_rules_label(rules, length, (size_t)*ret_number)) != NULL;
         ++*ret_number)
        if (strcmp(label, name) == 0)
            return true;
    return false;
}

static tz_status read_use(const tz_draw_source *source, const json_t *value, size_t number,
                          tz_use *use) {
    const tz_rules *rules = source->choice->opt_rules;
    const char *name = json_string_value(json_array_get(value, 0));
    unsigned count;
    const tz_weight *weight = tz_declared_weights(rules, &count);
    for (use->weight = 0; name != NULL && use->weight < count; use->weight++)
        if (strcmp(name, weight[use->weight].name) == 0)
            break;
    if (name == NULL || use->weight == count)
        return tz_draw_bad(source, "entry %zu of \"weights\" is of no weight of %s", number,
                           rules->name);
    unsigned rank = weight[use->weight].rank;
    bool good = json_array_size(value) == rank + 2;
    for (unsigned q = 0; q < rank && good; q++) {
        size_t length = 0;
        bool labelled = tz_rules_labelled(rules, TZ_WEIGHTS, use->weight, q, &length);
        good = tz_draw_index(rules, labelled, length, json_array_get(value, q + 1), &use->index[q]);
    }
    if (!good || !tz_rules_declared(rules, use->weight, source->lengths, use->index))
        return tz_draw_bad(source, "entry %zu of \"weights\" is no cell of %s for these lengths",
                           number, name);
    return TZ_OK;
}

tz_status tz_draw_uses(const tz_draw_source *source, const json_t *weights, const json_t *opt_proof,
                       tz_drawing *ret_drawing) {
    const tz_rules *rules = source->choice->opt_rules;
    const char *caption = ret_drawing->caption;
    size_t uses = json_array_size(weights), words = json_array_size(source->words);
    if (!json_is_array(weights))
        return tz_draw_bad(source, "a structure without \"weights\", a list");
    tz_use *use = tz_arena_array(source->arena, uses, sizeof *use);
    const char **word = tz_arena_array(source->arena, words, sizeof *word);
    if (use == NULL || word == NULL)
        return TZ_NO_MEMORY;
    tz_status status = TZ_OK;
    for (size_t u = 0; u < uses && status == TZ_OK; u++)
        status = read_use(source, json_array_get(weights, u), u + 1, &use[u]);
    for (size_t w = 0; w < words; w++)
        word[w] = json_string_value(json_array_get(source->words, w));
    tz_derivation derivation = {.uses = uses, .use = use};
    if (status == TZ_OK && rules->inputs > 0 && opt_proof != NULL)
        status = tz_draw_nodes(source, opt_proof, &derivation.node, &derivation.nodes);
    if (status != TZ_OK)
        return status;
    status = tz_drawing_uses(source->arena, rules, source->lengths, &derivation,
                             source->words != NULL ? word : NULL, ret_drawing);
    ret_drawing->caption = caption;
    if (status == TZ_BAD_ARGUMENT && rules->inputs > 0 && opt_proof != NULL)
        return tz_draw_bad(source, "the proof tree is none of %s for these lengths", rules->name);
    if (status == TZ_BAD_ARGUMENT && rules->inputs > 0) {
        tz_draw_bad(source,
                    "where %s looks its inputs up stands in the proof tree, which only the best "
                    "derivation has: draw the result of `trapeze run` --best --derivation",
                    rules->name);
        return TZ_NONE;
    }
    if (status == TZ_NONE)
        return tz_draw_bad(source,
                           "no weight of %s has a shape that is drawn; --derivation draws "
                           "the proof tree",
                           rules->name);
    return status;
}
