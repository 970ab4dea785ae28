/* text.c - growing text. SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"

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

/* ---- JSON ----------------------------------------------------------------------------------- */

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
