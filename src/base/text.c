/* text.c - growing text. SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/text.h"

size_t tz_text_hand_out(tz_text *text, char *ret, size_t size) {
    const size_t whole = text->failed ? 0 : text->size;
    if (size > 0) {
        const size_t copied = whole < size ? whole : size - 1;
        if (copied > 0)
            memcpy(ret, text->data, copied);
        ret[copied] = '\0';
    }
    tz_text_free(text);
    return whole;
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

bool tz_text_write(const tz_text *text, FILE *file) {
    return text->size == 0 || fwrite(text->data, 1, text->size, file) == text->size;
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
