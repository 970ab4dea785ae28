/* state.c - see state.h. SPDX-License-Identifier: MIT */
#include "sentences/train/state.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/lines.h"

static const char magic[8] = {'T', 'Z', 'S', 'T', 'A', 'T', 'E', '\n'};

static void refuse(tz_state *s, const char *what) {
    s->status = tz_bad_input(s->opt_error, s->path, 0, "%s; begin anew, without --resume", what);
}

/* A portion of the file, whatever the size. */
static bool get(tz_state *s, void *bytes, size_t size) {
    if (fread(bytes, 1, size, s->file) != size) {
        s->status = tz_bad_input(s->opt_error, s->path, 0, "cannot read: %s",
                                 ferror(s->file) ? strerror(errno) : "the file is cut off");
    }
    return s->status == TZ_OK;
}

/* Is it a state as it was written? */
static void check(tz_state *s) {
    struct stat about;
    unsigned char part[1 << 14];
    uint32_t crc = 0, expected;
    if (fstat(fileno(s->file), &about) != 0 || !S_ISREG(about.st_mode) ||
        about.st_size < (off_t)(sizeof magic + 2 * sizeof crc)) {
        refuse(s, "not a training state of trapeze");
        return;
    }
    uint64_t size = (uint64_t)about.st_size - sizeof crc;
    for (uint64_t done = 0; done < size;) {
        size_t count = size - done < sizeof part ? (size_t)(size - done) : sizeof part;
        if (!get(s, part, count))
            return;
        if (done == 0 && memcmp(part, magic, sizeof magic) != 0) {
            refuse(s, "not a training state of trapeze");
            return;
        }
        crc = (uint32_t)crc32_z(crc, part, count);
        done += count;
    }
    if (get(s, &expected, sizeof expected) && crc != expected)
        refuse(s, "the training state is damaged: its checksum is wrong");
    rewind(s->file);
    s->left = size;
}

void tz_state_open(tz_state *s, const char *path, bool writes, tz_error *opt_error) {
    *s = (tz_state){.path = path, .writes = writes, .opt_error = opt_error};
    if (writes) {
        s->status = tz_replace_open(path, &s->replace, opt_error);
        s->file = s->replace.file;
    } else if (!(s->file = fopen(path, "rb"))) {
        s->status = tz_bad_input(opt_error, path, 0, "%s", strerror(errno));
    } else {
        check(s);
    }
    char mark[sizeof magic];
    uint32_t version = TZ_STATE_VERSION;
    memcpy(mark, magic, sizeof mark);
    tz_state_bytes(s, mark, sizeof mark);
    tz_state_bytes(s, &version, sizeof version);
    if (s->status == TZ_OK && version != TZ_STATE_VERSION) {
        refuse(s,
               "the training state is of another version of trapeze, or another kind of machine");
    }
}

void tz_state_bytes(tz_state *s, void *bytes, size_t size) {
    if (s->status != TZ_OK || size == 0)
        return;
    if (s->writes) {
        s->crc = (uint32_t)crc32_z(s->crc, bytes, size);
        fwrite(bytes, 1, size, s->file); /* what fails shows when it is committed */
    } else if (size > s->left) {
        refuse(s, "the training state is damaged: it is too short");
    } else if (get(s, bytes, size)) {
        s->left -= size;
    }
}

void tz_state_same(tz_state *s, const void *bytes, size_t size, const char *what) {
    const unsigned char *expected = bytes;
    for (size_t done = 0; done < size && s->status == TZ_OK;) {
        unsigned char part[64];
        size_t count = size - done < sizeof part ? size - done : sizeof part;
        memcpy(part, expected + done, count);
        tz_state_bytes(s, part, count);
        if (s->status == TZ_OK && memcmp(part, expected + done, count) != 0) {
            s->status = tz_bad_input(s->opt_error, s->path, 0,
                                     "training was begun with another %s; go on with the same, or "
                                     "begin anew, without --resume",
                                     what);
        }
        done += count;
    }
}

tz_status tz_state_close(tz_state *s) {
    if (s->writes) {
        if (s->status == TZ_OK) {
            fwrite(&s->crc, 1, sizeof s->crc, s->file);
            s->status = tz_replace_commit(&s->replace, s->opt_error);
        } else {
            tz_replace_abandon(&s->replace);
        }
    } else {
        if (s->status == TZ_OK && s->left > 0)
            refuse(s, "the training state is damaged: it is too long");
        if (s->file)
            fclose(s->file);
    }
    return s->status;
}
