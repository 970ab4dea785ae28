/* read_trees.h - trees from text in memory, and as text. SPDX-License-Identifier: MIT */
#ifndef TZ_TESTS_SUPPORT_READ_TREES_H
#define TZ_TESTS_SUPPORT_READ_TREES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/grow.h"
#include "sentences/trees/brackets.h"
#include "tests/support/test.h"

/* Trees with the arena that they live in. */
typedef struct trees {
    tz_arena *arena;
    tz_tree *tree;
    size_t count, capacity;
} trees;

static inline void trees_free(trees *trees) {
    tz_arena_free(trees->arena);
    free(trees->tree);
    *trees = (struct trees){0};
}

/* All trees of a file, called `name` in messages; on failure those before it. */
static inline tz_status trees_of_file(FILE *file, const char *name, trees *ret, tz_error *error) {
    OWN(tz_lines, lines) = file ? tz_lines_new(file, name, TZ_BRACKETS_LINE) : NULL;
    OWN(tz_brackets, brackets) = lines ? tz_brackets_new(lines, false) : NULL;
    *ret = (trees){.arena = tz_arena_new()};
    tz_status status = brackets && ret->arena ? TZ_OK : TZ_NO_MEMORY;
    while (status == TZ_OK) {
        void *list = ret->tree;
        if (!tz_grow(&list, &ret->capacity, ret->count + 1, sizeof *ret->tree))
            status = TZ_NO_MEMORY;
        ret->tree = list;
        if (status == TZ_OK)
            status = tz_brackets_next(brackets, ret->arena, &ret->tree[ret->count], error);
        ret->count += status == TZ_OK;
    }
    if (file)
        fclose(file);
    return status == TZ_NONE ? TZ_OK : status;
}

/* The same of bytes, called "in". */
static inline tz_status trees_of_text(const char *text, size_t size, trees *ret, tz_error *error) {
    return trees_of_file(fmemopen((void *)(uintptr_t)text, size, "r"), "in", ret, error);
}

/* Trees without a mistake. */
static inline trees trees_in(const char *text, size_t size) {
    trees read;
    tz_error error;
    if (trees_of_text(text, size, &read, &error) != TZ_OK)
        fail_msg("%s", error.message);
    return read;
}

/* Those of a part of CRAFT ("dev"); where it is absent, the test is skipped. */
static inline trees craft_trees(const char *part) {
    char path[512];
    trees read;
    tz_error error;
    snprintf(path, sizeof path, TZ_SOURCE_ROOT "/../shared/data/craft/craft-%s.ptb", part);
    FILE *file = fopen(path, "r");
    if (!file) {
        print_message("%s is not there\n", path);
        skip();
    }
    if (trees_of_file(file, path, &read, &error) != TZ_OK)
        fail_msg("%s", error.message);
    return read;
}

/* The tree in brackets with a zero byte, in text->data. */
static inline const char *tree_text(const tz_tree *tree, tz_text *text) {
    tz_text_clear(text);
    tz_brackets_write(tree, NULL, text);
    tz_text_add(text, "", 1);
    return text->failed ? NULL : text->data;
}

#endif
