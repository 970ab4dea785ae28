/* npz_write.c - see npz_write.h. The format of the archive: PKWARE's APPNOTE.TXT 6.3, sections 4.3
 * and 4.5.3. SPDX-License-Identifier: MIT */
#include "io/npz/npz_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libdeflate.h>
#include <zlib.h>

#include "base/grow.h"
#include "base/lines.h"
#include "base/replace.h"
#include "base/text.h"
#include "io/npz/npy.h"

enum { PIECE = 1 << 18, /* written at once */ MOVED = 1 << 16 /* moved at once */ };

typedef struct member {
    char *name; /* with .npy */
    char descr[8];
    unsigned rank;
    uint64_t extent[TZ_NPY_RANK]; /* [0]: rows there is room for, in the end those there are */
    uint64_t row, at, rows;       /* bytes of a row; place in the file; rows written */
    uint32_t checksum;            /* of the rows */
    size_t size;                  /* of an element */
} member;

struct tz_npz_writer {
    const char *path;
    tz_replace replace;
    int file; /* of `replace`, which is written to at any place */
    member *member;
    size_t members, capacity;
    uint64_t end;
};

static tz_status fail_memory(const tz_npz_writer *w, tz_error *error) {
    return tz_out_of_memory(error, w->path, 0);
}

static tz_status fail_write(const tz_npz_writer *w, tz_error *error) {
    return tz_bad_input(error, w->path, 0, "cannot write: %s", strerror(errno));
}

/* ---- Bytes --------------------------------------------------------------------------------- */

static char *put(char *at, uint64_t number, unsigned bytes) {
    for (; bytes > 0; bytes--, number >>= 8)
        *at++ = (char)(number & 0xff);
    return at;
}

static bool write_at(const tz_npz_writer *w, const char *data, uint64_t size, uint64_t at) {
    while (size > 0) {
        ssize_t written = pwrite(w->file, data, size < 1 << 30 ? (size_t)size : 1 << 30, (off_t)at);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        data += written;
        size -= (uint64_t)written;
        at += (uint64_t)written;
    }
    return true;
}

