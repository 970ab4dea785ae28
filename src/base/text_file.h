/* text_file.h - reads a text of bounded size. SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_TEXT_FILE_H
#define TZ_BASE_TEXT_FILE_H

#include <stddef.h>

#include <trapeze/trapeze.h>

/* Reads the first most + 1 bytes of a file of any kind, with a zero byte behind them; the extra
 * byte tells that a file is too large. *ret_text is for free(), NULL on failure. TZ_IO,
 * TZ_NO_MEMORY, with the path in the message. */
tz_status tz_text_read(const char *path, size_t most, char **ret_text, size_t *ret_size,
                       tz_error *opt_error);

#endif
