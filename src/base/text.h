/* text.h - growing text, and writing JSON into it.
 *
 * After an allocation fails, everything further is ignored: check `failed` once, at the end.
 * A zeroed tz_text is empty. SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_TEXT_H
#define TZ_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct tz_text {
    char *data; /* not zero-terminated */
    size_t size, capacity;
    bool failed;
} tz_text;

void tz_text_free(tz_text *text);
/* Empties it and keeps the memory. */
void tz_text_clear(tz_text *text);
void tz_text_add(tz_text *text, const char *bytes, size_t size);
void tz_text_put(tz_text *text, const char *string);
/* Writes all of it; false where that fails, which the stream remembers. */
bool tz_text_write(const tz_text *text, FILE *file);
/* Copies at most `size` bytes of it to `ret`, the final NUL included, and frees it. Returns the
 * size of the whole without the NUL, 0 where it failed. */
size_t tz_text_hand_out(tz_text *text, char *ret, size_t size);
/* Three strings joined, for free(); NULL when memory is out. */
char *tz_joined(const char *a, const char *b, const char *c);

/* Adds a number as tz_number_print prints it. */
void tz_text_number(tz_text *text, double number);
/* Adds a JSON string; bytes that are not UTF-8 become U+FFFD. */
void tz_text_quote(tz_text *text, const char *bytes, size_t size);

#endif
