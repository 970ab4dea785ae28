/* bands.h - lays out a drawing of two texts with bands between them.
 *
 * A band is as wide as its words. It passes through the lines between them as a thread, in the
 * nearest gap between two words; gaps are widened for their threads, so that no band lies on a
 * word. Coordinates are whole 1/100 px: no rounding differs between machines.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_ALIGN_DRAW_BANDS_H
#define TZ_SENTENCES_ALIGN_DRAW_BANDS_H

#include "sentences/align/draw/draw.h"

enum {
    TZ_BANDS_ABOVE = 1350, /* from the top of a box to its word's base line */
    TZ_BANDS_BOX = 1850,   /* height of a box around words */
    TZ_BANDS_THREAD = 160, /* width of a thread */
    TZ_BANDS_COLOURS = 8
};

/* A word, or the dots where sentences are left out. */
typedef struct tz_bands_token {
    const char *text;
    int64_t x, width;
    bool grey;
} tz_bands_token;

/* A line of words. Gap g is before the line's token g; there is room enough after the last. */
typedef struct tz_bands_line {
    size_t first, end; /* tokens */
    int64_t y;         /* top of the boxes */
    int64_t indent;
} tz_bands_line;

/* Where a word stands. */
typedef struct tz_bands_spot {
    size_t token, line;
} tz_bands_spot;

/* The part of a phrase that stands on its first line, by x. */
typedef struct tz_bands_stretch {
    size_t line;
    int64_t left, right;
} tz_bands_stretch;

typedef struct tz_band {
    const tz_phrase_pair *phrase;
    size_t colour;
    tz_bands_stretch from, to;
} tz_band;

/* A band passes through a line. */
typedef struct tz_bands_passage {
    size_t band, line, gap;
    int64_t wish, x;
} tz_bands_passage;

typedef struct tz_bands {
    locale_t utf8;
    tz_arena *arena;
    tz_text *out;
    tz_drawn_text text[2];  /* document, abstract */
    tz_bands_spot *spot[2]; /* [words]; set for words that are drawn */
    tz_bands_token *token;
    tz_bands_line *line;
    size_t tokens, lines, upper; /* lines of the document: the first `upper` */
    tz_band *band;               /* by place in the abstract */
    size_t bands;
    tz_bands_passage *passage; /* by band, then line */
    size_t passages;
    int64_t width, height;
} tz_bands;

/* Places everything in a drawing that is zeroed but for utf8 and arena. TZ_TOO_LARGE,
 * TZ_NO_MEMORY. */
tz_status tz_bands_lay_out(tz_bands *bands, const tz_drawn_alignment *drawn);
/* Words `from` to `end` - 1 of a text, as far as they stand on the line of word `from`. */
tz_bands_stretch tz_bands_stretch_of(const tz_bands *bands, size_t side, uint32_t from,
                                     uint32_t end);

#endif
