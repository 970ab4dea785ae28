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

static tz_status read_use(const tz_draw_source *source, const json_t *value, size_t number,
                          tz_use *use) {
    const tz_rules *rules = source->choice->opt_rules;
    const char *name = json_string_value(json_array_get(value, 0));
    for (use->weight = 0; name != NULL && use->weight < rules->weights; use->weight++)
        if (strcmp(name, rules->weight[use->weight].name) == 0)
            break;
    if (name == NULL || use->weight == rules->weights)
        return tz_draw_bad(source, "entry %zu of \"weights\" is of no weight of %s", number,
                           rules->name);
    unsigned rank = rules->weight[use->weight].rank;
    bool good = json_array_size(value) == rank + 2;
    for (unsigned q = 0; q < rank && good; q++)
        good = tz_draw_integer(json_array_get(value, q + 1), &use->index[q]);
    if (!good || !tz_rules_declared(rules, use->weight, source->lengths, use->index))
        return tz_draw_bad(source, "entry %zu of \"weights\" is no cell of %s for these lengths",
                           number, name);
    return TZ_OK;
}

tz_status tz_draw_uses(const tz_draw_source *source, const json_t *weights,
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
    if (status == TZ_OK)
        status = tz_drawing_uses(source->arena, rules, source->lengths, use, uses,
                                 source->words != NULL ? word : NULL, ret_drawing);
    ret_drawing->caption = caption;
    if (status == TZ_NONE)
        return tz_draw_bad(source,
                           "no weight of %s has a shape that is drawn; --derivation draws "
                           "the proof tree",
                           rules->name);
    return status;
}
