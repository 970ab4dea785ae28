/* lines.h - reads the lines of a text file: numbered, checked, of bounded size. A file packed by
 * gzip is unpacked.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_BASE_LINES_H
#define TZ_BASE_LINES_H

#include <stddef.h>
#include <stdio.h>

#include <trapeze/trapeze.h>

typedef struct tz_lines tz_lines;

/* Writes "FILE:LINE: message", or "FILE: message" for line 0, and returns TZ_IO. opt_error may be
 * NULL. */
tz_status tz_bad_input(tz_error *opt_error, const char *file, size_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same for memory that is out; returns TZ_NO_MEMORY. */
tz_status tz_out_of_memory(tz_error *opt_error, const char *file, size_t line);

/* Reads `file`, called `name` in messages; both are borrowed until tz_lines_free, which does not
 * close the file. Longer lines than `limit` bytes are refused. NULL when memory is out. */
tz_lines *tz_lines_new(FILE *file, const char *name, size_t limit);
void tz_lines_free(tz_lines *lines);

/* The next line, without its LF and the CRs before it, followed by a zero byte. It may be written
 * to and is lost with the next call. The last line needs no LF, and a byte order mark at the start
 * of the file is left out. TZ_NONE after the last line; TZ_IO: reading failed, or the line is too
 * long, is not UTF-8, or has a zero byte (then the next call goes on behind it); TZ_NO_MEMORY. */
tz_status tz_lines_next(tz_lines *lines, char **ret_line, size_t *ret_size, tz_error *opt_error);
/* Makes the next tz_lines_next return the last line again, as it now stands. */
void tz_lines_back(tz_lines *lines);

/* Lines read from now on are read ahead: after tz_lines_reset they come again, perhaps under
 * another limit. */
void tz_lines_mark(tz_lines *lines);
void tz_lines_reset(tz_lines *lines);
/* The first byte after the last line that is no white space, or EOF. Nothing counts as read. */
int tz_lines_peek(tz_lines *lines);

/* Goes to the beginning of a file that can be read again. */
void tz_lines_rewind(tz_lines *lines);

/* Sets the limit from the next line on. The message about a longer line ends with `advice`, how to
 * raise the limit, which is borrowed. */
void tz_lines_limit(tz_lines *lines, size_t limit, const char *advice);

/* A share of a file: records are dealt out in blocks, one after the other to each share. A record
 * is a line, or a paragraph, lines with no empty one between them. */
typedef struct tz_lines_cut {
    size_t share, shares; /* block b is in share b % shares */
    size_t block;         /* records of a block */
    bool paragraphs;
    bool pauses; /* tz_lines_next returns TZ_NONE after each block, too, until tz_lines_go_on */
} tz_lines_cut;

/* Before the first line: reads only the lines of a share. The others count in line numbers, but
 * their contents are not looked at. */
void tz_lines_share(tz_lines *lines, const tz_lines_cut *cut);
/* After a pause: goes on to the next block; false if there is none. */
bool tz_lines_go_on(tz_lines *lines);

/* The number of the line read last, from 1. */
size_t tz_lines_number(const tz_lines *lines);
const char *tz_lines_name(const tz_lines *lines);

#endif
