/* text.c - growing text, and how JSON is written into it. SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"

/* Asks for large pages, each of which comes into being at once; where there are none, nothing is
 * lost. */
static void prefer_large_pages(void *memory, size_t bytes) {
#ifdef MADV_HUGEPAGE
    enum { PAGE = 1 << 12, LEAST = 1 << 22 };
    uintptr_t from = ((uintptr_t)memory + PAGE - 1) / PAGE * PAGE;
    uintptr_t end = ((uintptr_t)memory + bytes) / PAGE * PAGE;
    if (bytes >= LEAST)
        madvise((void *)from, end - from, MADV_HUGEPAGE);
#else
    (void)memory, (void)bytes;
#endif
}

bool tz_grow(void **array, size_t *capacity, size_t count, size_t size) {
    if (count <= *capacity)
        return true;
    size_t wanted = *capacity <= SIZE_MAX / 2 ? 2 * *capacity : SIZE_MAX;
    if (wanted < 64)
        wanted = 64;
    if (wanted < count || wanted > SIZE_MAX / size)
        wanted = count;
    if (wanted > SIZE_MAX / size)
        return false;
    void *larger = realloc(*array, wanted * size);
    if (larger == NULL)
        return false;
    prefer_large_pages(larger, wanted * size);
    *array = larger;
    *capacity = wanted;
    return true;
}

char *tz_joined(const char *a, const char *b, const char *c) {
    size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *text = malloc(size);
    if (text != NULL)
        snprintf(text, size, "%s%s%s", a, b, c);
    return text;
}

void tz_text_free(tz_text *text) {
    free(text->data);
    *text = (tz_text){0};
}

void tz_text_clear(tz_text *text) {
    text->size = 0;
    text->failed = false;
}

void tz_text_add(tz_text *text, const char *bytes, size_t size) {
    if (text->failed || size == 0)
        return;
    void *data = text->data;
    if (size > SIZE_MAX - text->size ||
        !tz_grow(&data, &text->capacity, text->size + size, sizeof(char))) {
        text->failed = true;
        return;
    }
    text->data = data;
    memcpy(text->data + text->size, bytes, size);
    text->size += size;
}

void tz_text_put(tz_text *text, const char *string) {
    tz_text_add(text, string, strlen(string));
}

void tz_text_number(tz_text *text, double number) {
    char digits[TZ_NUMBER_SIZE];
    tz_text_add(text, digits, tz_number_print(digits, number));
}

void tz_text_quote(tz_text *text, const char *bytes, size_t size) {
    tz_text_put(text, "\"");
    for (size_t i = 0; i < size;) {
        unsigned char c = (unsigned char)bytes[i];
        uint32_t code;
        size_t length = tz_utf8_decode(bytes + i, size - i, &code);
        if (c == '"' || c == '\\') {
            tz_text_add(text, "\\", 1);
            tz_text_add(text, bytes + i, 1);
        } else if (c < 0x20 || c == 0x7f) {
            char escape[8];
            snprintf(escape, sizeof escape, "\\u%04x", (unsigned)c);
            tz_text_put(text, escape);
        } else if (length == 0) {
            tz_text_put(text, "\xef\xbf\xbd");
        } else {
            tz_text_add(text, bytes + i, length);
        }
        i += length > 0 ? length : 1;
    }
    tz_text_put(text, "\"");
}
