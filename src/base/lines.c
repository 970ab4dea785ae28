/* lines.c - the lines of a text file.
 *
 * Byte by byte through stdio, which hands out what a pipe has as soon as it is there; or through
 * gunzip.h, where the first two bytes say so. What is read ahead is kept, and read again.
 *
 * SPDX-License-Identifier: MIT */
#include "base/lines.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/grow.h"
#include "base/gunzip.h"
#include "base/utf8.h"

/* So many bytes of a line that is wrong are passed over to find the next one. */
enum { SKIPPED = 1 << 24 };

struct tz_lines {
    FILE *file;
    const char *name;
    const char *advice;
    size_t limit, number;
    char *text;
    size_t size, capacity; /* capacity > size: room for the zero byte */
    bool again, ended;
    tz_gunzip *packed; /* or NULL: bytes are taken as they stand, once the first ones have been */
    bool begun;        /* looked at. */
    bool plain; /* the next byte is the file's: nothing is packed, or to come again, or kept */
    unsigned char *kept; /* bytes that come again, from `at` on: there is room for two at least */
    size_t at, kept_size, kept_capacity;
    bool keeping; /* since tz_lines_mark, where `number` was `marked` */
    bool eof;     /* the file's end was met while keeping: a terminal would give more */
    int why;      /* errno, where that was a failure */
    bool lost;    /* memory was out */
    size_t marked;
    tz_lines_cut cut;
    size_t record; /* that the next line belongs to, or SIZE_MAX: the first has not begun */
    bool within;   /* a paragraph that has begun */
    size_t block;  /* that is being read, */
    bool paused;   /* and no other before tz_lines_go_on */
};

tz_status tz_bad_input(tz_error *opt_error, const char *file, size_t line, const char *format,
                       ...) {
    if (opt_error) {
        char message[sizeof opt_error->message / 2];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(message, sizeof message, format, arguments);
        va_end(arguments);
        opt_error->status = TZ_IO;
        if (line == 0)
            snprintf(opt_error->message, sizeof opt_error->message, "%.480s: %s", file, message);
        else
            snprintf(opt_error->message, sizeof opt_error->message, "%.480s:%zu: %s", file, line,
                     message);
        tz_fail_clean(opt_error);
    }
    return TZ_IO;
}

tz_status tz_out_of_memory(tz_error *opt_error, const char *file, size_t line) {
    tz_bad_input(opt_error, file, line, "out of memory");
    if (opt_error)
        opt_error->status = TZ_NO_MEMORY;
    return TZ_NO_MEMORY;
}

/* Room for one more byte and the zero byte. */
static bool grow(tz_lines *lines) {
    void *text = lines->text;
    bool grown = tz_grow(&text, &lines->capacity, lines->size + 2, sizeof *lines->text);
    lines->text = text;
    return grown;
}

