/* replace.c - see replace.h. SPDX-License-Identifier: MIT */
#include "base/replace.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/lines.h"

static tz_status fail(const char *path, int why, tz_error *opt_error) {
    return tz_bad_input(opt_error, path, 0, "cannot write: %s", strerror(why));
}

static void close_all(tz_replace *r) {
    if (r->file)
        fclose(r->file);
    if (r->temporary)
        unlink(r->temporary);
    free(r->temporary);
    free(r->path);
    *r = (tz_replace){0};
}

tz_status tz_replace_open(const char *path, tz_replace *ret, tz_error *opt_error) {
    char real[PATH_MAX];
    struct stat about;
    tz_replace r = {.path = tz_joined(realpath(path, real) ? real : path, "", "")};
    bool direct = stat(path, &about) == 0 && !S_ISREG(about.st_mode);
    *ret = (tz_replace){0};
    r.temporary = r.path && !direct ? tz_joined(r.path, ".XXXXXX", "") : NULL;
    if (!r.path || (!direct && !r.temporary)) {
        close_all(&r);
        return tz_out_of_memory(opt_error, path, 0);
    }
    if (direct) {
        r.file = fopen(r.path, "wb");
    } else {
        int file = mkstemp(r.temporary);
        if (file < 0) {
            free(r.temporary);
            r.temporary = NULL;
        } else if (!(r.file = fdopen(file, "wb"))) {
            close(file);
        }
    }
    if (!r.file) {
        int why = errno;
        close_all(&r);
        return fail(path, why, opt_error);
    }
    *ret = r;
    return TZ_OK;
}

/* What the old file may be used for, or what a new one may. */
static mode_t permissions(const char *path) {
    struct stat about;
    if (stat(path, &about) == 0)
        return about.st_mode & 0777;
    mode_t mask = umask(0); /* there is no other way to ask for it */
    umask(mask);
    return 0666 & ~mask;
}

tz_status tz_replace_commit(tz_replace *r, tz_error *opt_error) {
    errno = 0;
    bool good = !ferror(r->file) && fflush(r->file) == 0;
    if (r->temporary) {
        good = good && fchmod(fileno(r->file), permissions(r->path)) == 0 &&
               fsync(fileno(r->file)) == 0;
    }
    good = fclose(r->file) == 0 && good;
    r->file = NULL;
    if (good && r->temporary) {
        good = rename(r->temporary, r->path) == 0;
        if (good) {
            free(r->temporary);
            r->temporary = NULL;
        }
    }
    tz_status status = good ? TZ_OK : fail(r->path, errno ? errno : EIO, opt_error);
    close_all(r);
    return status;
}

tz_status tz_replace_text(const char *path, const tz_text *text, tz_error *opt_error) {
    tz_replace file;
    tz_status status = text->failed ? tz_out_of_memory(opt_error, path, 0)
                                    : tz_replace_open(path, &file, opt_error);
    if (status == TZ_OK) {
        fwrite(text->data, 1, text->size, file.file); /* what fails shows when it is committed */
        status = tz_replace_commit(&file, opt_error);
    }
    return status;
}

void tz_replace_abandon(tz_replace *r) {
    close_all(r);
}
