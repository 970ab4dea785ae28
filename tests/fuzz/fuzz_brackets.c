/* fuzz_brackets.c - trees of a treebank: read, written, and read again.
 *
 * SPDX-License-Identifier: MIT */
#include <string.h>

#include "fuzz.h"
#include "sentences/deletions/outward.h"
#include "sentences/trees/brackets.h"

static void check(const tz_tree *tree) {
    FUZZ_CHECK(tree->words > 0 && tree->nodes > 0 && tree->node[0].parent == TZ_NO_NODE);
    FUZZ_CHECK(tree->node[0].begin == 0 && tree->node[0].end == tree->words);
    for (uint32_t x = 1; x < tree->nodes; x++) {
        const tz_tree_node *node = &tree->node[x], *parent = &tree->node[node->parent];
        FUZZ_CHECK(node->parent < x && node->begin < node->end);
        FUZZ_CHECK(node->begin >= parent->begin && node->end <= parent->end);
        FUZZ_CHECK(node->head_word >= node->begin && node->head_word < node->end);
    }
}

static tz_brackets *open(const void *data, size_t size, fuzz_text *in) {
    *in = fuzz_lines(data, size, TZ_BRACKETS_LINE);
    tz_brackets *brackets = tz_brackets_new(in->lines, size % 2 == 0);
    FUZZ_CHECK(brackets != NULL);
    return brackets;
}

/* What is written of a tree that was read so, is read as the same one. */
static void write_back(tz_arena *arena, const tz_tree *tree) {
    OWNED(tz_text, text) = {0}, again = {0};
    tz_tree same;
    tz_error error;
    fuzz_text in;
    tz_brackets_write(tree, NULL, &text);
    FUZZ_CHECK(!text.failed);
    OWN(tz_brackets, brackets) = open(text.data, text.size, &in);
    tz_status status = tz_brackets_next(brackets, arena, &same, &error);
    if (status != TZ_OK)
        fuzz_fail("%s\n%s", text.data, error.message);
    tz_brackets_write(&same, NULL, &again);
    if (text.size != again.size || memcmp(text.data, again.data, text.size) != 0)
        fuzz_fail("%.*s\n%.*s", (int)text.size, text.data, (int)again.size, again.data);
    fuzz_lines_free(&in);
}

void fuzz_target(const uint8_t *data, size_t size) {
    tz_error error;
    tz_tree tree;
    fuzz_text in;
    tz_status status;
    OWN(tz_brackets, brackets) = open(data, size, &in);
    do {
        OWN(tz_arena, arena) = tz_arena_new();
        FUZZ_CHECK(arena != NULL);
        status = tz_brackets_next(brackets, arena, &tree, &error);
        if (status == TZ_OK) {
            tz_outward outward;
            check(&tree);
            write_back(arena, &tree);
            FUZZ_CHECK(tz_outward_new(arena, &tree, &outward) == TZ_OK);
        } else if (status != TZ_NONE) {
            fuzz_check_error(status, &error);
        }
    } while (status == TZ_OK);
    fuzz_lines_free(&in);
}
