/* write.h - writes tagged, parsed or compressed sentences in the formats of --format.
 *
 * SPDX-License-Identifier: MIT */
#ifndef TZ_SENTENCES_CLI_ANALYSE_WRITE_H
#define TZ_SENTENCES_CLI_ANALYSE_WRITE_H

#include "io/draw/draw.h"
#include "sentences/cli/input/sentences.h"
#include "sentences/trees/dependencies.h"

typedef enum tz_format {
    TZ_FORMAT_TEXT,
    TZ_FORMAT_CONLLU,
    TZ_FORMAT_JSON,
    TZ_FORMAT_SVG,
    TZ_FORMAT_PTB
} tz_format;

/* The results asked for. */
typedef enum tz_asked { TZ_ASKED_TAGS, TZ_ASKED_TREES, TZ_ASKED_COMPRESSIONS } tz_asked;

typedef struct tz_writer {
    tz_format format;
    tz_asked asked;
    tz_style style;   /* of drawings */
    tz_levels levels; /* of trees in brackets */
    tz_text text;     /* of the sentence */
    tz_page page;     /* SVG: of all sentences */
    size_t written;
    bool begun; /* text of this line stands before the next sentence */
} tz_writer;

/* Appends a sentence to writer->text, or to the page; as text, the tags or compressions of one
 * line's sentences stand on one line. TZ_NO_MEMORY, TZ_TOO_LARGE (a drawing as text). */
tz_status tz_write_sentence(tz_writer *writer, const tz_input_sentence *item);
/* Writes, in place of a refused sentence that has only `before` and `followed`, an empty line, or
 * an object with "error". */
void tz_write_refusal(tz_writer *writer, const tz_input_sentence *item, const char *message);
/* Writes what comes after the last sentence: the SVG document. */
void tz_write_end(tz_writer *writer);
void tz_writer_free(tz_writer *writer);

/* The formats themselves. */
void tz_write_json(tz_text *text, tz_asked asked, const tz_input_sentence *item);
void tz_write_conllu(tz_text *text, tz_asked asked, const tz_input_sentence *item);
tz_status tz_write_drawing(tz_arena *arena, tz_asked asked, const tz_input_sentence *item,
                           tz_drawing *ret_drawing);
/* Appends the tags as "word/TAG word/TAG". */
void tz_write_tags(const tz_input_sentence *item, tz_text *text);
/* Appends the tree of constituents in brackets, or a tree made from dependencies where none was
 * found; for compressions, dropped nodes have -DEL after their category. TZ_NO_MEMORY; TZ_IO: a
 * word has no tag or label. */
tz_status tz_write_brackets(tz_text *text, tz_asked asked, const tz_input_sentence *item,
                            tz_levels levels);
/* Appends the compression as text. TZ_NO_MEMORY. */
tz_status tz_write_compression(const tz_input_sentence *item, tz_text *text);

#endif
