/* utf8.c - UTF-8. Which byte sequences are valid: The Unicode Standard, table 3-7.
 *
 * Widths come from wcwidth of the C library under a Unicode locale of its own, selected for the
 * calling thread alone and only during the call. A table here would be the same on every system
 * but several hundred ranges to bring up to date every year; libunistring has it, but would be a
 * dependency for one function. The price: an old C library misjudges the newest emoji.
 *
 * SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* wcwidth */
#include "base/utf8.h"

#include <string.h>
#include <wchar.h>

unsigned tz_utf8_decode(const char *text, size_t size, uint32_t *ret_code) {
    if (size == 0)
        return 0;
    unsigned char lead = (unsigned char)text[0];
    if (lead < 0x80) {
        *ret_code = lead;
        return 1;
    }
    unsigned length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || length > size)
        return 0;
    uint32_t code = lead & (0x7fu >> length);
    for (unsigned i = 1; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if ((byte & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (byte & 0x3fu);
    }
    bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    if (overlong || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        return 0;
    *ret_code = code;
    return length;
}

unsigned tz_utf8_encode(uint32_t code, char *ret_bytes) {
    static const uint32_t beyond[] = {0x80, 0x800, 0x10000};
    static const uint8_t lead[] = {0x00, 0xc0, 0xe0, 0xf0};
    unsigned length = 1;
    while (length < 4 && code >= beyond[length - 1])
        length++;
    for (unsigned i = length - 1; i > 0; i--, code >>= 6)
        ret_bytes[i] = (char)(0x80 | (code & 0x3f));
    ret_bytes[0] = (char)(lead[length - 1] | code);
    return length;
}

bool tz_utf8_printable(uint32_t code) {
    return code >= 0x20 && !(code >= 0x7f && code < 0xa0) && code != 0x2028 && code != 0x2029 &&
           code != 0xfffe && code != 0xffff;
}

locale_t tz_utf8_locale(void) {
    /* What glibc and musl, macOS, and older systems call it. */
    static const char *const names[] = {"C.UTF-8", "UTF-8", "en_US.UTF-8"};
    locale_t found = (locale_t)0;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
        found = newlocale(LC_CTYPE_MASK, names[i], (locale_t)0);
    return found;
}

static unsigned width_here(uint32_t code) {
    if (code < 0x7f)
        return 1;
    int width = wcwidth((wchar_t)code);
    return width < 0 ? 1 : (unsigned)width;
}

unsigned tz_code_width(locale_t utf8, uint32_t code) {
    if (!utf8 || code < 0x7f)
        return 1;
    locale_t before = uselocale(utf8);
    unsigned width = width_here(code);
    uselocale(before);
    return width;
}

size_t tz_text_width(locale_t utf8, const char *text) {
    size_t size = strlen(text), width = 0;
    locale_t before = utf8 ? uselocale(utf8) : (locale_t)0;
    uint32_t code;
    for (unsigned used; (used = tz_utf8_decode(text, size, &code)) > 0; text += used) {
        size -= used;
        width += utf8 ? width_here(code) : 1;
    }
    if (utf8)
        uselocale(before);
    return width;
}