void tz_lines_free(tz_lines *lines) {
    if (lines) {
        tz_gunzip_free(lines->packed);
        free(lines->kept);
        free(lines->text);
        free(lines);
    }
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static bool make_room(tz_lines *lines, size_t bytes) {
    void *kept = lines->kept;
    bool grown = tz_grow(&kept, &lines->kept_capacity, bytes, 1);
    lines->kept = kept;
    return grown;
}

tz_lines *tz_lines_new(FILE *file, const char *name, size_t limit) {
    tz_lines *lines = calloc(1, sizeof *lines);
    if (!lines)
        return NULL;
    *lines =
        (tz_lines){.file = file, .name = name, .advice = "", .limit = limit, .record = SIZE_MAX};
    if (!grow(lines) || !make_room(lines, 2)) {
        tz_lines_free(lines);
        return NULL;
    }
    return lines;
}

/* Past the last byte that there is to be had, which is so from now on. */
static void meet_end(tz_lines *lines) {
    lines->eof = true;
    lines->why = ferror(lines->file) ? errno : 0;
}

/* Is it packed? */
static void begin(tz_lines *lines) {
    int first = getc_unlocked(lines->file);
    int second = first == TZ_GZIP_FIRST ? getc_unlocked(lines->file) : EOF;
    lines->begun = true;
    if (second == TZ_GZIP_SECOND) {
        lines->packed = tz_gunzip_new(lines->file);
        lines->lost = !lines->packed;
        return;
    }
    if (first != EOF)
        lines->kept[lines->kept_size++] = (unsigned char)first;
    if (second != EOF)
        lines->kept[lines->kept_size++] = (unsigned char)second;
    if (first == EOF)
        meet_end(lines);
}

/* The next byte, where it is not simply the file's. */
static int slow_byte(tz_lines *lines) {
    if (!lines->begun)
        begin(lines);
    if (lines->at < lines->kept_size)
        return lines->kept[lines->at++];
    if (!lines->keeping)
        lines->at = lines->kept_size = 0;
    if (lines->eof || lines->lost)
        return EOF;
    lines->plain = !lines->packed && !lines->keeping;
    int byte = lines->packed ? tz_gunzip_byte(lines->packed) : getc_unlocked(lines->file);
    if (!lines->keeping)
        return byte;
    if (byte == EOF)
        meet_end(lines);
    lines->lost = !lines->eof && !make_room(lines, lines->kept_size + 1);
    if (!lines->eof && !lines->lost)
        lines->kept[lines->kept_size++] = (unsigned char)byte;
    lines->at = lines->kept_size;
    return lines->lost ? EOF : byte;
}

static inline int next_byte(tz_lines *lines) {
    return lines->plain ? getc_unlocked(lines->file) : slow_byte(lines);
}

/* The next byte, which stays the next one. */
static int peek_byte(tz_lines *lines) {
    int byte = next_byte(lines);
    if (byte != EOF && lines->at > 0) {
        lines->at--;
    } else if (byte != EOF) {
        lines->kept[0] = (unsigned char)byte;
        lines->kept_size = 1;
        lines->plain = false;
    }
    return byte;
}

void tz_lines_mark(tz_lines *lines) {
    memmove(lines->kept, lines->kept + lines->at, lines->kept_size - lines->at);
    lines->kept_size -= lines->at;
    lines->at = 0;
    lines->keeping = true;
    lines->plain = false;
    lines->marked = lines->number;
}

void tz_lines_reset(tz_lines *lines) {
    lines->at = 0;
    lines->keeping = lines->again = lines->ended = false;
    lines->number = lines->marked;
}

int tz_lines_peek(tz_lines *lines) {
    int byte;
    tz_lines_mark(lines);
    while ((byte = next_byte(lines)) == ' ' || (byte >= '\t' && byte <= '\r')) {
    }
    tz_lines_reset(lines);
    return byte;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Why there are no more bytes: TZ_OK, because all have been read. */
static tz_status ended(const tz_lines *lines, tz_error *opt_error) {
    const char *what = NULL;
    tz_status status = lines->packed ? tz_gunzip_ended(lines->packed, &what) : TZ_OK;
    if (lines->lost || status == TZ_NO_MEMORY)
        return tz_out_of_memory(opt_error, lines->name, lines->number);
    if (status != TZ_OK)
        return tz_bad_input(opt_error, lines->name, 0, "%s", what);
    return ferror(lines->file) ? tz_bad_input(opt_error, lines->name, 0, "cannot read: %s",
                                              strerror(lines->why != 0 ? lines->why : errno))
                               : TZ_OK;
}

/* What is wrong with the line's bytes, from the first on. */
static tz_status check_bytes(const tz_lines *lines, bool zero, tz_error *opt_error) {
    for (size_t at = 0; at < lines->size;) {
        uint32_t code;
        unsigned used = tz_utf8_decode(lines->text + at, lines->size - at, &code);
        if (used == 0)
            return tz_bad_input(opt_error, lines->name, lines->number,
                                "byte %zu of the line is not UTF-8", at + 1);
        at += used;
    }
    return zero ? tz_bad_input(opt_error, lines->name, lines->number,
                               "byte %zu of the line is zero", lines->size + 1)
                : TZ_OK;
}

/* ---- Shares ---------------------------------------------------------------------------------- */

/* Passes over the rest of a line. */
static void pass_over(tz_lines *lines) {
    int byte;
    while ((byte = next_byte(lines)) != EOF && byte != '\n') {
    }
    lines->number++;
}

/* Is the next line empty? */
static bool is_empty_next(tz_lines *lines) {
    int byte = peek_byte(lines);
    return byte == '\n' || byte == '\r';
}

/* Which record the next line belongs to; none: it stands between two. */
static size_t next_record(tz_lines *lines) {
    bool empty = lines->cut.paragraphs && is_empty_next(lines);
    bool begins = !empty && !(lines->cut.paragraphs && lines->within);
    lines->within = !empty;
    lines->record += begins; /* from SIZE_MAX to 0 */
    return lines->record;
}

/* Goes to the next line of this share; false: that is in the next block, after a pause. */
static bool find_share(tz_lines *lines) {
    const tz_lines_cut *cut = &lines->cut;
    for (; peek_byte(lines) != EOF; pass_over(lines)) {
        size_t before = lines->record;
        bool within = lines->within;
        size_t record = next_record(lines), block = record == SIZE_MAX ? 0 : record / cut->block;
        if (block % cut->shares != cut->share)
            continue;
        if (!cut->pauses || block == lines->block || !lines->paused) {
            lines->paused = true;
            lines->block = block;
            return true;
        }
        lines->record = before;
        lines->within = within;
        return false;
    }
    return true;
}

bool tz_lines_go_on(tz_lines *lines) {
    lines->paused = false;
    return peek_byte(lines) != EOF && !lines->ended;
}

void tz_lines_share(tz_lines *lines, const tz_lines_cut *cut) {
    lines->cut = *cut;
}

tz_status tz_lines_next(tz_lines *lines, char **ret_line, size_t *ret_size, tz_error *opt_error) {
    *ret_line = NULL;
    if (lines->again) {
        lines->again = false;
        *ret_line = lines->text;
        *ret_size = lines->size;
        return TZ_OK;
    }
    if (lines->ended)
        return TZ_NONE;
    if (lines->cut.shares > 1 && !find_share(lines))
        return TZ_NONE;
    bool any = false, long_line = false, zero = false;
    size_t skipped = 0; /* of a line that is wrong, after what is wrong */
    int byte = 0;
    lines->size = 0;
    while (skipped < SKIPPED && (byte = next_byte(lines)) != EOF) {
        any = true;
        if (byte == '\n')
            break;
        long_line |= !zero && lines->size == lines->limit;
        zero |= !long_line && byte == 0;
        if (long_line || zero) {
            skipped++;
            continue;
        }
        if (lines->size + 1 == lines->capacity && !grow(lines)) {
            lines->number++;
            return tz_out_of_memory(opt_error, lines->name, lines->number);
        }
        lines->text[lines->size++] = (char)byte;
    }
    lines->ended = byte == EOF || skipped == SKIPPED;
    tz_status status = byte == EOF ? ended(lines, opt_error) : TZ_OK;
    if (status != TZ_OK)
        return status;
    if (!any)
        return TZ_NONE;
    lines->number++;
    if (skipped == SKIPPED)
        return tz_bad_input(opt_error, lines->name, lines->number,
                            "the line %s, and does not end in the %d bytes that follow: this is "
                            "no text; nothing more of it is read",
                            zero ? "has a zero byte" : "is too long", SKIPPED);
    if (long_line) {
        return tz_bad_input(opt_error, lines->name, lines->number,
                            "the line is longer than %zu bytes%s", lines->limit, lines->advice);
    }
    while (lines->size > 0 && lines->text[lines->size - 1] == '\r')
        lines->size--;
    lines->text[lines->size] = '\0';
    if (lines->number == 1 && strncmp(lines->text, "\xef\xbb\xbf", 3) == 0) {
        lines->size -= 3;
        memmove(lines->text, lines->text + 3, lines->size + 1);
    }
    status = check_bytes(lines, zero, opt_error);
    if (status != TZ_OK)
        return status;
    *ret_line = lines->text;
    *ret_size = lines->size;
    return TZ_OK;
}

void tz_lines_back(tz_lines *lines) {
    lines->again = true;
}

void tz_lines_rewind(tz_lines *lines) {
    rewind(lines->file);
    tz_gunzip_free(lines->packed);
    lines->packed = NULL;
    lines->at = lines->kept_size = lines->number = 0;
    lines->begun = lines->plain = lines->keeping = lines->eof = false;
    lines->again = lines->ended = false;
}

void tz_lines_limit(tz_lines *lines, size_t limit, const char *advice) {
    lines->limit = limit;
    lines->advice = advice;
}

size_t tz_lines_number(const tz_lines *lines) {
    return lines->number;
}

const char *tz_lines_name(const tz_lines *lines) {
    return lines->name;
}
