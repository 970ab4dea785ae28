/* replace.h - replaces files all at once: readers see the old file or the new one.
 *
 * The new file is written beside the old one, as .trapeze-XXXXXX, and gets its name when it is
 * complete. If the name is a link, the file that it leads to is replaced; a link that leads nowhere
 * is refused, and so is a file that may not be written. SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_REPLACE_H
#define TZ_BASE_REPLACE_H

#include <stdio.h>

#include "base/text.h"
#include <trapeze/trapeze.h>

typedef struct tz_replace {
    FILE *file;      /* write here */
    char *path;      /* the file to replace: where a link leads to */
    char *temporary; /* beside `path`; NULL if that is a pipe or a device, which is written to
                        directly */
    int lock;        /* says that the temporary file is in use */
} tz_replace;

/* Checks what can be known before writing: that the path is no folder, and that the file can be
 * changed or created. Changes nothing. TZ_IO, TZ_NO_MEMORY. */
tz_status tz_replace_check(const char *path, tz_error *opt_error);
/* First removes temporary files that killed processes left in the folder. TZ_IO, TZ_NO_MEMORY; then
 * *ret is zeroed. */
tz_status tz_replace_open(const char *path, tz_replace *ret, tz_error *opt_error);
/* Writes the new file to disk and puts it in the old one's place, with the old one's permissions.
 * On failure nothing has changed. `replace` is done with in any case. */
tz_status tz_replace_commit(tz_replace *replace, tz_error *opt_error);
/* Leaves the old file as it is. Does nothing to a zeroed one. */
void tz_replace_abandon(tz_replace *replace);

/* From now on this signal, unless it is ignored, removes this process's temporary files before its
 * default action ends the process. May be called by a signal handler. */
void tz_replace_clean_on(int signal);

/* Replaces a file by one of this text. TZ_IO; TZ_NO_MEMORY, also where the text has failed. */
tz_status tz_replace_text(const char *path, const tz_text *text, tz_error *opt_error);

#endif
