/* write_brackets.c - a sentence as a tree in brackets: --format=ptb. SPDX-License-Identifier: MIT
 */
#include <stdbool.h>

#include "sentences/cli/analyse/write.h"
#include "sentences/trees/brackets.h"

/* The constituents without a kept word, in a kept one each. */
static bool mark_dropped(tz_arena *arena, const tz_tree *tree, const int32_t *compression,
                         uint8_t *ret_dropped) {
    uint32_t *before = tz_arena_array(arena, (size_t)tree->words + 1, sizeof *before);
    if (!before)
        return false;
    for (uint32_t w = 0; w < tree->words; w++)
        before[w + 1] = before[w] + (compression[w + 1] >= 0);
    for (uint32_t x = 0; x < tree->nodes; x++) {
        const tz_tree_node *node = &tree->node[x];
        bool inside = node->parent != TZ_NO_NODE && before[tree->node[node->parent].begin] ==
                                                        before[tree->node[node->parent].end];
        ret_dropped[x] = before[node->begin] == before[node->end] && !inside;
    }
    return true;
}

tz_status tz_write_brackets(tz_text *text, tz_asked asked, const tz_input_sentence *item,
                            tz_levels levels) {
    const tz_analysed *a = &item->analysed;
    const tz_tree *tree = a->tree;
    tz_arena *arena = tz_arena_new();
    tz_tree from_heads;
    uint8_t *dropped = NULL;
    tz_status status = arena ? TZ_OK : TZ_NO_MEMORY;
    if (status == TZ_OK && !tree) {
        status = tz_tree_of_dependencies(arena, NULL, &a->sentence, (const char **const *)a->name,
                                         levels, &from_heads, NULL);
        tree = &from_heads;
    }
    if (status == TZ_OK && asked == TZ_ASKED_COMPRESSIONS) {
        dropped = tz_arena_array(arena, tree->nodes, 1);
        status = dropped && mark_dropped(arena, tree, a->sentence.compression, dropped)
                     ? TZ_OK
                     : TZ_NO_MEMORY;
    }
    if (status == TZ_OK)
        tz_brackets_write(tree, dropped, text);
    tz_arena_free(arena);
    return status;
}
