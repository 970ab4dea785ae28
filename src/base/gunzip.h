/* gunzip.h - reads the bytes of a file that gzip has packed. SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_GUNZIP_H
#define TZ_BASE_GUNZIP_H

#include <stdio.h>

#include <trapeze/trapeze.h>

enum { TZ_GZIP_FIRST = 0x1f, TZ_GZIP_SECOND = 0x8b }; /* bytes: UTF-8 never begins so */

typedef struct tz_gunzip tz_gunzip;

/* `file` is borrowed; its first two bytes, those above, have been read. NULL when memory is out. */
tz_gunzip *tz_gunzip_new(FILE *file);
void tz_gunzip_free(tz_gunzip *gunzip);

/* The next byte of the packed contents, members one after the other; EOF at the end or after an
 * error. */
int tz_gunzip_byte(tz_gunzip *gunzip);
/* The reason for EOF. TZ_OK: the end, or the file cannot be read (ferror). TZ_IO: *ret_what is what
 * is wrong with the file. TZ_NO_MEMORY. */
tz_status tz_gunzip_ended(const tz_gunzip *gunzip, const char **ret_what);

#endif
