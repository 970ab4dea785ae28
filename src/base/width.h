/* width.h - how wide text is on a terminal. SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_WIDTH_H
#define TZ_BASE_WIDTH_H

#include <locale.h>
#include <stddef.h>
#include <stdint.h>

/* A locale that knows Unicode, for the functions below; (locale_t)0 where the system has none. Free
 * it with freelocale unless it is 0. */
locale_t tz_utf8_locale(void);
/* Columns of a terminal that a code point takes: 0 (combining), 1 or 2 (East Asian wide). Without a
 * locale every code point takes one. */
unsigned tz_code_width(locale_t utf8, uint32_t code);
/* The same for valid UTF-8 that ends with a zero byte. */
size_t tz_text_width(locale_t utf8, const char *text);

#endif
