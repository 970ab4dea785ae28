/* utf8.h - UTF-8: code points, and how wide they stand on a terminal.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_UTF8_H
#define TZ_BASE_UTF8_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of bytes of the code point at text[0], written to *ret_code; 0 where the bytes are not
 * UTF-8 (overlong, surrogate, beyond U+10FFFF, cut off) or size is 0. */
unsigned tz_utf8_decode(const char *text, size_t size, uint32_t *ret_code);

/* Writes the bytes of a code point up to U+10FFFF, at most 4, and returns how many they are. */
unsigned tz_utf8_encode(uint32_t code, char *ret_bytes);

/* May the code point be shown as it is? Not the control characters, which command terminals and
 * which XML forbids, nor the line separators and the noncharacters U+FFFE and U+FFFF. */
bool tz_utf8_printable(uint32_t code);

/* A locale that knows Unicode, for the functions below; (locale_t)0 where the system has none. To
 * be given to freelocale unless 0. */
locale_t tz_utf8_locale(void);
/* Columns of a terminal that a code point takes: 0 (combining), 1 or 2 (East Asian wide). Without a
 * locale every code point takes one. */
unsigned tz_code_width(locale_t utf8, uint32_t code);
/* The same for valid UTF-8 that ends with a zero byte. */
size_t tz_text_width(locale_t utf8, const char *text);

#endif
