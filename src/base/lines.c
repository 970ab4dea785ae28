/* lines.c - the lines of a text file.
 *
 * Byte by byte through stdio, which hands out what a pipe has as soon as it is there.
 *
 * SPDX-License-Identifier: MIT */
#include "base/lines.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/grow.h"
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

tz_lines *tz_lines_new(FILE *file, const char *name, size_t limit) {
    tz_lines *lines = calloc(1, sizeof *lines);
    if (!lines)
        return NULL;
    *lines =
        (tz_lines){.file = file, .name = name, .advice = "", .limit = limit, .record = SIZE_MAX};
    if (!grow(lines)) {
        free(lines);
        return NULL;
    }
    return lines;
}

void tz_lines_free(tz_lines *lines) {
    if (lines) {
        free(lines->text);
        free(lines);
    }
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
    while ((byte = getc_unlocked(lines->file)) != EOF && byte != '\n') {
    }
    lines->number++;
}

/* Is the next line empty? */
static bool is_empty_next(tz_lines *lines) {
    int byte = getc_unlocked(lines->file);
    if (byte != EOF)
        ungetc(byte, lines->file);
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
    for (int byte; (byte = getc_unlocked(lines->file)) != EOF; pass_over(lines)) {
        ungetc(byte, lines->file);
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
    int byte = getc_unlocked(lines->file);
    if (byte != EOF)
        ungetc(byte, lines->file);
    lines->paused = false;
    return byte != EOF && !lines->ended;
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
    while (skipped < SKIPPED && (byte = getc_unlocked(lines->file)) != EOF) {
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
    if (byte == EOF && ferror(lines->file))
        return tz_bad_input(opt_error, lines->name, 0, "cannot read: %s", strerror(errno));
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
    tz_status status = check_bytes(lines, zero, opt_error);
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
    lines->number = 0;
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
