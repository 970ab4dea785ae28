/* whole.h - reads a file's bytes all at once. SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_WHOLE_H
#define TZ_BASE_WHOLE_H

#include <stddef.h>

#include <trapeze/trapeze.h>

/* *ret_bytes is for free(), and NULL on failure. Regular files only; an empty one has one byte of
 * memory. TZ_IO, TZ_NO_MEMORY, with the path in the message. */
tz_status tz_whole_read(const char *path, void **ret_bytes, size_t *ret_size, tz_error *opt_error);

#endif
