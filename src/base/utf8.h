/* utf8.h - UTF-8: bytes to code points, and back.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_UTF8_H
#define TZ_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number of bytes of the code point at text[0], written to *ret_code; 0 where the bytes are not
 * UTF-8 (overlong, surrogate, beyond U+10FFFF, cut off) or size is 0. */
unsigned tz_utf8_decode(const char *text, size_t size, uint32_t *ret_code);

/* Is the byte part of a code point, but not its first byte? */
static inline bool tz_utf8_continues(char byte) {
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Writes the bytes of a code point up to U+10FFFF, at most 4, and returns how many they are. */
unsigned tz_utf8_encode(uint32_t code, char *ret_bytes);

/* May the code point be shown as it is? Not the control characters, which command terminals and
 * which XML forbids, nor the line separators and the noncharacters U+FFFE and U+FFFF. */
bool tz_utf8_printable(uint32_t code);

#endif
