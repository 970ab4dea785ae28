/* layout.h - tells which lines of a text are prose, and which go on in the next line.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_TEXT_LAYOUT_H
#define TZ_SENTENCES_TEXT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

/* Kinds of lines. Mark-up: HTML, XML, wiki or TeX. Table: cells between bars, tabs or wide blanks.
 * Chat: a time or <name> before an utterance. */
typedef enum tz_line_kind { TZ_PROSE, TZ_MARKUP, TZ_TABLE, TZ_CODE, TZ_CHAT } tz_line_kind;

tz_line_kind tz_line_kind_of(const char *line, size_t size);

/* The number of bytes at the line's beginning that mark an item of a list or quoted text: "-",
 * "1.", "(a)", ">", but not an initial, "J."; with leading blanks, without the blank after. 0:
 * there are none. */
size_t tz_line_marker(const char *line, size_t size);

/* How many bytes are a dateline with its dash, the blank behind it not counted:
 * "LONDON, March 3 (Reuters) -"; 0: there is none. */
size_t tz_line_dateline(const char *line, size_t size);

/* A full line may be shorter than the width by 1 in TZ_LAYOUT_RAGGED, since words are not cut. */
enum { TZ_LAYOUT_RAGGED = 12, TZ_LAYOUT_WIDE = 132 };

/* Figures of consecutive lines. Zeroed at first. */
typedef struct tz_layout_look {
    size_t width;           /* of the widest line of prose, in code points */
    size_t pairs, going_on; /* lines with another after them; those that go on in mid-sentence */
    size_t bin[TZ_LAYOUT_WIDE + 1]; /* pairs whose first line with the second's first word would be
                                       so wide; the last bin: or wider */
    size_t before;                  /* the last line's width; 0: it was not prose */
    size_t closed;                  /* lines with a stop at their end */
    bool open;                      /* the last line had no stop */
} tz_layout_look;

/* Takes in the next line, valid UTF-8. */
void tz_layout_look_at(tz_layout_look *look, const char *line, size_t size);
/* Are the lines wrapped? They are if their width is from 40 to TZ_LAYOUT_WIDE; after two thirds of
 * the lines that another follows, its first word would not have fitted; a third of them go on in
 * mid-sentence, without a stop and then with a small letter; and some line has a stop at its
 * end. */
bool tz_layout_wrapped(const tz_layout_look *look);

/* In a text of that width, does the line go on in the next one? It does where the next word would
 * not have fitted, or where it ends without a stop and the next line begins with a small letter.
 * Lines that are quoted (>) or not prose do not, nor does a line before an item of a list. */
bool tz_line_goes_on(size_t width, const char *line, size_t size, const char *next,
                     size_t next_size);
/* Does the line end within a word, which goes on in the next one? It ends with a letter and a
 * hyphen. */
bool tz_line_ends_in_word(const char *line, size_t size);

#endif
