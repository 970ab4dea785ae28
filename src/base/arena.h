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
/* A copy of a text with a terminating zero; NULL when memory is out. */
char *tz_arena_text(tz_arena *arena, const char *text, size_t size);
/* Copies the words of a text, between blanks and line ends, to ret_word[0..*ret_words-1]; ret_word
 * NULL: only counts them. TZ_NO_MEMORY. */
tz_status tz_arena_words(tz_arena *arena, const char *text, const char **ret_word,
                         size_t *ret_words);

#endif
