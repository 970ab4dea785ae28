/* whole.c - see whole.h. SPDX-License-Identifier: MIT */
#include "base/whole.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/lines.h"

#define MOST ((uint64_t)1 << 32) /* bytes of a file */

tz_status tz_whole_read(const char *path, void **ret_bytes, size_t *ret_size, tz_error *opt_error) {
    *ret_bytes = NULL;
    *ret_size = 0;
    FILE *file = fopen(path, "rb");
    struct stat about;
    if (!file || fstat(fileno(file), &about) != 0) {
        tz_status status = tz_bad_input(opt_error, path, 0, "%s", strerror(errno));
        if (file)
            fclose(file);
        return status;
    }
    tz_status status = TZ_OK;
    size_t size = about.st_size > 0 ? (size_t)about.st_size : 0;
    void *bytes = NULL;
    if (!S_ISREG(about.st_mode)) {
        status = tz_bad_input(opt_error, path, 0, "not a regular file");
    } else if ((uint64_t)size > MOST) {
        status =
            tz_bad_input(opt_error, path, 0, "has %zu bytes; files up to 4 GiB are read", size);
    } else if (!(bytes = malloc(size + 1))) {
        status = tz_out_of_memory(opt_error, path, 0);
    } else if (fread(bytes, 1, size, file) != size) {
        status = tz_bad_input(opt_error, path, 0, "cannot read: %s",
                              ferror(file) ? strerror(errno) : "the file is shorter than it was");
    }
    fclose(file);
    if (status != TZ_OK) {
        free(bytes);
        return status;
    }
    *ret_bytes = bytes;
    *ret_size = size;
    return TZ_OK;
}
