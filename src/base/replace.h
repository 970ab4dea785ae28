/* replace.h - files that are replaced all at once: readers see the old one or the new one.
 *
 * The new one is written beside the old one, as .trapeze-XXXXXX, and gets its name when it is
 * whole. Where the name is a link, what that leads to is replaced; one that leads nowhere is
 * refused, and so is a file that may not be written. SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_REPLACE_H
#define TZ_BASE_REPLACE_H

#include <stdio.h>

#include "base/text.h"
#include <trapeze/trapeze.h>

typedef struct tz_replace {
    FILE *file;      /* write here */
    char *path;      /* what is replaced: where a link leads to */
    char *temporary; /* beside it; NULL where `path` is a pipe or a device, written to directly */
    int lock;        /* says that the temporary file is in use */
} tz_replace;

/* First removes what killed processes left in that folder. TZ_IO, TZ_NO_MEMORY; then *ret is
 * zeroed.
 */
tz_status tz_replace_open(const char *path, tz_replace *ret, tz_error *opt_error);
/* Puts the new file, which is on the disk by then, in the old one's place, with its permissions. On
 * failure nothing has changed. Ends in any case. */
tz_status tz_replace_commit(tz_replace *replace, tz_error *opt_error);
/* Leaves the old file as it is. Does nothing to a zeroed one. */
void tz_replace_abandon(tz_replace *replace);

/* From now on this signal, unless it is ignored, removes this process's temporary files before it
 * does what it does by default, ending the process. May be called by a handler of signals. */
void tz_replace_clean_on(int signal);

/* A file of this text. TZ_IO; TZ_NO_MEMORY, also where the text has failed. */
tz_status tz_replace_text(const char *path, const tz_text *text, tz_error *opt_error);

#endif
