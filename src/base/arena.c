/* arena.c - memory that is freed all at once: a list of blocks, each cut from the front.
 *
 * SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = alignof(max_align_t), BLOCK = 16384 };

struct block {
    struct block *next;
    size_t used, size;
    alignas(max_align_t) unsigned char data[];
};

struct tz_arena {
    struct block *block; /* the one being cut; full ones follow */
};

tz_arena *tz_arena_new(void) {
    return calloc(1, sizeof(tz_arena));
}

void tz_arena_free(tz_arena *arena) {
    if (!arena)
        return;
    for (struct block *block = arena->block; block;) {
        struct block *next = block->next;
        free(block);
        block = next;
    }
    free(arena);
}

void *tz_arena_array(tz_arena *arena, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) ||
        bytes > SIZE_MAX - ALIGN - sizeof(struct block))
        return NULL;
    /* At least one unit, so that NULL always means that memory is out. */
    bytes = bytes ? (bytes + ALIGN - 1) / ALIGN * ALIGN : ALIGN;

    struct block *block = arena->block;
    if (!block || block->size - block->used < bytes) {
        size_t room = bytes > BLOCK ? bytes : BLOCK;
        struct block *fresh = calloc(1, sizeof *fresh + room);
        if (!fresh)
            return NULL;
        fresh->size = room;
        if (block && bytes > BLOCK) { /* goes behind: the current block still has room */
            fresh->next = block->next;
            block->next = fresh;
        } else {
            fresh->next = block;
            arena->block = fresh;
        }
        block = fresh;
    }
    void *data = block->data + block->used;
    block->used += bytes;
    return data;
}

char *tz_arena_text(tz_arena *arena, const char *text, size_t size) {
    if (size == SIZE_MAX)
        return NULL;
    char *copy = tz_arena_array(arena, size + 1, 1);
    if (copy && size > 0)
        memcpy(copy, text, size);
    return copy;
}

tz_status tz_arena_words(tz_arena *arena, const char *text, const char **ret_word,
                         size_t *ret_words) {
    static const char blanks[] = " \t\n\v\f\r";
    size_t words = 0;
    for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
        size_t size = strcspn(text, blanks);
        if (ret_word && !(ret_word[words] = tz_arena_text(arena, text, size)))
            return TZ_NO_MEMORY;
        words++;
        text += size;
    }
    *ret_words = words;
    return TZ_OK;
}
