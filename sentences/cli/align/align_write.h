/* align_write.h - writes alignments in the formats of `trapeze align`.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_ALIGN_ALIGN_WRITE_H
#define TZ_SENTENCES_CLI_ALIGN_ALIGN_WRITE_H

#include "sentences/align/decode/decode.h"
#include "sentences/align/draw/draw.h"
#include "sentences/align/texts/pair.h"

typedef enum tz_align_format {
    TZ_ALIGN_PHARAOH,
    TZ_ALIGN_JSON,
    TZ_ALIGN_TEXT,
    TZ_ALIGN_SVG,
    TZ_ALIGN_FORMATS
} tz_align_format;

typedef struct tz_align_writer {
    tz_align_format format;
    bool model;     /* alignments are by a model: they have scores and posteriors, */
    size_t parts;   /* and shares of so many parts, in the order of parts.h */
    bool posterior; /* links are decoded by their posteriors: no score */
    bool ranked;    /* several answers for each pair */
    locale_t utf8;  /* of drawings: tz_utf8_locale() */
    size_t width;   /* of grids, in columns */
    tz_text text;   /* of the pair */
    tz_page page;   /* SVG: of all pairs */
    size_t written;
} tz_align_writer;

/* Appends an answer for a pair to writer->text, or to the page; `rank` counts from 1. opt_id: the
 * pair's. TZ_BAD_ARGUMENT with a message: the pair is too large to be drawn; TZ_NO_MEMORY. */
tz_status tz_align_write(tz_align_writer *writer, tz_arena *arena, const tz_pair *pair,
                         const json_t *opt_id, const tz_decoded *answer, size_t rank,
                         tz_error *error);
/* Writes in the place of a wrong pair: an empty line, or an object with "error". */
void tz_align_write_failure(tz_align_writer *writer, tz_arena *arena, const json_t *opt_id,
                            const char *message);
/* Writes what comes after the last pair: the SVG document. */
void tz_align_write_end(tz_align_writer *writer);
void tz_align_writer_free(tz_align_writer *writer);

#endif