/* What has been written there. */
static bool read_at(const tz_npz_writer *w, char *data, uint64_t size, uint64_t at) {
    while (size > 0) {
        ssize_t got = pread(w->file, data, (size_t)size, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        data += got;
        size -= (uint64_t)got;
        at += (uint64_t)got;
    }
    return true;
}

/* ---- The parts of the archive -------------------------------------------------------------- */

enum {
    LOCAL = 30 + 20, /* without the name */
    CENTRAL = 46 + 28,
    END = 56 + 20 + 22,
    ZIP64 = 45,             /* the version that brought it */
    NEW_YEAR_1980 = 0x0021, /* the first date there is */
};
static const uint64_t elsewhere = 0xffffffff; /* a size that stands in the ZIP64 field */

/* From the version needed to the length of the name: what the two headers of a member share. */
static char *put_about(char *at, const member *m, uint32_t checksum) {
    at = put(at, ZIP64, 2);
    at = put(at, 0, 2 + 2 + 2); /* flags, stored, time */
    at = put(at, NEW_YEAR_1980, 2);
    at = put(at, checksum, 4);
    at = put(at, elsewhere, 4);
    at = put(at, elsewhere, 4);
    return put(at, strlen(m->name), 2);
}

static uint64_t data_size(const member *m) {
    return TZ_NPY_HEADER + m->extent[0] * m->row;
}

static uint64_t local_size(const member *m) {
    return LOCAL + strlen(m->name) + TZ_NPY_HEADER;
}

static void put_local(tz_text *text, const member *m, uint32_t checksum) {
    char part[LOCAL], *at = put(part, 0x04034b50, 4);
    at = put_about(at, m, checksum);
    at = put(at, 20, 2);
    tz_text_add(text, part, (size_t)(at - part));
    tz_text_put(text, m->name);
    at = put(part, 1, 2);
    at = put(at, 16, 2);
    at = put(at, data_size(m), 8);
    at = put(at, data_size(m), 8);
    tz_text_add(text, part, (size_t)(at - part));
}

static void put_central(tz_text *text, const member *m, uint32_t checksum) {
    char part[CENTRAL], *at = put(part, 0x02014b50, 4);
    at = put(at, ZIP64 | 3 << 8, 2); /* made on Unix */
    at = put_about(at, m, checksum);
    at = put(at, 28, 2);
    at = put(at, 0, 2 + 2 + 2);               /* comment, disk, kind of data */
    at = put(at, (uint64_t)0100644 << 16, 4); /* a file that all may read */
    at = put(at, elsewhere, 4);
    tz_text_add(text, part, (size_t)(at - part));
    tz_text_put(text, m->name);
    at = put(part, 1, 2);
    at = put(at, 24, 2);
    at = put(at, data_size(m), 8);
    at = put(at, data_size(m), 8);
    at = put(at, m->at, 8);
    tz_text_add(text, part, (size_t)(at - part));
}

/* After the central directory, which starts at `start` and has `size` bytes. */
static void put_end(tz_text *text, uint64_t members, uint64_t start, uint64_t size) {
    char part[END], *at = put(part, 0x06064b50, 4);
    at = put(at, 56 - 12, 8); /* of what follows */
    at = put(at, ZIP64 | 3 << 8, 2);
    at = put(at, ZIP64, 2);
    at = put(at, 0, 4 + 4); /* disks */
    at = put(at, members, 8);
    at = put(at, members, 8);
    at = put(at, size, 8);
    at = put(at, start, 8);
    at = put(at, 0x07064b50, 4);
    at = put(at, 0, 4);
    at = put(at, start + size, 8);
    at = put(at, 1, 4);
    at = put(at, 0x06054b50, 4);
    at = put(at, 0, 2 + 2);
    uint64_t few = members < 0xffff ? members : 0xffff;
    at = put(at, few, 2);
    at = put(at, few, 2);
    at = put(at, elsewhere, 4);
    at = put(at, elsewhere, 4);
    at = put(at, 0, 2);
    tz_text_add(text, part, (size_t)(at - part));
}

/* ---- Interface ----------------------------------------------------------------------------- */

tz_status tz_npz_writer_new(const char *path, tz_npz_writer **ret_writer, tz_error *error) {
    tz_npz_writer *w = calloc(1, sizeof *w);
    *ret_writer = NULL;
    if (w == NULL)
        return tz_out_of_memory(error, path, 0);
    w->path = path;
    tz_status status = tz_replace_open(path, &w->replace, error);
    if (status != TZ_OK) {
        free(w);
        return status;
    }
    w->file = fileno(w->replace.file);
    *ret_writer = w;
    return TZ_OK;
}

void tz_npz_writer_free(tz_npz_writer *w) {
    if (w == NULL)
        return;
    tz_replace_abandon(&w->replace);
    for (size_t i = 0; i < w->members; i++)
        free(w->member[i].name);
    free(w->member);
    free(w);
}

tz_status tz_npz_writer_add(tz_npz_writer *w, const char *name, const char *descr, size_t size,
                            unsigned rank, const uint64_t *extent, tz_error *error) {
    void *all = w->member;
    uint64_t bytes;
    if (!tz_grow(&all, &w->capacity, w->members + 1, sizeof *w->member))
        return fail_memory(w, error);
    w->member = all;
    member *m = &w->member[w->members];
    *m = (member){
        .name = tz_joined(name, ".npy", ""), .rank = rank, .row = size, .at = w->end, .size = size};
    if (m->name == NULL)
        return fail_memory(w, error);
    w->members++;
    snprintf(m->descr, sizeof m->descr, "%s", descr);
    for (unsigned q = 0; q < rank; q++)
        m->extent[q] = extent[q];
    for (unsigned q = 1; q < rank; q++)
        if (__builtin_mul_overflow(m->row, extent[q], &m->row))
            m->row = UINT64_MAX;
    if (__builtin_mul_overflow(extent[0], m->row, &bytes) ||
        __builtin_add_overflow(bytes, w->end + local_size(m), &bytes) || bytes > INT64_MAX / 2) {
        tz_bad_input(error, w->path, 0, "would be larger than any file");
        return error->status = TZ_TOO_LARGE;
    }
    w->end = bytes;
    return TZ_OK;
}

tz_status tz_npz_writer_rows(tz_npz_writer *w, unsigned which, uint64_t rows, const void *data,
                             tz_error *error) {
    member *m = &w->member[which];
    uint64_t at = m->at + local_size(m) + m->rows * m->row, size = rows * m->row;
    const char *from = data;
    /* In pieces that stay in a near cache for the second look. */
    for (uint64_t done = 0, piece; done < size; done += piece) {
        piece = size - done < PIECE ? size - done : PIECE;
        m->checksum = libdeflate_crc32(m->checksum, from + done, (size_t)piece);
        if (!write_at(w, from + done, piece, at + done))
            return fail_write(w, error);
    }
    m->rows += rows;
    return TZ_OK;
}

/* Moves the rows of a member to `at`, whatever lies between. */
static tz_status move(const tz_npz_writer *w, member *m, uint64_t at, tz_error *error) {
    char buffer[MOVED];
    const uint64_t from = m->at + local_size(m), to = at + local_size(m), size = m->rows * m->row;
    m->at = at;
    for (uint64_t done = 0, piece; from != to && done < size; done += piece) {
        piece = size - done < MOVED ? size - done : MOVED;
        const uint64_t skip = to < from ? done : size - done - piece; /* up: the last ones first */
        if (!read_at(w, buffer, piece, from + skip) || !write_at(w, buffer, piece, to + skip))
            return fail_write(w, error);
    }
    return TZ_OK;
}

/* ---- Wider numbers ------------------------------------------------------------------------- */

/* Unsigned integers of one size as those of another, in memory order; to may be from where it is
 * not larger. */
void tz_npz_resize(const void *from, size_t from_size, void *to, size_t to_size, size_t count) {
    const char *in = from;
    char *out = to;
    for (size_t i = 0; i < count; i++, in += from_size, out += to_size) {
        uint8_t byte;
        uint16_t two;
        uint32_t four;
        memcpy(from_size == 1   ? (void *)&byte
               : from_size == 2 ? (void *)&two
                                : &four,
               in, from_size);
        four = from_size == 1 ? byte : from_size == 2 ? two : four;
        byte = (uint8_t)four;
        two = (uint16_t)four;
        memcpy(out, to_size == 1 ? (void *)&byte : to_size == 2 ? (void *)&two : &four, to_size);
    }
}

/* The rows that stand there, from the last one on. */
static tz_status widen_rows(const tz_npz_writer *w, member *m, size_t size, tz_error *error) {
    char old[MOVED], new[4 * MOVED];
    const uint64_t at = m->at + local_size(m);
    for (uint64_t left = m->rows * (m->row / m->size), count; left > 0; left -= count) {
        count = left < MOVED / m->size ? left : MOVED / m->size;
        if (!read_at(w, old, count * m->size, at + (left - count) * m->size))
            return fail_write(w, error);
        tz_npz_resize(old, m->size, new, size, count);
        if (!write_at(w, new, count * size, at + (left - count) * size))
            return fail_write(w, error);
    }
    return TZ_OK;
}

/* The checksum of the rows in the file. */
static tz_status read_checksum(const tz_npz_writer *w, member *m, tz_error *error) {
    char buffer[MOVED];
    const uint64_t size = m->rows * m->row;
    m->checksum = 0;
    for (uint64_t done = 0, piece; done < size; done += piece) {
        piece = size - done < MOVED ? size - done : MOVED;
        if (!read_at(w, buffer, piece, m->at + local_size(m) + done))
            return fail_write(w, error);
        m->checksum = libdeflate_crc32(m->checksum, buffer, (size_t)piece);
    }
    return TZ_OK;
}

tz_status tz_npz_writer_widen(tz_npz_writer *w, unsigned which, const char *descr, size_t size,
                              tz_error *error) {
    member *m = &w->member[which];
    const uint64_t row = m->row / m->size * size;
    uint64_t more, end;
    if (__builtin_mul_overflow(row, m->extent[0], &more) ||
        __builtin_sub_overflow(more, m->row * m->extent[0], &more) ||
        __builtin_add_overflow(w->end, more, &end) || end > INT64_MAX / 2) {
        tz_bad_input(error, w->path, 0, "would be larger than any file");
        return error->status = TZ_TOO_LARGE;
    }
    tz_status status = TZ_OK;
    for (size_t i = w->members; i-- > which + 1u && status == TZ_OK;)
        status = move(w, &w->member[i], w->member[i].at + more, error);
    if (status == TZ_OK)
        status = widen_rows(w, m, size, error);
    if (status != TZ_OK)
        return status;
    w->end = end;
    m->row = row;
    m->size = size;
    snprintf(m->descr, sizeof m->descr, "%s", descr);
    return read_checksum(w, m, error);
}

/* The headers and the directory, once there are all rows that there will be. */
static tz_status complete(tz_npz_writer *w, tz_error *error) {
    uint64_t end = 0;
    tz_text local = {0}, directory = {0};
    tz_status status = TZ_OK;
    for (size_t i = 0; i < w->members && status == TZ_OK; i++) {
        member *m = &w->member[i];
        char header[TZ_NPY_HEADER];
        status = move(w, m, end, error);
        m->extent[0] = m->rows;
        tz_npy_print(header, m->descr, m->rank, m->extent);
        uint32_t checksum = libdeflate_crc32(0, header, sizeof header);
        checksum = (uint32_t)crc32_combine(checksum, m->checksum, (off_t)(m->rows * m->row));
        tz_text_clear(&local);
        put_local(&local, m, checksum);
        tz_text_add(&local, header, sizeof header);
        if (status == TZ_OK && local.failed)
            status = fail_memory(w, error);
        if (status == TZ_OK && !write_at(w, local.data, local.size, m->at))
            status = fail_write(w, error);
        end = m->at + local_size(m) + m->rows * m->row;
        put_central(&directory, m, checksum);
    }
    put_end(&directory, w->members, end, directory.size);
    if (status == TZ_OK && directory.failed)
        status = fail_memory(w, error);
    if (status == TZ_OK && (!write_at(w, directory.data, directory.size, end) ||
                            ftruncate(w->file, (off_t)(end + directory.size)) != 0))
        status = fail_write(w, error);
    tz_text_free(&local);
    tz_text_free(&directory);
    return status;
}

tz_status tz_npz_writer_commit(tz_npz_writer *w, tz_error *error) {
    tz_status status = complete(w, error);
    return status == TZ_OK ? tz_replace_commit(&w->replace, error) : status;
}
