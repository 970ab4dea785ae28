/* layout.h - tells which lines of a text are prose, and which go on in the next line.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TEXT_LAYOUT_H
#define TZ_SENTENCES_TEXT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

/* What a line is. Mark-up: HTML, XML, wiki or TeX. Tables: cells between bars, tabs or wide blanks.
 * Chat: a time or <name> before what is said. */
typedef enum tz_line_kind { TZ_PROSE, TZ_MARKUP, TZ_TABLE, TZ_CODE, TZ_CHAT } tz_line_kind;

tz_line_kind tz_line_kind_of(const char *line, size_t size);

/* How many bytes mark an item of a list, or quoted text, at the line's beginning, leading blanks
 * counted and the blank behind them not: "-", "1.", "(a)", ">"; 0: none do. No initial: "J." */
size_t tz_line_marker(const char *line, size_t size);

/* A line that is shorter by one in so many may be full: words are not cut. */
enum { TZ_LAYOUT_RAGGED = 12, TZ_LAYOUT_WIDE = 132 };

/* Lines in a row, of which some go on in the next one. Zeroed at first. */
typedef struct tz_layout_look {
    size_t width;           /* of the widest line of prose, in code points */
    size_t pairs, going_on; /* lines with another behind them; which go on in mid-sentence */
    size_t bin[TZ_LAYOUT_WIDE + 1]; /* pairs whose first line would have been so wide with the
                                       second's first word; the last: or wider */
    size_t before;                  /* the last line's width; 0: it was no prose */
    size_t closed;                  /* lines with a stop at their end */
    bool open;                      /* it had no stop */
} tz_layout_look;

/* Takes in the next line, valid UTF-8. */
void tz_layout_look_at(tz_layout_look *look, const char *line, size_t size);
/* Are the lines wrapped? Their width is from 40 to TZ_LAYOUT_WIDE; of two thirds of those that have
 * another behind them, the next word would not have fitted; and a third go on in mid-sentence:
 * without a stop, and then with a small letter. And some line has a stop at its end. */
bool tz_layout_wrapped(const tz_layout_look *look);

/* In a text of that width, does the line go on in the next one? Where the next word would not have
 * fitted, or it ends without a stop and the next begins with a small letter; but no quoted line
 * (>), none that begins an item of a list, and none that is no prose. */
bool tz_line_goes_on(size_t width, const char *line, size_t size, const char *next,
                     size_t next_size);

#endif
