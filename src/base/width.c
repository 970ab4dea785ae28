/* width.c - see width.h.
 *
 * Widths come from wcwidth of the C library under a Unicode locale of its own, selected for the
 * calling thread alone and only during the call. A table here would be the same on every system
 * but several hundred ranges to bring up to date every year; libunistring has it, but would be a
 * dependency for one function. The price: an old C library misjudges the newest emoji.
 *
 * SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* wcwidth */
#include "base/width.h"

#include <string.h>
#include <wchar.h>

#include "base/utf8.h"

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
