/* text_file.h - text files as arguments. SPDX-License-Identifier: MIT */
#ifndef TZ_CLI_TEXT_FILE_H
#define TZ_CLI_TEXT_FILE_H

#include <stdio.h>

#include "base/lines.h"

/* An open file and its lines. */
typedef struct tz_text_file {
    FILE *file;
    tz_lines *lines;
} tz_text_file;

/* NULL or "-" is standard input. Lines of up to `limit` bytes. Returns 0, or the exit code after a
 * message; then *ret_file is zeroed. */
int tz_text_file_open(const char *command, const char *name, size_t limit, tz_text_file *ret_file);
/* Does nothing to a zeroed one. */
void tz_text_file_close(tz_text_file *text);

#endif
