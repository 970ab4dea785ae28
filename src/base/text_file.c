/* text_file.c - see text_file.h. SPDX-License-Identifier: MIT */
#include "base/text_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

tz_status tz_text_read(const char *path, size_t most, char **ret_text, size_t *ret_size,
                       tz_error *opt_error) {
    *ret_text = NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return tz_fail(opt_error, TZ_IO, "%s: %s", path, strerror(errno));
    char *text = malloc(most + 2);
    if (text == NULL) {
        fclose(file);
        return tz_fail(opt_error, TZ_NO_MEMORY, "%s: %s", path, tz_status_name(TZ_NO_MEMORY));
    }
    errno = 0;
    const size_t size = fread(text, 1, most + 1, file);
    const bool failed = ferror(file) != 0;
    const int reason = errno;
    fclose(file);
    if (failed) {
        free(text);
        return tz_fail(opt_error, TZ_IO, "%s: %s", path, strerror(reason));
    }
    text[size] = '\0';
    *ret_text = text;
    *ret_size = size;
    return TZ_OK;
}
