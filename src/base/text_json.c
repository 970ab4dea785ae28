/* text_json.c - numbers and strings as JSON has them. SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>

#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"

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
