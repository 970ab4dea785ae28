/* text.h - growing text, and how JSON is written into it.
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
/* All of it; false where it cannot be written, which the stream remembers. */
bool tz_text_write(const tz_text *text, FILE *file);
/* At most `size` bytes of it to `ret`, the final NUL included, then frees it; the size of the whole
 * without the NUL, 0 where it failed. */
size_t tz_text_hand_out(tz_text *text, char *ret, size_t size);
/* Three strings in one, to be freed; NULL when memory is out. */
char *tz_joined(const char *a, const char *b, const char *c);

/* As tz_number_print. */
void tz_text_number(tz_text *text, double number);
/* A JSON string; bytes that are not UTF-8 become U+FFFD. */
void tz_text_quote(tz_text *text, const char *bytes, size_t size);

#endif
