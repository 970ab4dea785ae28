/* arena.h - memory that is freed all at once. SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_ARENA_H
#define TZ_BASE_ARENA_H

#include <stddef.h>

#include <trapeze/trapeze.h>

typedef struct tz_arena tz_arena;

/* NULL when memory is out. */
tz_arena *tz_arena_new(void);
/* Frees everything taken from it; takes NULL. */
void tz_arena_free(tz_arena *arena);
/* count * size zeroed bytes aligned for any type; NULL when memory is out or the product overflows.
 * count may be 0. */
void *tz_arena_array(tz_arena *arena, size_t count, size_t size);
/* A copy with a terminating zero. */
char *tz_arena_text(tz_arena *arena, const char *text, size_t size);
/* Copies of what stands between blanks (and ends of lines), to ret_word[0..*ret_words-1]; NULL: the
 * words are only counted. TZ_NO_MEMORY. */
tz_status tz_arena_words(tz_arena *arena, const char *text, const char **ret_word,
                         size_t *ret_words);

#endif
